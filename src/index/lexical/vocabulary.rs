//! The words of the corpus, for finding parts of German compounds.
//!
//! A query for `Aussenwand` also finds `Aussenwanddämmung` (begins with it) and one for `Dämmung`
//! finds it too (ends with it); a query for `Aussenwanddämmung` finds passages with `Aussenwand`
//! and `Dämmung`. All of these weigh less than the word itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use tantivy::Searcher;
use tantivy::schema::Field;

use super::super::analysis::compound::{Form, Remembered, Splitter};

/// Words shorter than this are parts of too many others.
const MIN_PART_CHARS: usize = 4;
/// What a compound has beside the queried part, at least.
const MIN_REST_CHARS: usize = 3;
/// Endings that a stem may carry at the end of a compound.
const ENDINGS: [&str; 8] = ["", "e", "en", "er", "n", "s", "es", "ern"];
/// Compounds taken up per query word; the shortest are nearest to it.
const MAX_COMPOUNDS: usize = 24;
/// Longer words with the queried one at an end that are taken apart at most, to see whether it is a part of them.
const MAX_LOOKED_AT: usize = 80;
/// Words kept at most, the frequent ones first: bounds the memory (about 40 bytes each).
const MAX_WORDS: usize = 400_000;

/// Every plain word of letters, sorted forwards and backwards.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Words, ascending.
    words: Vec<Box<str>>,
    /// Words with their letters reversed, ascending.
    reversed: Vec<Box<str>>,
    /// Words with the stems of their parts, as far as it was asked.
    apart: Remembered,
    /// Words and their stems with the compounds that have them, as far as it was asked: one query asks several times.
    having: Remembered,
}

impl Vocabulary {
    /// Reads the words of the plain field.
    pub(super) fn read(searcher: &Searcher, plain: Field) -> tantivy::Result<Self> {
        let mut counts: BTreeMap<Box<str>, u64> = BTreeMap::new();
        for segment in searcher.segment_readers() {
            let inverted = segment.inverted_index(plain)?;
            let mut stream = inverted.terms().stream()?;
            while stream.advance() {
                let Ok(word) = std::str::from_utf8(stream.key()) else { continue };
                let letters = word.chars().count();
                if (MIN_PART_CHARS..=60).contains(&letters) && word.chars().all(char::is_alphabetic) {
                    *counts.entry(word.into()).or_default() += u64::from(stream.value().doc_freq);
                }
            }
        }
        let mut words: Vec<(Box<str>, u64)> = counts.into_iter().collect();
        if words.len() > MAX_WORDS {
            words.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
            words.truncate(MAX_WORDS);
        }
        Ok(Self::of(words.into_iter().map(|(w, _)| w)))
    }

    fn of(words: impl IntoIterator<Item = Box<str>>) -> Self {
        let mut words: Vec<Box<str>> = words.into_iter().collect();
        words.sort_unstable();
        let mut reversed: Vec<Box<str>> = words.iter().map(|w| reverse(w)).collect();
        reversed.sort_unstable();
        Vocabulary { words, reversed, apart: Remembered::default(), having: Remembered::default() }
    }

    /// Whether the word occurs.
    pub(super) fn contains(&self, word: &str) -> bool {
        self.words.binary_search_by(|w| w.as_ref().cmp(word)).is_ok()
    }

    /// True where no word was read.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Compounds that begin or end with the word, the shortest first.
    pub(super) fn compounds_with(&self, plain: &str, stem: &str) -> Arc<[String]> {
        self.having.of(&format!("{plain} {stem}"), || self.find_compounds(plain, stem))
    }

    fn find_compounds(&self, plain: &str, stem: &str) -> Vec<String> {
        let part = if stem.chars().count() >= MIN_PART_CHARS { stem } else { plain };
        if part.chars().count() < MIN_PART_CHARS || !part.chars().all(char::is_alphabetic) {
            return Vec::new();
        }
        let mut found: Vec<String> = starting(&self.words, part)
            .filter(|w| is_longer(w, plain) && !is_inflection(w, part))
            .map(str::to_owned)
            .collect();
        for ending in ENDINGS {
            let tail = reverse(&format!("{part}{ending}"));
            found.extend(
                starting(&self.reversed, &tail).filter(|w| is_longer(w, plain)).map(|w| reverse(w).into()),
            );
        }
        found.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        found.dedup();
        // A frequent word begins very many; only so many are taken apart to see.
        found.truncate(MAX_LOOKED_AT);
        found.retain(|w| self.holds(w, stem));
        found.truncate(MAX_COMPOUNDS);
        found
    }

    /// The parts of a compound in their forms, by the list of words and those of the corpus; none for a simple word.
    pub(super) fn parts(&self, plain: &str) -> Vec<Vec<Form>> {
        let known = |word: &str| word.chars().count() >= MIN_PART_CHARS && self.contains(word);
        Splitter::new(Some(&known)).parts(plain)
    }

    /// Whether the word list or the corpus takes a word apart so that `stem` is one of the parts.
    fn holds(&self, compound: &str, stem: &str) -> bool {
        let known = |word: &str| word.chars().count() >= MIN_PART_CHARS && self.contains(word);
        let stems = self.apart.of(compound, || Splitter::new(Some(&known)).stems(compound));
        stems.iter().any(|s| s == stem)
    }
}

fn starting<'a>(sorted: &'a [Box<str>], prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let first = sorted.partition_point(|w| w.as_ref() < prefix);
    sorted
        .get(first..)
        .unwrap_or_default()
        .iter()
        .map(AsRef::as_ref)
        .take_while(move |w| w.starts_with(prefix))
}

fn is_longer(word: &str, than: &str) -> bool {
    word.chars().count() >= than.chars().count() + MIN_REST_CHARS
}

/// Whether a word is the part with nothing but an ending (`wande`, `wanden` for `wand`).
fn is_inflection(word: &str, part: &str) -> bool {
    word.strip_prefix(part).is_some_and(|rest| ENDINGS.contains(&rest))
}

fn reverse(word: &str) -> Box<str> {
    word.chars().rev().collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(words: &[&str]) -> Vocabulary {
        Vocabulary::of(words.iter().map(|w| Box::from(*w)))
    }

    #[test]
    fn compounds_begin_or_end_with_the_word() {
        let v =
            vocabulary(&["aussenwand", "aussenwanddammung", "dammung", "dachdammungen", "wand", "verwandt"]);
        for _ in 0..2 {
            assert_eq!(v.compounds_with("aussenwand", "aussenwand")[..], ["aussenwanddammung"]);
            assert_eq!(v.compounds_with("dammung", "dammung")[..], ["dachdammungen", "aussenwanddammung"]);
        }
    }

    #[test]
    fn a_compound_falls_into_known_words() {
        let v = vocabulary(&["luftung", "anlage", "brandschutz", "konzept", "wand", "dammungen"]);
        let parts =
            |word: &str| v.parts(word).into_iter().map(|forms| forms[0].plain.clone()).collect::<Vec<_>>();
        assert_eq!(parts("luftungsanlage"), ["luftung", "anlage"]);
        assert_eq!(parts("brandschutzkonzepte"), ["brand", "schutz", "konzepte"]);
        assert_eq!(parts("wand"), [] as [&str; 0]);
    }
}
