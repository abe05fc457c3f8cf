//! One module per file format, and the choice between them.

mod archive;
mod charset;
pub(crate) mod container;
pub(crate) mod dxf;
pub(crate) mod html;
pub(crate) mod ifc;
pub(crate) mod image;
pub(crate) mod mail;
mod markdown;
pub(crate) mod office;
mod outline;
pub(crate) mod pdf;
mod plain;
pub(crate) mod rfi;
pub(crate) mod rtf;
pub(crate) mod sheet;
mod sniff;
mod walk;
mod xml;

use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, Warning};
use crate::ocr::{NoRecogniser, Recogniser};
use crate::text::counted;
use rfi::mapping::RecordMapping;
use sniff::Format;

/// The sort of source that [`read`] will make of the file, from its first bytes and, where
/// they do not tell, its name. `None` where there is no reader for it.
///
/// A workbook or CSV file is announced as [`Kind::Sheet`]; reading it may show that it is a register of
/// requests, [`Kind::Rfi`].
pub fn sniff(bytes: &[u8], name: &str) -> Option<Kind> {
    Some(match sniff::sniff(bytes, name).ok()? {
        Format::Pdf => Kind::Pdf,
        Format::Image(_) => Kind::Image,
        Format::Step | Format::IfcXml | Format::IfcZip => Kind::Ifc,
        Format::Workbook | Format::Csv => Kind::Sheet,
        Format::Bcf | Format::RfiTables | Format::Json => Kind::Rfi,
        Format::Mail | Format::Msg => Kind::Mail,
        Format::Docx
        | Format::Pptx
        | Format::OpenDocument
        | Format::Rtf
        | Format::Html
        | Format::Markdown
        | Format::Dxf
        | Format::Zip
        | Format::Text => Kind::Text,
    })
}

/// Reads a file. `name` is its file name; it helps where the bytes do not tell the format and is the
/// title where the file has none.
///
/// # Errors
/// [`ReadError`] where nothing useful can be read. Smaller faults are warnings of the document.
pub fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    read_mapped(bytes, name, limits, &RecordMapping::default())
}

/// As [`read`], and registers of requests are read as `mapping` says.
///
/// # Errors
/// As [`read`].
pub fn read_mapped(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    mapping: &RecordMapping,
) -> Result<Document, ReadError> {
    read_with(bytes, name, limits, mapping, &mut NoRecogniser)
}

/// As [`read_mapped`], and pages that are images are read by the recogniser.
///
/// # Errors
/// As [`read`].
pub fn read_with(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    mapping: &RecordMapping,
    recogniser: &mut dyn Recogniser,
) -> Result<Document, ReadError> {
    let mut document = match sniff::sniff(bytes, name)? {
        Format::Pdf => pdf::read(bytes, name, limits, recogniser),
        Format::Image(format) => image::read(bytes, format, name, limits, recogniser),
        Format::Step => ifc::read(bytes, name, limits),
        Format::IfcXml => ifc::read_xml(bytes, name, limits),
        Format::IfcZip => zipped_model(bytes, name, limits),
        Format::Workbook => sheet::read_workbook(bytes, name, limits, mapping),
        Format::Csv => sheet::read_csv(bytes, name, limits, mapping),
        Format::Bcf => rfi::bcf::read(bytes, name, limits),
        Format::RfiTables => rfi::tables::read(bytes, name, limits, mapping),
        Format::Json => rfi::json::read(bytes, name, limits, mapping),
        Format::Mail => mail::read(bytes, name, limits),
        Format::Msg => mail::read_msg(bytes, name, limits),
        Format::Docx => office::docx::read(bytes, name, limits),
        Format::Pptx => office::pptx::read(bytes, name, limits),
        Format::OpenDocument => office::odf::read(bytes, name, limits),
        Format::Rtf => rtf::read(bytes, name, limits),
        Format::Html => html::read(bytes, name, limits),
        Format::Markdown => markdown::read(bytes, name, limits),
        Format::Dxf => dxf::read(bytes, name, limits),
        Format::Zip => container::read(bytes, name, limits),
        Format::Text => plain::read(bytes, name, limits),
    }?;
    document.facts = crate::facts::of(&document);
    Ok(document)
}

/// The first IFC model of an archive.
fn zipped_model(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let mut archive = archive::Archive::open(bytes, limits)?;
    let is_model = |(_, member): &&(usize, String)| {
        matches!(sniff::extension(member).as_str(), "ifc" | "ifcxml" | "xml")
    };
    let names = archive.names();
    let Some((index, member)) = names.iter().find(is_model) else {
        return Err(ReadError::Unsupported { found: "a ZIP archive without an IFC model".into() });
    };
    let bytes = archive.read(*index)?;
    let mut document = match sniff::extension(member).as_str() {
        "ifc" => ifc::read(&bytes, name, limits)?,
        _ => ifc::read_xml(&bytes, name, limits)?,
    };
    let more = names.iter().filter(is_model).count() - 1;
    if more > 0 {
        let message = format!(
            "only the first model of the archive was read; {} in it",
            counted(more, "more is", "more are")
        );
        document.warnings.push(Warning { code: "more-models".into(), message, page: None });
    }
    Ok(document)
}

/// The file's name without folders and extension, never empty.
pub(crate) fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    };
    if stem.trim().is_empty() { "untitled".into() } else { stem.to_string() }
}
