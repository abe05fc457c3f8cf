use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;

/// The search index, which the catalog can always rebuild.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Make both search indexes anew from the catalog; vectors that are intact are kept
    Rebuild,
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let Args::Rebuild = args;
    let progress = out.clone();
    let count = app.jobs.rebuild_index(actor, move |step| progress.progress(&step)).await?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "chunks": count }))?;
    } else {
        out.line(format!("{count} passages indexed"));
    }
    Ok(Exit::Done)
}
