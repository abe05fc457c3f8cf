//! One module per file format, and the choice between them.

pub(crate) mod pdf;
mod sniff;

use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind};
use sniff::Format;

/// The sort of source that [`read`](crate::read) will make of the file, from its first bytes and, where
/// they do not tell, its name. `None` where there is no reader for it.
///
/// A workbook or CSV file is announced as [`Kind::Sheet`]; reading it may show that it is a register of
/// requests, [`Kind::Rfi`].
pub fn sniff(bytes: &[u8], name: &str) -> Option<Kind> {
    Some(match sniff::sniff(bytes, name).ok()? {
        Format::Pdf => Kind::Pdf,
        Format::Step | Format::IfcZip => Kind::Ifc,
        Format::Workbook | Format::Csv => Kind::Sheet,
        Format::Bcf => Kind::Rfi,
        Format::Mail => Kind::Mail,
        Format::Text => Kind::Text,
    })
}

/// Reads a file. `name` is its file name; it helps where the bytes do not tell the format and is the
/// title where the file has none.
///
/// # Errors
/// [`ReadError`] where nothing useful can be read. Smaller faults are warnings of the document.
pub fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    match sniff::sniff(bytes, name) {
        Ok(Format::Pdf) => pdf::read(bytes, name, limits),
        Ok(other) => Err(ReadError::Unsupported { found: format!("{other:?}") }),
        Err(found) => Err(ReadError::Unsupported { found }),
    }
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
