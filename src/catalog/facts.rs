use ingest::{Fact, FactKind};
use rusqlite::{Row, Transaction, params};

use super::{Catalog, CatalogError, DocumentId, sql};
use crate::scope::Scope;

/// A U-value that a model states.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFact {
    /// The model.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// What it states, of how many elements.
    pub fact: Fact,
}

const COLUMNS: &str = "f.kind, f.subject, f.element, f.label, f.value, f.unit, f.count, f.place, f.cell";

impl Catalog {
    /// The facts of a document in their order; none where it lies outside the scope.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn facts(&self, scope: &Scope, id: DocumentId) -> Result<Vec<Fact>, CatalogError> {
        let query = format!(
            "SELECT {COLUMNS} FROM documents d JOIN facts f ON f.generation = d.live
             WHERE {} AND d.id = ?2 ORDER BY f.ordinal",
            sql::IN_SCOPE
        );
        self.read(|c| c.prepare_cached(&query)?.query_map(params![sql::scope(scope), id], fact)?.collect())
    }

    /// U-values that models of the document's project state for the elements that it names by the same code,
    /// or, where it has no code, by the same words. Only models within the scope are looked at.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn model_u_values(&self, scope: &Scope, id: DocumentId) -> Result<Vec<ModelFact>, CatalogError> {
        let query = format!(
            "SELECT DISTINCT d.id, g.title, f.generation, f.ordinal, {COLUMNS}
             FROM documents proof
             JOIN facts p ON p.generation = proof.live AND p.kind = 'u_value'
             JOIN documents d ON d.project = proof.project AND d.id <> proof.id
             JOIN generations g ON g.id = d.live AND g.kind = 'ifc'
             JOIN facts f ON f.generation = d.live AND f.kind = 'u_value'
                 AND (f.element_key = p.element_key AND p.element_key <> ''
                      OR p.element_key = '' AND lower(f.label) = lower(p.label))
             WHERE {} AND proof.id = ?2 AND proof.acl IN (SELECT value FROM json_each(?1))
             ORDER BY d.id, f.ordinal",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_map(params![sql::scope(scope), id], |row| {
                    Ok(ModelFact { document: row.get("id")?, title: row.get("title")?, fact: fact(row)? })
                })?
                .collect()
        })
    }
}

fn fact(row: &Row<'_>) -> rusqlite::Result<Fact> {
    Ok(Fact {
        kind: sql::word(row, "kind", FactKind::parse)?,
        subject: row.get("subject")?,
        element: row.get("element")?,
        label: row.get("label")?,
        value: row.get("value")?,
        unit: row.get("unit")?,
        count: sql::count32(row, "count")?,
        place: sql::from_json(row, "place")?,
        cell: row.get("cell")?,
    })
}

pub(super) fn insert(t: &Transaction<'_>, generation: i64, facts: &[Fact]) -> rusqlite::Result<()> {
    let mut insert = t.prepare_cached(
        "INSERT INTO facts (generation, ordinal, kind, subject, element, element_key, label, value, unit, count,
             place, cell)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    for (ordinal, fact) in (0_i64..).zip(facts) {
        insert.execute(params![
            generation,
            ordinal,
            fact.kind.as_str(),
            fact.subject,
            fact.element,
            fact.element_key(),
            fact.label,
            fact.value,
            fact.unit,
            fact.count,
            sql::json(&fact.place)?,
            fact.cell,
        ])?;
    }
    Ok(())
}
