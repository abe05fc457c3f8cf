//! Questions: the page, the whole answer for browsers without scripts, and the growing one.

mod after;
mod stream;
mod view;

use askama::Template;
use axum::{
    Form,
    extract::{Query, State},
    http::HeaderName,
    response::Html,
};
use serde::Deserialize;
use tokio::sync::mpsc;

pub(in crate::web) use after::{export, feedback};
pub(in crate::web) use stream::stream;
#[cfg(test)]
pub(in crate::web) use view::{AnswerPiece, Cite, PassageView, SourceView};
pub(in crate::web) use view::{AnswerView, RowView, rows};

use super::{
    instruction::is_acknowledged,
    projects::{self, ProjectChoice},
    search,
};
use crate::{
    answer::{Answer, AnswerError, AnswerEvent, MAX_QUESTION_CHARS, Question},
    catalog::Project,
    web::{error::WebError, extract::Reader, frame::Frame, state::Web},
};

/// Says what made the answer in a response: `model`, `extractive`, `query` or `none`.
const AI_GENERATED: HeaderName = HeaderName::from_static("ai-generated");

/// Events that may wait for a slow reader before the answer waits for them.
const WAITING_EVENTS: usize = 64;

#[derive(Template)]
#[template(path = "pages/ask.html")]
pub(in crate::web) struct AskPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) question: String,
    /// The question before, as it was read: what a follow-up turns to.
    pub(in crate::web) before: String,
    pub(in crate::web) projects: Vec<ProjectChoice>,
    pub(in crate::web) answer: Option<AnswerView>,
    pub(in crate::web) empty: Option<(&'static str, &'static str)>,
    /// Said where the reader has not acknowledged the instruction.
    pub(in crate::web) instruction: Option<&'static str>,
}

/// What a reader is told who has not acknowledged the instruction as it is.
fn instruction(web: &Web, reader: &Reader, f: &Frame) -> Option<&'static str> {
    let told = if web.app.config.answers.require_instruction {
        f.d.instruction_required
    } else {
        f.d.instruction_wanted
    };
    (!is_acknowledged(&web.app, reader)).then_some(told)
}

/// Refuses questions of whoever has not acknowledged the instruction, where the firm wants that.
fn may_ask(web: &Web, reader: &Reader) -> Result<(), WebError> {
    let refused = web.app.config.answers.require_instruction && !is_acknowledged(&web.app, reader);
    if refused { Err(WebError::Forbidden) } else { Ok(()) }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Wish {
    q: String,
    project: String,
}

/// `GET /ask`: the form, filled in where a search led here. Asks nothing by itself.
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Html<String>, WebError> {
    let visible = projects::visible(&web, &reader.scope).await?;
    let scope = reader.scope.clone();
    let counts = web.blocking(move |app| app.catalog.counts(&scope)).await?;
    let page = AskPage {
        question: wish.q.chars().take(MAX_QUESTION_CHARS).collect(),
        before: String::new(),
        projects: projects::choices(&visible, projects::chosen(&visible, &wish.project)),
        answer: None,
        empty: search::nothing_there(f.t, &reader, &counts),
        instruction: instruction(&web, &reader, &f),
        f,
    };
    Ok(Html(page.render()?))
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Asked {
    question: String,
    #[serde(default)]
    project: String,
    #[serde(default)]
    before: String,
}

impl Asked {
    fn question(&self, f: &Frame, visible: &[Project]) -> Result<Question, WebError> {
        let text = self.question.trim();
        if text.is_empty() {
            return Err(WebError::Bad("the question is empty"));
        }
        if text.chars().count() > MAX_QUESTION_CHARS {
            return Err(WebError::TooLarge);
        }
        let project = projects::chosen(visible, &self.project);
        let before = self.before.trim().chars().take(MAX_QUESTION_CHARS).collect::<String>();
        let before = Some(before).filter(|b| !b.is_empty());
        Ok(Question { text: text.to_owned(), project, language: Some(f.language), before })
    }
}

/// `POST /ask`: the whole answer at once.
pub(in crate::web) async fn answer(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Form(asked): Form<Asked>,
) -> Result<([(HeaderName, &'static str); 1], Html<String>), WebError> {
    may_ask(&web, &reader)?;
    let visible = projects::visible(&web, &reader.scope).await?;
    let question = asked.question(&f, &visible)?;
    let chosen = question.project;
    let text = question.text.clone();
    let (answering, mut events) = ask(&web, &reader, question);
    // Only the whole answer is shown, but somebody has to take the events or the answer stops.
    while events.recv().await.is_some() {}
    let answer = answering.await.map_err(WebError::internal)??;
    web.recent.keep(reader.user.id, &text, &answer);
    let view = AnswerView::of(&web, &reader, &f, &text, &answer).await?;
    // The same mark as in the page, for programs that do not read it.
    let mark = [(AI_GENERATED, view.marking)];
    let page = AskPage {
        before: answer.standing.clone().unwrap_or_else(|| text.clone()),
        question: text,
        projects: projects::choices(&visible, chosen),
        answer: Some(view),
        empty: None,
        instruction: instruction(&web, &reader, &f),
        f,
    };
    Ok((mark, Html(page.render()?)))
}

type Answering = tokio::task::JoinHandle<Result<Answer, AnswerError>>;

/// Starts answering in a task of its own: when the reader leaves, the events' receiver is dropped,
/// which stops the model, and the answer's end is still written to the log.
fn ask(web: &Web, reader: &Reader, question: Question) -> (Answering, mpsc::Receiver<AnswerEvent>) {
    let (events, receiver) = mpsc::channel(WAITING_EVENTS);
    let (app, actor, scope) = (web.app.clone(), reader.actor(), reader.scope.clone());
    let answering = tokio::spawn(async move { app.answerer.ask(&actor, &scope, &question, events).await });
    (answering, receiver)
}
