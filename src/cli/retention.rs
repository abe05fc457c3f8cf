use clap::Subcommand;
use ingest::counted;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;

/// How long the log keeps what.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// The periods in force
    Show,
    /// Apply them now, as every night
    Run,
}

pub(super) fn run(app: &App, actor: &Actor, args: &Args, out: &Output) -> Result<Exit, Failure> {
    let rules = app.retention();
    match args {
        Args::Show => {
            if out.wants_json() {
                out.value(&serde_json::json!({
                    "content_days": rules.content_days,
                    "trail_days": rules.trail_days,
                    "case_days": rules.case_days,
                }))?;
            } else {
                out.line(format!("texts {} days", rules.content_days));
                out.line(format!("who did what and when {} days", rules.trail_days));
                out.line(format!("requests and incidents {} days", rules.case_days));
            }
        }
        Args::Run => {
            let done = app.audit.retain(actor, rules)?;
            if out.wants_json() {
                out.value(&done)?;
            } else {
                let texts = counted(done.texts, "text", "texts");
                out.line(format!(
                    "{texts} made unreadable, {} removed",
                    counted(done.events, "event", "events")
                ));
            }
        }
    }
    Ok(Exit::Done)
}
