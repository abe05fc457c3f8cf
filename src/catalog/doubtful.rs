//! Pages that text recognition read badly or not at all.

use rusqlite::params;

use super::{Catalog, CatalogError, DocumentId, sql};
use crate::scope::Scope;

/// A page that a person should look at.
#[derive(Debug, Clone, PartialEq)]
pub struct DoubtfulPage {
    /// The document.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Number of the page, from 1.
    pub page: u32,
    /// Mean confidence of its words, 0 to 100; `None` where it was not read.
    pub confidence: Option<f32>,
}

impl Catalog {
    /// Pages of live documents of the scope that were read with low confidence or not at all, by path;
    /// at most `limit` of them from the `offset`th on, and how many there are.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn doubtful_pages(
        &self,
        scope: &Scope,
        limit: u32,
        offset: u32,
    ) -> Result<(Vec<DoubtfulPage>, u64), CatalogError> {
        // The readers' warnings say which; that spares a walk through all pages.
        let found = format!(
            "FROM documents d JOIN generations g ON g.id = d.live, json_each(g.warnings) w
             WHERE {} AND g.warnings <> '[]' AND (w.value ->> 'code' LIKE 'ocr-%' OR w.value ->> 'code' = 'low-confidence')",
            sql::IN_SCOPE
        );
        let count = format!("SELECT count(*) AS n {found}");
        let query = format!(
            "SELECT d.id, g.title, coalesce(w.value ->> 'page', 1) AS page,
                (SELECT p.ocr_confidence FROM pages p WHERE p.generation = g.id AND p.number = w.value ->> 'page')
                AS confidence {found} ORDER BY d.source, d.path, page LIMIT ?2 OFFSET ?3"
        );
        self.read(|c| {
            let all = c.prepare_cached(&count)?.query_row([sql::scope(scope)], |row| sql::count(row, "n"))?;
            let pages = c
                .prepare_cached(&query)?
                .query_map(params![sql::scope(scope), limit, offset], |row| {
                    Ok(DoubtfulPage {
                        document: row.get("id")?,
                        title: row.get("title")?,
                        page: sql::count32(row, "page")?,
                        confidence: row.get("confidence")?,
                    })
                })?
                .collect::<rusqlite::Result<_>>()?;
            Ok((pages, all))
        })
    }
}
