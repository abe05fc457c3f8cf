//! Identifiers: RFI numbers, doors, rooms, norms, plans, cost codes, fire classes, grid axes, GlobalIds.
//!
//! One function reads them from passages and from queries, so that `RFI-0042`, `RFI 42` and `#42`
//! give the same key. A key is lower case without separators; a point stays between digit groups
//! (`SIA 380/1` → `sia380.1`), and leading zeros go after letters (`AW-01` → `aw1`).

mod patterns;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use regex::Regex;

use self::patterns::PATTERNS;

/// An identifier of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identifier {
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// Keys, the fullest first: a norm with its year is also the norm, a plan with its revision
    /// also the plan.
    pub keys: Vec<String>,
    /// Keys of what it is a part of (an axis of a crossing, the month of a day): a passage is found by them, a query
    /// does not ask for them.
    pub within: Vec<String>,
    /// True where it names one thing (a door, a plan, a record), so that a passage without it is
    /// about something else; false for norms, classes and buildings, which many passages share.
    pub names_one: bool,
}

/// The identifiers of a text, in order; where two overlap, the more specific one wins.
pub(crate) fn identifiers(text: &str) -> Vec<Identifier> {
    let mut found: Vec<Identifier> = Vec::new();
    for pattern in PATTERNS.iter() {
        for captures in pattern.regex.captures_iter(text) {
            let Some(span) = captures.get(pattern.span) else { continue };
            let end = span.end();
            let taken = found.iter().any(|i| i.start < end && span.start() < i.end);
            let keys = (pattern.keys)(&captures);
            if !taken && !keys.is_empty() {
                let within = patterns::axes_of(&keys);
                found.push(Identifier {
                    start: span.start(),
                    end,
                    keys,
                    within,
                    names_one: pattern.names_one,
                });
            }
        }
    }
    found.sort_by_key(|i| i.start);
    found
}

/// Numbers that may be those of rooms (`1.03`, `2.08`): every number of this form, since a table
/// does not say which column is the room. Key `no1.03`; not part of [`identifiers`].
pub(crate) fn room_numbers(text: &str) -> Vec<Identifier> {
    static ROOM: LazyLock<Regex> = LazyLock::new(|| {
        #[allow(clippy::expect_used)] // a constant, built by a test
        Regex::new(r"(?:^|[\s(|/;:])(\d{1,2}\.\d{2})(?:$|[\s),;:|/?!]|\.(?:\s|$))").expect("constant pattern")
    });
    let mut found = Vec::new();
    let mut from = 0;
    // Neighbours share the separator between them, so each search starts right behind the number.
    while let Some(span) = text.get(from..).and_then(|rest| ROOM.captures(rest)).and_then(|c| c.get(1)) {
        let (start, end) = (from + span.start(), from + span.end());
        let keys = vec![format!("no{}", span.as_str())];
        found.push(Identifier { start, end, keys, within: Vec::new(), names_one: true });
        from = end;
    }
    found
}

/// The identifiers of a query: also a bare room number, unless a unit makes it a quantity.
pub(crate) fn asked_for(text: &str) -> Vec<Identifier> {
    let mut found = identifiers(text);
    for room in room_numbers(text) {
        let taken = found.iter().any(|i| i.start < room.end && room.start < i.end);
        let quantity = !super::units::unit_after(text.get(room.end..).unwrap_or_default()).is_empty();
        if !taken && !quantity {
            found.push(room);
        }
    }
    found.sort_by_key(|i| i.start);
    found
}

/// A piece of a wildcard as a piece of a key: separators gone, a point between digits or at its end kept, since what
/// follows may be a digit.
pub(crate) fn pattern_key(piece: &str) -> String {
    let point = piece.ends_with('.') && piece.trim_end_matches('.').ends_with(|c: char| c.is_ascii_digit());
    format!("{}{}", key(piece), if point { "." } else { "" })
}

/// Lower case, separators gone, a point between digit groups, no leading zeros after letters.
fn key(raw: &str) -> String {
    let mut out = String::new();
    let mut gap = false;
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        let last_is_digit = out.chars().next_back().is_some_and(|c| c.is_ascii_digit());
        if c.is_ascii_digit() && last_is_digit && gap {
            out.push('.');
        }
        let after_letters = !out.chars().next_back().is_some_and(|c| c.is_ascii_digit() || c == '.');
        let more_digits = chars.peek().is_some_and(|c| c.is_ascii_digit());
        gap = false;
        if c == '0' && after_letters && more_digits {
            continue;
        }
        out.extend(c.to_lowercase());
    }
    super::strip_accents(&out)
}
