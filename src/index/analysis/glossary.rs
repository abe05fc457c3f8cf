//! Terms of building in four languages: what a question calls `toiture plate`, a passage calls `Flachdach`.
//!
//! The list lies beside this file. It holds true equivalents only, since a passage with one of them
//! counts as speaking of the other.

use std::sync::LazyLock;

use ingest::Language;

use super::{Token, stem, tokenize};

const LIST: &str = include_str!("glossary.txt");

/// A German word of this length is also found at the start or end of a compound.
const MIN_COMPOUND_CHARS: usize = 5;

/// A way of saying a concept: one word, or a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    /// The language it is said in.
    pub language: Language,
    /// Plain form and stem of each of its words.
    pub words: Vec<(String, String)>,
}

static CONCEPTS: LazyLock<Vec<Vec<Form>>> = LazyLock::new(|| {
    let lines = LIST.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines.map(concept).collect()
});

fn concept(line: &str) -> Vec<Form> {
    let columns = Language::ALL.into_iter().zip(line.split('|'));
    columns.flat_map(|(l, forms)| forms.split(',').map(move |f| Form::of(f, l))).collect()
}

impl Form {
    fn of(text: &str, language: Language) -> Self {
        let word = |t: Token| {
            let stem = stem(&t, language);
            (t.plain, stem)
        };
        Form { language, words: whole_words(tokenize(text)).into_iter().map(word).collect() }
    }

    fn is(&self, index: usize, token: &Token) -> bool {
        self.words.get(index).is_some_and(|(plain, stemmed)| {
            token.plain == *plain
                // Stemming costs more than looking at the first letters, which a stem keeps.
                || token.plain.bytes().zip(plain.bytes()).take(3).all(|(a, b)| a == b)
                    && stem(token, self.language) == *stemmed
        })
    }

    /// Whether a token is this form, or a German compound that begins or ends with it; never for a phrase.
    pub(crate) fn is_token(&self, token: &Token) -> bool {
        let [(plain, stemmed)] = self.words.as_slice() else { return false };
        if self.is(0, token) {
            return true;
        }
        let long = stemmed.chars().count() >= MIN_COMPOUND_CHARS && self.language == Language::De;
        long && (token.plain.starts_with(stemmed.as_str()) || token.plain.ends_with(plain.as_str()))
    }

    /// Whether a text says this form, phrases included. `tokens` are those of the text, in order.
    pub(crate) fn stands_in(&self, tokens: &[Token]) -> bool {
        if self.words.len() == 1 {
            return tokens.iter().any(|t| self.is_token(t));
        }
        tokens.iter().enumerate().any(|(i, first)| {
            let at = |n: usize| {
                tokens.iter().skip(i).take(4 * n + 4).filter(move |t| t.position == first.position + n)
            };
            self.is(0, first) && (1..self.words.len()).all(|n| at(n).any(|t| self.is(n, t)))
        })
    }
}

/// Words as a reader sees them: a hyphenated one is one word.
fn whole_words(tokens: Vec<Token>) -> Vec<Token> {
    let inside = |t: &Token| {
        tokens.iter().any(|w| w.start <= t.start && t.end <= w.end && w.end - w.start > t.end - t.start)
    };
    tokens.iter().filter(|t| !inside(t)).cloned().collect()
}

/// A concept that a text names.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// First byte of its words in the text.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// The other ways of saying it.
    pub others: Vec<&'static Form>,
}

/// The concepts that a question in `language` names, the longest phrase at each place. Nothing without a language:
/// `cave` is a cellar only in French.
pub(crate) fn named(text: &str, language: Option<Language>) -> Vec<Named> {
    let Some(language) = language else { return Vec::new() };
    let words = whole_words(tokenize(text));
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|r| !r.is_empty()) {
        let length = |f: &Form| if f.language == language { f.length_at(rest) } else { 0 };
        let longest = CONCEPTS.iter().flatten().map(length).max().unwrap_or(0);
        if longest == 0 {
            at += 1;
            continue;
        }
        let concepts = CONCEPTS.iter().filter(|c| c.iter().any(|f| length(f) == longest));
        let others = concepts.flatten().filter(|f| length(f) == 0).collect();
        if let (Some(first), Some(last)) = (rest.first(), rest.get(longest - 1)) {
            found.push(Named { start: first.start, end: last.end, others });
        }
        at += longest;
    }
    found
}

impl Form {
    /// How many words of `text` this form takes up at its start; 0 where it does not stand there.
    fn length_at(&self, text: &[Token]) -> usize {
        let stands = self.words.len() <= text.len()
            && text.iter().enumerate().take(self.words.len()).all(|(i, t)| self.is(i, t));
        if stands { self.words.len() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(question: &str, language: Language, passage: &str) -> bool {
        let tokens = tokenize(passage);
        named(question, Some(language)).iter().any(|n| n.others.iter().any(|f| f.stands_in(&tokens)))
    }

    #[test]
    fn every_line_has_four_languages() {
        for line in LIST.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
            assert_eq!(line.split('|').count(), 4, "{line}");
            assert!(concept(line).iter().all(|f| !f.words.is_empty()), "{line}");
        }
    }

    #[test]
    fn terms_meet_across_languages_and_phrases() {
        assert!(found(
            "Quelle est la valeur U de la toiture plate ?",
            Language::Fr,
            "DA-01 Flachdach begrünt"
        ));
        assert!(found("Quanti metri quadrati ha l'aula di musica?", Language::It, "2.09 Musikzimmer"));
        assert!(found("flat roof", Language::En, "la toiture plate végétalisée"));
        assert!(found("Wärmepumpe", Language::De, "The heat pump supplies both buildings."));
        assert!(found("Blower-Door-Test", Language::De, "Messung: n50 = 0.48"));
    }

    #[test]
    fn other_things_stay_apart() {
        assert!(!found("toiture plate", Language::Fr, "Das Steildach ist mit Ziegeln gedeckt."));
        assert!(!found("Schwimmhalle", Language::De, "la palestra"));
        assert!(named("cave", Some(Language::En)).is_empty());
    }
}
