//! Counting.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::query::{QUERIES, query};
use crate::log::{Envelope, Log, LogError, Verification};

/// The figures of one period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Start of the period, inclusive.
    pub from: Timestamp,
    /// End of the period, exclusive.
    pub to: Timestamp,
    /// When the figures were counted.
    pub counted_at: Timestamp,
    /// Events by query, see [`QUERIES`]. A query that is missing here was not measured in the period: the log
    /// did not exist yet, or nothing of that kind was ever recorded.
    pub counts: BTreeMap<String, u64>,
    /// Persons who did anything that `U8` counts.
    pub users: Option<u64>,
    /// Median days that closed requests took (query `R2`).
    pub request_days: Option<u32>,
    /// First event of the log, if it began within the period: before that nothing was recorded.
    pub recorded_since: Option<Timestamp>,
    /// State of the log when the figures were counted.
    pub integrity: Integrity,
}

/// State of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Integrity {
    /// Name of the log: the origin of its checkpoints.
    pub origin: String,
    /// Events.
    pub size: u64,
    /// Root of the tree, hexadecimal.
    pub root: String,
    /// Signed checkpoints.
    pub checkpoints: u64,
    /// `gap` and `clock_jump` events since the log began.
    pub gaps: u64,
    /// Problems that the check found.
    pub problems: u64,
}

impl Figures {
    /// The count of a query, or `None` if it was not measured.
    pub fn count(&self, query: &str) -> Option<u64> {
        self.counts.get(query).copied()
    }
}

/// Counts the log's events from `from` (inclusive) to `to` (exclusive). `found` is the result of the
/// verification that the sheet reports.
///
/// # Errors
/// When the log cannot be read.
pub fn figures(log: &Log, found: Verification, from: Timestamp, to: Timestamp) -> Result<Figures, LogError> {
    let mut count = Counter::new(from, to);
    // What was recorded since the check belongs to the next sheet.
    log.envelopes(0, |envelope| {
        let checked = envelope.seq < found.size;
        if checked {
            count.add(&envelope);
        }
        Ok(checked)
    })?;
    let integrity = Integrity {
        origin: log.verifier().name().to_owned(),
        size: found.size,
        root: found.root,
        checkpoints: found.checkpoints,
        gaps: found.gaps.len() as u64,
        problems: found.problems.len() as u64,
    };
    Ok(count.finish(log.now(), integrity))
}

/// Counts envelopes one by one.
#[derive(Debug)]
pub(super) struct Counter {
    from: (Timestamp, String),
    to: (Timestamp, String),
    first: Option<String>,
    /// Kinds recorded before the period's end.
    seen: HashSet<String>,
    counts: BTreeMap<&'static str, u64>,
    users: HashSet<String>,
    days: Vec<u32>,
}

impl Counter {
    pub(super) fn new(from: Timestamp, to: Timestamp) -> Self {
        let text = |t| (t, crate::log::format_time(t));
        Self {
            from: text(from),
            to: text(to),
            first: None,
            seen: HashSet::new(),
            counts: QUERIES.iter().map(|q| (q.id, 0)).collect(),
            users: HashSet::new(),
            days: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, e: &Envelope) {
        if e.ts_utc >= self.to.1 {
            return;
        }
        self.first.get_or_insert_with(|| e.ts_utc.clone());
        if !self.seen.contains(&e.kind) {
            self.seen.insert(e.kind.clone());
        }
        if e.ts_utc < self.from.1 {
            return;
        }
        for q in QUERIES.iter().filter(|q| q.takes(e)) {
            *self.counts.entry(q.id).or_default() += 1;
        }
        if query("U8").is_some_and(|q| q.takes(e)) && !self.users.contains(&e.actor_pid) {
            self.users.insert(e.actor_pid.clone());
        }
        let days = e.outcome.strip_prefix("request_closed_").and_then(|d| d.strip_suffix('d'));
        self.days.extend(days.and_then(|d| d.parse::<u32>().ok()));
    }

    pub(super) fn finish(mut self, counted_at: Timestamp, integrity: Integrity) -> Figures {
        let measured = self.first.is_some();
        let counts = QUERIES
            .iter()
            .filter(|q| measured && (q.always || q.kinds.iter().any(|k| self.seen.contains(*k))))
            .map(|q| (q.id.to_owned(), self.counts.get(q.id).copied().unwrap_or(0)))
            .collect();
        self.days.sort_unstable();
        let first: Option<Timestamp> = self.first.and_then(|t| t.parse().ok());
        Figures {
            from: self.from.0,
            to: self.to.0,
            counted_at,
            counts,
            users: measured.then_some(self.users.len() as u64),
            request_days: self.days.get(self.days.len() / 2).copied(),
            recorded_since: first.filter(|t| *t > self.from.0),
            integrity,
        }
    }
}
