//! One source: looks into what may have changed and takes it in.

use std::{sync::Arc, time::Instant};

use ingest::ReadError;

use super::{
    JobError, RunSummary,
    batch::{Batch, Change, Group, Prepared},
    blocking,
    gone::Gone,
    load::{self, LoadProblem},
    look::{Ahead, Look, Looker},
    plan::{self, Candidate, Rules},
    progress::Step,
    run::{Job, Run},
    tally::What,
};
use crate::{
    audit::Event,
    catalog::{FileStamp, Rejection},
    worker::{Reading, WorkerError},
};

/// Touched files that are noted in one transaction: each costs a write to the disk.
const RESTAMPS: usize = 256;

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
                Err(problem) if problem.is_farewell(&job.source.path) => {
                    job.summary.vanished(&candidate.path)
                }
                Err(problem) => {
                    let why = rejection(&candidate, &job.rules, problem);
                    job.rejected.push(plan::rejected(&job.source.name, &candidate.path, &why));
                }
                Ok(loaded) => match &candidate.known {
                    Some(state)
                        if state.sha256 == loaded.sha256 && job.rules.fits(state, &candidate.path) =>
                    {
                        job.summary.unchanged += job.plan.family(state);
                        let inside = job.plan.inside.remove(&candidate.path).unwrap_or_default();
                        job.still_rejected(&inside);
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
            gone: gone.hashes(),
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
        if let Look::Same(_, sha256) | Look::Read(_, sha256, _) = &look
            && self.erased.covers_bytes(sha256)
        {
            // It lies elsewhere or under another name: the same bytes are the same document.
            job.summary.erased += 1;
            let known = candidate.known.map(|state| state.document).into_iter().collect();
            self.delete(known, Some(&job.source.name)).await?;
            self.tracker.advance(candidate.stamp.size);
            return Ok(());
        }
        let inside = job.plan.inside.remove(&candidate.path).unwrap_or_default();
        let look = match look {
            Look::Same(stamp, sha256) => match self.same(job, gone, &mut candidate, stamp, &sha256).await? {
                true => {
                    self.tracker.advance(candidate.stamp.size);
                    job.still_rejected(&inside);
                    return Ok(());
                }
                // The document that it seemed to be turned up elsewhere: a copy is a document of its own. Or
                // it moved to where other rights hold.
                false => looker.look(&candidate, false).await?,
            },
            look => look,
        };
        let inside: Vec<String> = inside.into_iter().map(|(path, _)| path).collect();
        self.jobs.catalog.forget_rejections(&job.source.name, &inside)?;
        let problem = match look {
            Look::Same(..) => None,
            // What is known of it stays: the next run finds it gone, or elsewhere.
            Look::Problem(problem) if problem.is_farewell(&looker.root) => {
                job.summary.vanished(&candidate.path);
                None
            }
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
        let end = job.rules.version_end(&candidate.path);
        let mut file = Prepared::new(path, change, stamp, sha256, reading, &end, rights);
        file = self.keep_erased(&job.source.name, file);
        let known = candidate.known.as_ref().map(|state| state.document);
        file = self.compared(known, file).await?;
        let inside = self.attachments(job, &mut file, known).await?;
        file.document.warnings.extend(inside.warnings);
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
        reader: rules.reader(&candidate.path),
        code: problem.code.to_owned(),
        reason: problem.reason,
        attempts: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_judged_by_its_own_fault_only() {
        let password = problem_of(WorkerError::Rejected(ReadError::Password)).unwrap();
        assert_eq!((password.code, password.passing), ("password", false));
        assert_eq!(problem_of(WorkerError::TimedOut { seconds: 60 }).unwrap().code, "timed-out");
        let start = WorkerError::Start { program: "dossier".into(), source: std::io::Error::other("none") };
        assert!(matches!(problem_of(start), Err(JobError::Worker(_))));
    }
}
