//! Keeping the vector table small in parts and quick to search, within bounded memory.
//!
//! Every write is a fragment and a version of the table. After [`Bounds::writes`] of them the small fragments are
//! joined and the old versions removed, so that neither their number nor what the engine keeps about them grows with
//! the run. A fragment of [`Bounds::fragment_rows`] is full and is not rewritten again.
//!
//! The index (IVF with scalar quantisation) sorts vectors into groups and keeps one byte a number. It is built once the
//! table is large, takes rows in once many have come, and until then these are compared one by one.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use lancedb::DistanceType;
use lancedb::index::vector::IvfSqIndexBuilder;
use lancedb::index::{Index as VectorIndex, IndexStatistics, IndexType};
use lancedb::table::{CompactionMode, CompactionOptions, Duration, OptimizeAction, OptimizeOptions};

use super::Vectors;
use crate::index::IndexError;

/// Rows that are read at a time where pages cannot be copied, because rows of theirs were deleted.
const JOIN_ROWS: usize = 1_024;
/// Rows of one group of the index.
const GROUP_ROWS: u32 = 8_192;
/// A fragment is written anew once more than this share of its rows is deleted.
const DELETED_SHARE: f32 = 0.1;
/// Segments that are merged when an index takes rows in: all of them.
const ALL_SEGMENTS: usize = 1_000;

/// When what is done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Writes after which fragments are joined and old versions removed even in the middle of a run.
    pub(super) writes: usize,
    /// Rows of a full fragment.
    pub(super) fragment_rows: usize,
    /// Below this many rows every vector is compared: exact, and as fast as an index with its loading.
    pub(super) index_from_rows: usize,
    /// Rows that may be outside of an index before it takes them in.
    pub(super) outside_rows: usize,
}

impl Default for Bounds {
    /// A full fragment has some 25 MB of vectors of the default model; to compare 25,000 takes some 12 ms.
    fn default() -> Self {
        Bounds { writes: 64, fragment_rows: 16_384, index_from_rows: 50_000, outside_rows: 25_000 }
    }
}

/// What an index needs.
#[derive(Debug, PartialEq, Eq)]
enum Need {
    Nothing,
    Build,
    TakeIn,
}

/// An index of another sort, as an earlier version of the program built, is built anew.
fn need(bounds: &Bounds, rows: usize, index: Option<&IndexStatistics>) -> Need {
    match index {
        None if rows >= bounds.index_from_rows => Need::Build,
        None => Need::Nothing,
        Some(index) if index.index_type != IndexType::IvfSq => Need::Build,
        Some(index) if index.num_unindexed_rows > bounds.outside_rows => Need::TakeIn,
        Some(_) => Need::Nothing,
    }
}

impl Vectors {
    /// Joins fragments, removes old versions, and builds the index or lets it take rows in where that is due.
    pub(in crate::index) async fn compact(&self) -> Result<(), IndexError> {
        self.flush().await?;
        self.tidy().await?;
        let rows = self.table.count_rows(None).await.map_err(|e| self.fail(e))?;
        match need(&self.bounds, rows, self.index().await?.as_ref()) {
            Need::Nothing => return Ok(()),
            Need::Build => self.build_index().await?,
            Need::TakeIn => {
                let options = OptimizeOptions::merge(ALL_SEGMENTS).with_partition_rebalancing();
                self.table.optimize(OptimizeAction::Index(options)).await.map_err(|e| self.fail(e))?;
            }
        }
        self.indexed.store(true, Ordering::Relaxed);
        self.prune().await
    }

    /// Writes every fragment anew that has deleted rows, and the index from what is left; removes everything else.
    pub(in crate::index) async fn expunge(&self) -> Result<(), IndexError> {
        self.flush().await?;
        self.join(0.0).await?;
        if self.index().await?.is_some() {
            self.build_index().await?;
        }
        self.prune().await
    }

    async fn build_index(&self) -> Result<(), IndexError> {
        let builder = IvfSqIndexBuilder::default()
            .distance_type(DistanceType::Cosine)
            .target_partition_size(GROUP_ROWS);
        let index = self.table.create_index(&["vector"], VectorIndex::IvfSq(builder)).replace(true);
        index.execute().await.map_err(|e| self.fail(e))
    }

    /// The index beside the vectors, where there is one.
    pub(super) async fn index(&self) -> Result<Option<IndexStatistics>, IndexError> {
        let Some(index) = self.table.list_indices().await.map_err(|e| self.fail(e))?.into_iter().next()
        else {
            return Ok(None);
        };
        self.table.index_stats(&index.name).await.map_err(|e| self.fail(e))
    }

    /// Joins small fragments and removes old versions.
    pub(super) async fn tidy(&self) -> Result<(), IndexError> {
        self.join(DELETED_SHARE).await?;
        self.prune().await
    }

    /// Joins small fragments, and writes those anew of which more than this share of rows was deleted.
    async fn join(&self, deleted_share: f32) -> Result<(), IndexError> {
        let options = CompactionOptions {
            target_rows_per_fragment: self.bounds.fragment_rows,
            materialize_deletions_threshold: deleted_share,
            // Pages are copied as they are, so that a fragment is never in memory.
            compaction_mode: Some(CompactionMode::TryBinaryCopy),
            batch_size: Some(JOIN_ROWS),
            num_threads: Some(1),
            ..CompactionOptions::default()
        };
        let action = OptimizeAction::Compact { options, remap_options: None };
        self.table.optimize(action).await.map_err(|e| self.fail(e))?;
        self.writes.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Removes every version but the newest, once that one is safely on the disk. This process is the table's only
    /// user, and no search runs meanwhile, so nothing that is still read disappears.
    async fn prune(&self) -> Result<(), IndexError> {
        self.sync().await?;
        let _alone = self.gate.write().await;
        let action = OptimizeAction::Prune {
            older_than: Some(Duration::zero()),
            delete_unverified: Some(true),
            error_if_tagged_old_versions: None,
        };
        self.table.optimize(action).await.map(drop).map_err(|e| self.fail(e))
    }

    /// Syncs to disk what is new.
    pub(super) async fn sync(&self) -> Result<(), IndexError> {
        let mut synced = self.synced.lock().await;
        let known = std::mem::take(&mut *synced);
        let dir = self.dir.clone();
        let done = tokio::task::spawn_blocking(move || sync_tree(&dir, &known)).await;
        *synced = done.map_err(|e| IndexError::Task(e.to_string()))??;
        Ok(())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn index(index_type: IndexType, num_unindexed_rows: usize) -> IndexStatistics {
        IndexStatistics {
            num_indexed_rows: 60_000,
            num_unindexed_rows,
            index_type,
            distance_type: Some(DistanceType::Cosine),
            num_indices: Some(1),
        }
    }

    #[test]
    fn an_index_is_built_once_and_takes_rows_in_when_many_have_come() {
        let need = |rows, index: Option<IndexStatistics>| need(&Bounds::default(), rows, index.as_ref());
        assert_eq!(need(49_999, None), Need::Nothing, "a small corpus is exact");
        assert_eq!(need(50_000, None), Need::Build);
        assert_eq!(need(85_000, Some(index(IndexType::IvfSq, 25_000))), Need::Nothing);
        assert_eq!(need(85_001, Some(index(IndexType::IvfSq, 25_001))), Need::TakeIn);
        assert_eq!(need(60_000, Some(index(IndexType::IvfHnswSq, 0))), Need::Build);
    }
}
