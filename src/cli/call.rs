use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use super::{
    ask, audit, detect, egress_test, eval, form, health, history, index, ingest, model, privacy, project,
    report, retention, sbom, search, usage, user,
};
use crate::app::App;
use crate::audit::Actor;

/// A subcommand that works on the data folder, here or inside a running server.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Call {
    /// Read new, changed, moved and deleted files of the configured folders
    Ingest(ingest::Args),
    /// Search passages
    Search(search::Args),
    /// Ask a question and get an answer with citations
    Ask(ask::Args),
    /// List, add, import, check and remove model files
    #[command(subcommand)]
    Model(model::Args),
    /// Measure retrieval and answers on a question file
    Eval(eval::Args),
    /// Verify, list and sign the audit log, and have it countersigned
    #[command(subcommand)]
    Audit(audit::Args),
    /// Write the one-page compliance sheet
    Report(report::Args),
    /// List what the program or the models are made of (CycloneDX)
    Sbom(sbom::Args),
    /// Try from inside of every process whether anything gets out
    EgressTest(egress_test::Args),
    /// Answer requests of a person; suspend erasure
    #[command(subcommand)]
    Privacy(privacy::Args),
    /// Say whether a file is an answer of this appliance
    Detect(detect::Args),
    /// Make forms, notices and records from the configuration in force
    #[command(subcommand)]
    Form(form::Args),
    /// Write down incidents of data security, and their report
    #[command(subcommand)]
    Incident(form::Incident),
    /// Show what a person asked and was told, to that person
    History(history::Args),
    /// Show how much projects are used, never by whom
    Usage(usage::Args),
    /// Show and apply how long the log keeps what
    #[command(subcommand)]
    Retention(retention::Args),
    /// Make and change users
    #[command(subcommand)]
    User(user::Args),
    /// List projects and say who may see them
    #[command(subcommand)]
    Project(project::Args),
    /// Rebuild the search index from the catalog
    #[command(subcommand)]
    Index(index::Args),
    /// The state of models, index and log, for `doctor`
    #[command(hide = true)]
    Health(health::Args),
}

impl Call {
    /// Replaces paths of files to read by their contents: the server must not open files for a caller. A file to
    /// be written is looked at: that it can be.
    ///
    /// # Errors
    /// When a named file cannot be read or written.
    pub fn load_files(self) -> Result<Self, Failure> {
        Ok(match self {
            Call::Eval(args) => Call::Eval(args.load()?),
            Call::Audit(args) => Call::Audit(args.load()?),
            Call::EgressTest(args) => Call::EgressTest(args.load()?),
            Call::Privacy(args) => Call::Privacy(args.load()?),
            Call::User(args) => Call::User(args.ask_password()?),
            Call::History(args) => Call::History(args.load()?),
            Call::Detect(args) => Call::Detect(args.load()?),
            Call::Form(args) => Call::Form(args.load()?),
            Call::Incident(args) => Call::Incident(args.load()?),
            Call::Ask(args) => Call::Ask(args.check_output()?),
            Call::Report(args) => Call::Report(args.check_output()?),
            other => other,
        })
    }

    /// Does what needs no data folder; `None` where one is needed.
    pub(super) fn alone(&self, out: &Output) -> Option<Result<Exit, Failure>> {
        match self {
            Call::Audit(args) => args.alone(out),
            Call::Sbom(args) => args.alone(out),
            Call::Detect(args) => args.alone(out),
            _ => None,
        }
    }

    /// Whether the work is impossible while a server owns the data folder.
    pub fn needs_a_stopped_server(&self) -> bool {
        matches!(self, Call::Index(index::Args::Rebuild { from_scratch: true }))
    }

    /// Whether the models in use have to be opened. Where they do not, a damaged or missing model file keeps nobody from
    /// looking at the register and mending it.
    pub(super) fn needs_models(&self) -> bool {
        !matches!(
            self,
            Call::Model(_)
                | Call::Audit(_)
                | Call::User(_)
                | Call::Project(_)
                | Call::Retention(_)
                | Call::History(_)
                | Call::Detect(_)
                | Call::Form(_)
                | Call::Incident(_)
                | Call::Usage(_)
        )
    }

    /// Does the work.
    ///
    /// # Errors
    /// What went wrong, for the person at the terminal.
    pub async fn run(self, app: &App, actor: &Actor, out: &Output) -> Result<Exit, Failure> {
        match self {
            Call::Ingest(args) => ingest::run(app, actor, args, out).await,
            Call::Search(args) => search::run(app, actor, args, out).await,
            Call::Ask(args) => ask::run(app, actor, args, out).await,
            Call::Model(args) => model::run(app, actor, args, out).await,
            Call::Eval(args) => eval::run(app, actor, args, out).await,
            Call::Audit(args) => audit::run(app, actor, args, out).await,
            Call::Report(args) => report::run(app, actor, args, out).await,
            Call::Sbom(args) => sbom::run(app, &args, out),
            Call::EgressTest(args) => egress_test::run(app, actor, args, out),
            Call::Privacy(args) => privacy::run(app, actor, args, out).await,
            Call::Detect(args) => detect::run(app, &args, out),
            Call::Form(args) => form::run(app, actor, args, out),
            Call::Incident(args) => form::incident(app, actor, args, out),
            Call::History(args) => history::run(app, &args, out),
            Call::Usage(args) => usage::run(app, actor, &args, out),
            Call::Retention(args) => retention::run(app, actor, &args, out),
            Call::User(args) => user::run(app, actor, args, out).await,
            Call::Project(args) => project::run(app, actor, args, out).await,
            Call::Index(args) => index::run(app, actor, args, out).await,
            Call::Health(args) => health::run(app, &args, out).await,
        }
    }
}
