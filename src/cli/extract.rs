use std::path::PathBuf;

use ingest::{Chunk, Document};

use super::{Exit, Failure, Output};
use crate::app;
use crate::config::Config;
use crate::worker::WorkerError;

/// What the reader makes of one file.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show the passages instead of the document
    #[arg(long)]
    chunks: bool,
}

pub(super) async fn run(config: Config, args: Args, out: &Output) -> Result<Exit, Failure> {
    let path = args.file.display().to_string();
    let bytes = std::fs::read(&args.file).map_err(|e| Failure::failed(format!("cannot read {path}: {e}")))?;
    let name = args.file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let reading = match app::worker(&config)?.read(&bytes, &name).await {
        Ok(reading) => reading,
        Err(error @ WorkerError::Rejected(_)) => {
            out.note(format!("rejected  {path}: {error}"));
            return Ok(Exit::WithRejects);
        }
        Err(error) => return Err(Failure::failed(format!("{path}: {error}"))),
    };
    if args.chunks {
        show_chunks(&reading.chunks, out)?;
    } else if out.wants_json() {
        out.value(&reading.document)?;
    } else {
        show(&reading.document, out);
    }
    Ok(Exit::Done)
}

fn show_chunks(chunks: &[Chunk], out: &Output) -> Result<(), Failure> {
    for chunk in chunks {
        if out.wants_json() {
            out.value(chunk)?;
        } else {
            let place = super::search::place(&chunk.locator);
            out.line(format!("— {place} {}\n{}\n", chunk.section.join(" › "), chunk.text));
        }
    }
    Ok(())
}

fn show(document: &Document, out: &Output) {
    out.line(format!("{} ({})", document.title, document.kind.as_str()));
    for page in &document.pages {
        out.line(format!(
            "\n== page {}, {} words, {} tables",
            page.number,
            page.words.len(),
            page.tables.len()
        ));
        out.line(&page.text);
    }
    for record in &document.records {
        out.line(format!("{}  {}  [{}]", record.number, record.subject, record.status));
    }
    for element in &document.elements {
        out.line(format!("{}  {}  {}  {}", element.global_id, element.class, element.name, element.storey));
    }
    for section in &document.sections {
        out.line(format!("{}\n{}", section.heading, section.text));
    }
    for warning in &document.warnings {
        out.note(format!("warning  {}: {}", warning.code, warning.message));
    }
}
