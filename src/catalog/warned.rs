//! Files that were read with warnings.

use ingest::Warning;
use rusqlite::Row;
use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogError, DocumentId, sql};

/// Warnings of one file that are listed.
const LISTED: usize = 5;

/// A file whose reader had something to say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WarnedFile {
    /// Name of the source.
    pub source: String,
    /// Path relative to the source's folder.
    pub path: String,
    /// The document.
    pub document: DocumentId,
    /// True where something in it was not read.
    pub in_part: bool,
    /// The first warnings, those of what was not read before the others.
    pub warnings: Vec<Warning>,
    /// How many further ones there are.
    pub more: u64,
}

/// How many files were read with warnings, and the first of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WarnedFiles {
    /// Files with warnings, listed or not.
    pub files: u64,
    /// Of these, files that were read only in part.
    pub in_part: u64,
    /// Some of them: those read in part before the others, the last read first.
    pub listed: Vec<WarnedFile>,
}

impl Catalog {
    /// The live documents whose reader warned of something else than pages to look at and rejected records,
    /// which have lists of their own. At most `limit` are listed. For administrators: no scope applies, and no
    /// reader's page may show it.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn warned_files(&self, limit: usize) -> Result<WarnedFiles, CatalogError> {
        self.read(|c| {
            let mut statement = c.prepare_cached(
                "SELECT d.id, d.source, d.path, g.warnings FROM documents d JOIN generations g ON g.id = d.live
                 WHERE g.warnings <> '[]' ORDER BY g.id DESC",
            )?;
            let (mut found, mut noted) = (WarnedFiles::default(), Vec::new());
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let Some(file) = warned_file(row)? else { continue };
                found.files += 1;
                found.in_part += u64::from(file.in_part);
                let list = if file.in_part { &mut found.listed } else { &mut noted };
                if list.len() < limit {
                    list.push(file);
                }
            }
            let left = limit.saturating_sub(found.listed.len());
            found.listed.extend(noted.into_iter().take(left));
            Ok(found)
        })
    }
}

fn warned_file(row: &Row<'_>) -> rusqlite::Result<Option<WarnedFile>> {
    let mut warnings: Vec<Warning> = sql::from_json(row, "warnings")?;
    warnings.retain(|w| !w.is_about_ocr() && w.code != "record-rejected");
    if warnings.is_empty() {
        return Ok(None);
    }
    warnings.sort_by_key(|w| !w.is_a_loss());
    let more = warnings.len().saturating_sub(LISTED) as u64;
    warnings.truncate(LISTED);
    Ok(Some(WarnedFile {
        source: row.get("source")?,
        path: row.get("path")?,
        document: row.get("id")?,
        in_part: warnings.first().is_some_and(Warning::is_a_loss),
        warnings,
        more,
    }))
}
