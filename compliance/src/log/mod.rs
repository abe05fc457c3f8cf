//! An append-only log in which a later change shows.
//!
//! Every event is a leaf of a Merkle tree (RFC 6962): an [`Envelope`] that holds no text of a person and
//! commits to an encrypted payload beside the tree. The tree lies on disk in the C2SP `tlog-tiles` layout,
//! checkpoints are signed notes.
//!
//! | file in the log's folder | holds | who edits it gains |
//! |---|---|---|
//! | `log.vkey` | the first public key | nothing if the auditor brings the key; the log refuses to open |
//! | `log.rotations` | later public keys | nothing: they no longer follow from the events; the log refuses to open |
//! | `tail/N` | events since the last full bundle, each signed | nothing: signatures fail; cutting whole events off the end shows only below the newest checkpoint |
//! | `tile/entries/N` | 256 envelopes | nothing: hashes fail |
//! | `tile/L/N` | hashes, derived from the envelopes | nothing: they no longer follow from the entries |
//! | `checkpoint`, `checkpoints/SIZE` | signed roots | an older state passes for the newest only where nobody kept a newer checkpoint; a lost older one is named by the event before the next |
//! | `anchors/…` | what witnesses and time-stamping authorities confirmed | nothing: their signatures fail |
//! | `payload/N` | encrypted payloads | payloads become unreadable, which shows |
//! | `quarantine/…` | bytes of writes that did not finish | nothing: a `gap` event holds their hash |
//!
//! Old bundles and their payloads are removed by [`Log::prune`]; an event names them before they go. A bundle that
//! is missing without one shows.
//!
//! A log whose keys and files are both in an attacker's hands can be rewritten since the last checkpoint that
//! somebody else keeps. That is the limit of the claim.

mod anchors;
mod append;
mod chain;
mod entry;
mod envelope;
mod error;
mod found;
mod hash;
mod keys;
mod list;
mod note;
mod open;
mod payload;
mod proof;
mod prune;
mod ranges;
mod rotate;
mod shred;
mod tail;
#[cfg(test)]
mod tests;
mod tiles;
mod verify;

use std::sync::Arc;

use jiff::Timestamp;

use crate::event::{Actor, Event};
use crate::storage::Storage;

pub(crate) use append::format_time;
pub use entry::{Content, Entry, Receipt};
pub use envelope::Envelope;
pub use error::LogError;
pub use found::{Checked, Gap, Problem, Verification};
pub use hash::{Frontier, Hash, leaf_hash, node_hash, sha256};
pub use list::ListFilter;
pub use note::Verifier;
pub(crate) use note::{key_id, read_vkey, write_vkey};
pub use open::PriorFailure;
pub use proof::{check_consistency, check_inclusion};
pub use prune::{Keep, Pruned};
pub use verify::{verify, verify_since};

/// 32 random bytes for a key.
pub(crate) fn random_seed() -> Result<[u8; 32], LogError> {
    keys::random()
}

use chain::KeyChain;
use keys::Keys;
use ranges::Ranges;
use tiles::Edge;

/// Path of the public key.
pub(crate) const VKEY: &str = "log.vkey";
/// Path of the newest checkpoint.
pub(crate) const CHECKPOINT: &str = "checkpoint";

/// Tells the time. Passed in, so that tests can set it back.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What the log writes into every envelope about the program that runs.
#[derive(Debug, Clone, Default)]
pub struct Provenance {
    /// SHA-256 that identifies the program, hexadecimal.
    pub build_sha256: String,
    /// SHA-256 of the configuration in force, hexadecimal.
    pub config_sha256: Option<String>,
    /// Identifier of the machine's start.
    pub boot_id: String,
}

/// The log, open for writing. One process and one `Log` at a time per folder.
pub struct Log {
    storage: Arc<dyn Storage>,
    keys: Keys,
    clock: Clock,
    provenance: Provenance,
    /// The keys that signed and sign.
    chain: KeyChain,
    /// Bundles that have been removed.
    pruned: Ranges,
    /// Hashes of the unfinished tiles.
    edge: Edge,
    /// Right edge of the tree, from which the root follows.
    frontier: Frontier,
    /// Leaves since the last full bundle.
    tail: Vec<Vec<u8>>,
    /// Time of the newest event.
    last: Option<Timestamp>,
    /// Size of the newest checkpoint.
    checkpoint: Option<u64>,
    /// The failure that closed the log, and how many events were refused since.
    poison: Option<PriorFailure>,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log")
            .field("size", &self.size())
            .field("poison", &self.poison)
            .finish_non_exhaustive()
    }
}

impl Log {
    /// Events in the log.
    pub fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Root of the tree over all of them.
    pub fn root(&self) -> Hash {
        self.frontier.root()
    }

    /// The time, by the log's clock.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// The public key that the log began with: whoever has it can check the log across changes of the key.
    pub fn first_verifier(&self) -> &Verifier {
        self.chain.at(0)
    }

    /// The public key that signs now.
    pub fn verifier(&self) -> &Verifier {
        self.keys.signer.verifier()
    }

    /// The files and the first public key, with which [`verify()`] works beside the writer. It may then see a
    /// write half done and report it as a problem; a result without problems holds.
    pub fn files(&self) -> (Arc<dyn Storage>, Verifier) {
        (self.storage.clone(), self.first_verifier().clone())
    }

    /// Why the log takes no more events, if it does not, and how many were refused since.
    pub fn failure(&self) -> Option<&PriorFailure> {
        self.poison.as_ref()
    }

    /// Replaces the configuration hash that later envelopes carry.
    pub fn set_config(&mut self, sha256: Option<String>) {
        self.provenance.config_sha256 = sha256;
    }

    /// Pseudonym under which the events of the user `name` stand.
    pub fn actor_pseudonym(&self, name: &str) -> String {
        self.keys.pseudonym("actor", name)
    }

    /// Pseudonym under which the events of `project` stand.
    pub fn project_pseudonym(&self, project: &str) -> String {
        self.keys.pseudonym("project", project)
    }

    /// Signs the present root and makes the tree readable up to it for readers of the `tlog-tiles` layout.
    /// Appends an event of its own first. Does nothing if the newest checkpoint is of this size.
    ///
    /// A crash at any step leaves the previous checkpoint and its tiles in place.
    ///
    /// # Errors
    /// When a file cannot be written, or the log has refused events since an earlier failure.
    pub fn checkpoint(&mut self) -> Result<(), LogError> {
        if let Some(p) = &self.poison {
            return Err(LogError::Poisoned { reason: p.reason.clone() });
        }
        if self.checkpoint == Some(self.size()) || self.size() == 0 {
            return Ok(());
        }
        // The event names the checkpoint before; a crash between the two leaves an event, and a log that is
        // not signed yet.
        self.append(&Actor::system(), Event::Checkpoint { previous: self.checkpoint })?;
        let done = self.write_checkpoint();
        self.poisoning(done)
    }

    fn write_checkpoint(&self) -> Result<(), LogError> {
        let mut files = self.edge.partial_tiles(self.size());
        if !self.tail.is_empty() {
            let path = tiles::bundle_path(self.bundles(), self.tail.len());
            files.push((path, tiles::encode_bundle(self.tail.iter().map(Vec::as_slice))));
        }
        for (path, bytes) in files {
            self.storage.replace(&path, &bytes)?;
        }
        let note = self.keys.signer.note(self.size(), &self.root());
        self.storage.replace(&checkpoint_path(self.size()), &note)?;
        self.storage.replace(CHECKPOINT, &note)?;
        self.drop_stale_partials(self.size())
    }

    /// Removes partial tiles of other checkpoints than that of `size`: of older ones, or of one that a crash
    /// kept from being signed.
    fn drop_stale_partials(&self, size: u64) -> Result<(), LogError> {
        let keep = tiles::partial_paths(size);
        for path in self.storage.list("tile")? {
            if path.contains(".p/") && !keep.contains(&path) {
                self.storage.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Remembers a failed write, after which nothing more is accepted.
    fn poisoning(&mut self, done: Result<(), LogError>) -> Result<(), LogError> {
        match &done {
            Ok(()) => self.checkpoint = Some(self.size()),
            Err(e) => self.poison = Some(PriorFailure { reason: e.to_string(), refused: 0 }),
        }
        done
    }

    /// Full bundles so far.
    fn bundles(&self) -> u64 {
        self.size() / tiles::WIDTH as u64
    }
}

/// Path under which the checkpoint of `size` is kept for good.
pub(crate) fn checkpoint_path(size: u64) -> String {
    format!("checkpoints/{size:020}")
}
