//! German compounds: where a long word falls apart.
//!
//! A word is split in two where the product of two chances is highest: that of its left part to be one in
//! compounds, linking letters included (`dammungs`), and that of its right part to be a head (`starke`). Both come
//! from counts over a list of German nouns (`lexicon`). A part that the list does not know is worth what its length
//! and its letters at the seam are; one that falls apart itself, what its own parts are. A word that is used in
//! compounds itself (`Kontakt`) stays whole unless its parts are more usual still. What is found is taken apart again,
//! so that three parts and more are found too.
//!
//! All words are in lower case without accents, `ß` as `ss`. The letters `ae`, `oe` and `ue` stay as typed until a
//! part is looked up, because they also meet at seams (`kamera|einstellung`).

mod lexicon;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use self::lexicon::{LEXICON, Lexicon};
use super::fold::fold_digraphs;
use super::stem::german_stem;

/// Words of fewer letters are not looked at.
const MIN_CHARS: usize = 6;
/// Longer ones are chains of letters, or deserve no more time.
const MAX_CHARS: usize = 60;
/// A part has three letters at least; oil is the one shorter word that is common in compounds.
const MIN_PART: usize = 3;
const OIL: &str = "ol";
/// The fewest letters of a part that no list knows.
const MIN_UNKNOWN: usize = 4;

// Chosen on the training list of DEKOR and one half of the other lists; `dossier bench compound` reports the rest.
/// An unknown part, before its letters count.
const UNKNOWN: f32 = -3.0;
/// Each of its letters beyond the fourth.
const UNKNOWN_CHAR: f32 = -1.0;
/// What its letters at the seam say.
const SEAM: f32 = 0.7;
/// A part that consists of two known ones.
const NESTED: f32 = -10.0;
/// A word of the list that no compound of the list has as a part.
const UNUSED: f32 = -2.3;
/// The same where only its stem is in the list.
const UNUSED_STEM: f32 = -3.0;
/// A head in an inflected form that the list has not.
const INFLECTED: f32 = -1.0;
/// A word that the list does not know falls apart where its parts score more than this.
const BAR: f32 = -6.0;

/// A word of more parts is looked through so far.
const MAX_LEAVES: usize = 6;

/// Letters that join a left part to what follows.
const LINKS: [&str; 9] = ["", "s", "es", "n", "en", "er", "e", "ns", "ens"];
/// Endings of heads.
const ENDINGS: [&str; 10] = ["en", "e", "n", "s", "es", "er", "in", "innen", "ern", "r"];

/// Words that an office uses beside those of the list.
pub(crate) type Known<'a> = &'a dyn Fn(&str) -> bool;

/// A word in two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Split {
    /// First byte of the right part.
    pub at: usize,
    /// How likely, as a sum of logarithms.
    pub score: f32,
}

/// A part of a compound as a word of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    /// In plain writing, without linking letters.
    pub plain: String,
    /// Its German stem.
    pub stem: String,
}

impl Form {
    fn of(plain: String) -> Self {
        let stem = german_stem(&plain);
        Form { plain, stem }
    }
}

/// The chance of a part.
#[derive(Debug, Clone, Copy)]
enum Worth {
    Known(f32),
    Unknown(f32),
}

/// Takes words apart.
pub(crate) struct Splitter<'a> {
    lexicon: &'static Lexicon,
    known: Option<Known<'a>>,
}

impl<'a> Splitter<'a> {
    /// By the list alone, or with the words of an office beside it.
    pub(crate) fn new(known: Option<Known<'a>>) -> Self {
        Splitter { lexicon: &LEXICON, known }
    }

    /// The likeliest seam of a word, be it a compound or not.
    pub(crate) fn seam(&self, word: &str) -> Option<Split> {
        let letters = word.chars().count();
        if !(MIN_CHARS..=MAX_CHARS).contains(&letters) || !word.chars().all(char::is_alphabetic) {
            return None;
        }
        let mut best: Option<Split> = None;
        for (at, _) in word.char_indices().skip(OIL.len()) {
            if let Some(score) = self.score(word, at)
                && best.is_none_or(|b| score > b.score)
            {
                best = Some(Split { at, score });
            }
        }
        best
    }

    /// Where a word falls in two, if it is a compound.
    pub(crate) fn split(&self, word: &str) -> Option<Split> {
        self.seam(word).filter(|s| s.score > self.bar(&digraphs(word)))
    }

    /// The parts that a word is made of, in order; the word itself where it is simple.
    pub(crate) fn leaves<'w>(&self, word: &'w str) -> Vec<&'w str> {
        match self.split(word) {
            Some(split) => {
                let (left, right) = word.split_at(split.at);
                let mut all = self.leaves(left);
                all.extend(self.leaves(right));
                all
            }
            None => vec![word],
        }
    }

    /// Every part of a compound and every row of parts, as stems of words without linking letters; none for a simple
    /// word.
    pub(crate) fn stems(&self, word: &str) -> Vec<String> {
        let leaves = self.leaves(word);
        let count = leaves.len().min(MAX_LEAVES);
        let mut found = Vec::new();
        for first in 0..count {
            for last in first..count {
                let row = leaves.get(first..=last).unwrap_or_default().concat();
                if first == 0 && last + 1 == leaves.len() {
                    continue;
                }
                if last + 1 == leaves.len() {
                    found.push(german_stem(&digraphs(&row)));
                } else {
                    found.extend(self.forms_of_left(&row).into_iter().map(|f| f.stem));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A left part without linking letters; where it is the stem of a verb, also what is done by it (`dämm` is
    /// `Dämmung`).
    fn forms_of_left(&self, part: &str) -> Vec<Form> {
        let word = self.without_link(part);
        let action = format!("{word}ung");
        let action = self.lexicon.has(&action).then(|| Form::of(action));
        std::iter::once(Form::of(word)).chain(action).collect()
    }

    /// The parts of a compound in order, each with the forms in which it may stand alone; none for a simple word.
    pub(crate) fn parts(&self, word: &str) -> Vec<Vec<Form>> {
        let leaves = self.leaves(word);
        let Some((head, lefts)) = leaves.split_last().filter(|(_, lefts)| !lefts.is_empty()) else {
            return Vec::new();
        };
        let head = vec![Form::of(digraphs(head).into_owned())];
        lefts.iter().map(|l| self.forms_of_left(l)).chain([head]).collect()
    }

    fn score(&self, word: &str, at: usize) -> Option<f32> {
        let (left, right) = word.split_at(at);
        let worth = (self.left(&digraphs(left))?, self.right(&digraphs(right))?);
        let nested = |w: Worth, part: &str, is_head: bool| match w {
            Worth::Known(_) => None,
            Worth::Unknown(_) => self.nested(part, is_head),
        };
        let (in_left, in_right) = (nested(worth.0, left, false), nested(worth.1, right, true));
        match worth {
            (Worth::Unknown(_), Worth::Unknown(_)) if in_left.is_none() || in_right.is_none() => None,
            (Worth::Known(l) | Worth::Unknown(l), Worth::Known(r) | Worth::Unknown(r)) => {
                Some(l.max(in_left.unwrap_or(l)) + r.max(in_right.unwrap_or(r)))
            }
        }
    }

    /// A part that is made of two known ones.
    fn nested(&self, part: &str, is_head: bool) -> Option<f32> {
        let mut best: Option<f32> = None;
        for (at, _) in part.char_indices().skip(MIN_PART) {
            let (left, right) = part.split_at(at);
            let Some(Worth::Known(l)) = self.left(&digraphs(left)) else { continue };
            let right = digraphs(right);
            let right = if is_head { self.right(&right) } else { self.left(&right) };
            let Some(Worth::Known(r)) = right else { continue };
            best = Some(best.map_or(l + r, |b| b.max(l + r)));
        }
        best.map(|b| b + NESTED)
    }

    fn left(&self, part: &str) -> Option<Worth> {
        if lexicon::is_prefix(part) {
            return None;
        }
        let letters = part.chars().count();
        if letters < MIN_PART && part != OIL {
            return None;
        }
        if let Some(worth) = self.lexicon.as_left(part) {
            return Some(Worth::Known(worth));
        }
        if self.has(part) || self.base(part).is_some() || self.lexicon.has(&format!("{part}e")) {
            return Some(Worth::Known(UNUSED));
        }
        if self.lexicon.has(&format!("{part}n")) || self.lexicon.has(&format!("{part}en")) {
            return Some(Worth::Known(UNUSED_STEM));
        }
        (letters >= MIN_UNKNOWN).then(|| unknown(self.lexicon.ends_like(part), letters))
    }

    fn right(&self, part: &str) -> Option<Worth> {
        let letters = part.chars().count();
        if letters < MIN_PART || lexicon::is_suffix(part) {
            return None;
        }
        if let Some(worth) = self.lexicon.as_head(part) {
            return Some(Worth::Known(worth));
        }
        if self.has(part) {
            return Some(Worth::Known(UNUSED));
        }
        for ending in ENDINGS {
            let Some(base) = part.strip_suffix(ending) else { continue };
            if base.chars().count() >= MIN_UNKNOWN && self.has(base) {
                let worth = self.lexicon.as_head(base).unwrap_or(UNUSED);
                return Some(Worth::Known(worth + INFLECTED));
            }
        }
        (letters >= MIN_UNKNOWN).then(|| unknown(self.lexicon.begins_like(part), letters))
    }

    fn has(&self, word: &str) -> bool {
        self.lexicon.has(word) || self.known.is_some_and(|known| known(word))
    }

    /// The word that a left part is with linking letters behind it.
    fn base<'p>(&self, part: &'p str) -> Option<&'p str> {
        let bases = LINKS.iter().filter(|l| !l.is_empty()).filter_map(|l| part.strip_suffix(l));
        bases.filter(|b| b.chars().count() >= MIN_PART && !lexicon::is_prefix(b)).find(|b| self.has(b))
    }

    fn without_link(&self, part: &str) -> String {
        let folded = digraphs(part);
        if self.lexicon.is_noun(&folded) {
            return folded.into_owned();
        }
        self.base(&folded).map_or_else(|| folded.to_string(), str::to_owned)
    }

    /// What a split has to score more than.
    fn bar(&self, word: &str) -> f32 {
        if self.has(word) { self.lexicon.use_of(word) } else { BAR }
    }
}

fn unknown(seam: f32, letters: usize) -> Worth {
    Worth::Unknown(UNKNOWN + SEAM * seam + UNKNOWN_CHAR * (letters - MIN_UNKNOWN) as f32)
}

fn digraphs(word: &str) -> Cow<'_, str> {
    let any = word.as_bytes().windows(2).any(|w| matches!(w, b"ae" | b"oe" | b"ue"));
    if any { Cow::Owned(fold_digraphs(word)) } else { Cow::Borrowed(word) }
}

/// Words kept with their parts; texts repeat theirs.
const REMEMBERED: usize = 40_000;

/// Words that something slow is found out about, remembered: stems of parts, compounds with a part.
#[derive(Debug, Default)]
pub(crate) struct Remembered(Mutex<HashMap<Box<str>, Arc<[String]>>>);

impl Remembered {
    /// The stems of a word's parts by the list alone, see [`Splitter::stems`].
    pub(crate) fn stems(&self, word: &str) -> Arc<[String]> {
        self.of(word, || Splitter::new(None).stems(word))
    }

    /// What belongs to a word: as it was found the first time.
    pub(crate) fn of(&self, word: &str, find: impl FnOnce() -> Vec<String>) -> Arc<[String]> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(word) {
            return Arc::clone(known);
        }
        let found: Arc<[String]> = find().into();
        let mut all = lock();
        if all.len() >= REMEMBERED {
            all.clear();
        }
        all.insert(word.into(), Arc::clone(&found));
        found
    }
}
