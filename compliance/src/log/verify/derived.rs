//! What follows from the entries: tiles of hashes, and the partial bundle of the newest checkpoint.

use super::Check;
use crate::log::LogError;
use crate::log::hash::Hash;
use crate::log::tiles::{
    WIDTH, bundle_path, decode_bundle, encode_bundle, leaf_hashes, subtree_root, tile_path,
};

impl Check<'_> {
    pub(super) fn tile(&mut self, path: &str, hashes: &[Hash]) -> Result<(), LogError> {
        if self.read(path)?.as_deref() != Some(hashes.concat().as_slice()) {
            self.problem(path, "the hashes do not follow from the entries");
        }
        Ok(())
    }

    /// Tiles above the lowest level: each hash is the root of a full tile below.
    pub(super) fn upper_tiles(&mut self) -> Result<(), LogError> {
        let mut level = 1_u8;
        let mut hashes = self.above.first().cloned().unwrap_or_default();
        while hashes.len() >= WIDTH {
            let (full, _) = hashes.as_chunks::<WIDTH>();
            for (n, tile) in (0..).zip(full) {
                self.tile(&tile_path(level, n, WIDTH), tile)?;
            }
            hashes = full.iter().map(|tile| subtree_root(tile)).collect();
            self.above.push(hashes.clone());
            level += 1;
        }
        Ok(())
    }

    /// Partial tiles exist for the newest checkpoint only, and hold the beginning of what the tree has there.
    pub(super) fn partial_tiles(&mut self) -> Result<(), LogError> {
        let Some(size) = self.newest.filter(|&s| s <= self.frontier.size()) else { return Ok(()) };
        let split = |hashes: u64| (hashes / WIDTH as u64, (hashes % WIDTH as u64) as usize);
        let (n, width) = split(size);
        if width > 0 {
            self.partial_bundle(n, width)?;
        }
        let (mut level, mut hashes) = (1_u8, n);
        while hashes > 0 {
            let (n, width) = split(hashes);
            if width > 0 {
                let start = n as usize * WIDTH;
                let row = self.above.get(usize::from(level) - 1).and_then(|l| l.get(start..start + width));
                let expected = row.unwrap_or_default().to_vec();
                self.tile(&tile_path(level, n, width), &expected)?;
            }
            (level, hashes) = (level + 1, n);
        }
        Ok(())
    }

    pub(super) fn partial_bundle(&mut self, n: u64, width: usize) -> Result<(), LogError> {
        // The bundle may have become full since the checkpoint.
        let full = self.storage.read(&bundle_path(n, WIDTH))?;
        let leaves: Vec<Vec<u8>> = match full.as_deref().and_then(|bytes| decode_bundle(bytes, WIDTH)) {
            Some(leaves) => leaves.into_iter().take(width).map(<[u8]>::to_vec).collect(),
            None => self.tail.iter().take(width).cloned().collect(),
        };
        let slices = || leaves.iter().map(Vec::as_slice);
        let path = bundle_path(n, width);
        if self.read(&path)?.as_deref() != Some(encode_bundle(slices()).as_slice()) {
            self.problem(path, "the entries are not those of the log");
        }
        self.tile(&tile_path(0, n, width), &leaf_hashes(slices()))
    }
}
