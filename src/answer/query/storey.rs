//! Storeys, however they are called: `2. OG`, `1er étage`, `secondo piano`, `ground floor`, `Level 2`.

/// A storey by its place in the building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// Below the ground, counted downwards; any of them without a number.
    Basement(Option<u8>),
    /// At the ground.
    Ground,
    /// Above the ground, counted upwards; any of them without a number.
    Upper(Option<u8>),
    /// Under the roof.
    Attic,
    /// Between two others.
    Mezzanine,
}

impl Level {
    /// Whether a storey of a model is meant by this one of a question.
    pub(super) fn means(self, other: Level) -> bool {
        let same = |a: Option<u8>, b: Option<u8>| a.is_none() || b.is_none() || a == b;
        match (self, other) {
            (Level::Basement(a), Level::Basement(b)) => same(a, b.or(Some(1))),
            (Level::Upper(a), Level::Upper(b)) => same(a, b.or(Some(1))),
            _ => self == other,
        }
    }
}

const BASEMENT: &[&str] = &[
    "untergeschoss",
    "untergeschosses",
    "untergeschossen",
    "ug",
    "kellergeschoss",
    "keller",
    "sous sol",
    "sous-sol",
    "piano interrato",
    "interrato",
    "piano seminterrato",
    "seminterrato",
    "basement",
    "cellar",
    "soussol",
];
const GROUND: &[&str] = &[
    "erdgeschoss",
    "erdgeschosses",
    "eg",
    "parterre",
    "rez de chaussee",
    "rez",
    "rdc",
    "piano terra",
    "pianterreno",
    "piano terreno",
    "pt",
    "ground floor",
    "ground level",
    "ground storey",
];
const UPPER: &[&str] = &[
    "obergeschoss",
    "obergeschosses",
    "obergeschosse",
    "obergeschossen",
    "og",
    "upper floor",
    "upper floors",
    "piano superiore",
    "piani superiori",
];
/// What is a storey above the ground only with a number.
const COUNTED: &[&str] = &[
    "obergeschoss",
    "obergeschosses",
    "og",
    "stock",
    "stockwerk",
    "etage",
    "etages",
    "piano",
    "floor",
    "storey",
    "level",
    "niveau",
    "livello",
    "geschoss",
    "ebene",
];
const ATTIC: &[&str] = &[
    "dachgeschoss",
    "dachgeschosses",
    "dg",
    "attika",
    "attikageschoss",
    "estrich",
    "combles",
    "attique",
    "sottotetto",
    "attico",
    "mansarda",
    "attic",
    "attic floor",
];
const MEZZANINE: &[&str] =
    &["zwischengeschoss", "zg", "mezzanine", "entresol", "ammezzato", "piano ammezzato"];
/// Ordinal numbers in words, from the first on.
const ORDINALS: [&[&str]; 6] = [
    &["erste", "ersten", "erster", "erstes", "premier", "premiere", "primo", "prima", "first"],
    &["zweite", "zweiten", "zweiter", "zweites", "deuxieme", "second", "seconde", "secondo", "seconda"],
    &["dritte", "dritten", "drittes", "troisieme", "terzo", "terza", "third"],
    &["vierte", "vierten", "viertes", "quatrieme", "quarto", "quarta", "fourth"],
    &["funfte", "funften", "funftes", "cinquieme", "quinto", "quinta", "fifth"],
    &["sechste", "sechsten", "sixieme", "sesto", "sesta", "sixth"],
];
/// What stands behind the digits of an ordinal number.
const ENDINGS: [&str; 13] = ["er", "ere", "e", "eme", "ieme", "st", "nd", "rd", "th", "o", "a", "ter", "ten"];

/// The storey that these folded words begin with, and how many of them say it.
pub(super) fn level_at(words: &[&str]) -> Option<(Level, usize)> {
    if let Some((n, taken)) = ordinal(words) {
        let rest = words.get(taken..).unwrap_or_default();
        if let Some(length) = said(BASEMENT, rest) {
            return Some((Level::Basement(Some(n)), taken + length));
        }
        if let Some(length) = said(COUNTED, rest) {
            return Some((Level::Upper(Some(n)), taken + length));
        }
        return None;
    }
    let single = |list: &[&str]| said(list, words);
    let numbered = |length: usize| words.get(length).and_then(|w| number(w));
    if let Some(length) = single(MEZZANINE) {
        return Some((Level::Mezzanine, length));
    }
    if let Some(length) = single(GROUND) {
        return Some((Level::Ground, length));
    }
    if let Some(length) = single(BASEMENT) {
        return Some(match numbered(length) {
            Some(n) => (Level::Basement(Some(n)), length + 1),
            None => (Level::Basement(None), length),
        });
    }
    if let Some((length, n)) = single(COUNTED).and_then(|l| Some((l, numbered(l)?))) {
        let level = if n == 0 { Level::Ground } else { Level::Upper(Some(n)) };
        return Some((level, length + 1));
    }
    if let Some(length) = single(UPPER) {
        return Some((Level::Upper(None), length));
    }
    if let Some(length) = single(ATTIC) {
        return Some((Level::Attic, length));
    }
    joined(words.first()?).map(|level| (level, 1))
}

/// `og2`, `ug1`, `eg0`.
fn joined(word: &str) -> Option<Level> {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = word.get(..word.len() - digits.len())?;
    let n = number(digits.trim_start_matches(['-', '.', '_']))?;
    match letters {
        "og" => Some(Level::Upper(Some(n))),
        "ug" => Some(Level::Basement(Some(n))),
        "eg" => Some(Level::Ground),
        _ => None,
    }
}

/// An ordinal number at the start: `2`, `2` `e`, `zweiten`; how many words it takes.
fn ordinal(words: &[&str]) -> Option<(u8, usize)> {
    let first = *words.first()?;
    if let Some(at) = ORDINALS.iter().position(|forms| forms.contains(&first)) {
        return u8::try_from(at + 1).ok().map(|n| (n, 1));
    }
    if matches!(first, "-" | "−") {
        return words.get(1).and_then(|w| number(w)).map(|n| (n, 2));
    }
    let n = number(first)?;
    let ending = words.get(1).is_some_and(|w| ENDINGS.contains(w));
    Some((n, 1 + usize::from(ending)))
}

fn number(word: &str) -> Option<u8> {
    (word.len() <= 2).then(|| word.parse().ok()).flatten()
}

/// Length in words of the form of a list that these words begin with; the longest one.
fn said(list: &[&str], words: &[&str]) -> Option<usize> {
    let begins = |form: &&&str| {
        let n = form.split(' ').count();
        words.get(..n).is_some_and(|w| w.join(" ") == **form)
    };
    list.iter().filter(begins).map(|form| form.split(' ').count()).max()
}

/// The storey that a name of a model says: `01 Obergeschoss`, `Erdgeschoss Turnhalle`, `OG2`.
pub(super) fn level_in(name: &str) -> Option<Level> {
    let words = super::words::folded(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    (0..words.len()).find_map(|at| level_at(words.get(at..)?).map(|(level, _)| level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storeys_in_four_languages() {
        for (text, level) in [
            ("2. OG", Level::Upper(Some(2))),
            ("2.OG", Level::Upper(Some(2))),
            ("OG 2", Level::Upper(Some(2))),
            ("OG2", Level::Upper(Some(2))),
            ("zweiten Stock", Level::Upper(Some(2))),
            ("1. Obergeschoss", Level::Upper(Some(1))),
            ("1er étage", Level::Upper(Some(1))),
            ("premier étage", Level::Upper(Some(1))),
            ("2e étage", Level::Upper(Some(2))),
            ("2ème étage", Level::Upper(Some(2))),
            ("secondo piano", Level::Upper(Some(2))),
            ("1° piano", Level::Upper(Some(1))),
            ("first floor", Level::Upper(Some(1))),
            ("2nd floor", Level::Upper(Some(2))),
            ("Level 3", Level::Upper(Some(3))),
            ("niveau 0", Level::Ground),
            ("EG", Level::Ground),
            ("rez-de-chaussée", Level::Ground),
            ("piano terra", Level::Ground),
            ("ground floor", Level::Ground),
            ("1. UG", Level::Basement(Some(1))),
            ("-1. Untergeschoss", Level::Basement(Some(1))),
            ("sous-sol", Level::Basement(None)),
            ("piano interrato", Level::Basement(None)),
            ("Dachgeschoss", Level::Attic),
            ("sottotetto", Level::Attic),
            ("Erdgeschoss Turnhalle", Level::Ground),
            ("01 Obergeschoss", Level::Upper(Some(1))),
        ] {
            assert_eq!(level_in(text), Some(level), "{text}");
        }
        for text in ["Haus A", "60 m2", "Piano di emergenza", "RFI-014"] {
            assert_eq!(level_in(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_that_is_not_said_is_the_first() {
        assert!(Level::Upper(Some(1)).means(Level::Upper(None)), "a building with one upper floor");
        assert!(!Level::Upper(Some(2)).means(Level::Upper(None)));
        assert!(Level::Upper(None).means(Level::Upper(Some(2))), "all upper floors");
        assert!(!Level::Ground.means(Level::Upper(None)));
    }
}
