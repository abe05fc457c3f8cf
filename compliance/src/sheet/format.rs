//! Numbers, dates and fill-ins as the language writes them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::report::Lang;

/// Fills the `{}` of a fixed text in order.
pub(super) fn fill(pattern: &str, values: &[&str]) -> String {
    let mut parts = pattern.split("{}");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (part, value) in parts.zip(values.iter().chain(std::iter::repeat(&""))) {
        out.push_str(value);
        out.push_str(part);
    }
    out
}

/// The form of a word that goes with `n`: French has the singular for none, too.
pub(super) fn plural<'a>(n: u64, lang: Lang, one: &'a str, many: &'a str) -> &'a str {
    if n == 1 || (n == 0 && lang == Lang::Fr) { one } else { many }
}

/// A whole number with the thousands separated as in Switzerland, or in English.
pub(super) fn number(n: u64, lang: Lang) -> String {
    let separator = match lang {
        Lang::De | Lang::It => '’',
        Lang::Fr => '\u{a0}',
        Lang::En => ',',
    };
    let digits = n.to_string();
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(d);
    }
    out
}

/// Per cent of `part` in `whole`, rounded; nothing without a whole.
pub(super) fn percent(part: u64, whole: u64, lang: Lang) -> Option<String> {
    if whole == 0 {
        return None;
    }
    let rounded = (u128::from(part) * 200 + u128::from(whole)) / (u128::from(whole) * 2);
    let space = if lang == Lang::En { "" } else { "\u{a0}" };
    Some(format!("{rounded}{space}%"))
}

/// The day of a moment.
pub(super) fn day(t: Timestamp, zone: &TimeZone, lang: Lang) -> String {
    date(t.to_zoned_datetime(zone.clone()).date(), lang)
}

/// Day and time of a moment.
pub(super) fn moment(t: Timestamp, zone: &TimeZone, lang: Lang) -> String {
    format!("{} {}", day(t, zone, lang), t.to_zoned_datetime(zone.clone()).strftime("%H:%M %Z"))
}

/// A date written `YYYY-MM-DD`, or the text itself if it is none.
pub(super) fn iso_day(text: &str, lang: Lang) -> String {
    text.parse().map_or_else(|_| text.to_owned(), |d| date(d, lang))
}

fn date(d: jiff::civil::Date, lang: Lang) -> String {
    match lang {
        Lang::En => d.strftime("%-d %b %Y").to_string(),
        _ => d.strftime("%d.%m.%Y").to_string(),
    }
}
