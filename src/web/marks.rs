//! Which words of a page or a text belong to a query, so that they can be marked.
//!
//! Both sides are folded alike: case, accents, ß, and the two ways of writing umlauts. A word is marked
//! where it is the query's word, an inflection of it, or a compound that begins with it; words that
//! every text has are not marked.

use std::ops::Range;

use ingest::{Page, Rect};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Words so common that marking them would only hide the others.
const COMMON: &str = " aber als am an and are auf aus bei che con dans das de dei del della den der des di die du ein \
    eine einer en est et for fur gilt hat how il im in is ist it la le les lo mit nach non of on oder par per pour \
    quale que quel quelle sind sont sur the to um un una une und von was welche welcher welches what where which wie \
    wo zu zum zur ";
/// Most words of a query that are looked for.
const MAX_TERMS: usize = 32;

/// The folded words of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Terms(Vec<String>);

impl Terms {
    /// The words of a query that are worth marking.
    pub(super) fn of(query: &str) -> Self {
        let mut terms: Vec<String> = Vec::new();
        for word in query.split_whitespace() {
            if word.chars().any(|c| c.is_ascii_digit()) {
                terms.push(fold(word)); // identifiers and numbers count as a whole: T-1.03, 0.17
            } else {
                terms.extend(word.split(|c: char| !c.is_alphanumeric()).map(fold));
            }
        }
        terms.retain(|term| term.chars().count() > 1 && !COMMON.contains(&format!(" {term} ")));
        terms.sort_unstable();
        terms.dedup();
        terms.truncate(MAX_TERMS);
        Terms(terms)
    }

    /// True where nothing is to be marked.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn marks(&self, word: &str) -> bool {
        let word = fold(word);
        !word.is_empty() && self.0.iter().any(|term| same(term, &word))
    }

    /// Boxes of the page's words that belong to the query, in points.
    pub(super) fn on_page(&self, page: &Page) -> Vec<Rect> {
        if self.is_empty() {
            return Vec::new();
        }
        let marked = page.words.iter().filter(|word| {
            self.marks(&word.text)
                || word.text.split(|c: char| !c.is_alphanumeric()).any(|part| self.marks(part))
        });
        marked.map(|word| word.rect).collect()
    }

    /// Ranges of a text's words that belong to the query, in bytes.
    pub(super) fn in_text(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if self.is_empty() {
            return found;
        }
        for (start, chunk) in chunks(text, char::is_whitespace) {
            let trimmed = chunk.trim_matches(|c: char| !c.is_alphanumeric());
            let inner = start + chunk.find(trimmed).unwrap_or(0);
            if self.marks(trimmed) {
                found.push(inner..inner + trimmed.len());
                continue;
            }
            let parts = chunks(trimmed, |c| !c.is_alphanumeric());
            found.extend(
                parts
                    .filter(|(_, part)| self.marks(part))
                    .map(|(at, part)| inner + at..inner + at + part.len()),
            );
        }
        found
    }
}

/// The pieces of a text between separators, with their offsets.
fn chunks<'a>(
    text: &'a str,
    separator: impl Fn(char) -> bool + 'a,
) -> impl Iterator<Item = (usize, &'a str)> {
    text.split(separator)
        .map(move |piece| (piece.as_ptr() as usize - text.as_ptr() as usize, piece))
        .filter(|(_, piece)| !piece.is_empty())
}

/// Lower case, no accents, no separators; `ß` is `ss`, and `ä` and `ae` both become `a`.
fn fold(word: &str) -> String {
    let plain: String = word
        .nfkd()
        .filter(|c| !is_combining_mark(*c) && c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    plain.replace('ß', "ss").replace("ae", "a").replace("oe", "o").replace("ue", "u").replace('œ', "o")
}

/// The same word, an inflection (at most three letters more), or a compound that begins with the term.
fn same(term: &str, word: &str) -> bool {
    if term == word {
        return true;
    }
    if term.bytes().any(|b| b.is_ascii_digit()) || word.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let (t, w) = (term.chars().count(), word.chars().count());
    let longer = word.strip_prefix(term).is_some_and(|rest| match t {
        ..3 => false,
        3 => matches!(rest, "e" | "en" | "er" | "es" | "n" | "s"),
        4 => w <= t + 3,
        _ => true,
    });
    longer || (w >= 4 && t <= w + 3 && term.starts_with(word))
}

/// A piece of text, marked or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) marked: bool,
}

/// Cuts a text at the marked ranges. Ranges that do not fit the text are left out.
pub(super) fn pieces(text: &str, marks: impl IntoIterator<Item = Range<usize>>) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut done = 0;
    let mut push = |piece: &str, marked: bool| {
        if !piece.is_empty() {
            out.push(Piece { text: piece.to_owned(), marked });
        }
    };
    for range in marks {
        let (Some(before), Some(inside)) = (text.get(done..range.start), text.get(range.clone())) else {
            continue;
        };
        push(before, false);
        push(inside, true);
        done = range.end;
    }
    push(text.get(done..).unwrap_or_default(), false);
    out
}

#[cfg(test)]
mod tests {
    use ingest::Word;

    use super::*;

    fn marked(query: &str, text: &str) -> Vec<String> {
        pieces(text, Terms::of(query).in_text(text))
            .into_iter()
            .filter(|p| p.marked)
            .map(|p| p.text)
            .collect()
    }

    #[test]
    fn umlauts_accents_and_sharp_s_are_alike_in_both_ways_of_writing() {
        assert_eq!(marked("Waermedaemmung", "Die Wärmedämmung ist 22 cm."), ["Wärmedämmung"]);
        assert_eq!(marked("Wärmedämmung", "WAERMEDAEMMUNG"), ["WAERMEDAEMMUNG"]);
        assert_eq!(marked("Strasse", "an der Straße"), ["Straße"]);
        assert_eq!(marked("etage", "le 2e étage"), ["étage"]);
    }

    #[test]
    fn inflections_and_compounds_are_marked_and_other_words_are_not() {
        assert_eq!(marked("Wand", "Wände, Wand, Wandel und wandern"), ["Wände", "Wand", "Wandel", "wandern"]);
        assert_eq!(marked("Aussenwand", "Aussenwanddämmung; Innenwand"), ["Aussenwanddämmung"]);
        assert_eq!(marked("Tür", "Türkis Turm Tor Türen"), ["Türen"]);
        assert_eq!(marked("Welcher Wert gilt für die Wand", "für die Wand gilt der Wert"), ["Wand", "Wert"]);
    }

    #[test]
    fn identifiers_count_as_a_whole() {
        assert_eq!(marked("T-1.03", "Tür T-1.03, T-1.04 und T 1"), ["T-1.03"]);
        assert_eq!(marked("RFI-0042", "siehe (RFI-0042)"), ["RFI-0042"]);
        assert_eq!(marked("0.17", "U = 0.17 W/m2K, nicht 0.170"), ["0.17"]);
        assert_eq!(marked("U-Wert", "der U-Wert; U-Werte"), ["Wert", "Werte"]);
    }

    #[test]
    fn words_of_a_page_give_their_boxes() {
        let word =
            |text: &str, x: f32| Word { text: text.into(), rect: [x, 0.0, x + 5.0, 9.0], block: 0, line: 0 };
        let page = Page { words: vec![word("(Aussenwand)", 1.0), word("Dach", 20.0)], ..Page::default() };
        assert_eq!(Terms::of("aussenwand").on_page(&page), [[1.0, 0.0, 6.0, 9.0]]);
        assert!(Terms::of("").on_page(&page).is_empty());
    }

    #[test]
    fn ranges_that_do_not_fit_are_left_out() {
        let found = pieces("Tür auf", [0..4, 2..3, 5..99]);
        assert_eq!(
            found,
            [Piece { text: "Tür".into(), marked: true }, Piece { text: " auf".into(), marked: false }]
        );
        let inside = pieces("Tür", std::iter::once(2..4));
        assert_eq!(inside, [Piece { text: "Tür".into(), marked: false }]);
    }
}
