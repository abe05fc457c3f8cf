//! Units and codes that the program misreads: it knows no raised 2 and 3 and guesses a question mark, and takes
//! a stroke for a letter and a nought for an O.

/// What may stand before the metre.
const PREFIXES: [&str; 5] = ["", "k", "c", "d", "m"];
/// Units that are divided by something, the longer first.
const DIVIDED: [&str; 6] = ["kWh", "MJ", "kW", "kN", "kg", "W"];
/// Classes of fire resistance.
const FIRE: [&str; 5] = ["REI", "EI", "EW", "R", "E"];

/// The word as it is meant: `W/(m?K)` is `W/(m²K)`, `m?/h` is `m³/h`, `KWh/m?` is `kWh/m²`, `EI3O` is `EI30`.
pub(super) fn repaired(word: String) -> String {
    let may_be_wrong = word.contains(['?', '°', 'O']) || word.starts_with(['K', 'k', 'M', 'W']);
    if !may_be_wrong || word.chars().count() > 30 {
        return word;
    }
    let word = with_small_k(word);
    let word = divided(&word).unwrap_or(word);
    let mut chars: Vec<char> = word.chars().collect();
    for i in 0..chars.len() {
        if let Some(digit) = raised(&chars, i)
            && let Some(c) = chars.get_mut(i)
        {
            *c = digit;
        }
    }
    let word: String = chars.iter().collect();
    // `m?2`: the guess and the digit.
    let word = word.replace("m²2", "m²").replace("m²3", "m³");
    fire_class(&word).unwrap_or(word)
}

/// A thousand is a small k; alone, KW is a week and KN somebody's initials.
fn with_small_k(mut word: String) -> String {
    if word == "KWh" || ["KWh/", "KW/", "KN/", "Kg/"].iter().any(|unit| word.starts_with(unit)) {
        word.replace_range(..1, "k");
    }
    word
}

/// `WI(m2K)`, `MJim?`, `kWhla`: a stroke that was taken for a letter.
fn divided(word: &str) -> Option<String> {
    let (unit, rest) = DIVIDED.iter().find_map(|unit| Some((*unit, word.strip_prefix(unit)?)))?;
    let by = rest.strip_prefix(['I', 'l', 'i', '|'])?;
    let fits = match by.chars().collect::<Vec<_>>().as_slice() {
        ['(', 'm', ..] | ['m', '²' | '³' | '2' | '3' | '?', ..] => true,
        ['a'] => unit == "kWh",
        _ => false,
    };
    fits.then(|| format!("{unit}/{by}"))
}

/// The raised digit that the character at a place is, where it follows a metre in a unit.
fn raised(chars: &[char], i: usize) -> Option<char> {
    let before = chars.get(..i)?;
    let letters = before.iter().rev().take_while(|c| c.is_alphabetic()).count();
    let unit: String = before.get(i - letters..)?.iter().collect();
    let prefix = unit.strip_suffix('m')?;
    let rest = chars.get(i + 1..).unwrap_or_default();
    let fits = match chars.get(i)? {
        // A question mark ends a word; a unit may go on with what it is divided or multiplied by.
        '?' => rest.first().is_none_or(|c| "/)(*·-,.;:]Ka23".contains(*c)),
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

/// `EI3O`, `REI9O-RF1`: a class has minutes, which end with a nought.
fn fire_class(word: &str) -> Option<String> {
    let (class, rest) = FIRE.iter().find_map(|class| Some((*class, word.strip_prefix(class)?)))?;
    let (minutes, rest) = rest.split_at_checked(rest.find('O')?)?;
    let is_number = (1..=2).contains(&minutes.len()) && minutes.bytes().all(|b| b.is_ascii_digit());
    let rest = rest.strip_prefix('O')?;
    let ends = rest.is_empty() || rest.starts_with(['-', '/', ',', ' ']);
    (is_number && ends).then(|| format!("{class}{minutes}0{rest}"))
}

#[cfg(test)]
mod tests {
    use super::repaired;

    #[test]
    fn units_and_classes_are_put_right() {
        let cases = [
            ("W/(m?K)", "W/(m²K)"),
            ("m°K/W", "m²K/W"),
            ("m?", "m²"),
            ("cm?,", "cm²,"),
            ("KWh/m?", "kWh/m²"),
            ("kWh/m?2", "kWh/m²"),
            ("KN/m?", "kN/m²"),
            ("m?/(h·m?)", "m³/(h·m²)"),
            ("m°/h", "m³/h"),
            ("WI(m?K)", "W/(m²K)"),
            ("MJim?", "MJ/m²"),
            ("kWhla", "kWh/a"),
            ("EI3O", "EI30"),
            ("REI9O-RF1", "REI90-RF1"),
        ];
        for (read, meant) in cases {
            assert_eq!(repaired(read.into()), meant);
        }
    }

    #[test]
    fn other_words_stay() {
        let words = [
            "KW", "Kosten", "Raum?", "warum?", "18°C", "m?x", "20°", "KWhx", "m", "", "Wimper", "Wien",
            "Willi", "E1Ofen", "CO", "OK", "EO", "Mail", "W", "kW", "R1O2", "H2O",
        ];
        for word in words {
            assert_eq!(repaired(word.into()), word);
        }
    }
}
