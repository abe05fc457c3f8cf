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
mod same;
pub(crate) mod seams;
mod snippet;
mod strict;
mod vectors;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use ingest::{Chunk, Kind, Language};
use serde::Serialize;

use self::analysis::{Analysed, grammar};
use self::fuse::Fused;
use self::lexical::{Filter, Lexical, LexicalFound};
use self::strict::Demands;
use self::vectors::Vectors;
use crate::catalog::{Catalog, ChunkId, ChunkRow, DocumentId, ProjectId};
use crate::scope::{AclId, Scope};

pub use self::analysis::grammar::{Note, NoteKind};
pub(crate) use self::analysis::{
    Figure, QueryTerm, Token, analyse, figures, fold, guess, ident, is_stop_word, is_unit, stem, tokenize,
};
pub use self::error::IndexError;
pub(crate) use self::fuse::{Weights, fuse};
pub(crate) use self::passage::passage;
pub use self::same::{Folded, Why};
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

impl IndexChunk {
    /// A chunk of a document that was staged, with its vector.
    pub(crate) fn of(
        id: ChunkId,
        document: DocumentId,
        (project, acl): (ProjectId, AclId),
        title: &str,
        chunk: &Chunk,
        vector: Vec<f32>,
    ) -> Self {
        IndexChunk {
            id,
            document,
            project,
            acl,
            kind: chunk.kind,
            language: chunk.language,
            title: title.to_owned(),
            section: chunk.section.clone(),
            text: chunk.text.clone(),
            vector,
        }
    }
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
    /// Hits that say the same, or that are of a replaced revision.
    pub folded: Vec<Folded>,
}

/// The result of a search.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Found {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// How many passages match in the reader's scope; at least the number of hits.
    pub total: usize,
    /// What of the query was not done as it was written.
    pub notes: Vec<Note>,
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

/// What both sides found for a query.
#[derive(Debug)]
pub(crate) struct Sides {
    /// The query taken apart.
    pub(crate) analysed: Analysed,
    /// Found by words.
    pub(crate) lexical: LexicalFound,
    /// Found by vector: ids with cosine similarities, best first.
    pub(crate) near: Vec<(i64, f32)>,
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

    /// Takes chunks into the full-text index alone: their vectors are there already. Visible and durable after
    /// [`Index::flush`].
    ///
    /// # Errors
    /// The full-text index cannot be written.
    pub async fn put_words(&self, chunks: Vec<IndexChunk>) -> Result<(), IndexError> {
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

    /// After an erasure: writes both stores anew without what was deleted, so that no file holds any of it. More than
    /// [`Index::compact`], which leaves single deleted rows where they are.
    ///
    /// # Errors
    /// A store cannot be written, or files of the state before cannot be removed.
    pub async fn expunge(&self) -> Result<(), IndexError> {
        if let Some(vectors) = &self.vectors {
            vectors.expunge().await?;
        }
        let lexical = Arc::clone(&self.lexical);
        blocking(move || lexical.expunge()).await
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
        let asked = self.understand(scope, query).await?;
        let Asked { analysed, demands, .. } = &asked;
        let least = if demands.any(analysed) { MAX_CANDIDATES } else { MIN_CANDIDATES };
        let mut depth = (query.limit * 2).clamp(least, MAX_CANDIDATES);
        loop {
            let (lexical, near) = self.candidates(&asked, query.vector.as_deref(), depth).await?;
            let exhausted = lexical.hits.len() < depth && near.len() < depth;
            let mut order = fuse(&lexical, &near, analysed.only_identifiers, &Weights::default());
            let rows = self.live(scope, &order.hits, &asked).await?;
            if rows.len() >= query.limit + same::BEYOND || exhausted || depth == MAX_CANDIDATES {
                let languages = rows.iter().filter_map(|r| Some((r.id.0, r.language?))).collect();
                order.across(analysed.language, &languages);
                return Ok(assemble(rows, &order.hits, lexical, asked, query.limit));
            }
            depth = (depth * 4).min(MAX_CANDIDATES);
        }
    }

    /// The grammar of a query, its project looked up among those that the reader may know of.
    async fn understand(&self, scope: &Scope, query: &Query) -> Result<Asked, IndexError> {
        let parsed = grammar::parse(&query.text);
        let analysed = Analysed::of(&parsed);
        let (mut notes, written) = (parsed.notes, parsed.filters);
        let mut filter = Filter {
            acls: scope.ids().iter().map(|a| a.0).collect(),
            kind: written.kind.or(query.kind),
            project: query.project.map(|p| p.0),
        };
        let mut demands = Demands { language: written.language, records: None };
        if written.project.is_some() || written.state.is_some() {
            let (catalog, reader) = (self.catalog.clone(), scope.clone());
            let (name, state) = (written.project.clone(), written.state);
            let found = blocking(move || {
                let project = name.map(|n| project_named(&catalog, &reader, &n)).transpose()?;
                let records = state.map(|s| catalog.records_in_state(&reader, s)).transpose()?;
                Ok((project.flatten(), records))
            });
            let (project, records) = found.await?;
            match (project, written.project) {
                (Some(id), _) => filter.project = Some(id.0),
                (None, Some(text)) => notes.push(Note { about: NoteKind::UnknownProject, text }),
                (None, None) => {}
            }
            if records.is_some() {
                filter.kind = Some(Kind::Rfi);
                demands.records = records;
            }
        }
        Ok(Asked { analysed, filter, demands, notes })
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
        // Filters and stars are no words that a model knows.
        let text = grammar::parse(text).text;
        let terms = analyse(&text).terms;
        let names = blocking(move || lexical.called(&terms)).await?;
        Ok(if names.is_empty() { text } else { format!("{text} ({})", names.join(", ")) })
    }

    /// What each side finds for a query, up to `depth` passages, before anything is fused: for measuring and for
    /// choosing weights.
    ///
    /// # Errors
    /// A store cannot be read.
    pub(crate) async fn sides(
        &self,
        scope: &Scope,
        query: &Query,
        depth: usize,
    ) -> Result<Sides, IndexError> {
        let asked = self.understand(scope, query).await?;
        let (lexical, near) = self.candidates(&asked, query.vector.as_deref(), depth).await?;
        Ok(Sides { analysed: asked.analysed, lexical, near })
    }

    async fn candidates(
        &self,
        asked: &Asked,
        vector: Option<&[f32]>,
        depth: usize,
    ) -> Result<(LexicalFound, Vec<(i64, f32)>), IndexError> {
        let lexical = Arc::clone(&self.lexical);
        let filter = &asked.filter;
        let (query, by) = (asked.analysed.clone(), filter.clone());
        let words = blocking(move || lexical.search(&query, &by, depth));
        let near = async {
            match (&self.vectors, vector) {
                // Stars and filters alone have no meaning that a vector could be near to.
                (Some(store), Some(vector)) if !asked.analysed.is_wordless() => {
                    store.search(vector, filter, depth, false).await
                }
                _ => Ok(Vec::new()),
            }
        };
        let (words, near) = tokio::join!(words, near);
        Ok((words?, near?))
    }

    /// The candidates that the catalog confirms and that are as demanded, in their order.
    async fn live(&self, scope: &Scope, fused: &[Fused], asked: &Asked) -> Result<Vec<ChunkRow>, IndexError> {
        let ids: Vec<ChunkId> = fused.iter().map(|f| ChunkId(f.id)).collect();
        let (catalog, scope, filter) = (self.catalog.clone(), scope.clone(), asked.filter.clone());
        let mut rows = blocking(move || {
            let mut rows = catalog.live_chunks(&scope, &ids)?;
            // A project may have changed since the chunk was indexed: the catalog's word counts.
            rows.retain(|r| {
                filter.kind.is_none_or(|k| k == r.kind) && filter.project.is_none_or(|p| p == r.project.0)
            });
            Ok(rows)
        })
        .await?;
        rows.retain(|r| asked.demands.allow(&asked.analysed, r));
        Ok(rows)
    }
}

/// A query as it is understood.
#[derive(Debug)]
struct Asked {
    analysed: Analysed,
    filter: Filter,
    demands: Demands,
    notes: Vec<Note>,
}

/// The one project whose name is this, else the one whose name has it in it.
fn project_named(catalog: &Catalog, scope: &Scope, name: &str) -> Result<Option<ProjectId>, IndexError> {
    let wanted = fold(name);
    let all: Vec<(ProjectId, String)> =
        catalog.projects(scope)?.into_iter().map(|p| (p.id, fold(&p.name))).collect();
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = all.iter().filter(|(_, n)| fits(n));
        fitting.next().filter(|_| fitting.next().is_none()).map(|(id, _)| *id)
    };
    Ok(only(&|n| n == wanted).or_else(|| only(&|n| n.contains(&wanted))))
}

fn assemble(
    rows: Vec<ChunkRow>,
    fused: &[Fused],
    lexical: LexicalFound,
    asked: Asked,
    limit: usize,
) -> Found {
    let Asked { analysed, demands, notes, .. } = asked;
    // The engines cannot count what only the passages themselves say.
    let total = if demands.any(&analysed) { rows.len() } else { lexical.total.max(rows.len()) };
    let scores: HashMap<i64, &Fused> = fused.iter().map(|f| (f.id, f)).collect();
    let mut by_id: HashMap<i64, ChunkRow> = rows.into_iter().map(|r| (r.id.0, r)).collect();
    let ordered = fused.iter().filter_map(|f| by_id.remove(&f.id)).collect();
    let hits = same::fold(ordered, limit)
        .into_iter()
        .filter_map(|(chunk, folded)| {
            let f = scores.get(&chunk.id.0)?;
            let found = snippet::found_in(&chunk.text, chunk.language, &analysed, &lexical.rarity);
            let snippet = snippet::snippet(&chunk.text, &found);
            let (score, lexical, vector) = (f.score(), f.lexical, f.vector);
            Some(Hit { chunk, score, lexical, vector, snippet, folded })
        })
        .collect();
    Found {
        hits,
        total,
        notes,
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
