use std::convert::Infallible;

use askama::Template;
use axum::{
    Form,
    body::{Body, Bytes},
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use futures::stream;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    Answering, Asked, ask,
    view::{self, AnswerView, PassageView},
};
use crate::{
    answer::AnswerEvent,
    web::{
        error::{Failure, WebError},
        extract::Reader,
        frame::Frame,
        pages::projects,
        state::Web,
    },
};

#[derive(Template)]
#[template(path = "parts/passages.html")]
struct Passages {
    passages: Vec<PassageView>,
}

#[derive(Template)]
#[template(path = "parts/answer.html")]
struct Part<'a> {
    f: &'a Frame,
    a: AnswerView,
}

/// `POST /ask/stream`: one JSON object per line. First the passages that were found, then the text as
/// the model writes it (a draft), then the checked answer that replaces both, or that it failed.
pub(in crate::web) async fn stream(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Form(asked): Form<Asked>,
) -> Result<Response, WebError> {
    super::may_ask(&web, &reader)?;
    let visible = projects::visible(&web, &reader.scope).await?;
    let question = asked.question(&f, &visible)?;
    let text = question.text.clone();
    let (answering, events) = ask(&web, &reader, question);
    let state = Growing { web, reader, f, question: text, events, answering: Some(answering) };
    let lines = stream::unfold(state, |mut growing| async move {
        let line = growing.next().await?;
        Some((Ok::<_, Infallible>(line), growing))
    });
    // What makes the answer is known at its end only: the last line's `ai_generated` says it.
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CACHE_CONTROL, "private, no-store"),
        (super::AI_GENERATED, "stream"),
    ];
    Ok((headers, Body::from_stream(lines)).into_response())
}

struct Growing {
    web: Web,
    reader: Reader,
    f: Frame,
    question: String,
    events: mpsc::Receiver<AnswerEvent>,
    /// `None` once its end was sent.
    answering: Option<Answering>,
}

impl Growing {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let event = self.events.recv().await;
            let object = match event {
                Some(AnswerEvent::Passages(passages)) => match self.passages(&passages).await {
                    Ok(html) => json!({"passages": html}),
                    Err(error) => self.failed(&error),
                },
                Some(AnswerEvent::Text(text)) => {
                    json!({"text": text, "ai_generated": "model", "notice": self.f.t.language_model_streaming})
                }
                Some(AnswerEvent::Done(_)) => continue, // the task's result is the same answer
                None => self.end(self.answering.is_some()).await?,
            };
            return Some(line(&object));
        }
    }

    async fn passages(&self, passages: &[crate::answer::Passage]) -> Result<String, WebError> {
        let passages = view::passages(&self.web, &self.reader, &self.f, &self.question, passages).await?;
        Ok(Passages { passages }.render()?)
    }

    async fn end(&mut self, first_time: bool) -> Option<Value> {
        let answering = self.answering.take().filter(|_| first_time)?;
        let result = async {
            let answer = answering.await.map_err(WebError::internal)??;
            self.web.recent.keep(self.reader.user.id, &self.question, &answer);
            let a = AnswerView::of(&self.web, &self.reader, &self.f, &self.question, &answer).await?;
            let asked = answer.standing.clone().unwrap_or_else(|| self.question.clone());
            let marking = a.marking;
            Ok::<_, WebError>((Part { f: &self.f, a }.render()?, asked, marking))
        };
        Some(match result.await {
            Ok((html, asked, marking)) => json!({"done": html, "asked": asked, "ai_generated": marking}),
            Err(error) => self.failed(&error),
        })
    }

    fn failed(&self, error: &WebError) -> Value {
        let failure = Failure::from(error);
        tracing::error!(code = failure.code(), cause = %error, "a question failed");
        let text = match failure {
            Failure::NoLog | Failure::Busy => failure.texts(self.f.t).1,
            _ => self.f.t.ask_failed,
        };
        json!({"failed": text})
    }
}

fn line(object: &Value) -> Bytes {
    let mut text = object.to_string();
    text.push('\n');
    Bytes::from(text)
}
