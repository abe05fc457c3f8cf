//! Entries and their payloads, bundle by bundle, and the tail.

use super::Check;
use crate::event::CHECKPOINT_TARGET;
use crate::log::append::payload_path;
use crate::log::chain::rotation;
use crate::log::found::Gap;
use crate::log::hash::{Hash, leaf_hash};
use crate::log::payload::{self, Sealed};
use crate::log::ranges::Ranges;
use crate::log::tail::{self, tail_path};
use crate::log::tiles::{
    WIDTH, bundle_path, decode_bundle, leaf_hashes, parse_index, subtree_root, tile_path,
};
use crate::log::{Envelope, LogError};

impl Check<'_> {
    pub(super) fn bundles(&mut self) -> Result<(), LogError> {
        let mut last = None;
        for path in self.storage.list("tile/entries")? {
            let index = path.strip_prefix("tile/entries/").unwrap_or(&path);
            last = last.max(parse_index(index));
        }
        let Some(last) = last else { return Ok(()) };
        for n in self.first_bundle..=last {
            let path = bundle_path(n, WIDTH);
            let hashes = match self.read(&path)? {
                Some(bytes) => self.bundle(n, &path, &bytes)?,
                None => self.removed(n)?,
            };
            let Some(hashes) = hashes else {
                self.problem(path, "missing, or not 256 entries; nothing after it can be checked");
                return Ok(());
            };
            if let Some(lowest) = self.above.first_mut() {
                lowest.push(subtree_root(&hashes));
            }
        }
        Ok(())
    }

    /// Checks full bundle `n`. Returns the hashes of its leaves, or nothing if it is none.
    pub(super) fn bundle(&mut self, n: u64, path: &str, bytes: &[u8]) -> Result<Option<Vec<Hash>>, LogError> {
        let Some(leaves) = decode_bundle(bytes, WIDTH) else { return Ok(None) };
        let hashes = leaf_hashes(leaves.iter().copied());
        let envelopes = self.leaves(path, &leaves);
        self.payloads(n, &envelopes)?;
        self.tile(&tile_path(0, n, WIDTH), &hashes)?;
        Ok(Some(hashes))
    }

    /// Takes the place of a bundle that is not there from its tile; whether it may be missing shows at the end.
    pub(super) fn removed(&mut self, n: u64) -> Result<Option<Vec<Hash>>, LogError> {
        let tile = self.read(&tile_path(0, n, WIDTH))?.unwrap_or_default();
        let (hashes, rest) = tile.as_chunks::<32>();
        if hashes.len() != WIDTH || !rest.is_empty() {
            return Ok(None);
        }
        let path = bundle_path(n, WIDTH);
        for hash in hashes {
            self.frontier.push(*hash);
            self.compare_checkpoint(&path);
        }
        self.missing.push(n);
        Ok(Some(hashes.to_vec()))
    }

    /// Adds leaves to the tree, checks what they say of themselves, and compares with checkpoints.
    pub(super) fn leaves(&mut self, path: &str, leaves: &[&[u8]]) -> Vec<Option<Envelope>> {
        let mut out = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let seq = self.frontier.size();
            self.frontier.push(leaf_hash(leaf));
            self.compare_checkpoint(path);
            match Envelope::from_leaf(leaf) {
                Ok(envelope) => {
                    self.envelope(path, seq, &envelope);
                    out.push(Some(envelope));
                }
                Err(what) => {
                    self.problem(path, format!("event {seq}: {what}"));
                    out.push(None);
                }
            }
        }
        out
    }

    pub(super) fn envelope(&mut self, path: &str, seq: u64, e: &Envelope) {
        if e.seq != seq {
            self.problem(path, format!("event {seq} says that it is event {}", e.seq));
        }
        if e.ts_utc < self.last_time && e.kind != "clock_jump" {
            self.problem(path, format!("event {seq} is older than the one before it"));
        }
        self.last_time.clone_from(&e.ts_utc);
        if e.kind == "gap" || e.kind == "clock_jump" {
            self.gaps.push(Gap { seq, kind: e.kind.clone(), ts_utc: e.ts_utc.clone() });
        }
        if !self.chain.follow(e) {
            self.problem(path, format!("event {seq} names no key of this log"));
        }
        if rotation(e).is_some() {
            // The key before signs exactly the tree that ends here.
            self.named.insert(seq + 1, seq);
        }
        if let ("timestamp", [size, sum]) = (e.kind.as_str(), e.target_ids.as_slice()) {
            let size = size.strip_prefix(CHECKPOINT_TARGET).and_then(|s| s.parse().ok());
            self.stamped.extend(size.map(|size| (size, sum.clone())));
        }
        if let Some(ranges) = Ranges::named_by(e) {
            self.pruned = ranges;
        }
        if e.kind == "checkpoint" || e.kind == "key_rotation" {
            let sizes = e.target_ids.iter().filter_map(|t| t.strip_prefix(CHECKPOINT_TARGET)?.parse().ok());
            self.named.extend(sizes.map(|size: u64| (size, seq)));
        }
    }

    pub(super) fn compare_checkpoint(&mut self, path: &str) {
        let size = self.frontier.size();
        if let Some(root) = self.signed.remove(&size)
            && root != self.frontier.root()
        {
            self.problem(path, format!("the tree of {size} events is not the one that was signed"));
        }
    }

    pub(super) fn payloads(&mut self, n: u64, envelopes: &[Option<Envelope>]) -> Result<(), LogError> {
        let path = payload_path(n);
        let bytes = self.read(&path)?.unwrap_or_default();
        let (lines, readable) = payload::parse(&bytes);
        if readable < bytes.len() {
            self.problem(&path, format!("the line at byte {readable} cannot be read"));
        }
        let first = n * WIDTH as u64;
        let expected = (first..).zip(envelopes);
        let mut lines = lines.iter();
        for (seq, envelope) in expected {
            let line = lines.next();
            let Some(envelope) = envelope else { continue };
            if let Some(what) = payload_problem(seq, envelope, line) {
                self.problem(&path, what);
            }
        }
        if lines.next().is_some() {
            self.problem(path, "payloads without an event");
        }
        Ok(())
    }

    pub(super) fn tail(&mut self) -> Result<(), LogError> {
        let n = self.frontier.size() / WIDTH as u64;
        let path = tail_path(n);
        let bytes = self.read(&path)?.unwrap_or_default();
        let mut scratch = self.frontier.clone();
        let tail = tail::parse(&bytes, &mut scratch, &mut self.chain.clone(), |_| {});
        let leaves: Vec<&[u8]> = tail.leaves.iter().map(Vec::as_slice).collect();
        let envelopes = self.leaves(&path, &leaves);
        if let Some(what) = tail.problem {
            self.problem(&path, what);
        }
        self.payloads(n, &envelopes)?;
        self.tail = tail.leaves;
        Ok(())
    }
}

fn payload_problem(seq: u64, envelope: &Envelope, line: Option<&Sealed>) -> Option<String> {
    let Some(line) = line else { return Some(format!("the payload of event {seq} is missing")) };
    if line.seq != seq {
        return Some(format!("the payload of event {seq} is missing, {} stands there", line.seq));
    }
    let fits = line.commitment().map(hex::encode).as_deref() == Some(&envelope.payload_commit);
    (!fits).then(|| format!("the payload of event {seq} is not the one that was recorded"))
}
