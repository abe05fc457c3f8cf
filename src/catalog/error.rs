use std::path::PathBuf;

use super::DocumentId;

/// What can go wrong in the catalog.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The database file cannot be opened or created.
    #[error("cannot open the catalog {path}: {source}; check that the folder exists and may be written")]
    Open {
        /// The database file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The file was written by a newer program.
    #[error(
        "the catalog {path} has schema {found}, this program knows up to {known}; \
         start the newer program or restore the backup made before the upgrade"
    )]
    TooNew {
        /// The database file.
        path: PathBuf,
        /// Schema number in the file.
        found: i64,
        /// Highest schema number of this program.
        known: i64,
    },
    /// A migration failed; the file is as it was before.
    #[error("the catalog could not be brought to schema {to}: {source}; nothing was changed")]
    Migration {
        /// The schema that was to be reached.
        to: i64,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// Another version of the document was committed, or it was removed, since this one was staged.
    #[error("document {document} has changed since generation {generation} was staged; run the ingest again")]
    Stale {
        /// The document.
        document: DocumentId,
        /// The generation that came too late.
        generation: i64,
    },
    /// Somebody kept reading while the file was to be cut off.
    #[error("the catalog is being read all the time and its old state could not be removed; try again")]
    Busy,
    /// Copies that lie beside the catalog cannot be removed.
    #[error("old copies beside the catalog {path} could not be removed: {source}")]
    Copies {
        /// The database file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A statement failed: disk full, file damaged, lock held.
    #[error("the catalog could not be read or written: {0}")]
    Sql(#[from] rusqlite::Error),
}
