//! What goes into the index, and what comes out of it.

use std::collections::BTreeSet;

use ingest::{Chunk, Kind, Language};
use serde::Serialize;

use super::analysis::Analysed;
use super::analysis::grammar::Note;
use super::lexical::LexicalFound;
use super::same::Folded;
use super::snippet::Snippet;
use crate::catalog::{ChunkId, ChunkRow, DocumentId, ProjectId};
use crate::scope::AclId;

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
