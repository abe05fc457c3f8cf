//! Numbers, sizes and dates as they are written in Switzerland.

use jiff::{Timestamp, civil::Date, civil::DateTime, tz::TimeZone};

/// A whole number with apostrophes: `1’234’567`.
pub(super) fn whole(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('’');
        }
        out.push(digit);
    }
    out
}

/// A measured number with at most three decimals, without trailing zeros: `1’250.5`.
pub(super) fn measure(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return value.to_string();
    }
    let rounded = format!("{:.3}", value.abs());
    let (int, decimals) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let decimals = decimals.trim_end_matches('0');
    let int = int.parse().map(whole).unwrap_or_else(|_| int.to_owned());
    let sign = if value < 0.0 && (int != "0" || !decimals.is_empty()) { "−" } else { "" };
    if decimals.is_empty() { format!("{sign}{int}") } else { format!("{sign}{int}.{decimals}") }
}

/// Bytes in a unit that fits: `2.4 MB`.
pub(super) fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 1000 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// An ISO 8601 date or time as `30.11.2026` or `30.11.2026 14:05`, in the machine's time zone. What is
/// no date comes back as it is.
pub(super) fn date(iso: &str) -> String {
    let iso = iso.trim();
    if let Ok(moment) = iso.parse::<Timestamp>() {
        let local = moment.to_zoned_datetime(TimeZone::system());
        return local.strftime("%d.%m.%Y %H:%M").to_string();
    }
    if iso.len() > 10
        && let Ok(local) = iso.parse::<DateTime>()
    {
        return local.strftime("%d.%m.%Y %H:%M").to_string();
    }
    match iso.parse::<Date>() {
        Ok(day) => day.strftime("%d.%m.%Y").to_string(),
        Err(_) => iso.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_apostrophes() {
        let cases = [(0, "0"), (999, "999"), (1000, "1’000"), (1_234_567, "1’234’567")];
        for (n, text) in cases {
            assert_eq!(whole(n), text);
        }
    }

    #[test]
    fn measures_lose_trailing_zeros_and_rounding_dust() {
        let cases = [
            (1250.5, "1’250.5"),
            (0.17, "0.17"),
            (12.0, "12"),
            (-3.25, "−3.25"),
            (0.000_01, "0"),
            (-0.000_01, "0"),
            (2.999_999_9, "3"),
            (f64::NAN, "NaN"),
        ];
        for (value, text) in cases {
            assert_eq!(measure(value), text);
        }
    }

    #[test]
    fn sizes_have_a_fitting_unit() {
        let cases =
            [(0, "0 B"), (999, "999 B"), (2_400_000, "2.4 MB"), (999_999, "1.0 MB"), (5 << 40, "5.5 TB")];
        for (n, text) in cases {
            assert_eq!(bytes(n), text);
        }
    }

    #[test]
    fn dates_are_day_month_year() {
        assert_eq!(date("2026-11-30"), "30.11.2026");
        assert_eq!(date("2026-11-30T14:05:09"), "30.11.2026 14:05");
        assert_eq!(date("KW 48"), "KW 48");
        assert_eq!(date(""), "");
    }
}
