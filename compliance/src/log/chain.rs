//! The keys that sign the log, one after another.
//!
//! A `key_rotation` event is the last that the key before signs: there is a checkpoint of exactly the tree that
//! ends with it. All larger trees are signed by the key that the event names. So whoever holds the first key
//! can follow to the newest, and whoever holds a later one can check everything that it signed.

use super::Envelope;
use super::note::Verifier;
use crate::event::VKEY_TARGET;

/// Path of the list of later keys, derived from the events: a size and a key on each line.
pub(crate) const ROTATIONS: &str = "log.rotations";

/// Public keys, each from a size of the tree on.
#[derive(Debug, Clone)]
pub(crate) struct KeyChain {
    first: Verifier,
    /// Smallest size that the key signs, and the key; sizes rise.
    later: Vec<(u64, Verifier)>,
}

impl KeyChain {
    /// A log that has been signed by one key only.
    pub(crate) fn new(first: Verifier) -> Self {
        Self { first, later: Vec::new() }
    }

    /// The key that signs the tree of `size` events.
    pub(crate) fn at(&self, size: u64) -> &Verifier {
        self.later.iter().rev().find(|(from, _)| *from <= size).map_or(&self.first, |(_, key)| key)
    }

    /// The key that signs now.
    pub(crate) fn newest(&self) -> &Verifier {
        self.later.last().map_or(&self.first, |(_, key)| key)
    }

    /// The key before [`newest`](Self::newest), if there was another.
    pub(crate) fn before_newest(&self) -> Option<&Verifier> {
        let at = self.later.len().checked_sub(2);
        self.later.last().map(|_| at.and_then(|i| self.later.get(i)).map_or(&self.first, |(_, key)| key))
    }

    /// The keys that events below position `seq` name.
    pub(crate) fn until(mut self, seq: u64) -> Self {
        self.later.retain(|(from, _)| *from < seq + 2);
        self
    }

    /// Goes on to the key that `envelope` names, if it is a rotation. False if it names none of this log.
    pub(crate) fn follow(&mut self, envelope: &Envelope) -> bool {
        match rotation(envelope) {
            None => true,
            Some(None) => false,
            Some(Some(key)) => self.push(envelope.seq + 2, key),
        }
    }

    /// Adds a key that signs from `size` on. One that is known already is not added again.
    pub(crate) fn push(&mut self, size: u64, key: Verifier) -> bool {
        if key.name() != self.first.name() {
            return false;
        }
        let known = self.later.iter().any(|(from, k)| *from == size && *k == key);
        if !known && self.later.last().is_none_or(|(from, _)| *from < size) {
            self.later.push((size, key));
            return true;
        }
        known
    }

    /// The list of later keys as it is stored; empty where there are none.
    pub(crate) fn to_file(&self) -> Vec<u8> {
        let lines = self.later.iter().map(|(size, key)| format!("{size} {}\n", key.to_vkey()));
        lines.collect::<String>().into_bytes()
    }

    /// Adds what [`to_file`](Self::to_file) wrote; `None` if it is not of that form.
    pub(crate) fn add_file(mut self, bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        for line in text.lines() {
            let (size, key) = line.split_once(' ')?;
            self.push(size.parse().ok()?, Verifier::from_vkey(key)?).then_some(())?;
        }
        (self.to_file() == bytes).then_some(self)
    }
}

/// The key that a rotation names: `None` if the event is none, `Some(None)` if what it names is no key.
pub(crate) fn rotation(envelope: &Envelope) -> Option<Option<Verifier>> {
    if envelope.kind != "key_rotation" {
        return None;
    }
    let named = envelope.target_ids.iter().find_map(|t| t.strip_prefix(VKEY_TARGET));
    Some(named.and_then(Verifier::from_vkey))
}
