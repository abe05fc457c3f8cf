//! Passages of what was filled in and what was remarked on a PDF's pages.

use super::ChunkOptions;
use super::pack::{self, Piece};
use crate::model::{Annotation, Field, Language, Page};

/// The filled fields of a page, one a line: `Name: value`.
pub(super) fn fields(page: &Page, section: &[String], options: &ChunkOptions) -> Vec<Piece> {
    let lines = page.fields.iter().filter_map(|f| Some((field(f)?, f.rect)));
    lines.flat_map(|(text, rect)| pieces(&text, rect, section, options)).collect()
}

fn field(field: &Field) -> Option<String> {
    let name = if field.label.is_empty() { &field.name } else { &field.label };
    let value = field.value.trim();
    match field.checked {
        // What a box is named in the file (`Yes`, `1`) tells a reader nothing; that of a group does.
        Some(true) if field.kind == "radio" => Some(format!("{name}: {value}")),
        Some(true) => Some(format!("☒ {name}")),
        Some(false) => None,
        None if value.is_empty() => None,
        None => Some(format!("{name}: {value}")),
    }
}

/// The comments of a page: who said what, when, on which words.
pub(super) fn comments(
    page: &Page,
    language: Option<Language>,
    section: &[String],
    options: &ChunkOptions,
) -> Vec<Piece> {
    let said = page.annotations.iter().filter(|a| !a.text.trim().is_empty());
    said.flat_map(|a| pieces(&comment(a, language), a.rect, section, options)).collect()
}

fn comment(annotation: &Annotation, language: Option<Language>) -> String {
    let label = match language {
        Some(Language::Fr) => "Commentaire",
        Some(Language::It) => "Commento",
        Some(Language::En) => "Comment",
        Some(Language::De) | None => "Kommentar",
    };
    let day = annotation.date.split('T').next().unwrap_or_default();
    let who: Vec<&str> =
        [annotation.author.as_str(), day].into_iter().filter(|part| !part.is_empty()).collect();
    let mut out = label.to_owned();
    if !who.is_empty() {
        out.push_str(&format!(" ({})", who.join(", ")));
    }
    out.push_str(": ");
    if !annotation.marked.is_empty() {
        out.push_str(&format!("«{}» – ", annotation.marked));
    }
    out.push_str(&annotation.text.split_whitespace().collect::<Vec<_>>().join(" "));
    out
}

fn pieces(text: &str, rect: [f32; 4], section: &[String], options: &ChunkOptions) -> Vec<Piece> {
    let ranges = pack::split(text, options.max_words);
    let piece = |range: std::ops::Range<usize>| Piece {
        text: text.get(range).unwrap_or("").trim().to_string(),
        boxes: vec![rect],
        section: section.to_vec(),
        ..Piece::default()
    };
    ranges.into_iter().map(piece).filter(|p| !p.text.is_empty()).collect()
}
