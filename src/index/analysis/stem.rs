//! Stems per language.

use frostem::{Algorithm, Stemmer};
use ingest::Language;

use super::fold::strip_accents;
use super::token::Token;

/// The stem of a token in a language.
///
/// German stems come from the plain form, so that `Daemmungen` and `Dämmung` meet. The other
/// languages need their accents to know an ending, so accents go after stemming.
pub(crate) fn stem(token: &Token, language: Language) -> String {
    if token.plain.starts_with(|c: char| c.is_ascii_digit()) {
        return token.plain.clone();
    }
    match language {
        Language::De => german_stem(&token.plain),
        Language::Fr => strip_accents(&Stemmer::new(Algorithm::French).stem(&token.lower)),
        Language::It => strip_accents(&Stemmer::new(Algorithm::Italian).stem(&token.lower)),
        Language::En => strip_accents(&Stemmer::new(Algorithm::English).stem(&token.lower)),
    }
}

/// The German stem of a word in plain writing.
pub(super) fn german_stem(plain: &str) -> String {
    Stemmer::new(Algorithm::German).stem(plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tokenize;
    use super::*;

    fn stems(text: &str, language: Language) -> Vec<String> {
        tokenize(text).iter().map(|t| stem(t, language)).collect()
    }

    #[test]
    fn inflections_meet_in_each_language() {
        for (language, a, b) in [
            (Language::De, "Aussenwände", "Aussenwand"),
            (Language::De, "Raeume", "Raum"),
            (Language::De, "Dämmungen", "Daemmung"),
            (Language::De, "Mauern", "Mauer"),
            (Language::Fr, "fenêtres", "fenêtre"),
            (Language::Fr, "isolées", "isolé"),
            (Language::It, "finestre", "finestra"),
            (Language::En, "insulated walls", "insulation wall"),
            (Language::En, "values", "value"),
        ] {
            assert_eq!(stems(a, language), stems(b, language), "{a} and {b}");
        }
    }
}
