//! The measures: what they are, computed from ranks.

use serde::Serialize;

/// For one question: which right places the hits gave, by rank.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Ranking {
    /// For each hit, best first: the index of the right place it is, if it is one.
    pub hits: Vec<Option<usize>>,
    /// How many right places there are.
    pub places: usize,
}

impl Ranking {
    /// Gains by rank: 1 for a right place the first time it comes, 0 for everything else.
    fn gains(&self) -> Vec<f64> {
        let mut seen = Vec::new();
        let mut gain = |place: &Option<usize>| match place {
            Some(p) if !seen.contains(p) => {
                seen.push(*p);
                1.0
            }
            _ => 0.0,
        };
        self.hits.iter().map(&mut gain).collect()
    }

    /// Normalised discounted cumulative gain over the first `k` hits: gains divided by
    /// log2(rank + 1), over that of the best possible order. 1 is perfect.
    pub(super) fn ndcg(&self, k: usize) -> f64 {
        let discount = |rank: usize| 1.0 / ((rank + 2) as f64).log2();
        let got: f64 = self.gains().iter().take(k).enumerate().map(|(i, g)| g * discount(i)).sum();
        let best: f64 = (0..self.places.min(k)).map(discount).sum();
        if best > 0.0 { got / best } else { 0.0 }
    }

    /// 1 where a right place is among the first `k` hits. The places of a question are
    /// alternatives (each answers it), so one is enough.
    pub(super) fn recall(&self, k: usize) -> f64 {
        if self.hits.iter().take(k).any(Option::is_some) { 1.0 } else { 0.0 }
    }

    /// One over the rank of the first right place, 0 without one.
    pub(super) fn reciprocal_rank(&self) -> f64 {
        self.hits.iter().position(Option::is_some).map_or(0.0, |i| 1.0 / (i as f64 + 1.0))
    }
}

/// How well the product keeps silent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Abstention {
    /// Abstained, and there was nothing to say.
    pub right: usize,
    /// Abstained in all.
    pub abstained: usize,
    /// Questions with nothing to say.
    pub none: usize,
}

impl Abstention {
    /// Share of the abstentions that were right; 1 where it never abstained.
    pub(super) fn precision(self) -> f64 {
        share(self.right, self.abstained)
    }

    /// Share of the questions with nothing to say on which it abstained; 1 where there were none.
    pub(super) fn recall(self) -> f64 {
        share(self.right, self.none)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The measures of a set of questions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Questions of the set, all kinds.
    pub questions: usize,
    /// Those with a known place.
    pub facts: usize,
    /// nDCG over the first 10 hits, mean over the facts.
    #[serde(rename = "ndcg@10")]
    pub ndcg_10: f64,
    /// Share of the facts with a right place first.
    #[serde(rename = "recall@1")]
    pub recall_1: f64,
    /// Share of the facts with a right place among the first 5.
    #[serde(rename = "recall@5")]
    pub recall_5: f64,
    /// Share of the facts with a right place among the first 10.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// Mean reciprocal rank of the first right place over the facts.
    pub mrr: f64,
    /// Of the abstentions (counts and lists aside), the share on questions with nothing to say.
    pub abstain_precision: f64,
    /// Of the questions with nothing to say, the share on which it abstained.
    pub abstain_recall: f64,
    /// Facts answered with a citation of a right place.
    pub answered_with_right_citation: usize,
}

/// The means of some rankings.
pub(super) fn measures(
    questions: usize,
    rankings: &[Ranking],
    abstention: Abstention,
    cited: usize,
) -> Measures {
    let mean = |f: &dyn Fn(&Ranking) -> f64| {
        if rankings.is_empty() { 0.0 } else { rankings.iter().map(f).sum::<f64>() / rankings.len() as f64 }
    };
    Measures {
        questions,
        facts: rankings.len(),
        ndcg_10: mean(&|r| r.ndcg(10)),
        recall_1: mean(&|r| r.recall(1)),
        recall_5: mean(&|r| r.recall(5)),
        recall_10: mean(&|r| r.recall(10)),
        mrr: mean(&Ranking::reciprocal_rank),
        abstain_precision: abstention.precision(),
        abstain_recall: abstention.recall(),
        answered_with_right_citation: cited,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn ndcg_by_hand() {
        // Places 0 and 1 at ranks 2 and 4; ideal ranks 1 and 2.
        let r = Ranking { hits: vec![None, Some(0), None, Some(1)], places: 2 };
        let got = 1.0 / 3f64.log2() + 1.0 / 5f64.log2();
        let best = 1.0 + 1.0 / 3f64.log2();
        close(r.ndcg(10), got / best);
        close(r.ndcg(10), 0.650_920_929_807_183_5);
        close(r.ndcg(1), 0.0);
    }

    #[test]
    fn a_place_counts_once() {
        let r = Ranking { hits: vec![Some(0), Some(0), Some(0)], places: 1 };
        close(r.ndcg(10), 1.0);
        close(r.recall(1), 1.0);
        close(r.reciprocal_rank(), 1.0);
    }

    #[test]
    fn means_by_hand() {
        let all = [
            Ranking { hits: vec![Some(0)], places: 1 },
            Ranking { hits: vec![None, None, Some(0)], places: 1 },
            Ranking { hits: vec![None; 10], places: 1 },
        ];
        let m = measures(5, &all, Abstention { right: 1, abstained: 2, none: 4 }, 1);
        close(m.recall_1, 1.0 / 3.0);
        close(m.recall_5, 2.0 / 3.0);
        close(m.mrr, (1.0 + 1.0 / 3.0) / 3.0);
        close(m.ndcg_10, (1.0 + 0.5) / 3.0);
        close(m.abstain_precision, 0.5);
        close(m.abstain_recall, 0.25);
    }
}
