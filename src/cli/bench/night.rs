//! `bench night`: a run over many short passages, and whether its memory stays where it is.
//!
//! Whole: registers of RFIs are written to a folder, and the program is started on them as at night. With
//! `--precomputed`, nothing is read or embedded: pseudo-random vectors go straight into catalog and index,
//! which is where the size of a holding tells.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::Serialize;

use super::stored;
use crate::cli::{Failure, Output};
use crate::config::Config;
use crate::jobs::{RunSummary, StageTime};

/// Records of one register.
pub(super) const PER_FILE: usize = 500;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Passages
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2000..=10_000_000))]
    chunks: u64,
    /// Put pseudo-random vectors into catalog and index, without reading and embedding
    #[arg(long)]
    precomputed: bool,
    /// Folder for the data, which is deleted at the end [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Memory of the process after so many passages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Sample {
    pub(super) chunks: u64,
    pub(super) rss_kib: u64,
}

/// What the run cost.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) chunks: u64,
    pub(super) seconds: f64,
    pub(super) chunks_per_s: f64,
    pub(super) rss_peak_mib: f64,
    /// Growth of memory over the last four fifths of the run, by a straight line through the samples, in
    /// percent of what it was at their beginning.
    pub(super) memory_slope_percent: f64,
    pub(super) slowest_stage: Option<String>,
    pub(super) stages: Vec<StageTime>,
}

impl Figures {
    pub(super) fn new(samples: &[Sample], seconds: f64, stages: Vec<StageTime>) -> Self {
        let chunks = samples.last().map_or(0, |s| s.chunks);
        let peak = samples.iter().map(|s| s.rss_kib).max().unwrap_or(0);
        Figures {
            chunks,
            seconds,
            chunks_per_s: chunks as f64 / seconds.max(f64::EPSILON),
            rss_peak_mib: peak as f64 / 1024.0,
            memory_slope_percent: slope_percent(samples),
            slowest_stage: stages.first().map(|s| format!("{:?}", s.stage).to_lowercase()),
            stages,
        }
    }
}

/// See [`Figures::memory_slope_percent`]. 0 where there are too few samples to tell.
fn slope_percent(samples: &[Sample]) -> f64 {
    let Some(end) = samples.last().map(|s| s.chunks as f64) else { return 0.0 };
    let start = end / 5.0;
    let late: Vec<(f64, f64)> = samples
        .iter()
        .map(|s| (s.chunks as f64, s.rss_kib as f64))
        .filter(|(chunks, _)| *chunks >= start)
        .collect();
    let n = late.len() as f64;
    let (x, y) = late.iter().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let spread: f64 = late.iter().map(|(a, _)| (a - x) * (a - x)).sum();
    let together: f64 = late.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    if late.len() < 3 || spread == 0.0 {
        return 0.0;
    }
    let slope = together / spread;
    let at_start = y + slope * (start - x);
    if at_start <= 0.0 { 0.0 } else { slope * (end - start) / at_start * 100.0 }
}

pub(super) async fn run(config: &Config, args: &Args, out: &Output) -> Result<Figures, Failure> {
    let folder = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir)?,
        None => tempfile::tempdir()?,
    };
    if args.precomputed {
        return stored::run(folder.path(), args.chunks, out).await;
    }
    let (files, data) = (folder.path().join("files"), folder.path().join("data"));
    write_registers(&files, args.chunks)?;
    prepare(config, &files, &data)?;
    ingest(&data, out)
}

/// Plainly fictional RFIs, all different, in four languages.
fn write_registers(folder: &Path, chunks: u64) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    const QUESTIONS: [&str; 4] = [
        "Welche Dicke hat die Dämmung der Wand {n} im Geschoss {m}?",
        "Quelle est la largeur libre de la porte {n} au niveau {m} ?",
        "Qual è la resistenza al fuoco della porta {n} al piano {m}?",
        "What is the load on slab {n} of storey {m}?",
    ];
    for file in 0..chunks.div_ceil(PER_FILE as u64) {
        let mut text = String::from("RFI-Nr;Betreff;Frage;Antwort;Status\n");
        for row in 0..PER_FILE as u64 {
            let n = file * PER_FILE as u64 + row;
            let question = QUESTIONS[(n % 4) as usize]
                .replace("{n}", &n.to_string())
                .replace("{m}", &(n % 9).to_string());
            let _ = writeln!(
                text,
                "RFI-{n:07};Bauteil {n};{question};{} mm, siehe Plan {};offen",
                n % 400,
                n / 7
            );
        }
        std::fs::write(folder.join(format!("register-{file:05}.csv")), text)?;
    }
    Ok(())
}

/// A data folder over the registers, with the embedding model where there is one.
fn prepare(config: &Config, files: &Path, data: &Path) -> Result<(), Failure> {
    call(data, &["init"])?;
    let text = format!("[[source]]\nname = \"bench\"\npath = {:?}\n", files.display().to_string());
    std::fs::write(data.join("dossier.toml"), text)?;
    let model = config.models_dir.join("e5-small-q4.bin");
    if model.is_file() {
        call(data, &["model", "import", &model.display().to_string()])?;
    }
    Ok(())
}

fn program(data: &Path, arguments: &[&str]) -> Result<Command, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--data").arg(data).arg("--json").args(arguments).stdin(Stdio::null());
    Ok(command)
}

fn call(data: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let output = program(data, arguments)?.output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::failed(format!("`{}` failed: {said}", arguments.join(" "))))
}

/// One run in a process of its own, whose memory is looked at with every step that it tells.
fn ingest(data: &Path, out: &Output) -> Result<Figures, Failure> {
    let started = Instant::now();
    let mut child = program(data, &["ingest"])?.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut samples = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).lines() {
            let line = line?;
            let Ok(step) = serde_json::from_str::<serde_json::Value>(&line) else { continue };
            out.progress(&step);
            let Some(files) = step.get("done").and_then(serde_json::Value::as_u64) else { continue };
            let rss = std::fs::read_to_string(&status).ok().and_then(|s| super::usage::field(&s, "VmRSS:"));
            if let Some(rss_kib) = rss {
                samples.push(Sample { chunks: files * PER_FILE as u64, rss_kib });
            }
        }
    }
    let output = child.wait_with_output()?;
    let seconds = started.elapsed().as_secs_f64();
    let summary: RunSummary = serde_json::from_slice(&output.stdout)
        .map_err(|e| Failure::failed(format!("the run failed ({}): {e}", output.status)))?;
    if let Some(last) = samples.last_mut() {
        last.chunks = summary.chunks;
    }
    Ok(Figures::new(&samples, seconds, summary.stages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_last_four_fifths() {
        let sample = |chunks, rss_kib| Sample { chunks, rss_kib };
        let steady: Vec<Sample> = (1..=10).map(|n| sample(n * 10, if n == 1 { 50 } else { 1000 })).collect();
        assert_eq!(slope_percent(&steady), 0.0, "what is loaded at the beginning is no slope");
        // 1000 KiB at 20 passages, 5 more for each ten: 1040 at 100.
        let rising: Vec<Sample> = (2..=10).map(|n| sample(n * 10, 1000 + (n - 2) * 5)).collect();
        assert!((slope_percent(&rising) - 4.0).abs() < 1e-9, "{}", slope_percent(&rising));
        assert_eq!(slope_percent(&rising[..2]), 0.0);
    }
}
