use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use ingest::counted;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output, output};
use crate::app::{App, Names};
use crate::audit::{Actor, CaseKind, Event, sha256_hex};

/// Requests of a person, and what must not be erased.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Find everything about a person and write it into a file
    Access {
        #[command(flatten)]
        person: Person,
        /// Where to write it (JSON)
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        output: PathBuf,
    },
    /// Make what the log holds of a person unreadable and remove the account; says what else names them
    Erase {
        #[command(flatten)]
        person: Person,
        /// Why, such as the request's number; stands encrypted in the log
        #[arg(long, value_name = "TEXT")]
        basis: String,
    },
    /// Suspend erasure and retention
    #[command(subcommand)]
    Hold(Hold),
    /// Requests and incidents with their dates
    #[command(subcommand)]
    Case(Case),
}

/// Whom it is about.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Person {
    /// The name, given name first; say it again for other names
    #[arg(long = "person", value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Login of the person's account
    #[arg(long, value_name = "LOGIN")]
    user: Option<String>,
}

/// Suspending erasure.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Hold {
    /// Keep everything, or everything that one user did
    Set {
        /// Only this user's events
        #[arg(long, value_name = "LOGIN")]
        user: Option<String>,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// End a hold
    Lift {
        /// Its identifier
        #[arg(value_name = "ID")]
        id: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Holds in force
    List,
}

/// Requests and incidents.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Case {
    /// Begin a case; a request is due in 30 days, an incident in 3
    Open {
        /// What sort of case
        #[arg(long, value_name = "K")]
        kind: Kind,
        /// Whom or what it is about
        #[arg(long, value_name = "TEXT")]
        subject: String,
    },
    /// End a case
    Close {
        /// Its identifier
        #[arg(value_name = "ID")]
        id: String,
        /// How it ended
        #[arg(long, value_name = "TEXT")]
        result: String,
    },
    /// All cases
    List,
}

/// What sort of case.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize)]
pub enum Kind {
    /// A person asks for access, correction, deletion or a copy
    Request,
    /// Something happened to personal data
    Incident,
    /// An incident was reported to the authority or to the persons
    Notification,
    /// The vendor had access
    Support,
}

impl Kind {
    fn kind(self) -> CaseKind {
        match self {
            Kind::Request => CaseKind::Request,
            Kind::Incident => CaseKind::Incident,
            Kind::Notification => CaseKind::Notification,
            Kind::Support => CaseKind::Support,
        }
    }
}

impl Args {
    pub(super) fn load(self) -> Result<Self, Failure> {
        if let Args::Access { output, .. } = &self {
            output::can_write(output)?;
        }
        Ok(self)
    }
}

impl Person {
    fn names(&self) -> Result<Names, Failure> {
        let names = Names::new(self.names.iter().map(String::as_str));
        if names.is_empty() { Err(Failure::usage("--person holds no name")) } else { Ok(names) }
    }
}

pub(super) fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::Access { person, output } => access(app, actor, &person, output, out),
        Args::Erase { person, basis } => erase(app, actor, &person, &basis, out),
        Args::Hold(args) => hold(app, actor, args, out),
        Args::Case(args) => case(app, actor, args, out),
    }
}

fn access(app: &App, actor: &Actor, person: &Person, output: PathBuf, out: &Output) -> Result<Exit, Failure> {
    let names = person.names()?;
    // The log is read for it: that is recorded before.
    app.audit.record(actor, Event::LogRead { range: "all".into(), reason: "privacy access".into() })?;
    let found = app.find_person(&names, person.user.as_deref())?;
    let file = serde_json::to_vec_pretty(&serde_json::json!({
        "names": person.names,
        "made_at": jiff::Timestamp::now().to_string(),
        "found": found,
    }))?;
    let sha256 = sha256_hex(&file);
    let (documents, own, named) = (found.documents.len(), found.own_events.len(), found.named_in.len());
    let event = Event::Export {
        what: "privacy_access".into(),
        sha256: sha256.clone(),
        rows: (documents + own + named) as u64,
        recipient: None,
        country: None,
    };
    app.audit.record(actor, event)?;
    out.file(output.clone(), &file);
    if out.wants_json() {
        out.value(&serde_json::json!({
            "file": output, "sha256": sha256, "documents": documents, "own_events": own, "named_in": named,
        }))?;
    } else {
        out.line(format!(
            "{}: {}, {} of the person, {} of others that name them; look through it before you hand it out",
            output.display(),
            counted(documents as u64, "document", "documents"),
            counted(own as u64, "event", "events"),
            counted(named as u64, "event", "events"),
        ));
    }
    Ok(Exit::Done)
}

fn erase(app: &App, actor: &Actor, person: &Person, basis: &str, out: &Output) -> Result<Exit, Failure> {
    let done = app.erase_person(actor, &person.names()?, person.user.as_deref(), basis)?;
    let left = !done.documents_left.is_empty() || !done.files_left.is_empty();
    if out.wants_json() {
        out.value(&done)?;
    } else {
        out.line(format!(
            "log: {} and {} made unreadable{}",
            counted(done.log.months.len() as u64, "month", "months"),
            counted(done.log.events.len() as u64, "event", "events"),
            if done.account_removed { "; account removed" } else { "" },
        ));
        for document in &done.documents_left {
            out.line(format!(
                "still names the person: {document}; change or remove the original, then run `dossier ingest`"
            ));
        }
        for file in &done.files_left {
            out.line(format!("the name stands in the data folder: {}", file.display()));
        }
    }
    Ok(if left { Exit::WithRejects } else { Exit::Done })
}

fn hold(app: &App, actor: &Actor, args: Hold, out: &Output) -> Result<Exit, Failure> {
    let today = today(app);
    let rows = match args {
        Hold::Set { user, reason } => vec![app.audit.set_hold(actor, user.as_deref(), &reason, today)?],
        Hold::Lift { id, reason } => {
            if !app.audit.lift_hold(actor, &id, &reason)? {
                return Err(Failure::usage(format!("there is no hold {id:?}")));
            }
            Vec::new()
        }
        Hold::List => app.audit.book()?.holds,
    };
    if out.wants_json() {
        out.value(&serde_json::json!({ "holds": rows }))?;
    }
    for row in rows.iter().filter(|_| !out.wants_json()) {
        out.line(format!(
            "{}  since {}  {}  {}",
            row.id,
            row.since,
            row.user.as_deref().unwrap_or("all"),
            row.reason
        ));
    }
    Ok(Exit::Done)
}

fn case(app: &App, actor: &Actor, args: Case, out: &Output) -> Result<Exit, Failure> {
    let today = today(app);
    let rows = match args {
        Case::Open { kind, subject } => vec![app.audit.open_case(actor, kind.kind(), &subject, today)?],
        Case::Close { id, result } => {
            let closed = app.audit.close_case(actor, &id, &result, today)?;
            vec![closed.ok_or_else(|| Failure::usage(format!("there is no open case {id:?}")))?]
        }
        Case::List => app.audit.book()?.cases,
    };
    if out.wants_json() {
        out.value(&serde_json::json!({ "cases": rows }))?;
    }
    for row in rows.iter().filter(|_| !out.wants_json()) {
        let due = row.due.map(|d| format!("due {d}")).unwrap_or_default();
        let state = row.closed.map_or(due, |d| format!("closed {d}"));
        out.line(format!("{}  {:?}  opened {}  {state}  {}", row.id, row.kind, row.opened, row.subject));
    }
    Ok(Exit::Done)
}

/// Today, where the firm is.
fn today(app: &App) -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned_datetime(app.config.report.zone()).date()
}
