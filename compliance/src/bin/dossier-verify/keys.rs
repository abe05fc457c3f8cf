//! Which key signs which tree.

use crate::note::PublicKey;

/// The first key, and later ones with the smallest tree that each signs.
pub(crate) struct Keys {
    list: Vec<(usize, PublicKey)>,
}

impl Keys {
    pub(crate) fn starting_with(first: PublicKey) -> Self {
        Self { list: vec![(0, first)] }
    }

    /// The key that signs the tree of `size` events.
    pub(crate) fn at(&self, size: usize) -> &PublicKey {
        let later = self.list.partition_point(|(from, _)| *from <= size);
        // The first one signs from 0 on, so there is always one.
        &self.list[later.saturating_sub(1)].1
    }

    /// Event `seq` is the last of a tree that the key before signs. False if `key` is of another log.
    pub(crate) fn follow(&mut self, seq: usize, key: PublicKey) -> bool {
        let own = key.name == self.at(0).name;
        if own {
            self.list.push((seq.saturating_add(2), key));
        }
        own
    }

    /// The file `log.rotations` as it should be.
    pub(crate) fn listed(&self) -> String {
        self.list.iter().skip(1).map(|(from, key)| format!("{from} {}\n", key.text)).collect()
    }
}
