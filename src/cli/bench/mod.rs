//! `bench`: figures of this machine, with other programs beside them where there are any.

mod ingest;
mod peers;
mod report;
mod score;
mod usage;

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
    /// The PDF reader on a folder of files: agreement with other programs, speed, memory
    Ingest(ingest::Args),
}

pub(super) async fn run(config: Config, args: Args, out: &Output) -> Result<Exit, Failure> {
    let threads = config.engine.thread_count();
    let figures = match args {
        Args::Ingest(args) => return pdf_reader(&config, &args, out).await,
        Args::Llm { model, prefill, decode, runs } => {
            measure(move || bench::llm(&model, threads, prefill, decode, runs)).await?
        }
        Args::Embed { model, passages, tokens, runs } => {
            measure(move || bench::embed(&model, threads, passages, tokens, runs)).await?
        }
    };
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

async fn pdf_reader(config: &Config, args: &ingest::Args, out: &Output) -> Result<Exit, Failure> {
    let report = ingest::run(config, args, out).await?;
    if out.wants_json() {
        out.value(&report)?;
    } else {
        report.show(out);
    }
    Ok(Exit::Done)
}

/// Runs long work off the async threads.
async fn measure<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<serde_json::Value, Failure>
where
    T: serde::Serialize,
    Failure: From<E>,
{
    let figures = tokio::task::spawn_blocking(move || -> Result<serde_json::Value, Failure> {
        Ok(serde_json::to_value(work()?)?)
    });
    figures.await.map_err(|e| Failure::failed(e.to_string()))?
}
