//! Tables of an export that lie side by side instead of in an archive.

use super::{MAIN, is_known, table_name};

/// What a table of such an export is, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportTable {
    /// The requests.
    Requests,
    /// What belongs to them, with the table's name: answers, parties, attachments, people.
    Part(String),
}

/// The table of an export that a file's name says it is; `None` for any other file.
pub fn table_of_export(path: &str) -> Option<ExportTable> {
    let name = table_name(path)?;
    match name == MAIN {
        true => Some(ExportTable::Requests),
        false => is_known(&name).then_some(ExportTable::Part(name)),
    }
}

/// Packs tables that lie side by side, by path, into an archive that [`read`](crate::read) takes as one export.
///
/// # Errors
/// The archive cannot be written: more than four gigabytes.
pub fn pack_tables(tables: &[(String, Vec<u8>)]) -> std::io::Result<Vec<u8>> {
    crate::formats::archive::pack(tables)
}
