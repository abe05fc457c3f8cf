use std::{
    collections::BTreeSet,
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use ingest::{RecordMapping, counted};

use super::{
    JobError, Jobs, RunOptions, RunSummary, SourceSummary, blocking, joined, load, millis,
    plan::{self, Known, Plan, Rules as ReadingRules},
    progress::{Step, Tracker},
    scan::{self, Filter, Scan},
    summary::{MAX_LISTED, StageTime},
    tally::{Tally, What},
};
use crate::{
    audit::{Actor, Event},
    catalog::{DocumentId, FileStamp, RejectedFile, Rejection, RunId, RunState},
    config::SourceConfig,
    erasure::Rules,
    worker::Worker,
};

/// One run: what it works with and whom it tells.
pub(super) struct Run<'a> {
    pub(super) jobs: &'a Jobs,
    pub(super) actor: &'a Actor,
    pub(super) tracker: Tracker<'a>,
    pub(super) tally: Tally,
    /// What must not come back.
    pub(super) erased: Rules,
}

/// A source whose walk went well.
pub(super) struct Job {
    pub(super) source: SourceConfig,
    pub(super) rules: ReadingRules,
    /// Reads the files, images of pages in the source's languages.
    pub(super) worker: Worker,
    pub(super) plan: Plan,
    pub(super) summary: SourceSummary,
    pub(super) rejected: Vec<RejectedFile>,
    /// Touched files with the same bytes, to be noted together.
    pub(super) restamps: Vec<(DocumentId, FileStamp)>,
}

impl Job {
    /// Lists again what lies inside a file that is as it was.
    pub(super) fn still_rejected(&mut self, inside: &[(String, Rejection)]) {
        let listed = inside.iter().map(|(path, why)| plan::rejected(&self.source.name, path, why));
        self.rejected.extend(listed);
    }
}

impl<'a> Run<'a> {
    pub(super) fn new(jobs: &'a Jobs, actor: &'a Actor, tracker: Tracker<'a>, erased: Rules) -> Self {
        Run { jobs, actor, tracker, tally: Tally::default(), erased }
    }

    /// The whole run, with its entry in the catalog and in the audit log.
    pub(super) async fn all(&self, options: &RunOptions, started: Instant) -> Result<RunSummary, JobError> {
        let sources = self.jobs.chosen(options)?;
        if options.dry_run {
            return self.look(sources).await;
        }
        let catalog = &self.jobs.catalog;
        let run = catalog.start_run(&self.actor.name)?;
        match self.work(run, sources, options, started).await {
            Ok(summary) => {
                catalog.finish_run(run, RunState::Done, &to_json(&summary))?;
                self.tracker.tell(Step::Done, None, None);
                Ok(summary)
            }
            Err(error) => {
                let told = serde_json::json!({ "error": error.to_string(), "elapsed_ms": millis(started) });
                catalog.finish_run(run, RunState::Failed, &told)?;
                Err(error)
            }
        }
    }

    async fn work(
        &self,
        run: RunId,
        sources: Vec<SourceConfig>,
        options: &RunOptions,
        started: Instant,
    ) -> Result<RunSummary, JobError> {
        self.clean().await?;
        let mut summary = RunSummary { run: Some(run), ..RunSummary::default() };
        let jobs = self.plan_all(sources, &mut summary).await?;
        for job in jobs {
            self.take_in(job, &mut summary).await?;
        }
        if options.source.is_none() {
            summary.retained = self.retain().await?;
            summary.changes.add(What::Deleted, self.drop_unconfigured().await?);
        }
        summary.repaired = self.reconcile().await?;
        summary.deletion = self.prove_deletion().await?;
        self.tracker.tell(Step::Compact, None, None);
        self.jobs.index.compact().await?;
        self.sweep_page_images()?;
        summary.records = self.jobs.catalog.record_files()?;
        summary.warned = self.jobs.catalog.warned_files(MAX_LISTED)?;
        summary.rejected.sort();
        summary.elapsed_ms = millis(started);
        self.jobs.catalog.run_rejected(run, &summary.rejected)?;
        self.tracker.tell(Step::Log, None, None);
        self.log(vec![event(&summary, options)]).await?;
        summary.projects = self.by_project()?;
        (summary.stages, summary.bytes) = self.stages(&summary);
        Ok(summary)
    }

    /// Walks every source before the first file is read, so that the end can be told.
    async fn plan_all(
        &self,
        sources: Vec<SourceConfig>,
        summary: &mut RunSummary,
    ) -> Result<Vec<Job>, JobError> {
        let mut jobs = Vec::new();
        for source in sources {
            self.tracker.tell(Step::Scan, Some(&source.name), None);
            let name = source.name.clone();
            match self.plan_one(source, summary.dry_run).await? {
                Ok(job) => jobs.push(job),
                Err(error) => {
                    tracing::warn!(source = name, error, "source not read");
                    summary.take(SourceSummary { name, error: Some(error), ..SourceSummary::default() });
                }
            }
        }
        let files = jobs.iter().map(|job| job.plan.candidates.len() as u64).sum();
        self.tracker.expect(files, jobs.iter().map(|job| job.plan.bytes()).sum());
        self.tracker.fail(jobs.iter().map(|job| job.rejected.len() as u64).sum());
        Ok(jobs)
    }

    /// The plan for one source, or why it cannot be read.
    async fn plan_one(&self, source: SourceConfig, dry_run: bool) -> Result<Result<Job, String>, JobError> {
        let filter = Filter::new(&source)?;
        let root = source.path.clone();
        let mut scan = match blocking(move || scan::scan(&root, &filter)).await? {
            Ok(scan) => scan,
            Err(error) => return Ok(Err(error)),
        };
        let catalog = &self.jobs.catalog;
        let known = Known {
            states: catalog.file_states(&source.name)?,
            rejections: catalog.rejections(&source.name)?,
            children: catalog.child_counts(&source.name)?,
        };
        if scan.is_empty && !known.states.is_empty() {
            let folder = source.path.display();
            let n = counted(known.states.len(), "document is", "documents are");
            return Ok(Err(format!(
                "{folder} is empty although {n} known from it; if the file server is connected and \
                 they are really gone, take the source out of the configuration"
            )));
        }
        let before = scan.files.len();
        scan.files.retain(|path, _| !self.erased.covers_path(&source.name, path));
        let erased = (before - scan.files.len()) as u64;
        let mut rules = self.rules(&source, dry_run)?;
        rules.joined = Arc::new(joined::join(&mut scan.files));
        let plan = plan::plan(&scan, known, &rules);
        let worker = self.jobs.worker.with_languages(&source.ocr_languages);
        let mut job = Job::new(source, rules, worker, plan, &scan);
        job.summary.erased = erased;
        Ok(Ok(job))
    }

    fn rules(&self, source: &SourceConfig, dry_run: bool) -> Result<ReadingRules, JobError> {
        let rights = self.rights(source, dry_run)?;
        let (catalog, config) = (&self.jobs.catalog, &self.jobs.config.ingest);
        let bounds = (&config.limits, config.max_file_mb, config.worker_memory_mb, config.worker_seconds);
        let mut reader = load::sha256(format!("{bounds:?}").as_bytes());
        reader.truncate(16);
        let mapping = Arc::new(record_mapping(source)?);
        let mut version_end = format!("-r{}", ingest::READER_VERSION);
        if !mapping.is_empty() {
            // Another mapping makes other records of the same bytes.
            let hash = load::sha256(format!("{mapping:?}").as_bytes());
            version_end.push_str(&format!("m{}", hash.get(..8).unwrap_or_default()));
        }
        let hashed = catalog.full_hashed_at(&source.name)?;
        let full = is_older(hashed.as_deref(), config.full_hash_days);
        let reader = format!("{reader}{version_end}");
        let worker = self.jobs.worker.with_languages(&source.ocr_languages);
        let ocr = worker.ocr_languages().ok().map(str::to_owned);
        Ok(ReadingRules {
            rights,
            version_end,
            reader,
            ocr,
            full,
            attempts: config.attempts,
            mapping,
            joined: Arc::default(),
        })
    }

    /// Where the time went, the longest first, and the bytes that were read.
    fn stages(&self, summary: &RunSummary) -> (Vec<StageTime>, u64) {
        let (bytes, reading) = self.tally.reading();
        let mut stages: Vec<StageTime> = self
            .tracker
            .times()
            .into_iter()
            .map(|(stage, time)| StageTime::new(stage, time, summary, (bytes, reading)))
            .collect();
        stages.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        (stages, bytes)
    }

    /// A dry run: hashes what may have changed and counts.
    async fn look(&self, sources: Vec<SourceConfig>) -> Result<RunSummary, JobError> {
        let mut summary = RunSummary { dry_run: true, ..RunSummary::default() };
        for mut job in self.plan_all(sources, &mut summary).await? {
            self.count(&mut job).await?;
            summary.rejected.append(&mut job.rejected);
            summary.take(job.summary);
        }
        summary.rejected.sort();
        Ok(summary)
    }

    /// Appends to the audit log; durable on return.
    pub(super) async fn log(&self, events: Vec<Event>) -> Result<(), JobError> {
        let (audit, actor) = (self.jobs.audit.clone(), self.actor.clone());
        blocking(move || audit.record_all(&actor, events)).await??;
        Ok(())
    }

    /// Removes cached page images of versions that are no longer live.
    fn sweep_page_images(&self) -> Result<(), JobError> {
        let live: BTreeSet<String> = self.jobs.catalog.live_versions()?;
        let Ok(folders) = fs::read_dir(self.page_images()) else { return Ok(()) };
        for folder in folders.flatten() {
            if !folder.file_name().to_str().is_some_and(|version| live.contains(version)) {
                // A picture that stays does no harm: nothing leads to it.
                let _ = fs::remove_dir_all(folder.path());
            }
        }
        Ok(())
    }

    pub(super) fn page_images(&self) -> std::path::PathBuf {
        self.jobs.config.data.join("cache/pages")
    }
}

impl Job {
    fn new(source: SourceConfig, rules: ReadingRules, worker: Worker, plan: Plan, scan: &Scan) -> Self {
        let mut rejected: Vec<RejectedFile> =
            plan.rejected.iter().map(|(path, why)| plan::rejected(&source.name, path, why)).collect();
        rejected.extend(scan.unnameable.iter().map(|path| RejectedFile {
            source: source.name.clone(),
            path: path.clone(),
            code: "name".to_owned(),
            reason: "the file's name is not valid UTF-8; rename the file".to_owned(),
        }));
        let unreadable = scan.unreadable.iter().map(|p| format!("{} cannot be read: {}", p.path, p.reason));
        let summary = SourceSummary {
            name: source.name.clone(),
            unreadable: unreadable.collect(),
            unchanged: plan.unchanged,
            joined: rules.joined.values().map(|parts| parts.paths.len() as u64).sum(),
            ..SourceSummary::default()
        };
        Job { source, rules, worker, plan, summary, rejected, restamps: Vec::new() }
    }
}

/// What a source's mapping file says about its registers.
///
/// # Errors
/// The file names a field or a state that there is not.
pub fn record_mapping(source: &SourceConfig) -> Result<RecordMapping, JobError> {
    let Some(file) = &source.rfi_columns else { return Ok(RecordMapping::default()) };
    RecordMapping::new(
        file.columns.iter().map(|(header, field)| (header.as_str(), field.as_str())),
        file.states.iter().map(|(status, state)| (status.as_str(), state.as_str())),
        file.date_order.as_deref(),
    )
    .map_err(|source| JobError::Mapping { path: file.path.clone(), source })
}

/// Whether a moment lies more than so many days back, or never was.
fn is_older(moment: Option<&str>, days: u32) -> bool {
    let Some(moment) = moment.and_then(|m| m.parse::<jiff::Timestamp>().ok()) else { return true };
    let age = Duration::try_from(jiff::Timestamp::now() - moment).unwrap_or_default();
    // An hour less, or a run at the same time every night would wait a night more.
    age + Duration::from_secs(3600) >= Duration::from_secs(u64::from(days) * 86_400)
}

fn event(summary: &RunSummary, options: &RunOptions) -> Event {
    Event::IngestRun {
        run: summary.run.map(|run| run.to_string()).unwrap_or_default(),
        source: options.source.clone(),
        added: summary.changes.added,
        modified: summary.changes.modified,
        moved: summary.changes.moved,
        deleted: summary.changes.deleted,
        unchanged: summary.unchanged,
        rejected: summary.rejected.len() as u64,
        elapsed_ms: summary.elapsed_ms,
    }
}

/// The summary as it is kept; plain data, so that this cannot fail.
fn to_json(summary: &RunSummary) -> serde_json::Value {
    serde_json::to_value(summary).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_is_over_after_a_week_less_an_hour() {
        let ago = |hours: i64| (jiff::Timestamp::now() - jiff::SignedDuration::from_hours(hours)).to_string();
        assert!(is_older(None, 7));
        assert!(is_older(Some("no time"), 7));
        assert!(is_older(Some(&ago(7 * 24)), 7));
        assert!(!is_older(Some(&ago(7 * 24 - 2)), 7));
        assert!(is_older(Some(&ago(0)), 0));
    }
}
