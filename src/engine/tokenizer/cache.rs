//! Tokens of words that came up lately. The tokens of a word depend on nothing but the word, and most words of a text
//! have stood in it before.

use super::names::hash;

/// Bytes of the longest word that is kept.
const MAX_BYTES: usize = 22;
/// Tokens of a word that is kept.
const MAX_TOKENS: usize = 10;
/// Places; a word has one, and whoever comes later to the same place takes it.
const PLACES: usize = 4096;

#[derive(Debug, Clone, Copy)]
struct Place {
    bytes: u8,
    tokens: u8,
    word: [u8; MAX_BYTES],
    ids: [u32; MAX_TOKENS],
}

/// See above.
#[derive(Debug)]
pub(super) struct WordCache {
    places: Vec<Place>,
}

impl WordCache {
    pub(super) fn new() -> Self {
        let empty = Place { bytes: 0, tokens: 0, word: [0; MAX_BYTES], ids: [0; MAX_TOKENS] };
        Self { places: vec![empty; PLACES] }
    }

    /// Bytes that one takes.
    pub(super) const fn planned_bytes() -> usize {
        PLACES * size_of::<Place>()
    }

    /// Appends the tokens of `word`: those that are kept, else those that `find` appends, which are kept from then on.
    #[inline]
    pub(super) fn extend(&mut self, word: &str, out: &mut Vec<u32>, find: impl FnOnce(&mut Vec<u32>)) {
        let place = match self.places.get_mut(hash(0, word.as_bytes()) as usize % PLACES) {
            Some(place) if !word.is_empty() && word.len() <= MAX_BYTES => place,
            _ => return find(out),
        };
        if place.word.get(..usize::from(place.bytes)) == Some(word.as_bytes()) {
            out.extend_from_slice(place.ids.get(..usize::from(place.tokens)).unwrap_or_default());
            return;
        }
        let before = out.len();
        find(out);
        let found = out.get(before..).unwrap_or_default();
        if let (Some(ids), Some(bytes)) = (place.ids.get_mut(..found.len()), place.word.get_mut(..word.len()))
        {
            ids.copy_from_slice(found);
            bytes.copy_from_slice(word.as_bytes());
            (place.bytes, place.tokens) = (word.len() as u8, found.len() as u8);
        }
    }
}

/// What stands for a blank.
const BLANK: char = '\u{2581}';

/// Where one word ends and the next begins: before a blank that follows something else, unless a token reaches over it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// Characters after which a token goes on with a blank: `>` where a vocabulary has `>▁</`.
    joined: Vec<char>,
}

/// A vocabulary that joins more words than that is not looked at by words.
const MOST_JOINED: usize = 8;

impl Words {
    /// Learns the ends of words from all tokens of a vocabulary; `None` where tokens reach over too many.
    pub(super) fn of<'t>(tokens: impl Iterator<Item = &'t str>) -> Option<Self> {
        let mut words = Self::default();
        for token in tokens {
            for (before, blank) in token.chars().zip(token.chars().skip(1)) {
                if blank == BLANK && before != BLANK && !words.joined.contains(&before) {
                    words.joined.push(before);
                }
            }
            if words.joined.len() > MOST_JOINED {
                return None;
            }
        }
        Some(words)
    }

    /// Whether every blank begins a word.
    pub(super) fn are_strict(&self) -> bool {
        self.joined.is_empty()
    }

    /// The words of a text, which together are the text.
    pub(super) fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let mut before = BLANK;
            let end = rest.char_indices().find_map(|(at, c)| {
                let ends = c == BLANK && before != BLANK && !self.joined.contains(&before);
                before = c;
                ends.then_some(at)
            });
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            (!word.is_empty()).then_some(word)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_once_and_then_known() {
        let mut cache = WordCache::new();
        let mut out = vec![9];
        cache.extend("Wand", &mut out, |out| out.extend([1, 2]));
        cache.extend("Wand", &mut out, |_| panic!("it is known"));
        assert_eq!(out, [9, 1, 2, 1, 2]);
        // Longer than what is kept, and more tokens than are kept: found each time.
        for (word, tokens) in [("a word of twenty-three b", 1), ("many", 11)] {
            for _ in 0..2 {
                let mut out = Vec::new();
                cache.extend(word, &mut out, |out| out.extend(0..tokens));
                assert_eq!(out.len(), tokens as usize);
            }
        }
        let mut out = Vec::new();
        cache.extend("", &mut out, |_| {});
        cache.extend("nothing", &mut out, |_| {});
        cache.extend("nothing", &mut out, |_| panic!("it is known to have none"));
        assert!(out.is_empty());
        // Many words, more than there are places: each gives its own.
        for round in 0..2 {
            for i in 0..10_000u32 {
                let mut out = Vec::new();
                cache.extend(&format!("w{i}"), &mut out, |out| out.push(i));
                assert_eq!(out, [i], "{round}");
            }
        }
    }

    #[test]
    fn words_begin_with_their_blanks() {
        let words = Words::of(["▁a", "▁▁", "ab", "▁"].into_iter()).unwrap();
        assert!(words.are_strict());
        let split = |words: &Words, text: &'static str| words.split(text).collect::<Vec<_>>();
        assert_eq!(split(&words, "▁Die▁▁Wand"), ["▁Die", "▁▁Wand"]);
        assert_eq!(split(&words, "a▁"), ["a", "▁"]);
        assert_eq!(split(&words, "▁▁"), ["▁▁"]);
        assert!(split(&words, "").is_empty());
        let tags = Words::of(["▁a", ">▁</", "x>▁"].into_iter()).unwrap();
        assert!(!tags.are_strict());
        assert_eq!(split(&tags, "a▁<b>▁</b>▁c▁d"), ["a", "▁<b>▁</b>▁c", "▁d"]);
        let many: Vec<String> = ('a'..='y').map(|c| format!("{c}▁")).collect();
        assert_eq!(Words::of(many.iter().map(String::as_str)), None);
    }
}
