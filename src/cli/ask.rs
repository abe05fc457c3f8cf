use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::answer::{AnswerEvent, Mode, Question, Row};
use crate::app::{AnswerExport, App};
use crate::audit::{Actor, AnswerFormat};

/// A question as a reader would ask it in the browser.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// The question
    #[arg(value_name = "QUESTION")]
    pub question: String,
    /// Only this project
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// The question before: `And on the first floor?` is read as a follow-up to it
    #[arg(long, value_name = "QUESTION")]
    #[serde(default)]
    pub before: Option<String>,
    /// See only what this user may see
    #[arg(long = "as", value_name = "USER")]
    pub user: Option<String>,
    /// Also write the answer to a file, marked and signed: .pdf, .html, .md or .json
    #[arg(long, value_name = "FILE")]
    #[serde(default)]
    pub export: Option<PathBuf>,
    /// With --export: it is meant for publication
    #[arg(long, requires = "export")]
    #[serde(default)]
    pub publication: bool,
    /// With --export: who reviewed it editorially
    #[arg(long, value_name = "NAME", requires = "export")]
    #[serde(default)]
    pub reviewed_by: Option<String>,
}

impl Args {
    /// Whether the answer can be written where it is wanted.
    ///
    /// # Errors
    /// It cannot, or not in that form.
    pub(super) fn check_output(self) -> Result<Self, Failure> {
        if let Some(path) = &self.export {
            format_of(path)?;
            super::output::can_write(path)?;
        }
        Ok(self)
    }
}

fn format_of(path: &std::path::Path) -> Result<AnswerFormat, Failure> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    AnswerFormat::parse(extension).ok_or_else(|| {
        Failure::usage(format!("{}: answers are written as .pdf, .html, .md or .json", path.display()))
    })
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let (actor, scope) = app.acting(actor, args.user.as_deref())?;
    let project = args.project.as_deref().map(|name| app.project(&scope, name)).transpose()?;
    let asked = args.question.clone();
    let question = Question { text: args.question, project, language: None, before: args.before };
    let (events, mut receiver) = tokio::sync::mpsc::channel(64);
    let show = async {
        while let Some(event) = receiver.recv().await {
            if let (AnswerEvent::Text(text), false) = (event, out.wants_json()) {
                out.piece(&text);
            }
        }
    };
    let (answer, ()) = tokio::join!(app.answerer.ask(&actor, &scope, &question, events), show);
    let answer = answer?;
    if let Some(path) = args.export {
        let wish = AnswerExport {
            format: format_of(&path)?,
            language: answer.language,
            publication: args.publication,
            reviewed_by: args.reviewed_by,
            places: answer.citations.iter().map(|c| super::search::place(&c.locator)).collect(),
        };
        let file = app.export_answer(&actor, &asked, &answer, wish)?;
        out.file(path, &file.bytes);
    }
    if out.wants_json() {
        out.value(&answer)?;
        return Ok(Exit::Done);
    }
    out.line("");
    if let Some(standing) = &answer.standing {
        out.note(format!("read as: {standing}"));
    }
    rows(&answer.understood, &answer.columns, &answer.rows, out);
    for citation in &answer.citations {
        let mark = if citation.verified { "" } else { "  (not verified)" };
        let until = citation.until.as_ref().map(|l| format!(" – {}", super::search::place(l)));
        out.line(format!(
            "[{}] {}, {}{}{mark}",
            citation.n,
            citation.title,
            super::search::place(&citation.locator),
            until.unwrap_or_default()
        ));
    }
    let how = match answer.mode {
        Mode::Model => answer.model.as_deref().unwrap_or("model"),
        Mode::Extractive => "sentences taken from the sources, no language model",
        Mode::Query => "catalog query",
    };
    out.note(format!("{how}; {} ms on {}", answer.elapsed_ms, answer.device));
    Ok(Exit::Done)
}

/// How a question was understood, and the rows of its answer.
pub(super) fn rows(understood: &[String], columns: &[String], rows: &[Row], out: &Output) {
    if !understood.is_empty() {
        out.line(format!("({})", understood.join(", ")));
    }
    if !rows.is_empty() {
        out.line(columns.join(" | "));
    }
    for row in rows {
        out.line(row.cells.join(" | "));
    }
}
