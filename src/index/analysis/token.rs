//! Cutting text into tokens.

use super::fold::{fold_digraphs, is_invisible, lower, strip_accents};
use super::numbers;

/// A word, number or joined compound of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// Place in the order of words; the parts of a hyphenated word have places of their own.
    pub position: usize,
    /// Lower case, accents kept: what the Romance and English stemmers want.
    pub lower: String,
    /// The plain form, see [`super::fold()`].
    pub plain: String,
}

/// Articles and particles that French and Italian glue to a word with an apostrophe.
const ELISIONS: [&str; 21] = [
    "l", "d", "j", "m", "n", "s", "t", "c", "qu", "dell", "nell", "all", "sull", "dall", "coll", "un",
    "quest", "jusqu", "lorsqu", "puisqu", "quell",
];

/// A longer run of letters is no word; it is cut so that no term takes unbounded memory.
const MAX_WORD_CHARS: usize = 100;

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}' | '\u{2018}' | '\u{b4}' | '`' | '\u{2032}')
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_invisible(c) || unicode_normalization::char::is_combining_mark(c)
}

/// A run of word characters and the characters on either side of it.
struct Run {
    start: usize,
    end: usize,
    after: Option<char>,
}

/// Words and numbers of a text, in order.
///
/// `U-Wert` gives `uwert` and `wert`, `Lüftungs-Anlage` the whole beside both parts, `l'isolation`
/// only `isolation`, `1’250,5` the number `1250.5`.
pub(crate) fn tokenize(text: &str) -> Vec<Token> {
    let runs = runs(text);
    let mut tokens = Vec::with_capacity(runs.len());
    let mut position = 0;
    let mut i = 0;
    while i < runs.len() {
        let chain = hyphen_chain(text, &runs, i);
        if chain > 1 {
            push_joined(text, &runs[i..i + chain], position, &mut tokens);
        }
        for (offset, run) in runs[i..i + chain].iter().enumerate() {
            let follows_apostrophe = text[..run.start].chars().next_back().is_some_and(is_apostrophe);
            if let Some(token) = single(text, run, position, chain > 1, follows_apostrophe && offset == 0) {
                tokens.push(token);
                position += 1;
            } else if chain > 1 {
                position += 1;
            }
        }
        i += chain;
    }
    tokens
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if !is_word(c) || is_invisible(c) {
            continue;
        }
        let mut end = start + c.len_utf8();
        let mut last = c;
        let mut count = 1;
        while let Some(&(at, next)) = chars.peek() {
            let joins =
                is_word(next) || numbers::joins(last, next, text[at + next.len_utf8()..].chars().next());
            if !joins || count >= MAX_WORD_CHARS {
                break;
            }
            end = at + next.len_utf8();
            last = next;
            count += 1;
            chars.next();
        }
        runs.push(Run { start, end, after: chars.peek().map(|(_, c)| *c) });
    }
    runs
}

/// How many runs from `first` on are letters joined by single hyphens.
fn hyphen_chain(text: &str, runs: &[Run], first: usize) -> usize {
    let letters = |run: &Run| text[run.start..run.end].chars().all(|c| c.is_alphabetic() || is_invisible(c));
    let mut n = 1;
    while let (Some(here), Some(next)) = (runs.get(first + n - 1), runs.get(first + n)) {
        let hyphen = here.after.is_some_and(is_hyphen);
        let adjacent = hyphen && here.after.is_some_and(|c| here.end + c.len_utf8() == next.start);
        if !adjacent || !letters(here) || !letters(next) {
            break;
        }
        n += 1;
    }
    n
}

fn push_joined(text: &str, parts: &[Run], position: usize, tokens: &mut Vec<Token>) {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
    let joined: String = parts.iter().map(|r| lower(&text[r.start..r.end])).collect();
    let plain = fold_digraphs(&strip_accents(&joined));
    tokens.push(Token { start: first.start, end: last.end, position, lower: joined, plain });
}

fn single(text: &str, run: &Run, position: usize, in_chain: bool, after_apostrophe: bool) -> Option<Token> {
    let lower = lower(&text[run.start..run.end]);
    let one_letter = lower.chars().count() == 1 && lower.chars().all(char::is_alphabetic);
    if one_letter && (in_chain || after_apostrophe) {
        return None;
    }
    if run.after.is_some_and(is_apostrophe) && ELISIONS.contains(&lower.as_str()) {
        return None;
    }
    let plain = match numbers::normalise(&lower) {
        Some(number) => number,
        None => fold_digraphs(&strip_accents(&lower)),
    };
    (!plain.is_empty()).then_some(Token { start: run.start, end: run.end, position, lower, plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<String> {
        tokenize(text).into_iter().map(|t| t.plain).collect()
    }

    #[test]
    fn elisions_go() {
        assert_eq!(
            plain("l’isolation de l'enveloppe d'un mur"),
            ["isolation", "de", "enveloppe", "un", "mur"]
        );
        assert_eq!(plain("dell'edificio nell’aula"), ["edificio", "aula"]);
        assert_eq!(plain("the door's frame"), ["the", "door", "frame"]);
    }

    #[test]
    fn hyphenated_words_are_whole_and_in_parts() {
        assert_eq!(plain("U-Wert"), ["uwert", "wert"]);
        assert_eq!(plain("Lüftungs‑Anlage"), ["luftungsanlage", "luftungs", "anlage"]);
        assert_eq!(plain("Bau- und Holz"), ["bau", "und", "holz"]);
    }

    #[test]
    fn numbers_are_one_token_in_one_way_of_writing() {
        assert_eq!(plain("1’250,5 m² und 0,18 W/(m²K)"), ["1250.5", "m2", "und", "0.18", "w", "m2k"]);
        assert_eq!(plain("am 30.11.2026."), ["am", "30.11.2026"]);
        assert_eq!(plain("EI30, REI 60"), ["ei30", "rei", "60"]);
    }

    #[test]
    fn offsets_point_into_the_text() {
        let text = "Die Wärme\u{ad}dämmung – 200 mm";
        for t in tokenize(text) {
            assert!(text.get(t.start..t.end).is_some_and(|s| !s.is_empty()), "{t:?}");
        }
        let found = tokenize(text);
        assert_eq!(&text[found[1].start..found[1].end], "Wärme\u{ad}dämmung");
        assert_eq!(found[1].plain, "warmedammung");
    }

    #[test]
    fn endless_words_are_cut() {
        let long = "x".repeat(5_000);
        assert!(tokenize(&long).iter().all(|t| t.plain.len() <= MAX_WORD_CHARS));
    }

    proptest::proptest! {
        #[test]
        fn any_text_gives_tokens_inside_it(text in "\\PC{0,200}") {
            for t in tokenize(&text) {
                proptest::prop_assert!(text.get(t.start..t.end).is_some());
            }
        }
    }
}
