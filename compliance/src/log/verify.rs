//! Checking a whole log from its files.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::append::payload_path;
use super::chain::{KeyChain, ROTATIONS, rotation};
use super::found::{Checked, Gap, Problem, Verification};
use super::hash::{Frontier, Hash, leaf_hash};
use super::note::{self, Verifier};
use super::payload::{self, Sealed};
use super::ranges::Ranges;
use super::tail::{self, tail_path};
use super::tiles::{
    WIDTH, bundle_path, decode_bundle, encode_bundle, leaf_hashes, parse_index, subtree_root, tile_path,
};
use super::{CHECKPOINT, Envelope, Log, LogError, VKEY, checkpoint_path};
use crate::event::CHECKPOINT_TARGET;
use crate::storage::Storage;

/// Most problems that are listed; one broken byte early on can spoil everything after it.
const MAX_PROBLEMS: usize = 100;

impl Log {
    /// Checks the files against each other and against the signatures: entries, tiles, checkpoints, payloads,
    /// order, time. Nothing in memory but the public key is trusted.
    ///
    /// # Errors
    /// When a file is there but cannot be read at all.
    pub fn verify(&self) -> Result<Verification, LogError> {
        verify(&*self.storage, self.first_verifier())
    }
}

/// Checks the log in `storage` with a public key alone: the one it began with, or one that signed it later. What
/// came before a later key is then held to be what the first checkpoint of that key says.
///
/// # Errors
/// When a file is there but cannot be read at all.
pub fn verify(storage: &dyn Storage, verifier: &Verifier) -> Result<Verification, LogError> {
    verify_since(storage, verifier, None)
}

/// As [`verify()`], but of the events before `checked` only the tree's hashes are read: that the tree is the
/// one that was found whole then. What happened since to the files of those events is not looked at.
///
/// # Errors
/// As there.
pub fn verify_since(
    storage: &dyn Storage,
    verifier: &Verifier,
    checked: Option<&Checked>,
) -> Result<Verification, LogError> {
    let mut check = Check::new(storage, verifier);
    check.read_keys()?;
    check.read_checkpoints()?;
    if let Some(checked) = checked {
        check.resume(checked)?;
    }
    check.bundles()?;
    check.tail()?;
    check.upper_tiles()?;
    check.partial_tiles()?;
    check.finish()
}

struct Check<'a> {
    storage: &'a dyn Storage,
    verifier: &'a Verifier,
    chain: KeyChain,
    frontier: Frontier,
    /// First bundle whose events are looked at.
    first_bundle: u64,
    /// Hashes of the levels above the lowest, lowest of them first: roots of the full tiles below.
    above: Vec<Vec<Hash>>,
    /// Leaves since the last full bundle.
    tail: Vec<Vec<u8>>,
    /// Root that each checkpoint states, by size, as long as the tree has not come there.
    signed: HashMap<u64, Hash>,
    /// The same of all, for their signatures.
    stated: BTreeMap<u64, Hash>,
    newest: Option<u64>,
    /// Checkpoints that events name, and the event that does.
    named: BTreeMap<u64, u64>,
    last_time: String,
    /// SHA-256 of time stamps that events name, by size.
    stamped: HashMap<u64, String>,
    /// Bundles that are not there.
    missing: Vec<u64>,
    /// What events say has been removed.
    pruned: Ranges,
    /// Files that belong to the log.
    known: HashSet<String>,
    gaps: Vec<Gap>,
    problems: Vec<Problem>,
}

impl<'a> Check<'a> {
    fn new(storage: &'a dyn Storage, verifier: &'a Verifier) -> Self {
        Self {
            storage,
            verifier,
            chain: KeyChain::new(verifier.clone()),
            frontier: Frontier::default(),
            first_bundle: 0,
            above: vec![Vec::new()],
            tail: Vec::new(),
            signed: HashMap::new(),
            stated: BTreeMap::new(),
            newest: None,
            named: BTreeMap::new(),
            last_time: String::new(),
            stamped: HashMap::new(),
            missing: Vec::new(),
            pruned: Ranges::default(),
            known: HashSet::new(),
            gaps: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn problem(&mut self, path: impl Into<String>, what: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { path: path.into(), what: what.into() });
        }
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, LogError> {
        self.known.insert(path.to_owned());
        Ok(self.storage.read(path)?)
    }

    /// The key that the log says it began with. Whether it leads to the one that was asked for shows at the end.
    fn read_keys(&mut self) -> Result<(), LogError> {
        let text = self.read(VKEY)?.unwrap_or_default();
        let first = std::str::from_utf8(&text).ok().and_then(Verifier::from_vkey);
        match first.filter(|key| format!("{}\n", key.to_vkey()).as_bytes() == text) {
            Some(key) => self.chain = KeyChain::new(key),
            None => self.problem(VKEY, "not a public key"),
        }
        Ok(())
    }

    fn read_checkpoints(&mut self) -> Result<(), LogError> {
        for path in self.storage.list("checkpoints")? {
            let note = self.read(&path)?.unwrap_or_default();
            match note::read(&note) {
                Ok((size, root)) if path == checkpoint_path(size) => {
                    self.signed.insert(size, root);
                    self.stated.insert(size, root);
                    self.newest = self.newest.max(Some(size));
                }
                Ok((size, _)) => self.problem(path, format!("it is the checkpoint of {size} events")),
                Err(what) => self.problem(path, what),
            }
        }
        let current = self.read(CHECKPOINT)?;
        let expected = match self.newest {
            Some(size) => self.storage.read(&checkpoint_path(size))?,
            None => None,
        };
        if current != expected {
            self.problem(CHECKPOINT, "it is not the newest under checkpoints/");
        }
        Ok(())
    }

    /// Takes the tree up to `checked` from the tiles above the lowest level, if it is the one that was checked.
    fn resume(&mut self, checked: &Checked) -> Result<(), LogError> {
        let bundles = checked.size / WIDTH as u64;
        let mut frontier = Frontier::default();
        let mut roots = Vec::new();
        for n in 0..bundles.div_ceil(WIDTH as u64) {
            // The last of these tiles may be unfinished; the lowest level has what it lacks.
            let first = n * WIDTH as u64;
            let width = (bundles - first).min(WIDTH as u64);
            let tile = self.storage.read(&tile_path(1, n, WIDTH))?.unwrap_or_default();
            let (hashes, _) = tile.as_chunks::<32>();
            for bundle in first..first + width {
                let at = usize::try_from(bundle - first).unwrap_or(usize::MAX);
                let root = match hashes.get(at) {
                    Some(root) => *root,
                    None => {
                        let tile = self.storage.read(&tile_path(0, bundle, WIDTH))?.unwrap_or_default();
                        subtree_root(tile.as_chunks::<32>().0)
                    }
                };
                frontier.push_subtree(WIDTH.trailing_zeros(), root);
                roots.push(root);
            }
        }
        if hex::encode(frontier.root()) != checked.root || bundles * WIDTH as u64 != checked.size {
            // Not the tree that was checked: look at everything, which finds out where it differs.
            return Ok(());
        }
        for n in 0..bundles {
            self.known.extend([bundle_path(n, WIDTH), payload_path(n), tile_path(0, n, WIDTH)]);
        }
        self.signed.retain(|size, _| *size > checked.size);
        let list = self.storage.read(ROTATIONS)?.unwrap_or_default();
        if let Some(chain) = self.chain.clone().add_file(&list) {
            self.chain = chain.until(checked.size);
        }
        self.first_bundle = bundles;
        self.frontier = frontier;
        self.above = vec![roots];
        Ok(())
    }

    fn bundles(&mut self) -> Result<(), LogError> {
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
    fn bundle(&mut self, n: u64, path: &str, bytes: &[u8]) -> Result<Option<Vec<Hash>>, LogError> {
        let Some(leaves) = decode_bundle(bytes, WIDTH) else { return Ok(None) };
        let hashes = leaf_hashes(leaves.iter().copied());
        let envelopes = self.leaves(path, &leaves);
        self.payloads(n, &envelopes)?;
        self.tile(&tile_path(0, n, WIDTH), &hashes)?;
        Ok(Some(hashes))
    }

    /// Takes the place of a bundle that is not there from its tile; whether it may be missing shows at the end.
    fn removed(&mut self, n: u64) -> Result<Option<Vec<Hash>>, LogError> {
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
    fn leaves(&mut self, path: &str, leaves: &[&[u8]]) -> Vec<Option<Envelope>> {
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

    fn envelope(&mut self, path: &str, seq: u64, e: &Envelope) {
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

    /// A checkpoint that an event names must be there.
    fn named_checkpoints(&mut self) {
        for (size, seq) in std::mem::take(&mut self.named) {
            let path = checkpoint_path(size);
            if !self.known.contains(&path) {
                self.problem(path, format!("the checkpoint is missing; event {seq} says that it was signed"));
            }
        }
    }

    /// Every checkpoint is signed by the key of its time, and the key that was asked for is one of them.
    fn signatures(&mut self) -> Result<(), LogError> {
        let mut known = self.chain.at(0) == self.verifier;
        self.anchors()?;
        for (size, root) in std::mem::take(&mut self.stated) {
            let path = checkpoint_path(size);
            let note = self.storage.read(&path)?.unwrap_or_default();
            match self.chain.at(size).open(&note) {
                Ok(found) if found == (size, root) => known |= self.chain.at(size) == self.verifier,
                Ok(_) => self.problem(path, "it changed while it was read"),
                Err(what) => self.problem(path, what),
            }
        }
        if !known {
            self.problem(VKEY, "the public key that was asked for signed no checkpoint of this log");
        }
        let list = self.chain.to_file();
        let stored = if list.is_empty() { self.storage.read(ROTATIONS)? } else { self.read(ROTATIONS)? };
        if stored.unwrap_or_default() != list {
            self.problem(ROTATIONS, "the keys do not follow from the events");
        }
        Ok(())
    }

    /// What witnesses have countersigned are states that the log has signed, too.
    fn anchors(&mut self) -> Result<(), LogError> {
        let mut found = Vec::new();
        let paths = super::anchors::check(
            self.storage,
            &|size| self.chain.at(size).clone(),
            &|size| self.stated.get(&size).copied(),
            &mut |path, what| found.push((path, what)),
        )?;
        self.known.extend(paths);
        let note = &mut |path, what| found.push((path, what));
        super::anchors::check_stamps(self.storage, &self.stamped, note)?;
        found.into_iter().for_each(|(path, what)| self.problem(path, what));
        Ok(())
    }

    /// What is missing must have been removed on purpose.
    fn missing_bundles(&mut self) {
        for n in std::mem::take(&mut self.missing) {
            if !self.pruned.has(n) {
                self.problem(bundle_path(n, WIDTH), "missing; no event says that it was removed");
            }
        }
    }

    fn compare_checkpoint(&mut self, path: &str) {
        let size = self.frontier.size();
        if let Some(root) = self.signed.remove(&size)
            && root != self.frontier.root()
        {
            self.problem(path, format!("the tree of {size} events is not the one that was signed"));
        }
    }

    fn payloads(&mut self, n: u64, envelopes: &[Option<Envelope>]) -> Result<(), LogError> {
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

    fn tile(&mut self, path: &str, hashes: &[Hash]) -> Result<(), LogError> {
        if self.read(path)?.as_deref() != Some(hashes.concat().as_slice()) {
            self.problem(path, "the hashes do not follow from the entries");
        }
        Ok(())
    }

    fn tail(&mut self) -> Result<(), LogError> {
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

    /// Tiles above the lowest level: each hash is the root of a full tile below.
    fn upper_tiles(&mut self) -> Result<(), LogError> {
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
    fn partial_tiles(&mut self) -> Result<(), LogError> {
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

    fn partial_bundle(&mut self, n: u64, width: usize) -> Result<(), LogError> {
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

    fn finish(mut self) -> Result<Verification, LogError> {
        self.named_checkpoints();
        self.signatures()?;
        self.missing_bundles();
        let size = self.frontier.size();
        let mut missing: Vec<u64> = self.signed.keys().copied().collect();
        missing.sort_unstable();
        for signed in missing {
            let what = format!("{signed} events were signed, but {size} are here");
            self.problem(checkpoint_path(signed), what);
        }
        for path in self.storage.list("")? {
            if !self.known.contains(&path) && !path.starts_with("quarantine/") {
                self.problem(path, "the file does not belong to the log");
            }
        }
        let checkpoints = self.storage.list("checkpoints")?.len() as u64;
        let full = Checked::of(self.above.first().map_or(&[], Vec::as_slice));
        Ok(Verification {
            ok: self.problems.is_empty(),
            size,
            full,
            root: hex::encode(self.frontier.root()),
            checkpoints,
            gaps: self.gaps,
            problems: self.problems,
        })
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
