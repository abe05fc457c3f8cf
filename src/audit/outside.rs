//! What leaves the log for others to confirm, and what comes back.

use compliance::log::LogError;
use compliance::storage::{FileStorage, Storage as _};
use compliance::timestamp::Stamp;
use jiff::Timestamp;

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
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(Arc::new(FileStorage::new(whole)?))
    }
}

/// File in the data folder: the result of the last test that nothing gets out. Who edits it gets a wrong line onto
/// the sheet; the log has the figures, too.
const EGRESS_TEST: &str = "egress_test.json";

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

    /// Signs the present state and makes a request for a time stamp over it. Returns the log's size, and the request.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub fn timestamp_request(&self) -> Result<(u64, Vec<u8>), AuditError> {
        self.queue.with(|log| Ok(log.timestamp_request()?))
    }

    /// Takes in an authority's answer and records it. Returns the size that was stamped, and what it states.
    ///
    /// # Errors
    /// When it answers no request, or the log cannot be written.
    pub fn accept_timestamp(&self, actor: &Actor, answer: &[u8]) -> Result<(u64, Stamp), AuditError> {
        self.queue.with(|log| Ok(log.accept_timestamp(actor, answer)?))
    }

    /// When a witness, and when an authority last confirmed the log, by their own clocks.
    ///
    /// # Errors
    /// When the log's folder cannot be read.
    pub fn last_confirmed(&self) -> Result<(Option<Timestamp>, Option<Timestamp>), AuditError> {
        self.queue.with(|log| Ok(log.last_confirmed()?))
    }

    /// Keeps the result of the test that nothing gets out, for the sheet and its annex.
    ///
    /// # Errors
    /// When the data folder cannot be written.
    pub fn keep_egress_test(&self, json: &[u8]) -> Result<(), AuditError> {
        let folder = FileStorage::new(self.queue.data()).map_err(LogError::from)?;
        Ok(folder.replace(EGRESS_TEST, json).map_err(LogError::from)?)
    }

    /// The result of the last test, as it was kept.
    ///
    /// # Errors
    /// When the data folder cannot be read.
    pub fn egress_test(&self) -> Result<Option<Vec<u8>>, AuditError> {
        let folder = FileStorage::new(self.queue.data()).map_err(LogError::from)?;
        Ok(folder.read(EGRESS_TEST).map_err(LogError::from)?)
    }

    /// Signs with a new key from now on. Returns the public one.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub fn rotate_key(&self, actor: &Actor, reason: &str) -> Result<String, AuditError> {
        self.queue.with(|log| Ok(log.rotate_key(actor, reason)?.to_vkey()))
    }
}
