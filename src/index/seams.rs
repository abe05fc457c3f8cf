//! Where German words fall apart, for measuring it: the same rules as in the index, in letters of the word itself.

use super::analysis::compound::Splitter;
use super::analysis::strip_accents;

/// A word as the splitter takes it, with the place of each of its letters in the word as it is spelt: `ß` became two.
fn plain(word: &str) -> (String, Vec<usize>) {
    let mut places = Vec::new();
    let mut plain = String::new();
    for (at, c) in word.chars().enumerate() {
        let letters = strip_accents(&c.to_lowercase().to_string());
        places.extend(letters.bytes().map(|_| at));
        plain.push_str(&letters);
    }
    places.push(word.chars().count());
    (plain, places)
}

/// The likeliest seam, as the number of letters before it, be the word a compound or not.
pub(crate) fn best(word: &str) -> Option<usize> {
    let (plain, places) = plain(word);
    Splitter::new(None).seam(&plain).and_then(|s| places.get(s.at).copied())
}

/// The first seam of a compound; `None` for a simple word.
pub(crate) fn split(word: &str) -> Option<usize> {
    let (plain, places) = plain(word);
    Splitter::new(None).split(&plain).and_then(|s| places.get(s.at).copied())
}

/// All parts, in lower case as they are spelt in the word.
pub(crate) fn leaves(word: &str) -> Vec<String> {
    let (plain, places) = plain(word);
    let letters: Vec<char> = word.to_lowercase().chars().collect();
    let mut leaves = Vec::new();
    let mut from = 0;
    for leaf in Splitter::new(None).leaves(&plain) {
        let place = |at: usize| places.get(at).copied().unwrap_or(letters.len());
        leaves.push(letters.get(place(from)..place(from + leaf.len())).unwrap_or_default().iter().collect());
        from += leaf.len();
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seams_are_places_in_the_word_as_it_is_spelt() {
        assert_eq!(split("Straßenbelag"), Some(7));
        assert_eq!(leaves("Fußbodenheizung").join("|"), "fuß|boden|heizung");
        assert_eq!(split("Fenster"), None);
    }
}
