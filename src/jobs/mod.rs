//! The nightly run: from the files of a source to what readers can find.
//!
//! A run walks every configured folder, looks into what is new or touched, and takes each file in by
//! the same steps: read (in the sandboxed worker) → embed → stage → index → flush → commit → forget →
//! log → purge. Until the commit the old version is what readers see; after it the new one is. Wherever
//! the process ends, the next run cleans up first and reads again what was not committed. At the end it
//! compares the catalog's chunks with those of both search indexes and repairs what differs.
//!
//! A run never deletes because it could not look: a source that is missing or suddenly empty is reported
//! and left alone. It never retries a file that cannot be read until the file, the reader or its limits
//! change or a full pass is due; the file stays on the list of rejected ones. One run at a time, and nobody
//! else writes.

mod attachments;
mod batch;
mod brake;
mod clean;
mod embed;
mod erase;
mod error;
mod gone;
mod joined;
mod load;
mod look;
mod models;
mod plan;
mod progress;
mod reconcile;
mod retain;
mod rights;
mod run;
mod scan;
mod schedule;
mod source;
pub(crate) mod space;
mod summary;
mod tally;
mod watch;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use jiff::ZonedDateTime;

pub use erase::Erased;
pub use error::JobError;
pub use models::{ModifiedModel, ModifiedModels};
pub use progress::{Progress, Step};
pub use retain::retention;
pub use run::record_mapping;
pub use summary::{
    Changes, DeletionProof, ListedPage, MAX_LISTED, ProjectSummary, RunSummary, SourceSummary, StageTime,
};

use self::{
    brake::{Brake, Wish},
    progress::Tracker,
    run::Run,
};
use crate::{
    audit::{Actor, Audit},
    catalog::Catalog,
    config::{Config, SourceConfig},
    engine::Engine,
    index::Index,
    worker::Worker,
};

/// The scheduler looks at the clock this often: after a sleep of the machine or a change of the clock it
/// is late by no more.
const LOOK: Duration = Duration::from_secs(20);

/// Everything that a run needs, and whether one is under way.
pub struct Jobs {
    config: Config,
    catalog: Catalog,
    index: Arc<Index>,
    engine: Arc<Engine>,
    worker: Worker,
    audit: Audit,
    running: tokio::sync::Mutex<()>,
    progress: Mutex<Option<Progress>>,
    brake: Brake,
}

/// What to run over.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Only this source; `None` means all, and that documents of sources that are no longer configured
    /// are taken away.
    pub source: Option<String>,
    /// Look and count, change nothing.
    pub dry_run: bool,
}

/// How things stand, for the status page. The last runs are in the catalog.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// The run under way.
    pub progress: Option<Progress>,
    /// When the schedule starts the next one, RFC 3339 with the local offset.
    pub next_run: Option<String>,
}

impl Jobs {
    /// Jobs over one data folder.
    pub fn new(
        config: Config,
        catalog: Catalog,
        index: Arc<Index>,
        engine: Arc<Engine>,
        worker: Worker,
        audit: Audit,
    ) -> Self {
        Jobs {
            config,
            catalog,
            index,
            engine,
            worker,
            audit,
            running: tokio::sync::Mutex::new(()),
            progress: Mutex::new(None),
            brake: Brake::default(),
        }
    }

    /// One run. `progress` hears of every step before it begins.
    ///
    /// # Errors
    /// A run is under way, the source is not known, or catalog, index, model, worker or audit log fail.
    /// What was committed until then stays; the next run does the rest.
    pub async fn run(
        &self,
        actor: &Actor,
        options: &RunOptions,
        progress: impl Fn(Progress) + Send + Sync,
    ) -> Result<RunSummary, JobError> {
        let _running = self.running.try_lock().map_err(|_| JobError::Busy)?;
        let started = Instant::now();
        self.brake.set(Wish::Go);
        let run = Run::new(self, actor, Tracker::new(&progress, &self.progress), self.erased()?);
        let mut summary = run.all(options, started).await?;
        summary.elapsed_ms = millis(started);
        Ok(summary)
    }

    /// Makes both search indexes hold what the catalog says: removes what is too much, puts what is
    /// missing or was embedded by another model. Gives the number of live chunks.
    ///
    /// # Errors
    /// A run is under way, or catalog, index or model fail.
    pub async fn rebuild_index(
        &self,
        actor: &Actor,
        progress: impl Fn(Progress) + Send + Sync,
    ) -> Result<usize, JobError> {
        let _running = self.running.try_lock().map_err(|_| JobError::Busy)?;
        let run = Run::new(self, actor, Tracker::new(&progress, &self.progress), self.erased()?);
        run.clean().await?;
        run.reconcile().await?;
        self.index.compact().await?;
        Ok(self.catalog.live_chunk_ids()?.len())
    }

    /// Rebuilds where the full-text index lacks half of what is live: a newer program, whose words are made in another
    /// way, begins with an empty one, and nobody should wait for the night to find by words again.
    ///
    /// # Errors
    /// As of [`Jobs::rebuild_index`].
    pub async fn refill(&self, actor: &Actor) -> Result<(), JobError> {
        let live = self.catalog.live_chunk_ids()?.len();
        if self.index.health().await?.lexical_chunks * 2 < live {
            tracing::info!(live, "the full-text index is filled anew");
            self.rebuild_index(actor, |_| {}).await?;
        }
        Ok(())
    }

    /// The configured sources that a run is over.
    fn chosen(&self, options: &RunOptions) -> Result<Vec<SourceConfig>, JobError> {
        let config = &self.config;
        if config.sources.is_empty() {
            return Err(JobError::NoSources { config: config.file.clone() });
        }
        let wanted = |s: &&SourceConfig| options.source.as_ref().is_none_or(|name| *name == s.name);
        let chosen: Vec<SourceConfig> = config.sources.iter().filter(wanted).cloned().collect();
        if chosen.is_empty() {
            let names: Vec<&str> = config.sources.iter().map(|s| s.name.as_str()).collect();
            let name = options.source.clone().unwrap_or_default();
            return Err(JobError::UnknownSource { name, known: names.join(", ") });
        }
        Ok(chosen)
    }

    /// Holds the run under way after the files at hand, until [`Jobs::resume`]; false where none is.
    pub fn pause(&self) -> bool {
        self.wish(Wish::Pause)
    }

    /// Lets a paused run go on; false where none is paused.
    pub fn resume(&self) -> bool {
        self.brake.is(Wish::Pause) && self.wish(Wish::Go)
    }

    /// Ends the run under way after the files at hand; false where none is. What it took in stays.
    pub fn stop(&self) -> bool {
        self.wish(Wish::Stop)
    }

    /// True while a run is under way.
    pub fn is_running(&self) -> bool {
        self.running.try_lock().is_err()
    }

    fn wish(&self, wish: Wish) -> bool {
        let is_running = self.is_running();
        if is_running {
            self.brake.set(wish);
        }
        is_running
    }

    /// How things stand.
    pub fn status(&self) -> Status {
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let next =
            self.config.ingest.schedule.as_deref().and_then(|s| schedule::next(s, &ZonedDateTime::now()));
        Status { progress, next_run: next.map(|z| z.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()) }
    }

    /// Starts runs by the configured schedule until the task is dropped. A run that fails is logged and
    /// the next one comes as planned; one that is due while another is under way is left out.
    pub async fn schedule(self: Arc<Self>, actor: Actor) {
        let Some(pattern) = self.config.ingest.schedule.clone() else { return };
        while let Some(due) = schedule::next(&pattern, &ZonedDateTime::now()) {
            tracing::info!(next_run = %due, "next run planned");
            while ZonedDateTime::now() < due {
                let left = Duration::try_from(due.timestamp() - jiff::Timestamp::now()).unwrap_or_default();
                tokio::time::sleep(left.min(LOOK)).await;
            }
            match self.run(&actor, &RunOptions::default(), |_| {}).await {
                Ok(summary) => tracing::info!(elapsed_ms = summary.elapsed_ms, "run done: {summary}"),
                Err(error) => tracing::error!(%error, "run failed"),
            }
        }
    }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Runs what would hold up other tasks on a thread of its own.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JobError> {
    tokio::task::spawn_blocking(work).await.map_err(|e| JobError::Stopped(e.to_string()))
}
