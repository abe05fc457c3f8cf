//! Identifiers: RFI numbers, doors, rooms, norms, plans, cost codes, fire classes, GlobalIds.
//!
//! One function reads them from passages and from queries, so that `RFI-0042`, `RFI 42` and `#42`
//! give the same key. A key is lower case without separators; a point stays between digit groups
//! (`SIA 380/1` → `sia380.1`), and leading zeros go after letters (`AW-01` → `aw1`).

use std::sync::LazyLock;

use regex::{Captures, Regex};

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
    /// True where it names one thing (a door, a plan, a record), so that a passage without it is
    /// about something else; false for norms, classes and buildings, which many passages share.
    pub names_one: bool,
}

/// Place of the fire classes among the patterns.
const FIRE: usize = 5;

/// Makes keys of what a pattern found.
type Keys = fn(&Captures<'_>) -> Vec<String>;

/// What a pattern finds, and how it becomes keys.
struct Pattern {
    regex: Regex,
    keys: Keys,
    /// The group that is the identifier itself; 0 for the whole match.
    span: usize,
    names_one: bool,
}

#[allow(clippy::expect_used)] // The patterns are constants; a test builds them all.
static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let table: [(&str, Keys, usize, bool); 9] = [
        (r"(?:^|[^0-9A-Za-z_$])([0-3][0-9A-Za-z_$]{21})(?:$|[^0-9A-Za-z_$])", global_id, 1, true),
        (
            r"(?i)\b(?:RFI|TQ)[\s\-_.#]*(?:Nr\.?|No\.?|n°|N°)?\s*((?:[A-Z]{1,4}[\-_])?\d{1,6})(?:\s*(?:Rev\.?|rev)\s*(\d+|[A-Z]))?\b",
            rfi,
            0,
            true,
        ),
        (r"(?:^|[\s(])(#(\d{1,6}))\b", hash, 1, true),
        (
            r"\b((?:(?i:SIA|SN|ISO|DIN|IEC|VKF|AEAI|AICAA|VDI|SWKI|SUVA|MINERGIE)|EN|BS|NF|UNI)(?:[\s/\-]+(?i:EN|ISO|IEC|SIA|BSR|BSV))*)[\s\-]*(\d{1,6}(?:[/.\-]\d{1,4})*)(?::(\d{4}))?\b",
            norm,
            0,
            false,
        ),
        (
            r"(?i)\b(e?BKP(?:-?H)?|NPK|CFC|eCCC(?:-?B)?|CCC|CAN)[\s\-:]*([A-Z]?\s?\d{1,4}(?:\.\d{1,4})*)\b",
            code,
            0,
            false,
        ),
        (r"(?i)\b(R?EI|REI|RF|EW?|E)[\s\-]?(\d{2,3})(?:[\s\-](RF\s?\d|C\d?|S\d{1,3}))?\b", fire, 0, false),
        (r"\b(?i:Haus|Gebäude|Trakt|bâtiment|edificio|building|block)\s+([A-Z]\d?)\b", building, 0, false),
        (
            r"(?i)\b(Türe?n?|Tuere?n?|portes?|port[ae]|doors?|Fenster|fenêtres?|finestr[ae]|windows?|Raum|Räume|Zimmer|rooms?|locaux|local[ei]?|salles?|stanz[ae]|aul[ae])\s+(?:Nr\.?\s*|no\.?\s*|n°\s*)?([A-Z]?-?\d{1,2}\.\d{2}[a-z]?)\b",
            place,
            2,
            true,
        ),
        (
            r"\b([A-Za-zÄÖÜäöü]{1,6}(?:[\-_.][A-Za-zÄÖÜ]{1,5})?[\-_.]?\d+(?:[\-_./]\d+)*(?:[\-_][A-Za-z0-9]{1,4})*[a-z]?)\b",
            generic,
            1,
            true,
        ),
    ];
    let build = |(p, keys, span, names_one): (&str, _, _, _)| {
        let regex = Regex::new(p).expect("constant pattern");
        Pattern { regex, keys, span, names_one }
    };
    table.into_iter().map(build).collect()
});

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
                found.push(Identifier { start: span.start(), end, keys, names_one: pattern.names_one });
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
        found.push(Identifier { start, end, keys: vec![format!("no{}", span.as_str())], names_one: true });
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

fn building(c: &Captures<'_>) -> Vec<String> {
    vec![format!("building:{}", key(&c[1]))]
}

fn global_id(c: &Captures<'_>) -> Vec<String> {
    let id = &c[1];
    // A 22-letter word is no GlobalId: those have digits and both cases practically always.
    let mixed = id.chars().any(|c| c.is_ascii_digit()) && id.chars().any(|c| c.is_ascii_alphabetic());
    if mixed && id.chars().skip(1).any(|c| !c.is_ascii_digit()) { vec![format!("guid:{id}")] } else { vec![] }
}

fn rfi(c: &Captures<'_>) -> Vec<String> {
    let base = format!("rfi{}", key(&c[1]));
    match c.get(2) {
        Some(revision) => vec![format!("{base}rev{}", key(revision.as_str())), base],
        None => vec![base],
    }
}

fn hash(c: &Captures<'_>) -> Vec<String> {
    vec![format!("rfi{}", key(&c[2]))]
}

fn norm(c: &Captures<'_>) -> Vec<String> {
    let number = key(&c[2]);
    let bodies: Vec<String> =
        c[1].split(|c: char| !c.is_alphanumeric()).filter(|s| !s.is_empty()).map(str::to_lowercase).collect();
    let full = format!("{}{number}", bodies.concat());
    let mut keys = Vec::new();
    if let Some(year) = c.get(3) {
        keys.push(format!("{full}:{}", year.as_str()));
    }
    // "SN EN 12831" and "EN 12831" are one norm to a reader.
    if bodies.len() > 1 {
        keys.extend(bodies.last().map(|last| format!("{last}{number}")));
    }
    keys.push(full);
    keys
}

fn code(c: &Captures<'_>) -> Vec<String> {
    let system = key(&c[1]).replace("ebkph", "ebkp").replace("ecccb", "ebkp").replace("eccc", "ebkp");
    let system = if matches!(system.as_str(), "cfc" | "ccc") { "bkp".to_owned() } else { system };
    vec![format!("{system}{}", key(&c[2])), format!("code{}", key(&c[2]))]
}

fn fire(c: &Captures<'_>) -> Vec<String> {
    let class = c[1].to_lowercase();
    // "E2000" or "e 200" in prose is no fire class; the known durations are few.
    if !matches!(&c[2], "15" | "20" | "30" | "45" | "60" | "90" | "120" | "180" | "240") || class == "rf" {
        return vec![];
    }
    let base = format!("{class}{}", &c[2]);
    match c.get(3) {
        Some(more) => vec![format!("{base}{}", key(more.as_str())), base],
        None => vec![base],
    }
}

fn place(c: &Captures<'_>) -> Vec<String> {
    let word = super::fold(&c[1]);
    let number = key(&c[2]);
    if number.starts_with(|c: char| c.is_alphabetic()) {
        return vec![number];
    }
    let bare = format!("no{number}");
    match word.as_str() {
        w if w.starts_with("tur") || w.starts_with("port") || w.starts_with("door") => {
            vec![format!("t{number}"), bare]
        }
        w if w.starts_with("fen") || w.starts_with("finestr") || w.starts_with("window") => {
            vec![format!("f{number}"), bare]
        }
        _ => vec![bare],
    }
}

/// Units and words before a number that make no identifier (`m2`, `CO2`, `Abs.1`).
const NO_CODE: [&str; 14] =
    ["m", "cm", "mm", "km", "co", "abs", "art", "kap", "ziff", "nr", "no", "ca", "max", "min"];

fn generic(c: &Captures<'_>) -> Vec<String> {
    let raw = &c[1];
    let letters: String =
        raw.chars().take_while(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let upper = raw.chars().next().is_some_and(char::is_uppercase);
    // Codes are written in capitals or have digits soon after few letters; `haus2` typed in lower
    // case still counts, a unit does not.
    if NO_CODE.contains(&letters.as_str()) || (!upper && letters.chars().count() > 4) {
        return vec![];
    }
    let full = key(raw);
    let mut keys = vec![full.clone()];
    // A trailing single letter after a separator is a revision: the plan itself is meant too.
    if let Some((head, tail)) = raw.rsplit_once(['-', '_'])
        && tail.len() == 1
        && tail.chars().all(|c| c.is_ascii_alphabetic())
        && head.chars().any(|c| c.is_ascii_digit())
    {
        keys.push(key(head));
    }
    // Fire class with a reaction class behind it: EI30-RF1 is also EI30.
    if let Some((head, _)) = raw.split_once('-')
        && let Some(class) = PATTERNS.get(FIRE).and_then(|p| p.regex.captures(head)).map(|c| fire(&c))
    {
        keys.extend(class);
    }
    keys.dedup();
    keys
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
    super::fold::strip_accents(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        identifiers(text).into_iter().flat_map(|i| i.keys).collect()
    }

    #[test]
    fn rfi_numbers_in_all_writings() {
        for text in ["RFI-0042", "RFI 42", "rfi42", "siehe #42", "RFI Nr. 42", "RFI_042"] {
            assert_eq!(keys(text), ["rfi42"], "{text}");
        }
        assert_eq!(keys("RFI-0042 Rev. 2"), ["rfi42rev2", "rfi42"]);
    }

    #[test]
    fn norms_with_parts_and_years() {
        assert_eq!(keys("nach SIA 380/1"), ["sia380.1"]);
        assert_eq!(keys("SIA 380/1:2016"), ["sia380.1:2016", "sia380.1"]);
        assert_eq!(keys("SN EN 12831-1"), ["en12831.1", "snen12831.1"]);
        assert_eq!(keys("SIA 181"), ["sia181"]);
        assert_eq!(keys("sn en 12831-1"), ["en12831.1", "snen12831.1"]);
        // In small letters these are words: "en 2026" is a year.
        assert_eq!(keys("livré en 2026"), [] as [String; 0]);
        assert_eq!(keys("uni 2026"), [] as [String; 0]);
    }

    #[test]
    fn doors_components_and_plans() {
        assert_eq!(keys("Tür T-1.03"), ["t1.03"]);
        assert_eq!(keys("T 1.03")[..], [] as [String; 0]);
        assert!(keys("Tür 1.03").contains(&"t1.03".to_owned()));
        assert_eq!(keys("AW-01"), ["aw1"]);
        assert_eq!(keys("AW01"), ["aw1"]);
        assert_eq!(keys("Plan A-201-C"), ["a201c", "a201"]);
        assert_eq!(keys("RM-2417-101"), ["rm2417.101"]);
    }

    #[test]
    fn fire_classes_and_cost_codes() {
        assert_eq!(keys("EI30"), ["ei30"]);
        assert_eq!(keys("EI 30"), ["ei30"]);
        assert_eq!(keys("EI30-RF1"), ["ei30rf1", "ei30"]);
        assert_eq!(keys("REI 60"), ["rei60"]);
        assert_eq!(keys("BKP 221.1"), ["bkp221.1", "code221.1"]);
        assert_eq!(keys("eBKP-H C2.1"), ["ebkpc2.1", "codec2.1"]);
    }

    #[test]
    fn buildings_and_room_numbers() {
        assert_eq!(keys("Aussenwand Haus B"), ["building:b"]);
        assert_eq!(keys("locaux du bâtiment B"), ["building:b"]);
        let rooms = |t: &str| asked_for(t).into_iter().flat_map(|i| i.keys).collect::<Vec<_>>();
        assert_eq!(rooms("Sammlung 2.08 und 2.09"), ["no2.08", "no2.09"]);
        assert_eq!(rooms("ein U-Wert von 0.15 W/(m²K)"), [] as [String; 0]);
        assert_eq!(room_numbers("| 1.03 | 1.04 |").len(), 2);
        assert_eq!(room_numbers("30.11.2026, 1’250.50, T-1.03"), []);
    }

    #[test]
    fn global_ids_keep_their_case() {
        assert_eq!(keys("Element 2O2Fr$t4X7Zf8NOew3FL9r im Modell"), ["guid:2O2Fr$t4X7Zf8NOew3FL9r"]);
        assert_eq!(keys("Feuerwiderstandsklassen"), [] as [String; 0]);
    }

    #[test]
    fn units_and_prose_are_no_identifiers() {
        for text in ["200 m2", "3.50 m3", "CO2", "am 30.11.2026", "0.18 W/(m2K)", "Art. 12 Abs. 3"] {
            assert_eq!(keys(text), [] as [String; 0], "{text}");
        }
    }
}
