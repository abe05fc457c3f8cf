//! Finding passages: tantivy and LanceDB behind one [`Index`].
//!
//! Both stores are derived from the catalog. They carry the access list of every chunk, so a search
//! is filtered by [`Scope`](crate::scope::Scope) inside both engines; every hit is then checked against the catalog,
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
mod search;
mod snippet;
mod strict;
mod types;
mod vectors;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use self::lexical::Lexical;
use self::vectors::Vectors;
use crate::catalog::{Catalog, ChunkId};

pub use self::analysis::grammar::{Note, NoteKind};
pub(crate) use self::analysis::{
    Figure, QueryTerm, Token, analyse, figures, fold, guess, ident, is_stop_word, is_unit, stem, tokenize,
};
pub use self::error::IndexError;
pub(crate) use self::fuse::{Weights, fuse};
pub(crate) use self::passage::passage;
pub use self::same::{Folded, Why};
pub use self::snippet::Snippet;
pub(crate) use self::types::Sides;
pub use self::types::{Found, Hit, IndexChunk, IndexHealth, Query, StoredIds};

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
