//! Which bundles have been removed.

use super::Envelope;
use crate::event::BUNDLES_TARGET;

/// Numbers of bundles, as ranges that rise and do not touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ranges {
    list: Vec<(u64, u64)>,
}

impl Ranges {
    /// The ranges that a `prune` event names, or `None` if `envelope` is none.
    pub(crate) fn named_by(envelope: &Envelope) -> Option<Self> {
        if envelope.kind != "prune" {
            return None;
        }
        let mut out = Self::default();
        for target in &envelope.target_ids {
            let ends = target.strip_prefix(BUNDLES_TARGET).and_then(|r| r.split_once('-'));
            if let Some((Ok(a), Ok(b))) = ends.map(|(a, b)| (a.parse(), b.parse())) {
                out.list.push((a, b));
            }
        }
        out.list.sort_unstable();
        Some(out)
    }

    /// Adds one number.
    pub(crate) fn add(&mut self, n: u64) {
        if self.has(n) {
            return;
        }
        let at = self.list.partition_point(|(a, _)| *a < n);
        self.list.insert(at, (n, n));
        let mut merged: Vec<(u64, u64)> = Vec::with_capacity(self.list.len());
        for &(a, b) in &self.list {
            match merged.last_mut() {
                Some(last) if a <= last.1.saturating_add(1) => last.1 = last.1.max(b),
                _ => merged.push((a, b)),
            }
        }
        self.list = merged;
    }

    /// True if `n` is in one of them.
    pub(crate) fn has(&self, n: u64) -> bool {
        self.list.iter().any(|(a, b)| (*a..=*b).contains(&n))
    }

    /// First and last number of each.
    pub(crate) fn list(&self) -> &[(u64, u64)] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_grow_together() {
        let mut ranges = Ranges::default();
        for n in [5, 1, 0, 3, 4, 9, 1] {
            ranges.add(n);
        }
        assert_eq!(ranges.list(), [(0, 1), (3, 5), (9, 9)]);
        ranges.add(2);
        assert_eq!(ranges.list(), [(0, 5), (9, 9)]);
        assert!(ranges.has(4) && ranges.has(9) && !ranges.has(6));
    }
}
