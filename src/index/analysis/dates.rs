//! Days and months in every way of writing them, in four languages.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::fold;
use super::ident::Identifier;

/// Names of the months in plain writing, with what they are shortened to.
const MONTHS: [&str; 12] = [
    "januar janner janvier gennaio january jan janv genn",
    "februar fevrier febbraio february feb fevr febbr",
    "marz mars marzo march mrz mar",
    "april avril aprile apr avr",
    "mai maggio may magg mag",
    "juni juin giugno june jun giu",
    "juli juillet luglio july jul juil lug",
    "august aout agosto aug ago",
    "september septembre settembre sept sep sett",
    "oktober octobre ottobre october okt oct ott",
    "november novembre nov",
    "dezember decembre dicembre december dez dec dic",
];

/// Years of two digits from this one on belong to the last century.
const LAST_CENTURY: i16 = 70;

fn month(name: &str) -> Option<i8> {
    let name = fold(name);
    let at = MONTHS.iter().position(|names| names.split(' ').any(|n| n == name))?;
    i8::try_from(at + 1).ok()
}

/// Makes day (none for a whole month), month and year of what a pattern found.
type Parts = fn(&Captures<'_>) -> Option<(Option<i8>, i8, i16)>;

fn number<T: std::str::FromStr>(c: &Captures<'_>, group: usize) -> Option<T> {
    c.get(group)?.as_str().parse().ok()
}

fn year(c: &Captures<'_>, group: usize) -> Option<i16> {
    let written: i16 = number(c, group)?;
    Some(match written {
        0..LAST_CENTURY => 2000 + written,
        LAST_CENTURY..100 => 1900 + written,
        _ => written,
    })
}

/// `3.4.2026`, `03/04/26`: the day first, unless it can only be the month.
fn numbers(c: &Captures<'_>) -> Option<(Option<i8>, i8, i16)> {
    let at = if c.get(1).is_some() { 1 } else { 4 };
    let (a, b): (i8, i8) = (number(c, at)?, number(c, at + 1)?);
    let (day, month) = if b > 12 && at == 4 { (b, a) } else { (a, b) };
    Some((Some(day), month, year(c, at + 2)?))
}

fn iso(c: &Captures<'_>) -> Option<(Option<i8>, i8, i16)> {
    Some((Some(number(c, 3)?), number(c, 2)?, number(c, 1)?))
}

fn day_month(c: &Captures<'_>) -> Option<(Option<i8>, i8, i16)> {
    Some((Some(number(c, 1)?), month(&c[2])?, year(c, 3)?))
}

fn month_day(c: &Captures<'_>) -> Option<(Option<i8>, i8, i16)> {
    Some((Some(number(c, 2)?), month(&c[1])?, number(c, 3)?))
}

fn whole_month(c: &Captures<'_>) -> Option<(Option<i8>, i8, i16)> {
    Some((None, month(&c[1])?, number(c, 2)?))
}

#[allow(clippy::expect_used)] // The patterns are constants; a test builds them all.
static PATTERNS: LazyLock<Vec<(Regex, Parts)>> = LazyLock::new(|| {
    let table: [(&str, Parts); 5] = [
        (r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?:\b|T)", iso),
        (
            r"\b(?:(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})|(\d{1,2})[/\-](\d{1,2})[/\-](\d{4}|\d{2}))\b",
            numbers,
        ),
        (
            r"\b(\d{1,2})(?:\.|º|°|er|st|nd|rd|th)?[\s\-]*(?:de\s|di\s|of\s)?(\p{L}{3,9})\.?,?[\s\-]*(\d{4}|\d{2})\b",
            day_month,
        ),
        (r"\b(\p{L}{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b", month_day),
        (r"\b(\p{L}{3,9})\.?\s+(\d{4})\b", whole_month),
    ];
    let build = |(p, parts): (&str, Parts)| (Regex::new(p).expect("constant pattern"), parts);
    table.into_iter().map(build).collect()
});

/// The days of a text, and its months with a year. Keys `date:2026-04-03` and `date:2026-04`; a day is within its
/// month.
pub(super) fn dates(text: &str) -> Vec<Identifier> {
    let mut found: Vec<Identifier> = Vec::new();
    for (pattern, parts) in PATTERNS.iter() {
        for c in pattern.captures_iter(text) {
            let Some(span) = c.get(0) else { continue };
            let (start, end) = (span.start(), span.end());
            let taken = found.iter().any(|d| d.start < end && start < d.end);
            // `1.3.4.2026` and `12.3.4.26.1` are numbers of sections.
            let before = text.get(..start).and_then(|t| t.chars().next_back());
            let mut after = text.get(end..).unwrap_or_default().chars();
            let joined = |c: char| matches!(c, '.' | '/' | '-');
            let goes_on =
                after.next().is_some_and(joined) && after.next().is_some_and(|c| c.is_ascii_digit());
            if taken || before.is_some_and(joined) || goes_on {
                continue;
            }
            let Some((day, month, year)) = parts(&c) else { continue };
            if jiff::civil::Date::new(year, month, day.unwrap_or(1)).is_err() {
                continue;
            }
            let of_month = format!("date:{year:04}-{month:02}");
            let (keys, within) = match day {
                Some(day) => (vec![format!("{of_month}-{day:02}")], vec![of_month]),
                None => (vec![of_month], Vec::new()),
            };
            found.push(Identifier { start, end, keys, within, names_one: false });
        }
    }
    found.sort_by_key(|d| d.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        dates(text).into_iter().flat_map(|d| d.keys).collect()
    }

    #[test]
    fn a_day_is_one_in_every_writing() {
        for text in [
            "3.4.2026",
            "03.04.2026",
            "3. 4. 2026",
            "3.4.26",
            "03/04/26",
            "03/04/2026",
            "3-4-2026",
            "2026-04-03",
            "2026-04-03T10:00",
            "3. April 2026",
            "03. Apr. 2026",
            "3 avril 2026",
            "le 3 avr. 2026",
            "3 aprile 2026",
            "3 di aprile 2026",
            "3 April 2026",
            "3rd of April 2026",
            "April 3, 2026",
            "Apr 3rd, 2026",
            "vom 3.\u{a0}April\u{a0}2026.",
        ] {
            assert_eq!(keys(text), ["date:2026-04-03"], "{text}");
        }
        for (text, day) in [
            ("1er mars 2026", "2026-03-01"),
            ("31. März 2026", "2026-03-31"),
            ("31. Maerz 2026", "2026-03-31"),
            ("15 août 2025", "2025-08-15"),
            ("1º maggio 2026", "2026-05-01"),
            ("12/31/2025", "2025-12-31"),
            ("7.12.99", "1999-12-07"),
            ("24 dicembre 2025", "2025-12-24"),
        ] {
            assert_eq!(keys(text), [format!("date:{day}")], "{text}");
        }
        assert_eq!(keys("3.4.2026, 5. Mai 2026"), ["date:2026-04-03", "date:2026-05-05"]);
    }

    #[test]
    fn a_day_is_within_its_month() {
        assert_eq!(dates("3.4.2026")[0].within, ["date:2026-04"]);
        for text in ["April 2026", "avril 2026", "aprile 2026", "im Apr. 2026"] {
            assert_eq!(keys(text), ["date:2026-04"], "{text}");
        }
    }

    #[test]
    fn other_numbers_are_no_days() {
        for text in [
            "31.2.2026",
            "3.13.2026",
            "Kapitel 1.3.4.26",
            "192.168.10.26",
            "BKP 221.1",
            "SIA 380/1:2016",
            "1’250.50 m²",
            "Raum 2026",
            "Ende 2026",
            "3 Türen 2026",
        ] {
            assert_eq!(keys(text), [] as [String; 0], "{text}");
        }
    }
}
