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
    /// Seconds that the rest will take, once enough was done to tell.
    pub eta_s: Option<u64>,
    /// While vectors are made: passages of the files at hand that have theirs, and all of them.
    pub passages: Option<(u64, u64)>,
    /// While a file in a mail or an archive is read: those that were looked into, and all that are known.
    pub inside: Option<(u64, u64)>,
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
    effort_done: u64,
    effort_total: u64,
    /// Effort of the batch that is being written, and how much of it is done.
    batch: (u64, u64),
    /// Passages of that batch that have their vectors, and all of them.
    passages: Option<(u64, u64)>,
    /// Files inside the file at hand that were looked into, and all of them.
    inside: Option<(u64, u64)>,
    /// Seconds from the start to the end, as far as what is done tells; smoothed.
    ends_s: Option<f64>,
}

/// What a file costs besides its bytes (a process of its own, its place in catalog, index and log), in bytes
/// that take as long to read.
const FILE_EFFORT: u64 = 64 << 10;
/// No end is foretold before this much was done, in percent of the effort,
const TELLING_PERCENT: u64 = 5;
/// nor before this many seconds.
const TELLING_SECONDS: f64 = 5.0;
/// Weight of the newest forecast against those before it: files of one kind often stand together.
const NEWEST: f64 = 0.25;

impl<'a> Tracker<'a> {
    pub(super) fn new(
        listener: &'a (dyn Fn(Progress) + Send + Sync),
        shown: &'a Mutex<Option<Progress>>,
    ) -> Self {
        let counts = Counts::new(0, 0);
        Tracker { listener, shown, counts: Mutex::new(counts), times: Mutex::default() }
    }

    /// How much there is to do; the clock for the rate starts here.
    pub(super) fn expect(&self, files: u64, bytes: u64) {
        let mut counts = self.counts();
        *counts = Counts { failed: counts.failed, ..Counts::new(files, bytes) };
    }

    /// A file is done with.
    pub(super) fn advance(&self, bytes: u64) {
        let mut counts = self.counts();
        counts.done += 1;
        counts.effort_done += bytes + FILE_EFFORT;
    }

    /// So many files of so many bytes together are written next.
    pub(super) fn begin_batch(&self, files: usize, bytes: u64) {
        self.counts().batch = (bytes + files as u64 * FILE_EFFORT, 0);
    }

    /// Of the vectors of this batch, the part that is made: most of the time goes into them.
    pub(super) fn embedded(&self, done: usize, all: usize) {
        let mut counts = self.counts();
        counts.passages = Some((done as u64, all as u64));
        let share = done as f64 / all.max(1) as f64;
        counts.batch.1 = (counts.batch.0 as f64 * share) as u64;
        // Where nothing is done yet, there is nothing new to foretell from.
        if done == 0 {
            return;
        }
        let seconds = counts.started.elapsed().as_secs_f64();
        counts.foretell(seconds);
    }

    /// Of the files inside the file at hand, so many were looked into, of so many; with none left, it is told no more.
    pub(super) fn inside(&self, (done, all): (u64, u64)) {
        self.counts().inside = (done < all).then_some((done, all));
    }

    /// The batch is written, its files are done.
    pub(super) fn end_batch(&self) {
        self.counts().batch = (0, 0);
    }

    /// So many files were rejected.
    pub(super) fn fail(&self, files: u64) {
        self.counts().failed += files;
    }

    /// Tells what comes next.
    pub(super) fn tell(&self, step: Step, source: Option<&str>, path: Option<&str>) {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).enter(step, Instant::now());
        let progress = {
            let counts = self.counts();
            counts.progress(step, source, path, counts.started.elapsed().as_secs_f64())
        };
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
    fn new(files: u64, bytes: u64) -> Self {
        Counts {
            started: Instant::now(),
            done: 0,
            total: files,
            failed: 0,
            effort_done: 0,
            effort_total: bytes + files * FILE_EFFORT,
            batch: (0, 0),
            passages: None,
            inside: None,
            ends_s: None,
        }
    }

    /// Between two forecasts the end stays where it was foretold, so that what is shown counts down.
    fn foretell(&mut self, seconds: f64) {
        let done = self.effort_done + self.batch.1;
        let enough = done * 100 >= self.effort_total * TELLING_PERCENT;
        if enough && seconds >= TELLING_SECONDS && done > 0 {
            let newest = seconds / done as f64 * self.effort_total as f64;
            self.ends_s = Some(self.ends_s.map_or(newest, |before| before + NEWEST * (newest - before)));
        }
    }

    /// How far the run is, `seconds` after the start.
    fn progress(&self, step: Step, source: Option<&str>, path: Option<&str>, seconds: f64) -> Progress {
        let known = self.done > 0 && seconds > 0.5;
        Progress {
            step,
            source: source.map(str::to_owned),
            path: path.map(str::to_owned),
            done: self.done,
            total: self.total,
            failed: self.failed,
            per_minute: known.then(|| (self.done as f64 / seconds * 600.0).round() / 10.0),
            // A forecast that has passed says nothing: the rest takes as long as it takes.
            eta_s: self.ends_s.map(|end| (end - seconds).ceil()).filter(|s| *s > 0.0).map(|s| s as u64),
            passages: self.passages.filter(|_| step == Step::Embed),
            inside: self.inside.filter(|_| step == Step::Read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of the size that each costs besides its bytes: the effort is twice the bytes.
    fn after(done: u64, total: u64) -> Counts {
        let counts = Counts::new(total, total * FILE_EFFORT);
        Counts { done, failed: 2, effort_done: 2 * done * FILE_EFFORT, ..counts }
    }

    #[test]
    fn rate_and_remaining_time_follow_what_was_done() {
        let mut counts = after(30, 120);
        counts.foretell(60.0);
        let progress = counts.progress(Step::Read, Some("server"), None, 60.0);
        assert_eq!((progress.per_minute, progress.eta_s), (Some(30.0), Some(180)));
        let json = serde_json::to_value(&progress).unwrap();
        assert_eq!((&json["step"], &json["done"], &json["failed"]), (&"read".into(), &30.into(), &2.into()));
    }

    #[test]
    fn what_remains_counts_down_between_batches_and_bends_at_them() {
        let mut counts = after(30, 120);
        counts.foretell(60.0);
        let eta = |counts: &Counts, s| counts.progress(Step::Embed, None, None, s).eta_s;
        assert_eq!((eta(&counts, 70.0), eta(&counts, 100.0)), (Some(170), Some(140)));
        // Ten more files took as long as thirty before: 360 s in all by that speed, a quarter of the way from 240.
        counts.batch = (2 * 20 * FILE_EFFORT, 2 * 10 * FILE_EFFORT);
        counts.foretell(120.0);
        assert_eq!(eta(&counts, 120.0), Some(150));
        assert_eq!(eta(&counts, 400.0), None, "past its end, nothing is promised");
    }

    #[test]
    fn a_large_file_or_many_small_ones_are_told_after_a_twentieth() {
        let eta = |done, s| {
            let mut counts = after(done, 1000);
            counts.foretell(s);
            counts.progress(Step::Read, None, None, s).eta_s
        };
        assert_eq!((eta(49, 50.0), eta(50, 50.0), eta(50, 4.0)), (None, Some(950), None));
    }

    #[test]
    fn passages_are_told_while_their_vectors_are_made() {
        let counts = Counts { passages: Some((32, 96)), ..after(0, 1) };
        let passages = |step| counts.progress(step, None, None, 1.0).passages;
        assert_eq!((passages(Step::Embed), passages(Step::Read)), (Some((32, 96)), None));
    }

    #[test]
    fn files_in_an_archive_are_told_while_they_are_read() {
        let shown = Mutex::new(None);
        let listener = |_| {};
        let tracker = Tracker::new(&listener, &shown);
        let told = |done, all| {
            tracker.inside((done, all));
            tracker.tell(Step::Read, None, Some("a.zip/b.pdf"));
            shown.lock().unwrap().as_ref().unwrap().inside
        };
        assert_eq!((told(0, 3), told(2, 3), told(3, 3)), (Some((0, 3)), Some((2, 3)), None));
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
        let mut counts = Counts::new(9, 9);
        counts.foretell(60.0);
        let progress = counts.progress(Step::Scan, None, None, 60.0);
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
