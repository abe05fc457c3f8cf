use ingest::Kind;
use rusqlite::{Connection, Row, params_from_iter};

use super::elements::group;
use super::{Counted, Group, Where};
use crate::catalog::{Catalog, CatalogError, DocumentId, ProjectId, sql};
use crate::scope::Scope;

/// By what documents are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentGroup {
    /// Sort of source.
    Kind,
    /// Project.
    Project,
    /// Month of the file's last change.
    Month,
}

/// Which documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentQuery {
    /// Only this project.
    pub project: Option<ProjectId>,
    /// Only these sorts of source; none means all.
    pub kinds: Vec<Kind>,
    /// Only documents whose title or path holds each of these texts (ASCII letters match in either case).
    pub titled: Vec<String>,
    /// Last changed on this day or after, ISO 8601.
    pub from: Option<String>,
    /// Last changed on this day or before.
    pub to: Option<String>,
    /// By what they are grouped.
    pub group: Option<DocumentGroup>,
    /// Rows at most.
    pub limit: u64,
}

/// A document that was counted.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedDocument {
    /// The document.
    pub document: DocumentId,
    /// Title.
    pub title: String,
    /// Path relative to its source.
    pub path: String,
    /// Name of the project.
    pub project: String,
    /// Sort of source.
    pub kind: Kind,
    /// Day of the file's last change, ISO 8601.
    pub changed: String,
    /// Pages, 0 where the format has none.
    pub pages: u64,
}

impl Catalog {
    /// Runs a query over the documents in the scope.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn count_documents(
        &self,
        scope: &Scope,
        query: &DocumentQuery,
    ) -> Result<Counted<CountedDocument>, CatalogError> {
        let hits = hits(scope, query);
        self.read(|c| {
            let total = c
                .prepare(&format!("{} SELECT count(*) FROM hit", hits.text))?
                .query_row(params_from_iter(&hits.values), |r| r.get::<_, i64>(0))?;
            Ok(Counted {
                total: u64::try_from(total).unwrap_or(0),
                rows: rows(c, &hits, query.limit)?,
                groups: groups(c, &hits, query)?,
                measured: None,
                unstated: 0,
            })
        })
    }
}

fn hits(scope: &Scope, query: &DocumentQuery) -> Where {
    let mut w = Where::default();
    let mark = w.value(sql::scope(scope));
    w.and(&sql::IN_SCOPE.replace("?1", &mark));
    if let Some(project) = query.project {
        let mark = w.value(project.0);
        w.and(&format!("d.project = {mark}"));
    }
    if !query.kinds.is_empty() {
        let kinds: Vec<String> = query.kinds.iter().map(|k| k.as_str().to_owned()).collect();
        let mark = w.list(&kinds);
        w.and(&format!("g.kind IN (SELECT value FROM json_each({mark}))"));
    }
    for text in &query.titled {
        let mark = w.value(sql::containing(text));
        w.and(&format!("(g.title LIKE {mark} ESCAPE '\\' OR d.path LIKE {mark} ESCAPE '\\')"));
    }
    let changed = "date(g.mtime_ns / 1000000000, 'unixepoch')";
    for (bound, sign) in [(&query.from, ">="), (&query.to, "<=")] {
        if let Some(day) = bound {
            let mark = w.value(day.clone());
            w.and(&format!("{changed} {sign} {mark}"));
        }
    }
    let key = match query.group {
        None => "NULL",
        Some(DocumentGroup::Kind) => "g.kind",
        Some(DocumentGroup::Project) => "p.name",
        Some(DocumentGroup::Month) => "strftime('%Y-%m', g.mtime_ns / 1000000000, 'unixepoch')",
    };
    w.text = format!(
        "WITH hit AS (SELECT d.id AS document, g.title, d.path, p.name AS project, g.kind, {changed} AS changed, g.pages,
             {key} AS key
         FROM documents d JOIN generations g ON g.id = d.live JOIN projects p ON p.id = d.project WHERE {})",
        w.text
    );
    w
}

fn rows(c: &Connection, hits: &Where, limit: u64) -> rusqlite::Result<Vec<CountedDocument>> {
    let text = format!("{} SELECT * FROM hit ORDER BY project, path, document LIMIT {limit}", hits.text);
    c.prepare(&text)?.query_map(params_from_iter(&hits.values), document)?.collect()
}

fn document(row: &Row<'_>) -> rusqlite::Result<CountedDocument> {
    Ok(CountedDocument {
        document: row.get("document")?,
        title: row.get("title")?,
        path: row.get("path")?,
        project: row.get("project")?,
        kind: sql::word(row, "kind", Kind::parse)?,
        changed: row.get::<_, Option<String>>("changed")?.unwrap_or_default(),
        pages: sql::count(row, "pages")?,
    })
}

fn groups(c: &Connection, hits: &Where, query: &DocumentQuery) -> rusqlite::Result<Vec<Group>> {
    if query.group.is_none() {
        return Ok(Vec::new());
    }
    let text = format!(
        "{} SELECT key, count(*) AS n, NULL AS sum FROM hit GROUP BY key ORDER BY n DESC, key LIMIT {}",
        hits.text, query.limit
    );
    c.prepare(&text)?.query_map(params_from_iter(&hits.values), group)?.collect()
}
