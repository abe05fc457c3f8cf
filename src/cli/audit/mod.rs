mod access;
mod export;
mod timestamp;
mod witness;

use std::path::Path;

use clap::Subcommand;
use ingest::counted;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, InPerson, Output};
use crate::app::App;
use crate::audit::{Actor, AuditError, Entry, Event, ListFilter, LogError, custody};

/// The audit log.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Recompute every hash and signature of the log
    Verify,
    /// List events without their texts; reading the log is itself recorded
    List {
        /// First day, YYYY-MM-DD
        #[arg(long, value_name = "D")]
        from: Option<String>,
        /// Last day, YYYY-MM-DD
        #[arg(long, value_name = "D")]
        to: Option<String>,
        /// Only this kind of event
        #[arg(long, value_name = "K")]
        kind: Option<String>,
        /// Only the events behind this figure of the sheet
        #[arg(long, value_name = "ID")]
        query: Option<String>,
        /// Print how many there are instead of the events
        #[arg(long)]
        count: bool,
    },
    /// Show the texts of events, by an access that a key custodian has agreed to
    Read {
        /// Its identifier
        #[arg(value_name = "ID")]
        access: String,
        #[command(flatten)]
        person: InPerson,
        /// Only this kind of event
        #[arg(long, value_name = "K")]
        kind: Option<String>,
    },
    /// Ask for, agree to and end an auditor's reading of texts
    #[command(subcommand)]
    Access(access::Args),
    /// Sign the log's present state
    Checkpoint,
    /// Have the log countersigned by somebody outside
    #[command(subcommand)]
    Witness(witness::Args),
    /// Have the time of the log's state confirmed by an authority
    #[command(subcommand)]
    Timestamp(timestamp::Args),
    /// Write the envelopes of a period, pseudonymised, as JSON Lines
    Export(export::Args),
    /// Sign the log with a new key from now on, and destroy the present one
    RotateKey {
        /// Why; stands encrypted in the log
        #[arg(long, value_name = "TEXT", default_value = "planned change")]
        reason: String,
    },
}

impl Args {
    pub(super) fn load(self) -> Result<Self, Failure> {
        Ok(match self {
            Args::Witness(args) => Args::Witness(args.load()?),
            Args::Timestamp(args) => Args::Timestamp(args.load()?),
            Args::Export(args) => Args::Export(args.load()?),
            Args::Access(args) => Args::Access(args.load()?),
            Args::Read { access, mut person, kind } => {
                person.ask_password()?;
                Args::Read { access, person, kind }
            }
            other => other,
        })
    }

    /// Does what needs no data folder; `None` where one is needed.
    pub(super) fn alone(&self, out: &Output) -> Option<Result<Exit, Failure>> {
        match self {
            Args::Witness(args @ witness::Args::Sign { .. }) => Some(witness::sign(args, out)),
            _ => None,
        }
    }
}

/// The bytes of a file that the command names.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|e| Failure::failed(format!("cannot read {}: {e}", path.display())))
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::Verify => verify(app, actor, out),
        Args::Checkpoint => checkpoint(app, out),
        Args::List { from, to, kind, query, count } => {
            let zone = app.config.report.zone();
            let (start, end) = (
                from.as_deref().map(|d| day_start(d, 0, &zone)),
                to.as_deref().map(|d| day_start(d, 1, &zone)),
            );
            let filter = ListFilter {
                from: start.transpose()?,
                to: end.transpose()?,
                kinds: kind.into_iter().collect(),
                query,
                envelopes_only: true,
                ..ListFilter::default()
            };
            let range = format!("{}..{}", from.as_deref().unwrap_or(""), to.as_deref().unwrap_or(""));
            list(app, actor, &filter, range, count, out)
        }
        Args::Read { access, person, kind } => read_texts(app, &access, &person, kind, out),
        Args::Access(args) => access::run(app, actor, args, out),
        Args::Witness(args) => witness::run(app, actor, args, out),
        Args::Timestamp(args) => timestamp::run(app, actor, args, out),
        Args::Export(args) => export::run(app, actor, args, out),
        Args::RotateKey { reason } => rotate(app, actor, &reason, out),
    }
}

fn checkpoint(app: &App, out: &Output) -> Result<Exit, Failure> {
    app.audit.checkpoint()?;
    let state = app.audit.verify()?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "size": state.size, "root": state.root }))?;
    } else {
        out.line(format!("signed: {}, root {}", counted(state.size, "event", "events"), state.root));
    }
    Ok(Exit::Done)
}

fn rotate(app: &App, actor: &Actor, reason: &str, out: &Output) -> Result<Exit, Failure> {
    let vkey = app.audit.rotate_key(actor, reason)?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "key": vkey }))?;
    } else {
        out.line(format!(
            "the log is signed with {vkey} from now on; hand it to the witness and the auditor"
        ));
    }
    Ok(Exit::Done)
}

fn list(
    app: &App,
    actor: &Actor,
    filter: &ListFilter,
    range: String,
    count: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    if let (Some(start), Some(end)) = (filter.from, filter.to) {
        in_order(start, end)?;
    }
    filter.check().map_err(AuditError::from)?;
    app.audit.record(actor, Event::LogRead { range, reason: "audit list".to_owned() })?;
    let entries = app.audit.list(filter)?;
    if count {
        if out.wants_json() {
            out.value(&serde_json::json!({ "count": entries.len() }))?;
        } else {
            out.line(entries.len());
        }
        return Ok(Exit::Done);
    }
    if out.wants_json() {
        out.value(&serde_json::json!({ "events": entries }))?;
        return Ok(Exit::Done);
    }
    for entry in &entries {
        let e = &entry.envelope;
        out.line(format!("{:>8}  {}  {:<18} {:<16} {}", e.seq, e.ts_utc, e.kind, e.outcome, e.actor_pid));
    }
    Ok(Exit::Done)
}

fn read_texts(
    app: &App,
    access: &str,
    person: &InPerson,
    kind: Option<String>,
    out: &Output,
) -> Result<Exit, Failure> {
    let filter = ListFilter { kinds: kind.into_iter().collect(), ..ListFilter::default() };
    filter.check().map_err(AuditError::from)?;
    let entries: Vec<Entry> = app.audit.read_payloads(&person.actor(app)?, access, &filter)?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "events": entries }))?;
        return Ok(Exit::Done);
    }
    for entry in &entries {
        let e = &entry.envelope;
        let Some((actor, fields)) = custody::fields(&entry.content) else {
            out.line(format!("{:>8}  {}  {}  (cannot be read any more)", e.seq, e.ts_utc, e.kind));
            continue;
        };
        out.line(format!("{:>8}  {}  {}  {actor}", e.seq, e.ts_utc, e.kind));
        for (key, value) in fields {
            out.line(format!("          {key}: {value}"));
        }
    }
    Ok(Exit::Done)
}

fn verify(app: &App, actor: &Actor, out: &Output) -> Result<Exit, Failure> {
    let verification = app.audit.verify()?;
    let problems = verification.problems.len() as u64;
    app.audit.record(actor, Event::Verify { ok: verification.ok, size: verification.size, problems })?;
    if out.wants_json() {
        out.value(&verification)?;
    } else {
        for problem in &verification.problems {
            out.line(format!("PROBLEM  {}: {}", problem.path, problem.what));
        }
        for gap in &verification.gaps {
            out.line(format!("{}  event {} at {}", gap.kind, gap.seq, gap.ts_utc));
        }
        let word = if verification.ok { "ok" } else { "NOT OK" };
        out.line(format!(
            "{word}: {}, root {}",
            counted(verification.size, "event", "events"),
            verification.root
        ));
    }
    Ok(if verification.ok { Exit::Done } else { Exit::WithRejects })
}

/// The verdict on a log that is too damaged to be opened.
pub(super) fn unopened(error: &AuditError, out: &Output) -> Result<Exit, Failure> {
    let AuditError::Log(LogError::Damaged { path, what } | LogError::KeysUnfit { path, what }) = error else {
        return Err(Failure::failed(error.to_string()));
    };
    if out.wants_json() {
        let problem = serde_json::json!({ "path": path, "what": what });
        out.value(&serde_json::json!({ "ok": false, "problems": [problem] }))?;
    } else {
        out.line(format!("PROBLEM  {path}: {what}"));
        out.line("NOT OK: the log cannot be opened; restore the folders `audit` and `keys` from a backup");
    }
    Ok(Exit::WithRejects)
}

/// Refuses a period that ends before it begins: an empty list or sheet would look like a finding.
pub(super) fn in_order(start: jiff::Timestamp, end: jiff::Timestamp) -> Result<(), Failure> {
    if start < end { Ok(()) } else { Err(Failure::usage("--from lies after --to")) }
}

/// Midnight at the start of a day in `zone`, `plus` days later.
pub(super) fn day_start(day: &str, plus: i32, zone: &jiff::tz::TimeZone) -> Result<jiff::Timestamp, Failure> {
    let wrong = |e: jiff::Error| Failure::usage(format!("{day:?} is no date of the form YYYY-MM-DD: {e}"));
    let date: jiff::civil::Date = day.parse().map_err(wrong)?;
    let date = date.checked_add(jiff::Span::new().days(plus)).map_err(wrong)?;
    zone.to_timestamp(date.at(0, 0, 0, 0)).map_err(wrong)
}
