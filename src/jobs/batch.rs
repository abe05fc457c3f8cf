//! Writing a batch: embed → stage → index → flush → commit → forget → log → purge.

use ingest::{Chunk, Document};

use super::{
    JobError, RunSummary, blocking,
    progress::Step,
    rights::Rights,
    run::{Job, Run},
    tally::What,
};
use crate::{
    audit::Event,
    catalog::{ChunkId, DocumentId, FileStamp, ModelChanges, NewVersion, Replaced, Staged},
    index::{IndexChunk, passage},
    worker::Reading,
};

/// A batch is written once it holds so many documents or chunks: every flush of the search indexes costs
/// tens of milliseconds, and every document that waits holds memory. Few documents have so few chunks that
/// the first bound counts.
const MAX_DOCUMENTS: usize = 128;
const MAX_CHUNKS: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Added,
    Modified,
}

/// A document that was read and is not yet written.
pub(super) struct Prepared {
    pub(super) path: String,
    pub(super) change: Change,
    pub(super) stamp: FileStamp,
    pub(super) sha256: String,
    pub(super) version: String,
    pub(super) rights: Rights,
    pub(super) document: Document,
    /// Of a model, what changed since the version before.
    pub(super) changes: Option<ModelChanges>,
    /// True where this run compared it: its bytes are new.
    pub(super) is_compared: bool,
    pub(super) chunks: Vec<Chunk>,
}

impl Prepared {
    pub(super) fn new(
        path: String,
        change: Change,
        stamp: FileStamp,
        sha256: String,
        reading: Reading,
        version_end: &str,
        rights: Rights,
    ) -> Self {
        let version = format!("{sha256}{version_end}");
        let Reading { document, chunks, .. } = reading;
        Prepared {
            path,
            change,
            stamp,
            sha256,
            version,
            rights,
            document,
            changes: None,
            is_compared: false,
            chunks,
        }
    }
}

/// A file and what came inside it: visible together or not at all.
pub(super) struct Group {
    /// The file first, then its attachments.
    pub(super) members: Vec<Prepared>,
    /// Attachments that the file no longer has.
    pub(super) gone: Vec<DocumentId>,
    /// Size of the file.
    pub(super) bytes: u64,
}

#[derive(Default)]
pub(super) struct Batch {
    groups: Vec<Group>,
    documents: usize,
    chunks: usize,
}

impl Batch {
    pub(super) fn push(&mut self, group: Group) {
        self.documents += group.members.len();
        self.chunks += group.members.iter().map(|m| m.chunks.len()).sum::<usize>();
        self.groups.push(group);
    }

    pub(super) fn is_full(&self) -> bool {
        self.documents >= MAX_DOCUMENTS || self.chunks >= MAX_CHUNKS
    }

    /// The path to show for the steps of this batch: that of its only file.
    fn path(&self) -> Option<String> {
        match self.groups.as_slice() {
            [only] => only.members.first().map(|m| m.path.clone()),
            _ => None,
        }
    }

    fn passages(&self) -> Vec<String> {
        let members = self.groups.iter().flat_map(|g| &g.members);
        members
            .flat_map(|m| m.chunks.iter().map(|c| passage(&m.document.title, &c.section, &c.text)))
            .collect()
    }
}

impl Run<'_> {
    /// Takes a batch in. Nothing of it is seen before the commit, all of it after.
    pub(super) async fn write(
        &self,
        job: &mut Job,
        batch: Batch,
        summary: &mut RunSummary,
    ) -> Result<(), JobError> {
        if batch.groups.is_empty() {
            return Ok(());
        }
        self.check_space()?;
        let (name, path) = (job.source.name.clone(), batch.path());
        let tell = |step| self.tracker.tell(step, Some(&name), path.as_deref());
        let index = &self.jobs.index;
        let bytes: Vec<u64> = batch.groups.iter().map(|g| g.bytes).collect();
        let gone: Vec<DocumentId> = batch.groups.iter().flat_map(|g| g.gone.clone()).collect();

        self.tracker.begin_batch(bytes.len(), bytes.iter().sum());
        let vectors = self.vectors(batch.passages(), Some(&name), path.as_deref()).await?;
        tell(Step::Stage);
        let written = self.stage(job, batch).await?;
        tell(Step::Index);
        let mut chunks = index_chunks(&written, vectors);
        while !chunks.is_empty() {
            index.put(chunks.split_off(chunks.len().saturating_sub(MAX_CHUNKS))).await?;
        }
        tell(Step::Flush);
        index.flush().await?;
        tell(Step::Commit);
        let staged: Vec<Staged> = written.iter().map(|(staged, _)| staged.clone()).collect();
        let catalog = self.jobs.catalog.clone();
        let replaced = blocking(move || catalog.commit_all(&staged, &gone)).await??;
        tell(Step::Forget);
        let old = old_chunks(&replaced);
        if !old.is_empty() {
            index.delete(&old).await?;
            index.flush().await?;
        }
        tell(Step::Log);
        self.log_written(&written, &replaced).await?;
        tell(Step::Purge);
        let catalog = self.jobs.catalog.clone();
        blocking(move || catalog.purge(&old)).await??;

        job.summary.changes.add(What::Deleted, replaced.removed.len() as u64);
        self.tally.removed(&replaced.removed);
        for (staged, member) in &written {
            summary.count_model(&name, member, staged.document);
            summary.count_pages(&name, &member.path, &member.document);
            summary.chunks += member.chunks.len() as u64;
            let what = match member.change {
                Change::Added => What::Added,
                Change::Modified => What::Modified,
            };
            job.summary.changes.add(what, 1);
            self.tally.count(what, member.rights.project, 1);
        }
        bytes.into_iter().for_each(|bytes| self.tracker.advance(bytes));
        self.tracker.end_batch();
        Ok(())
    }

    /// Writes every document of the batch beside its live version.
    async fn stage(&self, job: &Job, batch: Batch) -> Result<Vec<(Staged, Prepared)>, JobError> {
        let catalog = self.jobs.catalog.clone();
        let source = job.source.name.clone();
        let embedder = self.embedder().map(str::to_owned);
        blocking(move || {
            let groups: Vec<Vec<NewVersion<'_>>> = batch
                .groups
                .iter()
                .map(|group| {
                    let version = |member| new_version(member, &source, embedder.as_deref());
                    group.members.iter().map(version).collect()
                })
                .collect();
            let staged = catalog.stage_all(&groups)?;
            Ok(staged.into_iter().zip(batch.groups.into_iter().flat_map(|group| group.members)).collect())
        })
        .await?
    }

    async fn log_written(&self, written: &[(Staged, Prepared)], replaced: &Replaced) -> Result<(), JobError> {
        let mut events: Vec<Event> = written
            .iter()
            .map(|(staged, member)| ingested(staged.document, &member.sha256, member.chunks.len() as u64))
            .collect();
        events.extend(self.deleted(&replaced.removed)?);
        self.log(events).await?;
        let documents: Vec<DocumentId> = written.iter().map(|(staged, _)| staged.document).collect();
        Ok(self.jobs.catalog.set_logged(&documents)?)
    }
}

fn new_version<'a>(member: &'a Prepared, source: &'a str, embedder: Option<&'a str>) -> NewVersion<'a> {
    NewVersion {
        source,
        path: &member.path,
        project: member.rights.project,
        acl: member.rights.acl,
        parent: None,
        version: &member.version,
        embedder,
        sha256: &member.sha256,
        stamp: member.stamp,
        document: &member.document,
        changes: member.changes.as_ref(),
        chunks: &member.chunks,
    }
}

/// The event of a version that became searchable.
pub(super) fn ingested(document: DocumentId, sha256: &str, chunks: u64) -> Event {
    Event::Ingest {
        document: document.to_string(),
        version: sha256.to_owned(),
        reader: format!("r{}", ingest::READER_VERSION),
        chunks,
    }
}

fn old_chunks(replaced: &Replaced) -> Vec<ChunkId> {
    replaced.chunks.iter().chain(replaced.removed.iter().flat_map(|r| &r.chunks)).copied().collect()
}

fn index_chunks(written: &[(Staged, Prepared)], vectors: Vec<Vec<f32>>) -> Vec<IndexChunk> {
    let chunks = written.iter().flat_map(|(staged, member)| {
        staged.chunks.iter().zip(&member.chunks).map(move |(id, chunk)| (*id, staged.document, member, chunk))
    });
    chunks
        .zip(vectors)
        .map(|((id, document, member, chunk), vector)| {
            let rights = (member.rights.project, member.rights.acl);
            IndexChunk::of(id, document, rights, &member.document.title, chunk, vector)
        })
        .collect()
}
