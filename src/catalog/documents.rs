use std::collections::BTreeMap;

use ingest::{Kind, Warning};
use rusqlite::{OptionalExtension, Row, ToSql, named_params, params};
use serde::Serialize;

use super::{Catalog, CatalogError, DocumentId, ProjectId, sql};
use crate::scope::{AclId, Scope};

/// The live version of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentRow {
    /// Its id.
    pub id: DocumentId,
    /// Name of the source it was found in.
    pub source: String,
    /// Path relative to the source's folder, with `/`.
    pub path: String,
    /// Sort of source.
    pub kind: Kind,
    /// Title, never empty.
    pub title: String,
    /// Project.
    pub project: ProjectId,
    /// Name of the project.
    pub project_name: String,
    /// Access list.
    pub acl: AclId,
    /// The mail that carried it.
    pub parent: Option<DocumentId>,
    /// `<SHA-256 in hex>-r<reader version>`.
    pub version: String,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    /// Size of the file in bytes.
    pub size: u64,
    /// Time of the file's last change, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// The generation that readers see.
    pub generation: i64,
    /// Number of pages, 0 where the format has none.
    pub pages: u32,
    /// Number of chunks.
    pub chunks: u32,
    /// When this version became visible, RFC 3339.
    pub indexed_at: String,
}

/// What the reader found out about a file as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentFacts {
    /// Author, dates, schema and so on, as the file has them.
    pub metadata: BTreeMap<String, String>,
    /// What was odd, lost or cut off.
    pub warnings: Vec<Warning>,
}

/// Which documents to list, and which part of the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentFilter {
    /// Only this project.
    pub project: Option<ProjectId>,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only documents whose title or path holds this text (ASCII letters match in either case).
    pub text: Option<String>,
    /// How many to leave out at the start.
    pub offset: u64,
    /// How many to give at most.
    pub limit: u64,
}

const COLUMNS: &str = "d.id, d.source, d.path, g.kind, g.title, d.project, p.name AS project_name, d.acl,
    d.parent, g.version, g.sha256, g.size, g.mtime_ns, g.id AS generation, g.pages, g.chunks,
    g.committed_at AS indexed_at";
const LIVE: &str = "documents d JOIN generations g ON g.id = d.live JOIN projects p ON p.id = d.project";

impl Catalog {
    /// A document that the scope allows.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn document(&self, scope: &Scope, id: DocumentId) -> Result<Option<DocumentRow>, CatalogError> {
        self.one("d.id = ?2", params![sql::scope(scope), id])
    }

    /// The document at a path, if the scope allows it.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn document_by_path(
        &self,
        scope: &Scope,
        source: &str,
        path: &str,
    ) -> Result<Option<DocumentRow>, CatalogError> {
        self.one("d.source = ?2 AND d.path = ?3 AND d.removed = 0", params![sql::scope(scope), source, path])
    }

    fn one(&self, condition: &str, values: &[&dyn ToSql]) -> Result<Option<DocumentRow>, CatalogError> {
        let query = format!("SELECT {COLUMNS} FROM {LIVE} WHERE {} AND {condition}", sql::IN_SCOPE);
        self.read(|c| c.prepare_cached(&query)?.query_row(values, document).optional())
    }

    /// One part of the list of documents by project and path, and how many there are in all.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn documents(
        &self,
        scope: &Scope,
        filter: &DocumentFilter,
    ) -> Result<(Vec<DocumentRow>, u64), CatalogError> {
        let condition = format!(
            "{} AND (:project IS NULL OR d.project = :project) AND (:kind IS NULL OR g.kind = :kind)
             AND (:text IS NULL OR d.path LIKE :text ESCAPE '\\' OR g.title LIKE :text ESCAPE '\\')",
            sql::IN_SCOPE.replace("?1", ":scope")
        );
        let scope = sql::scope(scope);
        let kind = filter.kind.map(Kind::as_str);
        let text = filter.text.as_deref().map(sql::containing);
        let total = format!("SELECT count(*) FROM {LIVE} WHERE {condition}");
        let part = format!(
            "SELECT {COLUMNS} FROM {LIVE} WHERE {condition}
             ORDER BY p.name, d.path, d.id LIMIT :limit OFFSET :offset"
        );
        self.read(|c| {
            let total = c.prepare_cached(&total)?.query_row(
                named_params! {":scope": scope, ":project": filter.project, ":kind": kind, ":text": text},
                |row| row.get(0).map(|n: i64| u64::try_from(n).unwrap_or(0)),
            )?;
            let mut statement = c.prepare_cached(&part)?;
            let rows = statement.query_map(
                named_params! {
                    ":scope": scope, ":project": filter.project, ":kind": kind, ":text": text,
                    ":limit": sql::int(filter.limit), ":offset": sql::int(filter.offset),
                },
                document,
            )?;
            Ok((rows.collect::<rusqlite::Result<Vec<_>>>()?, total))
        })
    }

    /// The documents that came inside this one (the attachments of a mail), by path.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn children(&self, scope: &Scope, id: DocumentId) -> Result<Vec<DocumentRow>, CatalogError> {
        let query =
            format!("SELECT {COLUMNS} FROM {LIVE} WHERE {} AND d.parent = ?2 ORDER BY d.path", sql::IN_SCOPE);
        self.read(|c| {
            c.prepare_cached(&query)?.query_map(params![sql::scope(scope), id], document)?.collect()
        })
    }

    /// Metadata and warnings of a document that the scope allows.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn document_facts(
        &self,
        scope: &Scope,
        id: DocumentId,
    ) -> Result<Option<DocumentFacts>, CatalogError> {
        let query =
            format!("SELECT g.metadata, g.warnings FROM {LIVE} WHERE {} AND d.id = ?2", sql::IN_SCOPE);
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_row(params![sql::scope(scope), id], |row| {
                    Ok(DocumentFacts {
                        metadata: sql::from_json(row, "metadata")?,
                        warnings: sql::from_json(row, "warnings")?,
                    })
                })
                .optional()
        })
    }
}

fn document(row: &Row<'_>) -> rusqlite::Result<DocumentRow> {
    Ok(DocumentRow {
        id: row.get("id")?,
        source: row.get("source")?,
        path: row.get("path")?,
        kind: sql::word(row, "kind", Kind::parse)?,
        title: row.get("title")?,
        project: row.get("project")?,
        project_name: row.get("project_name")?,
        acl: AclId(row.get("acl")?),
        parent: row.get("parent")?,
        version: row.get("version")?,
        sha256: row.get("sha256")?,
        size: sql::count(row, "size")?,
        mtime_ns: row.get("mtime_ns")?,
        generation: row.get("generation")?,
        pages: sql::count32(row, "pages")?,
        chunks: sql::count32(row, "chunks")?,
        indexed_at: row.get("indexed_at")?,
    })
}
