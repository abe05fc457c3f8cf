//! Who may read texts in the log: an auditor, with the agreement of a second person, for a time.
//!
//! Nothing is kept beside the log. An access holds where the log has its request by this auditor and the agreement
//! of a key custodian who is somebody else, not ended and not past its time: whoever edits files of the data folder
//! gains no access by it. Who has root on the running machine can read the keys themselves, and is not stopped by this.

use compliance::event::{AccessStep, ReadPurpose};
use compliance::log::{Content, Entry, ListFilter};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::{Actor, Audit, AuditError, Event, Role};

/// Most hours for which a custodian agrees.
pub const MAX_HOURS: u32 = 72;

/// A rule that forbids what was asked for, or a failure of the log.
#[derive(Debug, thiserror::Error)]
pub enum CustodyError {
    /// Only auditors ask for and read texts.
    #[error("only an account with the role auditor may ask for texts in the log, and read them")]
    NotAuditor,
    /// Only custodians decide.
    #[error("only an account with the role custodian decides on it")]
    NotCustodian,
    /// Whoever asked does not decide.
    #[error("whoever asked for the access cannot agree to it")]
    SamePerson,
    /// There is none of that identifier in the state that is needed.
    #[error("there is no such access, or it was decided on already")]
    NoAccess,
    /// Not agreed to, ended, or past its time.
    #[error("the access is not agreed to, was ended, or is past its time")]
    NotOpen,
    /// A purpose has to be stated.
    #[error("a purpose has to be stated")]
    NoPurpose,
    /// Not that many hours.
    #[error("an access lasts 1 to {MAX_HOURS} hours")]
    Hours,
    /// A day is none, or the first lies after the last.
    #[error("the days are no period")]
    Period,
    /// The log failed.
    #[error(transparent)]
    Audit(#[from] AuditError),
}

/// Where an access stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessState {
    /// Nobody has decided yet.
    Pending,
    /// Texts may be read.
    Open,
    /// Not agreed to.
    Refused,
    /// Ended, or past its time.
    Over,
}

/// An access to texts, as the log tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Access {
    /// Identifier.
    pub id: String,
    /// The auditor who asked.
    pub auditor: String,
    /// Why.
    pub purpose: String,
    /// Days that it covers, as `FROM..TO`, the last one included.
    pub range: String,
    /// When it was asked for.
    pub asked: Timestamp,
    /// Who decided.
    pub custodian: Option<String>,
    /// Until when texts may be read.
    pub until: Option<Timestamp>,
    /// Where it stands.
    pub state: AccessState,
}

impl Audit {
    /// Every access that the log tells of, newest first. One whose texts were made unreadable is left out.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn accesses(&self) -> Result<Vec<Access>, AuditError> {
        self.accesses_where(None)
    }

    fn accesses_where(&self, id: Option<&str>) -> Result<Vec<Access>, AuditError> {
        let filter = ListFilter {
            kinds: vec!["payload_access".into()],
            target: id.map(str::to_owned),
            ..ListFilter::default()
        };
        let mut found: Vec<Access> = Vec::new();
        for entry in self.list(&filter)? {
            step(&mut found, &entry);
        }
        let now = Timestamp::now();
        for access in &mut found {
            if access.state == AccessState::Open && access.until.is_none_or(|until| until <= now) {
                access.state = AccessState::Over;
            }
        }
        found.reverse();
        Ok(found)
    }

    /// An auditor asks to read texts of these days (`FROM..TO`).
    ///
    /// # Errors
    /// When somebody else asks, no purpose is stated, or the log cannot be written.
    pub fn request_access(&self, actor: &Actor, range: &str, purpose: &str) -> Result<Access, CustodyError> {
        if actor.role != Role::Auditor {
            return Err(CustodyError::NotAuditor);
        }
        if purpose.trim().is_empty() {
            return Err(CustodyError::NoPurpose);
        }
        days(range).ok_or(CustodyError::Period)?;
        let id = format!("access-{}", hex::encode(rand::random::<[u8; 4]>()));
        let event = Event::PayloadAccess {
            id: id.clone(),
            step: AccessStep::Requested,
            range: range.to_owned(),
            purpose: purpose.trim().to_owned(),
            until: None,
        };
        self.record(actor, event)?;
        self.accesses_where(Some(&id))?.pop().ok_or(CustodyError::NoAccess)
    }

    /// A key custodian agrees for some hours, or does not (`None`).
    ///
    /// # Errors
    /// When somebody else decides, it is the same person, there is no such request, or the log cannot be written.
    pub fn decide_access(
        &self,
        actor: &Actor,
        id: &str,
        hours: Option<u32>,
        why: &str,
    ) -> Result<(), CustodyError> {
        if actor.role != Role::KeyCustodian {
            return Err(CustodyError::NotCustodian);
        }
        let asked = self.accesses_where(Some(id))?.pop().filter(|a| a.state == AccessState::Pending);
        let asked = asked.ok_or(CustodyError::NoAccess)?;
        if asked.auditor == actor.name {
            return Err(CustodyError::SamePerson);
        }
        if hours.is_some_and(|h| !(1..=MAX_HOURS).contains(&h)) {
            return Err(CustodyError::Hours);
        }
        let until = hours.map(|h| Timestamp::now() + SignedDuration::from_hours(i64::from(h)));
        let event = Event::PayloadAccess {
            id: id.to_owned(),
            step: if hours.is_some() { AccessStep::Approved } else { AccessStep::Refused },
            range: asked.range,
            purpose: why.trim().to_owned(),
            until: until.map(|t| t.to_string()),
        };
        self.record(actor, event)?;
        Ok(())
    }

    /// Whoever asked, or a custodian, ends it.
    ///
    /// # Errors
    /// When it is not open or asked for, or the log cannot be written.
    pub fn end_access(&self, actor: &Actor, id: &str) -> Result<(), CustodyError> {
        let access = self.accesses_where(Some(id))?.pop().ok_or(CustodyError::NoAccess)?;
        if access.auditor != actor.name && actor.role != Role::KeyCustodian {
            return Err(CustodyError::NotCustodian);
        }
        if !matches!(access.state, AccessState::Open | AccessState::Pending) {
            return Err(CustodyError::NotOpen);
        }
        let (range, purpose) = (access.range, String::new());
        let step = AccessStep::Ended;
        self.record(actor, Event::PayloadAccess { id: id.to_owned(), step, range, purpose, until: None })?;
        Ok(())
    }

    /// The events of an access that `filter` lets through, with their texts. That they are read is recorded before.
    ///
    /// # Errors
    /// When the access is not this auditor's or not open, or the log cannot be read or written.
    pub fn read_payloads(
        &self,
        actor: &Actor,
        id: &str,
        filter: &ListFilter,
    ) -> Result<Vec<Entry>, CustodyError> {
        if actor.role != Role::Auditor {
            return Err(CustodyError::NotAuditor);
        }
        let access = self.accesses_where(Some(id))?.pop().ok_or(CustodyError::NoAccess)?;
        if access.auditor != actor.name || access.state != AccessState::Open {
            return Err(CustodyError::NotOpen);
        }
        let (from, to) = days(&access.range).ok_or(CustodyError::Period)?;
        let within = ListFilter {
            from: Some(filter.from.map_or(from, |f| f.max(from))),
            to: Some(filter.to.map_or(to, |t| t.min(to))),
            ..filter.clone()
        };
        let sealed = self.list(&ListFilter { envelopes_only: true, ..within.clone() })?;
        let event = Event::PayloadRead {
            access: Some(id.to_owned()),
            purpose: ReadPurpose::Audit,
            range: access.range,
            events: sealed.len() as u64,
        };
        self.record(actor, event)?;
        let last = sealed.last().map(|e| e.envelope.seq);
        let mut read = if last.is_some() { self.list(&within)? } else { Vec::new() };
        // Not what was recorded meanwhile: its number stands nowhere.
        read.retain(|e| last.is_some_and(|last| e.envelope.seq <= last));
        Ok(read)
    }
}

/// Takes one event into the list.
fn step(found: &mut Vec<Access>, entry: &Entry) {
    let Content::Clear(value) = &entry.content else { return };
    let text = |key: &str| value["event"][key].as_str().unwrap_or_default().to_owned();
    let actor = value["actor"].as_str().unwrap_or_default().to_owned();
    let (id, role) = (text("id"), entry.envelope.role.as_str());
    let known = found.iter_mut().find(|a| a.id == id);
    match (entry.envelope.outcome.as_str(), known) {
        ("requested", None) if role == Role::Auditor.code() => found.push(Access {
            id,
            auditor: actor,
            purpose: text("purpose"),
            range: text("range"),
            asked: entry.envelope.ts_utc.parse().unwrap_or(Timestamp::MIN),
            custodian: None,
            until: None,
            state: AccessState::Pending,
        }),
        ("approved" | "refused", Some(access))
            if role == Role::KeyCustodian.code()
                && access.state == AccessState::Pending
                && access.auditor != actor =>
        {
            access.custodian = Some(actor);
            access.until = value["event"]["until"].as_str().and_then(|t| t.parse().ok());
            let agreed = entry.envelope.outcome == "approved";
            access.state = if agreed { AccessState::Open } else { AccessState::Refused };
        }
        ("ended", Some(access)) => access.state = AccessState::Over,
        _ => {}
    }
}

/// The time that `FROM..TO` covers, days in UTC, the last one included. Half a day more at both ends, so that a day of
/// any time zone is covered whole.
fn days(range: &str) -> Option<(Timestamp, Timestamp)> {
    let (from, to) = range.split_once("..")?;
    let day = |text: &str| text.trim().parse::<jiff::civil::Date>().ok();
    let (from, to) = (day(from)?, day(to)?);
    let midnight = |date: jiff::civil::Date| jiff::tz::TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok();
    let margin = SignedDuration::from_hours(12);
    (from <= to).then_some(())?;
    Some((midnight(from)? - margin, midnight(to.tomorrow().ok()?)? + margin))
}

/// What of a payload is shown to an auditor: the fields of the event.
pub fn fields(content: &Content) -> Option<(&str, Vec<(String, String)>)> {
    let Content::Clear(value) = content else { return None };
    let actor = value["actor"].as_str().unwrap_or_default();
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let event = value["event"].as_object()?;
    let rows = event.iter().filter(|(key, value)| *key != "kind" && !value.is_null());
    Some((actor, rows.map(|(key, value)| (key.clone(), shown(value))).collect()))
}
