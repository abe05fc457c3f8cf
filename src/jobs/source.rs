//! One source: looks into what may have changed and takes it in.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use ingest::ReadError;
use tokio::task::JoinHandle;

use super::{
    JobError, RunSummary,
    batch::{Batch, Change, Group, Prepared},
    blocking,
    load::{self, LoadProblem},
    plan::{self, Candidate, Rules},
    progress::Step,
    run::{Job, Run},
    tally::What,
};
use crate::{
    audit::Event,
    catalog::{DocumentId, FileStamp, FileState, Rejection},
    worker::{Reading, Worker, WorkerError},
};

/// Touched files that are noted in one transaction: each costs a write to the disk.
const RESTAMPS: usize = 256;

/// What looking into a file needs, wherever it is done.
struct Looker {
    root: PathBuf,
    rules: Rules,
    max_bytes: u64,
    /// Hashes of documents whose file is gone: they may only have moved.
    gone: HashSet<String>,
    worker: Worker,
}

/// What a look into a file brought.
enum Look {
    /// Its bytes are those of its known version, or of a document whose file is gone.
    Same(FileStamp, String),
    /// They are new, and this is what the reader made of them.
    Read(FileStamp, String, Result<Box<Reading>, WorkerError>),
    /// They are not to be had.
    Problem(LoadProblem),
}

impl Looker {
    async fn look(&self, candidate: &Candidate, may_have_moved: bool) -> Result<Look, JobError> {
        let (path, max_bytes) = (self.root.join(&candidate.path), self.max_bytes);
        let loaded = match blocking(move || load::load(&path, max_bytes)).await? {
            Ok(loaded) => loaded,
            Err(problem) => return Ok(Look::Problem(problem)),
        };
        let same = match &candidate.known {
            Some(state) => state.sha256 == loaded.sha256 && self.rules.fits(state, &candidate.path),
            None => may_have_moved && self.gone.contains(&loaded.sha256),
        };
        if same {
            return Ok(Look::Same(loaded.stamp, loaded.sha256));
        }
        let name = candidate.path.rsplit('/').next().unwrap_or(&candidate.path);
        let reading = self.worker.read_mapped(&loaded.bytes, name, &self.rules.mapping).await.map(Box::new);
        Ok(Look::Read(loaded.stamp, loaded.sha256, reading))
    }
}

/// With the time that it took.
type Looked = Result<(Candidate, Look, Duration), JobError>;

/// Looks that are under way, in the order of the plan; given up when dropped.
#[derive(Default)]
struct Ahead(VecDeque<JoinHandle<Looked>>);

impl Drop for Ahead {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

/// Documents whose file is gone, until one of them turns up under another path.
#[derive(Default)]
struct Gone(HashMap<String, Vec<(String, FileState)>>);

impl Gone {
    fn new(gone: Vec<(String, FileState)>) -> Self {
        let mut by_hash: HashMap<String, Vec<_>> = HashMap::new();
        for (path, state) in gone {
            by_hash.entry(state.sha256.clone()).or_default().push((path, state));
        }
        Gone(by_hash)
    }

    /// The document that moved to `path`: of several with the same bytes, one of the same name.
    fn take(&mut self, sha256: &str, path: &str) -> Option<(String, FileState)> {
        let found = self.0.get_mut(sha256)?;
        let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let at = found.iter().position(|(old, _)| name(old) == name(path)).unwrap_or(0);
        (at < found.len()).then(|| found.remove(at))
    }

    fn rest(self) -> Vec<DocumentId> {
        let mut rest: Vec<DocumentId> =
            self.0.into_values().flatten().map(|(_, state)| state.document).collect();
        rest.sort_unstable();
        rest
    }
}

impl Run<'_> {
    /// Everything that there is to do in one source.
    pub(super) async fn take_in(&self, mut job: Job, summary: &mut RunSummary) -> Result<(), JobError> {
        let catalog = &self.jobs.catalog;
        let name = job.source.name.clone();
        catalog.forget_rejections(&name, &job.plan.forget)?;
        let mut gone = Gone::new(std::mem::take(&mut job.plan.gone));
        let looker = Arc::new(self.looker(&job, &gone));
        let mut waiting = std::mem::take(&mut job.plan.candidates).into_iter();
        let mut ahead = Ahead::default();
        let mut batch = Batch::default();
        let readers = self.jobs.config.ingest.worker_count();
        loop {
            self.pass(Some(&name)).await?;
            while ahead.0.len() < readers
                && let Some(candidate) = waiting.next()
            {
                self.tracker.tell(Step::Read, Some(&name), Some(&candidate.path));
                let looker = Arc::clone(&looker);
                ahead.0.push_back(tokio::spawn(async move {
                    let started = Instant::now();
                    let look = looker.look(&candidate, true).await?;
                    Ok((candidate, look, started.elapsed()))
                }));
            }
            let Some(next) = ahead.0.pop_front() else { break };
            let (candidate, look, time) = next.await.map_err(|e| JobError::Stopped(e.to_string()))??;
            if matches!(look, Look::Read(..)) {
                self.tally.read(candidate.stamp.size, time);
            }
            self.settle(&mut job, &looker, &mut gone, &mut batch, candidate, look).await?;
            if job.restamps.len() >= RESTAMPS {
                catalog.restamp(&std::mem::take(&mut job.restamps))?;
            }
            if batch.is_full() {
                self.write(&mut job, std::mem::take(&mut batch), summary).await?;
            }
        }
        self.write(&mut job, batch, summary).await?;
        catalog.restamp(&job.restamps)?;
        job.summary.changes.add(What::Deleted, self.delete(gone.rest(), Some(&name)).await?);
        if job.rules.full && job.summary.unreadable.is_empty() {
            catalog.set_full_hashed(&name)?;
        }
        job.summary.rejected = job.rejected.len() as u64;
        let unsupported = job.rejected.iter().filter(|r| r.code == "unsupported");
        unsupported.for_each(|r| job.summary.count_unknown(&r.path));
        summary.rejected.append(&mut job.rejected);
        summary.take(job.summary);
        Ok(())
    }

    /// A dry run's part of [`Run::take_in`]: hashes, and reads nothing.
    pub(super) async fn count(&self, job: &mut Job) -> Result<(), JobError> {
        let mut gone = Gone::new(std::mem::take(&mut job.plan.gone));
        let max_bytes = self.jobs.config.ingest.max_file_mb << 20;
        for candidate in std::mem::take(&mut job.plan.candidates) {
            self.tracker.tell(Step::Read, Some(&job.source.name), Some(&candidate.path));
            let path = job.source.path.join(&candidate.path);
            match blocking(move || load::load(&path, max_bytes)).await? {
                Err(problem) => {
                    let why = rejection(&candidate, &job.rules, problem);
                    job.rejected.push(plan::rejected(&job.source.name, &candidate.path, &why));
                }
                Ok(loaded) => match &candidate.known {
                    Some(state)
                        if state.sha256 == loaded.sha256 && job.rules.fits(state, &candidate.path) =>
                    {
                        job.summary.unchanged += job.plan.family(state);
                    }
                    Some(_) => job.summary.changes.add(What::Modified, 1),
                    None => match gone.take(&loaded.sha256, &candidate.path) {
                        Some((_, state)) => job.summary.changes.add(What::Moved, job.plan.family(&state)),
                        None => job.summary.changes.add(What::Added, 1),
                    },
                },
            }
            self.tracker.advance(candidate.stamp.size);
        }
        job.summary.changes.add(What::Deleted, gone.rest().len() as u64);
        job.summary.rejected = job.rejected.len() as u64;
        Ok(())
    }

    fn looker(&self, job: &Job, gone: &Gone) -> Looker {
        Looker {
            root: job.source.path.clone(),
            rules: job.rules.clone(),
            max_bytes: self.jobs.config.ingest.max_file_mb << 20,
            gone: gone.0.keys().cloned().collect(),
            worker: job.worker.clone(),
        }
    }

    /// Draws the consequence of one look.
    async fn settle(
        &self,
        job: &mut Job,
        looker: &Looker,
        gone: &mut Gone,
        batch: &mut Batch,
        mut candidate: Candidate,
        look: Look,
    ) -> Result<(), JobError> {
        let look = match look {
            Look::Same(stamp, sha256) => match self.same(job, gone, &mut candidate, stamp, &sha256).await? {
                true => {
                    self.tracker.advance(candidate.stamp.size);
                    return Ok(());
                }
                // The document that it seemed to be turned up elsewhere: a copy is a document of its own. Or
                // it moved to where other rights hold.
                false => looker.look(&candidate, false).await?,
            },
            look => look,
        };
        let problem = match look {
            Look::Same(..) => None,
            Look::Problem(problem) => Some(problem),
            Look::Read(stamp, sha256, Ok(reading)) => {
                let group = self.group(job, &candidate, stamp, sha256, *reading).await?;
                batch.push(group);
                return Ok(());
            }
            Look::Read(_, _, Err(error)) => Some(problem_of(error)?),
        };
        self.tracker.advance(candidate.stamp.size);
        let Some(problem) = problem else { return Ok(()) };
        self.reject(job, &candidate.path, &rejection(&candidate, &job.rules, problem))
    }

    /// Notes that known bytes lie where they lay, or elsewhere; false where they are to be read: no document
    /// is left for them, or the one that is stands under other rights.
    async fn same(
        &self,
        job: &mut Job,
        gone: &mut Gone,
        candidate: &mut Candidate,
        stamp: FileStamp,
        sha256: &str,
    ) -> Result<bool, JobError> {
        let catalog = &self.jobs.catalog;
        if let Some(state) = &candidate.known {
            if state.stamp != stamp {
                job.restamps.push((state.document, stamp));
            }
            job.summary.unchanged += job.plan.family(state);
            return Ok(true);
        }
        let Some((old, state)) = gone.take(sha256, &candidate.path) else { return Ok(false) };
        catalog.move_document(state.document, &candidate.path, stamp)?;
        let change = Event::Change {
            document: state.document.to_string(),
            what: "moved".to_owned(),
            before: Some(old),
            after: Some(candidate.path.clone()),
        };
        self.log(vec![change]).await?;
        if !job.rules.fits(&state, &candidate.path) {
            candidate.known = Some(state);
            return Ok(false);
        }
        let moved = job.plan.family(&state);
        job.summary.changes.add(What::Moved, moved);
        self.tally.count(What::Moved, state.project, moved);
        Ok(true)
    }

    /// A file and what came inside it, ready to be written together.
    async fn group(
        &self,
        job: &mut Job,
        candidate: &Candidate,
        stamp: FileStamp,
        sha256: String,
        reading: Reading,
    ) -> Result<Group, JobError> {
        let change = if candidate.known.is_some() { Change::Modified } else { Change::Added };
        let (path, rights) = (candidate.path.clone(), job.rules.rights.at(&candidate.path));
        let mut file = Prepared::new(path, change, stamp, sha256, reading, &job.rules.version_end, rights);
        let attachments = std::mem::take(&mut file.document.attachments);
        let known = candidate.known.as_ref().map(|state| state.document);
        let inside = self.attachments(job, &file, attachments, known).await?;
        let mut members = vec![file];
        members.extend(inside.prepared);
        Ok(Group { members, gone: inside.gone, bytes: candidate.stamp.size })
    }

    /// Lists a file as rejected, now and until it changes.
    pub(super) fn reject(&self, job: &mut Job, path: &str, why: &Rejection) -> Result<(), JobError> {
        tracing::info!(code = why.code, "a file was rejected");
        let attempts = self.jobs.catalog.reject(&job.source.name, path, why)?;
        self.tracker.fail(1);
        let why = Rejection { attempts, ..why.clone() };
        job.rejected.push(plan::rejected(&job.source.name, path, &why));
        Ok(())
    }
}

/// A file's own fault, in words; the machine's fault ends the run.
pub(super) fn problem_of(error: WorkerError) -> Result<LoadProblem, JobError> {
    if !error.is_the_files_fault() {
        return Err(JobError::Worker(error));
    }
    let code = match &error {
        WorkerError::Rejected(ReadError::Unsupported { .. }) => "unsupported",
        WorkerError::Rejected(ReadError::Outdated { .. }) => "outdated",
        WorkerError::Rejected(ReadError::Password) => "password",
        WorkerError::Rejected(ReadError::Damaged { .. }) => "damaged",
        WorkerError::Rejected(ReadError::TooLarge { .. }) | WorkerError::AnswerTooLarge { .. } => "too-large",
        WorkerError::TimedOut { .. } => "timed-out",
        WorkerError::OutOfMemory { .. } => "out-of-memory",
        _ => "reader-died",
    };
    Ok(LoadProblem { code, reason: error.to_string(), passing: false })
}

fn rejection(candidate: &Candidate, rules: &Rules, problem: LoadProblem) -> Rejection {
    Rejection {
        // No file has this stamp, so that a passing problem is looked into again.
        stamp: if problem.passing { FileStamp::default() } else { candidate.stamp },
        reader: rules.reader.clone(),
        code: problem.code.to_owned(),
        reason: problem.reason,
        attempts: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalog::ProjectId, scope::AclId};

    fn state(id: i64, sha256: &str) -> FileState {
        FileState {
            document: DocumentId(id),
            stamp: FileStamp::default(),
            sha256: sha256.to_owned(),
            version: String::new(),
            embedder: None,
            project: ProjectId(1),
            acl: AclId(1),
            ocr: None,
        }
    }

    #[test]
    fn of_several_copies_the_one_of_the_same_name_has_moved() {
        let mut gone = Gone::new(vec![
            ("a/x.pdf".into(), state(1, "aa")),
            ("a/y.pdf".into(), state(2, "aa")),
            ("a/z.pdf".into(), state(3, "bb")),
        ]);
        assert_eq!(gone.take("aa", "b/y.pdf").unwrap().1.document, DocumentId(2));
        assert_eq!(gone.take("aa", "b/w.pdf").unwrap().1.document, DocumentId(1));
        assert_eq!(gone.take("aa", "b/v.pdf"), None, "a third copy is a new document");
        assert_eq!(gone.take("cc", "b/z.pdf"), None);
        assert_eq!(gone.rest(), [DocumentId(3)]);
    }

    #[test]
    fn a_file_is_judged_by_its_own_fault_only() {
        let password = problem_of(WorkerError::Rejected(ReadError::Password)).unwrap();
        assert_eq!((password.code, password.passing), ("password", false));
        assert_eq!(problem_of(WorkerError::TimedOut { seconds: 60 }).unwrap().code, "timed-out");
        let start = WorkerError::Start { program: "dossier".into(), source: std::io::Error::other("none") };
        assert!(matches!(problem_of(start), Err(JobError::Worker(_))));
    }
}
