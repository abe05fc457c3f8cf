//! Handing the log's envelopes to somebody.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::super::{Exit, Failure, Output, output};
use crate::app::App;
use crate::audit::{Actor, Event, ListFilter, disclosure, sha256_hex};

/// Write the envelopes of a period, pseudonymised, as JSON Lines
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// First day, YYYY-MM-DD
    #[arg(long, value_name = "D")]
    from: String,
    /// Last day, YYYY-MM-DD
    #[arg(long, value_name = "D")]
    to: String,
    /// Who gets it
    #[arg(long, value_name = "NAME")]
    recipient: String,
    /// Country that it goes to, two letters (ISO 3166)
    #[arg(long, value_name = "CC")]
    country: String,
    /// What guarantees protection there, such as a contract's reference; needed where the country has no adequate law
    #[arg(long, value_name = "TEXT")]
    guarantee: Option<String>,
    /// Where to write it
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: PathBuf,
}

impl Args {
    pub(super) fn load(self) -> Result<Self, Failure> {
        disclosure::check(&self.recipient, &self.country, self.guarantee.as_deref())
            .map_err(Failure::usage)?;
        output::can_write(&self.output)?;
        Ok(self)
    }
}

pub(super) fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    disclosure::check(&args.recipient, &args.country, args.guarantee.as_deref()).map_err(Failure::usage)?;
    let zone = app.config.report.zone();
    let (start, end) = (super::day_start(&args.from, 0, &zone)?, super::day_start(&args.to, 1, &zone)?);
    super::in_order(start, end)?;
    let range = format!("{}..{}", args.from, args.to);
    app.audit.record(actor, Event::LogRead { range, reason: "audit export".to_owned() })?;
    let filter =
        ListFilter { from: Some(start), to: Some(end), envelopes_only: true, ..ListFilter::default() };
    let entries = app.audit.list(&filter)?;
    let mut lines = Vec::new();
    for entry in &entries {
        serde_json::to_writer(&mut lines, &entry.envelope)?;
        lines.push(b'\n');
    }
    let sha256 = sha256_hex(&lines);
    // Nothing leaves that the log did not take.
    let event = Event::Export {
        what: "audit_log".to_owned(),
        sha256: sha256.clone(),
        rows: entries.len() as u64,
        recipient: Some(match &args.guarantee {
            Some(guarantee) => format!("{} ({guarantee})", args.recipient),
            None => args.recipient.clone(),
        }),
        country: Some(args.country.to_ascii_uppercase()),
    };
    app.audit.record(actor, event)?;
    out.file(args.output.clone(), &lines);
    if out.wants_json() {
        out.value(&serde_json::json!({ "file": args.output, "events": entries.len(), "sha256": sha256 }))?;
    } else {
        out.line(format!("{}: {} events, SHA-256 {sha256}", args.output.display(), entries.len()));
    }
    Ok(Exit::Done)
}
