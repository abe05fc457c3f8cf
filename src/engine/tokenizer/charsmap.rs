//! SentencePiece's normalisation map: a double-array trie from byte strings to their replacements.
//!
//! The layout is that of `tokenizer.ggml.precompiled_charsmap`: the length of the trie in bytes (u32), the
//! trie's units (u32 each), then the replacements, each ended by a zero byte. A unit holds, from bit 0: the
//! byte that leads to it (8 bits), whether a key ends there (bit 8), a flag that widens the offset (bit 9),
//! and the offset to its children (22 bits). A unit with bit 31 set is a value: where the replacement starts.

use std::collections::{BTreeMap, VecDeque};

/// A normalisation map that was checked when it was read.
#[derive(Debug, Default)]
pub(in crate::engine) struct CharsMap {
    units: Vec<u32>,
    replacements: Vec<u8>,
}

const VALUE: u32 = 1 << 31;
const LEAF: u32 = 1 << 8;
/// Blocks of 256 places in which the builder looks for room.
const OPEN_BLOCKS: usize = 16;

impl CharsMap {
    /// Reads a map; `None` if the bytes are not one.
    pub(in crate::engine) fn parse(bytes: &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (trie, replacements) = rest.split_at_checked(length)?;
        let (units, tail) = trie.as_chunks::<4>();
        let whole = tail.is_empty() && replacements.last() == Some(&0) && !units.is_empty();
        whole.then(|| Self {
            units: units.iter().map(|unit| u32::from_le_bytes(*unit)).collect(),
            replacements: replacements.to_vec(),
        })
    }

    /// Bytes that it takes.
    pub(in crate::engine) fn bytes(&self) -> usize {
        size_of_val(&*self.units) + self.replacements.len()
    }

    /// The longest key that `text` begins with: its length in bytes and its replacement.
    pub(in crate::engine) fn longest<'m>(&'m self, text: &[u8]) -> Option<(usize, &'m [u8])> {
        let mut at = offset(*self.units.first()?);
        let mut found = None;
        for (i, &byte) in text.iter().enumerate() {
            at ^= u32::from(byte);
            let Some(&unit) = self.units.get(at as usize) else { break };
            if byte == 0 || unit & (VALUE | 0xff) != u32::from(byte) {
                break;
            }
            at ^= offset(unit);
            if unit & LEAF != 0 {
                let value = self.units.get(at as usize).map(|value| value & !VALUE);
                found = value.and_then(|start| self.replacement(start)).map(|text| (i + 1, text)).or(found);
            }
        }
        found
    }

    fn replacement(&self, start: u32) -> Option<&[u8]> {
        let tail = self.replacements.get(start as usize..)?;
        tail.get(..tail.iter().position(|byte| *byte == 0)?)
    }

    /// The bytes of a map with these replacements. Keys must not be empty, and neither keys nor replacements
    /// may hold a zero byte; such entries are left out, as the format cannot express them.
    pub(in crate::engine) fn build(entries: &BTreeMap<Vec<u8>, Vec<u8>>) -> Vec<u8> {
        let usable =
            |(key, text): &(&Vec<u8>, &Vec<u8>)| !key.is_empty() && !key.contains(&0) && !text.contains(&0);
        let mut replacements = Vec::new();
        let mut starts: BTreeMap<&[u8], u32> = BTreeMap::new();
        let mut keys: Vec<(&[u8], u32)> = Vec::new();
        for (key, text) in entries.iter().filter(usable) {
            let start = *starts.entry(text).or_insert_with(|| {
                let start = replacements.len() as u32;
                replacements.extend_from_slice(text);
                replacements.push(0);
                start
            });
            keys.push((key, start));
        }
        if replacements.is_empty() {
            replacements.push(0);
        }
        let units = Builder::default().build(&keys);
        let mut out = ((units.len() * 4) as u32).to_le_bytes().to_vec();
        out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
        out.extend(replacements);
        out
    }
}

/// Where a unit's children lie, relative to itself.
fn offset(unit: u32) -> u32 {
    (unit >> 10) << ((unit & (1 << 9)) >> 6)
}

/// Places the nodes of a trie so that a child lies at (its parent's place XOR the parent's offset XOR its
/// byte), and no two lie at one place.
#[derive(Default)]
struct Builder {
    units: Vec<u32>,
    taken: Vec<bool>,
    /// Bases that some node uses already: two nodes of one base would share children.
    used: Vec<bool>,
    /// The first place that may be free.
    free: usize,
}

impl Builder {
    fn build(mut self, keys: &[(&[u8], u32)]) -> Vec<u32> {
        self.grow(256);
        self.taken[0] = true;
        // (place of the node, its keys, their common length)
        let mut queue = VecDeque::from([(0_usize, 0..keys.len(), 0_usize)]);
        while let Some((place, range, depth)) = queue.pop_front() {
            let group = keys.get(range.clone()).unwrap_or_default();
            let value = group.first().filter(|(key, _)| key.len() == depth).map(|(_, value)| *value);
            let children = children(group, depth, range.start);
            if value.is_none() && children.is_empty() {
                continue;
            }
            let mut labels: Vec<u8> = value.map(|_| 0).into_iter().collect();
            labels.extend(children.iter().map(|(byte, _)| *byte));
            let base = self.find_base(place, &labels);
            self.set_offset(place, base ^ place);
            if let Some(value) = value {
                self.units[place] |= LEAF;
                self.units[base] = VALUE | value;
            }
            for (byte, range) in children {
                let child = base ^ byte as usize;
                self.units[child] |= u32::from(byte);
                queue.push_back((child, range, depth + 1));
            }
        }
        self.units
    }

    fn grow(&mut self, size: usize) {
        let size = size.next_multiple_of(256);
        // A place that no node takes must not look like a child of anything: a value unit never matches.
        self.units.resize(size, VALUE);
        self.taken.resize(size, false);
        self.used.resize(size, false);
    }

    /// A base where all labels are free and whose offset from `place` can be written; takes the places.
    fn find_base(&mut self, place: usize, labels: &[u8]) -> usize {
        let first = labels.first().copied().unwrap_or(0) as usize;
        while self.taken.get(self.free).copied().unwrap_or(false) {
            self.free += 1;
        }
        // The last blocks only: earlier ones are nearly full, and trying their gaps costs more than it saves.
        let mut slot = self.free.max(self.units.len().saturating_sub(OPEN_BLOCKS * 256));
        loop {
            if slot + 256 >= self.units.len() {
                self.grow(slot + 512);
            }
            let base = slot ^ first;
            let free = !self.used[base] && labels.iter().all(|byte| !self.taken[base ^ *byte as usize]);
            let offset = base ^ place;
            // 21 bits as they are, or 29 bits whose low eight are zero.
            if free && (offset < 1 << 21 || offset & 0xff == 0) {
                self.used[base] = true;
                for byte in labels {
                    self.taken[base ^ *byte as usize] = true;
                    self.units[base ^ *byte as usize] = 0;
                }
                return base;
            }
            slot += 1;
        }
    }

    fn set_offset(&mut self, place: usize, offset: usize) {
        let offset = offset as u32;
        self.units[place] &= !VALUE;
        self.units[place] |= if offset < 1 << 21 { offset << 10 } else { (offset << 2) | (1 << 9) };
    }
}

/// The groups of keys that go on with one byte, with their ranges in the whole list.
fn children(group: &[(&[u8], u32)], depth: usize, start: usize) -> Vec<(u8, std::ops::Range<usize>)> {
    let mut out: Vec<(u8, std::ops::Range<usize>)> = Vec::new();
    for (i, (key, _)) in group.iter().enumerate() {
        let Some(&byte) = key.get(depth) else { continue };
        match out.last_mut() {
            Some((last, range)) if *last == byte => range.end = start + i + 1,
            _ => out.push((byte, start + i..start + i + 1)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_longest_key() {
        let entries: BTreeMap<Vec<u8>, Vec<u8>> =
            [("½", "1⁄2"), ("a", "b"), ("ab", "c"), ("abcd", ""), ("u\u{308}", "ü"), ("\t", " ")]
                .iter()
                .map(|(k, v)| (k.as_bytes().to_vec(), v.as_bytes().to_vec()))
                .collect();
        let map = CharsMap::parse(&CharsMap::build(&entries)).unwrap();
        let longest = |text: &str| map.longest(text.as_bytes()).map(|(n, to)| (n, to.to_vec()));
        for (key, text) in &entries {
            assert_eq!(map.longest(key), Some((key.len(), text.as_slice())));
        }
        assert_eq!(longest("abc"), Some((2, b"c".to_vec())));
        assert_eq!(longest("abcde"), Some((4, b"".to_vec())));
        assert_eq!(longest("u\u{308}x"), Some((3, "ü".as_bytes().to_vec())));
        for none in ["", "b", "u", "\0", "x½", "\u{10ffff}"] {
            assert_eq!(longest(none), None, "{none:?}");
        }
    }

    #[test]
    fn many_keys_all_come_back() {
        // 40,000 keys with shared beginnings, so that places collide and wide offsets are needed.
        let entries: BTreeMap<Vec<u8>, Vec<u8>> = (1..40_000_u32)
            .filter_map(|n| char::from_u32(n * 7 % 0x1_0000))
            .map(|c| {
                (format!("{c}{}", u32::from(c) % 3).into_bytes(), format!("{:x}", u32::from(c)).into_bytes())
            })
            .filter(|(key, _)| !key.contains(&0))
            .collect();
        let map = CharsMap::parse(&CharsMap::build(&entries)).unwrap();
        for (key, text) in &entries {
            assert_eq!(map.longest(key), Some((key.len(), text.as_slice())));
        }
    }

    #[test]
    fn damaged_maps_are_refused_or_harmless() {
        assert!(CharsMap::parse(b"").is_none());
        assert!(CharsMap::parse(&[255, 255, 255, 255, 0]).is_none());
        assert!(CharsMap::parse(&[4, 0, 0, 0, 1, 2, 3, 4]).is_none());
        let wild = CharsMap::parse(&[4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, b'a', 0]).unwrap();
        assert_eq!(wild.longest(b"abc"), None);
    }
}
