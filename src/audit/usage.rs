//! How much projects are used, never by whom.
//!
//! Counted from envelopes alone. Figures of fewer than [`LEAST_PERSONS`] persons are not given out: they would tell of
//! single persons. Periods are whole quarters, so that two of them cannot be subtracted from each other.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde::Serialize;

use super::{Audit, AuditError};

/// Fewest persons that figures are given out of.
pub const LEAST_PERSONS: usize = 5;

/// A project's figures of a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Name of the project.
    pub project: String,
    /// None where fewer than [`LEAST_PERSONS`] persons asked or searched.
    pub figures: Option<UsageFigures>,
}

/// Questions and searches that were limited to one project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct UsageFigures {
    /// Persons who asked or searched.
    pub persons: u64,
    /// Questions.
    pub questions: u64,
    /// Searches.
    pub searches: u64,
    /// Answers whose citations were all verified.
    pub verified: u64,
    /// Questions that were not answered.
    pub abstained: u64,
    /// Answers that were judged wrong.
    pub negative: u64,
}

#[derive(Default)]
struct Counting {
    persons: HashSet<String>,
    figures: UsageFigures,
}

impl Audit {
    /// Figures of the named projects from `from` (inclusive) to `to` (exclusive), in their order.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn usage(
        &self,
        projects: &[String],
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Usage>, AuditError> {
        let mut counts = self.queue.with(|log| {
            let pids: HashMap<String, usize> =
                projects.iter().enumerate().map(|(i, name)| (log.project_pseudonym(name), i)).collect();
            let mut counts: Vec<Counting> = projects.iter().map(|_| Counting::default()).collect();
            // Which project a question was about: answers and judgements name the question.
            let mut asked: HashMap<String, usize> = HashMap::new();
            log.envelopes(0, |e| {
                let Ok(at) = e.ts_utc.parse::<Timestamp>() else { return Ok(true) };
                if at >= to {
                    return Ok(false);
                }
                let question = e.target_ids.first();
                let project = match e.kind.as_str() {
                    "question" | "search" => e.project_id.as_ref().and_then(|pid| pids.get(pid)).copied(),
                    "answer" | "feedback" => question.and_then(|id| asked.get(id)).copied(),
                    _ => None,
                };
                if let ("question", Some(id), Some(i)) = (e.kind.as_str(), question, project) {
                    asked.insert(id.clone(), i);
                }
                if let Some(counting) = project.filter(|_| at >= from).and_then(|i| counts.get_mut(i)) {
                    counting.take(&e.kind, &e.outcome, &e.actor_pid);
                }
                Ok(true)
            })?;
            Ok(counts)
        })?;
        let named = projects.iter().zip(counts.drain(..));
        Ok(named
            .map(|(project, counting)| Usage { project: project.clone(), figures: counting.given_out() })
            .collect())
    }
}

impl Counting {
    fn take(&mut self, kind: &str, outcome: &str, person: &str) {
        let f = &mut self.figures;
        match (kind, outcome) {
            ("question", _) => f.questions += 1,
            ("search", _) => f.searches += 1,
            ("answer", "verified") => f.verified += 1,
            ("answer", "abstained") => f.abstained += 1,
            ("feedback", "negative") => f.negative += 1,
            _ => {}
        }
        if matches!(kind, "question" | "search") && !self.persons.contains(person) {
            self.persons.insert(person.to_owned());
        }
    }

    fn given_out(self) -> Option<UsageFigures> {
        let persons = self.persons.len();
        (persons >= LEAST_PERSONS).then_some(UsageFigures { persons: persons as u64, ..self.figures })
    }
}
