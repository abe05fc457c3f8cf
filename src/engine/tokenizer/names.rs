//! From the text of a token to its number: the look-up that all merging waits for.

use std::hash::{BuildHasher, RandomState};

use super::TokenizerError;

const FREE: u32 = u32::MAX;

/// Texts in one block, and a table of places to find them by. What it takes in memory follows from the number of texts
/// and their length alone, so that it can be planned.
#[derive(Debug)]
pub(super) struct Names {
    texts: String,
    /// Text i is `texts[ends[i - 1]..ends[i]]`.
    ends: Vec<u32>,
    /// Numbers of texts, at the place that the hash says or after it.
    places: Vec<u32>,
    /// Unknown outside, so that no file can be made whose texts all lie at one place.
    seed: u64,
    /// Bytes of the longest text.
    longest: usize,
}

impl Names {
    /// Takes the texts in the order of their numbers. Empty ones cannot be found.
    ///
    /// # Errors
    /// Two texts are equal, or all together have 4 GiB.
    pub(super) fn new(texts: &[String]) -> Result<Self, TokenizerError> {
        let bytes = texts.iter().map(String::len).sum();
        let mut names = Self {
            texts: String::with_capacity(bytes),
            ends: Vec::with_capacity(texts.len()),
            places: vec![FREE; places(texts.len())],
            seed: RandomState::new().hash_one(texts.len()),
            longest: texts.iter().map(String::len).max().unwrap_or(0),
        };
        if u32::try_from(bytes).is_err() {
            return Err(TokenizerError::Vocabulary {
                problem: format!("{bytes} bytes of tokens are too many"),
            });
        }
        for (id, text) in texts.iter().enumerate() {
            names.texts.push_str(text);
            names.ends.push(names.texts.len() as u32);
            if text.is_empty() {
                continue;
            }
            match names.find(text) {
                Ok(first) => {
                    let problem = format!("tokens {first} and {id} have the same text");
                    return Err(TokenizerError::Vocabulary { problem });
                }
                Err(place) => names.places[place] = id as u32,
            }
        }
        Ok(names)
    }

    /// Bytes that it takes for `count` texts of `bytes` bytes in all.
    pub(super) fn planned_bytes(count: usize, bytes: usize) -> usize {
        bytes + 4 * count + 4 * places(count)
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.texts.capacity() + 4 * (self.ends.capacity() + self.places.capacity())
    }

    /// The number of a text.
    #[inline]
    pub(super) fn id(&self, text: &str) -> Option<u32> {
        if text.is_empty() || text.len() > self.longest {
            return None;
        }
        self.find(text).ok()
    }

    /// Texts with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        (0..self.ends.len() as u32).map(|id| (self.text(id), id)).filter(|(text, _)| !text.is_empty())
    }

    #[inline]
    pub(super) fn text(&self, id: u32) -> &str {
        let Some(&end) = self.ends.get(id as usize) else { return "" };
        let start = (id as usize).checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0);
        self.texts.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The text's number, or the place where it would go.
    #[inline]
    fn find(&self, text: &str) -> Result<u32, usize> {
        // There are twice as many places as texts, so one is free.
        let mask = self.places.len() - 1;
        let mut place = hash(self.seed, text.as_bytes()) as usize & mask;
        loop {
            match self.places[place] {
                FREE => return Err(place),
                id if self.text(id) == text => return Ok(id),
                _ => place = (place + 1) & mask,
            }
        }
    }
}

/// Places for `count` texts: at least twice as many.
fn places(count: usize) -> usize {
    (2 * count).next_power_of_two().max(2)
}

/// Eight bytes at a time are multiplied to twice their length, whose halves are put together.
#[inline]
pub(super) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut state = seed ^ bytes.len() as u64;
    for word in words {
        state = fold(state ^ u64::from_le_bytes(*word));
    }
    let tail = rest.iter().fold(0, |tail, byte| tail << 8 | u64::from(*byte));
    fold(fold(state ^ tail))
}

/// Mixes one number.
#[inline]
pub(super) fn fold(x: u64) -> u64 {
    let product = u128::from(x ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_and_no_other() {
        let texts: Vec<String> = (0..5000).map(|i| format!("token{}", i * 37)).collect();
        let mut with_gap = texts.clone();
        with_gap.insert(3, String::new());
        let names = Names::new(&with_gap).unwrap();
        for (id, text) in with_gap.iter().enumerate() {
            let expected = (!text.is_empty()).then_some(id as u32);
            assert_eq!(names.id(text), expected, "{text:?}");
            assert_eq!(names.text(id as u32), text);
        }
        for none in ["", "token", "token1", "token370000000000000000000", "Token37"] {
            assert_eq!(names.id(none), None, "{none}");
        }
        assert_eq!(names.iter().count(), 5000);
        assert_eq!(names.text(9999), "");
        let bytes = with_gap.iter().map(String::len).sum();
        assert_eq!(names.bytes(), Names::planned_bytes(with_gap.len(), bytes));
    }

    #[test]
    fn equal_texts_are_refused_by_their_numbers() {
        let error = Names::new(&["a".into(), "b".into(), "a".into()]).unwrap_err().to_string();
        assert!(error.contains("tokens 0 and 2"), "{error}");
    }
}
