//! How alike two readings of a document are. Pure functions on page texts.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

/// Text made comparable: NFKC, one kind of quotes and dashes, no marks of writing direction.
///
/// pdfium marks a word that it joined over a line's end with U+FFFE (older versions: U+0002); the join is
/// undone, because words are compared as they are printed.
pub(super) fn comparable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfkc() {
        match c {
            '\u{2018}'..='\u{201b}' | '\u{2032}' => out.push('\''),
            '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => out.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' => out.push('-'),
            '\u{fffe}' | '\u{2}' => out.push_str("-\n"),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            c => out.push(c),
        }
    }
    out
}

/// Number of words on all pages.
pub(super) fn tokens(pages: &[String]) -> usize {
    pages.iter().map(|p| p.split_whitespace().count()).sum()
}

/// Agreement of the pages' bags of words, 0 to 1: harmonic mean of the shares of words that are in both.
/// A page that only one side has counts as empty on the other. Two readings without words agree.
pub(super) fn token_f1(a: &[String], b: &[String]) -> f64 {
    let mut shared = 0;
    for (x, y) in pairs(a, b) {
        let mut bag: HashMap<&str, usize> = HashMap::new();
        for word in x.split_whitespace() {
            *bag.entry(word).or_default() += 1;
        }
        for word in y.split_whitespace() {
            if let Some(left) = bag.get_mut(word).filter(|left| **left > 0) {
                *left -= 1;
                shared += 1;
            }
        }
    }
    share(2 * shared, tokens(a) + tokens(b))
}

/// Agreement of the order of characters, 0 to 1: page by page, twice the longest common subsequence of the
/// texts without white space over their summed lengths (1 less the normalised insert and delete distance).
pub(super) fn order_similarity(a: &[String], b: &[String]) -> f64 {
    let (mut common, mut length) = (0, 0);
    for (x, y) in pairs(a, b) {
        let chars = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<Vec<char>>();
        let (x, y) = (chars(x), chars(y));
        length += x.len() + y.len();
        common += common_subsequence(&x, &y);
    }
    share(2 * common, length)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

fn pairs<'a>(a: &'a [String], b: &'a [String]) -> impl Iterator<Item = (&'a str, &'a str)> {
    let page = |pages: &'a [String], i: usize| pages.get(i).map_or("", String::as_str);
    (0..a.len().max(b.len())).map(move |i| (page(a, i), page(b, i)))
}

/// Length of the longest common subsequence, 64 columns at a time (Hyyrö, "Bit-parallel LCS-length
/// computation revisited", 2004): a zero bit of `row` is a step of the length.
fn common_subsequence(a: &[char], b: &[char]) -> usize {
    let words = a.len().div_ceil(64);
    let mut places: HashMap<char, Vec<u64>> = HashMap::new();
    for (i, c) in a.iter().enumerate() {
        let bits = places.entry(*c).or_insert_with(|| vec![0; words]);
        if let Some(word) = bits.get_mut(i / 64) {
            *word |= 1 << (i % 64);
        }
    }
    let mut row = vec![u64::MAX; words];
    for c in b {
        let Some(bits) = places.get(c) else { continue };
        let mut carry = false;
        for (word, bits) in row.iter_mut().zip(bits) {
            let matched = *word & bits;
            let (sum, over) = word.overflowing_add(matched);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            carry = over || over_again;
            *word = sum | (*word & !bits);
        }
    }
    // Bits beyond the end of `a` never match and stay one.
    row.iter().map(|w| w.count_zeros() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|t| comparable(t)).collect()
    }

    #[test]
    fn words_count_page_by_page_and_as_often_as_they_stand() {
        let (a, b) = (pages(&["die Wand die Decke", "Dach"]), pages(&["die Wand Dach", ""]));
        // Shared: die, Wand. 2 * 2 / (5 + 3).
        assert_eq!(token_f1(&a, &b), 0.5);
        assert_eq!(token_f1(&a, &a), 1.0);
        assert_eq!(token_f1(&pages(&[]), &pages(&["", " "])), 1.0);
        assert_eq!(token_f1(&pages(&["Wand"]), &[]), 0.0);
    }

    #[test]
    fn order_is_the_longest_common_subsequence() {
        // "ab cd" against "cdab": ab or cd, 2 * 2 / 8.
        assert_eq!(order_similarity(&pages(&["ab cd"]), &pages(&["cdab"])), 0.5);
        // A second page that is missing: 2 * 4 / (4 + 4 + 2).
        assert_eq!(order_similarity(&pages(&["ab cd", "ef"]), &pages(&["abcd"])), 0.8);
        assert_eq!(order_similarity(&pages(&["x"]), &pages(&["y"])), 0.0);
    }

    #[test]
    fn subsequences_agree_with_the_textbook_table_beyond_64_characters() {
        let mut state = 7_u32;
        let mut letters = |n: usize| -> Vec<char> {
            (0..n)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    char::from(b'a' + (state >> 24) as u8 % 5)
                })
                .collect()
        };
        for (m, n) in [(0, 3), (1, 1), (63, 70), (64, 64), (65, 200), (300, 131)] {
            let (a, b) = (letters(m), letters(n));
            let mut table = vec![vec![0; n + 1]; m + 1];
            for i in 1..=m {
                for j in 1..=n {
                    table[i][j] = if a[i - 1] == b[j - 1] {
                        table[i - 1][j - 1] + 1
                    } else {
                        table[i - 1][j].max(table[i][j - 1])
                    };
                }
            }
            assert_eq!(common_subsequence(&a, &b), table[m][n], "{m} {n}");
        }
    }

    #[test]
    fn quotes_dashes_ligatures_and_direction_marks_do_not_matter() {
        assert_eq!(comparable("„ﬁn“ – ‘x’ \u{202b}אב\u{202c}"), "\"fin\" - 'x' אב");
        // pdfium's joined word comes apart again.
        assert_eq!(comparable("Aus\u{fffe}senwand"), "Aus-\nsenwand");
    }
}
