//! Small rules about written text that several readers share.

use std::borrow::Cow;
use std::fmt::Display;

use crate::hyphens::{Join, Vocabulary};

/// True where `before` ends in a hyphen that only parts a word over two lines and `next` carries on with it,
/// by the rules of spelling alone.
pub(crate) fn joins_over_hyphen(before: &str, next: &str) -> bool {
    Vocabulary::default().join(before, next) == Some(Join::Close)
}

/// Appends a line to running text, by the rules of spelling alone.
pub(crate) fn append_line(out: &mut String, line: &str) {
    Vocabulary::default().append(out, line);
}

/// A number with the word for what it counts, in the form that goes with it: `1 file`, `2 files`. For English and
/// German; French has the singular for none, too.
pub fn counted<N: Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    let word = if n == N::from(1) { one } else { many };
    format!("{n} {word}")
}

/// Most characters of what is said again for everything below it: a heading, a column's name, a sheet's name, a
/// record's number. The standard of IFC allows 255 for a name.
pub(crate) const LABEL: usize = 300;

/// What is said again, cut where it is longer: a file may have a megabyte there and a million rows below it.
pub(crate) fn label(text: &str) -> String {
    shortened(text, LABEL).into_owned()
}

/// The first `most` characters, and a sign that there are more.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default().trim_end())),
    }
}

/// True for a line that starts a list item.
pub(crate) fn starts_item(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    matches!(first, "•" | "–" | "-" | "◦" | "▪" | "‣" | "·" | "*" | "□" | "■")
        || (first.len() <= 4
            && first.ends_with(')')
            && first.trim_end_matches(')').chars().all(char::is_alphanumeric)
            && first.len() > 1)
}

/// A number without trailing zeros and without the noise of binary fractions.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs();
    if !(1e-5..1e15).contains(&magnitude) {
        return format!("{value:e}");
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases =
            [(0.17, "0.17"), (12.0, "12"), (0.1 + 0.2, "0.3"), (-3.4, "-3.4"), (1e-9, "1e-9"), (0.0, "0")];
        for (value, expected) in cases {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn long_labels_are_cut_between_characters() {
        assert_eq!(shortened("Wände", 5), "Wände");
        assert_eq!(shortened("Wände und", 6), "Wände…");
        let long = label(&"ä".repeat(1_000));
        assert_eq!(long.chars().count(), LABEL + 1);
        assert_eq!(label(&long), long, "cutting again changes nothing");
    }

    #[test]
    fn hyphens_at_line_ends() {
        assert!(joins_over_hyphen("die Wärme-", "dämmung"));
        assert!(!joins_over_hyphen("Bau-/Holz-", "arbeiten"));
        assert!(!joins_over_hyphen("Bau-", "und"));
        assert!(!joins_over_hyphen("SIA-", "konform"));
        assert!(!joins_over_hyphen("Energie-", "Bezugsfläche"));
        assert!(!joins_over_hyphen("1-", "geschossig"));
    }

    #[test]
    fn lines_join_to_running_text() {
        let join = |lines: &[&str]| {
            let mut out = String::new();
            lines.iter().for_each(|l| append_line(&mut out, l));
            out
        };
        assert_eq!(join(&["Die Wärme-", "dämmung der", "Aussenwand"]), "Die Wärmedämmung der Aussenwand");
        assert_eq!(join(&["Die Energie-", "Bezugsfläche"]), "Die Energie-Bezugsfläche");
        assert_eq!(join(&["Bau-", "und Holzarbeiten"]), "Bau- und Holzarbeiten");
    }
}
