//! Small rules about written text that several readers share.

/// Words after which a hyphen at a line's end is a suspended one: "Bau- und Holzarbeiten".
const CONJUNCTIONS: [&str; 17] = [
    "und", "oder", "bzw.", "bzw", "sowie", "bis", "resp.", "als", "wie", "et", "ou", "e", "ed", "o", "and",
    "or", "to",
];

/// True where `before` ends in a hyphen that only parts a word over two lines and `next` carries on with it.
///
/// "Wärme-" + "dämmung" joins; "Bau-/Holz-" + "arbeiten", "Bau-" + "und" and "SIA-" + "Norm" do not.
pub(crate) fn joins_over_hyphen(before: &str, next: &str) -> bool {
    let Some(stem) = before.strip_suffix('-') else { return false };
    let token = stem.rsplit(char::is_whitespace).next().unwrap_or(stem);
    let parted = stem.chars().next_back().is_some_and(char::is_alphabetic);
    let carries_on = next.chars().next().is_some_and(char::is_lowercase);
    let suspended = token.contains("-/") || token.contains("/") || CONJUNCTIONS.contains(&next);
    // A capital in the stem's end ("EG-", "SIA-") is an abbreviation, whose hyphen belongs to the word.
    let abbreviation = token.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    parted && carries_on && !suspended && !abbreviation
}

/// Appends a line to running text: a space between, nothing after a hyphen that belongs to the word, and
/// the hyphen itself gone where it only parted a word.
pub(crate) fn append_line(out: &mut String, line: &str) {
    let line = line.trim();
    if line.is_empty() {
        return;
    }
    let next = line.split_whitespace().next().unwrap_or(line);
    if joins_over_hyphen(out, next) {
        out.pop();
    } else if !out.is_empty() && !glues(out, next) && !out.ends_with('\n') {
        out.push(' ');
    }
    out.push_str(line);
}

/// "Energie-" + "Bezugsfläche": the hyphen stays and no space follows.
fn glues(before: &str, next: &str) -> bool {
    let after_letter =
        before.strip_suffix('-').is_some_and(|s| s.chars().next_back().is_some_and(char::is_alphanumeric));
    let letter = next.chars().next().is_some_and(char::is_alphabetic);
    after_letter && letter && !CONJUNCTIONS.contains(&next)
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
