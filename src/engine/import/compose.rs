//! The part of SentencePiece's nmt_nfkc map that joins characters.
//!
//! The model file carries the map one character at a time. The full map also joins a letter and the marks
//! after it ("u" + U+0308 → "ü"), which matters for text that spells its umlauts in two characters, as file
//! names and PDF files from some systems do. What joins to what follows from Unicode's canonical composition,
//! so it is worked out here.

use std::collections::{BTreeMap, HashMap};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::compose;

/// Adds to a map of single characters every sequence that composes to one character, in every spelling in
/// which the map itself takes the parts (a wide "Ａ" for "A", for instance).
pub(super) fn add_compositions(map: &mut BTreeMap<Vec<u8>, Vec<u8>>) {
    let spellings = spellings(map);
    let mut known: HashMap<char, Vec<String>> = HashMap::new();
    // What the map itself turns into something else is not where a sequence ends up either.
    let stays = |c: &char| !map.contains_key(c.to_string().as_bytes());
    let composed: Vec<char> = ('\u{a0}'..=char::MAX).filter(|c| composes(*c)).filter(stays).collect();
    for c in composed {
        for form in forms(c, &spellings, &mut known).iter().filter(|form| form.chars().count() > 1) {
            map.entry(form.as_bytes().to_vec()).or_insert_with(|| c.to_string().into_bytes());
        }
    }
}

/// Character → the characters that the map turns into it.
fn spellings(map: &BTreeMap<Vec<u8>, Vec<u8>>) -> HashMap<char, Vec<char>> {
    let single = |bytes: &[u8]| {
        let mut chars = std::str::from_utf8(bytes).ok()?.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    let mut spellings: HashMap<char, Vec<char>> = HashMap::new();
    for (from, to) in map {
        if let (Some(from), Some(to)) = (single(from), single(to)) {
            spellings.entry(to).or_default().push(from);
        }
    }
    spellings
}

/// Whether `c` is what its own decomposition composes to.
fn composes(c: char) -> bool {
    parts(c).is_some_and(|(first, last)| compose(first, last) == Some(c))
}

/// The last mark of a composed character and the rest of it.
fn parts(c: char) -> Option<(char, char)> {
    let mut decomposed: Vec<char> = std::iter::once(c).nfd().collect();
    let last = decomposed.pop()?;
    let mut rest = decomposed.into_iter().nfc();
    let first = rest.next()?;
    rest.next().is_none().then_some((first, last))
}

/// All spellings of a character.
fn forms(
    c: char,
    spellings: &HashMap<char, Vec<char>>,
    known: &mut HashMap<char, Vec<String>>,
) -> Vec<String> {
    if let Some(forms) = known.get(&c) {
        return forms.clone();
    }
    let mut out = vec![c.to_string()];
    // Korean letters have half-width and other spellings in such numbers that all of their syllables would
    // outweigh the rest of the map; they are taken in their plain spelling.
    let korean = matches!(c, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}');
    if !korean {
        out.extend(spellings.get(&c).into_iter().flatten().map(char::to_string));
    }
    if let Some((first, last)) = parts(c).filter(|(first, last)| compose(*first, *last) == Some(c)) {
        let (heads, tails) = (forms(first, spellings, known), forms(last, spellings, known));
        for head in &heads {
            out.extend(tails.iter().map(|tail| format!("{head}{tail}")));
        }
    }
    known.insert(c, out.clone());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_marks_join_in_every_spelling() {
        let mut map: BTreeMap<Vec<u8>, Vec<u8>> = [("Ａ", "A"), ("\u{340}", "\u{300}"), ("½", "1⁄2")]
            .iter()
            .map(|(k, v)| (k.as_bytes().to_vec(), v.as_bytes().to_vec()))
            .collect();
        add_compositions(&mut map);
        let get = |key: &str| map.get(key.as_bytes()).map(|v| String::from_utf8(v.clone()).unwrap());
        assert_eq!(get("u\u{308}").as_deref(), Some("ü"));
        assert_eq!(get("A\u{302}\u{300}").as_deref(), Some("Ầ"));
        assert_eq!(get("Â\u{340}").as_deref(), Some("Ầ"));
        assert_eq!(get("Ａ\u{308}").as_deref(), Some("Ä"));
        assert_eq!(get("=\u{338}").as_deref(), Some("≠"));
        assert_eq!(get("\u{1100}\u{1161}\u{11a8}").as_deref(), Some("각"));
        // Marks in an order that Unicode would change first are not joined, and neither are characters that
        // composition leaves apart.
        assert_eq!(get("A\u{302}\u{323}"), None);
        assert_eq!(get("\u{915}\u{93c}"), None);
        assert_eq!(get("½").as_deref(), Some("1⁄2"));
    }
}
