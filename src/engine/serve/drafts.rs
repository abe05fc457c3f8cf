//! Guesses at the next tokens, from what was read and written before.
//!
//! An answer that quotes its sources repeats runs of tokens. Where the last tokens have occurred before, what followed
//! them then is computed along with the next token; of the guesses, those that the model would have chosen anyway
//! stay. So the answer is the same, only sooner. Guesses that fail cost time: after failures longer agreement is asked
//! for, and fewer tokens are guessed.

use std::collections::HashMap;

/// Tokens that must agree before anything is guessed.
const MIN_MATCH: usize = 3;
/// Tokens whose agreement is counted at most.
const MAX_MATCH: usize = 16;
/// Tokens that are guessed at most: with the token before them they fill a tile of the matrix product.
pub(super) const MAX_DRAFT: usize = 7;

/// Finds guesses in one sequence of tokens.
#[derive(Debug)]
pub(super) struct Drafts {
    /// Last [`MIN_MATCH`] tokens of a place, and the place after them.
    places: HashMap<[u32; MIN_MATCH], usize>,
    indexed: usize,
    /// Share of the guesses that held, lately.
    trust: f32,
}

impl Drafts {
    pub(super) fn new() -> Self {
        Self { places: HashMap::new(), indexed: 0, trust: 0.5 }
    }

    /// At most `most` guesses at what follows `history`.
    pub(super) fn guess<'h>(&mut self, history: &'h [u32], most: usize) -> &'h [u32] {
        self.index(history);
        let Some(last) = history.last_chunk::<MIN_MATCH>() else { return &[] };
        let Some(&place) = self.places.get(last) else { return &[] };
        let agreement = agreement(history, place);
        if agreement < self.demanded() {
            return &[];
        }
        let n = most.min(MAX_DRAFT).min(history.len() - place);
        &history[place..place + n]
    }

    /// Says how many of the guesses held.
    pub(super) fn learn(&mut self, guessed: usize, held: usize) {
        if guessed > 0 {
            self.trust += 0.25 * (held as f32 / guessed as f32 - self.trust);
        }
    }

    /// Tokens that must agree, by how well guesses went lately.
    fn demanded(&self) -> usize {
        match self.trust {
            t if t >= 0.4 => MIN_MATCH,
            t if t >= 0.2 => 6,
            _ => MAX_MATCH,
        }
    }

    /// Notes every place but the last, which has nothing after it yet.
    fn index(&mut self, history: &[u32]) {
        let end = history.len().saturating_sub(1);
        let start = self.indexed.saturating_sub(MIN_MATCH - 1);
        for (i, run) in history.get(start..end).unwrap_or_default().windows(MIN_MATCH).enumerate() {
            if let Some(key) = run.first_chunk::<MIN_MATCH>() {
                self.places.insert(*key, start + i + MIN_MATCH);
            }
        }
        self.indexed = end.max(self.indexed);
    }
}

/// How many tokens before `place` equal those at the end of the history.
fn agreement(history: &[u32], place: usize) -> usize {
    let before = history[..place].iter().rev();
    before.zip(history.iter().rev()).take(MAX_MATCH).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_followed_before_is_guessed() {
        let mut drafts = Drafts::new();
        let mut history: Vec<u32> = (0..20).collect();
        assert!(drafts.guess(&history, 7).is_empty(), "nothing repeats");
        history.extend([4, 5]);
        assert!(drafts.guess(&history, 7).is_empty(), "two tokens are too few");
        history.push(6);
        assert_eq!(drafts.guess(&history, 7), [7, 8, 9, 10, 11, 12, 13]);
        assert_eq!(drafts.guess(&history, 2), [7, 8]);
        // The latest occurrence counts.
        history.extend([99, 98, 4, 5, 6]);
        assert_eq!(drafts.guess(&history, 3), [99, 98, 4]);
        assert!(drafts.guess(&[], 7).is_empty() && drafts.guess(&[1, 2], 7).is_empty());
    }

    #[test]
    fn a_run_of_one_token_guesses_itself() {
        let history = [8; 12];
        assert_eq!(Drafts::new().guess(&history, 7), [8], "what is known to follow");
    }

    #[test]
    fn failures_demand_longer_agreement() {
        let mut drafts = Drafts::new();
        let mut history: Vec<u32> = (0..40).collect();
        history.extend(10..15);
        assert_eq!(drafts.guess(&history, 1), [15]);
        // Trust goes from 0.5 by a quarter of the way each time: 0.375, 0.281, 0.211.
        for _ in 0..3 {
            drafts.learn(4, 0);
        }
        assert!(drafts.guess(&history, 1).is_empty(), "five agree, six are asked for");
        history.push(15);
        assert_eq!(drafts.guess(&history, 1), [16]);
        drafts.learn(4, 0);
        assert!(drafts.guess(&history, 1).is_empty(), "0.158: sixteen are asked for");
        drafts.learn(0, 0);
        assert!(drafts.guess(&history, 1).is_empty(), "no guesses teach nothing");
        drafts.learn(4, 4);
        assert_eq!(drafts.guess(&history, 1), [16], "0.369");
    }
}
