//! What an evaluation found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use ingest::counted;
use serde::Serialize;

use super::file::{EvalQuestion, Kind};
use super::metrics::{Abstention, Measures, Ranking, measures};
use crate::answer::{Answer, Mode};

/// What happened to one question.
pub(super) struct Outcome<'a> {
    pub question: &'a EvalQuestion,
    pub ranking: Ranking,
    pub search_ms: u64,
    pub answer: Option<Answer>,
}

impl Outcome<'_> {
    fn abstained(&self) -> bool {
        self.answer.as_ref().is_some_and(|a| a.abstained)
    }

    fn cites_right_place(&self) -> bool {
        let Some(answer) = &self.answer else { return false };
        let text = |n: u32| answer.passages.iter().find(|p| p.n == n).map_or("", |p| p.text.as_str());
        let right = |c: &crate::answer::Citation| {
            self.question.relevant.iter().any(|p| p.is(&c.path, &c.locator, text(c.n)))
        };
        answer.citations.iter().any(right)
    }

    /// Why a count or list is wrong: it must come from the catalog, and be as many as the expected answer says or
    /// the places are.
    fn miscounted(&self) -> Option<String> {
        let answer = self.answer.as_ref()?;
        if answer.abstained || answer.mode != Mode::Query {
            return Some("not counted from the catalog".into());
        }
        let said = self.question.answer.as_str().unwrap_or_default();
        let digits: String = said.chars().take_while(char::is_ascii_digit).collect();
        let things = self.question.relevant.iter().filter(|p| p.global_id.is_some() || p.record.is_some());
        // Else so many as the expected answer names, one behind the other.
        let named = || said.split(", ").filter(|s| !s.trim().is_empty()).count();
        let expected = digits.parse().unwrap_or_else(|_| match things.count() {
            0 => named() as u64,
            places => places as u64,
        });
        let counted = answer.total.unwrap_or(0);
        (counted != expected).then(|| format!("counted {counted} instead of {expected}"))
    }

    /// Why the question counts as failed; `None` where all is right.
    fn failure(&self, answers: bool) -> Option<String> {
        match self.question.kind {
            Kind::Fact if self.ranking.recall(5) == 0.0 => {
                Some("no right place among the first 5 hits".into())
            }
            Kind::Fact if answers && self.abstained() => Some("abstained, though a place answers it".into()),
            Kind::Fact if answers && !self.cites_right_place() => Some("cites no right place".into()),
            Kind::None if answers && !self.abstained() => Some("answered, though nothing answers it".into()),
            Kind::Count | Kind::List if answers => self.miscounted(),
            _ => None,
        }
    }
}

/// Right ones of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Questions.
    pub questions: usize,
    /// Those without a failure.
    pub right: usize,
}

/// A question that went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Its identifier.
    pub id: String,
    /// Its language.
    pub lang: String,
    /// Its kind.
    pub kind: &'static str,
    /// The question.
    pub question: String,
    /// What went wrong.
    pub reason: String,
    /// The answer that was given, if any.
    pub answer: Option<String>,
    /// Places that were first found: path and locator.
    pub found: Vec<String>,
}

/// The result of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalReport {
    /// Measures per set.
    pub sets: BTreeMap<String, Measures>,
    /// Per language code.
    pub languages: BTreeMap<String, Tally>,
    /// Per kind.
    pub kinds: BTreeMap<&'static str, Tally>,
    /// Facts answered with a citation of a right place, over all sets.
    pub answered_with_right_citation: usize,
    /// Answers that the language model wrote.
    pub answered_by_model: usize,
    /// Half of the searches took at most this long, in milliseconds.
    pub search_ms_p50: u64,
    /// 95 % of the searches took at most this long, in milliseconds.
    pub search_ms_p95: u64,
    /// What went wrong, question by question.
    pub failures: Vec<Failure>,
}

impl EvalReport {
    /// Sums up.
    pub(super) fn of(outcomes: &[Outcome<'_>], answers: bool) -> Self {
        let mut sets: BTreeMap<String, Vec<&Outcome<'_>>> = BTreeMap::new();
        let mut languages: BTreeMap<String, Tally> = BTreeMap::new();
        let mut kinds: BTreeMap<&'static str, Tally> = BTreeMap::new();
        for o in outcomes {
            sets.entry(o.question.set.clone()).or_default().push(o);
            let right = usize::from(o.failure(answers).is_none());
            for tally in [
                languages.entry(o.question.lang.clone()).or_default(),
                kinds.entry(o.question.kind.as_str()).or_default(),
            ] {
                tally.questions += 1;
                tally.right += right;
            }
        }
        let mut times: Vec<u64> = outcomes.iter().map(|o| o.search_ms).collect();
        times.sort_unstable();
        EvalReport {
            answered_with_right_citation: outcomes.iter().filter(|o| is_cited_fact(o)).count(),
            answered_by_model: outcomes.iter().filter(|o| by_model(o)).count(),
            sets: sets.into_iter().map(|(name, of)| (name, set_measures(&of))).collect(),
            languages,
            kinds,
            search_ms_p50: percentile(&times, 50),
            search_ms_p95: percentile(&times, 95),
            failures: outcomes.iter().filter_map(|o| failure(o, answers)).collect(),
        }
    }
}

fn is_cited_fact(o: &Outcome<'_>) -> bool {
    o.question.kind == Kind::Fact && !o.abstained() && o.cites_right_place()
}

fn by_model(o: &Outcome<'_>) -> bool {
    o.answer.as_ref().is_some_and(|a| a.mode == Mode::Model)
}

fn set_measures(of: &[&Outcome<'_>]) -> Measures {
    let facts: Vec<Ranking> =
        of.iter().filter(|o| o.question.kind == Kind::Fact).map(|o| o.ranking.clone()).collect();
    // Counts and lists come from the catalog; they say nothing about the judgement of relevance.
    let judged: Vec<&&Outcome<'_>> =
        of.iter().filter(|o| matches!(o.question.kind, Kind::Fact | Kind::None)).collect();
    let abstention = Abstention {
        right: judged.iter().filter(|o| o.question.kind == Kind::None && o.abstained()).count(),
        abstained: judged.iter().filter(|o| o.abstained()).count(),
        none: judged.iter().filter(|o| o.question.kind == Kind::None).count(),
    };
    measures(of.len(), &facts, abstention, of.iter().filter(|o| is_cited_fact(o)).count())
}

fn failure(o: &Outcome<'_>, answers: bool) -> Option<Failure> {
    let reason = o.failure(answers)?;
    let place = |p: &crate::answer::Passage| {
        format!("{} {}", p.path, serde_json::to_string(&bare(&p.locator)).unwrap_or_default())
    };
    Some(Failure {
        id: o.question.id.clone(),
        lang: o.question.lang.clone(),
        kind: o.question.kind.as_str(),
        question: o.question.question.clone(),
        reason,
        answer: o.answer.as_ref().map(|a| a.answer.clone()),
        found: o.answer.as_ref().map(|a| a.passages.iter().take(3).map(place).collect()).unwrap_or_default(),
    })
}

/// A locator without its boxes, which no reader of a report wants.
fn bare(locator: &ingest::Locator) -> ingest::Locator {
    match locator {
        ingest::Locator::Pdf { page, .. } => ingest::Locator::Pdf { page: *page, boxes: Vec::new() },
        other => other.clone(),
    }
}

/// The smallest value that at least `percent` of all do not exceed; 0 without any.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0)
}

impl fmt::Display for EvalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, m) in &self.sets {
            writeln!(
                f,
                "{name}: {}, {}",
                counted(m.questions, "question", "questions"),
                counted(m.facts, "fact", "facts")
            )?;
            writeln!(
                f,
                "  nDCG@10 {:.3}  recall@1 {:.3}  @5 {:.3}  @10 {:.3}  MRR {:.3}",
                m.ndcg_10, m.recall_1, m.recall_5, m.recall_10, m.mrr
            )?;
            writeln!(
                f,
                "  answered with a right citation {} of {}; abstention precision {:.3}, recall {:.3}",
                m.answered_with_right_citation, m.facts, m.abstain_precision, m.abstain_recall
            )?;
        }
        let line = |t: &Tally| format!("{}/{}", t.right, t.questions);
        let languages: Vec<String> = self.languages.iter().map(|(l, t)| format!("{l} {}", line(t))).collect();
        let kinds: Vec<String> = self.kinds.iter().map(|(k, t)| format!("{k} {}", line(t))).collect();
        writeln!(f, "right by language: {}; by kind: {}", languages.join(", "), kinds.join(", "))?;
        writeln!(f, "search p50 {} ms, p95 {} ms", self.search_ms_p50, self.search_ms_p95)?;
        for x in &self.failures {
            writeln!(f, "- {} [{} {}] {}: {}", x.id, x.lang, x.kind, x.question, x.reason)?;
            for place in &x.found {
                writeln!(f, "    {place}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_by_hand() {
        assert_eq!(percentile(&[1, 2, 3, 4], 50), 2);
        assert_eq!(percentile(&[1, 2, 3, 4], 95), 4);
        assert_eq!(percentile(&[], 95), 0);
    }
}
