//! Office documents: Word, PowerPoint, OpenDocument, and the notes of Excel workbooks.

pub(crate) mod cellnotes;
pub(crate) mod docx;
pub(crate) mod embedded;
mod formulas;
mod grid;
mod numbering;
pub(crate) mod odf;
mod package;
pub(crate) mod pptx;
mod side;
mod styles;
pub(crate) mod workbook;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use grid::Tables;

use super::outline::one_line;
use crate::model::{Document, Warning};
use crate::text::counted;

/// The first title that says something; the file's name where none does.
fn title(candidates: &[&str], name: &str) -> String {
    let found = candidates.iter().map(|t| one_line(t)).find(|t| t.chars().any(char::is_alphanumeric));
    found.unwrap_or_else(|| super::stem(name))
}

pub(crate) fn warn(document: &mut Document, code: &str, message: impl Into<String>) {
    document.warnings.push(Warning { code: code.into(), message: message.into(), page: None });
}

/// Tells of text that stands in the file as deleted under change tracking.
pub(crate) fn deletions(document: &mut Document, count: u32) {
    if count > 0 {
        let what = counted(
            count,
            "tracked deletion was left out, as if it were",
            "tracked deletions were left out, as if they were",
        );
        warn(document, "tracked-deletions", format!("{what} accepted"));
    }
}

/// `2026-03-02T10:15:00Z` as `2026-03-02`.
fn day(date: &str) -> String {
    date.split('T').next().unwrap_or_default().to_string()
}
