//! Pieces of text become passages of a good length.

use std::borrow::Cow;

use super::language;
use crate::model::{Language, Rect};
use crate::text::shortened;

/// A piece of running text, a table row group or a line, with its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) boxes: Vec<Rect>,
    pub(crate) section: Vec<String>,
    /// Never merged with its neighbours.
    pub(crate) alone: bool,
    /// A heading: goes with what follows it.
    pub(crate) heading: bool,
    /// Line in the source, from 1, where the source has lines.
    pub(crate) line: u32,
}

/// A finished passage.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Passage {
    pub(crate) text: String,
    pub(crate) boxes: Vec<Rect>,
    pub(crate) section: Vec<String>,
    /// Line of the first piece.
    pub(crate) line: u32,
}

/// Number of words of a text.
pub(crate) fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Characters of a word, on average, with its space; generously, for long compounds.
const WORD: usize = 12;

/// What every passage of a whole begins with, cut so that it does not drown what follows it.
pub(crate) fn head(text: &str, max_words: usize) -> Cow<'_, str> {
    let (mut count, mut in_word) = (0, false);
    let fits = |c: &char| {
        count += usize::from(!in_word && !c.is_whitespace());
        in_word = !c.is_whitespace();
        count <= max_words
    };
    shortened(text, text.chars().take(max_words.saturating_mul(WORD)).take_while(fits).count())
}

/// Packs pieces of one page or section into passages of at most `max_words`, in order. A passage under
/// another heading starts anew, unless one of the two is small; one in another language always does, since a passage is
/// searched by the words of one language.
pub(crate) fn pack(pieces: Vec<Piece>, max_words: usize) -> Vec<Passage> {
    let small = max_words / 4;
    let mut out: Vec<Passage> = Vec::new();
    let mut open: Vec<Piece> = Vec::new();
    let mut count = 0;
    let mut spoken = None;
    for piece in pieces {
        let length = words(&piece.text);
        let language = if piece.heading { None } else { language::vote(&piece.text) };
        let turns = differ(spoken, language);
        spoken = language.or(spoken);
        let new_section = open.last().is_some_and(|l| !l.heading && l.section != piece.section);
        let full = count + length > max_words;
        if full
            || turns
            || piece.alone
            || open.last().is_some_and(|l| l.alone)
            || (new_section && count >= small)
        {
            // A heading must not end a passage: it goes with what follows it.
            let heading = match open.last() {
                Some(last) if last.heading && open.len() > 1 => open.pop(),
                _ => None,
            };
            // A heading, or a line or two, alone before a table goes into the table's passage.
            let little = open.iter().all(|p| p.heading || (!turns && !p.alone && count <= small / 2));
            if little && !open.is_empty() && length + count <= max_words * 5 / 4 {
                open.push(piece);
                count += length;
                continue;
            }
            flush(&mut open, &mut out);
            count = heading.as_ref().map_or(0, |h| words(&h.text));
            open.extend(heading);
        }
        count += length;
        open.push(piece);
    }
    // Headings at the end lead to the next page, whose passages have them in their section.
    if out.is_empty() || !open.iter().all(|p| p.heading) {
        flush(&mut open, &mut out);
    }
    merge_small(out, small, max_words)
}

/// Whether two texts are surely in two languages.
fn differ(one: Option<Language>, other: Option<Language>) -> bool {
    one.zip(other).is_some_and(|(a, b)| a != b)
}

fn flush(open: &mut Vec<Piece>, out: &mut Vec<Passage>) {
    if open.is_empty() {
        return;
    }
    let mut passage = Passage { line: open.first().map_or(0, |p| p.line), ..Passage::default() };
    // The section of most of the passage: a page's title above the first heading must not hide it.
    let mut most = 0;
    for piece in open.drain(..) {
        let length = words(&piece.text);
        if length > most || passage.text.is_empty() {
            most = length;
            passage.section = piece.section;
        }
        if !passage.text.is_empty() {
            passage.text.push('\n');
        }
        passage.text.push_str(piece.text.trim());
        passage.boxes.extend(piece.boxes);
    }
    if !passage.text.is_empty() {
        out.push(passage);
    }
}

/// A last small passage joins the one before it.
fn merge_small(passages: Vec<Passage>, small: usize, max_words: usize) -> Vec<Passage> {
    let mut out: Vec<Passage> = Vec::new();
    for passage in passages {
        let length = words(&passage.text);
        match out.last_mut() {
            Some(last)
                if length < small / 2
                    && words(&last.text) + length <= max_words * 9 / 8
                    && !differ(language::vote(&last.text), language::vote(&passage.text)) =>
            {
                last.text.push('\n');
                last.text.push_str(&passage.text);
                last.boxes.extend(passage.boxes);
            }
            _ => out.push(passage),
        }
    }
    out
}

/// Cuts a long text at sentence ends (at words where a sentence is too long) into texts of at most
/// `max_words`; gives byte ranges.
pub(crate) fn split(text: &str, max_words: usize) -> Vec<std::ops::Range<usize>> {
    if words(text) <= max_words {
        return std::iter::once(0..text.len()).collect();
    }
    let mut cuts = super::sentences::starts(text);
    cuts.push(text.len());
    // Equal parts read better than a full one and a rest.
    let parts = words(text).div_ceil(max_words).max(1);
    let target = words(text).div_ceil(parts).max(1);
    let mut out = Vec::new();
    let (mut start, mut end, mut count) = (0, 0, 0);
    for cut in cuts {
        // A cut never lies within a word.
        let more = words(text.get(end..cut).unwrap_or(""));
        if end > start && (count + more > max_words || count >= target) {
            out.extend(split_words(text, start..end, max_words));
            (start, count) = (end, 0);
        }
        (end, count) = (cut, count + more);
    }
    out.extend(split_words(text, start..end, max_words));
    out
}

fn split_words(text: &str, range: std::ops::Range<usize>, max_words: usize) -> Vec<std::ops::Range<usize>> {
    let part = text.get(range.clone()).unwrap_or("");
    if words(part) <= max_words {
        return if part.trim().is_empty() { Vec::new() } else { std::iter::once(range).collect() };
    }
    let mut out = Vec::new();
    let (mut start, mut count, mut in_word) = (range.start, 0, false);
    for (at, c) in part.char_indices() {
        if c.is_whitespace() {
            in_word = false;
        } else if !in_word {
            in_word = true;
            count += 1;
            if count > max_words {
                out.push(start..range.start + at);
                start = range.start + at;
                count = 1;
            }
        }
    }
    out.push(start..range.end);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: &str =
        "Die Aussenwand wird mit einer Dämmung aus Steinwolle ausgeführt und ist nicht tragend.";
    const FRENCH: &str = "Le mur extérieur est isolé avec de la laine de pierre et ne doit pas être porteur.";
    const ITALIAN: &str =
        "La parete esterna è isolata con lana di roccia e non deve essere portante secondo il progetto.";

    fn packed(texts: &[&str]) -> Vec<String> {
        let piece = |t: &&str| Piece { text: (*t).to_owned(), ..Piece::default() };
        pack(texts.iter().map(piece).collect(), 200).into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn paragraphs_in_two_languages_are_two_passages() {
        assert_eq!(packed(&[GERMAN, FRENCH, ITALIAN]), [GERMAN, FRENCH, ITALIAN]);
        assert_eq!(packed(&[GERMAN, GERMAN, FRENCH]), [format!("{GERMAN}\n{GERMAN}"), FRENCH.to_owned()]);
        // What has no language of its own stays where it is.
        assert_eq!(packed(&[GERMAN, "AW-01 | 0.17 W/(m2K)", GERMAN]).len(), 1);
    }

    #[test]
    fn a_heading_goes_with_its_own_language() {
        let heading = Piece { text: "Mur extérieur".into(), heading: true, ..Piece::default() };
        let piece = |t: &str| Piece { text: t.to_owned(), ..Piece::default() };
        let passages = pack(vec![piece(GERMAN), heading, piece(FRENCH)], 200);
        let texts: Vec<String> = passages.into_iter().map(|p| p.text).collect();
        assert_eq!(texts, [GERMAN.to_owned(), format!("Mur extérieur\n{FRENCH}")]);
    }
}
