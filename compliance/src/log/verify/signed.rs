//! Keys, checkpoints, and what others have confirmed.

use super::Check;
use crate::log::chain::{KeyChain, ROTATIONS};
use crate::log::note::{self, Verifier};
use crate::log::tiles::{WIDTH, bundle_path};
use crate::log::{CHECKPOINT, LogError, VKEY, anchors, checkpoint_path};

impl Check<'_> {
    /// The key that the log says it began with. Whether it leads to the one that was asked for shows at the end.
    pub(super) fn read_keys(&mut self) -> Result<(), LogError> {
        let text = self.read(VKEY)?.unwrap_or_default();
        let first = std::str::from_utf8(&text).ok().and_then(Verifier::from_vkey);
        match first.filter(|key| format!("{}\n", key.to_vkey()).as_bytes() == text) {
            Some(key) => self.chain = KeyChain::new(key),
            None => self.problem(VKEY, "not a public key"),
        }
        Ok(())
    }

    pub(super) fn read_checkpoints(&mut self) -> Result<(), LogError> {
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

    /// A checkpoint that an event names must be there.
    pub(super) fn named_checkpoints(&mut self) {
        for (size, seq) in std::mem::take(&mut self.named) {
            let path = checkpoint_path(size);
            if !self.known.contains(&path) {
                self.problem(path, format!("the checkpoint is missing; event {seq} says that it was signed"));
            }
        }
    }

    /// Every checkpoint is signed by the key of its time, and the key that was asked for is one of them.
    pub(super) fn signatures(&mut self) -> Result<(), LogError> {
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
    pub(super) fn anchors(&mut self) -> Result<(), LogError> {
        let mut found = Vec::new();
        let paths = anchors::check(
            self.storage,
            &|size| self.chain.at(size).clone(),
            &|size| self.stated.get(&size).copied(),
            &mut |path, what| found.push((path, what)),
        )?;
        self.known.extend(paths);
        let note = &mut |path, what| found.push((path, what));
        anchors::check_stamps(self.storage, &self.stamped, note)?;
        found.into_iter().for_each(|(path, what)| self.problem(path, what));
        Ok(())
    }

    /// What is missing must have been removed on purpose.
    pub(super) fn missing_bundles(&mut self) {
        for n in std::mem::take(&mut self.missing) {
            if !self.pruned.has(n) {
                self.problem(bundle_path(n, WIDTH), "missing; no event says that it was removed");
            }
        }
    }
}
