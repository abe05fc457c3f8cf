//! Reading texts in the log, by an auditor with a key custodian's agreement.

use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::super::{Exit, Failure, InPerson, Output};
use crate::app::App;
use crate::audit::{Access, Actor, Event};

/// Ask for, agree to and end an auditor's reading of texts in the log
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Ask to read the texts of some days; an auditor
    Request {
        #[command(flatten)]
        person: InPerson,
        /// First day, YYYY-MM-DD
        #[arg(long, value_name = "D")]
        from: String,
        /// Last day, YYYY-MM-DD
        #[arg(long, value_name = "D")]
        to: String,
        /// Why; stands encrypted in the log
        #[arg(long, value_name = "TEXT")]
        purpose: String,
    },
    /// Agree for some hours; a key custodian who is not the one that asked
    Approve {
        /// Its identifier
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        person: InPerson,
        /// For how long, 1 to 72
        #[arg(long, value_name = "HOURS", default_value_t = 8)]
        hours: u32,
    },
    /// Do not agree; a key custodian
    Refuse {
        /// Its identifier
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        person: InPerson,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// End it before its time; the auditor or a key custodian
    End {
        /// Its identifier
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        person: InPerson,
    },
    /// All that were asked for
    List,
}

impl Args {
    pub(super) fn load(mut self) -> Result<Self, Failure> {
        if let Args::Request { person, .. }
        | Args::Approve { person, .. }
        | Args::Refuse { person, .. }
        | Args::End { person, .. } = &mut self
        {
            person.ask_password()?;
        }
        Ok(self)
    }
}

pub(super) fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::Request { person, from, to, purpose } => {
            let access = app.audit.request_access(&person.actor(app)?, &format!("{from}..{to}"), &purpose)?;
            if out.wants_json() {
                out.value(&access)?;
            } else {
                out.line(line(&access));
            }
            return Ok(Exit::Done);
        }
        Args::Approve { id, person, hours } => {
            app.audit.decide_access(&person.actor(app)?, &id, Some(hours), "")?;
        }
        Args::Refuse { id, person, reason } => {
            app.audit.decide_access(&person.actor(app)?, &id, None, &reason)?;
        }
        Args::End { id, person } => app.audit.end_access(&person.actor(app)?, &id)?,
        Args::List => return list(app, actor, out),
    }
    out.done()?;
    Ok(Exit::Done)
}

fn list(app: &App, actor: &Actor, out: &Output) -> Result<Exit, Failure> {
    let reason = "audit access list".to_owned();
    app.audit.record(actor, Event::LogRead { range: "accesses".to_owned(), reason })?;
    let accesses = app.audit.accesses()?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "accesses": accesses }))?;
    } else {
        accesses.iter().for_each(|access| out.line(line(access)));
    }
    Ok(Exit::Done)
}

fn line(a: &Access) -> String {
    let until = a.until.map(|until| format!("  until {until}")).unwrap_or_default();
    let by = a.custodian.as_deref().map(|name| format!("  decided by {name}")).unwrap_or_default();
    let state = format!("{:?}", a.state).to_lowercase();
    format!("{}  {state:<7}  {}  {}{by}{until}  {}", a.id, a.range, a.auditor, a.purpose)
}
