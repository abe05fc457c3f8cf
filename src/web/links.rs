//! Addresses of places in documents, and the places in words.

use ingest::{Element, Language, Locator, TextUnit};

use super::i18n::{Texts, class_name};
use crate::catalog::{ChunkId, DocumentId};

/// Joins a path and the parameters that have a value.
pub(super) fn address(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut out = path.to_owned();
    let mut joint = if path.contains('?') { '&' } else { '?' };
    for (name, value) in parameters.iter().filter(|(_, value)| !value.is_empty()) {
        out.push(joint);
        out.push_str(name);
        out.push('=');
        encode(&mut out, value);
        joint = '&';
    }
    out
}

fn encode(out: &mut String, value: &str) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            _ => {
                out.push('%');
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
}

/// The address that opens a place: the page, the element, the record or the row.
pub(super) fn place(
    document: DocumentId,
    locator: &Locator,
    passage: Option<ChunkId>,
    query: &str,
) -> String {
    let path = format!("/document/{document}");
    let passage = passage.map(|id| id.to_string()).unwrap_or_default();
    let (name, value) = match locator {
        Locator::Pdf { page, .. } => ("page", page.to_string()),
        Locator::Ifc { global_id } => ("element", global_id.clone()),
        Locator::Rfi { record } => ("record", record.clone()),
        Locator::Sheet { .. } | Locator::Mail { .. } | Locator::Text { .. } => ("", String::new()),
    };
    let mut address = address(&path, &[(name, &value), ("passage", &passage), ("q", query)]);
    if name.is_empty() && !passage.is_empty() {
        address.push_str("#passage");
    }
    address
}

/// A place in the reader's words; `element` is the element that an IFC locator names.
pub(super) fn words(t: &Texts, language: Language, locator: &Locator, element: Option<&Element>) -> String {
    match locator {
        Locator::Pdf { page, .. } => t.one(t.place_page, page),
        Locator::Rfi { record } => record.clone(),
        Locator::Sheet { sheet, row } => t.two(t.place_row, sheet, row),
        Locator::Mail { part: 0, .. } => t.place_mail_body.to_owned(),
        Locator::Mail { part, .. } => t.one(t.place_mail_part, part),
        Locator::Text { section, line, unit: TextUnit::Slide } => {
            let slide = t.one(t.place_slide, line);
            if section.is_empty() { slide } else { format!("{slide} · {section}") }
        }
        Locator::Text { section, line, unit } if section.is_empty() => match unit {
            TextUnit::Paragraph => t.one(t.place_paragraph, line),
            _ => t.one(t.place_line, line),
        },
        Locator::Text { section, .. } => section.clone(),
        Locator::Ifc { global_id } => match element {
            Some(element) => element_words(language, element),
            None => global_id.clone(),
        },
    }
}

/// Where a sentence stands in the reader's words, if need be from one page to the next: `Seite 3–4`.
pub(super) fn stretch(
    t: &Texts,
    language: Language,
    from: &Locator,
    until: Option<&Locator>,
    element: Option<&Element>,
) -> String {
    match (from, until) {
        (Locator::Pdf { page: first, .. }, Some(Locator::Pdf { page: last, .. })) if first != last => {
            t.one(t.place_page, format!("{first}–{last}"))
        }
        _ => words(t, language, from, element),
    }
}

/// An element as people speak of it: `Tür T-1.03 · 1. OG`.
pub(super) fn element_words(language: Language, element: &Element) -> String {
    let class = class_name(&element.class, language);
    let mut words = match element.name.trim() {
        "" => class.to_owned(),
        // Many authoring programs already put the class into the name.
        name if name.to_lowercase().starts_with(&class.to_lowercase()) => name.to_owned(),
        name => format!("{class} {name}"),
    };
    if !element.storey.is_empty() {
        words.push_str(" · ");
        words.push_str(&element.storey);
    }
    words
}

/// A path of this site to go back to; anything else leads to the search page.
pub(super) fn back(path: &str) -> &str {
    let local = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.chars().any(char::is_control);
    if local { path } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::i18n::texts;

    #[test]
    fn addresses_are_encoded_and_leave_out_what_is_empty() {
        assert_eq!(
            address("/", &[("q", "Tür & Tor"), ("kind", ""), ("page", "2")]),
            "/?q=T%C3%BCr+%26+Tor&page=2"
        );
        assert_eq!(address("/", &[("q", "")]), "/");
        let page = Locator::Pdf { page: 7, boxes: vec![] };
        assert_eq!(
            place(DocumentId(12), &page, Some(ChunkId(5)), "U-Wert"),
            "/document/12?page=7&passage=5&q=U-Wert"
        );
        let row = Locator::Sheet { sheet: "A".into(), row: 3 };
        assert_eq!(place(DocumentId(12), &row, Some(ChunkId(5)), ""), "/document/12?passage=5#passage");
    }

    #[test]
    fn places_are_named_in_the_readers_language() {
        let t = texts(Language::De);
        let door = Element {
            class: "IfcDoor".into(),
            name: "T-1.03".into(),
            storey: "1. OG".into(),
            ..Element::default()
        };
        let locator = Locator::Ifc { global_id: "0".repeat(22) };
        assert_eq!(words(t, Language::De, &locator, Some(&door)), "Tür T-1.03 · 1. OG");
        assert_eq!(words(t, Language::De, &Locator::Pdf { page: 7, boxes: vec![] }, None), "Seite 7");
        let page = |page| Locator::Pdf { page, boxes: vec![] };
        assert_eq!(stretch(t, Language::De, &page(3), Some(&page(4)), None), "Seite 3–4");
        assert_eq!(stretch(t, Language::De, &page(3), None, None), "Seite 3");
        let named = Element { class: "IfcWall".into(), name: "Wand W1".into(), ..Element::default() };
        assert_eq!(element_words(Language::De, &named), "Wand W1");
    }

    #[test]
    fn no_way_leads_off_this_site() {
        for bad in ["https://example.org", "//example.org", "/\\example.org", "", "/a\nb"] {
            assert_eq!(back(bad), "/", "{bad:?}");
        }
        assert_eq!(back("/ask?q=1"), "/ask?q=1");
    }
}
