//! The tree on disk: tiles of 256 hashes and bundles of 256 entries (C2SP `tlog-tiles`).

use std::cell::RefCell;
use std::collections::HashMap;

use tlog_tiles::{Error as TlogError, HashReader, Tile};

use super::error::LogError;
use super::hash::{Frontier, Hash, leaf_hash};
use crate::storage::Storage;

/// Entries per bundle and hashes per tile.
pub(crate) const WIDTH: usize = 256;

/// `n` as tlog-tiles spells it: groups of three digits, all but the last with an `x` before them.
pub(crate) fn index_path(n: u64) -> String {
    let (mut rest, mut out) = (n / 1000, format!("{:03}", n % 1000));
    while rest > 0 {
        out = format!("x{:03}/{out}", rest % 1000);
        rest /= 1000;
    }
    out
}

/// Reads what [`index_path`] wrote.
pub(crate) fn parse_index(path: &str) -> Option<u64> {
    let digits: String = path.split('/').map(|group| group.strip_prefix('x').unwrap_or(group)).collect();
    let n = digits.parse().ok()?;
    (index_path(n) == path).then_some(n)
}

/// Path of hash tile `n` on `level`; `width` is 256 for a full tile.
pub(crate) fn tile_path(level: u8, n: u64, width: usize) -> String {
    format!("tile/{level}/{}", partial(n, width))
}

/// Path of entry bundle `n`; `width` is 256 for a full one.
pub(crate) fn bundle_path(n: u64, width: usize) -> String {
    format!("tile/entries/{}", partial(n, width))
}

fn partial(n: u64, width: usize) -> String {
    if width == WIDTH { index_path(n) } else { format!("{}.p/{width}", index_path(n)) }
}

/// Paths of the partial tiles and the partial bundle that belong to a checkpoint of `size` leaves.
pub(crate) fn partial_paths(size: u64) -> Vec<String> {
    let mut out = Vec::new();
    let (mut level, mut hashes) = (0, size);
    while hashes > 0 {
        let (n, width) = (hashes / WIDTH as u64, (hashes % WIDTH as u64) as usize);
        if width > 0 {
            out.push(tile_path(level, n, width));
            out.extend((level == 0).then(|| bundle_path(n, width)));
        }
        level += 1;
        hashes = n;
    }
    out
}

/// A bundle's bytes: each entry after its length in two bytes, most significant first.
pub(crate) fn encode_bundle<'a>(leaves: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    for leaf in leaves {
        // Leaves are checked against this limit when they are made.
        out.extend(u16::try_from(leaf.len()).unwrap_or(u16::MAX).to_be_bytes());
        out.extend(leaf);
    }
    out
}

/// The entries of a bundle, or `None` if the lengths do not add up to `width` entries.
pub(crate) fn decode_bundle(mut bytes: &[u8], width: usize) -> Option<Vec<&[u8]>> {
    let mut out = Vec::with_capacity(width);
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<2>()?;
        let (leaf, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        out.push(leaf);
        bytes = rest;
    }
    (out.len() == width).then_some(out)
}

/// The unfinished tile on each level: what must be kept in memory to go on appending.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edge {
    levels: Vec<Vec<Hash>>,
}

/// A tile to be written: its path and bytes.
pub(crate) type NewTile = (String, Vec<u8>);

impl Edge {
    /// Reads the edge of a tree of `bundles` full bundles back from its tiles.
    pub(crate) fn load(storage: &dyn Storage, bundles: u64) -> Result<Self, LogError> {
        let mut levels = vec![Vec::new()];
        let mut full = bundles;
        let mut level = 0_u8;
        while full > 0 {
            // Each full tile of this level is one hash on the next; those since the last full tile up there
            // are its edge.
            let start = full / WIDTH as u64 * WIDTH as u64;
            let mut edge = Vec::new();
            for n in start..full {
                edge.push(subtree_root(&read_tile(storage, level, n)?));
            }
            levels.push(edge);
            full /= WIDTH as u64;
            level += 1;
        }
        Ok(Self { levels })
    }

    /// The hashes of the unfinished tile on `level`.
    pub(crate) fn level(&self, level: u8) -> &[Hash] {
        self.levels.get(usize::from(level)).map_or(&[], Vec::as_slice)
    }

    /// Levels with or without hashes, lowest first.
    pub(crate) fn levels(&self) -> impl Iterator<Item = (u8, &[Hash])> {
        (0..).zip(self.levels.iter().map(Vec::as_slice))
    }

    /// Adds a leaf hash on the lowest level; the tile must not be full.
    pub(crate) fn push(&mut self, leaf: Hash) {
        if let Some(lowest) = self.levels.first_mut() {
            lowest.push(leaf);
        } else {
            self.levels.push(vec![leaf]);
        }
    }

    /// Closes the full tile `n` of the lowest level, and above it every tile that becomes full by that.
    /// Returns the tiles to be written.
    pub(crate) fn close(&mut self, n: u64) -> Vec<NewTile> {
        let (mut out, mut n, mut level) = (Vec::new(), n, 0_usize);
        while let Some(hashes) = self.levels.get_mut(level).filter(|h| h.len() == WIDTH) {
            let hashes = std::mem::take(hashes);
            let root = subtree_root(&hashes);
            out.push((tile_path(u8::try_from(level).unwrap_or(u8::MAX), n, WIDTH), hashes.concat()));
            level += 1;
            n /= WIDTH as u64;
            match self.levels.get_mut(level) {
                Some(above) => above.push(root),
                None => self.levels.push(vec![root]),
            }
        }
        out
    }

    /// The partial tiles of a tree of `size` leaves whose edge this is.
    pub(crate) fn partial_tiles(&self, size: u64) -> Vec<NewTile> {
        let mut out = Vec::new();
        for (level, hashes) in self.levels().filter(|(_, h)| !h.is_empty()) {
            let n = size >> (8 * (u32::from(level) + 1));
            out.push((tile_path(level, n, hashes.len()), hashes.concat()));
        }
        out
    }

    /// The frontier of the tree, from which its root follows.
    pub(crate) fn frontier(&self) -> Frontier {
        let mut frontier = Frontier::default();
        for (level, hashes) in self.levels.iter().enumerate().rev() {
            for hash in hashes {
                frontier.push_subtree(8 * level as u32, *hash);
            }
        }
        frontier
    }
}

/// Root over the hashes of a tile.
pub(crate) fn subtree_root(hashes: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.push(*hash);
    }
    frontier.root()
}

/// Leaf hashes of `leaves`.
pub(crate) fn leaf_hashes<'a>(leaves: impl IntoIterator<Item = &'a [u8]>) -> Vec<Hash> {
    leaves.into_iter().map(leaf_hash).collect()
}

/// A full tile's hashes.
pub(crate) fn read_tile(storage: &dyn Storage, level: u8, n: u64) -> Result<Vec<Hash>, LogError> {
    let path = tile_path(level, n, WIDTH);
    let bytes = storage.read(&path)?.ok_or_else(|| LogError::damaged(&path, "the file is missing"))?;
    let (hashes, rest) = bytes.as_chunks::<32>();
    if hashes.len() != WIDTH || !rest.is_empty() {
        return Err(LogError::damaged(path, "the file is not 8192 bytes long"));
    }
    Ok(hashes.to_vec())
}

/// Looks hashes up in full tiles and in the edge, for proofs.
pub(crate) struct Hashes<'a> {
    pub(crate) storage: &'a dyn Storage,
    pub(crate) edge: &'a Edge,
    /// Full tiles read so far, by level and number.
    pub(crate) cache: RefCell<HashMap<(u8, u64), Vec<u8>>>,
    /// Leaves of the tree.
    pub(crate) size: u64,
}

impl Hashes<'_> {
    fn tile(&self, level: u8, n: u64) -> Result<Vec<u8>, TlogError> {
        let full = self.size.checked_shr(8 * (u32::from(level) + 1)).unwrap_or(0);
        if n >= full {
            return Ok(self.edge.level(level).concat());
        }
        if let Some(bytes) = self.cache.borrow().get(&(level, n)) {
            return Ok(bytes.clone());
        }
        let bytes = read_tile(self.storage, level, n).map_err(|_| TlogError::InvalidTile)?.concat();
        self.cache.borrow_mut().insert((level, n), bytes.clone());
        Ok(bytes)
    }
}

impl HashReader for Hashes<'_> {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, TlogError> {
        let one = |&index: &u64| {
            let least = Tile::from_index(8, index);
            let bytes = self.tile(least.level(), least.level_index())?;
            least.hash_at_index(&bytes, index)
        };
        indexes.iter().map(one).collect()
    }
}
