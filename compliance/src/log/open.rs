//! Opening a log: reading its edge back and repairing what a crash left.

use std::sync::Arc;

use jiff::Timestamp;

use super::append::payload_path;
use super::chain::{KeyChain, ROTATIONS};
use super::hash::{Frontier, sha256};
use super::keys::Keys;
use super::ranges::Ranges;
use super::tail::{self, Tail, tail_path};
use super::tiles::{self, Edge, Hashes, WIDTH, bundle_path, decode_bundle};
use super::{
    CHECKPOINT, Clock, Envelope, Log, LogError, Provenance, VKEY, Verifier, checkpoint_path, note, payload,
};
use crate::event::{Actor, Event};
use crate::storage::Storage;

/// Most bundles in a row that may have been removed: 2^32 events.
const MAX_MISSING: u64 = 1 << 24;

/// A failure that made a log refuse events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriorFailure {
    /// What failed.
    pub reason: String,
    /// Events that callers tried to record and were refused.
    pub refused: u64,
}

/// What opening found besides whole events.
#[derive(Debug, Default)]
struct Repair {
    reasons: Vec<String>,
    bytes: u64,
}

impl Log {
    /// Opens the log in `storage` with the keys in `keys`, or begins one if both are empty.
    ///
    /// Writes that did not finish are set aside under `quarantine/` and recorded as a `gap` event; the same
    /// holds for `prior`, the failure that closed the log in this process. Acknowledged events are never
    /// dropped.
    ///
    /// # Errors
    /// [`LogError::Damaged`] when files are not as they were written, [`LogError::KeysMissing`] and
    /// [`LogError::KeysUnfit`] when the keys are not those of the log, [`LogError::Storage`] otherwise.
    pub fn open(
        storage: Arc<dyn Storage>,
        keys: Arc<dyn Storage>,
        clock: Clock,
        provenance: Provenance,
        prior: Option<PriorFailure>,
    ) -> Result<Self, LogError> {
        let (bundles, missing) = count_bundles(&*storage)?;
        let tails = storage.list("tail")?;
        let fresh = bundles == 0 && tails.is_empty() && storage.read(CHECKPOINT)?.is_none();
        let keys = Keys::open(keys, fresh)?;
        let chain = read_chain(&*storage, &keys, fresh)?;
        drop_finished_tails(&*storage, &tails, bundles)?;
        let edge = Edge::load(&*storage, bundles)?;
        let frontier = edge.frontier();
        let mut log = Self {
            storage,
            keys,
            clock,
            provenance,
            chain,
            pruned: Ranges::default(),
            edge,
            frontier,
            tail: Vec::new(),
            last: None,
            checkpoint: None,
            poison: None,
        };
        let repair = log.recover(prior.is_some())?;
        log.resume_rotation()?;
        log.resume_pruning(&missing)?;
        log.record_gap(repair, prior)?;
        Ok(log)
    }

    /// Reads the tail, checks the newest checkpoint, and cuts off what did not finish.
    fn recover(&mut self, rewrite: bool) -> Result<Repair, LogError> {
        let mut repair = Repair::default();
        let n = self.bundles();
        let checkpoint = self.read_checkpoint()?;
        let bytes = self.storage.read(&tail_path(n))?.unwrap_or_default();
        let mut root = None;
        let mut note_root = |f: &Frontier| {
            if checkpoint.as_ref().is_some_and(|c| c.0 == f.size()) {
                root = Some(f.root());
            }
        };
        note_root(&self.frontier);
        // What the tail itself says of keys counts only once `resume_rotation` has taken it up.
        let tail = tail::parse(&bytes, &mut self.frontier, &mut self.chain.clone(), note_root);
        for leaf in &tail.leaves {
            self.edge.push(super::leaf_hash(leaf));
        }
        if let Some((size, expected)) = checkpoint {
            self.check_against(size, expected, root, &tail)?;
            self.checkpoint = Some(size);
        }
        self.drop_stale_partials(self.checkpoint.unwrap_or(0))?;
        self.settle(&tail_path(n), &bytes, tail.good, rewrite, &mut repair)?;
        self.tail = tail.leaves;
        self.last = self.last_envelope()?.as_ref().and_then(parse_time);
        self.recover_payloads(n, rewrite)?;
        if self.tail.len() == WIDTH {
            self.close_bundle(n)?;
        }
        Ok(repair)
    }

    /// The newest checkpoint. A crash may have stored it under its size only.
    fn read_checkpoint(&self) -> Result<Option<(u64, [u8; 32])>, LogError> {
        let Some(newest) = self.storage.list("checkpoints")?.pop() else {
            return match self.storage.read(CHECKPOINT)? {
                None => Ok(None),
                Some(_) => Err(LogError::damaged(CHECKPOINT, "its copy under checkpoints/ is missing")),
            };
        };
        let note = self.storage.read(&newest)?.unwrap_or_default();
        let opened = note::read(&note).and_then(|(size, _)| self.chain.at(size).open(&note));
        let (size, root) = opened.map_err(|what| LogError::damaged(&newest, what))?;
        if newest != checkpoint_path(size) {
            return Err(LogError::damaged(newest, "it is the checkpoint of another size"));
        }
        let current = self.storage.read(CHECKPOINT)?;
        if current.as_deref() != Some(&note) {
            if let Some(current) = current {
                let opened = note::read(&current).and_then(|(size, _)| self.chain.at(size).open(&current));
                opened.map_err(|what| LogError::damaged(CHECKPOINT, what))?;
            }
            self.storage.replace(CHECKPOINT, &note)?;
        }
        Ok(Some((size, root)))
    }

    /// Compares the tree with its newest checkpoint.
    fn check_against(
        &self,
        size: u64,
        expected: [u8; 32],
        seen: Option<[u8; 32]>,
        tail: &Tail,
    ) -> Result<(), LogError> {
        let now = self.size();
        if now < size {
            let what = tail.problem.clone().unwrap_or_else(|| "events are missing".into());
            let what = format!("{now} good events, but {size} were signed: {what}");
            return Err(LogError::damaged(tail_path(self.bundles()), what));
        }
        let root = match seen {
            Some(root) => root,
            None => {
                let reader = Hashes {
                    storage: &*self.storage,
                    edge: &self.edge,
                    cache: Default::default(),
                    size: now,
                };
                let root = tlog_tiles::tree_hash(size, &reader);
                root.map_err(|e| LogError::damaged("tile", e.to_string()))?.0
            }
        };
        if root == expected {
            Ok(())
        } else {
            Err(LogError::damaged(
                "tile",
                format!("the tree of {size} events is not the one that was signed"),
            ))
        }
    }

    /// Makes the good part of an appended file durable, and sets aside what follows it.
    fn settle(
        &self,
        path: &str,
        bytes: &[u8],
        good: usize,
        rewrite: bool,
        repair: &mut Repair,
    ) -> Result<(), LogError> {
        let (keep, rest) = bytes.split_at(good.min(bytes.len()));
        if !rest.is_empty() {
            let hash = hex::encode(sha256(rest));
            let name: String = hash.chars().take(32).collect();
            self.storage.replace(&format!("quarantine/{name}"), rest)?;
            repair.bytes += rest.len() as u64;
            repair.reasons.push(format!("unfinished or altered write in {path}, sha256 {hash}"));
        }
        if !rest.is_empty() || (rewrite && !bytes.is_empty()) {
            self.storage.replace(path, keep)?;
        } else if !bytes.is_empty() {
            self.storage.sync(path)?;
        }
        Ok(())
    }

    /// Cuts off payloads whose events never reached the tail.
    fn recover_payloads(&self, n: u64, rewrite: bool) -> Result<(), LogError> {
        let path = payload_path(n);
        let bytes = self.storage.read(&path)?.unwrap_or_default();
        let (lines, readable) = payload::parse(&bytes);
        let size = self.size();
        let mut keep = Vec::new();
        for line in lines.iter().filter(|l| l.seq < size) {
            keep.extend(line.to_line()?);
        }
        let last_is_needed = lines.last().is_none_or(|l| l.seq + 1 < size);
        if readable < bytes.len() && size > n * WIDTH as u64 && last_is_needed {
            // Not an unfinished write: the events after it were acknowledged. Leave it for `verify` to name.
            return Ok(());
        }
        if keep != bytes || (rewrite && !bytes.is_empty()) {
            self.storage.replace(&path, &keep)?;
        } else if !bytes.is_empty() {
            self.storage.sync(&path)?;
        }
        Ok(())
    }

    /// The newest event.
    pub(super) fn last_envelope(&self) -> Result<Option<Envelope>, LogError> {
        if let Some(leaf) = self.tail.last() {
            return Envelope::read(leaf).map(Some).map_err(|what| LogError::damaged("tail", what));
        }
        let Some(n) = self.bundles().checked_sub(1) else { return Ok(None) };
        Ok(self.bundle_envelopes(n)?.pop())
    }

    /// Says in the log that something may be missing from it.
    fn record_gap(&mut self, repair: Repair, prior: Option<PriorFailure>) -> Result<(), LogError> {
        let mut reasons = repair.reasons;
        let refused = prior.as_ref().map_or(0, |p| p.refused);
        reasons.extend(prior.map(|p| p.reason));
        if reasons.is_empty() {
            return Ok(());
        }
        let event = Event::Gap { reason: reasons.join("; "), refused, bytes: repair.bytes };
        self.append(&Actor::system(), event).map(|_| ())
    }
}

fn parse_time(envelope: &Envelope) -> Option<Timestamp> {
    envelope.ts_utc.parse().ok()
}

/// Full bundles so far, and the numbers of those that are not on disk.
fn count_bundles(storage: &dyn Storage) -> Result<(u64, Vec<u64>), LogError> {
    let mut numbers: Vec<u64> = Vec::new();
    for path in storage.list("tile/entries")? {
        let index = path.strip_prefix("tile/entries/").unwrap_or(&path);
        if index.contains(".p/") {
            continue;
        }
        numbers.push(tiles::parse_index(index).ok_or_else(|| LogError::damaged(&path, "unexpected file"))?);
    }
    numbers.sort_unstable();
    let (mut next, mut missing) = (0, Vec::new());
    for n in numbers {
        if n - next > MAX_MISSING {
            return Err(LogError::damaged(bundle_path(next, WIDTH), "the file is missing"));
        }
        missing.extend(next..n);
        next = n + 1;
    }
    Ok((next, missing))
}

/// Removes tails whose bundle was written before a crash; anything else but the one current tail is damage.
fn drop_finished_tails(storage: &dyn Storage, tails: &[String], bundles: u64) -> Result<(), LogError> {
    for path in tails {
        let n = tiles::parse_index(path.strip_prefix("tail/").unwrap_or(path));
        match n {
            Some(n) if n == bundles => {}
            Some(n) if n + 1 == bundles => {
                let bytes = storage.read(path)?.unwrap_or_default();
                let bundle = storage.read(&bundle_path(n, WIDTH))?.unwrap_or_default();
                if tail_leaves(&bytes) != decode_bundle(&bundle, WIDTH) {
                    return Err(LogError::damaged(path, "it differs from the bundle made of it"));
                }
                storage.remove(path)?;
            }
            _ => return Err(LogError::damaged(path, format!("unexpected tail beside {bundles} bundles"))),
        }
    }
    Ok(())
}

/// The leaves of a complete tail, without looking at signatures.
fn tail_leaves(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let lines = bytes.strip_suffix(b"\n")?.split(|&b| b == b'\n');
    lines.map(|line| line.get(line.iter().position(|&b| b == b' ')? + 1..)).collect()
}

/// The keys that signed the log. Writes the public key of a new one, and insists that the present key is the
/// newest; while it is being changed, it may still be the one before.
fn read_chain(storage: &dyn Storage, keys: &Keys, fresh: bool) -> Result<KeyChain, LogError> {
    let present = keys.signer.verifier();
    let unfit = || {
        let what = "the signing key is not that of the log".into();
        LogError::KeysUnfit { path: "log.key".into(), what }
    };
    let first = match storage.read(VKEY)? {
        None if fresh => {
            storage.replace(VKEY, format!("{}\n", present.to_vkey()).as_bytes())?;
            return Ok(KeyChain::new(present.clone()));
        }
        None => return Err(LogError::damaged(VKEY, "the file is missing")),
        Some(text) => std::str::from_utf8(&text).ok().and_then(Verifier::from_vkey).ok_or_else(unfit)?,
    };
    let list = storage.read(ROTATIONS)?.unwrap_or_default();
    let chain = KeyChain::new(first).add_file(&list);
    let chain = chain.ok_or_else(|| LogError::damaged(ROTATIONS, "not a list of keys of this log"))?;
    let next = keys.next()?;
    let changing = next.as_ref() == Some(chain.newest()) && chain.before_newest() == Some(present);
    if chain.newest() == present || changing { Ok(chain) } else { Err(unfit()) }
}
