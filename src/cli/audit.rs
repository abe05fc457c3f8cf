use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::{Actor, Event, ListFilter};

/// The audit log.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Recompute every hash and signature of the log
    Verify,
    /// List events; reading the log is itself recorded
    List {
        /// First day, YYYY-MM-DD
        #[arg(long, value_name = "D")]
        from: Option<String>,
        /// Last day, YYYY-MM-DD
        #[arg(long, value_name = "D")]
        to: Option<String>,
        /// Only this kind of event
        #[arg(long, value_name = "K")]
        kind: Option<String>,
        /// Only the events behind this figure of the sheet
        #[arg(long, value_name = "ID")]
        query: Option<String>,
        /// Print how many there are instead of the events
        #[arg(long)]
        count: bool,
    },
    /// Sign the log's present state
    Checkpoint,
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::Verify => verify(app, out),
        Args::Checkpoint => {
            out.line(app.audit.checkpoint()?.trim_end());
            Ok(Exit::Done)
        }
        Args::List { from, to, kind, query, count } => {
            let range = format!("{}..{}", from.as_deref().unwrap_or(""), to.as_deref().unwrap_or(""));
            let filter = ListFilter::parse(from.as_deref(), to.as_deref(), kind.as_deref(), query.as_deref())
                .map_err(|e| Failure::usage(super::output::with_causes(&e)))?;
            let entries = app.audit.list(&filter)?;
            app.audit.record(actor, Event::LogRead { range, reason: "audit list".to_owned() })?;
            if count {
                out.line(entries.len());
                return Ok(Exit::Done);
            }
            for entry in &entries {
                if out.wants_json() {
                    out.value(entry)?;
                } else {
                    out.line(entry);
                }
            }
            Ok(Exit::Done)
        }
    }
}

fn verify(app: &App, out: &Output) -> Result<Exit, Failure> {
    let verification = app.audit.verify()?;
    if out.wants_json() {
        out.value(&verification)?;
    } else {
        for problem in &verification.problems {
            out.line(format!("PROBLEM  {problem}"));
        }
        for gap in &verification.gaps {
            out.line(format!("gap      {gap}"));
        }
        let word = if verification.ok { "ok" } else { "NOT OK" };
        out.line(format!("{word}: {} events, root {}", verification.size, verification.root));
    }
    Ok(if verification.ok { Exit::Done } else { Exit::WithRejects })
}
