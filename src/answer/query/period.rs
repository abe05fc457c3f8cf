//! Stretches of time: `im April 2026`, `seit 1. März 2026`, `this week`.

use jiff::civil::Date;
use jiff::{ToSpan, civil::Weekday};

use super::lexicon::{Mark, Span};
use super::words::{Item, What};

/// From a day on, up to and including another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Period {
    pub from: Option<String>,
    pub to: Option<String>,
}

impl Period {
    fn of(from: Date, to: Date) -> Self {
        Period { from: Some(from.to_string()), to: Some(to.to_string()) }
    }
}

/// The stretch that is said at a place, and the place behind it.
pub(super) fn at(items: &[Item], at: usize, today: Date) -> Option<(Period, usize)> {
    let marks = |i: usize| match items.get(i).map(|i| &i.what) {
        Some(What::Known(all)) => all.iter().flatten().copied().collect::<Vec<Mark>>(),
        _ => Vec::new(),
    };
    let here = marks(at);
    if let Some(span) = here.iter().find_map(|m| if let Mark::Span(s) = m { Some(*s) } else { None }) {
        return around(span, today).map(|p| (p, at + 1));
    }
    let bound = here.iter().find(|m| matches!(m, Mark::Since | Mark::Until));
    if let Some(bound) = bound {
        let mut start = at + 1;
        while marks(start).contains(&Mark::Filler) {
            start += 1;
        }
        let (first, last, next) = stretch(items, start, today)?;
        let period = match bound {
            Mark::Since => Period { from: Some(first.to_string()), to: None },
            _ => Period { from: None, to: Some(last.to_string()) },
        };
        return Some((period, next));
    }
    stretch(items, at, today).map(|(from, to, next)| (Period::of(from, to), next))
}

/// A day, month or year: its first and last day.
fn stretch(items: &[Item], at: usize, today: Date) -> Option<(Date, Date, usize)> {
    let year = |i: usize| match items.get(i).map(|i| &i.what) {
        Some(What::Year(y)) => Some(*y),
        _ => None,
    };
    match items.get(at).map(|i| &i.what)? {
        What::Day(day) => {
            let day: Date = day.parse().ok()?;
            Some((day, day, at + 1))
        }
        What::Year(y) => Some((Date::new(*y, 1, 1).ok()?, Date::new(*y, 12, 31).ok()?, at + 1)),
        // `1. März 2026`
        What::Number(day, None) => {
            let month = month(items, at + 1)?;
            let of = year(at + 2);
            let date = Date::new(of.unwrap_or(today.year()), month, *day as i8).ok()?;
            Some((date, date, at + 2 + usize::from(of.is_some())))
        }
        What::Known(_) => {
            let month = month(items, at)?;
            let of = year(at + 1);
            // `may` and `mars` are other words too: alone they are a month only behind a preposition.
            let before = at.checked_sub(1).and_then(|i| items.get(i)).map(|i| crate::index::fold(&i.text));
            let led = before.is_some_and(|w| LEADING.contains(&w.as_str()));
            if of.is_none() && !led {
                return None;
            }
            let first = Date::new(of.unwrap_or(today.year()), month, 1).ok()?;
            Some((first, first.last_of_month(), at + 1 + usize::from(of.is_some())))
        }
        _ => None,
    }
}

const LEADING: [&str; 16] = [
    "im",
    "in",
    "en",
    "au mois de",
    "nel",
    "a",
    "of",
    "since",
    "seit",
    "depuis",
    "dal",
    "da",
    "vor",
    "before",
    "avant",
    "di",
];

fn month(items: &[Item], at: usize) -> Option<i8> {
    let What::Known(all) = &items.get(at)?.what else { return None };
    all.iter().flatten().find_map(|m| if let Mark::Month(n) = m { Some(*n) } else { None })
}

fn around(span: Span, today: Date) -> Option<Period> {
    let monday = today.checked_sub((i64::from(today.weekday().since(Weekday::Monday))).days()).ok()?;
    let month = today.first_of_month();
    Some(match span {
        Span::ThisWeek => Period::of(monday, monday.checked_add(6.days()).ok()?),
        Span::LastWeek => Period::of(monday.checked_sub(7.days()).ok()?, monday.checked_sub(1.day()).ok()?),
        Span::ThisMonth => Period::of(month, today.last_of_month()),
        Span::LastMonth => {
            let last = month.checked_sub(1.day()).ok()?;
            Period::of(last.first_of_month(), last)
        }
        Span::ThisYear => Period::of(today.first_of_year(), today.last_of_year()),
        Span::LastYear => {
            let last = today.first_of_year().checked_sub(1.day()).ok()?;
            Period::of(last.first_of_year(), last)
        }
    })
}

#[cfg(test)]
mod tests {
    use ingest::Language;

    use super::*;

    #[test]
    fn stretches_of_time_by_hand() {
        let today = jiff::civil::date(2026, 11, 30); // a Monday
        for (text, l, from, to) in [
            ("im April 2026", Language::De, Some("2026-04-01"), Some("2026-04-30")),
            ("seit 1. März 2026", Language::De, Some("2026-03-01"), None),
            ("bis zum 15.05.2026", Language::De, None, Some("2026-05-15")),
            ("diese Woche", Language::De, Some("2026-11-30"), Some("2026-12-06")),
            ("letzten Monat", Language::De, Some("2026-10-01"), Some("2026-10-31")),
            ("en mai 2026", Language::Fr, Some("2026-05-01"), Some("2026-05-31")),
            ("depuis le 01.02.2026", Language::Fr, Some("2026-02-01"), None),
            ("nel 2025", Language::It, Some("2025-01-01"), Some("2025-12-31")),
            ("last week", Language::En, Some("2026-11-23"), Some("2026-11-29")),
            ("since June 2026", Language::En, Some("2026-06-01"), None),
        ] {
            let items = super::super::words::read(text, Some(l));
            let found = (0..items.len()).find_map(|i| at(&items, i, today)).map(|(p, _)| p);
            let wanted = Period { from: from.map(str::to_owned), to: to.map(str::to_owned) };
            assert_eq!(found, Some(wanted), "{text}: {items:?}");
        }
    }
}
