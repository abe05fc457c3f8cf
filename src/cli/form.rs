use std::path::PathBuf;

use clap::Subcommand;
use ingest::Language;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output, output};
use crate::app::App;
use crate::audit::{Actor, IncidentReport};

/// Forms, notices and records that the law asks for, as drafts from the configuration in force.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Which there are, when each was made last, and whether the configuration has changed since
    List,
    /// Make one as a PDF
    Make {
        /// record, dpia, regulations, notice-staff, notice-ai, instruction, fria or marking
        #[arg(value_name = "FORM")]
        form: String,
        /// de, fr, it or en
        #[arg(long, value_name = "L", default_value = "de")]
        lang: String,
        /// Where to write it
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        output: PathBuf,
    },
}

impl Args {
    pub(super) fn load(self) -> Result<Self, Failure> {
        if let Args::Make { output, .. } = &self {
            output::can_write(output)?;
        }
        Ok(self)
    }
}

/// The language of that code.
pub(super) fn language(code: &str) -> Result<Language, Failure> {
    Language::parse(code)
        .ok_or_else(|| Failure::usage(format!("no form in {code:?}; languages are de, fr, it, en")))
}

pub(super) fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::List => {
            let forms = app.forms(Language::En)?;
            let triggers = app.risk_triggers(Language::En);
            if out.wants_json() {
                out.value(&serde_json::json!({ "forms": forms, "dpia_triggers": triggers }))?;
                return Ok(Exit::Done);
            }
            for form in &forms {
                let state = match (form.made, form.stale) {
                    (None, _) => "not made yet".to_owned(),
                    (Some(made), false) => format!("made {made}"),
                    (Some(made), true) => format!("OUT OF DATE, made {made}"),
                };
                out.line(format!("{:<12}  {} ({})  {state}", form.form, form.title, form.basis));
            }
            for text in triggers {
                out.note(format!("an impact assessment is to be considered: {text}"));
            }
        }
        Args::Make { form, lang, output } => {
            let made = app.make_form(actor, &form, language(&lang)?)?;
            let file = made.ok_or_else(|| {
                Failure::usage(format!("there is no form {form:?}; `dossier form list` shows them"))
            })?;
            out.file(output.clone(), &file.bytes);
            written(&output, &file.sha256, out)?;
        }
    }
    Ok(Exit::Done)
}

fn written(path: &std::path::Path, sha256: &str, out: &Output) -> Result<(), Failure> {
    if out.wants_json() {
        return out.value(&serde_json::json!({ "file": path, "sha256": sha256 }));
    }
    out.line(format!("{}  SHA-256 {sha256}", path.display()));
    Ok(())
}

/// Incidents of data security: what is known of them, and the report (FADP 24, DPO 15).
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Incident {
    /// Report one, or complete an open one
    Report {
        /// The open one to complete
        #[arg(long, value_name = "ID")]
        case: Option<String>,
        /// a: what happened
        #[arg(long, value_name = "TEXT")]
        nature: Option<String>,
        /// b: when, and for how long
        #[arg(long, value_name = "TEXT")]
        time: Option<String>,
        /// c: which personal data, about how much
        #[arg(long, value_name = "TEXT")]
        affected: Option<String>,
        /// d: whose data, about how many persons
        #[arg(long, value_name = "TEXT")]
        persons: Option<String>,
        /// e: consequences and risks for the persons
        #[arg(long, value_name = "TEXT")]
        consequences: Option<String>,
        /// f: measures taken and planned
        #[arg(long, value_name = "TEXT")]
        measures: Option<String>,
        /// g: whom to ask
        #[arg(long, value_name = "TEXT")]
        contact: Option<String>,
        /// When it was noticed, RFC 3339 [default: now]
        #[arg(long, value_name = "TIME")]
        noticed: Option<String>,
        /// The risk for the persons is likely to be high
        #[arg(long)]
        high_risk: bool,
    },
    /// Write the report as a PDF
    Pdf {
        /// Its identifier
        #[arg(value_name = "ID")]
        case: String,
        /// de, fr, it or en
        #[arg(long, value_name = "L", default_value = "de")]
        lang: String,
        /// Where to write it
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        output: PathBuf,
    },
    /// All of them; `dossier privacy case close` ends one
    List,
}

impl Incident {
    pub(super) fn load(self) -> Result<Self, Failure> {
        if let Incident::Pdf { output, .. } = &self {
            output::can_write(output)?;
        }
        Ok(self)
    }
}

pub(super) fn incident(app: &App, actor: &Actor, args: Incident, out: &Output) -> Result<Exit, Failure> {
    let nowhere = |id: &str| Failure::usage(format!("there is no open incident {id:?}"));
    match args {
        Incident::List => {
            let book = app.audit.book()?;
            let all: Vec<_> = book.incidents().collect();
            if out.wants_json() {
                out.value(&serde_json::json!({ "incidents": all }))?;
                return Ok(Exit::Done);
            }
            for case in all {
                out.line(format!("{}  opened {}  {}", case.id, case.opened, case.subject));
            }
        }
        Incident::Pdf { case, lang, output } => {
            let book = app.audit.book()?;
            let row = book.incidents().find(|row| row.id == case).ok_or_else(|| nowhere(&case))?;
            let file = app.incident_pdf(actor, row, language(&lang)?)?;
            out.file(output.clone(), &file.bytes);
            written(&output, &file.sha256, out)?;
        }
        report => {
            let row = save(app, actor, report)?;
            let row = row.ok_or_else(|| Failure::usage("there is no open incident of that identifier"))?;
            if out.wants_json() {
                out.value(&row)?;
            } else {
                let missing: String =
                    row.report.as_ref().map(IncidentReport::missing).unwrap_or_default().iter().collect();
                out.line(format!("{}  still empty: {missing}", row.id));
                out.note("FADP 24: as quickly as possible where the risk is high; GDPR: within 72 hours");
            }
        }
    }
    Ok(Exit::Done)
}

fn save(app: &App, actor: &Actor, args: Incident) -> Result<Option<crate::audit::CaseRow>, Failure> {
    let Incident::Report {
        case,
        nature,
        time,
        affected,
        persons,
        consequences,
        measures,
        contact,
        noticed,
        high_risk,
    } = args
    else {
        return Ok(None);
    };
    let book = app.audit.book()?;
    let known = case.as_ref().and_then(|id| book.incidents().find(|row| row.id == *id)?.report.clone());
    let mut report = known.unwrap_or_default();
    let fields = [
        (&mut report.nature, nature),
        (&mut report.time, time),
        (&mut report.data, affected),
        (&mut report.persons, persons),
        (&mut report.consequences, consequences),
        (&mut report.measures, measures),
        (&mut report.contact, contact),
        (&mut report.noticed, noticed),
    ];
    for (field, text) in fields {
        if let Some(text) = text {
            *field = text;
        }
    }
    if report.noticed.is_empty() {
        report.noticed = jiff::Timestamp::now().to_string();
    }
    report.noticed.parse::<jiff::Timestamp>().map_err(|e| Failure::usage(format!("--noticed: {e}")))?;
    report.high_risk |= high_risk;
    if report.nature.trim().is_empty() {
        return Err(Failure::usage("--nature must say what happened"));
    }
    Ok(match case {
        Some(id) => app.audit.amend_incident(actor, &id, report)?,
        None => Some(app.audit.report_incident(actor, report, app.today())?),
    })
}
