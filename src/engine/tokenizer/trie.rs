//! A read-only map from byte strings to numbers that can be walked byte by byte.

/// Nodes in level order; the children of a node are neighbours, sorted by their byte. Nine bytes a node, so
/// that a vocabulary of 250,000 pieces takes a few megabytes.
#[derive(Debug, Default)]
pub(super) struct Trie {
    /// `first[n]..first[n + 1]` are the children of node `n`.
    first: Vec<u32>,
    label: Vec<u8>,
    /// `NONE` where no key ends.
    value: Vec<u32>,
}

const NONE: u32 = u32::MAX;
const NODE_BYTES: usize = 2 * size_of::<u32>() + size_of::<u8>();

impl Trie {
    /// Builds the trie. Of equal keys the last wins; empty keys are left out.
    pub(super) fn new<'a>(keys: impl IntoIterator<Item = (&'a [u8], u32)>) -> Self {
        let mut keys: Vec<_> = keys.into_iter().filter(|(key, _)| !key.is_empty()).collect();
        keys.sort_by(|a, b| a.0.cmp(b.0)); // stable: of equal keys the last stays last
        let mut trie = Self { first: vec![1], label: vec![0], value: vec![NONE] };
        // (keys with the node's prefix, depth), in the order of the nodes
        let mut queue = std::collections::VecDeque::from([(0..keys.len(), 0_usize)]);
        while let Some((range, depth)) = queue.pop_front() {
            let mut rest = keys.get(range.clone()).unwrap_or_default();
            let mut at = range.start;
            while let Some(&byte) = rest.first().and_then(|(key, _)| key.get(depth)) {
                let count = rest.partition_point(|(key, _)| key.get(depth).is_some_and(|b| *b <= byte));
                let (group, others) = rest.split_at(count);
                let ended = group.iter().take_while(|(key, _)| key.len() == depth + 1).count();
                let value = group.get(..ended).and_then(|g| g.last()).map_or(NONE, |(_, value)| *value);
                trie.label.push(byte);
                trie.value.push(value);
                queue.push_back((at + ended..at + count, depth + 1));
                at += count;
                rest = others;
            }
            trie.first.push(trie.label.len() as u32);
        }
        // It is kept as long as the model is.
        trie.first.shrink_to_fit();
        trie.label.shrink_to_fit();
        trie.value.shrink_to_fit();
        trie
    }

    /// Bytes that the trie of these keys takes.
    pub(super) fn planned_bytes(keys: &[String]) -> usize {
        let mut keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
        keys.sort_unstable();
        let mut before: &[u8] = &[];
        let mut nodes = 1;
        for key in keys {
            // What it has in common with its neighbour is there already.
            nodes += key.len() - key.iter().zip(before).take_while(|(a, b)| a == b).count();
            before = key;
        }
        NODE_BYTES * nodes + size_of::<u32>()
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.label) + size_of_val(&*self.value)
    }

    /// The node before any byte.
    pub(super) const ROOT: u32 = 0;

    /// The node after `byte`, if any key goes on so.
    pub(super) fn step(&self, node: u32, byte: u8) -> Option<u32> {
        let start = *self.first.get(node as usize)? as usize;
        let end = *self.first.get(node as usize + 1)? as usize;
        let children = self.label.get(start..end)?;
        // Most nodes have a child or two; a linear search is faster there.
        let at = if children.len() <= 8 {
            children.iter().position(|b| *b == byte)?
        } else {
            children.binary_search(&byte).ok()?
        };
        Some((start + at) as u32)
    }

    /// The value of the key that ends at this node.
    pub(super) fn value(&self, node: u32) -> Option<u32> {
        self.value.get(node as usize).copied().filter(|value| *value != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(trie: &Trie, key: &str) -> Option<u32> {
        let node = key.bytes().try_fold(Trie::ROOT, |node, byte| trie.step(node, byte))?;
        trie.value(node)
    }

    #[test]
    fn finds_every_key_and_nothing_else() {
        let words = ["a", "ab", "abc", "b", "ba", "ü", "üb", "zebra"];
        let trie = Trie::new(words.iter().enumerate().map(|(i, word)| (word.as_bytes(), i as u32)));
        for (i, word) in words.iter().enumerate() {
            assert_eq!(get(&trie, word), Some(i as u32), "{word}");
        }
        for none in ["", "c", "abcd", "z", "zebr", "bab", "u"] {
            assert_eq!(get(&trie, none), None, "{none}");
        }
    }

    #[test]
    fn the_empty_trie_and_repeated_keys() {
        assert_eq!(get(&Trie::new([]), "a"), None);
        assert_eq!(get(&Trie::default(), "a"), None);
        let twice = Trie::new([(b"a".as_slice(), 1), (b"a".as_slice(), 2), (b"".as_slice(), 3)]);
        assert_eq!(get(&twice, "a"), Some(2));
    }
}
