use std::time::Duration;

use axum::{
    Form,
    extract::State,
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use ingest::Language;
use serde::Deserialize;

use crate::web::{context::Context, cookies, error::WebError, links, state::Web};

/// How long a browser remembers the language.
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

#[derive(Deserialize)]
pub(in crate::web) struct Choice {
    language: Language,
    #[serde(default)]
    back: String,
}

/// `POST /language`: remembers the choice in the browser and, signed in, with the account.
pub(in crate::web) async fn choose(
    State(web): State<Web>,
    context: Context,
    Form(choice): Form<Choice>,
) -> Result<Response, WebError> {
    if let Some(session) = context.session {
        web.blocking(move |app| app.catalog.set_user_language(session.user.id, choice.language)).await?;
    }
    let mut response = Redirect::to(links::back(&choice.back)).into_response();
    let cookie =
        cookies::set(cookies::LANGUAGE, choice.language.as_str(), Some(YEAR), web.options.secure_cookies);
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
