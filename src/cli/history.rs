use std::path::PathBuf;

use ingest::counted;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, InPerson, Output, output};
use crate::app::App;

/// What a person asked and was told, for that person alone.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    #[command(flatten)]
    person: InPerson,
    /// Where to write it; .csv writes a table, everything else JSON
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Ask for it to be deleted: opens a request with a term of 30 days
    #[arg(long, conflicts_with = "output")]
    delete: bool,
}

impl Args {
    pub(super) fn load(mut self) -> Result<Self, Failure> {
        if let Some(output) = &self.output {
            output::can_write(output)?;
        }
        self.person.ask_password()?;
        Ok(self)
    }
}

pub(super) fn run(app: &App, args: &Args, out: &Output) -> Result<Exit, Failure> {
    let session = args.person.session(app)?;
    if args.delete {
        let case = app.ask_for_deletion(&session)?;
        let due = case.due.map(|day| day.to_string()).unwrap_or_default();
        if out.wants_json() {
            out.value(&case)?;
        } else {
            out.line(format!("{}: asked for, due by {due}", case.id));
        }
        return Ok(Exit::Done);
    }
    if let Some(path) = &args.output {
        let csv = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
        let file = app.export_history(&session, csv)?;
        out.file(path.clone(), &file.bytes);
        if out.wants_json() {
            out.value(&serde_json::json!({ "file": path, "sha256": file.sha256, "asked": file.rows }))?;
        } else {
            let rows = counted(file.rows, "question or search", "questions and searches");
            out.line(format!("{}: {rows}, SHA-256 {}", path.display(), file.sha256));
        }
        return Ok(Exit::Done);
    }
    let history = app.history(&session)?;
    if out.wants_json() {
        out.value(&history)?;
        return Ok(Exit::Done);
    }
    for asked in &history.asked {
        out.line(format!("{}  {}", asked.at, asked.text));
    }
    if history.unreadable > 0 {
        out.note(format!(
            "{} older: the texts cannot be read any more",
            counted(history.unreadable, "question or search", "questions and searches")
        ));
    }
    Ok(Exit::Done)
}
