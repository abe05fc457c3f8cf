//! Which language a short text is in.

use ingest::Language;

use super::stop::is_stop_word;
use super::token::tokenize;

/// Word endings that are common in one language and rare in the other three.
const ENDINGS: [(&str, Language); 27] = [
    ("ung", Language::De),
    ("ungen", Language::De),
    ("keit", Language::De),
    ("heit", Language::De),
    ("schaft", Language::De),
    ("wand", Language::De),
    ("wert", Language::De),
    ("raum", Language::De),
    ("plan", Language::De),
    ("eur", Language::Fr),
    ("eau", Language::Fr),
    ("eaux", Language::Fr),
    ("aux", Language::Fr),
    ("ité", Language::Fr),
    ("ement", Language::Fr),
    ("age", Language::Fr),
    ("ière", Language::Fr),
    ("zione", Language::It),
    ("zioni", Language::It),
    ("ità", Language::It),
    ("mento", Language::It),
    ("ezza", Language::It),
    ("aggio", Language::It),
    ("ing", Language::En),
    ("ness", Language::En),
    ("ty", Language::En),
    ("ight", Language::En),
];

/// The language of a question or query; `None` where the votes say nothing.
///
/// Function words weigh most, then letters and endings that only one language has. Search words
/// without any of these (`EI30 T-1.03`) have no language.
pub(crate) fn guess(text: &str) -> Option<Language> {
    let mut votes = [0u32; 4];
    for token in tokenize(text) {
        for (i, language) in Language::ALL.into_iter().enumerate() {
            if let Some(vote) = votes.get_mut(i) {
                *vote += vote_of(&token.lower, language);
            }
        }
    }
    let elided =
        text.chars().zip(text.chars().skip(1)).any(|(a, b)| matches!(a, '\'' | '’') && b.is_alphabetic());
    if elided {
        votes[1] += 1;
        votes[2] += 1;
    }
    let best = *votes.iter().max()?;
    let mut winners = Language::ALL.into_iter().zip(votes).filter(|(_, v)| *v == best);
    match (best, winners.next(), winners.next()) {
        (1.., Some((language, _)), None) => Some(language),
        _ => None,
    }
}

fn vote_of(word: &str, language: Language) -> u32 {
    let mut vote = if is_stop_word(word, language) { 3 } else { 0 };
    vote += match language {
        Language::De if word.contains(['ä', 'ö', 'ü', 'ß']) => 2,
        Language::Fr if word.contains(['ç', 'ê', 'î', 'û', 'œ', 'ë']) => 2,
        Language::Fr if word.contains('é') => 1,
        Language::It if word.ends_with(['ò', 'ì', 'ù']) => 2,
        _ => 0,
    };
    let ending = ENDINGS.iter().any(|(e, l)| *l == language && word.len() > e.len() + 1 && word.ends_with(e));
    vote + u32::from(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_each_language() {
        for (text, language) in [
            ("Welcher U-Wert gilt für die Aussenwand Haus B?", Language::De),
            ("Ist die Türe T-1.03 brandgeschützt?", Language::De),
            ("Dämmstärke Flachdach", Language::De),
            ("Quelle est l'épaisseur de l'isolation du toit ?", Language::Fr),
            ("Combien de portes coupe-feu y a-t-il ?", Language::Fr),
            ("Qual è lo spessore dell'isolamento del tetto?", Language::It),
            ("Quante finestre ci sono al primo piano?", Language::It),
            ("What is the U-value of the external wall?", Language::En),
            ("Who commissioned the ventilation system?", Language::En),
        ] {
            assert_eq!(guess(text), Some(language), "{text}");
        }
    }

    #[test]
    fn codes_have_no_language() {
        assert_eq!(guess("EI30 T-1.03"), None);
        assert_eq!(guess(""), None);
    }
}
