//! Answers out of a cell: parted, dated, signed.

use super::dates::{Order, iso, month_of};
use crate::model::Answer;

/// Answers in one cell; what comes after is left in the last one.
const MAX_ANSWERS: usize = 500;

/// What the answer columns of one row say.
#[derive(Debug, Default)]
pub(super) struct AnswerParts {
    /// Texts and whether they are the official answer.
    pub(super) texts: Vec<(String, bool)>,
    pub(super) author: String,
    pub(super) date: String,
    /// Answers that come with author and date of their own.
    pub(super) whole: Vec<Answer>,
}

impl AnswerParts {
    /// Several answers in one cell are parted; author and date columns belong to the last one.
    pub(super) fn into_answers(self, order: Order) -> Vec<Answer> {
        let mut out: Vec<Answer> = Vec::new();
        for (text, official) in &self.texts {
            out.extend(parted(text, order).into_iter().map(|piece| answer(&piece, *official, order)));
        }
        // The official answer is often one of the others, repeated.
        let official: Vec<String> = out.iter().filter(|a| a.official).map(|a| a.text.clone()).collect();
        out.retain(|a| a.official || !official.contains(&a.text));
        if let Some(last) = out.last_mut() {
            if last.author.is_empty() {
                last.author = self.author;
            }
            if last.date.is_empty() {
                last.date = self.date;
            }
        }
        out.extend(self.whole);
        out
    }
}

fn answer(piece: &str, official: bool, order: Order) -> Answer {
    let Some(signed) = signed(piece, order) else {
        return Answer { text: piece.to_string(), official, ..Answer::default() };
    };
    let words = ["official", "offiziell", "officielle", "ufficiale"];
    let lower = signed.author.to_lowercase();
    let marked = words.iter().any(|w| lower.contains(w));
    let author: Vec<&str> = signed
        .author
        .split_whitespace()
        .filter(|w| !words.iter().any(|o| w.to_lowercase().contains(o)))
        .collect();
    let author = author.join(" ").trim_matches(['(', ')', '[', ']', ',', '-', ' ']).to_string();
    Answer { text: signed.text, author, date: signed.date, official: official || marked }
}

/// The answers in a cell: parted by ` | `, or by lines that start with who wrote and when.
fn parted(text: &str, order: Order) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for piece in text.split(" | ").flat_map(|p| p.split("\n|\n")).map(|p| p.trim_matches([' ', '\n', '|'])) {
        let starts = piece.lines().filter(|line| signed(line, order).is_some()).count();
        let mut open = false;
        for line in piece.lines().filter(|line| !line.trim().is_empty()) {
            let fresh = !open || (starts > 1 && signed(line, order).is_some());
            open = true;
            let full = out.len() >= MAX_ANSWERS;
            match out.last_mut() {
                Some(last) if !fresh || full => {
                    last.push('\n');
                    last.push_str(line);
                }
                _ => out.push(line.to_string()),
            }
        }
    }
    out.into_iter().map(|p| p.trim().to_string()).collect()
}

struct Signed {
    date: String,
    author: String,
    text: String,
}

/// An answer that starts with its date and perhaps its author, in either order: `12.03.2026 A. Muster: …`,
/// `[A. Muster, 12.03.2026] …`.
fn signed(text: &str, order: Order) -> Option<Signed> {
    let (head, rest) = match text.strip_prefix('[').and_then(|t| t.split_once(']')) {
        Some((head, rest)) => (head, rest.trim_start_matches([':', ' '])),
        None => text.split_once(": ")?,
    };
    if head.len() > 80 || head.contains('\n') {
        return None;
    }
    let head = head.replace(['(', ')', '[', ']', ','], " ");
    let words: Vec<&str> = head.split_whitespace().filter(|w| !matches!(*w, "-" | "–" | "/")).collect();
    let count = words.len().min(12);
    for length in (1..=count.min(4)).rev() {
        for start in [0, count - length] {
            let (Some(date), Some(before), Some(after)) =
                (words.get(start..start + length), words.get(..start), words.get(start + length..))
            else {
                continue;
            };
            if let Some(date) = iso(&date.join(" "), order).filter(|_| is_date_only(date)) {
                let author = [before, after].concat().join(" ");
                return Some(Signed { date, author, text: rest.trim().to_string() });
            }
        }
    }
    None
}

/// [`iso`] ignores what stands around a date; here nothing may but a time.
fn is_date_only(words: &[&str]) -> bool {
    let digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    match words {
        [] => false,
        [first, ..] if !digit(first) && month_of(first).is_none() => false,
        [_] => true,
        [.., last] => digit(last) || matches!(last.to_ascii_lowercase().as_str(), "am" | "pm" | "uhr"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> Vec<(String, String, String)> {
        let parts = AnswerParts { texts: vec![(text.into(), false)], ..AnswerParts::default() };
        let out = parts.into_answers(Order::DayFirst);
        out.into_iter().map(|a| (a.date, a.author, a.text)).collect()
    }

    fn row(date: &str, author: &str, text: &str) -> (String, String, String) {
        (date.into(), author.into(), text.into())
    }

    #[test]
    fn signed_answers_in_one_cell() {
        assert_eq!(
            answers("12.03.2026 A. Muster: 240 mm\nsiehe Detail\n14.03.2026 14:30, B. Beispiel: doch 260 mm"),
            [
                row("2026-03-12", "A. Muster", "240 mm\nsiehe Detail"),
                row("2026-03-14T14:30:00", "B. Beispiel", "doch 260 mm")
            ]
        );
        assert_eq!(answers("[A. Muster, 12.03.2026] EI30"), [row("2026-03-12", "A. Muster", "EI30")]);
        assert_eq!(answers("A. Muster (12. März 2026): EI30"), [row("2026-03-12", "A. Muster", "EI30")]);
        assert_eq!(answers("eins | zwei |  | "), [row("", "", "eins"), row("", "", "zwei")]);
        assert_eq!(answers("Achtung: 12 mm"), [row("", "", "Achtung: 12 mm")]);
    }

    #[test]
    fn the_official_one_is_marked_and_not_told_twice() {
        let parts = AnswerParts {
            texts: vec![("ja | nein".into(), false), ("nein".into(), true)],
            ..AnswerParts::default()
        };
        let out = parts.into_answers(Order::DayFirst);
        assert_eq!(
            out.iter().map(|a| (a.text.as_str(), a.official)).collect::<Vec<_>>(),
            [("ja", false), ("nein", true)]
        );
        let marked = answer("12.03.2026 A. Muster (official): ja", false, Order::DayFirst);
        assert_eq!((marked.official, marked.author.as_str()), (true, "A. Muster"));
    }
}
