//! Erasing: taking documents, records, elements and names out of catalog, indexes and caches, down to the bytes.
//!
//! A document that goes whole takes the way of one whose file is gone. Where only names or records go, the passages
//! leave both indexes first, then the catalog is changed, then the passages come back without the names; what is cut
//! off in between is put right when the erasure is carried out again, which the list of erasures sees to. At the end
//! both indexes and the catalog are written anew.

use serde::Serialize;
use serde_json::Value;

use super::{
    JobError, Jobs,
    batch::Prepared,
    blocking,
    progress::{Progress, Step, Tracker},
    run::Run,
};
use crate::{
    audit::Actor,
    catalog::{DocumentFilter, DocumentRow, Scrub, Scrubbed},
    erasure::{Erasures, MARK, Rules},
};

/// Documents that are listed together.
const DOCUMENTS: u64 = 500;

/// A document that an erasure changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Erased {
    /// Name of the source.
    pub source: String,
    /// Path in it.
    pub path: String,
    /// True where the whole document goes.
    pub whole: bool,
    /// Passages that go or change.
    pub passages: u64,
    /// Records and elements that go.
    pub items: u64,
    /// Other rows of the catalog (elements, records, pages, facts) that change.
    pub rows: u64,
}

/// What has to go, as the catalog asks for it.
struct Gone<'a>(&'a Rules);

impl Scrub for Gone<'_> {
    fn text(&self, text: &str) -> Option<String> {
        self.0.names.without(text)
    }

    fn words(&self, words: &[&str]) -> Option<Vec<String>> {
        self.0.names.without_over(words)
    }

    fn value(&self, value: &mut Value) -> bool {
        self.0.names.take_out(value)
    }

    fn item(&self, source: &str, path: &str, item: &str) -> bool {
        self.0.covers_item(source, path, item)
    }

    fn path(&self, source: &str, path: &str) -> bool {
        self.0.covers_path(source, path)
    }
}

impl Jobs {
    /// What an erasure would change, document by document; changes nothing.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub async fn would_erase(
        &self,
        rules: &Rules,
        progress: impl Fn(Progress) + Send + Sync,
    ) -> Result<Vec<Erased>, JobError> {
        let actor = Actor::system();
        let run = Run::new(self, &actor, Tracker::new(&progress, &self.progress), Rules::default());
        Ok(run.touched(rules).await?.into_iter().map(|(_, erased, _)| erased).collect())
    }

    /// Erases in the documents, the indexes, the page images, the beginnings of prompts and the catalog's file.
    ///
    /// # Errors
    /// A run is under way, or catalog, index or log cannot be written. What was done until then stays; the erasure is
    /// to be carried out again.
    pub async fn erase(
        &self,
        actor: &Actor,
        rules: &Rules,
        progress: impl Fn(Progress) + Send + Sync,
    ) -> Result<Vec<Erased>, JobError> {
        let _running = self.running.try_lock().map_err(|_| JobError::Busy)?;
        let run = Run::new(self, actor, Tracker::new(&progress, &self.progress), Rules::default());
        run.clean().await?;
        let touched = run.touched(rules).await?;
        run.tracker.expect(touched.len() as u64, 0);
        let whole: Vec<&DocumentRow> =
            touched.iter().filter(|(_, erased, _)| erased.whole).map(|(row, ..)| row).collect();
        // What lies inside a document goes with it.
        let goes = |id| whole.iter().any(|row| row.id == id);
        let tops = whole.iter().filter(|row| !row.parent.is_some_and(goes)).map(|row| row.id).collect();
        run.delete(tops, None).await?;
        for (row, _, found) in touched.iter().filter(|(_, erased, _)| !erased.whole) {
            run.scrub(rules, row, found).await?;
            run.tracker.advance(0);
        }
        run.tracker.tell(Step::Reconcile, None, None);
        run.reconcile().await?;
        run.tracker.tell(Step::Compact, None, None);
        self.index.expunge().await?;
        if let Some(generator) = self.engine.generator.clone() {
            blocking(move || generator.forget_prompts()).await??;
        }
        let (catalog, rules) = (self.catalog.clone(), rules.clone());
        blocking(move || catalog.expunge(&Gone(&rules))).await??;
        run.tracker.tell(Step::Done, None, None);
        Ok(touched.into_iter().map(|(_, erased, _)| erased).collect())
    }

    /// What must not come back.
    pub(super) fn erased(&self) -> Result<Rules, JobError> {
        Ok(Erasures::open(&self.config.data)?.rules())
    }
}

impl Run<'_> {
    /// Every document that the rules touch, with what they touch in it.
    async fn touched(&self, rules: &Rules) -> Result<Vec<(DocumentRow, Erased, Scrubbed)>, JobError> {
        let scope = self.jobs.catalog.all_scope()?;
        let mut touched = Vec::new();
        let mut offset = 0;
        loop {
            self.tracker.tell(Step::Scan, None, None);
            let filter = DocumentFilter { offset, limit: DOCUMENTS, ..DocumentFilter::default() };
            let (catalog, scope, rules) = (self.jobs.catalog.clone(), scope.clone(), rules.clone());
            let (some, seen) = blocking(move || {
                let (rows, _) = catalog.documents(&scope, &filter)?;
                let seen = rows.len() as u64;
                let mut some = Vec::new();
                for row in rows {
                    let found = catalog.scrub(row.id, &Gone(&rules), false)?.unwrap_or_default();
                    some.extend(erased(&rules, row, found));
                }
                Ok::<_, JobError>((some, seen))
            })
            .await??;
            if seen == 0 {
                return Ok(touched);
            }
            offset += seen;
            touched.extend(some);
        }
    }

    /// Takes names, records and elements out of one document.
    async fn scrub(&self, rules: &Rules, row: &DocumentRow, found: &Scrubbed) -> Result<(), JobError> {
        self.tracker.tell(Step::Forget, Some(&row.source), Some(&row.path));
        let index = &self.jobs.index;
        let chunks = [found.changed.as_slice(), found.dropped.as_slice()].concat();
        index.delete(&chunks).await?;
        index.flush().await?;
        self.drop_page_images(&found.version);
        let (catalog, rules, id) = (self.jobs.catalog.clone(), rules.clone(), row.id);
        blocking(move || catalog.scrub(id, &Gone(&rules), true)).await??;
        let all = self.jobs.catalog.all_scope()?;
        let rows = self.jobs.catalog.live_chunks(&all, &found.changed)?;
        self.put_again(rows).await
    }

    /// Takes what was erased out of a file that was read again.
    pub(super) fn keep_erased(&self, source: &str, mut file: Prepared) -> Prepared {
        if self.erased.is_empty() {
            return file;
        }
        let (document, chunks) = (&mut file.document, &mut file.chunks);
        if let Err(error) = self.erased.clean(source, &file.path, document, chunks) {
            tracing::warn!(%error, "nothing of a file was taken over, since what was erased cannot be told from the rest");
            file.document = ingest::Document::new(file.document.kind, MARK);
            file.chunks = Vec::new();
        }
        file
    }
}

fn erased(rules: &Rules, row: DocumentRow, found: Scrubbed) -> Option<(DocumentRow, Erased, Scrubbed)> {
    let whole = rules.covers_path(&row.source, &row.path) || rules.covers_bytes(&row.sha256);
    if !whole && found.is_empty() {
        return None;
    }
    let passages = match whole {
        true => u64::from(row.chunks),
        false => (found.changed.len() + found.dropped.len()) as u64,
    };
    let (items, rows) = if whole { (0, 0) } else { (found.items, found.rows) };
    let (source, path) = (row.source.clone(), row.path.clone());
    Some((row, Erased { source, path, whole, passages, items, rows }, found))
}
