//! What can go wrong in the index.

use std::path::PathBuf;

use crate::catalog::CatalogError;

/// A failure of one of the two engines, or of the folder they stand in.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The full-text engine failed.
    #[error("full-text index in {dir}: {source}. If it repeats, run `dossier index rebuild`.")]
    Lexical {
        /// Its folder.
        dir: PathBuf,
        /// The cause.
        source: tantivy::TantivyError,
    },
    /// The vector engine failed.
    #[error("vector index in {dir}: {source}. If it repeats, run `dossier index rebuild`.")]
    Vectors {
        /// Its folder.
        dir: PathBuf,
        /// The cause.
        source: lancedb::Error,
    },
    /// A file or folder of the index could not be read or written.
    #[error("{path}: {source}. Check the disk's space and the folder's owner.")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A vector has another length than the index.
    #[error(
        "chunk {chunk} has a vector of {found} numbers, the index holds {expected}: the embedding model changed, run `dossier index rebuild`"
    )]
    Dimension {
        /// The chunk.
        chunk: i64,
        /// Numbers per vector in the index.
        expected: usize,
        /// Numbers in this vector.
        found: usize,
    },
    /// Files of an earlier state are still being read.
    #[error(
        "{files} parts of an earlier state of the full-text index in {dir} could not be removed, because searches read them; try again"
    )]
    Left {
        /// Its folder.
        dir: PathBuf,
        /// Files and segments that hold something deleted.
        files: usize,
    },
    /// A hit could not be checked against the catalog.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A background task of the index ended without a result.
    #[error("a task of the index was stopped: {0}")]
    Task(String),
}
