//! Full-text search: the only place that speaks to tantivy.
//!
//! Written in batches: [`Lexical::put`] and [`Lexical::delete`] gather, [`Lexical::commit`] makes
//! durable and visible. A process killed in between leaves the last committed state; the lock of a
//! killed process goes with it, since it is a lock on an open file.

mod forms;
mod schema;
mod search;
mod vocabulary;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tantivy::directory::MmapDirectory;
use tantivy::index::SegmentId;
use tantivy::{Index as Tantivy, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyError, Term};

use self::schema::Fields;
use self::vocabulary::Vocabulary;
use super::analysis::compound::Remembered;
use super::{IndexChunk, IndexError};

pub(super) use self::schema::stemming_language;
pub(super) use self::search::{Filter, LexicalFound};

/// Memory for gathering passages before they are written, in bytes. One thread: the night's time
/// goes into reading and embedding.
const WRITER_BYTES: usize = 64 << 20;
/// How long searches may keep files of an earlier state from being removed.
const PATIENCE: Duration = Duration::from_secs(20);
/// How old the list of words may get while a run keeps committing.
const VOCABULARY_AGE: Duration = Duration::from_secs(60);

/// The full-text index.
pub(super) struct Lexical {
    dir: PathBuf,
    fields: Fields,
    index: Tantivy,
    reader: IndexReader,
    /// Exists only while something is written, so that an idle server does not hold its memory.
    writer: Mutex<Option<IndexWriter>>,
    vocabulary: Mutex<Option<Words>>,
    compounds: Remembered,
}

struct Words {
    generation: u64,
    read_at: Instant,
    words: Arc<Vocabulary>,
}

impl Lexical {
    /// Opens the index in `dir`, or makes an empty one where there is none or one of another
    /// version or one that cannot be read: its contents are derived, and the next run puts back
    /// what [`Lexical::ids`] lacks.
    pub(super) fn open(dir: &Path) -> Result<Self, IndexError> {
        let (wanted, fields) = schema::schema();
        make_dir(dir)?;
        let fail = |source| IndexError::Lexical { dir: dir.to_path_buf(), source };
        let opened = open_existing(dir, &wanted).map_err(fail)?;
        let index = match opened {
            Some(index) => index,
            None => {
                std::fs::remove_dir_all(dir)
                    .map_err(|source| IndexError::Io { path: dir.to_path_buf(), source })?;
                make_dir(dir)?;
                let mmap = MmapDirectory::open(dir).map_err(|e| fail(e.into()))?;
                Tantivy::create(mmap, wanted, Default::default()).map_err(fail)?
            }
        };
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(fail)?;
        Ok(Lexical {
            dir: dir.to_path_buf(),
            fields,
            index,
            reader,
            writer: Mutex::new(None),
            vocabulary: Mutex::new(None),
            compounds: Remembered::default(),
        })
    }

    fn fail(&self, source: TantivyError) -> IndexError {
        IndexError::Lexical { dir: self.dir.clone(), source }
    }

    fn with_writer<T>(
        &self,
        work: impl FnOnce(&mut IndexWriter) -> Result<T, TantivyError>,
    ) -> Result<T, IndexError> {
        let mut guard = lock(&self.writer);
        if guard.is_none() {
            *guard = Some(self.index.writer_with_num_threads(1, WRITER_BYTES).map_err(|e| self.fail(e))?);
        }
        let result = match guard.as_mut() {
            Some(writer) => work(writer).map_err(|e| self.fail(e)),
            None => Err(IndexError::Task("the writer is gone".into())),
        };
        if result.is_err() {
            // A writer that failed once stays failed; the next call starts from the last commit.
            *guard = None;
        }
        result
    }

    /// Takes chunks; an earlier chunk of the same id is replaced. Visible after [`Lexical::commit`].
    pub(super) fn put(&self, chunks: &[IndexChunk]) -> Result<(), IndexError> {
        self.with_writer(|w| {
            for chunk in chunks {
                w.delete_term(Term::from_field_i64(self.fields.id, chunk.id.0));
                w.add_document(schema::document(&self.fields, chunk, &self.compounds))?;
            }
            Ok(())
        })
    }

    /// Takes chunks out. Done after [`Lexical::commit`].
    pub(super) fn delete(&self, ids: &[i64]) -> Result<(), IndexError> {
        self.with_writer(|w| {
            for id in ids {
                w.delete_term(Term::from_field_i64(self.fields.id, *id));
            }
            Ok(())
        })
    }

    /// Makes everything taken so far durable and visible.
    pub(super) fn commit(&self) -> Result<(), IndexError> {
        if lock(&self.writer).is_none() {
            return Ok(());
        }
        self.with_writer(|w| w.commit().map(drop))?;
        self.reader.reload().map_err(|e| self.fail(e))
    }

    /// Commits, waits for merges and gives the writer's memory back.
    pub(super) fn settle(&self) -> Result<(), IndexError> {
        self.commit()?;
        if let Some(writer) = lock(&self.writer).take() {
            writer.garbage_collect_files().wait().map_err(|e| self.fail(e))?;
            writer.wait_merging_threads().map_err(|e| self.fail(e))?;
        }
        self.reader.reload().map_err(|e| self.fail(e))
    }

    /// Writes every segment anew that holds something deleted, and removes the files of the state before.
    pub(super) fn expunge(&self) -> Result<(), IndexError> {
        self.settle()?;
        let segments = self.index.searchable_segment_metas().map_err(|e| self.fail(e))?;
        let stale: Vec<SegmentId> = segments.iter().filter(|s| s.has_deletes()).map(|s| s.id()).collect();
        drop(segments);
        if !stale.is_empty() {
            self.with_writer(|w| w.merge(&stale).wait().map(drop))?;
        }
        *lock(&self.vocabulary) = None;
        // Files of a state that a search still reads can only be removed after it.
        let patience = Instant::now() + PATIENCE;
        loop {
            self.settle()?;
            self.with_writer(|_| Ok(()))?;
            self.settle()?;
            let left = self.left_over()?;
            match left {
                0 => return Ok(()),
                _ if Instant::now() < patience => std::thread::sleep(Duration::from_millis(100)),
                files => return Err(IndexError::Left { dir: self.dir.clone(), files }),
            }
        }
    }

    /// Files of segments that are no part of the index any more, and segments with deleted rows.
    fn left_over(&self) -> Result<usize, IndexError> {
        let segments = self.index.searchable_segment_metas().map_err(|e| self.fail(e))?;
        let known: BTreeSet<String> = segments.iter().map(|s| s.id().uuid_string()).collect();
        let failed = |source| IndexError::Io { path: self.dir.clone(), source };
        let mut left = segments.iter().filter(|s| s.has_deletes()).count();
        for file in std::fs::read_dir(&self.dir).map_err(failed)? {
            let name = file.map_err(failed)?.file_name().to_string_lossy().into_owned();
            let stem = name.split('.').next().unwrap_or_default();
            // Segments are named by 32 hexadecimal digits.
            let is_segment = stem.len() == 32 && stem.bytes().all(|b| b.is_ascii_hexdigit());
            left += usize::from(is_segment && !known.contains(stem));
        }
        Ok(left)
    }

    /// Ids of every chunk that is in the index.
    pub(super) fn ids(&self) -> Result<BTreeSet<i64>, IndexError> {
        let mut ids = BTreeSet::new();
        for segment in self.searcher().segment_readers() {
            let column = segment.fast_fields().i64("id").map_err(|e| self.fail(e))?;
            ids.extend(segment.doc_ids_alive().filter_map(|doc| column.first(doc)));
        }
        Ok(ids)
    }

    /// How many chunks are in the index.
    pub(super) fn count(&self) -> Result<usize, IndexError> {
        Ok(usize::try_from(self.searcher().num_docs()).unwrap_or(usize::MAX))
    }

    fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// The words of the corpus, read again when the index changed and the last reading is old.
    fn words(&self, searcher: &Searcher) -> Result<Arc<Vocabulary>, IndexError> {
        let generation = searcher.generation().generation_id();
        let mut guard = lock(&self.vocabulary);
        if let Some(known) = guard.as_ref()
            && (known.generation == generation
                || known.read_at.elapsed() < VOCABULARY_AGE && !known.words.is_empty())
        {
            return Ok(Arc::clone(&known.words));
        }
        let words = Arc::new(Vocabulary::read(searcher, self.fields.plain).map_err(|e| self.fail(e))?);
        *guard = Some(Words { generation, read_at: Instant::now(), words: Arc::clone(&words) });
        Ok(words)
    }
}

fn open_existing(dir: &Path, wanted: &tantivy::schema::Schema) -> Result<Option<Tantivy>, TantivyError> {
    let mmap = MmapDirectory::open(dir)?;
    if !Tantivy::exists(&mmap)? {
        return Ok(None);
    }
    match Tantivy::open(mmap) {
        Ok(index) if index.schema() == *wanted => Ok(Some(index)),
        Ok(_) => {
            tracing::warn!("the full-text index is of another version and is built anew");
            Ok(None)
        }
        Err(e) => {
            tracing::warn!(error = %e, "the full-text index cannot be opened and is built anew");
            Ok(None)
        }
    }
}

fn make_dir(dir: &Path) -> Result<(), IndexError> {
    std::fs::create_dir_all(dir).map_err(|source| IndexError::Io { path: dir.to_path_buf(), source })
}

/// A lock whose holder panicked is taken over: what it guards is replaced as a whole, never half.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
