//! What can go wrong with the log.

use crate::storage::StorageError;

/// Why the log could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// A file could not be read or written. After a failed write the log refuses further events until it is
    /// opened again.
    #[error("the audit log could not be written or read: {0}. Check that the disk has space and is healthy")]
    Storage(#[from] StorageError),
    /// An earlier write failed, so nothing more is accepted until the log is opened again.
    #[error("the audit log refuses events since an earlier failure: {reason}")]
    Poisoned {
        /// The earlier failure.
        reason: String,
    },
    /// A file is not as it was written.
    #[error("the audit log is damaged: {path}: {what}. Run `dossier audit verify` and restore from a backup")]
    Damaged {
        /// The file, relative to the log's folder.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// The log has events but its signing key or pseudonym key is gone.
    #[error("the keys of the audit log are missing: {path}. Restore the folder `keys` from its backup")]
    KeysMissing {
        /// The key file, relative to the key folder.
        path: String,
    },
    /// A key file does not hold a key, or belongs to another log.
    #[error("the keys do not fit the audit log: {path}: {what}")]
    KeysUnfit {
        /// The key file, relative to the key folder.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// The event is larger than the log takes. Nothing was written.
    #[error("{what} of an event is {size} bytes, the audit log takes {limit}")]
    TooLarge {
        /// `envelope` or `payload`.
        what: &'static str,
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The operating system gave no random numbers, or an event could not be encoded or encrypted.
    #[error("the event could not be prepared: {0}")]
    Prepare(String),
    /// The report has no figure with that identifier.
    #[error("there is no query {0}; the sheet names them beside its figures, as in U1")]
    NoQuery(String),
    /// There is no kind of event of that name.
    #[error("there is no kind of event {0:?}; the kinds are {kinds}", kinds = crate::event::KINDS.join(", "))]
    NoKind(String),
    /// A countersignature or time stamp does not fit.
    #[error("this does not confirm the log: {0}")]
    Anchor(String),
    /// The proof asked for lies outside the log.
    #[error("no proof: {0}")]
    NoProof(String),
}

impl LogError {
    pub(crate) fn damaged(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.into(), what: what.into() }
    }
}
