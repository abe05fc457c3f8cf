//! The part of `bench night` that only stores: catalog and index with vectors that were made before.

use std::path::Path;
use std::time::{Duration, Instant};

use ingest::{Chunk, Document, Kind, Locator};

use super::night::{Figures, PER_FILE, Sample};
use crate::catalog::{Catalog, FileStamp, NewVersion, Project, Staged};
use crate::cli::{Failure, Output};
use crate::engine::SplitMix;
use crate::index::{Index, IndexChunk};
use crate::jobs::{RunSummary, StageTime, Step};

/// Width of the vectors: that of the default embedding model.
const DIM: usize = 384;

/// Time in each of [`STAGES`].
type Times = [Duration; 5];

const STAGES: [Step; 5] = [Step::Stage, Step::Index, Step::Flush, Step::Commit, Step::Compact];

pub(super) async fn run(folder: &Path, chunks: u64, out: &Output) -> Result<Figures, Failure> {
    let catalog = Catalog::open(&folder.join("catalog.sqlite"))?;
    let index = Index::open(&folder.join("index"), DIM, catalog.clone()).await?;
    let project = catalog.ensure_project("Bench")?;
    let started = Instant::now();
    let (mut times, mut samples, mut random) = (Times::default(), Vec::new(), SplitMix(1));
    let files = chunks.div_ceil(PER_FILE as u64);
    for file in 0..files {
        store(&catalog, &index, &project, file, &mut random, &mut times).await?;
        let done = (file + 1) * PER_FILE as u64;
        if let Some(rss_kib) =
            std::fs::read_to_string("/proc/self/status").ok().and_then(|s| super::usage::field(&s, "VmRSS:"))
        {
            samples.push(Sample { chunks: done, rss_kib });
        }
        out.progress(&serde_json::json!({ "step": "index", "done": file + 1, "total": files, "failed": 0 }));
    }
    let tidying = Instant::now();
    index.compact().await?;
    times[4] += tidying.elapsed();
    let seconds = started.elapsed().as_secs_f64();
    let summary = RunSummary { chunks: files * PER_FILE as u64, ..RunSummary::default() };
    let mut stages: Vec<StageTime> = STAGES
        .into_iter()
        .zip(times)
        .map(|(stage, time)| StageTime::new(stage, time, &summary, (0, Duration::ZERO)))
        .collect();
    stages.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Ok(Figures::new(&samples, seconds, stages))
}

async fn store(
    catalog: &Catalog,
    index: &Index,
    project: &Project,
    file: u64,
    random: &mut SplitMix,
    times: &mut Times,
) -> Result<(), Failure> {
    let chunks: Vec<Chunk> = (0..PER_FILE as u32).map(|row| chunk(file, row)).collect();
    let mut clock = Instant::now();
    let mut lap = |stage: usize| {
        times[stage] += clock.elapsed();
        clock = Instant::now();
    };
    let staged = stage(catalog, project, file, &chunks)?;
    lap(0);
    index.put(index_chunks(&staged, project, chunks, random)).await?;
    lap(1);
    index.flush().await?;
    lap(2);
    catalog.commit_all(std::slice::from_ref(&staged), &[])?;
    lap(3);
    Ok(())
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

fn chunk(file: u64, row: u32) -> Chunk {
    let n = file * PER_FILE as u64 + u64::from(row);
    Chunk {
        ordinal: row,
        kind: Kind::Rfi,
        locator: Locator::Rfi { record: format!("RFI-{n:07}") },
        section: Vec::new(),
        text: format!("RFI-{n:07} Bauteil {n}: Welche Dicke hat die Dämmung der Wand {n}? {} mm", n % 400),
        language: None,
    }
}

fn index_chunks(
    staged: &Staged,
    project: &Project,
    chunks: Vec<Chunk>,
    random: &mut SplitMix,
) -> Vec<IndexChunk> {
    let pairs = staged.chunks.iter().zip(chunks);
    pairs
        .map(|(id, chunk)| IndexChunk {
            id: *id,
            document: staged.document,
            project: project.id,
            acl: project.acl,
            kind: chunk.kind,
            language: chunk.language,
            title: String::new(),
            section: chunk.section,
            text: chunk.text,
            vector: unit_vector(random),
        })
        .collect()
}

/// A vector of length one: the same ones in every run.
fn unit_vector(random: &mut SplitMix) -> Vec<f32> {
    let mut vector: Vec<f32> = (0..DIM).map(|_| (random.unit() * 2.0 - 1.0) as f32).collect();
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|v| *v /= length);
    vector
}
