//! Joining the symbols of a word, the best pair first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::{Merge, Pairs};

/// A symbol of a word, and its merge with the one after it while they are being joined.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symbol {
    pub(super) number: u32,
    merge: Option<Merge>,
}

impl Symbol {
    pub(super) fn new(number: u32) -> Self {
        Self { number, merge: None }
    }
}

/// Up to here, looking through all pairs for the best is faster than keeping them in order.
const SHORT: usize = 48;

/// Joins neighbours for as long as `pairs` allows: the lowest rank first, of equal ones the leftmost.
pub(super) fn join_all(symbols: &mut Vec<Symbol>, pairs: &Pairs) {
    if symbols.len() <= SHORT { join_short(symbols, pairs) } else { join_long(symbols, pairs) }
}

fn join_short(symbols: &mut Vec<Symbol>, pairs: &Pairs) {
    for i in 1..symbols.len() {
        symbols[i - 1].merge = pairs.get(symbols[i - 1].number, symbols[i].number);
    }
    loop {
        let best = symbols.iter().enumerate().filter_map(|(i, s)| Some((s.merge?, i)));
        let Some((merge, at)) = best.min_by_key(|(merge, i)| (merge.rank, *i)) else { return };
        symbols.remove(at + 1);
        symbols[at] = Symbol::new(merge.symbol);
        if let Some(next) = symbols.get(at + 1) {
            symbols[at].merge = pairs.get(merge.symbol, next.number);
        }
        if let Some(before) = at.checked_sub(1) {
            symbols[before].merge = pairs.get(symbols[before].number, merge.symbol);
        }
    }
}

const END: usize = usize::MAX;

/// A pair that may be joined, as it was when it was noted.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: Reverse<u32>,
    at: Reverse<usize>,
    right: usize,
    numbers: (u32, u32),
    symbol: u32,
}

/// The same in O(n log n), for a word that somebody made long.
fn join_long(symbols: &mut Vec<Symbol>, pairs: &Pairs) {
    // (number, or none once it was taken in; neighbour before; neighbour after)
    let mut chain: Vec<(Option<u32>, usize, usize)> = symbols
        .iter()
        .enumerate()
        .map(|(i, s)| (Some(s.number), i.checked_sub(1).unwrap_or(END), i + 1))
        .collect();
    let mut queue = BinaryHeap::new();
    let note = |chain: &[(Option<u32>, usize, usize)],
                queue: &mut BinaryHeap<Candidate>,
                at: usize,
                right: usize| {
        let number = |i: usize| chain.get(i).and_then(|link| link.0);
        let (Some(a), Some(b)) = (number(at), number(right)) else { return };
        if let Some(Merge { rank, symbol }) = pairs.get(a, b) {
            queue.push(Candidate { rank: Reverse(rank), at: Reverse(at), right, numbers: (a, b), symbol });
        }
    };
    for right in 1..chain.len() {
        note(&chain, &mut queue, right - 1, right);
    }
    while let Some(Candidate { at: Reverse(at), right, numbers, symbol, .. }) = queue.pop() {
        if chain[at].0 != Some(numbers.0) || chain[at].2 != right || chain[right].0 != Some(numbers.1) {
            continue;
        }
        let next = chain[right].2;
        chain[right].0 = None;
        chain[at].0 = Some(symbol);
        chain[at].2 = next;
        if let Some(after) = chain.get_mut(next) {
            after.1 = at;
        }
        let before = chain[at].1;
        note(&chain, &mut queue, before, at);
        note(&chain, &mut queue, at, next);
    }
    symbols.clear();
    symbols.extend(chain.iter().filter_map(|link| link.0).map(Symbol::new));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges (left, right, made), by rank.
    fn pairs(merges: &[(u32, u32, u32)]) -> Pairs {
        let mut pairs = Pairs::new(merges.len());
        for (rank, &(left, right, symbol)) in (0..).zip(merges) {
            pairs.insert(left, right, Merge { rank, symbol });
        }
        pairs
    }

    fn run(word: &[u32], merges: &[(u32, u32, u32)]) -> Vec<u32> {
        let pairs = pairs(merges);
        let both = [join_short, join_long].map(|join| {
            let mut symbols = word.iter().map(|n| Symbol::new(*n)).collect();
            join(&mut symbols, &pairs);
            symbols.iter().map(|s| s.number).collect::<Vec<_>>()
        });
        assert_eq!(both[0], both[1]);
        let [short, _] = both;
        short
    }

    #[test]
    fn the_lowest_rank_goes_first_and_ties_go_left() {
        // "abab" with a = 1, b = 2: a+b first everywhere, then the two pairs.
        assert_eq!(run(&[1, 2, 1, 2], &[(1, 2, 10), (2, 1, 11), (10, 10, 12)]), [12]);
        // With "ba" better, the middle is joined and its neighbours stay alone.
        assert_eq!(run(&[1, 2, 1, 2], &[(2, 1, 11), (1, 2, 10)]), [1, 11, 2]);
        assert_eq!(run(&[1, 1, 1], &[(1, 1, 10)]), [10, 1]);
        assert_eq!(run(&[], &[(1, 1, 10)]), Vec::<u32>::new());
        // "abc": what is joined first decides, whichever way the whole could be made.
        assert_eq!(run(&[1, 2, 3], &[(1, 2, 10), (1, 11, 12)]), [10, 3]);
        assert_eq!(run(&[1, 2, 3], &[(1, 2, 10), (10, 3, 12)]), [12]);
    }

    #[test]
    fn both_ways_agree_on_words_of_any_length() {
        // All pairs of four symbols can be joined to one of them, in a scrambled order of ranks.
        let merges: Vec<_> = (0..16u32).map(|i| (i * 5 % 16 / 4, i * 5 % 4, (i * 7 + 1) % 4)).collect();
        for length in 1..120 {
            let word: Vec<u32> = (0..length).map(|i| (i * i / 3 + length) % 4).collect();
            assert_eq!(run(&word, &merges).len(), 1, "all are joined in the end");
            run(&word, &merges[..6]);
        }
    }
}
