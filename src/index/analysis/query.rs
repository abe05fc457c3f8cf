//! A query taken apart: terms, phrases, identifiers, language.

use ingest::Language;

use super::ident::{Identifier, asked_for};
use super::{Token, guess, is_stop_word, stem, tokenize};

/// A query longer than this is cut: nobody types more words, and each costs time.
const MAX_TERMS: usize = 48;
/// Weight of a word inside an identifier: the identifier counts, its digits alone say little.
const INSIDE_IDENTIFIER: f32 = 0.3;

/// A word that a query searches for.
#[derive(Debug, Clone)]
pub(crate) struct QueryTerm {
    /// The plain form.
    pub plain: String,
    /// The stem in each language, in the order of [`Language::ALL`].
    pub stems: [String; 4],
    /// 1 for a word, less for a part of an identifier.
    pub weight: f32,
}

impl QueryTerm {
    fn of(token: &Token, weight: f32) -> Self {
        let stems = Language::ALL.map(|l| stem(token, l));
        QueryTerm { plain: token.plain.clone(), stems, weight }
    }

    /// Whether a token of a text in `language` (any where unknown) is this word.
    pub(crate) fn matches(&self, token: &Token, language: Option<Language>) -> bool {
        if token.plain == self.plain {
            return true;
        }
        Language::ALL
            .into_iter()
            .zip(&self.stems)
            .filter(|(l, _)| language.is_none_or(|of_text| of_text == *l))
            .any(|(l, s)| stem(token, l) == *s)
    }
}

/// What a query asks for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Analysed {
    /// Words, each once, stop words left out unless there is nothing else.
    pub terms: Vec<QueryTerm>,
    /// Quoted phrases: plain forms with their positions.
    pub phrases: Vec<Vec<(usize, String)>>,
    /// Identifiers.
    pub identifiers: Vec<Identifier>,
    /// The language, where it can be told.
    pub language: Option<Language>,
    /// True where the query is nothing but identifiers.
    pub only_identifiers: bool,
}

/// Takes a query apart.
pub(crate) fn analyse(text: &str) -> Analysed {
    let identifiers = asked_for(text);
    let language = guess(text);
    let tokens = tokenize(text);
    let inside = |t: &Token| identifiers.iter().any(|i| i.start <= t.start && t.end <= i.end);
    let stop = |t: &Token| match language {
        Some(l) => is_stop_word(&t.lower, l),
        None => Language::ALL.into_iter().any(|l| is_stop_word(&t.lower, l)),
    };
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut outside = 0;
    for keep_stop_words in [false, true] {
        for token in &tokens {
            let within = inside(token);
            let short =
                token.plain.chars().count() < 2 && !token.plain.starts_with(|c: char| c.is_ascii_digit());
            if (short || stop(token)) && !keep_stop_words || within && token.plain.chars().count() < 2 {
                continue;
            }
            outside += usize::from(!within);
            if terms.len() < MAX_TERMS && !terms.iter().any(|t| t.plain == token.plain) {
                terms.push(QueryTerm::of(token, if within { INSIDE_IDENTIFIER } else { 1.0 }));
            }
        }
        if !terms.is_empty() || !identifiers.is_empty() {
            break;
        }
    }
    let only_identifiers = !identifiers.is_empty() && outside == 0;
    Analysed { terms, phrases: phrases(text), identifiers, language, only_identifiers }
}

/// The quoted parts of two words and more; straight, typographic and French quotes.
fn phrases(text: &str) -> Vec<Vec<(usize, String)>> {
    let quote = |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '«' | '»');
    let parts: Vec<&str> = text.split(quote).collect();
    let closed = if parts.len() % 2 == 1 { parts.len() } else { parts.len() - 1 };
    parts
        .iter()
        .take(closed)
        .skip(1)
        .step_by(2)
        .map(|p| tokenize(p).into_iter().map(|t| (t.position, t.plain)).collect::<Vec<_>>())
        .filter(|p| !p.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        analyse(text).terms.into_iter().map(|t| t.plain).collect()
    }

    #[test]
    fn function_words_go() {
        assert_eq!(terms("Welcher U-Wert gilt für die Aussenwand?"), ["uwert", "wert", "aussenwand"]);
        assert_eq!(terms("Quelle est l'épaisseur de l'isolation ?"), ["epaisseur", "isolation"]);
    }

    #[test]
    fn nothing_but_function_words_stays() {
        assert_eq!(terms("die und der"), ["die", "und", "der"]);
    }

    #[test]
    fn identifiers_alone_are_noticed() {
        assert!(analyse("RFI-0042").only_identifiers);
        assert!(analyse("T-1.03").only_identifiers);
        assert!(!analyse("Türe T-1.03 Farbe").only_identifiers);
        assert!(!analyse("Aussenwand").only_identifiers);
    }

    #[test]
    fn phrases_are_what_stands_between_quotes() {
        let phrases = analyse("«Wand gegen Erdreich» und \"offen").phrases;
        let words: Vec<&str> = phrases[0].iter().map(|(_, w)| w.as_str()).collect();
        assert_eq!(words, ["wand", "gegen", "erdreich"]);
        assert_eq!(phrases.len(), 1);
    }

    #[test]
    fn a_term_matches_its_inflections() {
        let query = analyse("Aussenwände");
        let token = tokenize("Aussenwand").remove(0);
        assert!(query.terms[0].matches(&token, Some(Language::De)));
        assert!(!query.terms[0].matches(&tokenize("Innenwand")[0], None));
    }
}
