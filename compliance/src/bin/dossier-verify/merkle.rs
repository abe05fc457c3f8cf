//! Merkle tree hashes by the recursive definition of RFC 6962, section 2.1.

use sha2::{Digest, Sha256};

pub(crate) type Digest32 = [u8; 32];

/// SHA-256 of the parts one after another.
pub(crate) fn digest(parts: &[&[u8]]) -> Digest32 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

pub(crate) fn leaf(entry: &[u8]) -> Digest32 {
    digest(&[&[0], entry])
}

/// All complete subtrees of a growing tree: row `k` holds the hashes over 2^k leaves each.
#[derive(Default)]
pub(crate) struct Tree {
    rows: Vec<Vec<Digest32>>,
}

impl Tree {
    pub(crate) fn size(&self) -> usize {
        self.row(0).len()
    }

    pub(crate) fn row(&self, k: usize) -> &[Digest32] {
        self.rows.get(k).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn push(&mut self, leaf: Digest32) {
        let (mut k, mut hash) = (0, leaf);
        loop {
            if self.rows.len() == k {
                self.rows.push(Vec::new());
            }
            let Some(row) = self.rows.get_mut(k) else { return };
            row.push(hash);
            let [.., left, right] = row.as_slice() else { return };
            if !row.len().is_multiple_of(2) {
                return;
            }
            hash = digest(&[&[1], left, right]);
            k += 1;
        }
    }

    /// Root over the first `n` leaves, by the recursive definition.
    pub(crate) fn root(&self, n: usize) -> Digest32 {
        if n == 0 { digest(&[]) } else { self.range(0, n) }
    }

    fn range(&self, first: usize, n: usize) -> Digest32 {
        if n.is_power_of_two() && first.is_multiple_of(n) {
            let row = self.row(n.trailing_zeros() as usize);
            return row.get(first / n).copied().unwrap_or_default();
        }
        // The largest power of two smaller than n.
        let left = 1 << (n - 1).ilog2();
        digest(&[&[1], &self.range(first, left), &self.range(first + left, n - left)])
    }
}
