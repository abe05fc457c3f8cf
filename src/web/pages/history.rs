use askama::Template;
use axum::{
    Form,
    extract::State,
    http::{HeaderValue, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use crate::{
    audit::{Asked, CaseRow},
    web::{error::WebError, extract::Reader, format, frame::Frame, state::Web},
};

#[derive(Template)]
#[template(path = "pages/history.html")]
pub(in crate::web) struct HistoryPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) kept: String,
    pub(in crate::web) unreadable: Option<String>,
    pub(in crate::web) asked: Vec<AskedView>,
    /// True where a deletion was asked for and is not done.
    pub(in crate::web) is_asked: bool,
    pub(in crate::web) deletions: Vec<String>,
}

/// A question or a search.
#[derive(Debug, Default)]
pub(in crate::web) struct AskedView {
    pub(in crate::web) at: String,
    pub(in crate::web) what: &'static str,
    pub(in crate::web) text: String,
    pub(in crate::web) project: String,
    pub(in crate::web) answer: Option<String>,
    pub(in crate::web) judged: Vec<&'static str>,
    pub(in crate::web) correction: String,
}

/// `GET /history`: what the reader asked and was told.
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
) -> Result<Html<String>, WebError> {
    let session = reader.0.clone();
    let (history, deletions, days) = web
        .blocking(move |app| {
            let days = app.config.retention.content_days;
            Ok::<_, crate::app::AppError>((app.history(&session)?, app.deletions(&session)?, days))
        })
        .await?;
    let page = HistoryPage {
        kept: f.t.one(f.d.history_kept, days),
        unreadable: (history.unreadable > 0)
            .then(|| f.t.one(f.d.history_unreadable, format::whole(history.unreadable))),
        asked: history.asked.iter().map(|asked| view(&f, asked)).collect(),
        is_asked: deletions.iter().any(|case| case.closed.is_none()),
        deletions: deletions.iter().map(|case| deletion(&f, case)).collect(),
        f,
    };
    Ok(Html(page.render()?))
}

fn view(f: &Frame, asked: &Asked) -> AskedView {
    let rating = match asked.rating.as_deref() {
        Some("positive") => Some(f.d.history_right),
        Some(_) => Some(f.d.history_wrong),
        None => None,
    };
    let signed = asked.signed_off.then_some(f.d.history_signed);
    AskedView {
        at: format::date(&asked.at),
        what: if asked.id.is_empty() { f.d.history_search } else { f.d.history_question },
        text: asked.text.clone(),
        project: asked.project.clone().unwrap_or_default(),
        answer: asked.answer.clone(),
        judged: rating.into_iter().chain(signed).collect(),
        correction: asked.correction.clone().unwrap_or_default(),
    }
}

fn deletion(f: &Frame, case: &CaseRow) -> String {
    match (&case.result, case.due) {
        (Some(result), _) => f.t.two(f.d.history_delete_closed, &case.id, result),
        (None, due) => {
            let due = due.map(|day| format::date(&day.to_string())).unwrap_or_default();
            f.t.two(f.d.history_delete_open, &case.id, due)
        }
    }
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Wish {
    format: String,
}

/// `POST /history/export`: the same as a file.
pub(in crate::web) async fn export(
    State(web): State<Web>,
    reader: Reader,
    Form(wish): Form<Wish>,
) -> Result<Response, WebError> {
    let csv = match wish.format.as_str() {
        "csv" => true,
        "json" => false,
        _ => return Err(WebError::Bad("no such format")),
    };
    let session = reader.0.clone();
    let file = web.blocking(move |app| app.export_history(&session, csv)).await?;
    let (kind, name) = if csv { ("text/csv; charset=utf-8", "csv") } else { ("application/json", "json") };
    download(kind, &format!("dossier-history.{name}"), file.bytes)
}

/// A file to be saved.
pub(in crate::web) fn download(kind: &'static str, name: &str, bytes: Vec<u8>) -> Result<Response, WebError> {
    let disposition =
        HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).map_err(WebError::internal)?;
    let headers =
        [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, bytes).into_response())
}

/// `POST /history/delete`: asks for the history to be made unreadable.
pub(in crate::web) async fn delete(State(web): State<Web>, reader: Reader) -> Result<Redirect, WebError> {
    let session = reader.0.clone();
    web.blocking(move |app| app.ask_for_deletion(&session)).await?;
    Ok(Redirect::to("/history"))
}
