use std::{
    net::{IpAddr, SocketAddr},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Instant,
};

use axum::{
    extract::{ConnectInfo, MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use futures::FutureExt;
use ingest::Language;
use tracing::Instrument;

use super::{
    access::Asked,
    cookies,
    error::{Failure, OwnPage, WebError},
    i18n, pages,
    router::page_of,
    security,
    state::Web,
};
use crate::auth::{Session, Token, form_token};

/// What is known about a request before its handler runs.
#[derive(Clone)]
pub(super) struct Context {
    /// Names the request in the log and on error pages.
    pub(super) id: String,
    /// Allows this response's own scripts and styles.
    pub(super) nonce: String,
    pub(super) language: Language,
    pub(super) session: Option<Arc<Session>>,
    /// What forms of the page carry.
    pub(super) form_token: String,
    pub(super) peer: Option<IpAddr>,
    /// Where the language switch and the sign-in lead back to.
    pub(super) here: String,
    /// True where a page is wanted rather than data.
    pub(super) wants_page: bool,
    /// Secret behind forms before sign-in, where this response must set it.
    new_form_secret: Option<Token>,
}

/// Outermost layer: context, panics, error pages, headers, one log line per request.
pub(super) async fn layer(State(web): State<Web>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = hex::encode(rand::random::<[u8; 8]>());
    let span = tracing::info_span!("request", id = %id);
    async move {
        let (mut parts, body) = request.into_parts();
        let method = parts.method.clone();
        let route = parts.extensions.get::<MatchedPath>().map(|p| p.as_str().to_owned());
        let (context, failed) = context(&web, &parts, id).await;
        let response = match failed {
            Some(error) => error.into_response(),
            None => {
                parts.extensions.insert(context.clone());
                let work = AssertUnwindSafe(next.run(Request::from_parts(parts, body))).catch_unwind();
                work.await
                    .unwrap_or_else(|_| WebError::Internal("the handler panicked".into()).into_response())
            }
        };
        let response = finish(&web, &context, response);
        tracing::info!(
            method = %method,
            route = route.as_deref().unwrap_or("none"),
            status = response.status().as_u16(),
            duration_ms = started.elapsed().as_millis() as u64,
            "request served"
        );
        response
    }
    .instrument(span)
    .await
}

/// The context of a request; with an error where the session cannot be looked up.
async fn context(web: &Web, request: &Parts, id: String) -> (Context, Option<WebError>) {
    let headers = &request.headers;
    let mut context = Context {
        id,
        nonce: STANDARD_NO_PAD.encode(rand::random::<[u8; 16]>()),
        language: language(web, headers, None),
        session: None,
        form_token: String::new(),
        peer: request.extensions.get::<ConnectInfo<SocketAddr>>().map(|c| c.0.ip()),
        here: here(request),
        wants_page: wants_page(headers),
        new_form_secret: None,
    };
    if let Some(token) = cookies::get(headers, cookies::SESSION).and_then(Token::parse) {
        match web.blocking(move |app| app.users.session(&token)).await {
            Ok(session) => context.session = session.map(Arc::new),
            Err(error) => return (context, Some(error)),
        }
    }
    match &context.session {
        Some(session) => {
            context.form_token.clone_from(&session.form_token);
            context.language = language(web, headers, session.user.language);
        }
        None => {
            let known = cookies::get(headers, cookies::FORM).and_then(Token::parse);
            let secret = known.unwrap_or_else(|| {
                let new = Token::random();
                context.new_form_secret = Some(new.clone());
                new
            });
            context.form_token = form_token(&secret);
        }
    }
    (context, None)
}

/// The cookie, then the account's setting, then what the browser accepts, then the configuration.
fn language(web: &Web, headers: &HeaderMap, of_user: Option<Language>) -> Language {
    cookies::get(headers, cookies::LANGUAGE)
        .and_then(Language::parse)
        .or(of_user)
        .or_else(|| headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok().and_then(i18n::accepted))
        .or_else(|| Language::parse(&web.app.config.server.language))
        .unwrap_or(Language::De)
}

/// Path and query of a page; after a form, its path.
fn here(request: &Parts) -> String {
    let uri = &request.uri;
    match (&request.method, uri.path_and_query()) {
        (&Method::GET, Some(whole)) => whole.as_str().to_owned(),
        _ => page_of(uri.path()).to_owned(),
    }
}

fn wants_page(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    match text("sec-fetch-dest") {
        Some(destination) => destination == "document",
        None => text("accept").is_some_and(|accept| accept.contains("text/html")),
    }
}

/// Turns failures into pages and sets the headers that every response carries.
fn finish(web: &Web, context: &Context, response: Response) -> Response {
    let asked = response.extensions().get::<Asked>().cloned();
    let failure = response.extensions().get::<Failure>().copied().or_else(|| by_status(&response));
    let mut response = match failure {
        Some(failure) => {
            let back = asked.map_or_else(|| context.here.clone(), |asked| asked.0);
            pages::failure::respond(web, context, failure, &back, response.headers())
        }
        None => response,
    };
    let headers = response.headers_mut();
    security::apply(headers, &context.nonce);
    if let Ok(id) = HeaderValue::from_str(&context.id) {
        headers.insert("x-request-id", id);
    }
    if let Some(secret) = &context.new_form_secret
        && context.wants_page
        && let Some(cookie) = cookies::set(cookies::FORM, secret.as_str(), None, web.options.secure_cookies)
    {
        headers.append(header::SET_COOKIE, cookie);
    }
    response
}

/// Refusals of the framework itself (no such route, wrong method, malformed form) are bare texts.
fn by_status(response: &Response) -> Option<Failure> {
    if response.extensions().get::<OwnPage>().is_some() {
        return None;
    }
    match response.status() {
        StatusCode::NOT_FOUND => Some(Failure::NotFound),
        StatusCode::METHOD_NOT_ALLOWED => Some(Failure::Method),
        StatusCode::PAYLOAD_TOO_LARGE => Some(Failure::TooLarge),
        status if status.is_client_error() => Some(Failure::Bad),
        status if status.is_server_error() => Some(Failure::Internal),
        _ => None,
    }
}
