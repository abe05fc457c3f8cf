//! What everybody who works with the appliance is told.

use askama::Template;
use axum::{extract::State, response::Html};

use crate::{
    app::AppError,
    audit::{Block, Form},
    web::{error::WebError, extract::Reader, frame::Frame, state::Web},
};

#[derive(Template)]
#[template(path = "pages/notice.html")]
pub(in crate::web) struct NoticePage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) texts: Vec<Vec<Block>>,
}

/// `GET /notice`: the notice for staff and that on the AI.
pub(in crate::web) async fn page(
    State(web): State<Web>,
    _: Reader,
    f: Frame,
) -> Result<Html<String>, WebError> {
    let language = f.language;
    let texts = web
        .blocking(move |app| {
            let text = |form| app.form_text(form, language);
            Ok::<_, AppError>(vec![text(Form::NoticeStaff)?, text(Form::NoticeAi)?])
        })
        .await?;
    Ok(Html(NoticePage { f, texts }.render()?))
}
