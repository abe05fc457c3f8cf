use std::collections::BTreeSet;

use ingest::{Kind, Language, Locator};
use rusqlite::{Row, ToSql, params};
use serde::Serialize;

use super::{Catalog, CatalogError, ChunkId, DocumentId, ProjectId, sql};
use crate::scope::{AclId, Scope};

/// A chunk of a live version, with what a hit shows about its document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChunkRow {
    /// Its id.
    pub id: ChunkId,
    /// The document.
    pub document: DocumentId,
    /// The document's version.
    pub version: String,
    /// Position in the document, from 0.
    pub ordinal: u32,
    /// Sort of source.
    pub kind: Kind,
    /// What a citation opens.
    pub locator: Locator,
    /// Headings above the passage, outermost first.
    pub section: Vec<String>,
    /// The passage.
    pub text: String,
    /// Language, where known.
    pub language: Option<Language>,
    /// Project of the document.
    pub project: ProjectId,
    /// Access list of the document.
    pub acl: AclId,
    /// Title of the document.
    pub title: String,
    /// Name of the project.
    pub project_name: String,
    /// Source of the document.
    pub source: String,
    /// Path of the document, relative to the source.
    pub path: String,
}

/// What decides whether and where a live chunk is shown, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkHead {
    /// The chunk.
    pub id: ChunkId,
    /// Sort of source.
    pub kind: Kind,
    /// Its project.
    pub project: ProjectId,
    /// Language, where known.
    pub language: Option<Language>,
}

const COLUMNS: &str = "c.id, d.id AS document, g.version, c.ordinal, c.kind, c.locator, c.section, c.text,
    c.language, d.project, d.acl, g.title, p.name AS project_name, d.source, d.path";
const LIVE: &str = "JOIN documents d ON d.live = c.generation JOIN generations g ON g.id = c.generation
    JOIN projects p ON p.id = d.project";

impl Catalog {
    /// These chunks in the order given; those that are not live or lie outside the scope are left out.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn live_chunks(&self, scope: &Scope, ids: &[ChunkId]) -> Result<Vec<ChunkRow>, CatalogError> {
        let query = format!(
            "SELECT {COLUMNS} FROM json_each(?2) q JOIN chunks c ON c.id = q.value {LIVE}
             WHERE {} ORDER BY q.key",
            sql::IN_SCOPE
        );
        self.chunks(&query, params![sql::scope(scope), sql::ids(ids.iter().map(|id| id.0))])
    }

    /// Which of these chunks are live and within the scope, in the order given.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn live_heads(&self, scope: &Scope, ids: &[ChunkId]) -> Result<Vec<ChunkHead>, CatalogError> {
        let query = format!(
            "SELECT c.id, c.kind, d.project, c.language FROM json_each(?2) q JOIN chunks c ON c.id = q.value
             JOIN documents d ON d.live = c.generation WHERE {} ORDER BY q.key",
            sql::IN_SCOPE
        );
        self.read(|c| {
            let values = params![sql::scope(scope), sql::ids(ids.iter().map(|id| id.0))];
            c.prepare_cached(&query)?.query_map(values, head)?.collect()
        })
    }

    /// All chunks of a document in their order.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn chunks_of(&self, scope: &Scope, id: DocumentId) -> Result<Vec<ChunkRow>, CatalogError> {
        let query = format!(
            "SELECT {COLUMNS} FROM chunks c {LIVE} WHERE {} AND d.id = ?2 ORDER BY c.ordinal",
            sql::IN_SCOPE
        );
        self.chunks(&query, params![sql::scope(scope), id])
    }

    /// What stands around each of these chunks in its document, up to `back` chunks before and `ahead` behind it, the
    /// chunks themselves included; by document, in their order. Those that are not live or lie outside the scope are
    /// left out.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn chunks_around(
        &self,
        scope: &Scope,
        ids: &[ChunkId],
        (back, ahead): (u32, u32),
    ) -> Result<Vec<ChunkRow>, CatalogError> {
        let query = format!(
            "SELECT DISTINCT {COLUMNS} FROM json_each(?2) q JOIN chunks h ON h.id = q.value
             JOIN chunks c ON c.generation = h.generation
                          AND c.ordinal BETWEEN h.ordinal - ?3 AND h.ordinal + ?4 {LIVE}
             WHERE {} ORDER BY d.id, c.ordinal",
            sql::IN_SCOPE
        );
        self.chunks(&query, params![sql::scope(scope), sql::ids(ids.iter().map(|id| id.0)), back, ahead])
    }

    fn chunks(&self, query: &str, values: &[&dyn ToSql]) -> Result<Vec<ChunkRow>, CatalogError> {
        self.read(|c| c.prepare_cached(query)?.query_map(values, chunk)?.collect())
    }

    /// The id of every live chunk of every project: what both search engines must hold, no more and
    /// no less.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn live_chunk_ids(&self) -> Result<BTreeSet<ChunkId>, CatalogError> {
        self.read(|c| {
            c.prepare_cached("SELECT c.id FROM chunks c JOIN documents d ON d.live = c.generation")?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }
}

fn head(row: &Row<'_>) -> rusqlite::Result<ChunkHead> {
    let language: Option<String> = row.get("language")?;
    Ok(ChunkHead {
        id: row.get("id")?,
        kind: sql::word(row, "kind", Kind::parse)?,
        project: row.get("project")?,
        language: language.as_deref().and_then(Language::parse),
    })
}

fn chunk(row: &Row<'_>) -> rusqlite::Result<ChunkRow> {
    let language: Option<String> = row.get("language")?;
    Ok(ChunkRow {
        id: row.get("id")?,
        document: row.get("document")?,
        version: row.get("version")?,
        ordinal: sql::count32(row, "ordinal")?,
        kind: sql::word(row, "kind", Kind::parse)?,
        locator: sql::from_json(row, "locator")?,
        section: sql::from_json(row, "section")?,
        text: row.get("text")?,
        language: language.as_deref().and_then(Language::parse),
        project: row.get("project")?,
        acl: AclId(row.get("acl")?),
        title: row.get("title")?,
        project_name: row.get("project_name")?,
        source: row.get("source")?,
        path: row.get("path")?,
    })
}
