//! What a running server, or this process in its place, says of its own state.

use ingest::counted;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Exit, Failure, Output};
use crate::app::{self, App};

/// What the caller knows already.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// Why the models in use could not be opened
    #[arg(skip)]
    pub(super) problem: Option<String>,
}

pub(super) async fn run(app: &App, args: &Args, out: &Output) -> Result<Exit, Failure> {
    let models = app.catalog.models()?;
    let megabytes: u64 = models.iter().map(|m| m.file_bytes >> 20).sum();
    let names: Vec<String> =
        models.iter().map(|m| format!("{} ({}, {})", m.name, m.architecture, m.quantisation)).collect();
    let has_embedder = app.engine.embedder.is_some();
    let models_message = match (has_embedder, names.is_empty()) {
        _ if args.problem.is_some() => args.problem.clone().unwrap_or_default(),
        (_, true) => "none registered: search is lexical, answers are sentences of the sources".to_owned(),
        (false, _) => format!("{}; no embedding model: search is lexical", names.join(", ")),
        (true, _) => names.join(", "),
    };
    let index = app.index.health().await?;
    let counts = app.catalog.counts(&app.catalog.all_scope()?)?;
    let chunks = counts.chunks as usize;
    let whole = index.lexical_chunks == chunks && (!has_embedder || index.vector_chunks == chunks);
    let log = app.audit.verify_recent()?;
    out.value(&json!({
        "models": {
            "ok": has_embedder,
            "broken": args.problem.is_some(),
            "message": models_message,
            "megabytes": megabytes,
        },
        "memory_plan": app::memory_plan(&app.config, &app.catalog).ok(),
        "index": {
            "ok": whole,
            "message": format!(
                "{} in the catalog, {} in the word index, {}",
                counted(counts.chunks, "passage", "passages"),
                index.lexical_chunks,
                counted(index.vector_chunks, "vector", "vectors")
            ),
        },
        "log": {
            "ok": log.ok,
            "message": format!(
                "{}, {}",
                counted(log.size, "event", "events"),
                counted(log.problems.len(), "problem", "problems")
            ),
        },
    }))?;
    Ok(Exit::Done)
}
