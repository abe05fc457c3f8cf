//! Where relevance begins: questions whose paragraph is in the index against the same questions with the paragraph
//! taken out. The threshold is chosen on one half of the questions and reported on the other.

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::corpus::{Asked, Paragraph, Set};
use super::run::{Vectors, store};
use crate::answer::relevance::{Signals, THRESHOLD, Threshold, relevant_by, signals};
use crate::answer::{AnswerError, HITS, extract};
use crate::catalog::Catalog;
use crate::engine::EmbedKind;
use crate::index::{Index, Query};

/// Questions of a set that are asked, at most, each twice; they are in the order of a digest.
const MAX_QUESTIONS: usize = 300;

/// A question in an index that has its paragraph, or has not.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Case {
    half_a: bool,
    answerable: bool,
    /// What was seen in the passages that could answer it.
    seen: Vec<Signals>,
}

impl Case {
    fn abstains(&self, threshold: &Threshold) -> bool {
        !self.seen.iter().any(|s| relevant_by(*s, threshold))
    }
}

/// A set's questions, each asked twice.
pub(super) struct Cases {
    pub(super) name: String,
    pub(super) cases: Vec<Case>,
}

/// Abstentions on a set.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Abstained {
    /// The set.
    pub set: String,
    /// Questions, with and without their paragraph.
    pub questions: usize,
    /// Of the abstentions, the share on questions whose paragraph was taken out.
    pub precision: f64,
    /// Of these questions, the share on which it abstained.
    pub recall: f64,
}

impl Abstained {
    fn f1(&self) -> f64 {
        let sum = self.precision + self.recall;
        if sum > 0.0 { 2.0 * self.precision * self.recall / sum } else { 0.0 }
    }
}

/// The threshold that the product has, and the best ones of two halves.
#[derive(Debug, Clone, Serialize)]
pub struct Calibration {
    /// With the product's threshold, by set: on half a, on which it was chosen.
    pub product_a: Vec<Abstained>,
    /// On half b, which it has not seen.
    pub product_b: Vec<Abstained>,
    /// The best threshold of half a, then of half b.
    pub chosen: Vec<Threshold>,
    /// Each chosen threshold on the other half.
    pub other_half: Vec<Vec<Abstained>>,
}

/// Which half of a set's documents a document is in; independent of the halves of the questions.
fn group(document: &str) -> bool {
    Sha256::digest(format!("left out: {document}")).first().is_some_and(|b| b % 2 == 0)
}

/// Puts one half of a set's documents into an index, then the other, and asks every question of both.
pub(super) async fn cases(
    set: &Set,
    vectors: &mut Vectors<'_>,
    progress: &(dyn Fn(&str, usize, usize) + Sync),
) -> Result<Cases, AnswerError> {
    let mut cases = Vec::new();
    let questions = set.questions.get(..MAX_QUESTIONS.min(set.questions.len())).unwrap_or_default();
    let asked: Vec<&str> = questions.iter().map(|q| q.text.as_str()).collect();
    let asked = vectors.of(EmbedKind::Query, &asked, &|n, all| progress(&set.name, n, all))?;
    for part in [true, false] {
        let paragraphs: Vec<Paragraph> =
            set.paragraphs.iter().filter(|p| group(&p.document) == part).cloned().collect();
        let texts: Vec<&str> = paragraphs.iter().map(|p| p.text.as_str()).collect();
        let made = vectors.of(EmbedKind::Passage, &texts, &|n, all| progress(&set.name, n, all))?;
        let folder = tempfile::tempdir()?;
        let catalog = Catalog::memory()?;
        let index = Index::open(folder.path(), vectors.dim(), catalog.clone()).await?;
        store(&catalog, &index, &paragraphs, made).await?;
        let there: HashSet<&str> = paragraphs.iter().map(|p| p.document.as_str()).collect();
        let scope = catalog.all_scope()?;
        for (question, vector) in questions.iter().zip(&asked) {
            let query = Query {
                text: question.text.clone(),
                vector: Some(vector.clone()),
                limit: HITS,
                ..Query::default()
            };
            let found = index.search(&scope, &query).await?;
            cases.push(case(question, &found, &there));
        }
    }
    Ok(Cases { name: set.name.clone(), cases })
}

/// What an answer would look at, by the same steps as a reader's question.
fn case(question: &Asked, found: &crate::index::Found, there: &HashSet<&str>) -> Case {
    let signals = signals(&question.text, found, Some(question.language));
    let could = signals.into_iter().filter(|(i, _)| extract::could_answer(&question.text, found, *i));
    Case {
        half_a: question.half_a,
        answerable: question.relevant.iter().any(|d| there.contains(d.as_str())),
        seen: could.map(|(_, s)| s).collect(),
    }
}

/// Thresholds that are tried.
fn grid() -> Vec<Threshold> {
    let steps = |from: f32, step: f32, count: u16| (0..count).map(move |i| from + step * f32::from(i));
    let meanings = [0.0, 2.5, 5.0, 7.5, 10.0, 15.0, 20.0];
    let same = meanings.iter().flat_map(|m| steps(0.2, 0.1, 18).map(move |c| (*m, c)));
    same.flat_map(|(meaning, coverage)| {
        steps(0.81, 0.01, 9).map(move |across| Threshold { coverage, meaning, across })
    })
    .collect()
}

fn abstained(set: &Cases, half_a: bool, threshold: &Threshold) -> Abstained {
    let of: Vec<&Case> = set.cases.iter().filter(|c| c.half_a == half_a).collect();
    let count = |f: &dyn Fn(&Case) -> bool| of.iter().filter(|c| f(c)).count();
    let right = count(&|c| !c.answerable && c.abstains(threshold));
    let share = |whole: usize| if whole == 0 { 1.0 } else { right as f64 / whole as f64 };
    Abstained {
        set: set.name.clone(),
        questions: of.len(),
        precision: share(count(&|c| c.abstains(threshold))),
        recall: share(count(&|c| !c.answerable)),
    }
}

fn all(sets: &[Cases], half_a: bool, threshold: &Threshold) -> Vec<Abstained> {
    sets.iter().map(|s| abstained(s, half_a, threshold)).collect()
}

/// The threshold with the best mean of the sets' F1 on a half; of equals the first.
fn best(sets: &[Cases], half_a: bool) -> Threshold {
    let score = |t: &Threshold| all(sets, half_a, t).iter().map(Abstained::f1).sum::<f64>();
    let mut chosen = (THRESHOLD, f64::MIN);
    for threshold in grid() {
        let reached = score(&threshold);
        if reached > chosen.1 + 1e-9 {
            chosen = (threshold, reached);
        }
    }
    chosen.0
}

impl Calibration {
    pub(super) fn of(sets: &[Cases]) -> Self {
        let chosen = vec![best(sets, true), best(sets, false)];
        let other_half =
            [false, true].iter().zip(&chosen).map(|(half, threshold)| all(sets, *half, threshold)).collect();
        Calibration {
            product_a: all(sets, true, &THRESHOLD),
            product_b: all(sets, false, &THRESHOLD),
            chosen,
            other_half,
        }
    }
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "abstention in percent; half of the questions have their paragraph in the index, half not"
        )?;
        let mut table = |title: &str, rows: &[Abstained]| {
            writeln!(f, "{title}\n{:<24} {:>6} {:>10} {:>7} {:>6}", "set", "n", "precision", "recall", "F1")?;
            let mean = |of: &dyn Fn(&Abstained) -> f64| {
                100.0 * rows.iter().map(of).sum::<f64>() / rows.len().max(1) as f64
            };
            for r in rows {
                let [p, c, f1] = [r.precision, r.recall, r.f1()].map(|x| x * 100.0);
                writeln!(f, "{:<24} {:>6} {p:>10.1} {c:>7.1} {f1:>6.1}", r.set, r.questions)?;
            }
            let [p, c, f1] = [mean(&|r| r.precision), mean(&|r| r.recall), mean(&Abstained::f1)];
            writeln!(f, "{:<24} {:>6} {p:>10.1} {c:>7.1} {f1:>6.1}", "mean", "")
        };
        table("the product's threshold, half a", &self.product_a)?;
        table("the product's threshold, half b", &self.product_b)?;
        for ((name, t), rows) in ["a", "b"].iter().zip(&self.chosen).zip(&self.other_half) {
            let other = if *name == "a" { "b" } else { "a" };
            let title = format!(
                "chosen on half {name}: coverage {:.2}, meaning {:.1}, across languages {:.3}; half {other}",
                t.coverage, t.meaning, t.across
            );
            table(&title, rows)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_that_parts_the_two_is_found_and_counted_on_the_other_half() {
        let case = |half_a, answerable, coverage: f32| Case {
            half_a,
            answerable,
            seen: vec![Signals {
                coverage,
                identified: true,
                same_language: true,
                translated: 1.0,
                ..Signals::default()
            }],
        };
        let cases = vec![
            case(true, true, 0.9),
            case(true, false, 0.7),
            case(false, true, 0.95),
            case(false, true, 0.6),
            case(false, false, 0.3),
        ];
        let sets = [Cases { name: "s".into(), cases }];
        let chosen = best(&sets, true);
        assert!((0.7..=0.9).contains(&chosen.coverage), "{chosen:?}");
        let other = abstained(&sets[0], false, &chosen);
        // Of two abstentions one was right, and it was the only question with nothing to say.
        assert_eq!((other.questions, other.precision, other.recall), (3, 0.5, 1.0));
    }
}
