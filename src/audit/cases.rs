//! Requests, incidents and holds: what has a date by which it is due, and what must not be erased meanwhile.
//!
//! `DATA/cases.json` holds who it is about, in clear; the log holds the same events with the person encrypted.
//! Somebody who edits the file hides an overdue case or a hold from `dossier`; the log still tells of it.

use std::path::Path;

use compliance::log::{LogError, sha256};
use compliance::storage::{FileStorage, Storage as _};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Actor, Audit, AuditError, CaseKind, Event, IncidentReport};

const FILE: &str = "cases.json";
/// Days in which a request has to be answered (DPO 18).
const REQUEST_DAYS: i64 = 30;
/// Days in which an incident of high risk has to be reported where the GDPR applies; the FADP says "as quickly as
/// possible".
const INCIDENT_DAYS: i64 = 3;

/// Most characters of an incident that stand for it in lists.
const MAX_SUBJECT_CHARS: usize = 80;

/// Cases and holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Book {
    /// Cases, oldest first.
    pub cases: Vec<CaseRow>,
    /// Holds in force.
    pub holds: Vec<HoldRow>,
}

/// A case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseRow {
    /// Identifier, as in `case-3f2a91`.
    pub id: String,
    /// What sort of case it is.
    pub kind: CaseKind,
    /// Whom or what it is about.
    pub subject: String,
    /// Day on which it began.
    pub opened: Date,
    /// Day by which it is due.
    pub due: Option<Date>,
    /// Day on which it ended.
    pub closed: Option<Date>,
    /// How it ended.
    pub result: Option<String>,
    /// What is known of an incident.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<IncidentReport>,
}

/// A hold: nothing of what it covers is erased or removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HoldRow {
    /// Identifier, as in `hold-3f2a91`.
    pub id: String,
    /// User whose events it covers; all if none.
    pub user: Option<String>,
    /// Why.
    pub reason: String,
    /// Since when.
    pub since: Date,
}

impl Book {
    /// The hold that covers events of `user`, or of everybody where `user` is none.
    pub fn covering(&self, user: Option<&str>) -> Option<&HoldRow> {
        self.holds.iter().find(|h| h.user.is_none() || h.user.as_deref() == user)
    }

    /// Requests that are open past their day.
    pub fn overdue(&self, today: Date) -> u64 {
        let late = |c: &&CaseRow| c.kind == CaseKind::Request && c.closed.is_none();
        self.cases.iter().filter(late).filter(|c| c.due.is_some_and(|due| due < today)).count() as u64
    }

    /// Incidents, newest first.
    pub fn incidents(&self) -> impl Iterator<Item = &CaseRow> {
        self.cases.iter().rev().filter(|c| c.kind == CaseKind::Incident)
    }
}

impl Audit {
    /// Cases and holds as they are now.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn book(&self) -> Result<Book, AuditError> {
        read(self.queue.data())
    }

    /// Opens a case.
    ///
    /// # Errors
    /// When the log or the file cannot be written.
    pub fn open_case(
        &self,
        actor: &Actor,
        kind: CaseKind,
        subject: &str,
        today: Date,
    ) -> Result<CaseRow, AuditError> {
        let _one = self.queue.case_lock();
        let mut book = self.book()?;
        let days = match kind {
            CaseKind::Request | CaseKind::Erasure => Some(REQUEST_DAYS),
            CaseKind::Incident => Some(INCIDENT_DAYS),
            CaseKind::Notification | CaseKind::Support => None,
        };
        let due = days.and_then(|d| today.checked_add(jiff::Span::new().days(d)).ok());
        let id = identifier("case", &format!("{kind:?} {subject} {today} {}", book.cases.len()));
        let row = CaseRow {
            id,
            kind,
            subject: subject.to_owned(),
            opened: today,
            due,
            closed: None,
            result: None,
            report: None,
        };
        let due = row.due.map(|d| d.to_string());
        self.record(actor, Event::Case { id: row.id.clone(), case: kind, due, result: None, days: None })?;
        book.cases.push(row.clone());
        self.save(&book)?;
        Ok(row)
    }

    /// Opens an incident with what is known of it.
    ///
    /// # Errors
    /// When the log or the file cannot be written.
    pub fn report_incident(
        &self,
        actor: &Actor,
        report: IncidentReport,
        today: Date,
    ) -> Result<CaseRow, AuditError> {
        let subject: String = report.nature.chars().take(MAX_SUBJECT_CHARS).collect();
        let case = self.open_case(actor, CaseKind::Incident, &subject, today)?;
        Ok(self.amend_incident(actor, &case.id, report)?.unwrap_or(case))
    }

    /// Writes down what is known of an open incident by now. `None` if there is none of that identifier.
    ///
    /// # Errors
    /// When the log or the file cannot be written.
    pub fn amend_incident(
        &self,
        actor: &Actor,
        id: &str,
        report: IncidentReport,
    ) -> Result<Option<CaseRow>, AuditError> {
        let _one = self.queue.case_lock();
        let mut book = self.book()?;
        let open = |c: &&mut CaseRow| c.id == id && c.kind == CaseKind::Incident && c.closed.is_none();
        let Some(row) = book.cases.iter_mut().find(open) else { return Ok(None) };
        row.report = Some(report.clone());
        let row = row.clone();
        self.record(actor, Event::IncidentReport { id: id.to_owned(), report })?;
        self.save(&book)?;
        Ok(Some(row))
    }

    /// Closes a case. `None` if there is no open one of that identifier.
    ///
    /// # Errors
    /// When the log or the file cannot be written.
    pub fn close_case(
        &self,
        actor: &Actor,
        id: &str,
        result: &str,
        today: Date,
    ) -> Result<Option<CaseRow>, AuditError> {
        let _one = self.queue.case_lock();
        let mut book = self.book()?;
        let Some(row) = book.cases.iter_mut().find(|c| c.id == id && c.closed.is_none()) else {
            return Ok(None);
        };
        (row.closed, row.result) = (Some(today), Some(result.to_owned()));
        let row = row.clone();
        let days = u32::try_from((today - row.opened).get_days()).unwrap_or_default();
        let event = Event::Case {
            id: row.id.clone(),
            case: row.kind,
            due: row.due.map(|d| d.to_string()),
            result: Some(result.to_owned()),
            days: Some(days),
        };
        self.record(actor, event)?;
        self.save(&book)?;
        Ok(Some(row))
    }

    /// Puts a hold on the events of a user, or of everybody.
    ///
    /// # Errors
    /// When the log or the file cannot be written.
    pub fn set_hold(
        &self,
        actor: &Actor,
        user: Option<&str>,
        reason: &str,
        today: Date,
    ) -> Result<HoldRow, AuditError> {
        let _one = self.queue.case_lock();
        let mut book = self.book()?;
        let id = identifier("hold", &format!("{user:?} {reason} {today} {}", book.holds.len()));
        let row = HoldRow { id, user: user.map(str::to_owned), reason: reason.to_owned(), since: today };
        self.record(actor, Event::Hold { id: row.id.clone(), reason: reason.to_owned(), on: true })?;
        book.holds.push(row.clone());
        self.save(&book)?;
        Ok(row)
    }

    /// Lifts a hold. False if there is none of that identifier.
    ///
    /// # Errors
    /// When the log or the file cannot be written.
    pub fn lift_hold(&self, actor: &Actor, id: &str, reason: &str) -> Result<bool, AuditError> {
        let _one = self.queue.case_lock();
        let mut book = self.book()?;
        if !book.holds.iter().any(|h| h.id == id) {
            return Ok(false);
        }
        self.record(actor, Event::Hold { id: id.to_owned(), reason: reason.to_owned(), on: false })?;
        book.holds.retain(|h| h.id != id);
        self.save(&book)?;
        // What it kept is due again from the beginning.
        self.forget_progress()?;
        Ok(true)
    }

    fn save(&self, book: &Book) -> Result<(), AuditError> {
        let bytes = serde_json::to_vec_pretty(book).map_err(|e| LogError::Prepare(e.to_string()))?;
        let folder = FileStorage::new(self.queue.data()).map_err(LogError::from)?;
        Ok(folder.replace(FILE, &bytes).map_err(LogError::from)?)
    }
}

fn read(data: &Path) -> Result<Book, AuditError> {
    let folder = FileStorage::new(data).map_err(LogError::from)?;
    let Some(bytes) = folder.read(FILE).map_err(LogError::from)? else { return Ok(Book::default()) };
    let damaged = |e: serde_json::Error| LogError::Damaged { path: FILE.to_owned(), what: e.to_string() };
    Ok(serde_json::from_slice(&bytes).map_err(damaged)?)
}

/// A short identifier that no two cases of a day share.
fn identifier(what: &str, text: &str) -> String {
    let mut sum = hex::encode(sha256(text.as_bytes()));
    sum.truncate(6);
    format!("{what}-{sum}")
}
