mod ifc;

use std::path::PathBuf;

use clap::Subcommand;

use super::{Exit, Failure, Output};
use crate::config::Config;
use crate::engine::bench;

/// Figures of this machine, with the device named.
#[derive(Debug, Subcommand)]
pub(super) enum Args {
    /// Tokens per second of a language model: reading a prompt and writing an answer
    Llm {
        /// GGUF file
        #[arg(long, value_name = "FILE")]
        model: PathBuf,
        /// Tokens of the prompt
        #[arg(long, default_value_t = 512)]
        prefill: usize,
        /// Tokens of the answer
        #[arg(long, default_value_t = 128)]
        decode: usize,
        /// Times that each is measured; the median counts
        #[arg(long, default_value_t = 5)]
        runs: usize,
    },
    /// Passages per second of an embedding model
    Embed {
        /// GGUF file
        #[arg(long, value_name = "FILE")]
        model: PathBuf,
        /// Passages in a batch
        #[arg(long, default_value_t = 32)]
        passages: usize,
        /// Tokens of a passage
        #[arg(long, default_value_t = 170)]
        tokens: usize,
        /// Times that each is measured; the median counts
        #[arg(long, default_value_t = 5)]
        runs: usize,
    },
    /// The model reader on a folder of IFC files beside IfcOpenShell, and on a very large model
    Ifc(ifc::Args),
}

pub(super) async fn run(config: Config, args: Args, out: &Output) -> Result<Exit, Failure> {
    let threads = config.engine.thread_count();
    if let Args::Ifc(args) = args {
        let notes = out.clone();
        let report = tokio::task::spawn_blocking(move || ifc::run(&args, &notes));
        return ifc::show(&report.await.map_err(|e| Failure::failed(e.to_string()))??, out);
    }
    let figures = tokio::task::spawn_blocking(move || -> Result<serde_json::Value, Failure> {
        Ok(match args {
            Args::Llm { model, prefill, decode, runs } => {
                serde_json::to_value(bench::llm(&model, threads, prefill, decode, runs)?)?
            }
            Args::Embed { model, passages, tokens, runs } => {
                serde_json::to_value(bench::embed(&model, threads, passages, tokens, runs)?)?
            }
            Args::Ifc(_) => serde_json::Value::Null, // done above
        })
    });
    let figures = figures.await.map_err(|e| Failure::failed(e.to_string()))??;
    if out.wants_json() {
        out.value(&figures)?;
    } else if let Some(figures) = figures.as_object() {
        for (name, value) in figures {
            match value.as_f64() {
                Some(number) if !value.is_u64() => out.line(format!("{name:<24} {number:.1}")),
                _ => out.line(format!("{name:<24} {}", value.to_string().trim_matches('"'))),
            }
        }
    }
    Ok(Exit::Done)
}
