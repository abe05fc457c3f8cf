//! The end of every run: both search indexes must hold the catalog's live chunks, no more and no less.

use std::collections::BTreeSet;

use super::{JobError, progress::Step, run::Run};
use crate::{
    catalog::{ChunkId, ChunkRow, DocumentId},
    index::{IndexChunk, passage},
};

/// Chunks that are repaired together.
const PART: usize = 512;

/// What has to happen to the indexes.
#[derive(Debug, Default, PartialEq)]
struct Difference {
    /// Held by an index, and not live.
    extra: Vec<ChunkId>,
    /// Live, and without a vector that they should have.
    missing: Vec<ChunkId>,
    /// Live, and missing in the full-text index alone.
    wordless: Vec<ChunkId>,
}

/// `vectors` is `None` where no vectors are kept.
fn difference(
    live: &BTreeSet<ChunkId>,
    lexical: &BTreeSet<ChunkId>,
    vectors: Option<&BTreeSet<ChunkId>>,
) -> Difference {
    let has_vector = |id: &ChunkId| vectors.is_some_and(|v| v.contains(id));
    let no_words = |id: &&ChunkId| !lexical.contains(id) && (vectors.is_none() || has_vector(id));
    let all = lexical.iter().chain(vectors.into_iter().flatten());
    let extra: BTreeSet<ChunkId> = all.filter(|id| !live.contains(id)).copied().collect();
    Difference {
        extra: extra.into_iter().collect(),
        missing: live.iter().filter(|id| vectors.is_some() && !has_vector(id)).copied().collect(),
        wordless: live.iter().filter(no_words).copied().collect(),
    }
}

impl Run<'_> {
    /// Compares and repairs. Gives how many chunks were put or taken away.
    pub(super) async fn reconcile(&self) -> Result<u64, JobError> {
        self.tracker.tell(Step::Reconcile, None, None);
        let mut repaired = self.embed_anew().await?;
        let live = self.jobs.catalog.live_chunk_ids()?;
        let stored = self.jobs.index.ids().await?;
        let vectors = self.embedder().and(stored.vectors.as_ref());
        let difference = difference(&live, &stored.lexical, vectors);
        let Difference { extra, missing, wordless } = difference;
        if !extra.is_empty() || !missing.is_empty() || !wordless.is_empty() {
            tracing::warn!(
                extra = extra.len(),
                missing = missing.len(),
                wordless = wordless.len(),
                "catalog and index differ; repairing"
            );
        }
        for part in extra.chunks(PART) {
            self.jobs.index.delete(part).await?;
            self.jobs.index.flush().await?;
        }
        let all = self.jobs.catalog.all_scope()?;
        for part in missing.chunks(PART) {
            let rows = self.jobs.catalog.live_chunks(&all, part)?;
            self.put_again(rows).await?;
        }
        // A newer program makes other words of the same passages; their vectors stay what they are.
        for part in wordless.chunks(PART) {
            let rows = self.jobs.catalog.live_chunks(&all, part)?;
            let chunks = rows.into_iter().map(|row| index_chunk((row, Vec::new()))).collect();
            self.jobs.index.put_words(chunks).await?;
            self.jobs.index.flush().await?;
        }
        repaired += (extra.len() + missing.len() + wordless.len()) as u64;
        Ok(repaired)
    }

    /// Makes the vectors of documents that another model embedded, or none.
    async fn embed_anew(&self) -> Result<u64, JobError> {
        let Some(embedder) = self.embedder().map(str::to_owned) else { return Ok(0) };
        let all = self.jobs.catalog.all_scope()?;
        let outdated = self.jobs.catalog.embedded_otherwise(&embedder)?;
        let (mut chunks, mut part, mut documents) = (0, Vec::new(), Vec::new());
        for (n, document) in outdated.iter().enumerate() {
            part.extend(self.jobs.catalog.chunks_of(&all, *document)?);
            documents.push(*document);
            if part.len() >= PART || n + 1 == outdated.len() {
                chunks += part.len() as u64;
                self.embed_part(std::mem::take(&mut part), std::mem::take(&mut documents), &embedder).await?;
            }
        }
        Ok(chunks)
    }

    async fn embed_part(
        &self,
        rows: Vec<ChunkRow>,
        documents: Vec<DocumentId>,
        embedder: &str,
    ) -> Result<(), JobError> {
        self.put_again(rows).await?;
        for document in documents {
            self.jobs.catalog.set_embedder(document, Some(embedder))?;
        }
        Ok(())
    }

    /// Puts live chunks into both indexes, whatever these held of them.
    pub(super) async fn put_again(&self, rows: Vec<ChunkRow>) -> Result<(), JobError> {
        if rows.is_empty() {
            return Ok(());
        }
        let index = &self.jobs.index;
        let texts = rows.iter().map(|row| passage(&row.title, &row.section, &row.text)).collect();
        let vectors = self.vectors(texts, None, None).await?;
        let ids: Vec<ChunkId> = rows.iter().map(|row| row.id).collect();
        index.delete(&ids).await?;
        index.flush().await?;
        index.put(rows.into_iter().zip(vectors).map(index_chunk).collect()).await?;
        index.flush().await?;
        Ok(())
    }
}

fn index_chunk((row, vector): (ChunkRow, Vec<f32>)) -> IndexChunk {
    IndexChunk {
        id: row.id,
        document: row.document,
        project: row.project,
        acl: row.acl,
        kind: row.kind,
        language: row.language,
        title: row.title,
        section: row.section,
        text: row.text,
        vector,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ids: &[i64]) -> BTreeSet<ChunkId> {
        ids.iter().copied().map(ChunkId).collect()
    }

    fn ids(difference: Difference) -> [Vec<i64>; 3] {
        [difference.extra, difference.missing, difference.wordless]
            .map(|ids| ids.into_iter().map(|id| id.0).collect())
    }

    #[test]
    fn both_indexes_must_hold_what_is_live() {
        let live = set(&[1, 2, 3]);
        assert_eq!(ids(difference(&live, &set(&[1, 2, 3]), Some(&set(&[1, 2, 3])))), [[0i64; 0]; 3]);
        assert_eq!(
            ids(difference(&live, &set(&[1, 2, 9]), Some(&set(&[2, 3, 8])))),
            [vec![8, 9], vec![1], vec![3]]
        );
        assert_eq!(ids(difference(&live, &set(&[1, 3]), None)), [vec![], vec![], vec![2i64]]);
    }
}
