use std::collections::HashSet;

use ingest::{Record, RecordCounts, Warning};
use rusqlite::{Row, Transaction, params};
use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogError, DocumentId, sql};
use crate::scope::Scope;

/// What became of the records of one file: `found` is `stored + merged + rejected`, or something is lost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordFile {
    /// Name of the source.
    pub source: String,
    /// Path relative to the source's folder.
    pub path: String,
    /// Records in the file.
    pub found: u64,
    /// Records that the catalog holds of it, counted now.
    pub stored: u64,
    /// Rows that are part of another record.
    pub merged: u64,
    /// Records left out.
    pub rejected: u64,
    /// Why, record by record.
    pub reasons: Vec<String>,
}

impl RecordFile {
    /// True where nothing is unaccounted for.
    pub fn balances(&self) -> bool {
        let RecordFile { found, stored, merged, rejected, .. } = *self;
        RecordCounts { found, stored, merged, rejected }.balance()
    }
}

impl Catalog {
    /// The files that hold records, with what was found in them and what is stored, by source and path.
    /// For administrators: no scope applies, and no reader's page may show it.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn record_files(&self) -> Result<Vec<RecordFile>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT d.source, d.path, g.metadata, g.warnings,
                     (SELECT count(*) FROM records r WHERE r.generation = g.id) AS stored
                 FROM documents d JOIN generations g ON g.id = d.live
                 WHERE json_extract(g.metadata, '$.records_found') IS NOT NULL ORDER BY d.source, d.path",
            )?
            .query_map([], record_file)?
            .collect()
        })
    }

    /// The records of a number in the order of the register: revisions, or different requests under one
    /// number.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn records_of(
        &self,
        scope: &Scope,
        id: DocumentId,
        number: &str,
    ) -> Result<Vec<Record>, CatalogError> {
        let query = format!(
            "SELECT r.body FROM documents d JOIN records r ON r.generation = d.live
             WHERE {} AND d.id = ?2 AND r.number = ?3 ORDER BY r.ordinal",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_map(params![sql::scope(scope), id, number], |row| sql::from_json(row, "body"))?
                .collect()
        })
    }

    /// Document and number of every record in a state: `open`, `answered`, `closed` or `void`.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn records_in_state(
        &self,
        scope: &Scope,
        state: &str,
    ) -> Result<HashSet<(DocumentId, String)>, CatalogError> {
        let query = format!(
            "SELECT d.id, r.number FROM documents d JOIN records r ON r.generation = d.live
             WHERE {} AND r.state = ?2",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_map(params![sql::scope(scope), state], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
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

fn record_file(row: &Row<'_>) -> rusqlite::Result<RecordFile> {
    let metadata = sql::from_json(row, "metadata")?;
    let counts = RecordCounts::of(&metadata).unwrap_or_default();
    let warnings: Vec<Warning> = sql::from_json(row, "warnings")?;
    let reasons = warnings.into_iter().filter(|w| w.code == "record-rejected").map(|w| w.message);
    Ok(RecordFile {
        source: row.get("source")?,
        path: row.get("path")?,
        found: counts.found,
        stored: sql::count(row, "stored")?,
        merged: counts.merged,
        rejected: counts.rejected,
        reasons: reasons.collect(),
    })
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
