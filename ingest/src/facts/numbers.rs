//! Decimals and units as energy proofs write them.

use super::labels::fold;

/// A number at the start of a text, and what follows it.
///
/// Apostrophes and narrow spaces group; a comma is the decimal sign of French and Italian forms. The number is given
/// with a point and as many digits as were written.
pub(crate) fn decimal(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let mut out = String::new();
    let mut end = 0;
    let mut point = false;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for (i, (at, c)) in chars.iter().enumerate() {
        let next_is_digit = chars.get(i + 1).is_some_and(|(_, n)| n.is_ascii_digit());
        match c {
            '-' | '−' if out.is_empty() && next_is_digit => out.push('-'),
            c if c.is_ascii_digit() => out.push(*c),
            '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}' if !out.is_empty() && next_is_digit && !point =>
                {}
            ' ' if !point && groups_of_three(text, *at) && !out.is_empty() => {}
            '.' | ',' if !point && !out.is_empty() && next_is_digit => {
                out.push('.');
                point = true;
            }
            _ => break,
        }
        end = at + c.len_utf8();
    }
    // A number that goes on in letters is a code, a date or a standard's name.
    let rest = text.get(end..)?;
    let digits = out.chars().filter(char::is_ascii_digit).count();
    let broken = rest.starts_with(['/', '.', ':']) && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    (digits > 0 && digits <= 15 && !broken).then_some((out, rest))
}

/// A space that groups thousands: one to three digits before it, exactly three after it.
fn groups_of_three(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let lead = before.chars().rev().take_while(char::is_ascii_digit).count();
    let after = text.get(at + 1..).unwrap_or_default();
    let digits = after.chars().take_while(char::is_ascii_digit).count();
    (1..=3).contains(&lead) && digits == 3
}

/// The first number in a text.
pub(crate) fn first_decimal(text: &str) -> Option<(String, &str)> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c.is_ascii_digit() && !before.is_alphanumeric() && !matches!(before, '/' | '.' | ':') {
            return decimal(text.get(at..)?);
        }
        before = c;
    }
    None
}

/// The unit in a text, as facts name it.
pub(crate) fn unit(text: &str) -> Option<&'static str> {
    let text: String =
        fold(text).chars().filter(|c| !matches!(c, ' ' | '·' | '*' | '.' | '⋅' | '^')).collect();
    let has = |wanted: &[&str]| wanted.iter().any(|w| text.contains(w));
    if has(&["w/(m2k", "w/m2k", "w/k/m2", "wm-2k-1"]) {
        Some("W/(m2.K)")
    } else if has(&["kwh/(m2", "kwh/m2"]) {
        Some("kWh/m2")
    } else if has(&["mj/(m2", "mj/m2"]) {
        Some("MJ/m2")
    } else if has(&["kwh", "mwh"]) {
        Some("kWh")
    } else if has(&["w/m2", "m3", "m2k", "m2/p", "w/m"]) {
        Some("other")
    } else if has(&["m2"]) {
        Some("m2")
    } else if has(&["%", "°c", "kw", "w/k"]) {
        Some("other")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_four_countries() {
        let cases = [
            ("2’268 m²", Some("2268")),
            ("50'060 kWh/a", Some("50060")),
            ("1 080 m²", Some("1080")),
            ("22,1 kWh/m²", Some("22.1")),
            ("0.20", Some("0.20")),
            ("2’581.2", Some("2581.2")),
            ("−8 °C", Some("-8")),
            ("27.02.2026", None),
            ("380/1", None),
            ("nicht beheizt", None),
        ];
        for (text, expected) in cases {
            assert_eq!(decimal(text).map(|d| d.0).as_deref(), expected, "{text}");
        }
        assert_eq!(first_decimal("U = 0.15 W/(m²K)").unwrap().0, "0.15");
        assert_eq!(first_decimal("AW-01 und C30"), Some(("01".into(), " und C30")));
    }

    #[test]
    fn units_in_their_spellings() {
        for text in ["W/(m²K)", "W/m2K", "[W/(m²·K)]"] {
            assert_eq!(unit(text), Some("W/(m2.K)"), "{text}");
        }
        for (text, expected) in [
            ("kWh/m²", Some("kWh/m2")),
            ("MJ/m²", Some("MJ/m2")),
            ("kWh/a", Some("kWh")),
            ("m²", Some("m2")),
            ("", None),
            ("W/K", Some("other")),
        ] {
            assert_eq!(unit(text), expected, "{text}");
        }
    }
}
