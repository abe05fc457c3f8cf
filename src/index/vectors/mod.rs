//! Vector search: the only place that speaks to LanceDB.
//!
//! One table, `chunks(id, document, acl, project, kind, vector)`. [`Vectors::put`] gathers rows,
//! [`Vectors::flush`] writes them as one fragment and syncs every new file and folder to disk
//! (LanceDB itself does not sync). A process killed in between leaves the last complete version of
//! the table; files of an unfinished write are unknown to it and go with the next
//! [`Vectors::compact`].

mod rows;
#[cfg(test)]
mod tests;
mod upkeep;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use arrow_array::{Int64Array, RecordBatch};
use futures::TryStreamExt;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use lancedb::{DistanceType, Session, Table};
use tokio::sync::{Mutex, RwLock};

use self::upkeep::Bounds;
use super::lexical::Filter;
use super::{IndexChunk, IndexError};

const TABLE: &str = "chunks";
/// Groups of an index that are looked through: all of them up to some 260,000 vectors, a quarter of a million's.
const PROBES: usize = 32;
/// Candidates compared again with their full vectors, per hit, where an index is used.
const REFINE: u32 = 3;
/// What the engine keeps of the index to search it, in bytes; an idle server holds no more.
const INDEX_CACHE_BYTES: usize = 256 << 20;
/// What the engine keeps about versions, fragments and files of the table, in bytes.
const METADATA_CACHE_BYTES: usize = 2 << 20;
/// Ids per delete statement.
const DELETE_BATCH: usize = 500;

/// The vector table.
pub(super) struct Vectors {
    dir: PathBuf,
    dim: usize,
    table: Table,
    #[cfg(test)]
    session: Arc<Session>,
    bounds: Bounds,
    pending: Mutex<Vec<IndexChunk>>,
    synced: Mutex<HashSet<PathBuf>>,
    writes: AtomicUsize,
    indexed: AtomicBool,
    /// Held for reading by searches; for writing while old versions' files are removed.
    gate: RwLock<()>,
}

impl Vectors {
    /// Opens the table in `dir`. `dim` is the embedding model's width, 0 without a model.
    ///
    /// Without a table and without a model there is nothing to open: `None`. A table of another
    /// width was made by another model; its vectors are useless and it is made anew.
    pub(super) async fn open(dir: &Path, dim: usize) -> Result<Option<Self>, IndexError> {
        std::fs::create_dir_all(dir).map_err(|source| IndexError::Io { path: dir.to_path_buf(), source })?;
        let fail = |source| IndexError::Vectors { dir: dir.to_path_buf(), source };
        let session = Arc::new(Session::new(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES, Arc::default()));
        let uri = dir.to_string_lossy();
        let connection =
            lancedb::connect(&uri).session(Arc::clone(&session)).execute().await.map_err(fail)?;
        let names = connection.table_names().execute().await.map_err(fail)?;
        let mut table = None;
        if names.iter().any(|n| n == TABLE) {
            let opened = connection.open_table(TABLE).execute().await.map_err(fail)?;
            let width = rows::width_of(opened.schema().await.map_err(fail)?.as_ref());
            if dim == 0 || width == Some(dim) {
                table = Some((opened, width.unwrap_or(0)));
            } else {
                tracing::warn!(found = ?width, wanted = dim, "the vectors are another model's and are removed");
                connection.drop_table(TABLE, &[]).await.map_err(fail)?;
            }
        }
        let (table, dim) = match table {
            Some(found) => found,
            None if dim == 0 => return Ok(None),
            None => {
                (connection.create_empty_table(TABLE, rows::schema(dim)).execute().await.map_err(fail)?, dim)
            }
        };
        let indexed = !table.list_indices().await.map_err(fail)?.is_empty();
        Ok(Some(Vectors {
            dir: dir.to_path_buf(),
            dim,
            table,
            #[cfg(test)]
            session,
            bounds: Bounds::default(),
            pending: Mutex::default(),
            synced: Mutex::default(),
            writes: AtomicUsize::new(0),
            indexed: AtomicBool::new(indexed),
            gate: RwLock::default(),
        }))
    }

    fn fail(&self, source: lancedb::Error) -> IndexError {
        IndexError::Vectors { dir: self.dir.clone(), source }
    }

    /// Takes chunks that have a vector. Written by [`Vectors::flush`].
    pub(super) async fn put(&self, chunks: &[IndexChunk]) -> Result<(), IndexError> {
        let mut pending = self.pending.lock().await;
        for chunk in chunks.iter().filter(|c| !c.vector.is_empty()) {
            if chunk.vector.len() != self.dim {
                let (expected, found) = (self.dim, chunk.vector.len());
                return Err(IndexError::Dimension { chunk: chunk.id.0, expected, found });
            }
            pending.push(without_words(chunk));
        }
        Ok(())
    }

    /// Removes chunks, written or not. Durable after [`Vectors::flush`].
    pub(super) async fn delete(&self, ids: &[i64]) -> Result<(), IndexError> {
        let gone: HashSet<i64> = ids.iter().copied().collect();
        self.pending.lock().await.retain(|c| !gone.contains(&c.id.0));
        for batch in ids.chunks(DELETE_BATCH) {
            self.table.delete(&rows::in_list("id", batch)).await.map_err(|e| self.fail(e))?;
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes what was put, and syncs it and all deletions to disk.
    pub(super) async fn flush(&self) -> Result<(), IndexError> {
        let chunks = std::mem::take(&mut *self.pending.lock().await);
        if !chunks.is_empty() {
            let batch = rows::batch(&chunks, self.dim).map_err(|e| self.fail(e.into()))?;
            self.table.add(batch).execute().await.map_err(|e| self.fail(e))?;
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
        if self.writes.load(Ordering::Relaxed) >= self.bounds.writes {
            self.tidy().await?;
        }
        self.sync().await
    }

    /// The nearest `limit` chunks: ids with cosine similarity, best first. `exact`: by comparing every vector, index or
    /// not.
    pub(super) async fn search(
        &self,
        vector: &[f32],
        filter: &Filter,
        limit: usize,
        exact: bool,
    ) -> Result<Vec<(i64, f32)>, IndexError> {
        if filter.acls.is_empty() || limit == 0 || vector.len() != self.dim {
            return Ok(Vec::new());
        }
        let _shared = self.gate.read().await;
        let mut query = self
            .table
            .query()
            .limit(limit)
            .only_if(rows::condition(filter))
            .select(Select::columns(&["id", "_distance"]))
            .nearest_to(vector)
            .map_err(|e| self.fail(e))?
            .distance_type(DistanceType::Cosine);
        if exact {
            query = query.bypass_vector_index();
        } else if self.indexed.load(Ordering::Relaxed) {
            query = query.nprobes(PROBES).map_err(|e| self.fail(e))?.refine_factor(REFINE);
        }
        let stream = query.execute().await.map_err(|e| self.fail(e))?;
        let batches: Vec<RecordBatch> = stream.try_collect().await.map_err(|e| self.fail(e))?;
        let mut hits: Vec<(i64, f32)> = batches.iter().flat_map(rows::hits).collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // A chunk put twice (a repair that met a finished write) is one hit.
        let mut seen = HashSet::new();
        hits.retain(|(id, _)| seen.insert(*id));
        Ok(hits)
    }

    /// Ids of every chunk that has a vector here.
    pub(super) async fn ids(&self) -> Result<BTreeSet<i64>, IndexError> {
        let _shared = self.gate.read().await;
        let query = self.table.query().select(Select::columns(&["id"]));
        let stream = query.execute().await.map_err(|e| self.fail(e))?;
        let batches: Vec<RecordBatch> = stream.try_collect().await.map_err(|e| self.fail(e))?;
        Ok(batches
            .iter()
            .filter_map(|b| rows::column::<Int64Array>(b, "id"))
            .flat_map(|c| c.iter().flatten())
            .collect())
    }

    /// Numbers per vector.
    pub(super) fn dim(&self) -> usize {
        self.dim
    }

    /// Rows, and whether an index beside the flat vectors is used.
    pub(super) async fn health(&self) -> Result<(usize, bool), IndexError> {
        let rows = self.table.count_rows(None).await.map_err(|e| self.fail(e))?;
        Ok((rows, self.indexed.load(Ordering::Relaxed)))
    }
}

/// What the vector table keeps of a chunk.
fn without_words(chunk: &IndexChunk) -> IndexChunk {
    IndexChunk {
        id: chunk.id,
        document: chunk.document,
        project: chunk.project,
        acl: chunk.acl,
        kind: chunk.kind,
        language: None,
        title: String::new(),
        section: Vec::new(),
        text: String::new(),
        vector: chunk.vector.clone(),
    }
}
