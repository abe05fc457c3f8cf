//! Where a passage may be cut.

/// Abbreviations whose full stop ends no sentence (lower case, without the stop).
const ABBREVIATIONS: &[&str] = &[
    "z.b", "d.h", "u.a", "o.ä", "i.d.r", "bzw", "resp", "inkl", "exkl", "ca", "max", "min", "nr", "art",
    "abs", "vgl", "gem", "usw", "etc", "evtl", "ev", "kap", "abb", "tab", "fig", "s", "p", "pos", "ziff",
    "bd", "hr", "fr", "dr", "st", "str", "tel", "mio", "bspw", "ggf", "sog", "lit", "al", "cf", "env",
    "p.ex", "no", "n", "vol", "ing", "arch", "dipl", "prof", "pag", "es", "ecc", "e.g", "i.e", "approx",
    "incl", "mr", "mrs", "ms", "vs", "sen", "jan", "feb", "aug", "sept", "okt", "nov", "dez",
];

/// Byte offsets at which sentences start after the first one.
pub(crate) fn starts(text: &str) -> Vec<usize> {
    let mut out = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\n' {
            out.push(at + 1);
            continue;
        }
        if !matches!(c, '.' | '!' | '?' | ';') {
            continue;
        }
        let Some(&(space, next)) = chars.peek() else { break };
        if next != ' ' {
            continue;
        }
        let start = space + 1;
        let follows = text.get(start..).and_then(|rest| rest.chars().next());
        let begins =
            follows.is_some_and(|c| c.is_uppercase() || c.is_numeric() || matches!(c, '«' | '"' | '(' | '•'));
        if (c == ';' || begins) && !(c == '.' && is_abbreviation(text.get(..at).unwrap_or(""))) {
            out.push(start);
        }
    }
    out.retain(|o| *o < text.len());
    out
}

/// The stop after this text belongs to an abbreviation, an initial or an ordinal.
fn is_abbreviation(before: &str) -> bool {
    let token = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or(before);
    let lower = token.to_lowercase();
    let ordinal = token.len() <= 2 && !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
    let initial = token.chars().count() == 1 && token.chars().all(char::is_uppercase);
    ordinal || initial || ABBREVIATIONS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        let mut cuts = vec![0];
        cuts.extend(starts(text));
        cuts.push(text.len());
        cuts.windows(2).map(|w| text[w[0]..w[1]].trim()).collect()
    }

    #[test]
    fn sentences_end_at_stops_only_where_one_begins() {
        assert_eq!(
            split("Gemäss Art. 5 gilt z.B. Stein. Am 12. März folgt die Abnahme. Ist das klar? Ja."),
            ["Gemäss Art. 5 gilt z.B. Stein.", "Am 12. März folgt die Abnahme.", "Ist das klar?", "Ja."]
        );
        assert_eq!(split("U = 0.17 W/(m2K). Grenzwert 0.20."), ["U = 0.17 W/(m2K).", "Grenzwert 0.20."]);
    }
}
