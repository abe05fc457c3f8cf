//! Proofs: that an event is in the log, and that the log only grew.

use tlog_tiles::{Hash as TlogHash, HashReader as _, check_record, check_tree, prove_record, prove_tree};

use super::hash::Hash;
use super::tiles::Hashes;
use super::{Log, LogError};

impl Log {
    /// Audit path of event `seq` in the present tree (RFC 6962, 2.1.1), lowest hash first.
    ///
    /// # Errors
    /// [`LogError::NoProof`] when there is no such event or a tile cannot be read.
    pub fn prove_inclusion(&self, seq: u64) -> Result<Vec<Hash>, LogError> {
        plain(prove_record(self.size(), seq, &self.hashes()))
    }

    /// The same in the tree of the first `size` events.
    ///
    /// # Errors
    /// As there.
    pub fn prove_inclusion_in(&self, size: u64, seq: u64) -> Result<Vec<Hash>, LogError> {
        if size > self.size() {
            return Err(LogError::NoProof(format!("{size} events asked for, {} present", self.size())));
        }
        plain(prove_record(size, seq, &self.hashes()))
    }

    /// Hash of the leaf of event `seq`, also of one that has been removed.
    ///
    /// # Errors
    /// [`LogError::NoProof`] when there is no such event or a tile cannot be read.
    pub fn leaf_hash_of(&self, seq: u64) -> Result<Hash, LogError> {
        let found = self.hashes().read_hashes(&[tlog_tiles::stored_hash_index(0, seq)]);
        let found = found.map_err(|e| LogError::NoProof(e.to_string()))?;
        found.first().map(|h| h.0).ok_or_else(|| LogError::NoProof(format!("there is no event {seq}")))
    }

    /// Proof that the tree of the first `old` events is a beginning of the present tree (RFC 6962, 2.1.2).
    ///
    /// # Errors
    /// [`LogError::NoProof`] when `old` is 0 or more than there are, or a tile cannot be read.
    pub fn prove_consistency(&self, old: u64) -> Result<Vec<Hash>, LogError> {
        plain(prove_tree(self.size(), old, &self.hashes()))
    }

    /// Root of the tree of the first `size` events.
    ///
    /// # Errors
    /// [`LogError::NoProof`] when there are fewer or a tile cannot be read.
    pub fn root_at(&self, size: u64) -> Result<Hash, LogError> {
        if size > self.size() {
            return Err(LogError::NoProof(format!("{size} events asked for, {} present", self.size())));
        }
        tlog_tiles::tree_hash(size, &self.hashes()).map(|h| h.0).map_err(|e| LogError::NoProof(e.to_string()))
    }

    fn hashes(&self) -> Hashes<'_> {
        Hashes { storage: &*self.storage, edge: &self.edge, cache: Default::default(), size: self.size() }
    }
}

fn plain(proof: Result<Vec<TlogHash>, tlog_tiles::Error>) -> Result<Vec<Hash>, LogError> {
    proof.map(|p| p.into_iter().map(|h| h.0).collect()).map_err(|e| LogError::NoProof(e.to_string()))
}

/// True if `proof` shows that `leaf` is number `seq` in the tree of that size and root.
pub fn check_inclusion(proof: &[Hash], size: u64, root: &Hash, seq: u64, leaf: &Hash) -> bool {
    // A valid path has at most 64 hashes; the crate recurses once per hash.
    let proof = wrapped(proof);
    size < 1 << 62
        && proof.len() <= 64
        && check_record(&proof, size, TlogHash(*root), seq, TlogHash(*leaf)).is_ok()
}

/// True if `proof` shows that the tree `old` is a beginning of the tree `new`; each is a size and a root.
pub fn check_consistency(proof: &[Hash], old: (u64, &Hash), new: (u64, &Hash)) -> bool {
    let proof = wrapped(proof);
    let sizes = new.0 < 1 << 62 && proof.len() <= 64;
    sizes && check_tree(&proof, new.0, TlogHash(*new.1), old.0, TlogHash(*old.1)).is_ok()
}

fn wrapped(proof: &[Hash]) -> Vec<TlogHash> {
    proof.iter().map(|h| TlogHash(*h)).collect()
}
