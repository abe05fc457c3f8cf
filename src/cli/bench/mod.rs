//! `bench`: figures of this machine, with other programs beside them where there are any.

mod agreement;
mod compound;
mod embed;
mod ifc;
mod ingest;
mod llama;
mod llm;
mod memory;
mod night;
mod ocr;
mod peers;
mod report;
mod score;
mod search;
mod serving;
mod stored;
mod tables;
mod tokenizer;
mod usage;
mod verify;
mod whole;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::{Exit, Failure, Output};
use crate::app;
use crate::config::Config;
use crate::worker::WorkerError;

/// A count of which there has to be one.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("nothing is measured with 0; write 1 or more".to_owned()),
        Ok(count) => Ok(count),
        Err(error) => Err(format!("{error}")),
    }
}

/// Figures of this machine, with the device named.
#[derive(Debug, Subcommand)]
pub(super) enum Args {
    /// Tokens per second of a language model: reading a prompt and writing an answer
    Llm(llm::Args),
    /// Passages per second of an embedding model
    Embed(embed::Args),
    /// Text to tokens: speed, and tokens beside those of other programs
    Tokenizer(tokenizer::Args),
    /// German compounds: where words fall apart, against lists with the parts of each
    Compound(compound::Args),
    /// Cells of tables in PDFs, found against known: tables made by this program, and files with references
    Tables {
        /// Folder of PDFs with reference tables in its folder `ref` (ICDAR 2013 NAME-str.xml, NAME.csv)
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
    /// The PDF reader on a folder of files: agreement with other programs, speed, memory
    Ingest(ingest::Args),
    /// Text recognition: pages of digital PDFs made into scans and read again
    Ocr(ocr::Args),
    /// The model reader on a folder of IFC files beside IfcOpenShell, and on a very large model
    Ifc(ifc::Args),
    /// Search in a large corpus: time, memory, what the vector index finds
    Search(search::Args),
    /// Answers with planted errors and right ones: what the verifier finds and what it withholds
    Verify(verify::Args),
    /// A run over many short passages: speed by stage, and whether memory stays where it is
    Night(night::Args),
}

pub(super) async fn run(config: Config, args: Args, out: &Output) -> Result<Exit, Failure> {
    let threads = config.engine.thread_count();
    match args {
        Args::Ingest(args) => pdf_reader(&config, &args, out).await,
        Args::Verify(args) => {
            let report = verify::run(&args)?;
            if out.wants_json() {
                out.value(&report)?;
            } else {
                report.show(out);
            }
            Ok(Exit::Done)
        }
        Args::Ocr(args) => {
            let report = ocr::run(&config, &args, out).await?;
            if out.wants_json() {
                out.value(&report)?;
            } else {
                report.show(out);
            }
            Ok(Exit::Done)
        }
        Args::Ifc(args) => {
            let notes = out.clone();
            let report = measure(move || ifc::run(&args, &notes)).await?;
            ifc::show(&report, out)
        }
        Args::Search(args) => {
            let figures = search::run(&config, &args, out).await?;
            if out.wants_json() {
                out.value(&figures)?;
            } else {
                figures.lines().into_iter().for_each(|line| out.line(line));
            }
            Ok(Exit::Done)
        }
        Args::Night(args) => {
            let figures = night::run(&config, &args, out).await?;
            if out.wants_json() {
                out.value(&figures)?;
            } else {
                figures.lines().into_iter().for_each(|line| out.line(line));
            }
            Ok(Exit::Done)
        }
        Args::Tokenizer(args) => {
            let notes = out.clone();
            let done = tokio::task::spawn_blocking(move || tokenizer::run(&args, &notes));
            done.await.map_err(|e| Failure::failed(e.to_string()))?
        }
        Args::Compound(args) => {
            let notes = out.clone();
            let done = tokio::task::spawn_blocking(move || compound::run(&args, &notes));
            done.await.map_err(|e| Failure::failed(e.to_string()))?
        }
        Args::Tables { folder } => tables(&config, folder.as_deref(), out).await,
        Args::Llm(args) if args.serving.any() => {
            let notes = out.clone();
            let done = tokio::task::spawn_blocking(move || {
                serving::run(&args.serving, &args.model, threads, args.runs, &notes)
            });
            done.await.map_err(|e| Failure::failed(e.to_string()))?
        }
        Args::Llm(args) => {
            let notes = out.clone();
            let report = measure(move || llm::run(&args, threads, &notes)).await?;
            llm::show(&report, out)
        }
        Args::Embed(args) => {
            let notes = out.clone();
            let report = measure(move || embed::run(&args, threads, &notes)).await?;
            embed::show(&report, out)
        }
    }
}

/// Every input goes through the worker, like any file; one that is rejected scores nothing.
async fn tables(config: &Config, folder: Option<&Path>, out: &Output) -> Result<Exit, Failure> {
    let worker = app::worker(config)?;
    let mut rows = Vec::new();
    for input in tables::inputs(folder).map_err(Failure::failed)? {
        let reading = match worker.read(&input.bytes, &format!("{}.pdf", input.name)).await {
            Ok(reading) => Some(reading.document),
            Err(WorkerError::Rejected(error)) => {
                out.note(format!("rejected  {}: {error}", input.name));
                None
            }
            Err(error) => return Err(error.into()),
        };
        rows.push(tables::row(&input, reading.as_ref()));
    }
    let figures = tables::Figures::of(rows);
    if out.wants_json() {
        out.value(&figures)?;
    } else {
        figures.lines().into_iter().for_each(|line| out.line(line));
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

/// The median; 0 of nothing.
fn middle(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
