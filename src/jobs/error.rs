use std::path::PathBuf;

use crate::{
    audit::AuditError, catalog::CatalogError, engine::EngineError, erasure::ErasureError, index::IndexError,
    worker::WorkerError,
};

/// Why a run could not be done. A single bad file is no such reason: it is listed as rejected.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A run is under way.
    #[error("a run is under way; wait until it is done")]
    Busy,
    /// Nothing to read.
    #[error("no source is configured; add a [[source]] block to {config}")]
    NoSources {
        /// The configuration file.
        config: PathBuf,
    },
    /// No source of this name.
    #[error("there is no source `{name}`; configured are: {known}")]
    UnknownSource {
        /// The name asked for.
        name: String,
        /// The configured names.
        known: String,
    },
    /// A glob that the configuration let pass.
    #[error("source `{source_name}`: {error}")]
    Glob {
        /// The source.
        source_name: String,
        /// What is wrong with it.
        error: globset::Error,
    },
    /// A mapping file says what cannot be.
    #[error("{path}: {source}")]
    Mapping {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ingest::MappingError,
    },
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The embedding model failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The audit log failed: what cannot be logged is not done.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The list of erasures cannot be used: nothing is read, or what was erased could come back.
    #[error(transparent)]
    Erasure(#[from] ErasureError),
    /// The reader process cannot be used at all.
    #[error(transparent)]
    Worker(WorkerError),
    /// Somebody stopped it.
    #[error("the run was stopped; what it had taken in stays, the next one does the rest")]
    StoppedByHand,
    /// Too little room where the data folder lies.
    #[error(
        "only {free_mb} MiB are free at {folder}, fewer than ingest.min_free_mb ({needed_mb}); make room or lower it, \
         then run again: what was taken in stays"
    )]
    DiskFull {
        /// The data folder.
        folder: PathBuf,
        /// What is free, MiB.
        free_mb: u64,
        /// What must be, MiB.
        needed_mb: u64,
    },
    /// Work in the background ended without a result.
    #[error("the run was stopped: {0}")]
    Stopped(String),
}
