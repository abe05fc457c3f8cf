use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;

/// What the program, or what the models are made of, as CycloneDX 1.6 (JSON).
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// The registered models instead of the program's libraries
    #[arg(long)]
    models: bool,
}

impl Args {
    /// The program's libraries need no data folder.
    pub(super) fn alone(&self, out: &Output) -> Option<Result<Exit, Failure>> {
        (!self.models).then(|| {
            out.value(&crate::audit::program_sbom().map_err(Failure::failed)?)?;
            Ok(Exit::Done)
        })
    }
}

pub(super) fn run(app: &App, args: &Args, out: &Output) -> Result<Exit, Failure> {
    if let Some(done) = args.alone(out) {
        return done;
    }
    out.value(&crate::audit::models_sbom(&app.model_facts()?))?;
    Ok(Exit::Done)
}
