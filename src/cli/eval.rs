use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;

/// Retrieval and answers measured on questions with known places.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// Question file, JSON Lines
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only search, do not answer
    #[arg(long)]
    pub search_only: bool,
    #[arg(skip)]
    text: String,
}

impl Args {
    pub(super) fn load(mut self) -> Result<Self, Failure> {
        self.text = std::fs::read_to_string(&self.file)
            .map_err(|e| Failure::failed(format!("cannot read {}: {e}", self.file.display())))?;
        Ok(self)
    }
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let questions = crate::answer::eval::parse(&args.text)
        .map_err(|e| Failure::failed(format!("{}: {e}", args.file.display())))?;
    let scope = app.catalog.all_scope()?;
    let progress = out.clone();
    let report = app
        .answerer
        .evaluate(actor, &scope, &questions, !args.search_only, move |step| progress.progress(&step))
        .await?;
    if out.wants_json() {
        out.value(&report)?;
    } else {
        out.lines(&report);
    }
    Ok(Exit::Done)
}
