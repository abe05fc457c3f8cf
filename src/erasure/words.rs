//! Words of a text with their places, folded so that spellings of one name are equal.

use std::ops::Range;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use unicode_normalization::UnicodeNormalization;

/// A word and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) bytes: Range<usize>,
    pub(super) folded: String,
}

/// The sum of a word under a secret key, hexadecimal.
pub(super) fn sum(secret: &[u8; 32], text: &str) -> String {
    // A key of any length is taken.
    let Ok(mut sum) = Hmac::<Sha256>::new_from_slice(secret) else { return String::new() };
    sum.update(text.as_bytes());
    let mut sum = hex::encode(sum.finalize().into_bytes());
    sum.truncate(32);
    sum
}

/// The words of a text.
pub(super) fn split(text: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() || is_inside(c) {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            let folded = fold(text.get(from..at).unwrap_or_default());
            if !folded.is_empty() {
                out.push(Word { bytes: from..at, folded });
            }
        }
    }
    out
}

/// Marks, invisible characters and apostrophes (D'Angelo) end no word.
fn is_inside(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c) || is_invisible(c) || matches!(c, '\'' | '’')
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// The ways to read the words: as they stand; where words are broken over lines, joined; where letters stand apart
/// (`M ü l l e r`), joined.
pub(super) fn readings(text: &str, words: Vec<Word>) -> Vec<Vec<Word>> {
    let broken = joined(&words, |a, b| is_broken(text, a, b), |parts| parts >= 2);
    let letter = |w: &Word| w.folded.chars().count() == 1;
    let spaced = joined(&words, |a, b| letter(a) && letter(b), |parts| parts >= 3);
    std::iter::once(words).chain(broken).chain(spaced).collect()
}

/// The words with runs of those that belong together joined; `None` where there are no such runs.
fn joined(
    words: &[Word],
    belong: impl Fn(&Word, &Word) -> bool,
    enough: impl Fn(usize) -> bool,
) -> Option<Vec<Word>> {
    let mut out: Vec<Word> = Vec::new();
    let mut any = false;
    let mut rest = words;
    while let Some(first) = rest.first() {
        let more = rest.windows(2).take_while(|pair| matches!(pair, [a, b] if belong(a, b))).count();
        let (run, after) = rest.split_at(more + 1);
        rest = after;
        if more == 0 || !enough(run.len()) {
            out.extend_from_slice(run);
            continue;
        }
        any = true;
        let end = run.last().map_or(first.bytes.end, |w| w.bytes.end);
        let folded = fold(&run.iter().map(|w| w.folded.as_str()).collect::<String>());
        out.push(Word { bytes: first.bytes.start..end, folded });
    }
    any.then_some(out)
}

/// A hyphen at the end of a line, visible or not.
fn is_broken(text: &str, a: &Word, b: &Word) -> bool {
    let between = text.get(a.bytes.end..b.bytes.start).unwrap_or_default();
    let soft = text.get(a.bytes.clone()).is_some_and(|word| word.ends_with('\u{ad}'));
    let rest = match between.chars().next() {
        Some('-' | '‐' | '‑' | '¬') => between.chars().skip(1).collect::<String>(),
        _ if soft => between.to_owned(),
        _ => return false,
    };
    rest.contains('\n') && rest.chars().all(char::is_whitespace)
}

/// A word without marks, case and what cannot be seen; `ae`, `oe`, `ue` are `a`, `o`, `u`, as `ä`, `ö`, `ü` are.
pub(super) fn fold(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.nfkd().filter(|c| !is_inside(*c)) {
        match c {
            'ß' | 'ẞ' => out.push_str("ss"),
            'æ' | 'Æ' => out.push('a'),
            'œ' | 'Œ' | 'ø' | 'Ø' => out.push('o'),
            'ł' | 'Ł' => out.push('l'),
            'đ' | 'Đ' | 'ð' | 'Ð' => out.push('d'),
            c => out.extend(c.to_lowercase().filter(|c| c.is_alphanumeric())),
        }
    }
    out.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `python3 -c "import hmac;print(hmac.new(bytes(range(32)),b'muller','sha256').hexdigest()[:32])"`.
    #[test]
    fn a_sum_is_an_hmac() {
        let secret = std::array::from_fn(|i| i as u8);
        assert_eq!(sum(&secret, "muller"), "6ccbd9111b5896e21559df24cda16f76");
    }

    #[test]
    fn words_keep_their_places() {
        let text = "Jürg’s  Mül\u{ad}ler-Plan";
        let found: Vec<(&str, String)> =
            split(text).into_iter().map(|w| (&text[w.bytes], w.folded)).collect();
        let expected = [("Jürg’s", "jurgs"), ("Mül\u{ad}ler", "muller"), ("Plan", "plan")];
        assert_eq!(found, expected.map(|(a, b)| (a, b.to_owned())));
    }
}
