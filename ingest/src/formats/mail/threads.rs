//! What makes messages one thread, where their headers do not say.

/// Marks that mail programs put before a subject: reply and forward in four languages and those of neighbours.
const MARKS: [&str; 15] =
    ["re", "aw", "wg", "fw", "fwd", "tr", "rif", "r", "i", "antw", "antwort", "sv", "vs", "rv", "ref"];

/// The subject without marks of replies and forwards, in lower case with single spaces.
pub(super) fn subject(subject: &str) -> String {
    let lower = subject.to_lowercase();
    let mut rest = lower.trim();
    // Every turn takes something away.
    loop {
        let before = rest;
        if let Some((mark, after)) = rest.split_once(':') {
            let mark = mark.trim().trim_end_matches(|c: char| c.is_ascii_digit() || "[]()".contains(c));
            if MARKS.contains(&mark) {
                rest = after.trim();
            }
        }
        if let Some((_, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            let tag = rest.get(1..rest.len() - after.len() - 1).unwrap_or_default();
            if matches!(tag, "extern" | "external" | "externe" | "esterno" | "ext") {
                rest = after.trim();
            }
        }
        if rest == before {
            break;
        }
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::subject;

    #[test]
    fn marks_of_replies_go() {
        for text in [
            "Türen Korridor",
            "Re: Türen  Korridor",
            "AW: WG: Türen Korridor",
            "RE[2]: tr : türen korridor",
            "[EXTERN] Rif: R: Türen Korridor",
        ] {
            assert_eq!(subject(text), "türen korridor", "{text}");
        }
        assert_eq!(subject("Frage: Türen"), "frage: türen");
        assert_eq!(subject("[Bau] Türen"), "[bau] türen");
        assert_eq!(subject("Re:"), "");
    }
}
