use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use ingest::counted;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output, output};
use crate::app::{App, Erased, Names, Plan, Wish};
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
    /// Erase a person: names in documents and registers, chosen documents, records and elements, texts in the log, the
    /// account. Shows first what would go; what is erased cannot be brought back
    Erase(Erase),
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

/// What is erased.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Erase {
    /// The name, given name first; say it again for other names. Taken out wherever given and family name stand
    /// together; a family name said alone is taken out everywhere
    #[arg(long = "person", value_name = "NAME", required_unless_present_any = ["document", "item"])]
    names: Vec<String>,
    /// Login of the person's account
    #[arg(long, value_name = "LOGIN")]
    user: Option<String>,
    /// A document that goes whole, with what lies inside it; again for more
    #[arg(long, value_name = "SOURCE/PATH")]
    document: Vec<String>,
    /// A record or element that goes; again for more
    #[arg(long, value_name = "SOURCE/PATH#NUMBER")]
    item: Vec<String>,
    /// Why, such as the request's number; stands encrypted in the log
    #[arg(long, value_name = "TEXT")]
    basis: String,
    /// Erase for good what the command showed with this code
    #[arg(long, value_name = "CODE")]
    confirm: Option<String>,
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

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::Access { person, output } => access(app, actor, &person, output, out),
        Args::Erase(args) => erase(app, actor, &args, out).await,
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

async fn erase(app: &App, actor: &Actor, args: &Erase, out: &Output) -> Result<Exit, Failure> {
    let names = Names::new(args.names.iter().map(String::as_str));
    if names.is_empty() && !args.names.is_empty() {
        return Err(Failure::usage("--person holds no name"));
    }
    let wish = Wish {
        names: &names,
        user: args.user.as_deref(),
        documents: &args.document,
        items: &args.item,
        basis: &args.basis,
    };
    let progress = out.clone();
    let progress = move |step| progress.progress(&step);
    let Some(confirm) = &args.confirm else {
        let plan = app.plan_erasure(&wish, progress).await?;
        if out.wants_json() {
            out.value(&plan)?;
        } else {
            show_plan(&plan, out);
        }
        return Ok(Exit::Done);
    };
    let done = app.erase(actor, &wish, confirm, progress).await?;
    let left = !done.documents_left.is_empty() || !done.proof.found.is_empty();
    if out.wants_json() {
        out.value(&done)?;
    } else {
        show_erased(&done, out);
    }
    Ok(if left { Exit::WithRejects } else { Exit::Done })
}

fn show_plan(plan: &Plan, out: &Output) {
    out.line(format!(
        "log: {} and {} would become unreadable{}",
        counted(plan.log.months.len() as u64, "month", "months"),
        counted(plan.log.events.len() as u64, "event", "events"),
        if plan.account { "; the account would be removed" } else { "" },
    ));
    for document in &plan.documents {
        let path = format!("{}/{}", document.source, document.path);
        let passages = counted(document.passages, "passage", "passages");
        out.line(match document.whole {
            true => format!("goes whole: {path} ({passages})"),
            false => format!(
                "changes: {path} ({passages}, {}, {} taken out)",
                counted(document.rows, "other entry", "other entries"),
                counted(document.items, "record or element", "records and elements"),
            ),
        });
    }
    for path in &plan.named_by_path {
        out.line(format!(
            "the path names the person: {path}; add --document, or rename the file and run `dossier ingest`"
        ));
    }
    for path in &plan.possible {
        out.line(format!(
            "only the family name stands in {path}; it stays unless you say that name alone with --person"
        ));
    }
    out.line(format!(
        "nothing was changed. To erase exactly this, say the command again with --confirm {}; it cannot be undone",
        plan.confirm
    ));
}

fn show_erased(done: &Erased, out: &Output) {
    let whole = done.documents.iter().filter(|d| d.whole).count() as u64;
    out.line(format!(
        "{}: {} erased, {} changed; log: {} and {} made unreadable{}",
        done.id,
        counted(whole, "document", "documents"),
        counted(done.documents.len() as u64 - whole, "document", "documents"),
        counted(done.log.months.len() as u64, "month", "months"),
        counted(done.log.events.len() as u64, "event", "events"),
        if done.account_removed { "; account removed" } else { "" },
    ));
    for document in done.documents.iter().filter(|d| d.whole) {
        out.line(format!(
            "the original still lies in its folder and is not read again: {}/{}",
            document.source, document.path
        ));
    }
    for document in &done.documents_left {
        out.line(format!("still names the person: {document}"));
    }
    let proof = &done.proof;
    for file in &proof.found {
        out.line(format!("still found in the data folder: {}", file.display()));
    }
    for file in &proof.kept {
        out.line(format!("kept on purpose: {}", file.display()));
    }
    out.line(format!(
        "{} of {} bytes searched for the names and {}: found in {}",
        counted(proof.files, "file", "files"),
        proof.bytes,
        counted(proof.strings, "text", "texts"),
        proof.found.len(),
    ));
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
