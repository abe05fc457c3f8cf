//! Byte-pair merging, as both the byte-level and the SentencePiece-style vocabularies do it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: usize = usize::MAX;

/// A stretch of the text that is one symbol so far; `start == end` once its left neighbour has taken it in.
struct Symbol {
    start: usize,
    end: usize,
    prev: usize,
    next: usize,
}

/// Two neighbours that may be joined. The greatest is joined first: the higher rank, then the one further
/// left.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<P> {
    rank: P,
    left: Reverse<usize>,
    right: usize,
    /// Bytes of both together when this was noted; if they have other lengths now, it is out of date.
    size: usize,
}

/// Cuts `text` into characters and joins neighbours for as long as `rank` allows, the best pair first.
///
/// `rank` gets the joined text and the byte where its two parts meet, and answers `None` where they must
/// stay apart. The final symbols go to `emit` from left to right. Takes O(n log n) for n characters.
pub(super) fn merge<P: Ord>(
    text: &str,
    mut rank: impl FnMut(&str, usize) -> Option<P>,
    mut emit: impl FnMut(&str),
) {
    let mut symbols = characters(text);
    let mut queue = BinaryHeap::new();
    let mut note = |symbols: &[Symbol], queue: &mut BinaryHeap<Candidate<P>>, left: usize, right: usize| {
        let (Some(a), Some(b)) = (symbols.get(left), symbols.get(right)) else { return };
        let Some(joined) = text.get(a.start..b.end) else { return };
        if let Some(rank) = rank(joined, a.end - a.start) {
            queue.push(Candidate { rank, left: Reverse(left), right, size: joined.len() });
        }
    };
    for right in 1..symbols.len() {
        note(&symbols, &mut queue, right - 1, right);
    }
    while let Some(Candidate { left: Reverse(left), right, size, .. }) = queue.pop() {
        let Some((prev, next)) = join(&mut symbols, left, right, size) else { continue };
        note(&symbols, &mut queue, prev, left);
        note(&symbols, &mut queue, left, next);
    }
    for symbol in &symbols {
        if let Some(piece) = text.get(symbol.start..symbol.end).filter(|piece| !piece.is_empty()) {
            emit(piece);
        }
    }
}

fn characters(text: &str) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = text
        .char_indices()
        .enumerate()
        .map(|(i, (start, c))| Symbol {
            start,
            end: start + c.len_utf8(),
            prev: i.checked_sub(1).unwrap_or(NONE),
            next: i + 1,
        })
        .collect();
    if let Some(last) = symbols.last_mut() {
        last.next = NONE;
    }
    symbols
}

/// Joins two symbols if both are still as they were noted; gives the neighbours of the result.
fn join(symbols: &mut [Symbol], left: usize, right: usize, size: usize) -> Option<(usize, usize)> {
    let b = symbols.get(right)?;
    let (b_start, b_end, next) = (b.start, b.end, b.next);
    let a = symbols.get_mut(left)?;
    if a.start == a.end || b_start == b_end || (a.end - a.start) + (b_end - b_start) != size {
        return None;
    }
    a.end = b_end;
    a.next = next;
    let prev = a.prev;
    if let Some(b) = symbols.get_mut(right) {
        b.end = b.start;
    }
    if let Some(after) = symbols.get_mut(next) {
        after.prev = left;
    }
    Some((prev, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, ranks: &[(&str, usize, u32)]) -> Vec<String> {
        let mut out = Vec::new();
        merge(
            text,
            |joined, split| ranks.iter().find(|r| r.0 == joined && r.1 == split).map(|r| Reverse(r.2)),
            |piece| out.push(piece.to_owned()),
        );
        out
    }

    #[test]
    fn the_lowest_rank_goes_first_and_ties_go_left() {
        // "abab": a+b first everywhere, then the two pairs.
        let ranks = [("ab", 1, 0), ("ba", 1, 1), ("abab", 2, 2)];
        assert_eq!(run("abab", &ranks), ["abab"]);
        // With "ba" better, the middle is joined and its neighbours stay alone.
        assert_eq!(run("abab", &[("ab", 1, 1), ("ba", 1, 0)]), ["a", "ba", "b"]);
        assert_eq!(run("aaa", &[("aa", 1, 0)]), ["aa", "a"]);
        assert_eq!(run("", &ranks), Vec::<String>::new());
        assert_eq!(run("ü€", &[("ü€", 2, 0)]), ["ü€"]);
    }

    #[test]
    fn a_pair_with_another_meeting_point_is_another_pair() {
        assert_eq!(run("abc", &[("ab", 1, 0), ("abc", 1, 1)]), ["ab", "c"]);
        assert_eq!(run("abc", &[("ab", 1, 0), ("abc", 2, 1)]), ["abc"]);
    }
}
