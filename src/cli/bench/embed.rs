//! `bench embed`: an embedding model on this machine, with llama.cpp beside it in the same run.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::llama::{self, Llama, Samples, WAYS};
use crate::cli::{Exit, Failure, Output};
use crate::engine::bench::{EmbedBench, median};
use crate::engine::device_name;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// GGUF file
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Passages in a batch
    #[arg(long, default_value_t = 128, value_parser = super::at_least_one)]
    passages: usize,
    /// Tokens of a passage
    #[arg(long, default_value_t = 256, value_parser = super::at_least_one)]
    tokens: usize,
    /// Times that each is measured; the median counts
    #[arg(long, default_value_t = 5, value_parser = super::at_least_one)]
    runs: usize,
    /// Folder with llama.cpp's llama-bench, to be measured in turn with this program
    #[arg(long, value_name = "FOLDER")]
    compare: Option<PathBuf>,
}

/// Everything that was measured.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::cli) struct Report {
    device: String,
    model: String,
    quantisation: String,
    threads: usize,
    runs: usize,
    passages: usize,
    tokens_per_passage: usize,
    passages_per_s: f64,
    tokens_per_s: f64,
    /// One short question, in milliseconds.
    query_ms: f64,
    peer: Option<String>,
    /// Passages of as many tokens, one after the other, the better of its two ways.
    peer_passages_per_s: Option<f64>,
    ratio: Option<f64>,
}

pub(super) fn run(args: &Args, threads: usize, out: &Output) -> Result<Report, Failure> {
    args.compare.as_deref().map_or(Ok(()), llama::check)?;
    let bench = EmbedBench::open(&args.model, threads, args.passages, args.tokens)?;
    let (passages, tokens) = bench.size();
    let tokens_per_passage = tokens / passages;
    let (mut times, mut questions): (Vec<Duration>, Vec<Duration>) = Default::default();
    let (mut samples, mut peer) = (Samples::default(), None);
    let runs = args.runs;
    for round in 0..runs {
        out.note(format!("round {} of {runs}", round + 1));
        times.push(bench.passages()?);
        questions.push(bench.question()?);
        let Some(folder) = &args.compare else { continue };
        let llama = Llama { folder, model: &args.model, threads };
        for (way, tiled) in WAYS.into_iter().enumerate() {
            for test in llama.bench(tiled, &[("-p", tokens_per_passage), ("-n", 0), ("-embd", 1)])? {
                samples.push(way, test.avg_ts);
                peer = Some(test.program());
            }
        }
    }
    let seconds = median(&mut times);
    let passages_per_s = passages as f64 / seconds;
    let peer_passages_per_s = samples.best().map(|tokens| tokens / tokens_per_passage as f64);
    Ok(Report {
        device: device_name(threads),
        model: bench.info().name.clone(),
        quantisation: bench.info().quantisation.clone(),
        threads,
        runs,
        passages,
        tokens_per_passage,
        passages_per_s,
        tokens_per_s: tokens as f64 / seconds,
        query_ms: median(&mut questions) * 1000.0,
        peer,
        ratio: peer_passages_per_s.map(|peer| passages_per_s / peer),
        peer_passages_per_s,
    })
}

/// Prints the report.
pub(super) fn show(report: &serde_json::Value, out: &Output) -> Result<Exit, Failure> {
    if out.wants_json() {
        out.value(report)?;
        return Ok(Exit::Done);
    }
    let report: Report = serde_json::from_value(report.clone())?;
    out.line(format!("{} ({}) on {}", report.model, report.quantisation, report.device));
    out.line(format!(
        "{} passages of {} tokens: {:.1} passages/s, {:.0} tokens/s; a question {:.1} ms; median of {}",
        report.passages,
        report.tokens_per_passage,
        report.passages_per_s,
        report.tokens_per_s,
        report.query_ms,
        report.runs
    ));
    if let (Some(peer), Some(per_s), Some(ratio)) = (&report.peer, report.peer_passages_per_s, report.ratio) {
        out.line(format!(
            "{peer}, the better of its tiled product on and off: {per_s:.1} passages/s; ratio {ratio:.2}"
        ));
    }
    Ok(Exit::Done)
}
