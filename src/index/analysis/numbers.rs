//! Numbers in text: where they end, how they are written alike, what they are worth.

use super::ident;

/// Whether `next`, standing after `last` and before `after`, is part of a number.
pub(super) fn joins(last: char, next: char, after: Option<char>) -> bool {
    last.is_ascii_digit()
        && after.is_some_and(|c| c.is_ascii_digit())
        && matches!(next, '.' | ',' | '\'' | '\u{2019}')
}

/// The common form of a number: no thousands marks, a point for the decimals. `None` for words.
pub(super) fn normalise(token: &str) -> Option<String> {
    let mut chars = token.chars();
    if !chars.next()?.is_ascii_digit() || !token.chars().next_back()?.is_ascii_digit() {
        return None;
    }
    if !token.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{2019}')) {
        return None;
    }
    Some(
        token
            .chars()
            .filter(|c| !matches!(c, '\'' | '\u{2019}'))
            .map(|c| if c == ',' { '.' } else { c })
            .collect(),
    )
}

/// A number of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// Its common form without trailing zeros: `0,180` is `0.18`.
    pub value: String,
    /// The unit behind it in plain writing (`mm`, `m2`, `%`, `w/m2k`), empty where there is none.
    pub unit: String,
}

/// Units that stand after a number, in plain writing; longer ones first where one begins another.
const UNITS: [&str; 36] = [
    "w/m2k", "kwh/m2", "mj/m2", "m3/hm2", "m3/h", "l/s", "w/m2", "w/mk", "kg/m3", "kn/m2", "n/mm2", "kwh",
    "kwp", "mwh", "kva", "kw", "kg", "kn", "mm", "cm", "km", "m2", "m3", "ha", "db", "lux", "lx", "chf",
    "pa", "%", "°c", "min", "h", "m", "l", "k",
];

/// The numbers of a text, with the units behind them. Digits inside identifiers
/// (`EI30`, `T-1.03`) are not numbers.
pub(crate) fn figures(text: &str) -> Vec<Figure> {
    let named = ident::identifiers(text);
    let mut figures = Vec::new();
    for token in super::tokenize(text) {
        let inside = named.iter().any(|i| i.start <= token.start && token.end <= i.end);
        if inside {
            continue;
        }
        let raw = &text[token.start..token.end];
        let digits = raw
            .char_indices()
            .take_while(|(_, c)| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{2019}'));
        let Some(length) = digits.last().map(|(at, c)| at + c.len_utf8()) else { continue };
        let Some(number) = raw.get(..length).and_then(normalise) else { continue };
        let end = token.start + length;
        figures.push(Figure {
            start: token.start,
            end,
            value: trim_zeros(&number),
            unit: unit_after(&text[end..]),
        });
    }
    figures
}

/// `0.180` → `0.18`, `4.0` → `4`; dates and version numbers (several points) stay.
fn trim_zeros(number: &str) -> String {
    let stripped = if number.matches('.').count() == 1 {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    let whole = stripped.trim_start_matches('0');
    if whole.is_empty() || whole.starts_with('.') { format!("0{whole}") } else { whole.to_owned() }
}

/// The unit at the start of a text, in plain writing; empty where there is none.
pub(super) fn unit_after(rest: &str) -> String {
    let compact: String = rest
        .chars()
        .take(16)
        .take_while(|c| !matches!(c, '\n' | ';' | ',' | ':'))
        .filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '·' | '*' | '⋅' | '.'))
        .flat_map(|c| match c {
            '²' => '2'.to_lowercase(),
            '³' => '3'.to_lowercase(),
            c => c.to_lowercase(),
        })
        .collect();
    let found = UNITS.iter().find(|u| {
        compact.strip_prefix(**u).is_some_and(|after| {
            // A one-letter unit must stand alone, else every word that begins with it would be one.
            u.len() > 2 || after.chars().next().is_none_or(|c| !c.is_alphanumeric()) || spaced(rest, u)
        })
    });
    found.map(|u| (*u).to_owned()).unwrap_or_default()
}

/// Whether the unit is followed by white space in the original text.
fn spaced(rest: &str, unit: &str) -> bool {
    let word: String = rest.trim_start().chars().take_while(|c| !c.is_whitespace()).collect();
    super::fold(&word) == *unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_units() {
        let found: Vec<(String, String)> =
            figures("U = 0,180 W/(m²·K), 1’250.50 m², 35 dB, 200 mm dick, 4.0 Stück, 95 %")
                .into_iter()
                .map(|f| (f.value, f.unit))
                .collect();
        let expected =
            [("0.18", "w/m2k"), ("1250.5", "m2"), ("35", "db"), ("200", "mm"), ("4", ""), ("95", "%")];
        assert_eq!(found, expected.map(|(v, u)| (v.to_owned(), u.to_owned())));
    }

    #[test]
    fn identifiers_are_no_numbers() {
        assert_eq!(figures("Tür T-1.03 in EI30, RFI-0042"), []);
    }

    #[test]
    fn whole_numbers_keep_their_zeros() {
        assert_eq!(figures("100 Personen, 0 Türen")[0].value, "100");
        assert_eq!(figures("100 Personen, 0 Türen")[1].value, "0");
    }
}
