use std::path::Path;

use clap::Subcommand;
use ingest::counted;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;

/// The search index, which the catalog can always rebuild.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Compare both search indexes with the catalog and mend them; vectors that are intact are kept
    Rebuild {
        /// Throw both indexes away first and embed every passage again; needs a stopped server
        #[arg(long)]
        from_scratch: bool,
    },
}

impl Args {
    /// Sets the index aside before the data folder is opened: a damaged one may not open at all.
    ///
    /// # Errors
    /// When the folder cannot be moved.
    pub(super) fn prepare(&self, data: &Path) -> Result<(), Failure> {
        let Args::Rebuild { from_scratch: true } = self else { return Ok(()) };
        let (index, aside) = (data.join("index"), data.join("index.old"));
        if !index.exists() {
            return Ok(());
        }
        if aside.exists() {
            std::fs::remove_dir_all(&aside)?;
        }
        Ok(std::fs::rename(&index, &aside)?)
    }

    /// Removes what was set aside, once the new index is whole.
    fn finish(&self, data: &Path) -> Result<(), Failure> {
        let aside = data.join("index.old");
        if aside.exists() {
            std::fs::remove_dir_all(&aside)?;
        }
        Ok(())
    }
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let progress = out.clone();
    let count = app.jobs.rebuild_index(actor, move |step| progress.progress(&step)).await?;
    args.finish(&app.config.data)?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "chunks": count }))?;
    } else {
        out.line(format!("{} indexed", counted(count, "passage", "passages")));
    }
    Ok(Exit::Done)
}
