//! What a line of a passage is: a heading, a question, an answer, about another thing.

use ingest::Kind;

use super::verify::one_line;
use crate::index::{Hit, Token, figures, fold, tokenize};

/// A longer sentence is cut on the page: nobody reads it as an answer.
const MAX_CHARS: usize = 400;

/// The paragraph of a passage that a byte lies in, up to that byte's sentence and beyond.
pub(super) fn paragraph(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
    let end = text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |i| at + i);
    text.get(start..end).unwrap_or_default()
}

/// Whether a text numbers something otherwise than the question does: `Bausitzung 15` where `Bausitzung 14` is asked
/// for, and that one nowhere.
pub(super) fn names_another(question: &str, text: &str) -> bool {
    let whole = |t: &Token| !t.plain.is_empty() && t.plain.chars().all(|c| c.is_ascii_digit());
    let body = tokenize(text);
    let follows = |a: &Token, b: &Token, of: &str| of.get(a.end..b.start).is_some_and(|gap| gap == " ");
    tokenize(question).windows(2).any(|pair| {
        let [noun, number] = pair else { return false };
        if !whole(number) || whole(noun) || !follows(noun, number, question) {
            return false;
        }
        let numbers: Vec<&str> = body
            .windows(2)
            .filter_map(|p| {
                let [a, b] = p else { return None };
                (a.plain == noun.plain && whole(b) && follows(a, b, text)).then_some(b.plain.as_str())
            })
            .collect();
        !numbers.is_empty() && !numbers.contains(&number.plain.as_str())
    })
}

/// Whether a line names what follows instead of saying something: a heading, a title, a caption, the heads of a
/// table's columns, the name of an element.
pub(super) fn is_heading(text: &str, hit: &Hit) -> bool {
    const CAPTIONS: [&str; 9] = [
        "tabelle ",
        "abbildung ",
        "tableau ",
        "figure ",
        "tabella ",
        "figura ",
        "table ",
        "fig. ",
        "illustration ",
    ];
    let line = one_line(text);
    let folded = fold(&line);
    let above = hit.chunk.section.iter().chain(std::iter::once(&hit.chunk.title));
    if above.into_iter().any(|h| fold(&one_line(h)) == folded)
        || CAPTIONS.iter().any(|c| folded.starts_with(c))
    {
        return true;
    }
    let says_a_value = figures(&line).iter().any(|f| f.start > 0) || line.contains(": ");
    let words = line.split_whitespace().count();
    let ends = line.ends_with(['.', '!', ':']);
    let heads = line.contains(" | ") && !line.chars().any(|c| c.is_ascii_digit());
    let name = hit.chunk.kind == Kind::Ifc && hit.chunk.text.trim_start().starts_with(text);
    heads
        || name
        || words <= 2 && !says_a_value
        || !ends && !says_a_value && words <= 8 && !line.contains(['|', ';'])
}

/// The question of a record repeats the reader's words but answers nothing.
pub(super) fn is_question(sentence: &str, kind: Kind) -> bool {
    const LABELS: [&str; 6] = ["frage:", "question:", "domanda:", "betreff:", "subject:", "objet:"];
    let lower = sentence.to_lowercase();
    matches!(kind, Kind::Rfi | Kind::Mail)
        && (LABELS.iter().any(|l| lower.starts_with(l)) || sentence.ends_with('?'))
}

pub(super) fn is_answer(sentence: &str, kind: Kind) -> bool {
    const LABELS: [&str; 6] = ["antwort", "réponse", "risposta", "answer", "response", "kommentar"];
    let lower = sentence.to_lowercase();
    matches!(kind, Kind::Rfi | Kind::Mail) && LABELS.iter().any(|l| lower.starts_with(l))
}

pub(super) fn shorten(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_CHARS).collect();
    let end = cut.rfind(char::is_whitespace).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_names_another_thing() {
        assert!(names_another(
            "Wann ist Bausitzung 14?",
            "Nächste Sitzung; Angaben: Bausitzung 15, 02.07.2026"
        ));
        assert!(!names_another("Wann ist Bausitzung 14?", "Protokoll zu Bausitzung 14 vom 18.06.2026"));
        assert!(!names_another("Wann ist Bausitzung 14?", "Index, Datum | -, 18.06.2026"));
    }
}
