//! A question as words, numbers with units, storeys, codes and dates, each with what it says.

use ingest::Language;

use super::lexicon::{Compare, LEXICON, Mark};
use super::storey::{Level, level_at};
use crate::catalog::Measure;
use crate::index::{fold, ident};

/// A piece of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// As it stands in the question.
    pub text: String,
    pub what: What,
}

/// What a piece is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// Words of the list, with everything that they can mean.
    Known(Vec<Vec<Mark>>),
    /// `>`, `≥` and their kin.
    Sign(Compare),
    /// A number, with the measure and factor of its unit where it has one.
    Number(f64, Option<Unit>),
    /// `EI30`: letters, minutes.
    Fire(String, u32),
    /// A storey.
    Level(Level),
    /// `Haus A`: the key of the building.
    Building(String),
    /// A day, ISO 8601.
    Day(String),
    /// A year of our time.
    Year(i16),
    /// `FE-01`, `T-1.03`, `RFI-014`: letters and digits.
    Code,
    /// Any other word.
    Word,
}

/// A unit: what it measures, where that is certain, and how much of the SI unit it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    pub dimension: Dimension,
    pub factor: f64,
}

/// What a unit can measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    Length,
    Area,
    Volume,
    Transmittance,
    /// What models state as a text only, by its symbol in plain writing.
    Stated(&'static str),
}

impl Dimension {
    /// Whether a measure has this dimension.
    pub(super) fn is_of(self, measure: Measure) -> bool {
        self == match measure {
            Measure::Area => Dimension::Area,
            Measure::Volume => Dimension::Volume,
            Measure::UValue => Dimension::Transmittance,
            _ => Dimension::Length,
        }
    }
}

/// A word, number or sign with its place.
#[derive(Debug, Clone)]
pub(super) struct Raw {
    start: usize,
    end: usize,
    pub folded: String,
}

/// The folded words of a text, as the list and storeys have them.
pub(super) fn folded(text: &str) -> Vec<String> {
    raws(text).into_iter().map(|r| r.folded).collect()
}

/// Cuts a text: runs of letters (digits may follow: `m2`, `OG1`), numbers, signs of comparing. A code such as `FE-01`
/// stays together.
pub(super) fn raws(text: &str) -> Vec<Raw> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let at = |i: usize| chars.get(i).map(|(_, c)| *c);
    let mut out = Vec::new();
    let mut i = 0;
    while let Some((start, c)) = chars.get(i).copied() {
        let from = i;
        if c.is_alphabetic() {
            while at(i).is_some_and(|c| c.is_alphanumeric() || is_joined(at(i - 1), c, at(i + 1))) {
                i += 1;
            }
        } else if c.is_ascii_digit() {
            let inside = |c: char| matches!(c, '.' | ',' | '\'' | '’');
            while at(i).is_some_and(|c| c.is_ascii_digit())
                || at(i).is_some_and(inside) && at(i + 1).is_some_and(|c| c.is_ascii_digit())
            {
                i += 1;
            }
        } else {
            i += 1;
            if matches!(c, '<' | '>') && at(i) == Some('=') {
                i += 1;
            }
            if !matches!(c, '<' | '>' | '≤' | '≥' | '=' | '-' | '−') {
                continue;
            }
            // A minus says something only before a number that stands alone: `-1. UG`.
            let number = at(i).is_some_and(|c| c.is_ascii_digit());
            let before = from.checked_sub(1).and_then(at);
            if matches!(c, '-' | '−') && !(number && before.is_none_or(char::is_whitespace)) {
                continue;
            }
        }
        let end = chars.get(i).map_or(text.len(), |(at, _)| *at);
        let word = text.get(start..end).unwrap_or_default();
        out.push(Raw { start, end, folded: fold(word) });
    }
    out
}

/// Whether a hyphen or point stands inside of a code: between letters or digits and a digit.
fn is_joined(before: Option<char>, c: char, after: Option<char>) -> bool {
    matches!(c, '-' | '.' | '_' | '/')
        && after.is_some_and(|a| a.is_ascii_digit())
        && before.is_some_and(char::is_alphanumeric)
}

/// Reads a question.
pub(super) fn read(text: &str, language: Option<Language>) -> Vec<Item> {
    let raws = raws(text);
    let named = ident::identifiers(text);
    let mut items = Vec::new();
    let mut at = 0;
    while at < raws.len() {
        let rest = raws.get(at..).unwrap_or_default();
        let (taken, what) = next(text, rest, &named, language);
        let taken = taken.max(1);
        let last = raws.get((at + taken - 1).min(raws.len() - 1));
        let span = rest.first().zip(last).and_then(|(a, b)| text.get(a.start..b.end));
        items.push(Item { text: span.unwrap_or_default().to_owned(), what });
        at += taken;
    }
    items
}

/// What the next words are, and how many of them.
fn next(text: &str, rest: &[Raw], named: &[ident::Identifier], language: Option<Language>) -> (usize, What) {
    let Some(first) = rest.first() else { return (1, What::Word) };
    let words: Vec<&str> = rest.iter().map(|r| r.folded.as_str()).collect();
    let within = named.iter().find(|i| i.start <= first.start && first.end <= i.end);
    let covered = |end: usize| rest.iter().take_while(|r| r.end <= end).count();
    if let Some(key) = within.and_then(|i| i.keys.iter().find(|k| k.starts_with("building:"))) {
        return (covered(within.map_or(0, |i| i.end)), What::Building(key.clone()));
    }
    if let Some((letters, minutes, n)) = fire_at(&words) {
        return (n, What::Fire(letters, minutes));
    }
    if let Some((level, n)) = level_at(&words) {
        return (n, What::Level(level));
    }
    if let Some((day, n)) = day_at(text, rest) {
        return (n, What::Day(day));
    }
    if first.folded.starts_with(|c: char| c.is_ascii_digit()) {
        return number_at(&words);
    }
    if let Some(sign) = sign(&first.folded) {
        return (1, What::Sign(sign));
    }
    if let Some((n, marks)) = LEXICON.longest(&words, language) {
        return (n, What::Known(marks));
    }
    let code = first.folded.chars().any(|c| c.is_ascii_digit()) && !first.folded.starts_with('-');
    (1, if code { What::Code } else { What::Word })
}

fn sign(word: &str) -> Option<Compare> {
    Some(match word {
        ">" => Compare::Above,
        "<" => Compare::Below,
        ">=" | "≥" => Compare::AtLeast,
        "<=" | "≤" => Compare::AtMost,
        "=" => Compare::Equal,
        _ => return None,
    })
}

/// A fire class: `ei30`, `ei 30`, `rei 60 rf1`.
fn fire_at(words: &[&str]) -> Option<(String, u32, usize)> {
    const LETTERS: [&str; 8] = ["r", "e", "re", "ei", "rei", "ei1", "ei2", "ew"];
    let first = *words.first()?;
    let (letters, digits, mut taken) =
        match first.split_at(first.find(|c: char| c.is_ascii_digit()).unwrap_or(first.len())) {
            // Apart only what is no word of its own: Italian `tra 20 e 30`.
            (letters @ ("ei" | "rei"), "") => (letters.to_owned(), (*words.get(1)?).to_owned(), 2),
            (letters, digits) => (letters.to_owned(), digits.to_owned(), 1),
        };
    let letters = letters.trim_end_matches(['-', '_', '.']).to_owned();
    let minutes: u32 = digits.parse().ok()?;
    if !LETTERS.contains(&letters.as_str())
        || !(15..=240).contains(&minutes)
        || !minutes.is_multiple_of(15) && minutes != 20
    {
        return None;
    }
    if words.get(taken).is_some_and(|w| w.len() == 3 && w.starts_with("rf")) {
        taken += 1;
    }
    Some((letters.trim_end_matches(['1', '2']).to_uppercase(), minutes, taken))
}

/// A day: `1.5.2026`, `01/05/2026`, `2026-05-01`.
fn day_at(text: &str, rest: &[Raw]) -> Option<(String, usize)> {
    let first = rest.first()?;
    let tail = text.get(first.start..)?;
    let written: String =
        tail.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '/')).collect();
    let parts: Vec<i64> = written
        .trim_end_matches(['.', '-', '/'])
        .split(['.', '-', '/'])
        .map(|p| p.parse().ok())
        .collect::<Option<_>>()?;
    let (year, month, day) = match parts.as_slice() {
        [y, m, d] if *y > 1900 => (*y, *m, *d),
        [d, m, y] if *y > 1900 => (*y, *m, *d),
        _ => return None,
    };
    let date =
        jiff::civil::Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    let end = first.start + written.len();
    Some((date.to_string(), rest.iter().take_while(|r| r.start < end).count()))
}

/// A number and its unit, a year, or a number alone.
fn number_at(words: &[&str]) -> (usize, What) {
    let first = words.first().copied().unwrap_or_default();
    let plain: String = first.chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    let Ok(value) = plain.replace(',', ".").parse::<f64>() else { return (1, What::Code) };
    if let Some((unit, n)) = unit_at(words.get(1..).unwrap_or_default()) {
        return (n + 1, What::Number(value, Some(unit)));
    }
    match plain.parse::<i16>() {
        Ok(year) if plain.len() == 4 && (1990..=2100).contains(&year) => (1, What::Year(year)),
        _ => (1, What::Number(value, None)),
    }
}

/// The unit at the start of these words, and how many of them it takes.
fn unit_at(words: &[&str]) -> Option<(Unit, usize)> {
    use Dimension::{Area, Length, Stated, Transmittance, Volume};
    const UNITS: [(&str, Dimension, f64); 41] = [
        ("db", Stated("db"), 1.0),
        ("dezibel", Stated("db"), 1.0),
        ("decibels", Stated("db"), 1.0),
        ("decibel", Stated("db"), 1.0),
        ("kg", Stated("kg"), 1.0),
        ("kn m2", Stated("kn/m2"), 1.0),
        ("kw", Stated("kw"), 1.0),
        ("lux", Stated("lx"), 1.0),
        ("w m2k", Transmittance, 1.0),
        ("w m2 k", Transmittance, 1.0),
        ("w m k", Transmittance, 1.0),
        ("metres carres", Area, 1.0),
        ("metre carre", Area, 1.0),
        ("metri quadrati", Area, 1.0),
        ("metri quadri", Area, 1.0),
        ("square metres", Area, 1.0),
        ("square meters", Area, 1.0),
        ("quadratmeter", Area, 1.0),
        ("quadratmetern", Area, 1.0),
        ("m2", Area, 1.0),
        ("qm", Area, 1.0),
        ("mq", Area, 1.0),
        ("sqm", Area, 1.0),
        ("cm2", Area, 1e-4),
        ("metres cubes", Volume, 1.0),
        ("metri cubi", Volume, 1.0),
        ("cubic metres", Volume, 1.0),
        ("cubic meters", Volume, 1.0),
        ("kubikmeter", Volume, 1.0),
        ("m3", Volume, 1.0),
        ("mc", Volume, 1.0),
        ("millimeter", Length, 0.001),
        ("mm", Length, 0.001),
        ("zentimeter", Length, 0.01),
        ("cm", Length, 0.01),
        ("metern", Length, 1.0),
        ("meter", Length, 1.0),
        ("metres", Length, 1.0),
        ("meters", Length, 1.0),
        ("metri", Length, 1.0),
        ("m", Length, 1.0),
    ];
    UNITS.iter().find_map(|(form, dimension, factor)| {
        let n = form.split(' ').count();
        let here = words.get(..n)?.join(" ");
        (here == *form).then_some((Unit { dimension: *dimension, factor: *factor }, n))
    })
}
