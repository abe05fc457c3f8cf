//! Files inside a mail, a PDF or an archive: documents of their own, written and deleted with it.

use std::collections::{HashMap, HashSet};

use ingest::{Attachment, ReadError, Rest, Warning, counted};

use super::{
    JobError,
    batch::{Change, Prepared},
    blocking,
    load::{self, LoadProblem},
    progress::Step,
    run::{Job, Run},
    source::problem_of,
};
use crate::{
    catalog::{DocumentId, FileStamp, FileState, Rejection},
    worker::WorkerError,
};

/// How deep a mail in a mail, or an archive in an archive, is followed.
const MAX_DEPTH: usize = 3;

/// What has to be written and deleted with a file.
#[derive(Default)]
pub(super) struct Inside {
    pub(super) prepared: Vec<Prepared>,
    /// Attachments that it no longer has.
    pub(super) gone: Vec<DocumentId>,
    /// What was odd about the file itself and came up only now.
    pub(super) warnings: Vec<Warning>,
}

/// A mail or an archive in which files lie.
#[derive(Clone)]
struct Holder {
    path: String,
    /// In how many mails and archives its files lie, itself among them.
    depth: usize,
}

/// What of a file still waits to be read.
enum Waiting {
    File(Holder, Attachment),
    /// Members of an archive. Its bytes are `None` where it is the file on the disk.
    Rest(Holder, Rest, Option<Vec<u8>>),
}

/// The files inside one file, as far as they were looked into.
struct Inner {
    /// Last in, first out: what one portion of an archive holds is read before the next portion is.
    waiting: Vec<Waiting>,
    /// The versions known so far, by path.
    states: HashMap<String, FileState>,
    taken: HashSet<String>,
    inside: Inside,
    done: u64,
}

impl Inner {
    fn wait(&mut self, holder: &Holder, files: Vec<Attachment>, rest: Option<(Rest, Option<Vec<u8>>)>) {
        self.waiting.extend(rest.map(|(rest, bytes)| Waiting::Rest(holder.clone(), rest, bytes)));
        self.waiting.extend(files.into_iter().rev().map(|file| Waiting::File(holder.clone(), file)));
    }

    /// Files looked into, and all that are known.
    fn counts(&self) -> (u64, u64) {
        let size = |waiting: &Waiting| match waiting {
            Waiting::File(..) => 1,
            Waiting::Rest(_, rest, _) => u64::from(rest.members),
        };
        (self.done, self.done + self.waiting.iter().map(size).sum::<u64>())
    }
}

impl Run<'_> {
    /// Reads what is new among a file's attachments. `known` is the file's document, if it has one.
    pub(super) async fn attachments(
        &self,
        job: &mut Job,
        file: &mut Prepared,
        known: Option<DocumentId>,
    ) -> Result<Inside, JobError> {
        let states = match known {
            Some(document) => self.jobs.catalog.child_states(document)?,
            None => HashMap::new(),
        };
        let mut inner =
            Inner { waiting: vec![], states, taken: HashSet::new(), inside: Inside::default(), done: 0 };
        let rest = file.document.rest.take().map(|rest| (rest, None));
        let holder = Holder { path: file.path.clone(), depth: 1 };
        inner.wait(&holder, std::mem::take(&mut file.document.attachments), rest);
        loop {
            self.tracker.inside(inner.counts());
            match inner.waiting.pop() {
                None => break,
                Some(Waiting::File(holder, attachment)) => {
                    self.look_inside(job, file, &mut inner, &holder, attachment).await?;
                    inner.done += 1;
                }
                Some(Waiting::Rest(holder, rest, bytes)) => {
                    self.go_on(job, file, &mut inner, &holder, &rest, bytes).await?;
                }
            }
        }
        let Inner { states, mut inside, .. } = inner;
        inside.gone.extend(states.into_values().map(|state| state.document));
        inside.gone.sort_unstable();
        Ok(inside)
    }

    /// Reads one of them, unless it is as it was.
    async fn look_inside(
        &self,
        job: &mut Job,
        file: &Prepared,
        inner: &mut Inner,
        holder: &Holder,
        attachment: Attachment,
    ) -> Result<(), JobError> {
        let path = free_path(&holder.path, &attachment, &mut inner.taken);
        let sha256 = load::sha256(&attachment.bytes);
        let state = inner.states.remove(&path);
        if let Some(state) = &state
            && state.sha256 == sha256
            && job.rules.fits_inside(state, &file.path)
        {
            job.summary.unchanged += 1 + keep_below(&mut inner.states, &path);
            return Ok(());
        }
        if self.erased.covers_bytes(&sha256) || self.erased.covers_path(&job.source.name, &path) {
            job.summary.erased += 1;
            inner.inside.gone.extend(state.map(|state| state.document));
            return Ok(());
        }
        self.tracker.tell(Step::Read, Some(&job.source.name), Some(&path));
        match job.worker.read_mapped(&attachment.bytes, &attachment.name, &job.rules.mapping).await {
            Ok(reading) => {
                let change = if state.is_some() { Change::Modified } else { Change::Added };
                let end = &job.rules.version_end;
                // Times and place are those of the file that it lies in.
                let stamp = FileStamp { size: attachment.bytes.len() as u64, ..file.stamp };
                let mut read = Prepared::new(path.clone(), change, stamp, sha256, reading, end, file.rights);
                let files = std::mem::take(&mut read.document.attachments);
                let rest = read.document.rest.take().map(|rest| (rest, Some(attachment.bytes)));
                if holder.depth < MAX_DEPTH {
                    inner.wait(&Holder { path, depth: holder.depth + 1 }, files, rest);
                } else {
                    files.iter().try_for_each(|a| self.too_deep(job, file, &path, &plain(a)))?;
                    rest.map_or(Ok(()), |(rest, _)| self.too_deep(job, file, &path, &rest.name))?;
                }
                read = self.keep_erased(&job.source.name, read);
                let known = state.as_ref().map(|state| state.document);
                inner.inside.prepared.push(self.compared(known, read).await?);
                Ok(())
            }
            Err(WorkerError::Rejected(ReadError::Unsupported { .. })) => {
                job.summary.skipped += 1;
                job.summary.count_unknown(&path);
                inner.inside.gone.extend(state.map(|state| state.document));
                Ok(())
            }
            Err(error) => self.reject_inside(job, file, &path, problem_of(error)?),
        }
    }

    /// Reads the next portion of an archive.
    async fn go_on(
        &self,
        job: &mut Job,
        file: &Prepared,
        inner: &mut Inner,
        holder: &Holder,
        rest: &Rest,
        bytes: Option<Vec<u8>>,
    ) -> Result<(), JobError> {
        let is_on_disk = bytes.is_none();
        let read = match bytes {
            Some(bytes) => Ok(bytes),
            None => self.again(job, file).await?,
        };
        let problem = match read {
            Err(problem) => problem,
            Ok(bytes) => match job.worker.read_rest(&bytes, rest.from).await {
                Ok(document) => {
                    let bytes = (!is_on_disk).then_some(bytes);
                    inner.wait(holder, document.attachments, document.rest.map(|rest| (rest, bytes)));
                    let of = inner.inside.prepared.iter_mut().find(|p| p.path == holder.path);
                    of.map_or(&mut inner.inside.warnings, |p| &mut p.document.warnings)
                        .extend(document.warnings);
                    return Ok(());
                }
                Err(error) => problem_of(error)?,
            },
        };
        let reason =
            format!("{}; {} not read", problem.reason, counted(rest.members, "member was", "members were"));
        self.reject_inside(
            job,
            file,
            &format!("{}/{}", holder.path, rest.name),
            LoadProblem { reason, ..problem },
        )
    }

    /// The bytes of the file itself, which are to be those that were read.
    async fn again(&self, job: &Job, file: &Prepared) -> Result<Result<Vec<u8>, LoadProblem>, JobError> {
        let (path, most) = (job.source.path.join(&file.path), self.jobs.config.ingest.max_file_mb << 20);
        let loaded = blocking(move || load::load(&path, most)).await?;
        Ok(loaded.and_then(|loaded| match loaded.sha256 == file.sha256 {
            true => Ok(loaded.bytes),
            false => Err(LoadProblem {
                code: "changing",
                reason: "the archive changed while it was read; the next run reads it again".into(),
                passing: true,
            }),
        }))
    }

    fn reject_inside(
        &self,
        job: &mut Job,
        file: &Prepared,
        path: &str,
        problem: LoadProblem,
    ) -> Result<(), JobError> {
        let why = Rejection {
            stamp: file.stamp,
            reader: job.rules.reader(path),
            code: problem.code.to_owned(),
            reason: problem.reason,
            attempts: 1,
        };
        self.reject(job, path, &why)
    }

    /// Lists what lies too deep in mails and archives to be read.
    fn too_deep(&self, job: &mut Job, file: &Prepared, folder: &str, name: &str) -> Result<(), JobError> {
        let reason =
            format!("it lies in more than {MAX_DEPTH} mails or archives in each other; store it on its own");
        let problem = LoadProblem { code: "too-deep", reason, passing: false };
        self.reject_inside(job, file, &format!("{folder}/{name}"), problem)
    }
}

/// An attachment's name below its mail or archive: folders stay, steps out of them do not.
fn plain(attachment: &Attachment) -> String {
    let parts: Vec<String> = attachment
        .name
        .split(['/', '\\'])
        .map(|part| part.replace('\0', "_").trim().to_owned())
        .filter(|part| !matches!(part.as_str(), "" | "." | ".."))
        .collect();
    if parts.is_empty() { format!("part-{}", attachment.part) } else { parts.join("/") }
}

/// A path for the attachment below its mail; a second one of the same name gets a number.
fn free_path(folder: &str, attachment: &Attachment, taken: &mut HashSet<String>) -> String {
    let name = plain(attachment);
    let file_at = name.rfind('/').map_or(0, |at| at + 1);
    let (stem, end) = name
        .rsplit_once('.')
        .filter(|(stem, _)| stem.len() > file_at)
        .map_or((name.as_str(), String::new()), |(s, e)| (s, format!(".{e}")));
    let numbered = |n: u32| match n {
        1 => format!("{folder}/{name}"),
        n => format!("{folder}/{stem} ({n}){end}"),
    };
    let path = (1..).map(numbered).find(|path| !taken.contains(path)).unwrap_or_default();
    taken.insert(path.clone());
    path
}

/// Takes out what lies inside an attachment that is as before, and counts it.
fn keep_below(states: &mut HashMap<String, FileState>, path: &str) -> u64 {
    let before = states.len();
    states.retain(|other, _| !other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')));
    (before - states.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attachment_gets_a_path_of_its_own() {
        let mut taken = HashSet::new();
        let mut path = |name: &str, part| {
            free_path("d/m.eml", &Attachment { name: name.into(), part, bytes: vec![] }, &mut taken)
        };
        assert_eq!(path("plan.pdf", 1), "d/m.eml/plan.pdf");
        assert_eq!(path("plan.pdf", 2), "d/m.eml/plan (2).pdf");
        assert_eq!(path("plan.pdf", 3), "d/m.eml/plan (3).pdf");
        assert_eq!(path("../../etc/passwd", 4), "d/m.eml/etc/passwd");
        assert_eq!(path("Pläne/v1.2/LIESMICH", 7), "d/m.eml/Pläne/v1.2/LIESMICH");
        assert_eq!(path("Pläne\\v1.2/LIESMICH", 8), "d/m.eml/Pläne/v1.2/LIESMICH (2)");
        assert_eq!(path(" .. ", 5), "d/m.eml/part-5");
        assert_eq!(path("", 6), "d/m.eml/part-6");
    }
}
