//! `bench tokenizer`: speed, and tokens compared with those of other programs.

mod text;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use base64::Engine as _;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::cli::{Exit, Failure, Output};
use crate::engine::gguf::{Gguf, Value, Writer};
use crate::engine::tokenizer::Tokenizer;

const PEER: &str = include_str!("peer.py");
const PRE: &str = "tokenizer.ggml.pre";
/// Bytes of text for the speed.
const TEXT_BYTES: usize = 4 << 20;
const SEED: u64 = 20_261_130;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// GGUF file
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Text files to measure with, in place of the program's own text
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Split texts by another rule than the file's, as in `qwen2`
    #[arg(long, value_name = "NAME")]
    pre: Option<String>,
    /// Measure Hugging Face tokenizers and tiktoken too, and compare tokens
    #[arg(long)]
    compare: bool,
    /// Strings of anything whose tokens are compared
    #[arg(long, default_value_t = 10_000, value_parser = super::at_least_one)]
    strings: usize,
    /// Times that each is measured; the median counts
    #[arg(long, default_value_t = 5, value_parser = super::at_least_one)]
    runs: usize,
    /// Python with the packages `tokenizers` and `tiktoken`
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
}

/// A program and its speed.
#[derive(Debug, Serialize, Deserialize)]
struct Peer {
    version: String,
    mb_per_s: f64,
}

#[derive(Debug, Deserialize)]
struct Peers {
    tokenizers: Peer,
    tiktoken: Option<Peer>,
}

#[derive(Debug, Serialize)]
struct Report {
    tokenizer: String,
    text_bytes: usize,
    tokens: usize,
    mb_per_s: f64,
    tokenizers: Option<Peer>,
    tiktoken: Option<Peer>,
    strings: usize,
    mismatches: usize,
    /// Strings with characters that are newer than the Unicode of the Python at hand.
    left_out: usize,
    /// The first that differ, escaped.
    examples: Vec<String>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Exit, Failure> {
    let bytes = std::fs::read(&args.model)?;
    let gguf = with_rule(&bytes, args.pre.as_deref())?;
    let tokenizer = Tokenizer::from_gguf(&gguf)?;
    let lines = match &args.folder {
        Some(folder) => files(folder)?,
        None => text::lines(TEXT_BYTES),
    };
    let size: usize = lines.iter().map(String::len).sum();
    let (mut times, mut tokens) = (Vec::new(), 0);
    for _ in 0..args.runs {
        let start = Instant::now();
        tokens = lines.iter().map(|line| tokenizer.encode(line, false, false).len()).sum();
        times.push(start.elapsed());
    }
    let mut report = Report {
        tokenizer: tokenizer.name().to_owned(),
        text_bytes: size,
        tokens,
        mb_per_s: size as f64 / crate::engine::bench::median(&mut times) / 1e6,
        tokenizers: None,
        tiktoken: None,
        strings: 0,
        mismatches: 0,
        left_out: 0,
        examples: Vec::new(),
    };
    if args.compare {
        compare(args, &gguf, &tokenizer, &lines, &mut report)?;
    }
    show(&report, out)?;
    Ok(if report.mismatches > 0 { Exit::WithRejects } else { Exit::Done })
}

/// The file's table, with another rule where one is named.
fn with_rule(bytes: &[u8], pre: Option<&str>) -> Result<Gguf, Failure> {
    let gguf = Gguf::parse(bytes)?;
    let Some(pre) = pre else { return Ok(gguf) };
    let mut writer = Writer::new();
    for (key, value) in gguf.metadata() {
        writer.set(key.clone(), if key == PRE { Value::Str(pre.to_owned()) } else { value.clone() });
    }
    let mut changed = Vec::new();
    writer.write(&mut changed)?;
    Ok(Gguf::parse(&changed)?)
}

/// The lines of all text files in a folder.
fn files(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                lines.extend(text.lines().map(str::to_owned));
            }
        }
    }
    if lines.is_empty() {
        return Err(Failure::usage(format!("{} holds no text files", folder.display())));
    }
    Ok(lines)
}

fn compare(
    args: &Args,
    gguf: &Gguf,
    tokenizer: &Tokenizer,
    lines: &[String],
    report: &mut Report,
) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let strings = text::strings(args.strings, SEED);
    let write = |name: &str, value: &serde_json::Value| -> Result<(), Failure> {
        Ok(std::fs::write(folder.path().join(name), serde_json::to_vec(value)?)?)
    };
    write("vocabulary.json", &vocabulary(gguf)?)?;
    write("lines.json", &json!(lines))?;
    write("strings.json", &json!(strings))?;
    let output = Command::new(&args.python)
        .args(["-c", PEER])
        .arg(folder.path())
        .arg(args.runs.to_string())
        .output()
        .map_err(|e| Failure::failed(format!("{}: {e}", args.python.display())))?;
    let peers: Peers = serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or_default();
        Failure::failed(format!("{} gave no result: {last}", args.python.display()))
    })?;
    let ids = std::fs::read(folder.path().join("ids.bin"))?;
    let mut ids = ids.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
    for string in &strings {
        let count = ids.next().unwrap_or(0);
        if count == u32::MAX {
            report.left_out += 1;
            continue;
        }
        let theirs: Vec<u32> = ids.by_ref().take(count as usize).collect();
        if theirs != tokenizer.encode(string, false, false) {
            report.mismatches += 1;
            if report.examples.len() < 5 {
                report.examples.push(format!("{string:?}"));
            }
        }
    }
    report.strings = strings.len() - report.left_out;
    report.tokenizers = Some(peers.tokenizers);
    report.tiktoken = peers.tiktoken;
    Ok(())
}

/// What the other programs need of the file.
fn vocabulary(gguf: &Gguf) -> Result<serde_json::Value, Failure> {
    let charsmap = gguf.bytes("tokenizer.ggml.precompiled_charsmap").unwrap_or_default();
    Ok(json!({
        "model": gguf.str("tokenizer.ggml.model")?,
        "pre": gguf.str(PRE).unwrap_or_default(),
        "tokens": gguf.strings("tokenizer.ggml.tokens")?,
        "types": gguf.i32s("tokenizer.ggml.token_type")?,
        "scores": gguf.f32s("tokenizer.ggml.scores").unwrap_or_default(),
        "merges": gguf.strings("tokenizer.ggml.merges").unwrap_or_default(),
        "unknown": gguf.u32("tokenizer.ggml.unknown_token_id").unwrap_or(0),
        "charsmap": base64::engine::general_purpose::STANDARD.encode(charsmap),
    }))
}

fn show(report: &Report, out: &Output) -> Result<(), Failure> {
    if out.wants_json() {
        return out.value(report);
    }
    out.line(format!("{}: {} bytes, {} tokens", report.tokenizer, report.text_bytes, report.tokens));
    out.line(format!("{:<28} {:>8.2} MB/s", "this program", report.mb_per_s));
    let others = [("tokenizers", &report.tokenizers), ("tiktoken", &report.tiktoken)];
    for (name, peer) in others.into_iter().filter_map(|(name, peer)| Some((name, peer.as_ref()?))) {
        let ratio = report.mb_per_s / peer.mb_per_s;
        out.line(format!(
            "{:<28} {:>8.2} MB/s, {ratio:.2} times",
            format!("{name} {}", peer.version),
            peer.mb_per_s
        ));
    }
    if report.strings > 0 {
        out.line(format!(
            "{} of {} strings differ from tokenizers'; {} more hold characters that Python's Unicode lacks",
            report.mismatches, report.strings, report.left_out
        ));
        report.examples.iter().for_each(|e| out.line(format!("  {e}")));
    }
    Ok(())
}
