//! Taking away: what a run that was cut off left, and documents whose file is gone.

use std::{collections::BTreeMap, fs};

use super::{JobError, batch::ingested, blocking, progress::Step, run::Run};
use crate::{
    audit::Event,
    catalog::{ChunkId, DocumentId, Removed},
};

/// Documents that are taken away together.
const MAX_DOCUMENTS: usize = 64;

impl Run<'_> {
    /// Brings catalog, index and audit log to the state that the last completed step meant.
    pub(super) async fn clean(&self) -> Result<(), JobError> {
        let catalog = self.jobs.catalog.clone();
        self.tracker.tell(Step::Clean, None, None);
        let unfinished = blocking(move || catalog.unfinished()).await??;
        let mut removed: BTreeMap<DocumentId, u64> = BTreeMap::new();
        for one in unfinished.iter().filter(|one| one.removed) {
            *removed.entry(one.document).or_default() += one.chunks.len() as u64;
        }
        let events = removed.into_iter().map(|(document, chunks)| deletion(document, chunks, 0)).collect();
        if !unfinished.is_empty() {
            tracing::info!(generations = unfinished.len(), "cleaning up after a run that was cut off");
            self.purge(unfinished.into_iter().flat_map(|one| one.chunks).collect(), events).await?;
        }
        let unlogged = self.jobs.catalog.unlogged()?;
        if !unlogged.is_empty() {
            self.log(unlogged.iter().map(|u| ingested(u.document, &u.sha256, u.chunks)).collect()).await?;
            self.jobs.catalog.set_logged(&unlogged.iter().map(|u| u.document).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Takes documents away, with those inside them. Gives how many that were.
    pub(super) async fn delete(
        &self,
        documents: Vec<DocumentId>,
        source: Option<&str>,
    ) -> Result<u64, JobError> {
        let mut deleted = 0;
        for some in documents.chunks(MAX_DOCUMENTS) {
            self.tracker.tell(Step::Delete, source, None);
            let (catalog, some) = (self.jobs.catalog.clone(), some.to_vec());
            let removed = blocking(move || {
                let mut removed = Vec::new();
                for document in some {
                    removed.extend(catalog.remove(document)?);
                }
                Ok::<_, JobError>(removed)
            })
            .await??;
            deleted += removed.len() as u64;
            self.tally.removed(&removed);
            let events = self.deleted(&removed)?;
            self.purge(removed.into_iter().flat_map(|r| r.chunks).collect(), events).await?;
        }
        Ok(deleted)
    }

    /// Out of the index, durably; into the log; out of the catalog. In this order, so that nothing is
    /// forgotten before it is gone and logged.
    async fn purge(&self, chunks: Vec<ChunkId>, events: Vec<Event>) -> Result<(), JobError> {
        self.tracker.tell(Step::Forget, None, None);
        self.jobs.index.delete(&chunks).await?;
        self.jobs.index.flush().await?;
        self.tracker.tell(Step::Log, None, None);
        self.log(events).await?;
        self.tracker.tell(Step::Purge, None, None);
        let catalog = self.jobs.catalog.clone();
        blocking(move || catalog.purge(&chunks)).await??;
        Ok(())
    }

    /// The events of removed documents. Their page images go here, unless another document has the same
    /// version.
    pub(super) fn deleted(&self, removed: &[Removed]) -> Result<Vec<Event>, JobError> {
        if removed.is_empty() {
            return Ok(Vec::new());
        }
        let live = self.jobs.catalog.live_versions()?;
        let event = |r: &Removed| {
            let images = match r.version.as_str() {
                "" => 0,
                version if live.contains(version) => 0,
                version => self.drop_page_images(version),
            };
            deletion(r.document, r.chunks.len() as u64, images)
        };
        Ok(removed.iter().map(event).collect())
    }

    pub(super) fn drop_page_images(&self, version: &str) -> u64 {
        let folder = self.page_images().join(version);
        let images = fs::read_dir(&folder).map_or(0, |files| files.count() as u64);
        if images > 0 && fs::remove_dir_all(&folder).is_err() {
            tracing::warn!(
                "page images of a deleted document could not be removed; the next run tries again"
            );
            return 0;
        }
        images
    }

    /// Takes away the documents of sources that the configuration no longer names.
    pub(super) async fn drop_unconfigured(&self) -> Result<u64, JobError> {
        let catalog = &self.jobs.catalog;
        let mut deleted = 0;
        for source in catalog.known_sources()? {
            if self.jobs.config.sources.iter().any(|configured| configured.name == source) {
                continue;
            }
            let mut documents: Vec<DocumentId> =
                catalog.file_states(&source)?.into_values().map(|state| state.document).collect();
            documents.sort_unstable();
            tracing::info!(source, documents = documents.len(), "source is no longer configured");
            deleted += self.delete(documents, Some(&source)).await?;
            let rejected: Vec<String> = catalog.rejections(&source)?.into_keys().collect();
            catalog.forget_rejections(&source, &rejected)?;
        }
        Ok(deleted)
    }
}

fn deletion(document: DocumentId, chunks: u64, pages: u64) -> Event {
    Event::Delete { document: document.to_string(), chunks, vectors: chunks, pages, approver: None }
}
