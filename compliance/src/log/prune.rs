//! Removing old events for good.
//!
//! What goes is bundles of entries and their payloads; the tiles of hashes stay, so that the tree, every
//! checkpoint and every proof stay what they were. A `prune` event names all bundles that have ever been
//! removed and is signed before the first file goes: a bundle that is missing without such an event shows.

use jiff::Timestamp;
use serde::Serialize;

use super::append::format_time;
use super::ranges::Ranges;
use super::tiles::{WIDTH, bundle_path, decode_bundle};
use super::{Envelope, Log, LogError};
use crate::event::{Actor, Event};

/// Most separate ranges that one event names; a leaf must stay under 64 KiB.
const MAX_RANGES: usize = 1500;

/// How long events are kept.
#[derive(Debug, Clone, Copy)]
pub struct Keep {
    /// Events of the classes `content` and `trail` before this time go.
    pub trail_since: Timestamp,
    /// Events of the class `case` before this time go.
    pub case_since: Timestamp,
}

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Pruned {
    /// Bundles of 256 events that went now.
    pub bundles: u64,
    /// Events that went now.
    pub events: u64,
}

impl Log {
    /// Removes every full bundle but the newest whose events are all older than `keep` allows and which `held` does not keep.
    /// Events that name a signing key are never removed.
    ///
    /// # Errors
    /// When the event cannot be recorded (nothing was removed) or a file cannot be read or removed (the next
    /// opening goes on).
    pub fn prune(
        &mut self,
        actor: &Actor,
        keep: Keep,
        held: &dyn Fn(&Envelope) -> bool,
        reason: &str,
    ) -> Result<Pruned, LogError> {
        let (all, now) = self.old_bundles(keep, held)?;
        if now == 0 {
            return Ok(Pruned::default());
        }
        let done = Pruned { bundles: now, events: now * WIDTH as u64 };
        let event =
            Event::Prune { bundles: all.list().to_vec(), events: done.events, reason: reason.to_owned() };
        self.append(actor, event)?;
        // No partial bundle may be left of what goes.
        self.checkpoint()?;
        self.pruned = all;
        self.remove_pruned()?;
        Ok(done)
    }

    /// What is gone and what is to go, and how many bundles of it are to go.
    fn old_bundles(&self, keep: Keep, held: &dyn Fn(&Envelope) -> bool) -> Result<(Ranges, u64), LogError> {
        let (trail, case) = (format_time(keep.trail_since), format_time(keep.case_since));
        let (mut all, mut now) = (self.pruned.clone(), 0);
        // How many bundles there are is known by the newest one.
        let last = self.bundles().saturating_sub(1);
        for n in (0..last).filter(|n| !self.pruned.has(*n)) {
            let envelopes = self.bundle_envelopes(n)?;
            if envelopes.last().is_none_or(|e| e.ts_utc >= trail) {
                break;
            }
            let old = |e: &Envelope| match e.retention_class.as_str() {
                "content" | "trail" => e.ts_utc < trail,
                "case" => e.ts_utc < case,
                _ => false,
            };
            if envelopes.iter().all(|e| old(e) && !held(e)) {
                all.add(n);
                now += 1;
            }
            if all.list().len() >= MAX_RANGES {
                break;
            }
        }
        Ok((all, now))
    }

    /// The envelopes of full bundle `n`.
    pub(super) fn bundle_envelopes(&self, n: u64) -> Result<Vec<Envelope>, LogError> {
        let path = bundle_path(n, WIDTH);
        let bytes = self.storage.read(&path)?.unwrap_or_default();
        let leaves =
            decode_bundle(&bytes, WIDTH).ok_or_else(|| LogError::damaged(&path, "not 256 entries"))?;
        let read = |leaf| Envelope::read(leaf).map_err(|what| LogError::damaged(&path, what));
        leaves.into_iter().map(read).collect()
    }

    /// Removes the files of what has been pruned. The bundle goes before its payloads: while it is there,
    /// opening takes it for a whole one.
    pub(super) fn remove_pruned(&self) -> Result<(), LogError> {
        for path in [self.storage.list("tile/entries")?, self.storage.list("payload")?].concat() {
            let index = path.strip_prefix("tile/entries/").or_else(|| path.strip_prefix("payload/"));
            if index.and_then(super::tiles::parse_index).is_some_and(|n| self.pruned.has(n)) {
                self.storage.remove(&path)?;
            }
        }
        Ok(())
    }

    /// At opening: finds out which bundles were removed, insists that an event says so, and removes what a
    /// crash left of them.
    pub(super) fn resume_pruning(&mut self, missing: &[u64]) -> Result<(), LogError> {
        let Some(first) = missing.first() else { return Ok(()) };
        let mut found = None;
        for leaf in self.tail.iter().rev() {
            let envelope = Envelope::read(leaf).map_err(|what| LogError::damaged("tail", what))?;
            found = found.or_else(|| Ranges::named_by(&envelope));
        }
        let mut n = self.bundles();
        while found.is_none() && n > 0 {
            n -= 1;
            if !missing.contains(&n) {
                found = self.bundle_envelopes(n)?.iter().rev().find_map(Ranges::named_by);
            }
        }
        let found = found.unwrap_or_default();
        if let Some(n) = missing.iter().find(|n| !found.has(**n)) {
            let what = "the file is missing; no event says that it was removed";
            return Err(LogError::damaged(bundle_path(*n, WIDTH), what));
        }
        debug_assert!(found.has(*first));
        self.pruned = found;
        self.remove_pruned()
    }
}
