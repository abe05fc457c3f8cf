//! What a reader does with an answer: judge it, take it along as a file.

use axum::{
    Form,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use super::view::place_words;
use crate::{
    answer::MAX_QUESTION_CHARS,
    app::AnswerExport,
    audit::{AnswerFormat, Event, Rating},
    web::{
        context::Context, error::WebError, extract::Reader, frame::Frame, pages::history::download,
        state::Web,
    },
};

/// Most characters of a correction or a name.
const MAX_CHARS: usize = MAX_QUESTION_CHARS;

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Judgement {
    answer: String,
    /// `right`, `wrong` or `sign`.
    judged: String,
    #[serde(default)]
    correction: String,
}

/// `POST /ask/feedback`: the reader marks an answer of his as right or wrong, or takes responsibility for it.
pub(in crate::web) async fn feedback(
    State(web): State<Web>,
    reader: Reader,
    context: Context,
    Form(given): Form<Judgement>,
) -> Result<Response, WebError> {
    let (rating, sign_off) = match given.judged.as_str() {
        "right" => (Rating::Positive, false),
        "wrong" => (Rating::Negative, false),
        "sign" => (Rating::Positive, true),
        _ => return Err(WebError::Bad("no such judgement")),
    };
    let correction: String = given.correction.trim().chars().take(MAX_CHARS).collect();
    let event = Event::Feedback {
        question: given.answer.clone(),
        rating,
        correction: Some(correction).filter(|text| !text.is_empty() && rating == Rating::Negative),
        sign_off,
        verifier: sign_off.then(|| reader.user.name.clone()),
    };
    let known = web.recent.find(reader.user.id, &given.answer).is_some();
    let actor = reader.actor();
    let recorded = web
        .blocking(move |app| {
            // Only whoever asked may judge: the log knows who that is.
            if !known && !app.audit.asked_by(&actor, &given.answer)? {
                return Ok(false);
            }
            app.audit.record(&actor, event).map(|_| true)
        })
        .await?;
    if !recorded {
        return Err(WebError::NotFound);
    }
    Ok(if context.wants_page {
        Redirect::to("/history").into_response()
    } else {
        StatusCode::NO_CONTENT.into_response()
    })
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Wish {
    answer: String,
    format: String,
    #[serde(default)]
    publication: String,
    #[serde(default)]
    reviewer: String,
}

/// `POST /ask/export`: an answer as a file, marked and signed.
pub(in crate::web) async fn export(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Form(wish): Form<Wish>,
) -> Result<Response, WebError> {
    let format = AnswerFormat::parse(&wish.format).ok_or(WebError::Bad("no such format"))?;
    let recent = web.recent.find(reader.user.id, &wish.answer).ok_or(WebError::NotFound)?;
    let places = place_words(&web, &reader, &f, &recent.answer).await?;
    let reviewer: String = wish.reviewer.trim().chars().take(200).collect();
    let export = AnswerExport {
        format,
        language: f.language,
        publication: !wish.publication.is_empty(),
        reviewed_by: Some(reviewer),
        places,
    };
    let actor = reader.actor();
    let short: String = recent.answer.id.chars().take(8).collect();
    let file =
        web.blocking(move |app| app.export_answer(&actor, &recent.question, &recent.answer, export)).await?;
    let name = format!("dossier-{short}.{}", format.extension());
    download(format.media_type(), &name, file.bytes)
}
