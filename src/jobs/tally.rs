//! What a run counts while it works, besides the sums of each source.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::{
    JobError,
    run::Run,
    summary::{DeletionProof, ProjectSummary},
};
use crate::catalog::{ChunkId, ProjectId, Removed};

/// What happened to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Added,
    Modified,
    Moved,
    Deleted,
}

#[derive(Debug, Default)]
pub(super) struct Tally(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    projects: BTreeMap<ProjectId, ProjectSummary>,
    removed: u64,
    removed_chunks: BTreeSet<ChunkId>,
    bytes: u64,
    reading: Duration,
}

impl Tally {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn count(&self, what: What, project: ProjectId, documents: u64) {
        if documents > 0 {
            self.counts().projects.entry(project).or_default().changes.add(what, documents);
        }
    }

    /// Documents were taken away, with their chunks.
    pub(super) fn removed(&self, removed: &[Removed]) {
        for one in removed {
            self.count(What::Deleted, one.project, 1);
            let mut counts = self.counts();
            counts.removed += 1;
            counts.removed_chunks.extend(&one.chunks);
        }
    }

    /// A file of so many bytes was read in so much time, of however many readers at work.
    pub(super) fn read(&self, bytes: u64, time: Duration) {
        let mut counts = self.counts();
        counts.bytes += bytes;
        counts.reading += time;
    }

    /// Bytes read, and the time that the readers took together.
    pub(super) fn reading(&self) -> (u64, Duration) {
        let counts = self.counts();
        (counts.bytes, counts.reading)
    }
}

impl Run<'_> {
    /// The changes of each project, by its name.
    pub(super) fn by_project(&self) -> Result<Vec<ProjectSummary>, JobError> {
        let mut projects = Vec::new();
        for (id, counted) in &self.tally.counts().projects {
            let name = self.jobs.catalog.project_name(*id)?;
            projects.push(ProjectSummary { name, ..counted.clone() });
        }
        projects.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(projects)
    }

    /// Asks both search indexes for what this run deleted. `None` where it deleted nothing.
    pub(super) async fn prove_deletion(&self) -> Result<Option<DeletionProof>, JobError> {
        let (documents, chunks) = {
            let mut counts = self.tally.counts();
            (counts.removed, std::mem::take(&mut counts.removed_chunks))
        };
        if documents == 0 {
            return Ok(None);
        }
        let held = self.jobs.index.ids().await?;
        let found = |held: &BTreeSet<ChunkId>| chunks.intersection(held).count() as u64;
        Ok(Some(DeletionProof {
            documents,
            chunks: chunks.len() as u64,
            found_in_words: found(&held.lexical),
            found_in_vectors: self.embedder().and(held.vectors.as_ref()).map(found),
        }))
    }
}
