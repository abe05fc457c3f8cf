//! `bench llm`: a text model on this machine, with llama.cpp beside it in the same run.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::llama::{self, Llama, Samples, WAYS};
use super::middle;
use crate::cli::{Exit, Failure, Output};
use crate::engine::bench::{Hashes, LlmBench, Peaks, median, peaks};
use crate::engine::device_name;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// GGUF file
    #[arg(long, value_name = "FILE")]
    pub(super) model: PathBuf,
    /// Tokens of the prompt
    #[arg(long, default_value_t = 512, value_parser = super::at_least_one)]
    prefill: usize,
    /// Tokens of the answer
    #[arg(long, default_value_t = 128, value_parser = super::at_least_one)]
    decode: usize,
    /// Tokens that were read before, for prompt and answer
    #[arg(long, default_value_t = 0)]
    depth: usize,
    /// Times that each is measured; the median counts
    #[arg(long, default_value_t = 5, value_parser = super::at_least_one)]
    pub(super) runs: usize,
    #[command(flatten)]
    pub(super) serving: super::serving::Args,
    /// Also measure steps of 8 and of 16 answers together
    #[arg(long)]
    streams: bool,
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
    peer: Option<String>,
    rows: Vec<Row>,
    integer_gops_per_thread: f64,
    read_gb_per_s: f64,
    continuations: String,
    logits: String,
}

/// One quantity.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    what: String,
    /// Median of the runs.
    per_s: f64,
    /// The same of llama.cpp, the better of its two ways.
    peer_per_s: Option<f64>,
    ratio: Option<f64>,
    /// Of the processor's best: integer operations where a prompt is read, bytes where an answer is written.
    share_of_peak: Option<f64>,
}

/// Figures of one quantity while they are collected.
struct Series {
    what: String,
    tokens: usize,
    times: Vec<Duration>,
    /// Tokens per second of llama.cpp without and with its tiled product.
    peer: Samples,
    share: fn(&LlmBench, &Peaks, f64) -> f64,
}

impl Series {
    fn row(&mut self, bench: &LlmBench, peaks: &Peaks) -> Row {
        let per_s = self.tokens as f64 / median(&mut self.times);
        let peer_per_s = self.peer.best();
        Row {
            what: self.what.clone(),
            per_s,
            peer_per_s,
            ratio: peer_per_s.map(|p| per_s / p),
            share_of_peak: Some((self.share)(bench, peaks, per_s)),
        }
    }
}

fn share_of_operations(bench: &LlmBench, peaks: &Peaks, per_s: f64) -> f64 {
    let threads = bench.model().threads() as f64;
    per_s * bench.operations_per_token() as f64 / (peaks.integer_gops_per_thread * 1e9 * threads)
}

fn share_of_bytes(bench: &LlmBench, peaks: &Peaks, per_s: f64) -> f64 {
    per_s * bench.bytes_per_token() as f64 / (peaks.read_gb_per_s * 1e9)
}

pub(super) fn run(args: &Args, threads: usize, out: &Output) -> Result<Report, Failure> {
    args.compare.as_deref().map_or(Ok(()), llama::check)?;
    let context = args.depth + args.prefill.max(args.decode).max(64) + 64;
    let bench = LlmBench::open(&args.model, threads, context)?;
    let mut session = bench.at_depth(args.depth)?;
    let at = if args.depth > 0 { format!(" after {}", args.depth) } else { String::new() };
    let series = |what: &str, tokens, share| Series {
        what: format!("{what} {tokens}{at}"),
        tokens,
        times: Vec::new(),
        peer: Samples::default(),
        share,
    };
    let mut prefill = series("read", args.prefill, share_of_operations);
    let mut decode = series("write", args.decode, share_of_bytes);
    // What the machine can do swings with what else it does: measured in every round, like all else.
    let (mut integer, mut read, mut peer) = (Vec::new(), Vec::new(), None);
    for round in 0..args.runs {
        out.note(format!("round {} of {}", round + 1, args.runs));
        let best = peaks(threads);
        integer.push(best.integer_gops_per_thread);
        read.push(best.read_gb_per_s);
        prefill.times.push(bench.prefill(&mut session, prefill.tokens)?);
        decode.times.push(bench.decode(&mut session, decode.tokens)?);
        let Some(folder) = &args.compare else { continue };
        let llama = Llama { folder, model: &args.model, threads };
        let options = [("-d", args.depth), ("-p", prefill.tokens), ("-n", decode.tokens)];
        for (way, tiled) in WAYS.into_iter().enumerate() {
            for test in llama.bench(tiled, &options)? {
                let series = if test.n_gen > 0 { &mut decode } else { &mut prefill };
                series.peer.push(way, test.avg_ts);
                peer = Some(test.program());
            }
        }
    }
    let peaks = Peaks { integer_gops_per_thread: middle(integer), read_gb_per_s: middle(read) };
    let mut rows = vec![prefill.row(&bench, &peaks), decode.row(&bench, &peaks)];
    if args.streams {
        rows.extend(together(&bench, args)?);
    }
    report(&bench, args, threads, peaks, peer, rows)
}

fn report(
    bench: &LlmBench,
    args: &Args,
    threads: usize,
    peaks: Peaks,
    peer: Option<String>,
    rows: Vec<Row>,
) -> Result<Report, Failure> {
    let Hashes { continuations, logits } = bench.hashes()?;
    let info = bench.model().info();
    Ok(Report {
        device: device_name(threads),
        model: info.name.clone(),
        quantisation: info.quantisation.clone(),
        threads,
        runs: args.runs,
        peer,
        rows,
        integer_gops_per_thread: peaks.integer_gops_per_thread,
        read_gb_per_s: peaks.read_gb_per_s,
        continuations,
        logits,
    })
}

/// Steps of several answers, as a multiple of the time of a step of one.
fn together(bench: &LlmBench, args: &Args) -> Result<Vec<Row>, Failure> {
    const STREAMS: [usize; 3] = [1, 8, 16];
    const STEPS: usize = 16;
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..args.runs {
        for (n, times) in STREAMS.into_iter().zip(&mut times) {
            times.push(bench.steps(n, args.depth.max(32), STEPS)?);
        }
    }
    let seconds = times.each_mut().map(|t| median(t));
    let row = |(n, time): (usize, f64)| Row {
        what: format!("step of {n}, {:.2} times a step of 1", time / seconds[0]),
        per_s: (n * STEPS) as f64 / time,
        peer_per_s: None,
        ratio: None,
        share_of_peak: None,
    };
    Ok(STREAMS.into_iter().zip(seconds).map(row).collect())
}

/// Prints the report.
pub(super) fn show(report: &serde_json::Value, out: &Output) -> Result<Exit, Failure> {
    if out.wants_json() {
        out.value(report)?;
        return Ok(Exit::Done);
    }
    let report: Report = serde_json::from_value(report.clone())?;
    out.line(format!("{} ({}) on {}", report.model, report.quantisation, report.device));
    if let Some(peer) = &report.peer {
        out.line(format!("beside {peer}, the better of its tiled product on and off"));
    }
    out.line(format!("{:<34}{:>10}{:>12}{:>8}{:>14}", "", "tokens/s", "llama.cpp", "ratio", "of the peak"));
    let number = |n: Option<f64>, digits| n.map(|n| format!("{n:.digits$}")).unwrap_or_default();
    for row in &report.rows {
        let share = row.share_of_peak.map(|s| format!("{:.0} %", s * 100.0)).unwrap_or_default();
        let (peer, ratio) = (number(row.peer_per_s, 1), number(row.ratio, 2));
        out.line(format!("{:<34}{:>10.1}{peer:>12}{ratio:>8}{share:>14}", row.what, row.per_s));
    }
    out.line(format!(
        "peaks: {:.0} thousand million 8-bit operations per second and thread, {:.1} GB/s read",
        report.integer_gops_per_thread, report.read_gb_per_s
    ));
    out.line(format!("hashes: continuations {}, logits {}", report.continuations, report.logits));
    Ok(Exit::Done)
}
