use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Removing what an earlier run left unfinished.
    Clean,
    /// Walking a source.
    Scan,
    /// Reading a file in the sandboxed worker.
    Read,
    /// Making vectors.
    Embed,
    /// Writing the new version beside the old one in the catalog.
    Stage,
    /// Putting its chunks into both search indexes.
    Index,
    /// Making that durable.
    Flush,
    /// Making the new version the one that readers see.
    Commit,
    /// Taking the old version's chunks out of both search indexes.
    Forget,
    /// Taking the old version out of the catalog.
    Purge,
    /// Writing to the audit log.
    Log,
    /// Taking documents away whose files are gone.
    Delete,
    /// Comparing catalog and indexes, repairing what differs.
    Reconcile,
    /// Tidying the indexes.
    Compact,
    /// Waiting until somebody lets it go on.
    Paused,
    /// The run is over.
    Done,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// What it is doing.
    pub step: Step,
    /// In which source.
    pub source: Option<String>,
    /// With which file; absent where a step works on several.
    pub path: Option<String>,
    /// Files done, of those that are new or may have changed.
    pub done: u64,
    /// Files that are new or may have changed.
    pub total: u64,
    /// Files rejected so far.
    pub failed: u64,
    /// Files per minute since the scan, once there are some.
    pub per_minute: Option<f64>,
    /// Seconds that the rest will take at the speed so far, by bytes.
    pub eta_s: Option<u64>,
}

/// Counts what is done and tells whoever listens.
pub(super) struct Tracker<'a> {
    listener: &'a (dyn Fn(Progress) + Send + Sync),
    shown: &'a Mutex<Option<Progress>>,
    counts: Mutex<Counts>,
    times: Mutex<Times>,
}

/// Time spent in each step: from when it was told until the next one was.
#[derive(Default)]
struct Times {
    spent: BTreeMap<Step, Duration>,
    now: Option<(Step, Instant)>,
}

impl Times {
    fn enter(&mut self, step: Step, at: Instant) {
        if let Some((last, since)) = self.now.replace((step, at)) {
            *self.spent.entry(last).or_default() += at.saturating_duration_since(since);
        }
    }
}

struct Counts {
    started: Instant,
    done: u64,
    total: u64,
    failed: u64,
    bytes_done: u64,
    bytes_total: u64,
}

impl<'a> Tracker<'a> {
    pub(super) fn new(
        listener: &'a (dyn Fn(Progress) + Send + Sync),
        shown: &'a Mutex<Option<Progress>>,
    ) -> Self {
        let counts =
            Counts { started: Instant::now(), done: 0, total: 0, failed: 0, bytes_done: 0, bytes_total: 0 };
        Tracker { listener, shown, counts: Mutex::new(counts), times: Mutex::default() }
    }

    /// How much there is to do; the clock for the rate starts here.
    pub(super) fn expect(&self, files: u64, bytes: u64) {
        let mut counts = self.counts();
        counts.started = Instant::now();
        (counts.total, counts.bytes_total) = (files, bytes);
    }

    /// A file is done with.
    pub(super) fn advance(&self, bytes: u64) {
        let mut counts = self.counts();
        counts.done += 1;
        counts.bytes_done += bytes;
    }

    /// So many files were rejected.
    pub(super) fn fail(&self, files: u64) {
        self.counts().failed += files;
    }

    /// Tells what comes next.
    pub(super) fn tell(&self, step: Step, source: Option<&str>, path: Option<&str>) {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).enter(step, Instant::now());
        let progress = self.counts().progress(step, source, path);
        tracing::debug!(
            ?step,
            done = progress.done,
            total = progress.total,
            failed = progress.failed,
            "ingest"
        );
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone());
        (self.listener)(progress);
    }

    /// The time that each step took so far.
    pub(super) fn times(&self) -> Vec<(Step, Duration)> {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((step, _)) = times.now {
            times.enter(step, Instant::now());
        }
        times.spent.iter().map(|(step, spent)| (*step, *spent)).collect()
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Tracker<'_> {
    /// However the run ends, it is no longer shown as under way.
    fn drop(&mut self) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Counts {
    fn progress(&self, step: Step, source: Option<&str>, path: Option<&str>) -> Progress {
        let seconds = self.started.elapsed().as_secs_f64();
        let known = self.done > 0 && seconds > 0.5;
        let left = self.bytes_total.saturating_sub(self.bytes_done);
        Progress {
            step,
            source: source.map(str::to_owned),
            path: path.map(str::to_owned),
            done: self.done,
            total: self.total,
            failed: self.failed,
            per_minute: known.then(|| (self.done as f64 / seconds * 600.0).round() / 10.0),
            eta_s: (known && self.bytes_done > 0)
                .then(|| (left as f64 / self.bytes_done as f64 * seconds).ceil() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_remaining_time_follow_files_and_bytes() {
        let started = Instant::now().checked_sub(std::time::Duration::from_secs(60)).unwrap();
        let counts = Counts { started, done: 30, total: 50, failed: 2, bytes_done: 100, bytes_total: 400 };
        let progress = counts.progress(Step::Read, Some("server"), None);
        assert!((progress.per_minute.unwrap() - 30.0).abs() < 0.2);
        assert!((180..=182).contains(&progress.eta_s.unwrap()));
        let json = serde_json::to_value(&progress).unwrap();
        assert_eq!((&json["step"], &json["done"], &json["failed"]), (&"read".into(), &30.into(), &2.into()));
    }

    #[test]
    fn a_step_lasts_until_the_next_one() {
        let start = Instant::now();
        let at = |s| start + Duration::from_secs(s);
        let mut times = Times::default();
        for (step, s) in
            [(Step::Scan, 0), (Step::Read, 2), (Step::Read, 5), (Step::Embed, 6), (Step::Read, 10)]
        {
            times.enter(step, at(s));
        }
        let spent: Vec<(Step, u64)> = times.spent.iter().map(|(s, d)| (*s, d.as_secs())).collect();
        assert_eq!(spent, [(Step::Scan, 2), (Step::Read, 4), (Step::Embed, 4)]);
    }

    #[test]
    fn nothing_is_promised_before_anything_is_known() {
        let counts =
            Counts { started: Instant::now(), done: 0, total: 9, failed: 0, bytes_done: 0, bytes_total: 9 };
        let progress = counts.progress(Step::Scan, None, None);
        assert_eq!((progress.per_minute, progress.eta_s), (None, None));
    }

    #[test]
    fn an_ended_run_is_no_longer_shown() {
        let shown = Mutex::new(None);
        let listener = |_| {};
        let tracker = Tracker::new(&listener, &shown);
        tracker.tell(Step::Scan, Some("a"), None);
        assert_eq!(shown.lock().unwrap().as_ref().unwrap().source.as_deref(), Some("a"));
        drop(tracker);
        assert_eq!(*shown.lock().unwrap(), None);
    }
}
