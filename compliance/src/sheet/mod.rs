//! The one-page report as a PDF: exactly one A4 page, PDF/A-2b, tagged, at least 8 points.
//!
//! Texts that are too long are cut with a reference to the annex, never carried to a second page. The sheet
//! claims no certification and never calls anything lawful: it states counts, their queries, and what is open.

pub(crate) mod archival;
mod content;
pub(crate) mod draw;
mod foot;
mod format;
mod layout;
mod open_points;
mod page;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod words;

use serde::Serialize;

use crate::report::{CatalogFacts, Figures, Lang};

/// Why no sheet could be made.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// A bundled font could not be read.
    #[error("a bundled font cannot be read; the program is incomplete")]
    Font,
    /// The PDF did not pass the PDF/A-2b checks.
    #[error("the report did not pass the PDF/A-2b checks: {0}")]
    Pdf(String),
}

/// The sheet, and what did not fit on it.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Texts that were cut, in full.
    pub annex: Vec<AnnexText>,
}

/// A text that was cut on the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnnexText {
    /// Number of the section, 1 to 10.
    pub section: u8,
    /// Label on the sheet.
    pub label: String,
    /// The whole text.
    pub text: String,
}

/// Makes the sheet.
///
/// # Errors
/// When the bundled fonts cannot be read or the PDF/A checks fail; neither depends on the texts.
pub fn render(figures: &Figures, facts: &CatalogFacts, lang: Lang) -> Result<Rendered, SheetError> {
    page::render(&content::Context::new(figures, facts, lang))
}
