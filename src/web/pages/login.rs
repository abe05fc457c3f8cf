use askama::Template;
use axum::{
    Form,
    extract::{Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use crate::{
    auth::{AuthError, Token},
    web::{
        context::Context,
        cookies,
        error::{OwnPage, WebError},
        extract::Reader,
        frame::Frame,
        links,
        state::Web,
    },
};

#[derive(Template)]
#[template(path = "pages/login.html")]
pub(in crate::web) struct LoginPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) name: String,
    pub(in crate::web) back: String,
    pub(in crate::web) message: Option<String>,
}

#[derive(Deserialize)]
pub(in crate::web) struct Wish {
    #[serde(default)]
    back: String,
}

/// `GET /login`
pub(in crate::web) async fn page(
    context: Context,
    mut f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Response, WebError> {
    let back = links::back(&wish.back).to_owned();
    if context.session.is_some() {
        return Ok(Redirect::to(&back).into_response());
    }
    f.here = links::address("/login", &[("back", &back)]);
    Ok(Html(LoginPage { f, name: String::new(), back, message: None }.render()?).into_response())
}

#[derive(Deserialize)]
pub(in crate::web) struct Attempt {
    name: String,
    password: String,
    #[serde(default)]
    back: String,
}

/// `POST /login`
pub(in crate::web) async fn sign_in(
    State(web): State<Web>,
    context: Context,
    f: Frame,
    Form(attempt): Form<Attempt>,
) -> Result<Response, WebError> {
    let back = links::back(&attempt.back).to_owned();
    let (name, password, peer) = (attempt.name.clone(), attempt.password, context.peer);
    let result = web
        .blocking(move |app| match app.users.sign_in(&name, &password, peer) {
            Err(error @ (AuthError::Refused | AuthError::Throttled { .. })) => Ok(Err(error)),
            other => other.map(Ok),
        })
        .await?;
    let refused = match result {
        Ok(signed_in) => return Ok(welcome(&web, &signed_in.token, &back)),
        Err(refused) => refused,
    };
    let t = f.t;
    let (status, message, wait) = match refused {
        AuthError::Throttled { seconds } => {
            (StatusCode::TOO_MANY_REQUESTS, t.one(t.login_throttled, seconds), Some(seconds))
        }
        _ => (StatusCode::UNAUTHORIZED, t.login_failed.to_owned(), None),
    };
    let page = LoginPage { f, name: attempt.name, back, message: Some(message) };
    let mut response = (status, Html(page.render()?)).into_response();
    response.extensions_mut().insert(OwnPage);
    if let Some(value) = wait.and_then(|s| HeaderValue::from_str(&s.to_string()).ok()) {
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    Ok(response)
}

/// Sets the session's cookie. The secret of the forms before sign-in is of no more use.
fn welcome(web: &Web, token: &Token, back: &str) -> Response {
    let secure = web.options.secure_cookies;
    let lasts = web.app.users.limits().absolute;
    let mut response = Redirect::to(back).into_response();
    let cookies = [
        cookies::set(cookies::SESSION, token.as_str(), Some(lasts), secure),
        cookies::remove(cookies::FORM, secure),
    ];
    for cookie in cookies.into_iter().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// `POST /logout`
pub(in crate::web) async fn sign_out(
    State(web): State<Web>,
    reader: Reader,
    headers: axum::http::HeaderMap,
) -> Result<Response, WebError> {
    if let Some(token) = cookies::get(&headers, cookies::SESSION).and_then(Token::parse) {
        let session = reader.0.clone();
        web.blocking(move |app| app.users.sign_out(&token, &session)).await?;
    }
    let mut response = Redirect::to("/login").into_response();
    if let Some(cookie) = cookies::remove(cookies::SESSION, web.options.secure_cookies) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
