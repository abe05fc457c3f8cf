//! Vector search: the only place that speaks to LanceDB.
//!
//! One table, `chunks(id, document, acl, project, kind, vector)`. [`Vectors::put`] gathers rows,
//! [`Vectors::flush`] writes them as one fragment and syncs every new file and folder to disk
//! (LanceDB itself does not sync). A process killed in between leaves the last complete version of
//! the table; files of an unfinished write are unknown to it and go with the next
//! [`Vectors::compact`].

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use arrow_array::types::Float32Type;
use arrow_array::{Array, FixedSizeListArray, Float32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use futures::TryStreamExt;
use lancedb::index::Index as VectorIndex;
use lancedb::index::vector::IvfHnswSqIndexBuilder;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use lancedb::table::{CompactionOptions, Duration, OptimizeAction, OptimizeOptions};
use lancedb::{DistanceType, Session, Table};
use tokio::sync::{Mutex, RwLock};

use super::lexical::Filter;
use super::{IndexChunk, IndexError};

const TABLE: &str = "chunks";
/// Below this many rows every vector is compared: exact, and as fast as an index with its loading.
const INDEX_FROM_ROWS: usize = 50_000;
/// Candidates compared again with their full vectors, per hit, where an index is used.
const REFINE: u32 = 3;
/// Caches, in bytes: an idle server holds no more.
const INDEX_CACHE_BYTES: usize = 256 << 20;
const METADATA_CACHE_BYTES: usize = 16 << 20;
/// Ids per delete statement.
const DELETE_BATCH: usize = 500;
/// Writes after which fragments are joined and old versions removed even in the middle of a run.
const HOUSEKEEPING_WRITES: usize = 64;

/// The vector table.
pub(super) struct Vectors {
    dir: PathBuf,
    dim: usize,
    table: Table,
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
        let session = Session::new(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES, Arc::default());
        let uri = dir.to_string_lossy();
        let connection = lancedb::connect(&uri).session(Arc::new(session)).execute().await.map_err(fail)?;
        let names = connection.table_names().execute().await.map_err(fail)?;
        let mut table = None;
        if names.iter().any(|n| n == TABLE) {
            let opened = connection.open_table(TABLE).execute().await.map_err(fail)?;
            let width = width_of(opened.schema().await.map_err(fail)?.as_ref());
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
            None => (connection.create_empty_table(TABLE, schema(dim)).execute().await.map_err(fail)?, dim),
        };
        let indexed = !table.list_indices().await.map_err(fail)?.is_empty();
        Ok(Some(Vectors {
            dir: dir.to_path_buf(),
            dim,
            table,
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
            let text = String::new();
            pending.push(IndexChunk { text, title: String::new(), section: Vec::new(), ..chunk.clone() });
        }
        Ok(())
    }

    /// Removes chunks, written or not. Durable after [`Vectors::flush`].
    pub(super) async fn delete(&self, ids: &[i64]) -> Result<(), IndexError> {
        let gone: HashSet<i64> = ids.iter().copied().collect();
        self.pending.lock().await.retain(|c| !gone.contains(&c.id.0));
        for batch in ids.chunks(DELETE_BATCH) {
            self.table.delete(&in_list("id", batch)).await.map_err(|e| self.fail(e))?;
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes what was put, and syncs it and all deletions to disk.
    pub(super) async fn flush(&self) -> Result<(), IndexError> {
        let rows = std::mem::take(&mut *self.pending.lock().await);
        if !rows.is_empty() {
            let batch = batch(&rows, self.dim).map_err(|e| self.fail(e.into()))?;
            self.table.add(batch).execute().await.map_err(|e| self.fail(e))?;
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
        if self.writes.load(Ordering::Relaxed) >= HOUSEKEEPING_WRITES {
            self.tidy().await?;
        }
        self.sync().await
    }

    /// Joins fragments, keeps the index up to date (or builds it once the table is large) and
    /// removes old versions.
    pub(super) async fn compact(&self) -> Result<(), IndexError> {
        self.flush().await?;
        self.tidy().await?;
        let rows = self.table.count_rows(None).await.map_err(|e| self.fail(e))?;
        if self.indexed.load(Ordering::Relaxed) {
            let action = OptimizeAction::Index(OptimizeOptions::default());
            self.table.optimize(action).await.map_err(|e| self.fail(e))?;
        } else if rows >= INDEX_FROM_ROWS {
            let builder = IvfHnswSqIndexBuilder::default().distance_type(DistanceType::Cosine);
            let index = self.table.create_index(&["vector"], VectorIndex::IvfHnswSq(builder));
            index.execute().await.map_err(|e| self.fail(e))?;
            self.indexed.store(true, Ordering::Relaxed);
        }
        self.prune().await?;
        self.sync().await
    }

    async fn tidy(&self) -> Result<(), IndexError> {
        let action = OptimizeAction::Compact { options: CompactionOptions::default(), remap_options: None };
        self.table.optimize(action).await.map_err(|e| self.fail(e))?;
        self.writes.store(0, Ordering::Relaxed);
        self.prune().await
    }

    /// Removes every version but the newest. This process is the table's only user, and no search
    /// runs meanwhile, so nothing that is still read disappears.
    async fn prune(&self) -> Result<(), IndexError> {
        let _alone = self.gate.write().await;
        let action = OptimizeAction::Prune {
            older_than: Some(Duration::zero()),
            delete_unverified: Some(true),
            error_if_tagged_old_versions: None,
        };
        self.table.optimize(action).await.map(drop).map_err(|e| self.fail(e))
    }

    async fn sync(&self) -> Result<(), IndexError> {
        let mut synced = self.synced.lock().await;
        let known = std::mem::take(&mut *synced);
        let dir = self.dir.clone();
        let done = tokio::task::spawn_blocking(move || sync_tree(&dir, &known)).await;
        *synced = done.map_err(|e| IndexError::Task(e.to_string()))??;
        Ok(())
    }

    /// The nearest `limit` chunks: ids with cosine similarity, best first.
    pub(super) async fn search(
        &self,
        vector: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(i64, f32)>, IndexError> {
        if filter.acls.is_empty() || limit == 0 || vector.len() != self.dim {
            return Ok(Vec::new());
        }
        let _shared = self.gate.read().await;
        let mut query = self
            .table
            .query()
            .limit(limit)
            .only_if(condition(filter))
            .select(Select::columns(&["id", "_distance"]))
            .nearest_to(vector)
            .map_err(|e| self.fail(e))?
            .distance_type(DistanceType::Cosine);
        if self.indexed.load(Ordering::Relaxed) {
            query = query.refine_factor(REFINE);
        }
        let stream = query.execute().await.map_err(|e| self.fail(e))?;
        let batches: Vec<RecordBatch> = stream.try_collect().await.map_err(|e| self.fail(e))?;
        let mut hits: Vec<(i64, f32)> = batches.iter().flat_map(rows).collect();
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
            .filter_map(|b| column::<Int64Array>(b, "id"))
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

fn schema(dim: usize) -> SchemaRef {
    let item = Arc::new(Field::new("item", DataType::Float32, true));
    let width = i32::try_from(dim).unwrap_or(i32::MAX);
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("document", DataType::Int64, false),
        Field::new("acl", DataType::Int64, false),
        Field::new("project", DataType::Int64, false),
        Field::new("kind", DataType::Utf8, false),
        Field::new("vector", DataType::FixedSizeList(item, width), false),
    ]))
}

fn width_of(schema: &Schema) -> Option<usize> {
    match schema.field_with_name("vector").ok()?.data_type() {
        DataType::FixedSizeList(_, width) => usize::try_from(*width).ok(),
        _ => None,
    }
}

fn batch(rows: &[IndexChunk], dim: usize) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let numbers = |f: fn(&IndexChunk) -> i64| Arc::new(Int64Array::from_iter_values(rows.iter().map(f)));
    let vectors = rows.iter().map(|r| Some(r.vector.iter().map(|x| Some(*x)).collect::<Vec<_>>()));
    let width = i32::try_from(dim).unwrap_or(i32::MAX);
    RecordBatch::try_new(
        schema(dim),
        vec![
            numbers(|r| r.id.0),
            numbers(|r| r.document.0),
            numbers(|r| r.acl.0),
            numbers(|r| r.project.0),
            Arc::new(StringArray::from_iter_values(rows.iter().map(|r| r.kind.as_str()))),
            Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(vectors, width)),
        ],
    )
}

fn condition(filter: &Filter) -> String {
    let mut parts = vec![in_list("acl", &filter.acls)];
    parts.extend(filter.kind.map(|k| format!("kind = '{}'", k.as_str())));
    parts.extend(filter.project.map(|p| format!("project = {p}")));
    parts.join(" AND ")
}

fn in_list(column: &str, ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    format!("{column} IN ({})", ids.join(", "))
}

fn column<'a, T: 'static>(batch: &'a RecordBatch, name: &str) -> Option<&'a T> {
    batch.column_by_name(name)?.as_any().downcast_ref::<T>()
}

fn rows(batch: &RecordBatch) -> Vec<(i64, f32)> {
    let (Some(ids), Some(far)) =
        (column::<Int64Array>(batch, "id"), column::<Float32Array>(batch, "_distance"))
    else {
        return Vec::new();
    };
    ids.iter().zip(far.iter()).filter_map(|(id, d)| Some((id?, 1.0 - d?))).collect()
}

/// Syncs every file and folder below `dir` that is not among `known`, folders after their files.
/// Returns everything that is there now. LanceDB never changes a file once it is written.
fn sync_tree(dir: &Path, known: &HashSet<PathBuf>) -> Result<HashSet<PathBuf>, IndexError> {
    let mut present = HashSet::new();
    let mut changed_dirs = BTreeSet::new();
    for entry in walkdir::WalkDir::new(dir).contents_first(true) {
        let entry = entry.map_err(|e| IndexError::Io { path: dir.to_path_buf(), source: e.into() })?;
        if !entry.file_type().is_file() {
            continue;
        }
        if !known.contains(entry.path()) {
            sync_path(entry.path())?;
            let parents = entry.path().ancestors().skip(1).take_while(|p| p.starts_with(dir));
            changed_dirs.extend(parents.map(Path::to_path_buf));
        }
        present.insert(entry.into_path());
    }
    for dir in changed_dirs.iter().rev() {
        sync_path(dir)?;
    }
    Ok(present)
}

fn sync_path(path: &Path) -> Result<(), IndexError> {
    let synced = std::fs::File::open(path).and_then(|f| f.sync_all());
    synced.map_err(|source| IndexError::Io { path: path.to_path_buf(), source })
}
