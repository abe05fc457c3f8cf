use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;
use crate::catalog::RunId;
use crate::jobs::{RunOptions, RunSummary};

/// One run over the configured folders, or a word to the one under way.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// Only this source
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// Say what would be done and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Stay, and run again over what changes
    #[arg(long, conflicts_with = "dry_run")]
    pub watch: bool,
    /// Hold the run under way after the files at hand
    #[arg(long, group = "word", conflicts_with_all = ["source", "dry_run", "watch"])]
    pub pause: bool,
    /// Let a paused run go on
    #[arg(long, group = "word", conflicts_with_all = ["source", "dry_run", "watch"])]
    pub resume: bool,
    /// End the run under way after the files at hand; what it took in stays
    #[arg(long, group = "word", conflicts_with_all = ["source", "dry_run", "watch"])]
    pub stop: bool,
    /// Print the report of an earlier run: its number, or 0 for the last one
    #[arg(long, value_name = "RUN", group = "word", conflicts_with_all = ["source", "dry_run", "watch"])]
    pub report: Option<i64>,
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    if let Some(run) = args.report {
        return report(app, run, out);
    }
    if args.pause || args.resume || args.stop {
        return word(app, &args, out);
    }
    let options = RunOptions { source: args.source, dry_run: args.dry_run };
    if args.watch {
        let progress = out.clone();
        let told = out.clone();
        app.jobs
            .watch(
                actor,
                &options,
                move |step| progress.progress(&step),
                move |summary| {
                    let _ = tell(summary, &told);
                },
            )
            .await?;
        return Ok(Exit::Done);
    }
    let progress = out.clone();
    let summary = app.jobs.run(actor, &options, move |step| progress.progress(&step)).await?;
    tell(&summary, out)?;
    Ok(if summary.is_clean() { Exit::Done } else { Exit::WithRejects })
}

fn tell(summary: &RunSummary, out: &Output) -> Result<(), Failure> {
    if out.wants_json() {
        return out.value(summary);
    }
    for rejected in &summary.rejected {
        out.note(format!("rejected  {}: {}", rejected.path, rejected.reason));
    }
    out.lines(summary);
    Ok(())
}

fn word(app: &App, args: &Args, out: &Output) -> Result<Exit, Failure> {
    let (heard, said) = match (args.pause, args.resume) {
        (true, _) => (app.jobs.pause(), "paused"),
        (_, true) => (app.jobs.resume(), "resumed"),
        _ => (app.jobs.stop(), "stopped"),
    };
    if !heard {
        let state = if args.resume { "no run is paused" } else { "no run is under way" };
        return Err(Failure::failed(state));
    }
    if out.wants_json() {
        out.value(&serde_json::json!({ said: true }))?;
    } else {
        out.line(format!("the run is {said} after the files at hand"));
    }
    Ok(Exit::Done)
}

fn report(app: &App, run: i64, out: &Output) -> Result<Exit, Failure> {
    let found = match run {
        0 => app.catalog.last_runs(1)?.into_iter().next(),
        run => app.catalog.run(RunId(run))?,
    };
    let Some(row) = found else {
        return Err(Failure::failed(match run {
            0 => "there was no run yet".to_owned(),
            run => format!("there is no run {run}; `dossier ingest --report 0` gives the last one"),
        }));
    };
    if out.wants_json() {
        out.value(&row)?;
        return Ok(Exit::Done);
    }
    out.line(format!(
        "run {} by {}: {:?}, {} to {}",
        row.id,
        row.actor,
        row.state,
        row.started_at,
        row.finished_at.as_deref().unwrap_or("now")
    ));
    let (mut summary, error) = RunSummary::of(&row);
    if let Some(error) = error {
        out.lines(error);
        return Ok(Exit::Done);
    }
    summary.rejected = app.catalog.rejected(row.id)?;
    tell(&summary, out)?;
    for stage in &summary.stages {
        out.line(format!("{:<12} {:>9.1} s", format!("{:?}", stage.stage).to_lowercase(), stage.seconds));
    }
    Ok(Exit::Done)
}
