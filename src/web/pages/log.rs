//! The log for those who look after it: auditors see events, and texts where a key custodian agreed.

use askama::Template;
use axum::{
    Form,
    extract::{Query, State},
    response::{Html, Redirect},
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::Deserialize;

use crate::{
    app::App,
    audit::{Access, AccessState, AuditError, CustodyError, Entry, Event, ListFilter, custody, kinds},
    auth::UserRole,
    web::{error::WebError, extract::Reader, format, frame::Frame, links, state::Web},
};

/// Events on the page.
const SHOWN: usize = 200;

#[derive(Template)]
#[template(path = "pages/log.html")]
pub(in crate::web) struct LogPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) problem: Option<&'static str>,
    pub(in crate::web) is_auditor: bool,
    pub(in crate::web) accesses: Vec<AccessView>,
    pub(in crate::web) from: String,
    pub(in crate::web) to: String,
    pub(in crate::web) kinds: Vec<(&'static str, bool)>,
    pub(in crate::web) shown: String,
    pub(in crate::web) events: Vec<EventView>,
}

/// An access to texts.
#[derive(Debug, Default)]
pub(in crate::web) struct AccessView {
    pub(in crate::web) id: String,
    pub(in crate::web) auditor: String,
    pub(in crate::web) range: String,
    pub(in crate::web) purpose: String,
    pub(in crate::web) state: String,
    /// The reader may decide on it.
    pub(in crate::web) decidable: bool,
    /// The reader may end it.
    pub(in crate::web) endable: bool,
    /// Address of its texts, for the auditor whose it is.
    pub(in crate::web) href: Option<String>,
}

/// An event without its text.
#[derive(Debug, Default)]
pub(in crate::web) struct EventView {
    pub(in crate::web) seq: String,
    pub(in crate::web) time: String,
    pub(in crate::web) kind: String,
    pub(in crate::web) outcome: String,
    pub(in crate::web) role: String,
    pub(in crate::web) person: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Wish {
    from: String,
    to: String,
    kind: String,
    problem: String,
}

/// `GET /log`
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Html<String>, WebError> {
    let is_auditor = reader.user.role == UserRole::Auditor;
    let zone = web.app.config.report.zone();
    let today = Timestamp::now().to_zoned_datetime(zone.clone()).date();
    let day = |text: &str| text.parse::<Date>().ok().unwrap_or(today);
    let (from, to) = (day(&wish.from), day(&wish.to));
    let kind = kinds().into_iter().find(|kind| *kind == wish.kind);
    let (actor, zone) = (reader.actor(), zone);
    let (accesses, events) = web
        .blocking(move |app| {
            let range = format!("{from}..{to}");
            app.audit.record(&actor, Event::LogRead { range, reason: "log page".to_owned() })?;
            let events = if is_auditor { events(app, &zone, from, to, kind)? } else { Vec::new() };
            Ok::<_, AuditError>((app.audit.accesses()?, events))
        })
        .await?;
    let shown = events.len().min(SHOWN);
    let count = |n: usize| format::whole(n as u64);
    let page = LogPage {
        problem: problem(&f, &wish.problem),
        is_auditor,
        accesses: accesses.iter().map(|access| access_view(&f, &reader, access)).collect(),
        from: from.to_string(),
        to: to.to_string(),
        kinds: kinds().into_iter().map(|k| (k, Some(k) == kind)).collect(),
        shown: f.t.two(f.d.log_shown, count(shown), count(events.len())),
        events: events.iter().rev().take(SHOWN).map(event_view).collect(),
        f,
    };
    Ok(Html(page.render()?))
}

fn events(
    app: &App,
    zone: &TimeZone,
    from: Date,
    to: Date,
    kind: Option<&'static str>,
) -> Result<Vec<Entry>, AuditError> {
    let midnight = |day: Date| zone.to_timestamp(day.at(0, 0, 0, 0)).ok();
    app.audit.list(&ListFilter {
        from: midnight(from),
        to: to.tomorrow().ok().and_then(midnight),
        kinds: kind.into_iter().map(str::to_owned).collect(),
        envelopes_only: true,
        ..ListFilter::default()
    })
}

fn problem(f: &Frame, code: &str) -> Option<&'static str> {
    match code {
        "same" => Some(f.d.log_problem_same),
        "state" => Some(f.d.log_problem_state),
        "input" => Some(f.d.log_problem_input),
        _ => None,
    }
}

fn access_view(f: &Frame, reader: &Reader, access: &Access) -> AccessView {
    let until = || access.until.map(|t| format::date(&t.to_string())).unwrap_or_default();
    let is_own = access.auditor == reader.user.name;
    let is_custodian = reader.user.role == UserRole::Custodian;
    let running = matches!(access.state, AccessState::Open | AccessState::Pending);
    let open = access.state == AccessState::Open;
    AccessView {
        id: access.id.clone(),
        auditor: access.auditor.clone(),
        range: access.range.clone(),
        purpose: access.purpose.clone(),
        state: match access.state {
            AccessState::Pending => f.d.log_pending.to_owned(),
            AccessState::Open => f.t.one(f.d.log_open, until()),
            AccessState::Refused => f.d.log_refused.to_owned(),
            AccessState::Over => f.d.log_over.to_owned(),
        },
        decidable: is_custodian && access.state == AccessState::Pending,
        endable: (open && is_custodian) || (running && is_own),
        href: (open && is_own).then(|| links::address("/log/texts", &[("access", &access.id)])),
    }
}

fn event_view(entry: &Entry) -> EventView {
    let e = &entry.envelope;
    EventView {
        seq: format::whole(e.seq),
        time: format::date(&e.ts_utc),
        kind: e.kind.clone(),
        outcome: e.outcome.clone(),
        role: e.role.clone(),
        person: e.actor_pid.chars().take(8).collect(),
    }
}

#[derive(Template)]
#[template(path = "pages/log_texts.html")]
pub(in crate::web) struct TextsPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) access: String,
    pub(in crate::web) shown: String,
    pub(in crate::web) events: Vec<TextView>,
}

/// An event with its text, as far as it can be read.
#[derive(Debug, Default)]
pub(in crate::web) struct TextView {
    pub(in crate::web) event: EventView,
    pub(in crate::web) actor: Option<String>,
    pub(in crate::web) fields: Vec<(String, String)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Which {
    access: String,
}

/// `GET /log/texts`: the texts that an access opens. Each look is recorded.
pub(in crate::web) async fn texts(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Query(which): Query<Which>,
) -> Result<Html<String>, WebError> {
    let (actor, id) = (reader.actor(), which.access.clone());
    let read = web.blocking(move |app| app.audit.read_payloads(&actor, &id, &ListFilter::default())).await?;
    let count = |n: usize| format::whole(n as u64);
    let page = TextsPage {
        access: which.access,
        shown: f.t.two(f.d.log_shown, count(read.len().min(SHOWN)), count(read.len())),
        events: read.iter().rev().take(SHOWN).map(text_view).collect(),
        f,
    };
    Ok(Html(page.render()?))
}

fn text_view(entry: &Entry) -> TextView {
    let read = custody::fields(&entry.content);
    TextView {
        event: event_view(entry),
        actor: read.as_ref().map(|(actor, _)| (*actor).to_owned()),
        fields: read.map(|(_, fields)| fields).unwrap_or_default(),
    }
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Request {
    from: String,
    to: String,
    purpose: String,
}

/// `POST /log/request`
pub(in crate::web) async fn request(
    State(web): State<Web>,
    reader: Reader,
    Form(asked): Form<Request>,
) -> Result<Redirect, WebError> {
    let actor = reader.actor();
    let range = format!("{}..{}", asked.from.trim(), asked.to.trim());
    answered(
        web.blocking(move |app| {
            custody_step(app.audit.request_access(&actor, &range, &asked.purpose).map(|_| ()))
        })
        .await?,
    )
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Decision {
    id: String,
    agree: String,
    #[serde(default)]
    hours: String,
    #[serde(default)]
    reason: String,
}

/// `POST /log/decide`
pub(in crate::web) async fn decide(
    State(web): State<Web>,
    reader: Reader,
    Form(decision): Form<Decision>,
) -> Result<Redirect, WebError> {
    let actor = reader.actor();
    let hours = (decision.agree == "yes").then(|| decision.hours.trim().parse().unwrap_or(0));
    let step = web
        .blocking(move |app| {
            custody_step(app.audit.decide_access(&actor, &decision.id, hours, &decision.reason))
        })
        .await?;
    answered(step)
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct End {
    id: String,
}

/// `POST /log/end`
pub(in crate::web) async fn end(
    State(web): State<Web>,
    reader: Reader,
    Form(end): Form<End>,
) -> Result<Redirect, WebError> {
    let actor = reader.actor();
    answered(web.blocking(move |app| custody_step(app.audit.end_access(&actor, &end.id))).await?)
}

/// A broken rule is told on the page; a failure of the log is a failure.
fn custody_step(done: Result<(), CustodyError>) -> Result<Option<&'static str>, CustodyError> {
    match done {
        Ok(()) => Ok(None),
        Err(CustodyError::SamePerson) => Ok(Some("same")),
        Err(CustodyError::NoAccess | CustodyError::NotOpen) => Ok(Some("state")),
        Err(CustodyError::NoPurpose | CustodyError::Hours | CustodyError::Period) => Ok(Some("input")),
        Err(other) => Err(other),
    }
}

fn answered(problem: Option<&'static str>) -> Result<Redirect, WebError> {
    Ok(Redirect::to(&links::address("/log", &[("problem", problem.unwrap_or_default())])))
}
