//! Units behind and before a number, as symbols and as words of the four languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold;

/// Symbols in plain writing; longer ones first where one begins another.
const SYMBOLS: [&str; 69] = [
    "h⁻¹", "m2k/w", "w/m2k", "kwh/m2", "mj/m2", "m3/hm2", "m3/h", "l/min", "l/s", "km/h", "m/s", "w/m2",
    "w/mk", "kg/m3", "kg/m2", "kn/m3", "kn/m2", "kn/m", "n/mm2", "kwh", "kwp", "mwh", "gwh", "wh", "kva",
    "kw", "mw", "kg", "kn", "mn", "mm2", "mm", "cm2", "cm3", "cm", "dm2", "dm3", "dm", "km2", "km", "m2",
    "m3", "ha", "dba", "db", "lux", "lx", "chf", "eur", "€", "kpa", "mpa", "pa", "mbar", "bar", "gj", "mj",
    "ppm", "%", "°c", "min", "h", "m", "l", "k", "t", "w", "n", "s",
];

/// Symbols that are written in several ways.
const SAME: [(&str, &str); 3] = [("dba", "db"), ("lux", "lx"), ("€", "eur")];

/// Written-out units by symbol, in plain writing. Words that mean something else behind a number as often
/// (`Ton`, `Grad` of an angle aside) are left out.
const WORDS: [(&str, &str); 27] = [
    ("mm", "millimeter millimetern millimeters millimetre millimetres millimetro millimetri"),
    ("cm", "zentimeter zentimetern centimeter centimeters centimetre centimetres centimetro centimetri"),
    ("m", "meter metern meters metre metres metro metri"),
    ("km", "kilometer kilometern kilometers kilometre kilometres chilometro chilometri"),
    ("ha", "hektar hektaren hectare hectares ettaro ettari"),
    ("%", "prozent percent percents pourcent percento procent"),
    ("t", "tonne tonnen tonnes tonnellata tonnellate"),
    ("kg", "kilogramm kilogramme kilogrammes kilogram kilograms chilogrammo chilogrammi"),
    ("l", "liter litern litre litres liters litro litri"),
    ("w", "watt watts"),
    ("kw", "kilowatt kilowatts chilowatt"),
    ("mw", "megawatt megawatts"),
    (
        "kwh",
        "kilowattstunde kilowattstunden kilowattheure kilowattheures kilowatthour kilowatthours kilowattora kilowattore",
    ),
    (
        "mwh",
        "megawattstunde megawattstunden megawattheure megawattheures megawatthours megawattora megawattore",
    ),
    ("db", "dezibel decibel decibels"),
    ("pa", "pascal"),
    ("kn", "kilonewton kilonewtons"),
    (
        "°c",
        "grad gradcelsius degre degres degrescelsius degree degrees degreescelsius degreecelsius grado gradi gradicelsius",
    ),
    ("k", "kelvin"),
    ("s", "sekunde sekunden seconde secondes second seconds secondo secondi"),
    ("min", "minute minuten minutes minuto minuti"),
    ("h", "stunde stunden heure heures hour hours ora ore"),
    ("day", "tag tage tagen jour jours day days giorno giorni"),
    ("week", "woche wochen semaine semaines week weeks settimana settimane"),
    ("month", "monat monate monaten mois month months mese mesi"),
    ("year", "jahr jahre jahren ans annee annees year years anno anni"),
    ("chf", "franken francs franc franchi franco fr"),
];

/// Units with others of their kind: how many of the kind's base unit one is, and that unit.
const BASES: [(&str, f64, &str); 45] = [
    ("mm", 0.001, "m"),
    ("cm", 0.01, "m"),
    ("dm", 0.1, "m"),
    ("m", 1.0, "m"),
    ("km", 1000.0, "m"),
    ("mm2", 1e-6, "m2"),
    ("cm2", 1e-4, "m2"),
    ("dm2", 0.01, "m2"),
    ("m2", 1.0, "m2"),
    ("ha", 1e4, "m2"),
    ("km2", 1e6, "m2"),
    ("cm3", 1e-6, "m3"),
    ("dm3", 0.001, "m3"),
    ("l", 0.001, "m3"),
    ("m3", 1.0, "m3"),
    ("kg", 1.0, "kg"),
    ("t", 1000.0, "kg"),
    ("n", 0.001, "kn"),
    ("kn", 1.0, "kn"),
    ("mn", 1000.0, "kn"),
    ("pa", 1.0, "pa"),
    ("kpa", 1000.0, "pa"),
    ("kn/m2", 1000.0, "pa"),
    ("mpa", 1e6, "pa"),
    ("n/mm2", 1e6, "pa"),
    ("mbar", 100.0, "pa"),
    ("bar", 1e5, "pa"),
    ("w", 1.0, "w"),
    ("kw", 1000.0, "w"),
    ("mw", 1e6, "w"),
    ("wh", 0.001, "kwh"),
    ("kwh", 1.0, "kwh"),
    ("mwh", 1000.0, "kwh"),
    ("gwh", 1e6, "kwh"),
    ("mj", 1.0 / 3.6, "kwh"),
    ("gj", 1000.0 / 3.6, "kwh"),
    ("kwh/m2", 1.0, "kwh/m2"),
    ("mj/m2", 1.0 / 3.6, "kwh/m2"),
    ("m3/h", 1.0, "m3/h"),
    ("l/s", 3.6, "m3/h"),
    ("l/min", 0.06, "m3/h"),
    ("s", 1.0, "s"),
    ("min", 60.0, "s"),
    ("h", 3600.0, "s"),
    ("day", 86_400.0, "s"),
];

/// How many of the base unit of its kind a unit is, and that unit; `None` where the unit has no other beside it.
pub(super) fn base(unit: &str) -> Option<(f64, &'static str)> {
    BASES.iter().find(|(u, ..)| *u == unit).map(|(_, factor, base)| (*factor, *base))
}

/// Every written-out unit with its symbol; lengths also squared and cubed, as one word without spaces.
static BY_WORD: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (symbol, words) in WORDS {
        for word in words.split(' ') {
            all.insert(fold(word), symbol.to_owned());
            if ["mm", "cm", "m", "km"].contains(&symbol) {
                for (power, before, behind) in [
                    ('2', ["quadrat", "square"], ["carre", "carres", "quadrato", "quadrati"]),
                    ('3', ["kubik", "cubic"], ["cube", "cubes", "cubo", "cubi"]),
                ] {
                    let powers = before.map(|b| format!("{b}{word}"));
                    let powers = powers.into_iter().chain(behind.map(|b| format!("{word}{b}")));
                    all.extend(powers.map(|w| (fold(&w), format!("{symbol}{power}"))));
                }
            }
        }
    }
    for (words, symbol) in [("percent", "%"), ("pourcent", "%"), ("percento", "%"), ("swissfrancs", "chf")] {
        all.insert(words.to_owned(), symbol.to_owned());
    }
    all
});

/// The unit at the start of a text: its symbol in plain writing (`mm`, `m2`, `%`, `w/m2k`), be it written out
/// or not; empty where there is none.
pub(super) fn unit_after(rest: &str) -> String {
    let here: String =
        rest.chars().take(40).take_while(|c| !matches!(c, '\n' | ';' | ',' | ':' | '|')).collect();
    let written = compact(&here);
    let symbol = SYMBOLS.iter().find(|u| {
        written.strip_prefix(**u).is_some_and(|after| {
            // A unit must stand alone, else every word that begins with it would be one; `kWh/m²a` is one too.
            u.contains('/') || !after.starts_with(char::is_alphanumeric) || stands_alone(&here, u)
        })
    });
    symbol.map(|u| usual(u).to_owned()).or_else(|| written_out(&here)).unwrap_or_default()
}

/// The unit that stands before a number: a currency, or the head of the number's column
/// (`Fläche m²: 38`, `Kosten CHF pro Jahr: 3’400`); empty where there is none.
pub(super) fn unit_before(before: &str) -> String {
    let bare = before.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, ':' | '=' | '≤' | '≥' | '<' | '>' | '-' | '−')
    });
    let cell = bare.rfind([';', '\n', '|']).map_or(bare, |i| bare.get(i + 1..).unwrap_or_default());
    let words: Vec<&str> = cell.split_whitespace().collect();
    let money =
        words.last().map(|w| fold(&compact(w))).filter(|w| ["chf", "fr", "eur", "€"].contains(&w.as_str()));
    if let Some(currency) = money {
        return if currency == "fr" { "chf".to_owned() } else { usual(&currency).to_owned() };
    }
    let head = before.trim_end().ends_with(':') && words.len() <= MAX_HEAD_WORDS;
    let unit_of = |word: &&str| {
        let compact = compact(word);
        SYMBOLS
            .iter()
            .find(|u| **u == compact || compact.starts_with(**u) && u.contains('/'))
            .map(|u| usual(u))
    };
    let symbol = if head { words.iter().find_map(unit_of) } else { None };
    symbol.map(str::to_owned).unwrap_or_default()
}

/// Words of a column's head, at most.
const MAX_HEAD_WORDS: usize = 7;

/// The word that directly follows a number and is no unit, in plain writing; empty before a mark or a function
/// word, which say nothing about what is counted.
pub(super) fn word_after(rest: &str) -> String {
    let Some(rest) = rest.strip_prefix([' ', '\u{a0}', '\u{202f}']) else { return String::new() };
    let word: String =
        rest.chars().take(60).take_while(|c| c.is_alphabetic() || matches!(c, '-' | '\u{ad}')).collect();
    let lower = word.to_lowercase();
    let empty = ingest::Language::ALL.into_iter().any(|l| super::is_stop_word(&lower, l));
    if empty { String::new() } else { fold(&word.replace('-', "")) }
}

/// Whether a word in plain writing is a unit, a part of one (`m2k`) or its name.
pub(crate) fn is_unit(plain: &str) -> bool {
    let part = |s: &&str| *s == plain || s.split('/').any(|p| p == plain);
    BY_WORD.contains_key(plain) || SYMBOLS.iter().any(part)
}

/// Words that make an area or a volume of a length, in plain writing.
const POWERS: [&str; 12] = [
    "quadrat", "square", "carre", "carres", "quadrato", "quadrati", "kubik", "cubic", "cube", "cubes",
    "cubo", "cubi",
];

/// Whether a word of a question names a unit or a part of one, which a passage mostly writes as a symbol.
pub(crate) fn names_unit(plain: &str) -> bool {
    is_unit(plain) || POWERS.contains(&plain)
}

/// A text in plain writing without spaces and brackets: `W/(m²K)` is `w/m2k`.
fn compact(text: &str) -> String {
    let marks = |c: &char| !c.is_whitespace() && !matches!(c, '(' | ')' | '·' | '*' | '⋅' | '.');
    let plain = text.chars().filter(marks).map(|c| match c {
        '²' => '2',
        '³' => '3',
        c => c,
    });
    plain.flat_map(char::to_lowercase).collect()
}

fn usual(symbol: &str) -> &str {
    SAME.iter().find(|(a, _)| *a == symbol).map_or(symbol, |(_, b)| *b)
}

/// Whether the symbol is followed by white space in the text.
fn stands_alone(text: &str, symbol: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    compact(word) == *symbol
}

/// A written-out unit of one or two words.
fn written_out(text: &str) -> Option<String> {
    let letters = |c: char| !(c.is_alphanumeric() || c == '\u{ad}');
    // Directly behind the number, or behind white space and a hyphen (`a 240-metre wall`).
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '-');
    let mut words = text.split([' ', '\u{a0}', '\u{202f}', '-']).map(|w| fold(w.trim_matches(letters)));
    let first = words.next().filter(|w| !w.is_empty())?;
    let both = words.next().map(|second| format!("{first}{second}"));
    let found = both.and_then(|b| BY_WORD.get(&b)).or_else(|| BY_WORD.get(&first));
    found.cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_out_units_are_their_symbols() {
        for (rest, unit) in [
            (" metres long", "m"),
            (" Metern", "m"),
            ("-metre wall", "m"),
            (" square metres", "m2"),
            (" Quadratmeter", "m2"),
            (" mètres carrés de surface", "m2"),
            (" metri quadrati", "m2"),
            (" metri", "m"),
            (" Kubikmeter", "m3"),
            (" cubic metres", "m3"),
            (" per cent of", "%"),
            (" pour cent", "%"),
            (" per cento", "%"),
            (" Prozent", "%"),
            (" degrees Celsius", "°c"),
            (" Grad Celsius", "°c"),
            (" kilowatt hours", "kwh"),
            (" Millimeter dick", "mm"),
            (" dB(A)", "db"),
            (" décibels", "db"),
            (" Franken", "chf"),
            (" ans", "year"),
            (" m² gross", "m2"),
            (" kWh/m²a", "kwh/m2"),
            (" Stück", ""),
            (" mineral panels", ""),
            (" hazards", ""),
        ] {
            assert_eq!(unit_after(rest), unit, "{rest}");
        }
    }

    #[test]
    fn heads_of_columns_and_currencies_stand_before() {
        for (before, unit) in [
            ("Raum 2.09; Fläche m²: ", "m2"),
            ("AW-01; U-Wert W/(m²K): ", "w/m2k"),
            ("Wartung; Kosten CHF pro Jahr: ", "chf"),
            ("Die Mehrkosten betragen CHF ", "chf"),
            ("Dicke mm: 437; Masse: ", ""),
            ("Die Dicke in mm beträgt ", ""),
        ] {
            assert_eq!(unit_before(before), unit, "{before}");
        }
    }

    #[test]
    fn what_is_counted_is_the_next_word() {
        assert_eq!(word_after(" Türen im Haus"), "turen");
        assert_eq!(word_after(", Türen"), "");
        assert_eq!(word_after(" und Türen"), "");
        assert_eq!(word_after(" | B0.06"), "");
    }
}
