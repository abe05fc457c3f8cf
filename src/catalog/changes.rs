//! What changed in a model since the version before it.

use ingest::{Element, ModelDiff};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogError, DocumentId, sql};
use crate::scope::Scope;

/// A model compared with the version before it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelChanges {
    /// When the version before was read, RFC 3339.
    pub since: String,
    /// What came, went and changed; the lists may be shortened, the counts are whole.
    #[serde(flatten)]
    pub diff: ModelDiff,
}

/// The live version of a document, as far as a comparison with it needs to know.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierVersion {
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// When it was read, RFC 3339.
    pub read_at: String,
    /// What had changed in it.
    pub changes: Option<ModelChanges>,
}

impl Catalog {
    /// The live version of a document. For the run that is about to replace it: no scope applies.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn earlier_version(&self, id: DocumentId) -> Result<Option<EarlierVersion>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT g.sha256, coalesce(g.committed_at, g.staged_at) AS read_at, g.changes
                 FROM documents d JOIN generations g ON g.id = d.live WHERE d.id = ?1",
            )?
            .query_row([id], |row| {
                Ok(EarlierVersion {
                    sha256: row.get("sha256")?,
                    read_at: row.get("read_at")?,
                    changes: changes(row.get("changes")?),
                })
            })
            .optional()
        })
    }

    /// Shows every element of a document's live version, in the file's order, one at a time. For the run that
    /// is about to replace it: no scope applies.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn each_element(&self, id: DocumentId, mut see: impl FnMut(Element)) -> Result<(), CatalogError> {
        self.read(|c| {
            let mut statement = c.prepare_cached(
                "SELECT e.body FROM documents d JOIN elements e ON e.generation = d.live
                 WHERE d.id = ?1 ORDER BY e.ordinal",
            )?;
            let mut rows = statement.query([id])?;
            while let Some(row) = rows.next()? {
                see(sql::from_json(row, "body")?);
            }
            Ok(())
        })
    }

    /// What changed in a model since the version before it; `None` where there was none.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn model_changes(&self, scope: &Scope, id: DocumentId) -> Result<Option<ModelChanges>, CatalogError> {
        let query = format!(
            "SELECT g.changes FROM documents d JOIN generations g ON g.id = d.live WHERE {} AND d.id = ?2",
            sql::IN_SCOPE
        );
        self.read(|c| {
            let found = c.prepare_cached(&query)?.query_row(params![sql::scope(scope), id], |row| row.get(0));
            found.optional().map(|text| changes(text.flatten()))
        })
    }
}

/// A comparison as it is kept. What an older program kept otherwise is none.
fn changes(text: Option<String>) -> Option<ModelChanges> {
    serde_json::from_str(&text?).ok()
}
