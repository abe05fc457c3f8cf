use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ingest::Kind;

use super::*;
use crate::catalog::{ChunkId, DocumentId, ProjectId};
use crate::scope::AclId;

const DIM: usize = 8;

async fn open(dir: &Path, bounds: Bounds) -> Vectors {
    Vectors { bounds, ..Vectors::open(dir, DIM).await.unwrap().unwrap() }
}

/// Vectors on a circle, a step of a thousandth apart: the neighbours of each are known.
fn chunks(ids: std::ops::Range<i64>) -> Vec<IndexChunk> {
    let chunk = |id: i64| {
        let angle = id as f32 / 1000.0 * std::f32::consts::TAU;
        let mut vector = vec![0.0; DIM];
        (vector[0], vector[1]) = (angle.cos(), angle.sin());
        IndexChunk {
            id: ChunkId(id),
            document: DocumentId(1),
            project: ProjectId(1),
            acl: AclId(1),
            kind: Kind::Text,
            language: None,
            title: String::new(),
            section: Vec::new(),
            text: String::new(),
            vector,
        }
    };
    ids.map(chunk).collect()
}

async fn write(vectors: &Vectors, ids: std::ops::Range<i64>) {
    vectors.put(&chunks(ids)).await.unwrap();
    vectors.flush().await.unwrap();
}

/// The three nearest to a chunk's own vector, as the index and as comparing all of them gives them.
async fn nearest(vectors: &Vectors, id: i64) -> [HashSet<i64>; 2] {
    let vector = chunks(id..id + 1).remove(0).vector;
    let filter = Filter { acls: vec![1], kind: None, project: None };
    let mut both = [HashSet::new(), HashSet::new()];
    for (found, exact) in both.iter_mut().zip([false, true]) {
        let hits = vectors.search(&vector, &filter, 3, exact).await.unwrap();
        found.extend(hits.into_iter().map(|(id, _)| id));
    }
    both
}

fn files(dir: &Path, extension: &str) -> HashSet<PathBuf> {
    let entries = walkdir::WalkDir::new(dir).into_iter().map(Result::unwrap);
    // The table's own folder ends in `.lance` too.
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|e| e == extension)).collect()
}

#[tokio::test]
async fn neither_versions_nor_files_nor_caches_grow_with_the_writes() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = Bounds { writes: 8, ..Bounds::default() };
    let vectors = open(folder.path(), bounds).await;
    let mut most = 0;
    for n in 0..60 {
        write(&vectors, n * 2..n * 2 + 2).await;
        if n % 5 == 4 {
            vectors.delete(&[n * 2]).await.unwrap();
            vectors.flush().await.unwrap();
        }
        // The newest version, and one for each write since the last housekeeping.
        let versions = vectors.table.list_versions().await.unwrap().len();
        assert!(versions <= bounds.writes + 1, "{versions} versions after {n} writes");
        let fragments = vectors.table.stats().await.unwrap().fragment_stats.num_fragments;
        assert!(fragments <= bounds.writes, "{fragments} fragments after {n} writes");
        let on_disk = walkdir::WalkDir::new(folder.path()).into_iter().count();
        most = most.max(on_disk);
        assert_eq!(vectors.synced.lock().await.len(), files_of_any_sort(folder.path()));
    }
    // Data, manifest, transaction and deletions of each write, and the folders.
    assert!(most <= 4 * (bounds.writes + 1) + 10, "{most} files and folders");
    let cached = vectors.session.size_bytes();
    assert!(cached <= (INDEX_CACHE_BYTES + METADATA_CACHE_BYTES) as u64, "{cached} bytes");
    assert_eq!(vectors.ids().await.unwrap().len(), 108);
}

fn files_of_any_sort(dir: &Path) -> usize {
    walkdir::WalkDir::new(dir).into_iter().filter(|e| e.as_ref().unwrap().file_type().is_file()).count()
}

#[tokio::test]
async fn a_full_fragment_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = open(folder.path(), Bounds { writes: 4, fragment_rows: 100, ..Bounds::default() }).await;
    for n in 0..8 {
        write(&vectors, n * 50..n * 50 + 50).await;
    }
    let full = files(folder.path(), "lance");
    assert_eq!(full.len(), 4, "400 rows are four full fragments");
    for n in 8..12 {
        write(&vectors, n * 50..n * 50 + 50).await;
    }
    let later = files(folder.path(), "lance");
    assert_eq!(later.len(), 6);
    assert!(full.is_subset(&later), "they were rewritten");
}

#[tokio::test]
async fn an_index_is_built_and_takes_rows_in() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = Bounds { index_from_rows: 600, outside_rows: 100, ..Bounds::default() };
    let vectors = open(folder.path(), bounds).await;
    write(&vectors, 0..599).await;
    vectors.compact().await.unwrap();
    assert!(vectors.index().await.unwrap().is_none(), "a small corpus is exact");
    write(&vectors, 599..700).await;
    vectors.compact().await.unwrap();
    let outside = async || vectors.index().await.unwrap().unwrap().num_unindexed_rows;
    assert_eq!(outside().await, 0);
    write(&vectors, 700..800).await;
    vectors.compact().await.unwrap();
    assert_eq!(outside().await, 100, "so few are compared one by one");
    assert_eq!(
        nearest(&vectors, 750).await,
        [HashSet::from([749, 750, 751]), HashSet::from([749, 750, 751])]
    );
    vectors.delete(&[750]).await.unwrap();
    write(&vectors, 800..850).await;
    vectors.compact().await.unwrap();
    assert_eq!(outside().await, 0, "more than a hundred have come");
    assert_eq!(vectors.index().await.unwrap().unwrap().num_indices, Some(1));
    assert!(nearest(&vectors, 750).await.iter().all(|found| !found.contains(&750)), "it was deleted");
    for (id, others) in [(752, [751, 753]), (300, [299, 301]), (820, [819, 821])] {
        let wanted: HashSet<i64> = others.into_iter().chain([id]).collect();
        assert_eq!(nearest(&vectors, id).await, [wanted.clone(), wanted], "{id}");
    }
}

/// True where any file holds the first two numbers of a chunk's vector, one behind the other.
fn holds(dir: &Path, id: i64) -> bool {
    let vector = chunks(id..id + 1).remove(0).vector;
    let bytes: Vec<u8> = vector[..2].iter().flat_map(|n| n.to_le_bytes()).collect();
    let entries = walkdir::WalkDir::new(dir).into_iter().map(Result::unwrap);
    let mut files = entries.filter(|entry| entry.file_type().is_file());
    files.any(|file| std::fs::read(file.path()).unwrap().windows(bytes.len()).any(|w| w == bytes))
}

/// One row of many is too few for the usual housekeeping to write its fragment anew; after an erasure no file has it,
/// with an index beside the vectors and without one.
#[tokio::test]
async fn an_erased_vector_is_in_no_file() {
    for index_from_rows in [10_000, 500] {
        let folder = tempfile::tempdir().unwrap();
        let bounds = Bounds { index_from_rows, ..Bounds::default() };
        let vectors = open(folder.path(), bounds).await;
        write(&vectors, 0..600).await;
        vectors.compact().await.unwrap();
        assert_eq!(vectors.health().await.unwrap().1, index_from_rows == 500);
        vectors.delete(&[301]).await.unwrap();
        vectors.compact().await.unwrap();
        assert!(holds(folder.path(), 301), "the control: it is still there, and can be found");
        vectors.expunge().await.unwrap();
        assert!(!holds(folder.path(), 301));
        assert!(holds(folder.path(), 302));
        assert_eq!(vectors.ids().await.unwrap().len(), 599);
        for found in nearest(&vectors, 302).await {
            assert!(found.contains(&302) && found.contains(&303) && !found.contains(&301), "{found:?}");
        }
    }
}
