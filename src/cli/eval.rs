use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::answer::eval::sets::{Options, calibrate, evaluate};
use crate::app::App;
use crate::audit::Actor;
use crate::config::Config;

/// Retrieval and answers measured on questions with known places.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// Question file, JSON Lines
    #[arg(value_name = "FILE", required_unless_present = "sets")]
    pub file: Option<PathBuf>,
    /// Folder of public question sets (SQuAD files in `squad`, law questions in `recht_de`), each put into an index of
    /// its own and all into one; needs no data folder
    #[arg(long, value_name = "FOLDER", requires = "model", conflicts_with = "file")]
    pub sets: Option<PathBuf>,
    /// Embedding model for --sets, GGUF
    #[arg(long, value_name = "FILE", requires = "sets")]
    pub model: Option<PathBuf>,
    /// File that keeps the vectors of --sets for the next time
    #[arg(long, value_name = "FILE", requires = "sets")]
    pub vectors: Option<PathBuf>,
    /// With --sets, also choose weights on one half of the questions and report them on the other
    #[arg(long, requires = "sets")]
    pub sweep: bool,
    /// With --sets, ask every question with and without its paragraph in the index, and tell how often the answer is
    /// withheld rightly
    #[arg(long, requires = "sets", conflicts_with = "sweep")]
    #[serde(default)]
    pub abstention: bool,
    /// File for what each side found for each question of --sets, JSON Lines
    #[arg(long, value_name = "FILE", requires = "sets")]
    pub candidates: Option<PathBuf>,
    /// Only search, do not answer
    #[arg(long)]
    pub search_only: bool,
    #[arg(skip)]
    text: String,
}

impl Args {
    pub(super) fn load(mut self) -> Result<Self, Failure> {
        if let Some(file) = &self.file {
            self.text = std::fs::read_to_string(file)
                .map_err(|e| Failure::failed(format!("cannot read {}: {e}", file.display())))?;
        }
        Ok(self)
    }
}

/// The public question sets, which need no data folder.
pub(super) async fn sets(config: &Config, args: &Args, out: &Output) -> Result<Exit, Failure> {
    let (Some(folder), Some(model)) = (args.sets.clone(), args.model.clone()) else {
        return Err(Failure::failed("--sets and --model belong together"));
    };
    let options = Options {
        folder,
        model,
        vectors: args.vectors.clone(),
        sweep: args.sweep,
        candidates: args.candidates.clone(),
    };
    let notes = out.clone();
    let progress = move |set: &str, done: usize, total: usize| {
        notes.progress(&serde_json::json!({ "step": "embed", "set": set, "done": done, "total": total }));
    };
    if args.abstention {
        let found = calibrate(&options, config.engine.thread_count(), &progress).await?;
        if out.wants_json() {
            out.value(&found)?;
        } else {
            out.lines(&found);
        }
        return Ok(Exit::Done);
    }
    let report = evaluate(&options, config.engine.thread_count(), &progress).await?;
    if out.wants_json() {
        out.value(&report)?;
    } else {
        out.lines(&report);
    }
    Ok(Exit::Done)
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let file = args.file.unwrap_or_default();
    let questions = crate::answer::eval::parse(&args.text)
        .map_err(|e| Failure::failed(format!("{}: {e}", file.display())))?;
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
