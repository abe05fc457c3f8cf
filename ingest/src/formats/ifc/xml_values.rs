//! Values of ifcXML as STEP writes them.

use ifc_lite_core::{AttrKind, AttrSlot};

/// A text between quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// A simple attribute's text as STEP; what is no number where one is due stays text.
pub(super) fn simple(slot: AttrSlot, text: &str) -> String {
    if slot.aggregate || matches!(slot.kind, AttrKind::List) {
        let members: Vec<String> =
            text.split_whitespace().map(|m| number(m).unwrap_or_else(|| quoted(m))).collect();
        return format!("({})", members.join(","));
    }
    match slot.kind {
        AttrKind::Enum => enumeration(text),
        AttrKind::Logical => truth(text),
        AttrKind::Real | AttrKind::Int => number(text).unwrap_or_else(|| quoted(text)),
        _ => quoted(text),
    }
}

fn enumeration(text: &str) -> String {
    let name: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if name.is_empty() { "$".into() } else { format!(".{}.", name.to_ascii_uppercase()) }
}

fn truth(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "t" => ".T.".into(),
        "false" | "0" | "f" => ".F.".into(),
        _ => ".U.".into(),
    }
}

fn number(text: &str) -> Option<String> {
    if text.bytes().all(|b| b.is_ascii_digit() || b == b'-') && text.parse::<i64>().is_ok() {
        return Some(text.to_string());
    }
    let value = text.parse::<f64>().ok().filter(|v| v.is_finite())?;
    let shown = value.to_string();
    Some(if shown.contains('.') { shown } else { format!("{shown}.") })
}

/// `IfcLabel-wrapper` or `IfcLabel` with its text as a typed value.
pub(super) fn typed(kind: &str, text: &str) -> String {
    let kind = kind.strip_suffix("-wrapper").unwrap_or(kind).to_ascii_uppercase();
    if !kind.starts_with("IFC") {
        return number(text).unwrap_or_else(|| quoted(text)); // double-wrapper and the like
    }
    const WORDS: [&str; 10] = [
        "IFCLABEL",
        "IFCTEXT",
        "IFCIDENTIFIER",
        "IFCDATE",
        "IFCDATETIME",
        "IFCTIME",
        "IFCDURATION",
        "IFCURIREFERENCE",
        "IFCGLOBALLYUNIQUEID",
        "IFCDESCRIPTIVEMEASURE",
    ];
    let value = match kind.as_str() {
        "IFCBOOLEAN" | "IFCLOGICAL" => truth(text),
        word if WORDS.contains(&word) => quoted(text),
        _ => number(text).unwrap_or_else(|| quoted(text)),
    };
    format!("{kind}({value})")
}
