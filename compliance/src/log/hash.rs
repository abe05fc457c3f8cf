//! Hashes of RFC 6962, section 2.1, and the root of a growing tree.

use sha2::{Digest, Sha256};

/// A SHA-256 value, 32 bytes.
pub type Hash = [u8; 32];

/// SHA-256 of `bytes`.
pub fn sha256(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// Hash of a leaf: SHA-256(0x00 ‖ leaf).
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(leaf).finalize().into()
}

/// Hash of an inner node: SHA-256(0x01 ‖ left ‖ right).
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The right edge of a tree: roots of its perfect subtrees, largest first. Enough to go on appending and to
/// know the root at every size; holds at most 64 hashes.
#[derive(Debug, Clone, Default)]
pub struct Frontier {
    /// (height of the subtree, its root), heights strictly falling.
    nodes: Vec<(u32, Hash)>,
    size: u64,
}

impl Frontier {
    /// Leaves so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds one leaf.
    pub fn push(&mut self, leaf: Hash) {
        self.push_subtree(0, leaf);
    }

    /// Adds a perfect subtree of 2^`height` leaves. The size so far must be a multiple of that.
    pub(crate) fn push_subtree(&mut self, height: u32, root: Hash) {
        self.size += 1 << height;
        let (mut height, mut hash) = (height, root);
        while let Some(&(h, left)) = self.nodes.last()
            && h == height
        {
            hash = node_hash(&left, &hash);
            height += 1;
            self.nodes.pop();
        }
        self.nodes.push((height, hash));
    }

    /// Root of the tree; of the empty tree it is SHA-256 of nothing.
    pub fn root(&self) -> Hash {
        let mut right_to_left = self.nodes.iter().rev();
        let Some(&(_, last)) = right_to_left.next() else { return sha256(&[]) };
        right_to_left.fold(last, |right, (_, left)| node_hash(left, &right))
    }
}
