use std::path::{Path, PathBuf};

use ingest::{Chunk, Document, ModelDiff, RecordMapping, Register, counted};

use super::{Exit, Failure, Output};
use crate::app;
use crate::config::Config;
use crate::jobs;
use crate::worker::{Reading, WorkerError};

/// What the reader makes of one file.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show the passages instead of the document
    #[arg(long, conflicts_with = "dry_run")]
    chunks: bool,
    /// Show which column of a register fills which field, and the counts, instead of the document
    #[arg(long)]
    dry_run: bool,
    /// Read registers as the mapping file of this source says
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Show what was added, removed and changed since this earlier version of the model
    #[arg(long, value_name = "EARLIER", conflicts_with_all = ["chunks", "dry_run"])]
    diff: Option<PathBuf>,
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

/// What the worker makes of a file; `None` where the file was rejected, which is told.
async fn reading(
    config: &Config,
    file: &Path,
    mapping: &RecordMapping,
    out: &Output,
) -> Result<Option<Reading>, Failure> {
    let path = file.display().to_string();
    let bytes = contents(file, config.ingest.max_file_mb)?;
    let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    match app::worker(config)?.read_mapped(&bytes, &name, mapping).await {
        Ok(reading) => Ok(Some(reading)),
        Err(error @ WorkerError::Rejected(_)) => {
            if out.wants_json() {
                out.value(&serde_json::json!({ "rejected": error.to_string() }))?;
            }
            out.note(format!("rejected  {path}: {error}"));
            Ok(None)
        }
        Err(error) => Err(Failure::failed(format!("{path}: {error}"))),
    }
}

pub(super) async fn run(config: Config, args: Args, out: &Output) -> Result<Exit, Failure> {
    let mapping = mapping(&config, args.source.as_deref())?;
    let Some(reading) = reading(&config, &args.file, &mapping, out).await? else {
        return Ok(Exit::WithRejects);
    };
    if let Some(earlier) = &args.diff {
        let Some(earlier) = self::reading(&config, earlier, &mapping, out).await? else {
            return Ok(Exit::WithRejects);
        };
        let diff = ingest::diff_elements(&earlier.document.elements, &reading.document.elements);
        return show_diff(&diff, out);
    }
    if args.dry_run {
        show_mapping(&reading.document, out)?;
    } else if args.chunks {
        show_chunks(&reading.chunks, out)?;
    } else if out.wants_json() {
        out.value(&reading.document)?;
    } else {
        show(&reading.document, out);
    }
    Ok(Exit::Done)
}

/// The mapping of the named source.
fn mapping(config: &Config, source: Option<&str>) -> Result<RecordMapping, Failure> {
    let Some(name) = source else { return Ok(RecordMapping::default()) };
    let Some(source) = config.sources.iter().find(|s| s.name == name) else {
        return Err(Failure::failed(format!("there is no source `{name}` in {}", config.file.display())));
    };
    Ok(jobs::record_mapping(source)?)
}

/// Which column of a register fills which field.
fn show_mapping(document: &Document, out: &Output) -> Result<(), Failure> {
    if out.wants_json() {
        let warnings = &document.warnings;
        return out.value(&serde_json::json!({ "registers": document.registers, "warnings": warnings }));
    }
    if document.registers.is_empty() {
        out.line("no register of requests was recognised in it");
    }
    for register in &document.registers {
        mapping_lines(register).into_iter().for_each(|line| out.line(line));
    }
    if let Some(rest) = &document.rest {
        let these = counted(rest.members, "more file", "more files");
        out.line(format!("inside: {these}, from {} on; a run reads them too", rest.name));
    }
    for warning in &document.warnings {
        out.note(format!("warning  {}: {}", warning.code, warning.message));
    }
    Ok(())
}

fn mapping_lines(register: &Register) -> Vec<String> {
    let header = register.header_row.map(|row| format!(", header in row {row}")).unwrap_or_default();
    let counts = register.counts;
    let mut lines = vec![format!(
        "{}{header}: {} found = {} stored + {} merged + {} rejected",
        register.name, counts.found, counts.stored, counts.merged, counts.rejected
    )];
    let width = register.columns.iter().map(|c| c.header.chars().count()).max().unwrap_or(0).min(40);
    for column in &register.columns {
        let header = if column.header.is_empty() { "(no header)" } else { &column.header };
        let target = match (column.field.as_str(), column.filled) {
            ("", 0) => "(empty)".to_owned(),
            ("", _) => "(not mapped: kept under its header)".to_owned(),
            (field, _) => field.to_owned(),
        };
        let by = if column.by_mapping { ", by the mapping file" } else { "" };
        let unread = if column.unread > 0 {
            format!(", {}", counted(column.unread, "no date", "no dates"))
        } else {
            String::new()
        };
        let (number, filled) = (column.number, counted(column.filled, "cell", "cells"));
        lines.push(format!("{number:>4}  {header:<width$}  -> {target}  ({filled}{unread}{by})"));
    }
    let unmapped: Vec<&str> = register
        .columns
        .iter()
        .filter(|c| c.field.is_empty() && c.filled > 0)
        .map(|c| c.header.as_str())
        .collect();
    if !unmapped.is_empty() {
        lines.push(format!("not mapped: {}", unmapped.join(", ")));
    }
    lines
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

fn show_diff(diff: &ModelDiff, out: &Output) -> Result<Exit, Failure> {
    if out.wants_json() {
        out.value(diff)?;
        return Ok(Exit::Done);
    }
    out.lines(diff);
    Ok(Exit::Done)
}

fn show(document: &Document, out: &Output) {
    out.line(format!("{} ({})", document.title, document.kind.as_str()));
    for page in &document.pages {
        out.lines(format!(
            "\n== page {}, {}, {}",
            page.number,
            counted(page.words.len(), "word", "words"),
            counted(page.tables.len(), "table", "tables")
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
        out.line(format!("== {}, {}", sheet.name, counted(sheet.rows.len(), "row", "rows")));
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
        out.line(format!("inside: {} ({})", member.name, counted(member.bytes.len(), "byte", "bytes")));
    }
    for warning in &document.warnings {
        out.note(format!("warning  {}: {}", warning.code, warning.message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mapping_names_every_column() {
        let column = |number, header: &str, field: &str, filled| ingest::Column {
            number,
            header: header.into(),
            field: field.into(),
            filled,
            ..ingest::Column::default()
        };
        let register = Register {
            name: "RFI".into(),
            header_row: Some(3),
            columns: vec![column(1, "Nr.", "number", 2), column(2, "Bemerkung", "", 1), column(3, "", "", 0)],
            counts: ingest::RecordCounts { found: 3, stored: 2, merged: 0, rejected: 1 },
            ..Register::default()
        };
        assert_eq!(
            mapping_lines(&register),
            [
                "RFI, header in row 3: 3 found = 2 stored + 0 merged + 1 rejected",
                "   1  Nr.        -> number  (2 cells)",
                "   2  Bemerkung  -> (not mapped: kept under its header)  (1 cell)",
                "   3  (no header)  -> (empty)  (0 cells)",
                "not mapped: Bemerkung"
            ]
        );
    }

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
