//! Dates in the ways that people and programs write them, as ISO 8601.

use jiff::{Timestamp, civil::DateTime, fmt::temporal::Pieces, tz::Offset};

use super::columns::plain;

/// What the first number of `03/04/2026` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    DayFirst,
    MonthFirst,
}

/// Names of months by their first letters, after accents are gone; the longer first.
const MONTHS: [(&str, u32); 35] = [
    ("jan", 1),
    ("janv", 1),
    ("gen", 1),
    ("feb", 2),
    ("fev", 2),
    ("mar", 3),
    ("marz", 3),
    ("mrz", 3),
    ("maerz", 3),
    ("apr", 4),
    ("avr", 4),
    ("mai", 5),
    ("may", 5),
    ("mag", 5),
    ("jun", 6),
    ("juin", 6),
    ("giu", 6),
    ("jul", 7),
    ("juil", 7),
    ("lug", 7),
    ("aug", 8),
    ("aou", 8),
    ("ago", 8),
    ("sep", 9),
    ("set", 9),
    ("oct", 10),
    ("okt", 10),
    ("ott", 10),
    ("nov", 11),
    ("dec", 12),
    ("dez", 12),
    ("dic", 12),
    ("sept", 9),
    ("juill", 7),
    ("fevr", 2),
];

/// The order that the dates of a file agree on: a number above 12 tells, else `otherwise`. The second
/// value is true where dates of both orders stand in it.
pub(super) fn order<'a>(texts: impl Iterator<Item = &'a str>, otherwise: Order) -> (Order, bool) {
    let (mut day_first, mut month_first) = (0_u64, 0_u64);
    for (first, second) in texts.filter_map(slashed) {
        day_first += u64::from(first > 12 && second <= 12);
        month_first += u64::from(second > 12 && first <= 12);
    }
    let order = match day_first.cmp(&month_first) {
        std::cmp::Ordering::Greater => Order::DayFirst,
        std::cmp::Ordering::Less => Order::MonthFirst,
        std::cmp::Ordering::Equal => otherwise,
    };
    (order, day_first > 0 && month_first > 0)
}

/// The first two numbers of `3/14/2026` or `3-14-2026`.
fn slashed(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().split(['/', '-']);
    let number = |part: &str| part.trim().parse::<u32>().ok().filter(|n| *n <= 31);
    Some((number(parts.next()?)?, number(parts.next()?)?))
}

/// The date, with its time where it has one; `None` where the text is none.
pub(super) fn iso(text: &str, order: Order) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > 60 {
        return None;
    }
    let (day, rest) = date(text, order)?;
    match time(rest) {
        Some(time) => Some(format!("{day}T{time}")),
        None => Some(day),
    }
}

/// A moment with its time zone, which stays: `2026-03-01T14:30:05+01:00`, `…Z`. `None` for any other text.
pub(super) fn zoned(text: &str) -> Option<String> {
    let pieces = Pieces::parse(text.trim()).ok()?;
    let (day, time, offset) = (pieces.date(), pieces.time()?, pieces.to_numeric_offset()?);
    (1900..=2200).contains(&day.year()).then_some(())?;
    let zone = if offset.is_zero() { "Z".to_string() } else { colon(offset) };
    Some(format!("{day}T{:02}:{:02}:{:02}{zone}", time.hour(), time.minute(), time.second()))
}

/// `+01:00`.
fn colon(offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// Seconds since 1970 of a date as [`iso`] and [`zoned`] write them, for bringing them into an order; one without a
/// time zone counts as UTC. `None` for any other text, which comes first.
pub(super) fn moment(date: &str) -> Option<i64> {
    if let Ok(moment) = date.parse::<Timestamp>() {
        return Some(moment.as_second());
    }
    let local = date.parse::<DateTime>().ok()?;
    Offset::UTC.to_timestamp(local).ok().map(Timestamp::as_second)
}

/// The date at the start of a text, and what follows it.
fn date(text: &str, order: Order) -> Option<(String, &str)> {
    named(text).or_else(|| numeric(text, order))
}

fn checked(year: u32, month: u32, day: u32) -> Option<String> {
    let year = match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        _ => year,
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    ((1900..=2200).contains(&year) && (1..=days).contains(&day))
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// `2026-03-01`, `01.03.2026`, `3/1/26`, `20260301`.
fn numeric(text: &str, order: Order) -> Option<(String, &str)> {
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '/' | '-'))).unwrap_or(text.len());
    let (head, rest) = text.split_at(end);
    let head = head.trim_end_matches(['.', '-', '/']);
    if head.len() == 8 && head.bytes().all(|b| b.is_ascii_digit()) {
        let part = |from: usize, to: usize| head.get(from..to)?.parse::<u32>().ok();
        return Some((checked(part(0, 4)?, part(4, 6)?, part(6, 8)?)?, rest));
    }
    let separator = head.chars().find(|c| !c.is_ascii_digit())?;
    let parts: Vec<u32> = head.split(separator).map(|p| p.parse().ok()).collect::<Option<_>>()?;
    let [a, b, c] = parts.as_slice() else { return None };
    let year_first = head.split(separator).next().is_some_and(|p| p.len() == 4);
    let day = match (separator, order) {
        _ if year_first => checked(*a, *b, *c),
        ('/' | '-', Order::MonthFirst) => checked(*c, *a, *b).or_else(|| checked(*c, *b, *a)),
        ('/' | '-', Order::DayFirst) => checked(*c, *b, *a).or_else(|| checked(*c, *a, *b)),
        _ => checked(*c, *b, *a),
    };
    Some((day?, rest))
}

/// `12. März 2026`, `March 12, 2026`, `12-Mar-26`, with or without the weekday.
fn named(text: &str) -> Option<(String, &str)> {
    let (mut day, mut month, mut year) = (None, None, None);
    let mut at = 0;
    for token in text.split_inclusive([' ', '-', '.', ',', '/', '\u{a0}']) {
        let word = token.trim_end_matches([' ', '-', '.', ',', '/', '\u{a0}']);
        at += token.len();
        if word.is_empty() {
            continue;
        }
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
        if let Ok(number) = digits.parse::<u32>() {
            if digits.len() == 4 || (day.is_some() && month.is_some()) {
                year = Some(number);
            } else if day.is_none() {
                day = Some(number);
            } else {
                return None;
            }
        } else if month.is_none() {
            month = month_of(word);
            if month.is_none() && day.is_some() {
                return None;
            }
        }
        if let (Some(day), Some(month), Some(year)) = (day, month, year) {
            return Some((checked(year, month, day)?, text.get(at..).unwrap_or("")));
        }
    }
    None
}

/// The month that a word names, by its first letters.
pub(super) fn month_of(word: &str) -> Option<u32> {
    let word = plain(word);
    if !(3..=9).contains(&word.chars().count()) {
        return None;
    }
    MONTHS
        .iter()
        .filter(|(start, _)| word.starts_with(start))
        .max_by_key(|(start, _)| start.len())
        .map(|(_, m)| *m)
}

/// `14:30`, `T14:30:05Z`, `2:30 PM`, after a date.
fn time(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['T', 't', ',', ' ', '\u{a0}']);
    let text = ["um ", "at ", "à ", "alle "].iter().find_map(|p| text.strip_prefix(p)).unwrap_or(text);
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == ':')).unwrap_or(text.len());
    let (clock, rest) = text.split_at(end);
    let mut parts = clock.split(':').map(|p| p.parse::<u32>().ok());
    let (mut hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().flatten().unwrap_or(0);
    match rest.trim_start().get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("pm") if hour < 12 => hour += 12,
        Some("am") if hour == 12 => hour = 0,
        _ => {}
    }
    (hour < 24 && minute < 60 && second < 61).then(|| format!("{hour:02}:{minute:02}:{second:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swiss_iso_and_named_dates() {
        let cases = [
            ("2026-03-01", "2026-03-01"),
            ("2026-03-01T14:30:05Z", "2026-03-01T14:30:05"),
            ("01.03.2026", "2026-03-01"),
            ("1.3.26", "2026-03-01"),
            ("01.03.2026 14:30", "2026-03-01T14:30:00"),
            ("12. März 2026", "2026-03-12"),
            ("12 mars 2026", "2026-03-12"),
            ("1er juin 2026", "2026-06-01"),
            ("12 luglio 2026", "2026-07-12"),
            ("March 12, 2026", "2026-03-12"),
            ("Do, 12. Februar 2026", "2026-02-12"),
            ("12-Aug-26", "2026-08-12"),
            ("20260312", "2026-03-12"),
            ("01/03/2026", "2026-03-01"),
            ("3/14/2026 2:05 PM", "2026-03-14T14:05:00"),
        ];
        for (text, expected) in cases {
            assert_eq!(iso(text, Order::DayFirst).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(iso("03/01/2026", Order::MonthFirst).as_deref(), Some("2026-03-01"));
        for text in ["", "offen", "31.02.2026", "12", "A.01.02", "KW 12", "3.5"] {
            assert_eq!(iso(text, Order::DayFirst), None, "{text}");
        }
    }

    #[test]
    fn moments_keep_their_time_zone_and_are_ordered_by_it() {
        let cases = [
            ("2026-03-01T14:30:05Z", "2026-03-01T14:30:05Z"),
            ("2014-10-16T14:35:29.123+02:00", "2014-10-16T14:35:29+02:00"),
            ("2026-03-01T14:30:05-0330", "2026-03-01T14:30:05-03:30"),
            (" 2026-03-01T14:30:05+00:00 ", "2026-03-01T14:30:05Z"),
        ];
        for (text, expected) in cases {
            assert_eq!(zoned(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "2026-03-01", "2026-03-01T14:30:05", "01.03.2026 14:30", "0001-01-01T00:00:00Z"] {
            assert_eq!(zoned(text), None, "{text}");
        }
        let mut dates = ["2026-03-01T10:00:00Z", "2026-03-01T10:30:00+02:00", "2026-03-01", "offen"];
        dates.sort_by_key(|date| moment(date));
        assert_eq!(dates, ["offen", "2026-03-01", "2026-03-01T10:30:00+02:00", "2026-03-01T10:00:00Z"]);
    }

    #[test]
    fn the_order_is_what_the_column_shows() {
        let order_of = |texts: &[&str]| order(texts.iter().copied(), Order::DayFirst);
        assert_eq!(order_of(&["03/04/2026", "04/15/2026"]), (Order::MonthFirst, false));
        assert_eq!(order_of(&["03/04/2026", "15/04/2026"]), (Order::DayFirst, false));
        assert_eq!(order_of(&["03/04/2026"]), (Order::DayFirst, false));
        assert_eq!(order_of(&["04-15-2026", "04-16-2026", "15-04-2026"]), (Order::MonthFirst, true));
        assert_eq!(order_of(&["2026-04-15"]), (Order::DayFirst, false), "a year tells nothing");
    }
}
