//! `bench night`: a run over many short passages, and whether its memory stays where it is.
//!
//! Whole (`whole.rs`): registers of RFIs are written to a folder, and the program is started on them as at night. With
//! `--precomputed` (`stored.rs`), nothing is read or embedded: pseudo-random vectors go straight into catalog and
//! index, which is where the size of a holding tells.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ingest::counted;
use serde::Serialize;

use super::memory::Memory;
use super::{stored, whole};
use crate::cli::{Failure, Output};
use crate::config::Config;
use crate::index::Index;
use crate::jobs::StageTime;
use crate::scope::Scope;

/// Hits that a search shows at first.
const SHOWN: usize = 10;
/// Candidates that a search asks of the vector index, at least.
const CANDIDATES: usize = 100;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Passages
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2000..=10_000_000))]
    pub(super) chunks: u64,
    /// Passages of one file
    #[arg(long, default_value_t = 500, value_name = "PASSAGES", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(super) per_file: u64,
    /// Put pseudo-random vectors into catalog and index, without reading and embedding
    #[arg(long)]
    precomputed: bool,
    /// Folder for the data, which is deleted at the end [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Args {
    pub(super) fn files(&self) -> u64 {
        self.chunks.div_ceil(self.per_file)
    }

    /// One file in a hundred.
    pub(super) fn hundredth(&self) -> u64 {
        self.files().div_ceil(100)
    }
}

/// What the run cost.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) chunks: u64,
    pub(super) files: u64,
    pub(super) seconds: f64,
    pub(super) chunks_per_s: f64,
    pub(super) slowest_stage: Option<String>,
    pub(super) stages: Vec<StageTime>,
    pub(super) memory: Memory,
    pub(super) index: Stored,
    pub(super) again: Again,
}

/// What the run left on the disk, and how well it is found.
#[derive(Debug, Default, Serialize)]
pub(super) struct Stored {
    pub(super) index_bytes_per_chunk: f64,
    pub(super) catalog_bytes_per_chunk: f64,
    /// How vectors are searched: `none`, `flat` or `ivf_sq`.
    pub(super) vector_search: String,
    /// Of the ten nearest passages to a query, by their vectors, the share that the index finds; absent without vectors.
    pub(super) recall_at_10: Option<f64>,
    /// Median time of one such search through the index, in milliseconds.
    pub(super) vector_search_ms: Option<f64>,
}

/// One passage in a hundred taken away, and taken in once more, each up to the end of a run.
#[derive(Debug, Default, Serialize)]
pub(super) struct Again {
    pub(super) chunks: u64,
    pub(super) delete_seconds: f64,
    pub(super) take_in_seconds: f64,
}

impl Figures {
    pub(super) fn new(args: &Args, time: Duration, stages: Vec<StageTime>, memory: Memory) -> Self {
        let (chunks, seconds) = (args.files() * args.per_file, time.as_secs_f64());
        Figures {
            chunks,
            files: args.files(),
            seconds,
            chunks_per_s: chunks as f64 / seconds.max(f64::EPSILON),
            slowest_stage: stages.first().map(|s| format!("{:?}", s.stage).to_lowercase()),
            stages,
            memory,
            index: Stored::default(),
            again: Again::default(),
        }
    }

    /// For a terminal.
    pub(super) fn lines(&self) -> Vec<String> {
        let (memory, index, again) = (&self.memory, &self.index, &self.again);
        let slowest = self.slowest_stage.as_deref().unwrap_or("–");
        let mut lines = vec![format!(
            "{} in {}: {:.1} s, {:.0} passages/s; slowest: {slowest}",
            counted(self.chunks, "passage", "passages"),
            counted(self.files, "file", "files"),
            self.seconds,
            self.chunks_per_s
        )];
        lines.extend(self.stages.iter().map(|stage| {
            let rate = stage.chunks_per_s.map(|n| format!("  {n:.0} passages/s")).unwrap_or_default();
            format!("  {:<12} {:>9.2} s{rate}", format!("{:?}", stage.stage).to_lowercase(), stage.seconds)
        }));
        lines.push(format!(
            "anonymous memory: slope {:.1} % ({:.0} bytes a passage) about {:.0} MiB; peak {:.0} MiB, at the end {:.0} MiB",
            memory.slope_percent,
            memory.growth_bytes_per_chunk,
            memory.anonymous_mean_mib,
            memory.anonymous_peak_mib,
            memory.anonymous_peak_at_end_mib
        ));
        lines.push(format!(
            "mapped files: peak {:.0} MiB; both together: peak {:.0} MiB",
            memory.mapped_peak_mib, memory.resident_peak_mib
        ));
        lines.push(format!(
            "on the disk: index {:.0} bytes a passage, catalog {:.0}",
            index.index_bytes_per_chunk, index.catalog_bytes_per_chunk
        ));
        if let (Some(recall), Some(ms)) = (index.recall_at_10, index.vector_search_ms) {
            lines.push(format!("vectors: {}, recall@10 {recall:.3}, {ms:.1} ms", index.vector_search));
        }
        lines.push(format!(
            "{} away: {:.2} s; in again: {:.2} s",
            counted(again.chunks, "passage", "passages"),
            again.delete_seconds,
            again.take_in_seconds
        ));
        lines
    }
}

impl Stored {
    /// Looks at what a run of so many passages left, and searches for the nearest to each vector.
    pub(super) async fn of(
        index: &Index,
        catalog: &Path,
        chunks: u64,
        scope: &Scope,
        queries: &[Vec<f32>],
    ) -> Result<Self, Failure> {
        let health = index.health().await?;
        let per_chunk = |bytes: u64| bytes as f64 / chunks.max(1) as f64;
        let (mut found, mut wanted, mut times) = (0, 0, Vec::new());
        for query in queries {
            let nearest = index.nearest(scope, query, CANDIDATES, true).await?;
            let nearest = nearest.get(..SHOWN).unwrap_or(&nearest);
            let started = Instant::now();
            let hits = index.nearest(scope, query, CANDIDATES, false).await?;
            times.push(started.elapsed().as_secs_f64() * 1e3);
            wanted += nearest.len();
            found += nearest.iter().filter(|id| hits.iter().take(SHOWN).any(|hit| hit == *id)).count();
        }
        times.sort_by(f64::total_cmp);
        Ok(Stored {
            index_bytes_per_chunk: per_chunk(health.bytes),
            catalog_bytes_per_chunk: per_chunk(std::fs::metadata(catalog)?.len()),
            vector_search: health.vector_search.to_owned(),
            recall_at_10: (wanted > 0).then(|| found as f64 / wanted as f64),
            vector_search_ms: times.get(times.len() / 2).copied(),
        })
    }
}

pub(super) async fn run(config: &Config, args: &Args, out: &Output) -> Result<Figures, Failure> {
    let folder = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir)?,
        None => tempfile::tempdir()?,
    };
    if args.precomputed {
        return stored::run(folder.path(), args, out).await;
    }
    whole::run(config, folder.path(), args, out).await
}
