use std::collections::BTreeMap;

use ingest::Kind;
use serde::Serialize;

use super::{Catalog, CatalogError, sql};
use crate::scope::Scope;

/// How much a reader may see.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Documents.
    pub documents: u64,
    /// Chunks.
    pub chunks: u64,
    /// Pages.
    pub pages: u64,
    /// Building elements.
    pub elements: u64,
    /// RFI records.
    pub records: u64,
    /// Documents per kind; kinds without one are absent.
    pub by_kind: BTreeMap<Kind, u64>,
}

impl Catalog {
    /// Counts what lies in the scope.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn counts(&self, scope: &Scope) -> Result<Counts, CatalogError> {
        let query = format!(
            "SELECT g.kind, count(*) AS documents, sum(g.chunks) AS chunks, sum(g.pages) AS pages,
                    sum(g.elements) AS elements, sum(g.records) AS records
             FROM documents d JOIN generations g ON g.id = d.live WHERE {} GROUP BY g.kind",
            sql::IN_SCOPE
        );
        self.read(|c| {
            let mut statement = c.prepare_cached(&query)?;
            let mut rows = statement.query([sql::scope(scope)])?;
            let mut counts = Counts::default();
            while let Some(row) = rows.next()? {
                let documents = sql::count(row, "documents")?;
                counts.documents += documents;
                counts.chunks += sql::count(row, "chunks")?;
                counts.pages += sql::count(row, "pages")?;
                counts.elements += sql::count(row, "elements")?;
                counts.records += sql::count(row, "records")?;
                counts.by_kind.insert(sql::word(row, "kind", Kind::parse)?, documents);
            }
            Ok(counts)
        })
    }
}
