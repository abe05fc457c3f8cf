//! Units that the program misreads: it knows no raised 2 and 3, and guesses a question mark.

/// What may stand before the metre.
const PREFIXES: [&str; 5] = ["", "k", "c", "d", "m"];

/// The word with its units as they are meant: `W/(m?K)` is `W/(m²K)`, `m?/h` is `m³/h`, `KWh/m?` is `kWh/m²`.
pub(super) fn repaired(word: String) -> String {
    let is_unit = word.contains(['?', '°']) && word.contains('m') || word.starts_with('K');
    if !is_unit {
        return word;
    }
    let chars: Vec<char> = word.chars().collect();
    let mut out: String = chars.iter().enumerate().map(|(i, c)| raised(&chars, i).unwrap_or(*c)).collect();
    // A thousand is a small k; alone, KW is a week and KN somebody's initials.
    let alone = |unit: &str| out == unit;
    if alone("KWh") || ["KWh/", "KW/", "KN/", "Kg/"].iter().any(|unit| out.starts_with(unit)) {
        out.replace_range(..1, "k");
    }
    out
}

/// The raised digit that the character at a place is, where it follows a metre in a unit.
fn raised(chars: &[char], i: usize) -> Option<char> {
    let before: String = chars
        .get(..i)?
        .iter()
        .rev()
        .take_while(|c| c.is_alphabetic())
        .collect::<String>()
        .chars()
        .rev()
        .collect();
    let prefix = before.strip_suffix('m')?;
    let rest = chars.get(i + 1..).unwrap_or_default();
    let ends = |c: &char| "/)(*·-,.;:]".contains(*c);
    let fits = match chars.get(i)? {
        // A question mark ends a word; a unit may go on with what it is divided or multiplied by.
        '?' => rest.first().is_none_or(|c| ends(c) || *c == 'K' || *c == 'a'),
        '°' => rest.first() == Some(&'K') || is_rate(rest),
        _ => false,
    };
    if !fits || !PREFIXES.contains(&prefix) {
        return None;
    }
    Some(if is_rate(rest) { '³' } else { '²' })
}

/// True for what a volume is divided by: `/h`, `/(h·m²)`, `/s`.
fn is_rate(rest: &[char]) -> bool {
    matches!(rest, ['/', 'h' | 's', ..] | ['/', '(', 'h' | 's', ..])
}

#[cfg(test)]
mod tests {
    use super::repaired;

    #[test]
    fn raised_digits_of_units_are_put_back() {
        let cases = [
            ("W/(m?K)", "W/(m²K)"),
            ("m°K/W", "m²K/W"),
            ("m?", "m²"),
            ("cm?,", "cm²,"),
            ("KWh/m?", "kWh/m²"),
            ("KN/m?", "kN/m²"),
            ("m?/(h·m?)", "m³/(h·m²)"),
            ("m°/h", "m³/h"),
        ];
        for (read, meant) in cases {
            assert_eq!(repaired(read.into()), meant);
        }
    }

    #[test]
    fn questions_and_degrees_stay() {
        for word in ["KW", "Kosten", "Raum?", "warum?", "18°C", "m?x", "20°", "KWhx", "m", ""] {
            assert_eq!(repaired(word.into()), word);
        }
    }
}
