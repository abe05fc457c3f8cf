//! The instruction on using the AI, which everybody acknowledges once for each version.

use askama::Template;
use axum::{
    extract::State,
    response::{Html, Redirect},
};

use crate::{
    app::{App, AppError},
    audit::{Block, Form},
    auth::Session,
    web::{error::WebError, extract::Reader, frame::Frame, state::Web},
};

#[derive(Template)]
#[template(path = "pages/instruction.html")]
pub(in crate::web) struct InstructionPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) blocks: Vec<Block>,
    /// Said where the reader has acknowledged this version.
    pub(in crate::web) done: Option<String>,
}

/// Whether the reader has acknowledged the instruction as it is.
pub(in crate::web) fn is_acknowledged(app: &App, session: &Session) -> bool {
    session.user.acknowledged.as_deref() == Some(app.instruction_version().as_str())
}

/// `GET /instruction`
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
) -> Result<Html<String>, WebError> {
    let language = f.language;
    let done = is_acknowledged(&web.app, &reader)
        .then(|| f.t.one(f.d.instruction_done, web.app.instruction_version()));
    let blocks = web.blocking(move |app| app.form_text(Form::Instruction, language)).await?;
    Ok(Html(InstructionPage { f, blocks, done }.render()?))
}

/// `POST /instruction`: the reader has read it.
pub(in crate::web) async fn acknowledge(
    State(web): State<Web>,
    reader: Reader,
) -> Result<Redirect, WebError> {
    let session = reader.0.clone();
    web.blocking(move |app| {
        if is_acknowledged(app, &session) {
            return Ok(());
        }
        let version = app.instruction_version();
        Ok::<_, AppError>(app.users.acknowledge(&session.actor(), &session.user, &version)?)
    })
    .await?;
    Ok(Redirect::to("/ask"))
}
