//! Document information and outline.

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{DateTime, Dict};
use lopdf::{LoadOptions, Object};

use crate::limits::Limits;
use crate::model::Warning;

/// An entry of the outline (bookmarks).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OutlineEntry {
    /// Rank, 1 for the highest.
    pub(super) level: u8,
    pub(super) title: String,
    /// Page, from 1.
    pub(super) page: u32,
}

/// The document information dictionary as metadata keys.
pub(super) fn metadata(pdf: &Pdf) -> BTreeMap<String, String> {
    let info = pdf.metadata();
    let mut out = BTreeMap::new();
    let texts = [
        ("title", &info.title),
        ("author", &info.author),
        ("subject", &info.subject),
        ("keywords", &info.keywords),
        ("creator", &info.creator),
        ("producer", &info.producer),
    ];
    for (key, value) in texts {
        let text = value.as_deref().map(decode).unwrap_or_default();
        if !text.is_empty() {
            out.insert(key.to_string(), text);
        }
    }
    for (key, value) in [("created", &info.creation_date), ("modified", &info.modification_date)] {
        if let Some(date) = value.as_ref().and_then(iso_date) {
            out.insert(key.to_string(), date);
        }
    }
    out
}

fn decode(bytes: &[u8]) -> String {
    let text = lopdf::decode_text_string(&Object::string_literal(bytes))
        .unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned());
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn iso_date(date: &DateTime) -> Option<String> {
    let (y, m, d) = (date.year, date.month, date.day);
    if y == 0 || !(1..=12).contains(&m) || !(1..=31).contains(&d) {
        return None;
    }
    Some(format!("{y:04}-{m:02}-{d:02}T{:02}:{:02}:{:02}", date.hour, date.minute, date.second))
}

/// The outline; empty where there is none or it cannot be read.
pub(super) fn outline(
    pdf: &Pdf,
    bytes: &[u8],
    limits: &Limits,
    warnings: &mut Vec<Warning>,
) -> Vec<OutlineEntry> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    if !catalog.is_some_and(|c| c.contains_key("Outlines".as_bytes())) {
        return Vec::new();
    }
    let options = LoadOptions {
        max_decompressed_size: Some(usize::try_from(limits.max_expanded_bytes).unwrap_or(usize::MAX)),
        ..LoadOptions::default()
    };
    let toc = lopdf::Document::load_mem_with_options(bytes, options).and_then(|document| document.get_toc());
    match toc {
        Ok(toc) => toc
            .toc
            .into_iter()
            .filter_map(|entry| {
                Some(OutlineEntry {
                    level: u8::try_from(entry.level.clamp(1, 9)).ok()?,
                    title: entry.title.split_whitespace().collect::<Vec<_>>().join(" "),
                    page: u32::try_from(entry.page).ok()?,
                })
            })
            .filter(|entry| !entry.title.is_empty())
            .collect(),
        // An outline that is there but empty is common and harmless.
        Err(lopdf::Error::NoOutline) => Vec::new(),
        Err(error) => {
            warnings.push(Warning {
                code: "outline".into(),
                message: format!("the bookmarks could not be read: {error}"),
                page: None,
            });
            Vec::new()
        }
    }
}
