use ingest::Locator;
use rusqlite::Row;

use crate::catalog::{Catalog, CatalogError, DocumentId, ProjectId, sql};
use crate::scope::Scope;

/// Passages that are looked through for rows of plan lists, at most.
const MAX_PASSAGES: usize = 20_000;

/// A passage in which rows of a table state revisions.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanPassage {
    /// The list.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Its project.
    pub project: ProjectId,
    /// What a row of it opens.
    pub locator: Locator,
    /// The passage: one row a line, each cell behind the name of its column.
    pub text: String,
}

impl Catalog {
    /// The passages within the scope in which a row has a cell under one of these heads.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn passages_with_cells(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
        heads: &[&str],
    ) -> Result<Vec<PlanPassage>, CatalogError> {
        let patterns: Vec<String> = heads.iter().map(|h| sql::containing(&format!("; {h}: "))).collect();
        let text = format!(
            "SELECT d.id, g.title, d.project, c.locator, c.text
             FROM chunks c JOIN documents d ON d.live = c.generation JOIN generations g ON g.id = d.live
             WHERE {} AND (?2 IS NULL OR d.project = ?2)
               AND EXISTS (SELECT 1 FROM json_each(?3) h WHERE c.text LIKE h.value ESCAPE '\\')
             ORDER BY d.id, c.ordinal LIMIT {MAX_PASSAGES}",
            sql::IN_SCOPE
        );
        let patterns = serde_json::to_string(&patterns).unwrap_or_else(|_| "[]".to_owned());
        self.read(|c| {
            c.prepare_cached(&text)?
                .query_map(rusqlite::params![sql::scope(scope), project, patterns], passage)?
                .collect()
        })
    }
}

fn passage(row: &Row<'_>) -> rusqlite::Result<PlanPassage> {
    Ok(PlanPassage {
        document: row.get("id")?,
        title: row.get("title")?,
        project: row.get("project")?,
        locator: sql::from_json(row, "locator")?,
        text: row.get("text")?,
    })
}
