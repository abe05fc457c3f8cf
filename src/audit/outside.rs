//! What leaves the log for others to confirm, and what comes back.

use compliance::log::LogError;

use super::{Actor, Audit, AuditError};

/// Witnesses: what the command on the witness's machine works with.
pub mod witness {
    use std::path::Path;
    use std::sync::Arc;

    use compliance::storage::{FileStorage, Storage, StorageError};

    pub use compliance::log::Verifier;
    pub use compliance::witness::{Countersigned, Request, Witness, WitnessError, WitnessKey};

    /// A witness's folder; made if missing.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn witness_folder(path: &Path) -> Result<Arc<dyn Storage>, StorageError> {
        Ok(Arc::new(FileStorage::new(path)?))
    }
}

use witness::{Countersigned, Request, WitnessKey};

impl Audit {
    /// Signs the present state and makes what a witness is asked to countersign; `old` is the size that it signed
    /// last, by default the newest that was taken in.
    ///
    /// # Errors
    /// When the log cannot be written, or has fewer than `old` events.
    pub fn witness_request(&self, old: Option<u64>) -> Result<Request, AuditError> {
        self.queue.with(|log| {
            let old = old.map_or_else(|| log.witnessed(), Ok::<u64, LogError>)?;
            Ok(log.witness_request(old)?)
        })
    }

    /// Takes in a countersigned checkpoint and records it.
    ///
    /// # Errors
    /// When it does not fit the log or the witness's key, or the log cannot be written.
    pub fn accept_witness(
        &self,
        actor: &Actor,
        note: &[u8],
        witness: &WitnessKey,
    ) -> Result<Countersigned, AuditError> {
        self.queue.with(|log| Ok(log.accept_witness(actor, note, witness)?))
    }

    /// Signs with a new key from now on. Returns the public one.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub fn rotate_key(&self, actor: &Actor, reason: &str) -> Result<String, AuditError> {
        self.queue.with(|log| Ok(log.rotate_key(actor, reason)?.to_vkey()))
    }
}
