//! Files inside a mail, a PDF or an archive: documents of their own, written and deleted with it.

use std::collections::{HashMap, HashSet};

use ingest::{Attachment, ReadError};

use super::{
    JobError,
    batch::{Change, Prepared},
    load,
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

/// What has to be written and deleted with a mail.
#[derive(Default)]
pub(super) struct Inside {
    pub(super) prepared: Vec<Prepared>,
    /// Attachments that it no longer has.
    pub(super) gone: Vec<DocumentId>,
}

impl Run<'_> {
    /// Reads what is new among a file's attachments. `known` is the file's document, if it has one.
    pub(super) async fn attachments(
        &self,
        job: &mut Job,
        file: &Prepared,
        attachments: Vec<Attachment>,
        known: Option<DocumentId>,
    ) -> Result<Inside, JobError> {
        let mut states = match known {
            Some(document) => self.jobs.catalog.child_states(document)?,
            None => HashMap::new(),
        };
        let mut inside = Inside::default();
        let mut taken = HashSet::new();
        let mut waiting: Vec<(String, usize, Attachment)> =
            attachments.into_iter().map(|a| (file.path.clone(), 1, a)).collect();
        while let Some((folder, depth, attachment)) = waiting.pop() {
            let path = free_path(&folder, &attachment, &mut taken);
            let sha256 = load::sha256(&attachment.bytes);
            let state = states.remove(&path);
            if let Some(state) = &state
                && state.sha256 == sha256
                && job.rules.fits_inside(state, &file.path)
            {
                job.summary.unchanged += 1 + keep_below(&mut states, &path);
                continue;
            }
            if self.erased.covers_bytes(&sha256) || self.erased.covers_path(&job.source.name, &path) {
                job.summary.erased += 1;
                inside.gone.extend(state.map(|state| state.document));
                continue;
            }
            self.tracker.tell(Step::Read, Some(&job.source.name), Some(&path));
            match job.worker.read_mapped(&attachment.bytes, &attachment.name, &job.rules.mapping).await {
                Ok(reading) => {
                    let change = if state.is_some() { Change::Modified } else { Change::Added };
                    let end = &job.rules.version_end;
                    // Times and place are those of the file that it lies in.
                    let stamp = FileStamp { size: attachment.bytes.len() as u64, ..file.stamp };
                    let mut read =
                        Prepared::new(path.clone(), change, stamp, sha256, reading, end, file.rights);
                    let inner = std::mem::take(&mut read.document.attachments);
                    if depth < MAX_DEPTH {
                        waiting.extend(inner.into_iter().map(|a| (path.clone(), depth + 1, a)));
                    } else {
                        inner.iter().try_for_each(|a| self.too_deep(job, file, &path, a))?;
                    }
                    read = self.keep_erased(&job.source.name, read);
                    let known = state.as_ref().map(|state| state.document);
                    inside.prepared.push(self.compared(known, read).await?);
                }
                Err(WorkerError::Rejected(ReadError::Unsupported { .. })) => {
                    job.summary.skipped += 1;
                    job.summary.count_unknown(&path);
                    inside.gone.extend(state.map(|state| state.document));
                }
                Err(error) => {
                    let problem = problem_of(error)?;
                    let why = Rejection {
                        stamp: file.stamp,
                        reader: job.rules.reader(&path),
                        code: problem.code.to_owned(),
                        reason: problem.reason,
                        attempts: 1,
                    };
                    self.reject(job, &path, &why)?;
                }
            }
        }
        inside.gone.extend(states.into_values().map(|state| state.document));
        inside.gone.sort_unstable();
        Ok(inside)
    }

    /// Lists what lies too deep in mails and archives to be read.
    fn too_deep(
        &self,
        job: &mut Job,
        file: &Prepared,
        folder: &str,
        inner: &Attachment,
    ) -> Result<(), JobError> {
        let why = Rejection {
            stamp: file.stamp,
            reader: job.rules.reader(&file.path),
            code: "too-deep".to_owned(),
            attempts: 1,
            reason: format!(
                "it lies in more than {MAX_DEPTH} mails or archives in each other; store it on its own"
            ),
        };
        self.reject(job, &format!("{folder}/{}", plain(inner)), &why)
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
