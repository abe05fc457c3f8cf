use ingest::counted;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::answer::{Note, NoteKind, SearchRequest, Why};
use crate::app::App;
use crate::audit::Actor;

/// A search as a reader would make it in the browser.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// What to look for
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// Only this kind: pdf, ifc, rfi, sheet, mail or text
    #[arg(long, value_name = "K")]
    pub kind: Option<String>,
    /// Only this project
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// Number of hits
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// See only what this user may see
    #[arg(long = "as", value_name = "USER")]
    pub user: Option<String>,
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let (actor, scope) = app.acting(actor, args.user.as_deref())?;
    let request = SearchRequest {
        text: args.query,
        kind: args.kind.as_deref().map(super::project::kind).transpose()?,
        project: args.project.as_deref().map(|name| app.project(&scope, name)).transpose()?,
        limit: args.limit.into(),
        offset: 0,
        language: None,
    };
    let result = app.answerer.search(&actor, &scope, &request).await?;
    if out.wants_json() {
        out.value(&result)?;
        return Ok(Exit::Done);
    }
    result.notes.iter().for_each(|n| out.note(note(n)));
    if let Some(table) = &result.table {
        table.text.lines().take(1).for_each(|line| out.line(line));
        super::ask::rows(&table.understood, &table.columns, &table.rows, out);
        out.line("");
    }
    for (n, hit) in result.hits.iter().enumerate() {
        out.line(format!("{:>3}  {}  ·  {}", n + 1, hit.title, place(&hit.locator)));
        out.line(format!("     {}", hit.snippet.text.replace('\n', " ")));
        for other in &hit.folded {
            let why = match other.why {
                Why::Same => "the same in",
                Why::Superseded => "replaced revision",
            };
            out.line(format!("     {why}: {}  ·  {}", other.title, place(&other.locator)));
        }
    }
    out.line(format!("{}, {} ms", counted(result.total, "hit", "hits"), result.elapsed_ms));
    Ok(Exit::Done)
}

/// What was not understood, in words.
fn note(note: &Note) -> String {
    let what = match note.about {
        NoteKind::UnknownFilter => "is no filter and was searched for as words",
        NoteKind::UnknownValue => "is no value of this filter, which was not applied",
        NoteKind::UnknownProject => "names no project, or several; the filter was not applied",
        NoteKind::ShortWildcard => "has too few letters for a wildcard and was searched for as a word",
        NoteKind::Operator => "has no special meaning; all words were searched for",
        NoteKind::OpenQuote => "has no closing quotation mark; no phrase was searched for",
    };
    format!("`{}` {what}", note.text)
}

/// A locator in words, for the terminal.
pub(super) fn place(locator: &ingest::Locator) -> String {
    use ingest::{Locator, TextUnit};
    match locator {
        Locator::Pdf { page, .. } => format!("page {page}"),
        Locator::Ifc { global_id } => format!("element {global_id}"),
        Locator::Rfi { record } => format!("RFI {record}"),
        Locator::Sheet { sheet, row } => format!("{sheet}, row {row}"),
        Locator::Mail { part: 0, .. } => "mail".to_owned(),
        Locator::Mail { part, .. } => format!("mail, part {part}"),
        Locator::Text { section, line, unit } => {
            let counted = match unit {
                TextUnit::Line => "line",
                TextUnit::Paragraph => "paragraph",
                TextUnit::Slide => "slide",
            };
            if section.is_empty() {
                format!("{counted} {line}")
            } else {
                format!("{section}, {counted} {line}")
            }
        }
    }
}
