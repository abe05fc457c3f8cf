//! What identifiers look like, and how each becomes keys.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::key;
use crate::index::analysis::fold;

/// Place of the fire classes among the patterns.
const FIRE: usize = 5;

/// Makes keys of what a pattern found.
type Keys = fn(&Captures<'_>) -> Vec<String>;

/// What a pattern finds, and how it becomes keys.
pub(super) struct Pattern {
    pub(super) regex: Regex,
    pub(super) keys: Keys,
    /// The group that is the identifier itself; 0 for the whole match.
    pub(super) span: usize,
    pub(super) names_one: bool,
}

#[allow(clippy::expect_used)] // The patterns are constants; a test builds them all.
pub(super) static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let table: [(&str, Keys, usize, bool); 12] = [
        (r"(?:^|[^0-9A-Za-z_$])([0-3][0-9A-Za-z_$]{21})(?:$|[^0-9A-Za-z_$])", global_id, 1, true),
        (
            r"(?i)\b(?:RFI|TQ)[\s\-_.#]*(?:Nr\.?|No\.?|n°|N°)?\s*((?:[A-Z]{1,4}[\-_])?\d{1,6})(?:\s*(?:Rev\.?|rev)\s*(\d+|[A-Z]))?\b",
            rfi,
            0,
            true,
        ),
        (r"(?:^|[\s(])(#(\d{1,6}))\b", hash, 1, true),
        (
            r"\b((?:(?i:SIA|SN|ISO|DIN|IEC|VKF|AEAI|AICAA|VDI|SWKI|SUVA|MINERGIE)|EN|BS|NF|UNI)(?:[\s/\-]+(?i:EN|ISO|IEC|SIA|BSR|BSV))*)[\s\-]*(\d{1,6}(?:[/.\-]\d{1,4})*)(?::\s?(\d{4})\b|\s?\((\d{4})\)|\b)",
            norm,
            0,
            false,
        ),
        (
            r"(?i)\b(e?BKP(?:-?H)?|NPK|CFC|eCCC(?:-?B)?|CCC|CAN)[\s\-:]*(?:Kap(?:itel|\.)|chap(?:itre|\.)|cap(?:itolo|\.)|Pos(?:ition|\.))?\s*([A-Z]?\s?\d{1,4}(?:\.\d{1,4})*)\b",
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
            r"\b(?i:Achsen?|Rasterachsen?|Raster|axes?|assi|asse|axis|grid(?:\s?lines?)?)\s+(?:([A-Z]{1,2})\s?[/\-.–]?\s?(\d{1,3})|([a-z])\s?[/\-–]\s?(\d{1,3})|(\d{1,3})\s?[/\-–]\s?([A-Za-z]{1,2}))\b",
            crossing,
            0,
            true,
        ),
        (r"\b(?i:Achse|Rasterachse|axe|asse|axis|grid\s?line)\s+([A-Z]|\d{1,3})\b", axis, 0, true),
        (
            r"\b([A-Z]{1,6}(?:[\-_.][A-Z]{1,5})?[\-_.]?\d+(?:[\-_./]\d+)*)[\s_\-]*(?i:Rev(?:ision)?|Index|Idx|Indice|Ind)[\s_\-.]*([A-Za-z]|\d{1,2})\b",
            plan,
            0,
            true,
        ),
        (
            r"\b([A-Za-zÄÖÜäöü]{1,6}(?:[\-_.][A-Za-zÄÖÜ]{1,5})?[\-_.]?\d+(?:[\-_./]\d+)*(?:[\-_][A-Za-z0-9]{1,4})*[A-Za-z]?)\b",
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
    if let Some(year) = c.get(3).or_else(|| c.get(4)) {
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
    let system = match system.as_str() {
        "cfc" | "ccc" => "bkp",
        "can" => "npk",
        other => other,
    };
    let number = key(&c[2]);
    // `C 02.01` is `C2.1`; the digits of the other systems are places, not numbers.
    let number = if system == "ebkp" { number.replace(".0", ".") } else { number };
    let mut keys = vec![format!("{system}{number}"), format!("code{number}")];
    // A code with a letter is known by itself: `E3.1`.
    keys.extend(number.starts_with(|c: char| c.is_ascii_lowercase()).then_some(number));
    keys
}

/// What stands before the letter and number of an axis in its keys.
const AXIS: &str = "axis:";

/// A crossing of two axes: `B/4`, `B-4`, `4/B`; the letter first.
fn crossing(c: &Captures<'_>) -> Vec<String> {
    let group = |n: usize| c.get(n).map(|m| m.as_str());
    let letter = group(1).or_else(|| group(3)).or_else(|| group(6)).unwrap_or_default();
    let number = group(2).or_else(|| group(4)).or_else(|| group(5)).unwrap_or_default();
    let number = number.trim_start_matches('0');
    vec![format!("{AXIS}{}/{number}", letter.to_lowercase()), key(&format!("{letter}{number}"))]
}

fn axis(c: &Captures<'_>) -> Vec<String> {
    vec![format!("{AXIS}{}", c[1].trim_start_matches('0').to_lowercase())]
}

/// The two axes of a crossing.
pub(super) fn axes_of(keys: &[String]) -> Vec<String> {
    let crossing = keys.first().and_then(|k| k.strip_prefix(AXIS)?.split_once('/'));
    crossing.map(|(a, b)| vec![format!("{AXIS}{a}"), format!("{AXIS}{b}")]).unwrap_or_default()
}

/// `A-201 Index C`, `A-201 Rev. 2`: as `A-201-C` is written, and the plan itself.
fn plan(c: &Captures<'_>) -> Vec<String> {
    let (plan, revision) = (key(&c[1]), key(&c[2]));
    let numbered = revision.starts_with(|c: char| c.is_ascii_digit());
    vec![format!("{plan}{}{revision}", if numbered { "rev" } else { "" }), plan]
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
    let word = fold(&c[1]);
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
