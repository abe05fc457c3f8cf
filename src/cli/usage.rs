use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::{Actor, LEAST_PERSONS};

/// How much projects are used, in whole quarters; figures of fewer than five persons are not given out.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// Only the projects that this user may see
    #[arg(long = "as", value_name = "USER")]
    user: Option<String>,
    /// The quarter before the present one
    #[arg(long)]
    last: bool,
}

pub(super) fn run(app: &App, actor: &Actor, args: &Args, out: &Output) -> Result<Exit, Failure> {
    let (actor, scope) = app.acting(actor, args.user.as_deref())?;
    let (quarter, usage) = app.usage(&actor, &scope, args.last)?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "from": quarter.0, "to": quarter.1, "projects": usage }))?;
        return Ok(Exit::Done);
    }
    for project in &usage {
        out.line(match &project.figures {
            None => format!("{}: fewer than {LEAST_PERSONS} persons, not shown", project.project),
            Some(f) => format!(
                "{}: {} persons, {} questions, {} searches, {} answers verified, {} not answered, {} judged wrong",
                project.project, f.persons, f.questions, f.searches, f.verified, f.abstained, f.negative
            ),
        });
    }
    Ok(Exit::Done)
}
