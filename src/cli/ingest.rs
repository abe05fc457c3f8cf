use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;
use crate::jobs::RunOptions;

/// One run over the configured folders.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// Only this source
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// Say what would be done and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let progress = out.clone();
    let options = RunOptions { source: args.source, dry_run: args.dry_run };
    let summary = app.jobs.run(actor, &options, move |step| progress.progress(&step)).await?;
    if out.wants_json() {
        out.value(&summary)?;
    } else {
        for rejected in &summary.rejected {
            out.note(format!("rejected  {}: {}", rejected.path, rejected.reason));
        }
        out.lines(&summary);
    }
    Ok(if summary.is_clean() { Exit::Done } else { Exit::WithRejects })
}
