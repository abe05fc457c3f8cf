use ingest::{Element, SpatialNode};
use rusqlite::{OptionalExtension, Transaction, params};

use super::{Catalog, CatalogError, DocumentId, sql};
use crate::scope::Scope;

impl Catalog {
    /// An element of a model by its GlobalId.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn element(
        &self,
        scope: &Scope,
        id: DocumentId,
        global_id: &str,
    ) -> Result<Option<Element>, CatalogError> {
        let query = format!(
            "SELECT e.body FROM documents d JOIN elements e ON e.generation = d.live
             WHERE {} AND d.id = ?2 AND e.global_id = ?3 ORDER BY e.ordinal LIMIT 1",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_row(params![sql::scope(scope), id, global_id], |row| sql::from_json(row, "body"))
                .optional()
        })
    }

    /// One part of a model's elements in the file's order, and how many there are in all.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn elements(
        &self,
        scope: &Scope,
        id: DocumentId,
        offset: u64,
        limit: u64,
    ) -> Result<(Vec<Element>, u64), CatalogError> {
        let total = format!(
            "SELECT g.elements FROM documents d JOIN generations g ON g.id = d.live WHERE {} AND d.id = ?2",
            sql::IN_SCOPE
        );
        let part = format!(
            "SELECT e.body FROM documents d JOIN elements e ON e.generation = d.live
             WHERE {} AND d.id = ?2 ORDER BY e.ordinal LIMIT ?3 OFFSET ?4",
            sql::IN_SCOPE
        );
        let scope = sql::scope(scope);
        self.read(|c| {
            let total = c
                .prepare_cached(&total)?
                .query_row(params![scope, id], |row| sql::count(row, "elements"))
                .optional()?;
            let mut statement = c.prepare_cached(&part)?;
            let rows = statement.query_map(params![scope, id, sql::int(limit), sql::int(offset)], |row| {
                sql::from_json(row, "body")
            })?;
            Ok((rows.collect::<rusqlite::Result<Vec<_>>>()?, total.unwrap_or(0)))
        })
    }

    /// Where a GlobalId occurs: the same element may stand in several models.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn find_element(
        &self,
        scope: &Scope,
        global_id: &str,
    ) -> Result<Vec<(DocumentId, Element)>, CatalogError> {
        let query = format!(
            "SELECT d.id, e.body FROM elements e JOIN documents d ON d.live = e.generation
             WHERE {} AND e.global_id = ?2 ORDER BY d.id, e.ordinal",
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

    /// Project, sites, buildings and storeys of a model, parents before children.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn spatial(&self, scope: &Scope, id: DocumentId) -> Result<Vec<SpatialNode>, CatalogError> {
        let query = format!(
            "SELECT s.body FROM documents d JOIN spatial s ON s.generation = d.live
             WHERE {} AND d.id = ?2 ORDER BY s.ordinal",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_map(params![sql::scope(scope), id], |row| sql::from_json(row, "body"))?
                .collect()
        })
    }
}

pub(super) fn insert(t: &Transaction<'_>, generation: i64, elements: &[Element]) -> rusqlite::Result<()> {
    let mut insert = t.prepare_cached(
        "INSERT INTO elements (generation, ordinal, global_id, class, name, type, storey, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (ordinal, e) in (0_i64..).zip(elements) {
        insert.execute(params![
            generation,
            ordinal,
            e.global_id,
            e.class,
            e.name,
            e.type_name,
            e.storey,
            sql::json(e)?
        ])?;
    }
    Ok(())
}

pub(super) fn insert_spatial(
    t: &Transaction<'_>,
    generation: i64,
    nodes: &[SpatialNode],
) -> rusqlite::Result<()> {
    let mut insert =
        t.prepare_cached("INSERT INTO spatial (generation, ordinal, body) VALUES (?1, ?2, ?3)")?;
    for (ordinal, node) in (0_i64..).zip(nodes) {
        insert.execute(params![generation, ordinal, sql::json(node)?])?;
    }
    Ok(())
}
