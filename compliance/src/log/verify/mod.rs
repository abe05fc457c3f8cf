//! Checking a whole log from its files.

mod derived;
mod entries;
mod signed;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::append::payload_path;
use super::chain::{KeyChain, ROTATIONS};
use super::found::{Checked, Gap, Problem, Verification};
use super::hash::{Frontier, Hash};
use super::note::Verifier;
use super::ranges::Ranges;
use super::tiles::{WIDTH, bundle_path, subtree_root, tile_path};
use super::{Log, LogError, checkpoint_path};
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
