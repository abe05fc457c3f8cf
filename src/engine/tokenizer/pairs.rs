//! Which two symbols may be joined, and what they become.

use super::names::fold;

/// A merge: its rank (lower ones go first) and the symbol that it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Merge {
    pub(super) rank: u32,
    pub(super) symbol: u32,
}

/// No symbol has this number.
const NONE: u32 = u32::MAX;
const FREE: Slot = Slot { left: NONE, right: NONE, merge: Merge { rank: 0, symbol: NONE } };

#[derive(Debug, Clone, Copy)]
struct Slot {
    left: u32,
    right: u32,
    merge: Merge,
}

/// Merges by the symbols that they join.
#[derive(Debug)]
pub(super) struct Pairs {
    slots: Vec<Slot>,
}

impl Pairs {
    /// Room for `count` merges.
    pub(super) fn new(count: usize) -> Self {
        Self { slots: vec![FREE; places(count)] }
    }

    /// Notes a merge; of several for the same symbols the first counts. No more are taken than there is room for.
    pub(super) fn insert(&mut self, left: u32, right: u32, merge: Merge) {
        let place = self.place(left, right);
        if let Some(slot) = self.slots.get_mut(place).filter(|slot| slot.left == NONE) {
            *slot = Slot { left, right, merge };
        }
    }

    /// The merge of two neighbours.
    #[inline]
    pub(super) fn get(&self, left: u32, right: u32) -> Option<Merge> {
        let slot = self.slots[self.place(left, right)];
        (slot.left != NONE).then_some(slot.merge)
    }

    /// Where the pair lies, or the free place where it would.
    #[inline]
    fn place(&self, left: u32, right: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = fold(u64::from(left) << 32 | u64::from(right)) as usize & mask;
        loop {
            let slot = &self.slots[place];
            if slot.left == NONE || (slot.left == left && slot.right == right) {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Bytes that it takes for `count` merges.
    pub(super) fn planned_bytes(count: usize) -> usize {
        places(count) * size_of::<Slot>()
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }
}

/// Places for `count` pairs: at least twice as many, so that one is always free.
fn places(count: usize) -> usize {
    (2 * count).next_power_of_two().max(2)
}
