//! Sentences of a passage: prose sentences, table rows and `label: value` lines.

/// Abbreviations whose point ends no sentence.
const ABBREVIATIONS: [&str; 40] = [
    "bzw", "ca", "z", "b", "d", "h", "u", "a", "nr", "no", "art", "abs", "kap", "ziff", "inkl", "exkl",
    "gem", "min", "max", "evtl", "vgl", "abb", "tab", "og", "ug", "eg", "st", "dr", "e.g", "i.e", "fig",
    "p.ex", "env", "resp", "n", "s", "geschl", "dipl", "ing", "m ü",
];

/// A sentence and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    /// First byte in the passage.
    pub start: usize,
    /// The sentence, trimmed; line breaks inside it are kept.
    pub text: &'a str,
}

/// Cuts a passage into sentences. Every non-blank byte belongs to exactly one.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut out = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let rest = text.get(end..).unwrap_or_default();
        let cut = match c {
            '\n' => line_ends(text.get(start..at).unwrap_or_default(), rest),
            '.' | '!' | '?' => stops(text.get(start..at).unwrap_or_default(), rest),
            _ => false,
        };
        if cut {
            push(text, start, end, &mut out);
            start = end;
        }
    }
    push(text, start, text.len(), &mut out);
    out
}

fn push<'a>(text: &'a str, start: usize, end: usize, out: &mut Vec<Sentence<'a>>) {
    let raw = text.get(start..end).unwrap_or_default();
    let trimmed = raw.trim();
    if trimmed.chars().any(char::is_alphanumeric) {
        let lead = raw.len() - raw.trim_start().len();
        out.push(Sentence { start: start + lead, text: trimmed });
    }
}

/// Whether a point, question or exclamation mark after `before` ends the sentence.
pub(super) fn stops(before: &str, rest: &str) -> bool {
    let mut after = rest.chars();
    match after.next() {
        None => return true,
        Some(c) if !c.is_whitespace() => return false,
        _ => {}
    }
    let next = rest.trim_start().chars().next();
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    // "1. Obergeschoss", "3. März": an ordinal; "ca. 20", "Nr. 5": an abbreviation.
    let ordinal = number && word.len() <= 2;
    let abbreviation = ABBREVIATIONS.contains(&word.to_lowercase().as_str());
    let goes_on = next.is_some_and(char::is_lowercase);
    !(ordinal || abbreviation || goes_on)
}

/// Whether a line break ends the sentence: rows, labels and headings stand on lines of their own,
/// prose flows on.
fn line_ends(before: &str, rest: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let next = rest.split('\n').next().unwrap_or_default();
    if next.trim().is_empty() || is_row(line) || is_row(next) {
        return true;
    }
    // A short line without a mark at its end before a capital is a heading or a list entry.
    let flows = next.trim_start().chars().next().is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
    !flows && line.trim().chars().count() < 45
}

/// Table rows (`a | b`, tabs) and `Label: value` lines.
pub(super) fn is_row(line: &str) -> bool {
    let line = line.trim();
    let bullet = line.starts_with(['•', '–', '▪', '*']) || line.starts_with("- ");
    if bullet || line.contains(" | ") || line.contains('\t') || super::rows::parse(line).is_some() {
        return true;
    }
    line.split_once(": ").is_some_and(|(label, value)| {
        !value.trim().is_empty() && label.split_whitespace().count() <= 5 && !label.contains(['.', ',', ';'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|s| s.text).collect()
    }

    #[test]
    fn prose_breaks_at_its_points_only() {
        assert_eq!(
            texts("Die Türen im 1. Obergeschoss sind ca. 2.10 m hoch.\nSie erfüllen EI30. Nr. 5 nicht!"),
            ["Die Türen im 1. Obergeschoss sind ca. 2.10 m hoch.", "Sie erfüllen EI30.", "Nr. 5 nicht!"]
        );
    }

    #[test]
    fn flowing_lines_are_one_sentence() {
        assert_eq!(
            texts("Die Aussenwand besteht aus einem Holzelement mit einer\nDämmung aus Glaswolle."),
            ["Die Aussenwand besteht aus einem Holzelement mit einer\nDämmung aus Glaswolle."]
        );
    }

    #[test]
    fn rows_and_labels_stand_alone() {
        assert_eq!(
            texts("Code | U-Wert\nAW-01 | 0.15\nStatus: offen\nFrage: Welche Kote gilt?\nAntwort: 3.93 m."),
            [
                "Code | U-Wert",
                "AW-01 | 0.15",
                "Status: offen",
                "Frage: Welche Kote gilt?",
                "Antwort: 3.93 m."
            ]
        );
    }

    #[test]
    fn rows_with_labels_are_not_run_together() {
        let rows = "AW-01; Bauteil: Aussenwand; U-Wert W/(m²K): 0.15\nAW-02; Bauteil: Kellerwand; U-Wert W/(m²K): 0.21";
        assert_eq!(texts(rows).len(), 2);
    }

    proptest::proptest! {
        #[test]
        fn sentences_lie_in_order(text in "\\PC{0,300}") {
            let mut last = 0;
            for s in sentences(&text) {
                proptest::prop_assert!(s.start >= last && text[s.start..].starts_with(s.text));
                last = s.start + s.text.len();
            }
        }
    }
}
