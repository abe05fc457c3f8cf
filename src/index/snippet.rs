//! The part of a passage that a reader sees in the list of hits, with the found words marked.

use std::cell::LazyCell;

use ingest::Language;
use serde::{Deserialize, Serialize};

use super::analysis::{Analysed, Token, ident, measures, stem, tokenize};
use super::lexical::stemming_language;

/// How long a snippet gets, in bytes of the passage.
const WINDOW_BYTES: usize = 280;

/// Text with the places of the found words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// A part of the passage, white space evened out, `…` where something was left away.
    /// Plain text: whoever shows it escapes it.
    pub text: String,
    /// Byte ranges in `text` to be marked, ascending, never overlapping.
    pub marks: Vec<(usize, usize)>,
}

/// Byte ranges in `text` that a query found, with the rarity of what was found there.
pub(super) fn found_in(
    text: &str,
    language: Option<Language>,
    query: &Analysed,
    rarity: &[f32],
) -> Vec<(usize, usize, f32)> {
    let tokens = tokenize(text);
    let language = stemming_language(language);
    let german = language == Language::De;
    let mut found: Vec<(usize, usize, f32)> = Vec::new();
    for token in &tokens {
        let stemmed = stem(token, language);
        // Looked up for the few tokens that a term fits: it compares with all the others.
        let alien = LazyCell::new(|| in_another_word(token, &tokens, query));
        let best = query
            .terms
            .iter()
            .zip(rarity.iter().chain(std::iter::repeat(&1.0)))
            .filter(|(term, _)| {
                term.is_stem(token, language, &stemmed) && !(term.is_part && *alien)
                    || german && term.shares_part(token) && !*alien
            })
            .map(|(term, r)| r * term.weight)
            .max_by(f32::total_cmp);
        found.extend(best.map(|r| (token.start, token.end, r)));
    }
    let wanted: Vec<&String> =
        query.identifiers.iter().chain(&query.measures).flat_map(|i| &i.keys).collect();
    if !wanted.is_empty() {
        let idents = ident::identifiers(text).into_iter().chain(ident::room_numbers(text));
        let idents = idents.chain(measures(text, &tokens));
        let hits = idents.filter(|i| i.keys.iter().chain(&i.within).any(|k| wanted.contains(&k)));
        found.extend(hits.map(|i| (i.start, i.end, 8.0)));
    }
    merge(found)
}

/// Whether a token is a part of a hyphenated word that is not asked for: `Wert` of `R-Wert` where the query says
/// `U-Wert`.
fn in_another_word(token: &Token, tokens: &[Token], query: &Analysed) -> bool {
    let whole = tokens
        .iter()
        .find(|w| w.start <= token.start && token.end <= w.end && w.end - w.start > token.end - token.start);
    whole.is_some_and(|w| !query.terms.iter().any(|t| t.plain == w.plain))
}

fn merge(mut found: Vec<(usize, usize, f32)>) -> Vec<(usize, usize, f32)> {
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut merged: Vec<(usize, usize, f32)> = Vec::new();
    for (start, end, weight) in found {
        match merged.last_mut() {
            Some(last) if start < last.1 => {
                last.1 = last.1.max(end);
                last.2 = last.2.max(weight);
            }
            _ => merged.push((start, end, weight)),
        }
    }
    merged
}

/// The window of the passage that holds most of what was found, marked.
pub(super) fn snippet(text: &str, found: &[(usize, usize, f32)]) -> Snippet {
    let start = best_start(text, found);
    let (from, to) = window(text, start);
    let mut out = Snippet::default();
    if from > 0 {
        out.text.push('…');
    }
    let mut marks = found.iter().filter(|(s, e, _)| *s >= from && *e <= to).peekable();
    let mut open = None;
    let mut gap = false;
    for (at, c) in text[from..to].char_indices().map(|(i, c)| (i + from, c)) {
        if c.is_whitespace() {
            gap = true;
        } else {
            if gap && !out.text.is_empty() && !out.text.ends_with('…') {
                out.text.push(' ');
            }
            gap = false;
            if marks.peek().is_some_and(|m| m.0 == at) {
                open = Some(out.text.len());
            }
            out.text.push(c);
        }
        if let Some(mark) = marks.peek()
            && at + c.len_utf8() >= mark.1
        {
            marks.next();
            out.marks.extend(open.take().map(|s| (s, out.text.len())));
        }
    }
    if to < text.trim_end().len() {
        out.text.push('…');
    }
    out
}

/// Start of the found word from which a window gathers most; each further mention of equal weight
/// counts little, so different words win over one repeated.
fn best_start(text: &str, found: &[(usize, usize, f32)]) -> usize {
    let mut best = (0.0f32, 0usize);
    for (i, (start, _, _)) in found.iter().enumerate() {
        let inside = found
            .get(i..)
            .unwrap_or_default()
            .iter()
            .take_while(|(_, e, _)| *e <= start + WINDOW_BYTES * 3 / 4);
        let mut words: Vec<&str> = Vec::new();
        let mut sum = 0.0;
        for (s, e, weight) in inside {
            let word = text.get(*s..*e).unwrap_or_default();
            sum += if words.contains(&word) { weight * 0.2 } else { *weight };
            words.push(word);
        }
        if sum > best.0 * 1.001 {
            best = (sum, *start);
        }
    }
    best.1
}

/// A window around `start` that begins and ends between words.
fn window(text: &str, start: usize) -> (usize, usize) {
    let mut from = start.saturating_sub(WINDOW_BYTES / 4);
    if text.len() <= WINDOW_BYTES {
        from = 0;
    }
    while !text.is_char_boundary(from) {
        from += 1;
    }
    if from > 0 {
        let head = text.get(from..start).unwrap_or_default();
        // Rather at the start of a sentence, at least at the start of a word.
        let sentence = head.rfind(['.', '\n', ';']).filter(|at| start - (from + at) < WINDOW_BYTES / 4);
        let word = head.find(char::is_whitespace);
        from = sentence.map(|at| from + at + 1).or(word.map(|at| from + at)).unwrap_or(start);
    }
    let mut to = (from + WINDOW_BYTES).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    if to < text.len() {
        let body = text.get(from..to).unwrap_or_default();
        to = body.rfind(char::is_whitespace).map_or(to, |at| from + at);
    }
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::super::analysis::analyse;
    use super::*;

    fn marked(text: &str, query: &str) -> Vec<String> {
        let query = analyse(query);
        let found = found_in(text, Some(Language::De), &query, &vec![1.0; query.terms.len()]);
        let s = snippet(text, &found);
        s.marks.iter().map(|(a, b)| s.text[*a..*b].to_owned()).collect()
    }

    #[test]
    fn words_are_marked_in_their_inflections_and_writings() {
        let text = "Die Aussenwände haben\n einen U-Wert von 0.16 W/(m²K); die Außenwand ist gedämmt.";
        assert_eq!(marked(text, "Aussenwand U-Wert"), ["Aussenwände", "U-Wert", "Außenwand"]);
        assert_eq!(marked(text, "gedaemmt"), ["gedämmt"]);
    }

    #[test]
    fn identifiers_and_compounds_are_marked() {
        assert_eq!(marked("Türe T-1.03 in EI 30 ausführen", "T-1.03 EI30"), ["T-1.03", "EI 30"]);
        assert_eq!(marked("Die Aussenwanddämmung ist 240 mm stark", "Aussenwand"), ["Aussenwanddämmung"]);
    }

    #[test]
    fn parts_of_other_words_are_not_marked() {
        assert_eq!(marked("Der R-Wert ist 5, der U-Wert 0.2.", "U-Wert"), ["U-Wert"]);
        assert_eq!(marked("verwandt mit der Trennwand", "Wand"), ["Trennwand"]);
        assert_eq!(marked("Dämmstärke der Aussenwand", "Aussenwanddämmung"), ["Dämmstärke", "Aussenwand"]);
    }

    #[test]
    fn the_window_holds_the_words() {
        let text = format!(
            "{} Die Fensterbank aus Naturstein. {}",
            "Lorem ipsum dolor. ".repeat(80),
            "Ende. ".repeat(80)
        );
        let query = analyse("Fensterbank Naturstein");
        let found = found_in(&text, Some(Language::De), &query, &[1.0, 1.0]);
        let s = snippet(&text, &found);
        assert!(s.text.contains("Fensterbank aus Naturstein"), "{}", s.text);
        assert!(s.text.starts_with('…') && s.text.ends_with('…'));
        assert!(s.text.len() <= WINDOW_BYTES + 8);
    }

    proptest::proptest! {
        #[test]
        fn marks_lie_inside_any_text(text in "\\PC{0,600}", query in "\\PC{0,30}") {
            let query = analyse(&query);
            let found = found_in(&text, None, &query, &[]);
            let s = snippet(&text, &found);
            let mut last = 0;
            for (a, b) in s.marks {
                proptest::prop_assert!(a >= last && a < b && s.text.get(a..b).is_some());
                last = b;
            }
        }
    }
}
