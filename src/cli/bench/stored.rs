//! The part of `bench night` that only stores: catalog and index with vectors that were made before.

use std::path::Path;
use std::time::{Duration, Instant};

use ingest::{Chunk, Document, Kind, Locator};

use super::memory::Watch;
use super::night::{Again, Args, Figures, Stored};
use crate::catalog::{Catalog, ChunkId, DocumentId, FileStamp, NewVersion, Project, Staged};
use crate::cli::{Failure, Output};
use crate::engine::SplitMix;
use crate::index::{Index, IndexChunk};
use crate::jobs::{RunSummary, StageTime, Step};

/// Width of the vectors: that of the default embedding model.
const DIM: usize = 384;
/// Subjects that passages are about; each has a direction, from which its passages stray.
const SUBJECTS: usize = 1_000;
/// How far a passage strays: two of one subject have a cosine of about 0.6.
const STRAY: f64 = 0.04;
/// Vectors whose nearest are looked for.
const QUERIES: usize = 100;

/// Time in each of [`STAGES`].
type Times = [Duration; 6];

const STAGES: [Step; 6] =
    [Step::Stage, Step::Index, Step::Flush, Step::Commit, Step::Compact, Step::Reconcile];

/// Where files are put.
struct Place {
    catalog: Catalog,
    index: Index,
    project: Project,
    per_file: u64,
    vectors: Vectors,
    times: Times,
}

pub(super) async fn run(folder: &Path, args: &Args, out: &Output) -> Result<Figures, Failure> {
    let database = folder.join("catalog.sqlite");
    let catalog = Catalog::open(&database)?;
    let index = Index::open(&folder.join("index"), DIM, catalog.clone()).await?;
    let project = catalog.ensure_project("Bench")?;
    let vectors = Vectors::new();
    let mut place =
        Place { catalog, index, project, per_file: args.per_file, vectors, times: Times::default() };
    let (started, watch) = (Instant::now(), Watch::start(std::process::id()));
    let mut few = Vec::new();
    for file in 0..args.files() {
        let document = place.store(file).await?;
        if file < args.hundredth() {
            few.push(document);
        }
        watch.chunks((file + 1) * args.per_file);
        let (done, total) = (file + 1, args.files());
        out.progress(&serde_json::json!({ "step": "index", "done": done, "total": total, "failed": 0 }));
    }
    watch.at_end();
    place.end().await?;
    let mut figures = Figures::new(args, started.elapsed(), stages(place.times, args), watch.stop());
    let queries: Vec<Vec<f32>> = (0..QUERIES).map(|_| place.vectors.next()).collect();
    let scope = place.catalog.all_scope()?;
    figures.index = Stored::of(&place.index, &database, args.chunks, &scope, &queries).await?;
    figures.again = place.again(&few).await?;
    Ok(figures)
}

fn stages(times: Times, args: &Args) -> Vec<StageTime> {
    let summary = RunSummary { chunks: args.files() * args.per_file, ..RunSummary::default() };
    let stage = |(stage, time)| StageTime::new(stage, time, &summary, (0, Duration::ZERO));
    let mut stages: Vec<StageTime> = STAGES.into_iter().zip(times).map(stage).collect();
    stages.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    stages
}

impl Place {
    async fn store(&mut self, file: u64) -> Result<DocumentId, Failure> {
        let rows = u32::try_from(self.per_file).unwrap_or(u32::MAX);
        let chunks: Vec<Chunk> = (0..rows).map(|row| chunk(file * self.per_file, row)).collect();
        let made = self.vectors.some(chunks.len());
        let mut clock = Instant::now();
        let mut lap = |stage: usize| {
            self.times[stage] += clock.elapsed();
            clock = Instant::now();
        };
        let staged = stage(&self.catalog, &self.project, file, &chunks)?;
        lap(0);
        self.index.put(index_chunks(&staged, &self.project, &chunks, made)).await?;
        lap(1);
        self.index.flush().await?;
        lap(2);
        self.catalog.commit_all(std::slice::from_ref(&staged), &[])?;
        lap(3);
        Ok(staged.document)
    }

    /// What a run does at its end: compares catalog and indexes, tidies these.
    async fn end(&mut self) -> Result<(), Failure> {
        let began = Instant::now();
        let (live, stored) = (self.catalog.live_chunk_ids()?, self.index.ids().await?);
        if (Some(&live), &live) != (stored.vectors.as_ref(), &stored.lexical) {
            return Err(Failure::failed("the indexes do not hold what the catalog says"));
        }
        drop((live, stored));
        self.times[5] += began.elapsed();
        let began = Instant::now();
        self.index.compact().await?;
        self.times[4] += began.elapsed();
        Ok(())
    }

    /// Takes these documents, the first ones, away and stores them again.
    async fn again(&mut self, documents: &[DocumentId]) -> Result<Again, Failure> {
        let started = Instant::now();
        let mut gone = Vec::new();
        for document in documents {
            gone.extend(self.catalog.remove(*document)?.into_iter().flat_map(|removed| removed.chunks));
        }
        self.index.delete(&gone).await?;
        self.index.flush().await?;
        self.catalog.purge(&gone)?;
        self.index.compact().await?;
        let (delete, started) = (started.elapsed(), Instant::now());
        for file in 0..documents.len() as u64 {
            self.store(file).await?;
        }
        self.index.compact().await?;
        Ok(Again {
            chunks: gone.len() as u64,
            delete_seconds: delete.as_secs_f64(),
            take_in_seconds: started.elapsed().as_secs_f64(),
        })
    }
}

fn stage(catalog: &Catalog, project: &Project, file: u64, chunks: &[Chunk]) -> Result<Staged, Failure> {
    let sha256 = format!("{file:064x}");
    let document = Document::new(Kind::Rfi, format!("Register {file}"));
    Ok(catalog.stage(&NewVersion {
        source: "bench",
        path: &format!("register-{file:05}.csv"),
        project: project.id,
        acl: project.acl,
        parent: None,
        version: &format!("{sha256}-r{}", ingest::READER_VERSION),
        embedder: None,
        sha256: &sha256,
        stamp: FileStamp::default(),
        document: &document,
        changes: None,
        chunks,
    })?)
}

fn chunk(first: u64, row: u32) -> Chunk {
    let n = first + u64::from(row);
    Chunk {
        ordinal: row,
        kind: Kind::Rfi,
        locator: Locator::Rfi { record: format!("RFI-{n:07}") },
        section: Vec::new(),
        text: format!("RFI-{n:07} Bauteil {n}: Welche Dicke hat die Dämmung der Wand {n}? {} mm", n % 400),
        language: None,
    }
}

/// The chunks of a staged document that has no title, with their vectors.
pub(super) fn index_chunks(
    staged: &Staged,
    project: &Project,
    chunks: &[Chunk],
    vectors: impl IntoIterator<Item = Vec<f32>>,
) -> Vec<IndexChunk> {
    let of = |((id, chunk), vector): ((&ChunkId, &Chunk), Vec<f32>)| {
        IndexChunk::of(*id, staged.document, (project.id, project.acl), "", chunk, vector)
    };
    staged.chunks.iter().zip(chunks).zip(vectors).map(of).collect()
}

/// Vectors of length one about [`SUBJECTS`]: the same ones in every run.
struct Vectors {
    random: SplitMix,
    subjects: Vec<Vec<f64>>,
}

impl Vectors {
    fn new() -> Self {
        let mut random = SplitMix(1);
        let mut subject = |_| unit((0..DIM).map(|_| random.unit() - 0.5).collect());
        let subjects = (0..SUBJECTS).map(&mut subject).collect();
        Vectors { random, subjects }
    }

    fn next(&mut self) -> Vec<f32> {
        let at = (self.random.unit() * SUBJECTS as f64) as usize;
        // Uniform between -√3 and √3: variance 1.
        let mut stray = || (self.random.unit() - 0.5) * 12_f64.sqrt() * STRAY;
        let subject = self.subjects.get(at).into_iter().flatten();
        unit(subject.map(|x| x + stray()).collect()).into_iter().map(|x| x as f32).collect()
    }

    fn some(&mut self, n: usize) -> Vec<Vec<f32>> {
        (0..n).map(|_| self.next()).collect()
    }
}

fn unit(mut vector: Vec<f64>) -> Vec<f64> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}
