use ingest::Record;
use rusqlite::{OptionalExtension, Transaction, params};

use super::{Catalog, CatalogError, DocumentId, sql};
use crate::scope::Scope;

impl Catalog {
    /// A record by its number; where the register has several under one number (revisions), the one
    /// that stands last.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn record(
        &self,
        scope: &Scope,
        id: DocumentId,
        number: &str,
    ) -> Result<Option<Record>, CatalogError> {
        let query = format!(
            "SELECT r.body FROM documents d JOIN records r ON r.generation = d.live
             WHERE {} AND d.id = ?2 AND r.number = ?3 ORDER BY r.ordinal DESC LIMIT 1",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_row(params![sql::scope(scope), id, number], |row| sql::from_json(row, "body"))
                .optional()
        })
    }

    /// All records of a register in its order.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn records(&self, scope: &Scope, id: DocumentId) -> Result<Vec<Record>, CatalogError> {
        let query = format!(
            "SELECT r.body FROM documents d JOIN records r ON r.generation = d.live
             WHERE {} AND d.id = ?2 ORDER BY r.ordinal",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_map(params![sql::scope(scope), id], |row| sql::from_json(row, "body"))?
                .collect()
        })
    }

    /// Every record that points at a building element.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn records_naming(
        &self,
        scope: &Scope,
        global_id: &str,
    ) -> Result<Vec<(DocumentId, Record)>, CatalogError> {
        let query = format!(
            "SELECT DISTINCT d.id, r.ordinal, r.body FROM record_elements n
             JOIN documents d ON d.live = n.generation
             JOIN records r ON r.generation = n.generation AND r.ordinal = n.record
             WHERE {} AND n.global_id = ?2 ORDER BY d.id, r.ordinal",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_map(params![sql::scope(scope), global_id], |row| {
                    Ok((row.get("id")?, sql::from_json(row, "body")?))
                })?
                .collect()
        })
    }
}

pub(super) fn insert(t: &Transaction<'_>, generation: i64, records: &[Record]) -> rusqlite::Result<()> {
    let mut insert = t.prepare_cached(
        "INSERT INTO records (generation, ordinal, number, state, body) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    let mut link =
        t.prepare_cached("INSERT INTO record_elements (generation, record, global_id) VALUES (?1, ?2, ?3)")?;
    for (ordinal, record) in (0_i64..).zip(records) {
        insert.execute(params![generation, ordinal, record.number, record.state, sql::json(record)?])?;
        for element in &record.elements {
            link.execute(params![generation, ordinal, element.global_id])?;
        }
    }
    Ok(())
}
