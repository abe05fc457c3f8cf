//! Finding passages: tantivy and LanceDB behind one [`Index`].
//!
//! Both stores are derived from the catalog. They carry the access list of every chunk, so a search
//! is filtered by [`Scope`] inside both engines; every hit is then checked against the catalog,
//! which alone knows what is live. Both are written in batches: [`Index::put`] and
//! [`Index::delete`] gather, [`Index::flush`] makes durable and visible. After a crash each store
//! has a state of its own; [`Index::ids`] says which, and the next run repairs what differs.
//!
//! The files: whoever edits them can hide passages or change their order, but not their text, their
//! rights or what a citation opens, since those come from the catalog.

mod analysis;
mod error;
mod fuse;
mod lexical;
mod passage;
mod snippet;
mod vectors;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use ingest::{Kind, Language};
use serde::Serialize;

use self::analysis::Analysed;
use self::fuse::Fused;
use self::lexical::{Filter, Lexical, LexicalFound};
use self::vectors::Vectors;
use crate::catalog::{Catalog, ChunkId, ChunkRow, DocumentId, ProjectId};
use crate::scope::{AclId, Scope};

pub(crate) use self::analysis::{
    Figure, QueryTerm, Token, analyse, figures, fold, guess, ident, is_stop_word, is_unit, tokenize,
};
pub use self::error::IndexError;
pub(crate) use self::passage::passage;
pub use self::snippet::Snippet;

/// Candidates asked of each engine, at least: fusion needs more than what is shown.
const MIN_CANDIDATES: usize = 100;
/// Candidates asked of each engine, at most: nobody pages further.
const MAX_CANDIDATES: usize = 5_000;

/// A chunk as it goes into the index.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexChunk {
    /// Its id in the catalog.
    pub id: ChunkId,
    /// Its document.
    pub document: DocumentId,
    /// The document's project.
    pub project: ProjectId,
    /// The document's access list.
    pub acl: AclId,
    /// Sort of source.
    pub kind: Kind,
    /// Language, where known.
    pub language: Option<Language>,
    /// Title of the document.
    pub title: String,
    /// Headings above the passage, outermost first.
    pub section: Vec<String>,
    /// The passage.
    pub text: String,
    /// Its embedding, of length one; empty without an embedding model.
    pub vector: Vec<f32>,
}

/// What is searched for.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The reader's words.
    pub text: String,
    /// Their embedding; without it only words count.
    pub vector: Option<Vec<f32>>,
    /// Only this sort of source.
    pub kind: Option<Kind>,
    /// Only this project.
    pub project: Option<ProjectId>,
    /// How many hits.
    pub limit: usize,
}

/// A passage that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Hit {
    /// The passage, as the catalog has it.
    pub chunk: ChunkRow,
    /// Fused score: only the order means something.
    pub score: f32,
    /// BM25 score, where found by words.
    pub lexical: Option<f32>,
    /// Cosine similarity, where found by vector.
    pub vector: Option<f32>,
    /// Where the query's words stand.
    pub snippet: Snippet,
}

/// The result of a search.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Found {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// How many passages match in the reader's scope; at least the number of hits.
    pub total: usize,
    /// The query taken apart, for whoever has to judge relevance.
    #[serde(skip)]
    pub(crate) analysed: Analysed,
    /// Rarity of each term of `analysed`.
    #[serde(skip)]
    pub(crate) rarity: Vec<f32>,
    /// For each term of `analysed` whether any chunk has it, in a compound or in other words too.
    #[serde(skip)]
    pub(crate) known: Vec<bool>,
    /// For each identifier of `analysed` how many chunks hold it.
    #[serde(skip)]
    pub(crate) identifier_chunks: Vec<u64>,
}

/// Which chunks each store holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredIds {
    /// Chunks in the full-text index.
    pub lexical: BTreeSet<ChunkId>,
    /// Chunks in the vector index; `None` where there is none (no embedding model).
    pub vectors: Option<BTreeSet<ChunkId>>,
}

/// The state of the index, for `doctor` and the status page.
#[derive(Debug, Clone, Serialize)]
pub struct IndexHealth {
    /// Chunks in the full-text index.
    pub lexical_chunks: usize,
    /// Chunks in the vector index.
    pub vector_chunks: usize,
    /// Numbers per vector, 0 without a vector index.
    pub dimension: usize,
    /// `none`, `flat` (every vector compared) or `ivf_sq`.
    pub vector_search: &'static str,
    /// Size on disk, in bytes.
    pub bytes: u64,
}

/// The search index of one data folder.
pub struct Index {
    dir: std::path::PathBuf,
    lexical: Arc<Lexical>,
    vectors: Option<Vectors>,
    catalog: Catalog,
}

impl Index {
    /// Opens the index in `dir`, or makes an empty one. `dim` is the width of the embedding model,
    /// 0 without one.
    ///
    /// # Errors
    /// The folder cannot be written, or the vector store cannot be opened.
    pub async fn open(dir: &Path, dim: usize, catalog: Catalog) -> Result<Self, IndexError> {
        let folder = dir.join("lexical");
        let lexical = blocking(move || Lexical::open(&folder)).await?;
        let vectors = Vectors::open(&dir.join("vectors"), dim).await?;
        Ok(Index { dir: dir.to_path_buf(), lexical: Arc::new(lexical), vectors, catalog })
    }

    /// Takes chunks into both stores. Visible and durable after [`Index::flush`].
    ///
    /// # Errors
    /// A store cannot be written, or a vector has the wrong width; what was put since the last
    /// flush may be in one store only.
    pub async fn put(&self, chunks: Vec<IndexChunk>) -> Result<(), IndexError> {
        if let Some(vectors) = &self.vectors {
            vectors.put(&chunks).await?;
        }
        let lexical = Arc::clone(&self.lexical);
        blocking(move || lexical.put(&chunks)).await
    }

    /// Makes everything put and deleted so far durable and visible in both stores.
    ///
    /// # Errors
    /// A store cannot be written.
    pub async fn flush(&self) -> Result<(), IndexError> {
        if let Some(vectors) = &self.vectors {
            vectors.flush().await?;
        }
        let lexical = Arc::clone(&self.lexical);
        blocking(move || lexical.commit()).await
    }

    /// Takes chunks out of both stores. Ids that are not there are ignored. Done after
    /// [`Index::flush`].
    ///
    /// # Errors
    /// A store cannot be written.
    pub async fn delete(&self, ids: &[ChunkId]) -> Result<(), IndexError> {
        let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
        if let Some(vectors) = &self.vectors {
            vectors.delete(&ids).await?;
        }
        let lexical = Arc::clone(&self.lexical);
        blocking(move || lexical.delete(&ids)).await
    }

    /// After a run: joins small parts, removes old versions, builds the vector index once there are
    /// enough rows, gives the writer's memory back.
    ///
    /// # Errors
    /// A store cannot be written.
    pub async fn compact(&self) -> Result<(), IndexError> {
        if let Some(vectors) = &self.vectors {
            vectors.compact().await?;
        }
        let lexical = Arc::clone(&self.lexical);
        blocking(move || lexical.settle()).await
    }

    /// Which chunks each store holds, for the reconciliation with the catalog.
    ///
    /// # Errors
    /// A store cannot be read.
    pub async fn ids(&self) -> Result<StoredIds, IndexError> {
        let set = |ids: BTreeSet<i64>| ids.into_iter().map(ChunkId).collect();
        let lexical = Arc::clone(&self.lexical);
        let lexical = set(blocking(move || lexical.ids()).await?);
        let vectors = match &self.vectors {
            Some(v) => Some(set(v.ids().await?)),
            None => None,
        };
        Ok(StoredIds { lexical, vectors })
    }

    /// The state of both stores.
    ///
    /// # Errors
    /// A store cannot be read.
    pub async fn health(&self) -> Result<IndexHealth, IndexError> {
        let lexical = Arc::clone(&self.lexical);
        let lexical_chunks = blocking(move || lexical.count()).await?;
        let (vector_chunks, vector_search, dimension) = match &self.vectors {
            Some(v) => {
                let (rows, indexed) = v.health().await?;
                (rows, if indexed { "ivf_sq" } else { "flat" }, v.dim())
            }
            None => (0, "none", 0),
        };
        let dir = self.dir.clone();
        let bytes = blocking(move || Ok(size_of_tree(&dir))).await?;
        Ok(IndexHealth { lexical_chunks, vector_chunks, dimension, vector_search, bytes })
    }

    /// The best passages for a query within a scope.
    ///
    /// Hits that the catalog no longer knows or that lie outside the scope are dropped, and others
    /// from further down take their place.
    ///
    /// # Errors
    /// A store or the catalog cannot be read.
    pub async fn search(&self, scope: &Scope, query: &Query) -> Result<Found, IndexError> {
        let analysed = analyse(&query.text);
        let filter = Filter {
            acls: scope.ids().iter().map(|a| a.0).collect(),
            kind: query.kind,
            project: query.project.map(|p| p.0),
        };
        let mut depth = (query.limit * 2).clamp(MIN_CANDIDATES, MAX_CANDIDATES);
        loop {
            let (lexical, near) = self.candidates(&analysed, query.vector.as_deref(), &filter, depth).await?;
            let exhausted = lexical.hits.len() < depth && near.len() < depth;
            let fused = fuse::fuse(&lexical, &near, analysed.only_identifiers);
            let rows = self.live(scope, &fused, query).await?;
            if rows.len() >= query.limit || exhausted || depth == MAX_CANDIDATES {
                return Ok(assemble(rows, &fused, lexical, analysed, query.limit));
            }
            depth = (depth * 4).min(MAX_CANDIDATES);
        }
    }

    /// The nearest chunks to a vector within a scope, by their vectors alone; with `exact` each is compared, index or
    /// not. For measuring how much the index finds. Empty without a vector index.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn nearest(
        &self,
        scope: &Scope,
        vector: &[f32],
        limit: usize,
        exact: bool,
    ) -> Result<Vec<ChunkId>, IndexError> {
        let Some(vectors) = &self.vectors else { return Ok(Vec::new()) };
        let filter = Filter { acls: scope.ids().iter().map(|a| a.0).collect(), kind: None, project: None };
        let hits = vectors.search(vector, &filter, limit, exact).await?;
        Ok(hits.into_iter().map(|(id, _)| ChunkId(id)).collect())
    }

    /// The text of a query as its vector is to be made: words that no passage uses are followed by what the passages
    /// call the same thing, since an embedding model knows words better than trade names.
    ///
    /// # Errors
    /// The full-text index cannot be read.
    pub async fn in_other_words(&self, text: &str) -> Result<String, IndexError> {
        let lexical = Arc::clone(&self.lexical);
        let terms = analyse(text).terms;
        let names = blocking(move || lexical.called(&terms)).await?;
        Ok(if names.is_empty() { text.to_owned() } else { format!("{text} ({})", names.join(", ")) })
    }

    async fn candidates(
        &self,
        analysed: &Analysed,
        vector: Option<&[f32]>,
        filter: &Filter,
        depth: usize,
    ) -> Result<(LexicalFound, Vec<(i64, f32)>), IndexError> {
        let lexical = Arc::clone(&self.lexical);
        let (query, by) = (analysed.clone(), filter.clone());
        let words = blocking(move || lexical.search(&query, &by, depth));
        let near = async {
            match (&self.vectors, vector) {
                (Some(store), Some(vector)) => store.search(vector, filter, depth, false).await,
                _ => Ok(Vec::new()),
            }
        };
        let (words, near) = tokio::join!(words, near);
        Ok((words?, near?))
    }

    /// The candidates that the catalog confirms, in their order.
    async fn live(&self, scope: &Scope, fused: &[Fused], query: &Query) -> Result<Vec<ChunkRow>, IndexError> {
        let ids: Vec<ChunkId> = fused.iter().map(|f| ChunkId(f.id)).collect();
        let (catalog, scope, kind, project) =
            (self.catalog.clone(), scope.clone(), query.kind, query.project);
        blocking(move || {
            let mut rows = catalog.live_chunks(&scope, &ids)?;
            // A project may have changed since the chunk was indexed: the catalog's word counts.
            rows.retain(|r| kind.is_none_or(|k| k == r.kind) && project.is_none_or(|p| p == r.project));
            Ok(rows)
        })
        .await
    }
}

fn assemble(
    rows: Vec<ChunkRow>,
    fused: &[Fused],
    lexical: LexicalFound,
    analysed: Analysed,
    limit: usize,
) -> Found {
    let total = lexical.total.max(rows.len());
    let by_id: HashMap<i64, &Fused> = fused.iter().map(|f| (f.id, f)).collect();
    let hits = rows
        .into_iter()
        .take(limit)
        .filter_map(|chunk| {
            let f = by_id.get(&chunk.id.0)?;
            let found = snippet::found_in(&chunk.text, chunk.language, &analysed, &lexical.rarity);
            let snippet = snippet::snippet(&chunk.text, &found);
            Some(Hit { chunk, score: f.score, lexical: f.lexical, vector: f.vector, snippet })
        })
        .collect();
    Found {
        hits,
        total,
        analysed,
        rarity: lexical.rarity,
        known: lexical.known,
        identifier_chunks: lexical.identifier_chunks,
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, IndexError> + Send + 'static,
) -> Result<T, IndexError> {
    tokio::task::spawn_blocking(work).await.map_err(|e| IndexError::Task(e.to_string()))?
}

fn size_of_tree(dir: &Path) -> u64 {
    let files = walkdir::WalkDir::new(dir).into_iter().flatten().filter_map(|e| e.metadata().ok());
    files.filter(|m| m.is_file()).map(|m| m.len()).sum()
}
