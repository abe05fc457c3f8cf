use clap::Subcommand;
use ingest::Kind;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;

/// Projects and who may see them.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// List projects
    List,
    /// Let a group see a project
    Grant {
        /// Project
        project: String,
        /// Group
        group: String,
    },
    /// Take a project away from a group
    Revoke {
        /// Project
        project: String,
        /// Group
        group: String,
    },
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let all = app.catalog.all_scope()?;
    match args {
        Args::List => {
            let projects = app.catalog.projects(&all)?;
            if out.wants_json() {
                out.value(&serde_json::json!({ "projects": projects }))?;
            } else {
                for project in &projects {
                    out.line(&project.name);
                }
            }
        }
        Args::Grant { project, group } => {
            let project = app.project(&all, &project)?;
            app.users.grant(actor, project, &group)?;
            out.done()?;
        }
        Args::Revoke { project, group } => {
            let project = app.project(&all, &project)?;
            app.users.revoke(actor, project, &group)?;
            out.done()?;
        }
    }
    Ok(Exit::Done)
}

/// The kind with this name, or a failure that lists them.
pub(super) fn kind(name: &str) -> Result<Kind, Failure> {
    Kind::parse(name).ok_or_else(|| {
        let known: Vec<&str> = Kind::ALL.iter().map(|k| k.as_str()).collect();
        Failure::usage(format!("there is no kind {name:?}; kinds are {}", known.join(", ")))
    })
}
