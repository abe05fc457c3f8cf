use askama::Template;
use axum::{
    Form,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use ingest::Language;
use jiff::{Timestamp, ToSpan, ZonedDateTime, civil::Date, tz::TimeZone};
use serde::Deserialize;

use crate::web::{
    error::{OwnPage, WebError},
    extract::Reader,
    frame::Frame,
    i18n,
    state::Web,
};

#[derive(Template)]
#[template(path = "pages/report.html")]
pub(in crate::web) struct ReportPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) from: String,
    pub(in crate::web) to: String,
    pub(in crate::web) languages: Vec<(&'static str, &'static str, bool)>,
    pub(in crate::web) message: Option<&'static str>,
}

/// `GET /report`: the form, filled in with the present quarter.
pub(in crate::web) async fn page(_: Reader, f: Frame) -> Result<Html<String>, WebError> {
    let today = ZonedDateTime::now().date();
    Ok(Html(form(f, &quarter_start(today).to_string(), &today.to_string(), None).render()?))
}

fn form(f: Frame, from: &str, to: &str, message: Option<&'static str>) -> ReportPage {
    let languages = languages().map(|l| (l.as_str(), i18n::native_name(l), l == f.language)).collect();
    ReportPage { from: from.to_owned(), to: to.to_owned(), languages, message, f }
}

/// The languages in which the sheet exists.
fn languages() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter()
}

fn quarter_start(day: Date) -> Date {
    let month = (day.month() - 1) / 3 * 3 + 1;
    Date::new(day.year(), month, 1).unwrap_or(day)
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Wish {
    from: String,
    to: String,
    language: Language,
}

/// `POST /report`: makes the sheet, records the export, and hands it out.
pub(in crate::web) async fn create(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Form(wish): Form<Wish>,
) -> Result<Response, WebError> {
    let Some((from, to)) = period(&wish, &web.app.config.report.zone()) else {
        let page = form(f.clone(), &wish.from, &wish.to, Some(f.t.report_period_wrong));
        let mut response = (StatusCode::BAD_REQUEST, Html(page.render()?)).into_response();
        response.extensions_mut().insert(OwnPage);
        return Ok(response);
    };
    let (actor, language) = (reader.actor(), wish.language);
    let sheet = web.blocking(move |app| app.report(&actor, from, to, language)).await?;
    let name = format!("dossier-{}-{}-{}.pdf", wish.from.trim(), wish.to.trim(), wish.language.as_str());
    let disposition =
        HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).map_err(WebError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, sheet.pdf).into_response())
}

/// From the first day's midnight to the midnight after the last day; `None` where that is no period.
fn period(wish: &Wish, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
    let day = |text: &str| text.trim().parse::<Date>().ok();
    let midnight = |day: Date| zone.to_timestamp(day.at(0, 0, 0, 0)).ok();
    let (first, last) = (day(&wish.from)?, day(&wish.to)?);
    if first > last {
        return None;
    }
    Some((midnight(first)?, midnight(last.checked_add(1.day()).ok()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(from: &str, to: &str) -> Wish {
        Wish { from: from.into(), to: to.into(), language: Language::De }
    }

    #[test]
    fn a_period_holds_its_last_day() {
        let zone = TimeZone::get("Europe/Zurich").unwrap_or(TimeZone::UTC);
        let (from, to) = period(&wish("2026-10-25", "2026-10-25"), &zone).unwrap();
        // The clocks go back on that Sunday: the day has 25 hours.
        let hours = to.duration_since(from).as_hours();
        assert_eq!(hours, if zone == TimeZone::UTC { 24 } else { 25 });
        assert!(period(&wish("2026-10-02", "2026-10-01"), &zone).is_none());
        assert!(period(&wish("gestern", "2026-10-01"), &zone).is_none());
    }

    #[test]
    fn quarters_begin_in_january_april_july_and_october() {
        for (day, start) in
            [("2026-11-30", "2026-10-01"), ("2026-03-31", "2026-01-01"), ("2026-04-01", "2026-04-01")]
        {
            assert_eq!(quarter_start(day.parse().unwrap()).to_string(), start);
        }
    }
}
