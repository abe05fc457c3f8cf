//! What a workbook has beside its cells: notes, embedded files, and formulas that nobody computed.

use super::package::Package;
use super::{cellnotes, embedded, formulas};
use crate::error::ReadError;
use crate::formats::walk::{Descend, Tag, Visitor};
use crate::limits::Limits;
use crate::model::Document;
use crate::text::label;

/// Puts it into the document of an XLSX or ODS file.
///
/// # Errors
/// As for opening a package.
pub(crate) fn complete(bytes: &[u8], limits: &Limits, document: &mut Document) -> Result<(), ReadError> {
    let mut package = Package::open(bytes, limits)?;
    document.notes = cellnotes::read(&mut package)?;
    formulas::check(&mut package, document)?;
    if package.names().any(|n| n == "content.xml") {
        return embedded::odf_parts(&mut package, None, document);
    }
    embedded::files(&mut package, document)
}

/// Names of the sheets of an XLSX file with their parts, in order.
pub(super) fn sheets(package: &mut Package<'_>) -> Result<Vec<(String, String)>, ReadError> {
    let mut sheets = Sheets::default();
    package.visit("xl/workbook.xml", &mut sheets)?;
    let relations = package.relations("xl/workbook.xml")?;
    let part = |id: &str| relations.iter().find(|r| r.id == id).map(|r| r.target.clone());
    Ok(sheets.list.into_iter().filter_map(|(name, id)| Some((name, part(&id)?))).collect())
}

#[derive(Default)]
struct Sheets {
    list: Vec<(String, String)>,
}

impl Visitor for Sheets {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        if name == "sheet" {
            self.list.push((
                label(&tag.attribute("name").unwrap_or_default()),
                tag.attribute("r:id").or_else(|| tag.attribute("id")).unwrap_or_default(),
            ));
        }
        Descend::Into
    }
    fn close(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}
}
