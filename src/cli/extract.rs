use std::path::{Path, PathBuf};

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

/// The bytes of a plain file that is not larger than a run would read. A device or a pipe may never end.
fn contents(path: &Path, max_mb: u64) -> Result<Vec<u8>, Failure> {
    let fail = |e: &dyn std::fmt::Display| Failure::failed(format!("cannot read {}: {e}", path.display()));
    let facts = std::fs::metadata(path).map_err(|e| fail(&e))?;
    if !facts.is_file() {
        return Err(fail(&"it is not a plain file"));
    }
    if facts.len() > max_mb << 20 {
        return Err(fail(&format_args!(
            "it has {} MiB, more than ingest.max_file_mb ({max_mb}); split it or raise the limit",
            facts.len() >> 20
        )));
    }
    std::fs::read(path).map_err(|e| fail(&e))
}

pub(super) async fn run(config: Config, args: Args, out: &Output) -> Result<Exit, Failure> {
    let path = args.file.display().to_string();
    let bytes = contents(&args.file, config.ingest.max_file_mb)?;
    let name = args.file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let reading = match app::worker(&config)?.read(&bytes, &name).await {
        Ok(reading) => reading,
        Err(error @ WorkerError::Rejected(_)) => {
            if out.wants_json() {
                out.value(&serde_json::json!({ "rejected": error.to_string() }))?;
            }
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
    if out.wants_json() {
        return out.value(&serde_json::json!({ "chunks": chunks }));
    }
    for chunk in chunks {
        let place = super::search::place(&chunk.locator);
        out.lines(format!("— {place} {}\n{}\n", chunk.section.join(" › "), chunk.text));
    }
    Ok(())
}

fn show(document: &Document, out: &Output) {
    out.line(format!("{} ({})", document.title, document.kind.as_str()));
    for page in &document.pages {
        out.lines(format!(
            "\n== page {}, {} words, {} tables",
            page.number,
            page.words.len(),
            page.tables.len()
        ));
        out.lines(&page.text);
    }
    for record in &document.records {
        out.line(format!("{}  {}  [{}]", record.number, record.subject, record.status));
    }
    for element in &document.elements {
        out.line(format!("{}  {}  {}  {}", element.global_id, element.class, element.name, element.storey));
    }
    for section in &document.sections {
        out.lines(format!("{}\n{}", section.heading, section.text));
        for row in &section.rows {
            out.line(row.join(" | "));
        }
    }
    for sheet in &document.sheets {
        out.line(format!("== {}, {} rows", sheet.name, sheet.rows.len()));
        for row in &sheet.rows {
            out.line(row.join(" | "));
        }
    }
    for note in &document.notes {
        out.line(format!("{} {} ({}): {}", note.sheet, note.cell, note.author, note.text));
    }
    for fact in &document.facts {
        let stated = [fact.kind.as_str(), &fact.subject, &fact.element, &fact.label, &fact.value, &fact.unit];
        let stated: Vec<&str> = stated.into_iter().filter(|s| !s.is_empty()).collect();
        out.line(format!("{}  [{}]", stated.join(" · "), super::search::place(&fact.place)));
    }
    for member in &document.attachments {
        out.line(format!("inside: {} ({} bytes)", member.name, member.bytes.len()));
    }
    for warning in &document.warnings {
        out.note(format!("warning  {}: {}", warning.code, warning.message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_within_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        std::fs::write(&file, vec![b'a'; (1 << 20) + 1]).unwrap();
        assert_eq!(contents(&file, 2).unwrap().len(), (1 << 20) + 1);
        assert!(contents(&file, 0).unwrap_err().message.contains("ingest.max_file_mb (0)"));
        for endless in [Path::new("/dev/zero"), folder.path()] {
            assert!(contents(endless, 1).unwrap_err().message.contains("not a plain file"));
        }
    }
}
