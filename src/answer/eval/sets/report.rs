//! Each side, plain fusions and the product's own, set by set; and weights chosen on one half, reported on the other.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;

use super::run::{Outcome, SetOutcome};
use crate::answer::eval::metrics::Ranking;
use crate::index::{Weights, fuse};

/// Rank constant of plain reciprocal rank fusion.
const RRF: f64 = 60.0;
/// Draws of a bootstrap.
const DRAWS: usize = 2_000;
/// Hits that are looked at.
const DEPTH: usize = 10;

/// Means over the questions of a set.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// Its questions.
    pub questions: usize,
    /// nDCG@10 by words alone.
    pub words: f64,
    /// By vectors alone.
    pub vectors: f64,
    /// By ranks of both, fused reciprocally.
    pub rrf: f64,
    /// The same with a plain program's words (BM25 over Snowball stems).
    pub plain_rrf: f64,
    /// Of the product.
    #[serde(rename = "ndcg@10")]
    pub fused: f64,
    /// Share of the questions with an answer first.
    #[serde(rename = "recall@1")]
    pub recall_1: f64,
    /// Among the first five.
    #[serde(rename = "recall@5")]
    pub recall_5: f64,
    /// Among the first ten.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// Mean reciprocal rank.
    pub mrr: f64,
    /// What the product has more than `plain_rrf`: the middle 95 % of a paired bootstrap.
    pub gain_95: [f64; 2],
}

/// All sets, with the weights that the product had.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// With the product's weights.
    pub rows: Vec<Row>,
    /// With weights chosen on one half of the questions and reported on the other, both halves pooled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<Row>,
    /// The weights chosen on each half: words, sharpness, cosine, other language; and the mean of the sets there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<Chosen>,
}

/// The best weights on one half.
#[derive(Debug, Clone, Serialize)]
pub struct Chosen {
    /// The half that they were chosen on.
    pub half: &'static str,
    /// Words, sharpness, cosine, other language.
    pub weights: [f32; 4],
    /// Mean nDCG@10 over the sets on that half.
    pub mean: f64,
}

impl Report {
    pub(super) fn of(sets: &[SetOutcome], sweep: bool) -> Self {
        let own = |_: &Outcome| Weights::default();
        let rows = sets.iter().map(|s| row(s, &own)).collect();
        if !sweep {
            return Report { rows, swept: Vec::new(), chosen: Vec::new() };
        }
        let chosen = [true, false].map(|half_a| choose(sets, half_a));
        let [on_a, on_b] = &chosen;
        // Each half is reported with what was chosen on the other.
        let other = |o: &Outcome| if o.asked.half_a { on_b.0 } else { on_a.0 };
        let swept = sets.iter().map(|s| row(s, &other)).collect();
        let name = |half_a: bool| if half_a { "a" } else { "b" };
        let chosen = [true, false].into_iter().zip(&chosen);
        let chosen = chosen.map(|(a, (w, mean))| Chosen {
            half: name(a),
            weights: [w.words, w.sharpness, w.cosine, w.other_language],
            mean: *mean,
        });
        Report { rows, swept, chosen: chosen.collect() }
    }
}

/// The weights whose mean over the sets is highest on one half.
fn choose(sets: &[SetOutcome], half_a: bool) -> (Weights, f64) {
    let mean_of = |weights: Weights| {
        let means = sets.iter().map(|set| {
            let asked = set.questions.iter().filter(|q| q.asked.half_a == half_a);
            mean(&asked.map(|q| ranking(set, q, &fused(set, q, &weights)).ndcg(DEPTH)).collect::<Vec<_>>())
        });
        mean(&means.collect::<Vec<_>>())
    };
    let mut best = (Weights::default(), f64::MIN);
    for words in [0.3, 0.4, 0.5, 0.6, 0.8] {
        for sharpness in [1.0, 1.3, 1.6, 2.0] {
            for other_language in [0.0, 0.2, 0.4, 0.6] {
                let weights = Weights { words, sharpness, other_language, ..Weights::default() };
                let mean = mean_of(weights);
                if mean > best.1 {
                    best = (weights, mean);
                }
            }
        }
    }
    best
}

fn row(set: &SetOutcome, weights: &dyn Fn(&Outcome) -> Weights) -> Row {
    let by = |order: &dyn Fn(&Outcome) -> Vec<String>| -> Vec<Ranking> {
        set.questions.iter().map(|q| ranking(set, q, &order(q))).collect()
    };
    let ndcg = |rankings: &[Ranking]| rankings.iter().map(|r| r.ndcg(DEPTH)).collect::<Vec<f64>>();
    let product = by(&|q| fused(set, q, &weights(q)));
    let plain = by(&|q| reciprocal(&[q.plain.clone(), side(set, &q.sides.near)]));
    let (gains, plain) = (ndcg(&product), ndcg(&plain));
    let differences: Vec<f64> = gains.iter().zip(&plain).map(|(a, b)| a - b).collect();
    let of = |f: &dyn Fn(&Ranking) -> f64| mean(&product.iter().map(f).collect::<Vec<_>>());
    Row {
        set: set.name.clone(),
        questions: set.questions.len(),
        words: mean(&ndcg(&by(&|q| side(set, &q.sides.lexical.hits)))),
        vectors: mean(&ndcg(&by(&|q| side(set, &q.sides.near)))),
        rrf: mean(&ndcg(&by(&|q| reciprocal(&[side(set, &q.sides.lexical.hits), side(set, &q.sides.near)])))),
        plain_rrf: mean(&plain),
        fused: mean(&gains),
        recall_1: of(&|r| r.recall(1)),
        recall_5: of(&|r| r.recall(5)),
        recall_10: of(&|r| r.recall(10)),
        mrr: of(&Ranking::reciprocal_rank),
        gain_95: bootstrap(&differences),
    }
}

/// Documents of the product's order.
fn fused(set: &SetOutcome, q: &Outcome, weights: &Weights) -> Vec<String> {
    let sides = &q.sides;
    let mut order = fuse(&sides.lexical, &sides.near, sides.analysed.only_identifiers, weights);
    order.across(sides.analysed.language, &set.languages);
    let hits: Vec<(i64, f32)> = order.hits.iter().map(|f| (f.id, f.score())).collect();
    side(set, &hits)
}

/// Documents of one side's passages, each once.
fn side(set: &SetOutcome, hits: &[(i64, f32)]) -> Vec<String> {
    let mut documents: Vec<String> = Vec::new();
    for document in hits.iter().filter_map(|(id, _)| set.documents.get(id)) {
        // More than are looked at are never needed, but fusing wants some more.
        if documents.len() < 100 && !documents.contains(document) {
            documents.push(document.clone());
        }
    }
    documents
}

/// Plain reciprocal rank fusion.
fn reciprocal(sides: &[Vec<String>]) -> Vec<String> {
    let mut scores: HashMap<&String, f64> = HashMap::new();
    for side in sides {
        let mut seen: Vec<&String> = Vec::new();
        for document in side {
            if !seen.contains(&document) {
                seen.push(document);
                *scores.entry(document).or_default() += 1.0 / (RRF + seen.len() as f64);
            }
        }
    }
    let mut order: Vec<(&String, f64)> = scores.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    order.into_iter().map(|(d, _)| d.clone()).collect()
}

fn ranking(_: &SetOutcome, q: &Outcome, documents: &[String]) -> Ranking {
    let place = |d: &String| q.asked.relevant.iter().position(|r| r == d);
    Ranking { hits: documents.iter().take(DEPTH).map(place).collect(), places: q.asked.relevant.len() }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The middle 95 % of the means of draws with replacement; the same draws in every run.
fn bootstrap(differences: &[f64]) -> [f64; 2] {
    let mut random = crate::engine::SplitMix(1);
    let count = differences.len();
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let draw = |_| differences.get((random.unit() * count as f64) as usize).copied().unwrap_or(0.0);
            mean(&(0..count).map(draw).collect::<Vec<_>>())
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means.get((share * DRAWS as f64) as usize).copied().unwrap_or(0.0);
    [at(0.025), at(0.975)]
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nDCG@10 in percent; gain over plain RRF with its 95 % interval (paired bootstrap)")?;
        table(f, &self.rows)?;
        if !self.swept.is_empty() {
            writeln!(f, "weights chosen on one half, reported on the other, halves pooled")?;
            table(f, &self.swept)?;
        }
        for c in &self.chosen {
            let [words, sharpness, cosine, other] = c.weights;
            writeln!(
                f,
                "chosen on half {}: words {words}, sharpness {sharpness}, cosine {cosine}, other language {other}; \
                 mean {:.2}",
                c.half,
                c.mean * 100.0
            )?;
        }
        Ok(())
    }
}

fn table(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    writeln!(
        f,
        "{:<24} {:>5} {:>6} {:>7} {:>6} {:>9} {:>7}  {:>6} [{:>6}, {:>6}]  {:>6} {:>6} {:>6} {:>6}",
        "set",
        "n",
        "words",
        "vectors",
        "RRF",
        "plain RRF",
        "product",
        "gain",
        "from",
        "to",
        "R@1",
        "R@5",
        "R@10",
        "MRR"
    )?;
    let percent = |x: f64| x * 100.0;
    for r in rows {
        writeln!(
            f,
            "{:<24} {:>5} {:>6.2} {:>7.2} {:>6.2} {:>9.2} {:>7.2}  {:>+6.2} [{:>+6.2}, {:>+6.2}]  {:>6.1} {:>6.1} {:>6.1} {:>6.3}",
            r.set,
            r.questions,
            percent(r.words),
            percent(r.vectors),
            percent(r.rrf),
            percent(r.plain_rrf),
            percent(r.fused),
            percent(r.fused - r.plain_rrf),
            percent(r.gain_95[0]),
            percent(r.gain_95[1]),
            percent(r.recall_1),
            percent(r.recall_5),
            percent(r.recall_10),
            r.mrr
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocal_ranks_add_up() {
        let list = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(reciprocal(&[list("a b c"), list("b d b")]), ["b", "a", "d", "c"]);
    }

    #[test]
    fn an_interval_of_equal_differences_is_a_point() {
        let [from, to] = bootstrap(&[0.25; 40]);
        assert!((from - 0.25).abs() < 1e-12 && (to - 0.25).abs() < 1e-12);
        let [from, to] = bootstrap(&[0.0, 1.0].repeat(50));
        assert!(from > 0.35 && to < 0.65 && from < 0.5 && to > 0.5, "{from} {to}");
    }
}
