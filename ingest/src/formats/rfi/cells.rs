//! What stands in one cell: people, lists, GlobalIds.

use crate::model::{ElementLink, Party, Record};

/// People of one part with their firms. Several names stand in one cell, parted by semicolons or lines; as
/// many firms belong to them one by one, a single one to all.
pub(super) fn parties(part: &str, names: &str, firms: &str) -> Vec<Party> {
    let list = |text: &str| -> Vec<String> {
        text.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty()).map(String::from).collect()
    };
    let (people, houses) = (list(names), list(firms));
    let party = |name: &str, organisation: &str| Party {
        part: part.into(),
        name: name.into(),
        organisation: organisation.into(),
        status: String::new(),
    };
    if people.is_empty() {
        return houses.iter().map(|firm| party("", firm)).collect();
    }
    let firm_of = |index: usize| match houses.as_slice() {
        [only] => only.clone(),
        all if all.len() == people.len() => all.get(index).cloned().unwrap_or_default(),
        all => all.join("; "),
    };
    people.iter().enumerate().map(|(index, name)| party(name, &firm_of(index))).collect()
}

/// What stands between texts that were put into one.
pub(super) const SEPARATOR: &str = "; ";

/// Adds what is not there yet, behind a semicolon. For many texts one after the other there is
/// [`Parts`](super::merge::Parts).
pub(super) fn append(slot: &mut String, text: String) {
    if slot.is_empty() {
        *slot = text;
    } else if *slot != text && !slot.split(SEPARATOR).any(|part| part == text) {
        slot.push_str(SEPARATOR);
        slot.push_str(&text);
    }
}

/// Line ends made plain, spaces at both ends and empty lines gone.
pub(super) fn tidy(cell: &str) -> String {
    let plain = cell.replace("_x000D_", "");
    let lines: Vec<&str> = plain.split(['\n', '\r']).map(str::trim).filter(|l| !l.is_empty()).collect();
    lines.join("\n").trim().to_string()
}

/// Members of a list in one cell.
pub(super) fn listed(text: &str) -> Vec<String> {
    let parts = text.split([';', '\n']).flat_map(|p| p.split(", "));
    parts.map(str::trim).filter(|p| !p.is_empty()).map(String::from).collect()
}

/// A GlobalId: 22 characters of its alphabet, the first one small.
pub(super) fn element_link(token: &str) -> Option<ElementLink> {
    let token = token.trim_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
    let shaped = token.len() == 22
        && token.starts_with(['0', '1', '2', '3'])
        && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
    shaped.then(|| ElementLink { global_id: token.to_string(), ..ElementLink::default() })
}

/// GlobalIds in question and answers become links.
pub(super) fn link_elements(record: &mut Record) {
    let texts =
        std::iter::once(record.question.as_str()).chain(record.answers.iter().map(|a| a.text.as_str()));
    let mixed = |link: &ElementLink| {
        let id = &link.global_id;
        id.bytes().any(|b| b.is_ascii_uppercase()) && id.bytes().any(|b| b.is_ascii_lowercase())
    };
    let found: Vec<ElementLink> =
        texts.flat_map(str::split_whitespace).filter_map(element_link).filter(mixed).collect();
    record.elements.extend(found);
    let mut seen = std::collections::BTreeSet::new();
    record.elements.retain(|e| seen.insert(e.global_id.clone()));
}
