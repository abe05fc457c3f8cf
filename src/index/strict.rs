//! What a query demands of every hit, whichever side found it: phrases, wildcards, words that must not be there, words
//! of the title, a state, a language.

use std::collections::HashSet;

use ingest::{Language, Locator};

use super::analysis::{Analysed, Token, ident, tokenize};
use crate::catalog::{ChunkRow, DocumentId};

/// Demands that only the passage itself can answer.
#[derive(Debug, Default)]
pub(super) struct Demands {
    /// Only passages in this language.
    pub(super) language: Option<Language>,
    /// Only these records.
    pub(super) records: Option<HashSet<(DocumentId, String)>>,
}

impl Demands {
    /// Whether every hit has to be looked at.
    pub(super) fn any(&self, query: &Analysed) -> bool {
        self.language.is_some()
            || self.records.is_some()
            || !query.phrases.is_empty()
            || !query.wildcards.is_empty()
            || !query.excluded.is_empty()
            || !query.headings.is_empty()
    }

    /// Whether a passage meets all of them.
    pub(super) fn allow(&self, query: &Analysed, row: &ChunkRow) -> bool {
        if self.language.is_some_and(|l| row.language != Some(l)) {
            return false;
        }
        if let Some(records) = &self.records {
            let Locator::Rfi { record } = &row.locator else { return false };
            if !records.contains(&(row.document, record.clone())) {
                return false;
            }
        }
        if !self.any(query) {
            return true;
        }
        let tokens = tokenize(&row.text);
        let heading = format!("{}\n{}", row.title, row.section.join("\n"));
        let heading = if query.headings.is_empty() { Vec::new() } else { tokenize(&heading) };
        query.phrases.iter().all(|p| has_phrase(&tokens, p))
            && query.wildcards.iter().all(|w| has_wildcard(&row.text, &tokens, w))
            && !query.excluded.iter().any(|t| tokens.iter().any(|token| t.matches(token, row.language)))
            && query.headings.iter().all(|t| heading.iter().any(|token| t.matches(token, None)))
    }
}

/// Whether the words stand in a row. Words at one place (a hyphenated word and its first part) are one of them.
fn has_phrase(tokens: &[Token], phrase: &[(usize, String)]) -> bool {
    let Some((first_at, _)) = phrase.first() else { return true };
    let Some(last_at) = phrase.last().map(|(at, _)| at - first_at) else { return true };
    let wanted = |offset: usize| {
        phrase.iter().filter(move |(at, _)| at - first_at == offset).map(|(_, word)| word.as_str())
    };
    tokens.iter().enumerate().any(|(i, start)| {
        // Each place has few tokens; those of the phrase lie close behind its first.
        let near = tokens.get(i.saturating_sub(2)..).unwrap_or_default();
        (0..=last_at).all(|offset| {
            let mut here =
                near.iter().take(4 * last_at + 8).filter(|t| t.position == start.position + offset);
            let mut wanted = wanted(offset).peekable();
            wanted.peek().is_none() || here.any(|t| wanted.clone().any(|w| w == t.plain))
        })
    })
}

fn has_wildcard(text: &str, tokens: &[Token], wildcard: &Wildcard) -> bool {
    tokens.iter().any(|t| fits(&wildcard.word, &t.plain))
        || ident::identifiers(text)
            .into_iter()
            .chain(ident::room_numbers(text))
            .any(|i| i.keys.iter().any(|k| fits(&wildcard.key, k)))
}

/// A word with stars and question marks, in the forms in which words and identifiers are indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wildcard {
    /// Against plain words.
    pub(crate) word: String,
    /// Against keys of identifiers.
    pub(crate) key: String,
}

impl Wildcard {
    /// Of a word as it was typed.
    pub(crate) fn of(typed: &str) -> Self {
        let pieces = typed.split_inclusive(['*', '?']).map(|piece| {
            let mark = piece.chars().last().filter(|c| matches!(c, '*' | '?'));
            let word = piece.trim_end_matches(['*', '?']);
            let mark = mark.map(String::from).unwrap_or_default();
            (format!("{}{mark}", super::fold(word)), format!("{}{mark}", ident::pattern_key(word)))
        });
        let (words, keys): (Vec<String>, Vec<String>) = pieces.unzip();
        Wildcard { word: words.concat(), key: keys.concat() }
    }
}

/// A wildcard as a regular expression over whole terms.
pub(super) fn expression(pattern: &str) -> String {
    let one = |c: char| match c {
        '*' => ".*".to_owned(),
        '?' => ".".to_owned(),
        c if c.is_alphanumeric() => c.to_string(),
        c => format!("\\{c}"),
    };
    pattern.chars().map(one).collect()
}

/// Whether a word fits a pattern with `*` (anything) and `?` (one letter).
fn fits(pattern: &str, word: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let word: Vec<char> = word.chars().collect();
    let (mut p, mut w) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = word.get(w) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, w));
                p += 1;
            }
            Some(x) if *x == '?' || x == c => {
                p += 1;
                w += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                p = at + 1;
                w = taken + 1;
            }
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::super::analysis::analyse;
    use super::*;

    #[test]
    fn wildcards_fit_words_and_identifiers() {
        for (pattern, word, is) in [
            ("damm*", "dammung", true),
            ("*dammung", "warmedammung", true),
            ("fen?ter", "fenster", true),
            ("fen?ter", "fenter", false),
            ("*a*b", "xaab", true),
            ("a*b", "abc", false),
        ] {
            assert_eq!(fits(pattern, word), is, "{pattern} {word}");
        }
        let door = Wildcard::of("T-1.*");
        let text = "Türe T-1.03 in EI30";
        assert!(has_wildcard(text, &tokenize(text), &door));
        let other = "Türe T-2.03";
        assert!(!has_wildcard(other, &tokenize(other), &door));
        assert_eq!(expression("t1.*"), "t1\\..*");
    }

    #[test]
    fn phrases_are_words_in_a_row() {
        let has = |text: &str, query: &str| has_phrase(&tokenize(text), &analyse(query).phrases[0]);
        assert!(has("Die Wand gegen Erdreich ist nass.", "\"Wand gegen Erdreich\""));
        assert!(!has("Die Wand ist gegen Erdreich.", "\"Wand gegen Erdreich\""));
        assert!(has("Ein U-Wert von 0.2", "\"U-Wert von\""));
    }
}
