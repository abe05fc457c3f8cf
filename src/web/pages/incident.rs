//! Incidents: everybody reports, auditors and administrators see to them.

use askama::Template;
use axum::{
    Form,
    extract::{Path, Query, State},
    response::{Html, Redirect, Response},
};
use jiff::{Timestamp, civil::DateTime};
use serde::Deserialize;

use super::history::download;
use crate::{
    app::hours_left,
    audit::{AuditError, CaseKind, CaseRow, IncidentReport},
    web::{error::WebError, extract::Reader, format, frame::Frame, links, state::Web},
};

/// Most characters of a field.
const MAX_FIELD_CHARS: usize = 4_000;

#[derive(Template)]
#[template(path = "pages/incident.html")]
pub(in crate::web) struct IncidentPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) sent: Option<String>,
    pub(in crate::web) fields: Vec<FieldView>,
    pub(in crate::web) noticed: String,
    pub(in crate::web) high_risk: bool,
    /// The case that is looked at; none for a new one.
    pub(in crate::web) case: Option<CaseView>,
    /// False for a case that is closed.
    pub(in crate::web) is_editable: bool,
    /// Incidents, for those who see to them.
    pub(in crate::web) cases: Vec<CaseView>,
    pub(in crate::web) sees_cases: bool,
}

/// A field of the form, letters a to g.
#[derive(Debug, Default)]
pub(in crate::web) struct FieldView {
    pub(in crate::web) name: &'static str,
    pub(in crate::web) label: &'static str,
    pub(in crate::web) value: String,
    pub(in crate::web) required: bool,
}

/// An incident.
#[derive(Debug, Default)]
pub(in crate::web) struct CaseView {
    pub(in crate::web) id: String,
    pub(in crate::web) subject: String,
    pub(in crate::web) when: String,
    /// What the law's timer says; empty once it is closed.
    pub(in crate::web) timer: String,
    pub(in crate::web) missing: Option<String>,
    pub(in crate::web) is_open: bool,
    pub(in crate::web) result: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Wish {
    sent: String,
}

/// `GET /incident`: the form, and the list for those who see to it.
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Html<String>, WebError> {
    let sees_cases = reader.may_report();
    let cases = if sees_cases {
        web.blocking(|app| Ok::<_, AuditError>(app.audit.book()?.incidents().cloned().collect())).await?
    } else {
        Vec::<CaseRow>::new()
    };
    let known = wish.sent.starts_with("case-") && wish.sent.len() < 16;
    let page = IncidentPage {
        sent: known.then(|| f.t.one(f.d.incident_sent, &wish.sent)),
        fields: fields(&f, &IncidentReport::default()),
        noticed: local(Timestamp::now()),
        high_risk: false,
        case: None,
        is_editable: true,
        cases: cases.iter().map(|case| case_view(&f, case)).collect(),
        sees_cases,
        f,
    };
    Ok(Html(page.render()?))
}

fn fields(f: &Frame, report: &IncidentReport) -> Vec<FieldView> {
    let field = |name, label, value: &String| FieldView {
        name,
        label,
        value: value.clone(),
        required: name == "nature",
    };
    vec![
        field("nature", f.d.incident_a, &report.nature),
        field("time", f.d.incident_b, &report.time),
        field("data", f.d.incident_c, &report.data),
        field("persons", f.d.incident_d, &report.persons),
        field("consequences", f.d.incident_e, &report.consequences),
        field("measures", f.d.incident_f, &report.measures),
        field("contact", f.d.incident_g, &report.contact),
    ]
}

fn case_view(f: &Frame, case: &CaseRow) -> CaseView {
    let report = case.report.clone().unwrap_or_default();
    let missing: Vec<String> = report.missing().iter().map(char::to_string).collect();
    let day = |day: jiff::civil::Date| format::date(&day.to_string());
    CaseView {
        id: case.id.clone(),
        subject: case.subject.clone(),
        when: match case.closed {
            Some(closed) => f.t.one(f.d.incident_closed, day(closed)),
            None => f.t.one(f.d.incident_opened, day(case.opened)),
        },
        timer: if case.closed.is_some() { String::new() } else { timer(f, &report) },
        missing: (case.closed.is_none() && !missing.is_empty())
            .then(|| f.t.one(f.d.incident_missing, missing.join(", "))),
        is_open: case.closed.is_none(),
        result: case.result.clone().unwrap_or_default(),
    }
}

fn timer(f: &Frame, report: &IncidentReport) -> String {
    match report.noticed.parse::<Timestamp>().map(|noticed| hours_left(noticed, Timestamp::now())) {
        Ok(hours) if hours > 0 => f.t.one(f.d.incident_timer, hours),
        _ => f.d.incident_past.to_owned(),
    }
}

/// As a date field of a browser holds it.
fn local(t: Timestamp) -> String {
    t.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%dT%H:%M").to_string()
}

/// What the form sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Sent {
    nature: String,
    time: String,
    data: String,
    persons: String,
    consequences: String,
    measures: String,
    contact: String,
    noticed: String,
    high_risk: String,
}

impl Sent {
    fn report(self) -> Result<IncidentReport, WebError> {
        let zone = jiff::tz::TimeZone::system();
        let noticed = self.noticed.trim().parse::<DateTime>().ok().and_then(|t| zone.to_timestamp(t).ok());
        let noticed = noticed.ok_or(WebError::Bad("when it was noticed is no date"))?;
        let field = |text: String| -> Result<String, WebError> {
            let text = text.trim().to_owned();
            if text.chars().count() > MAX_FIELD_CHARS { Err(WebError::TooLarge) } else { Ok(text) }
        };
        let report = IncidentReport {
            nature: field(self.nature)?,
            time: field(self.time)?,
            data: field(self.data)?,
            persons: field(self.persons)?,
            consequences: field(self.consequences)?,
            measures: field(self.measures)?,
            contact: field(self.contact)?,
            noticed: noticed.to_string(),
            high_risk: !self.high_risk.is_empty(),
        };
        if report.nature.is_empty() { Err(WebError::Bad("what happened is missing")) } else { Ok(report) }
    }
}

/// `POST /incident`: a new one.
pub(in crate::web) async fn report(
    State(web): State<Web>,
    reader: Reader,
    Form(sent): Form<Sent>,
) -> Result<Redirect, WebError> {
    let (actor, report) = (reader.actor(), sent.report()?);
    let case = web.blocking(move |app| app.audit.report_incident(&actor, report, app.today())).await?;
    Ok(Redirect::to(&links::address("/incident", &[("sent", &case.id)])))
}

async fn find(web: &Web, id: String) -> Result<CaseRow, WebError> {
    let found = web
        .blocking(move |app| {
            Ok::<_, AuditError>(app.audit.book()?.cases.into_iter().find(|case| case.id == id))
        })
        .await?;
    found.filter(|case| case.kind == CaseKind::Incident).ok_or(WebError::NotFound)
}

/// `GET /incident/{name}`: one of them, to be completed.
pub(in crate::web) async fn case(
    State(web): State<Web>,
    _: Reader,
    f: Frame,
    Path(id): Path<String>,
) -> Result<Html<String>, WebError> {
    let case = find(&web, id).await?;
    let report = case.report.clone().unwrap_or_default();
    let noticed = report.noticed.parse().map(local).unwrap_or_default();
    let page = IncidentPage {
        sent: None,
        fields: fields(&f, &report),
        noticed,
        high_risk: report.high_risk,
        case: Some(case_view(&f, &case)),
        is_editable: case.closed.is_none(),
        cases: Vec::new(),
        sees_cases: false,
        f,
    };
    Ok(Html(page.render()?))
}

/// `POST /incident/{name}`: what is known by now.
pub(in crate::web) async fn amend(
    State(web): State<Web>,
    reader: Reader,
    Path(id): Path<String>,
    Form(sent): Form<Sent>,
) -> Result<Redirect, WebError> {
    let (actor, report) = (reader.actor(), sent.report()?);
    let amended = web.blocking(move |app| app.audit.amend_incident(&actor, &id, report)).await?;
    let case = amended.ok_or(WebError::NotFound)?;
    Ok(Redirect::to(&format!("/incident/{}", case.id)))
}

/// `POST /incident/{name}/pdf`: the report as it stands.
pub(in crate::web) async fn pdf(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let case = find(&web, id).await?;
    let name = format!("dossier-{}.pdf", case.id);
    let (actor, language) = (reader.actor(), f.language);
    let file = web.blocking(move |app| app.incident_pdf(&actor, &case, language)).await?;
    download("application/pdf", &name, file.bytes)
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct End {
    result: String,
}

/// `POST /incident/{name}/close`
pub(in crate::web) async fn close(
    State(web): State<Web>,
    reader: Reader,
    Path(id): Path<String>,
    Form(end): Form<End>,
) -> Result<Redirect, WebError> {
    let case = find(&web, id).await?;
    let result: String = end.result.trim().chars().take(MAX_FIELD_CHARS).collect();
    if result.is_empty() {
        return Err(WebError::Bad("the result is missing"));
    }
    let actor = reader.actor();
    web.blocking(move |app| app.audit.close_case(&actor, &case.id, &result, app.today())).await?;
    Ok(Redirect::to("/incident"))
}
