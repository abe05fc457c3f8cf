//! Hyphens at line ends: which only part a word, and which belong to it.
//!
//! The document's own vocabulary decides where it can: a word that stands unparted elsewhere is joined, one
//! that stands with its hyphen elsewhere keeps it. Rules of spelling decide the rest.

use std::collections::HashMap;

use crate::model::{Language, Page};

/// Words after which a hyphen at a line's end is a suspended one: "Bau- und Holzarbeiten".
const CONJUNCTIONS: [&str; 17] = [
    "und", "oder", "bzw.", "bzw", "sowie", "bis", "resp.", "als", "wie", "et", "ou", "e", "ed", "o", "and",
    "or", "to",
];

/// French words that are hung on with a hyphen: "est-il", "celui-ci", "peut-être".
const FRENCH_ENDS: [&str; 22] = [
    "il", "elle", "ils", "elles", "on", "je", "tu", "nous", "vous", "ce", "ci", "là", "même", "mêmes", "moi",
    "toi", "lui", "leur", "y", "en", "être", "dire",
];

/// Distinct words that are kept.
const MAX_WORDS: usize = 400_000;

/// What becomes of a hyphen at a line's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    /// It goes, and the word is one.
    Close,
    /// It stays, and no space follows.
    Keep,
    /// It stays, and a space follows.
    Space,
}

/// The words of a document, as far as they stand unparted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    /// Lower-case words, also such with hyphens in them, and how often each occurs.
    words: HashMap<String, u32>,
    /// Language of the document, where it can be told.
    language: Option<Language>,
}

impl Vocabulary {
    /// The words of these pages. Parts of parted words are left out.
    pub(crate) fn of(pages: &[Page], language: Option<Language>) -> Self {
        let mut out = Vocabulary { words: HashMap::new(), language };
        for page in pages {
            let mut parted = false;
            let mut words = page.words.iter().peekable();
            while let Some(word) = words.next() {
                let ends =
                    words.peek().is_some_and(|next| next.line != word.line) && ends_in_hyphen(&word.text);
                if !ends && !parted {
                    out.add(&word.text);
                }
                parted = ends;
            }
        }
        out
    }

    fn add(&mut self, word: &str) {
        let word = bare(word);
        if word.chars().count() < 2 || (self.words.len() >= MAX_WORDS && !self.words.contains_key(&word)) {
            return;
        }
        *self.words.entry(word).or_default() += 1;
    }

    fn count(&self, word: &str) -> u32 {
        self.words.get(word).copied().unwrap_or(0)
    }

    /// What becomes of the hyphen that `before` ends in when the line `next` follows; `None` where `before`
    /// ends in none.
    pub(crate) fn join(&self, before: &str, next: &str) -> Option<Join> {
        if before.ends_with('\u{ad}') {
            return Some(Join::Close);
        }
        let stem = before.strip_suffix(['-', '\u{2010}'])?;
        let token = stem.rsplit(char::is_whitespace).next().unwrap_or(stem);
        let first = next.chars().next()?;
        let next_word = next.split_whitespace().next().unwrap_or(next);
        if !stem.ends_with(char::is_alphanumeric) || !first.is_alphanumeric() {
            return Some(Join::Space);
        }
        if CONJUNCTIONS.contains(&next_word) {
            return Some(Join::Space);
        }
        // "Bau-/Holz-", "1-", "SIA-" before "Norm": the hyphen belongs to the word.
        let abbreviation = token.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
        let belongs = token.contains('/') || !stem.ends_with(char::is_alphabetic) || abbreviation;
        if belongs || !first.is_lowercase() {
            return Some(Join::Keep);
        }
        Some(self.parted(token, next_word))
    }

    /// Between letters, the second one small.
    fn parted(&self, token: &str, next: &str) -> Join {
        let (token, next) = (bare(token), bare(next));
        let head: String = next.chars().take_while(|c| c.is_alphabetic() || *c == '-').collect();
        let closed = self.count(&format!("{token}{head}"));
        let open = self.count(&format!("{token}-{head}"));
        if closed != open {
            return if closed > open { Join::Close } else { Join::Keep };
        }
        let both = |least: usize| {
            token.chars().count() >= least
                && head.chars().count() >= least
                && self.count(&token) > 0
                && self.count(&head) > 0
        };
        let stays = match self.language {
            // "c'est-à-" before "dire".
            Some(Language::Fr) => token.contains('-') || FRENCH_ENDS.contains(&head.as_str()),
            // "fire-rated": both parts are words of the text, the whole is not.
            Some(Language::En) => both(3),
            _ => false,
        };
        if stays { Join::Keep } else { Join::Close }
    }

    /// Appends a line to running text: a space between, nothing after a hyphen that belongs to the word, and
    /// the hyphen itself gone where it only parted a word. Soft hyphens within the line are dropped.
    pub(crate) fn append(&self, out: &mut String, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        match self.join(out, line) {
            Some(Join::Close) => {
                out.pop();
            }
            Some(Join::Keep) => {}
            _ if out.is_empty() || out.ends_with('\n') => {}
            _ => out.push(' '),
        }
        let last = line.chars().count().saturating_sub(1);
        out.extend(line.chars().enumerate().filter(|(i, c)| *c != '\u{ad}' || *i == last).map(|(_, c)| c));
    }
}

fn ends_in_hyphen(word: &str) -> bool {
    word.ends_with(['-', '\u{ad}', '\u{2010}'])
}

/// The word in small letters without what stands around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .chars()
        .filter(|c| *c != '\u{ad}')
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Word;

    fn vocabulary(text: &str, language: Option<Language>) -> Vocabulary {
        let word = |(line, text): (usize, &str)| Word {
            text: text.into(),
            rect: [0.0; 4],
            block: 0,
            line: u32::try_from(line).unwrap(),
        };
        let words = text
            .lines()
            .enumerate()
            .flat_map(|(line, l)| l.split_whitespace().map(move |w| word((line, w))))
            .collect();
        Vocabulary::of(&[Page { words, ..Page::default() }], language)
    }

    fn joined(vocabulary: &Vocabulary, lines: &[&str]) -> String {
        let mut out = String::new();
        lines.iter().for_each(|line| vocabulary.append(&mut out, line));
        out
    }

    #[test]
    fn rules_alone() {
        let none = Vocabulary::default();
        assert_eq!(joined(&none, &["die Wärme-", "dämmung der"]), "die Wärmedämmung der");
        assert_eq!(joined(&none, &["nach SIA-", "Norm 180"]), "nach SIA-Norm 180");
        assert_eq!(joined(&none, &["nach SIA-", "konform"]), "nach SIA-konform");
        assert_eq!(joined(&none, &["Bau-/Holz-", "arbeiten"]), "Bau-/Holz-arbeiten");
        assert_eq!(joined(&none, &["Bau-", "und Holzarbeiten"]), "Bau- und Holzarbeiten");
        assert_eq!(joined(&none, &["2-", "geschossig"]), "2-geschossig");
        assert_eq!(joined(&none, &["Raum 12 -", "Korridor"]), "Raum 12 - Korridor");
        assert_eq!(joined(&none, &["Dämm\u{ad}", "stoff, Fens\u{ad}ter"]), "Dämmstoff, Fenster");
    }

    #[test]
    fn the_vocabulary_decides_where_it_knows_the_word() {
        let words =
            vocabulary("Die U-Wert-berechnung und die Wärmedämmung sind fertig\nSoll-ist Vergleich", None);
        assert_eq!(joined(&words, &["die Wärme-", "dämmung, neu"]), "die Wärmedämmung, neu");
        assert_eq!(joined(&words, &["der Soll-", "ist Vergleich"]), "der Soll-ist Vergleich");
        // A parted word is no witness for its parts.
        let parted = vocabulary("eine Trag-\nwerk Sache", None);
        assert_eq!((parted.count("trag"), parted.count("werk"), parted.count("sache")), (0, 0, 1));
    }

    #[test]
    fn french_and_english_keep_hyphens_that_german_would_not() {
        let fr = vocabulary("le mur est porteur", Some(Language::Fr));
        assert_eq!(joined(&fr, &["c'est-à-", "dire le mur"]), "c'est-à-dire le mur");
        assert_eq!(joined(&fr, &["l'isola-", "tion"]), "l'isolation");
        assert_eq!(joined(&fr, &["celui-", "ci est"]), "celui-ci est");
        let en = vocabulary("the fire door is rated for load", Some(Language::En));
        assert_eq!(joined(&en, &["a fire-", "rated door"]), "a fire-rated door");
        assert_eq!(joined(&en, &["the insu-", "lation"]), "the insulation");
    }
}
