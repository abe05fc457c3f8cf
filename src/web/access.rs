use std::time::Duration;

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{Form, FromRequest, Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, de::DeserializeOwned};
use subtle::ConstantTimeEq;

use super::{context::Context, error::WebError, links, router::page_of};
use crate::{answer::MAX_QUESTION_CHARS, auth::UserRole};

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody who reaches the address.
    Public,
    /// Everybody who is signed in.
    Reader,
    /// Those who see how much projects are used: project leads, auditors and administrators.
    Lead,
    /// Those who make reports: auditors and administrators.
    Auditor,
    /// Those who look into the log: auditors alone.
    LogReader,
    /// Auditors, and key custodians who decide what they may read.
    LogKeeper,
    /// Administrators.
    Administrator,
}

/// What stands between a request and its handler.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guard {
    pub(super) access: Access,
    /// Longest time until the response's head.
    pub(super) patience: Duration,
}

/// Most bytes of a form.
const MAX_FORM_BYTES: usize = 64 * 1024;

/// Refuses who may not use a route, forms that are not of this session, and what takes too long.
pub(super) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let Some(context) = request.extensions().get::<Context>().cloned() else {
        return WebError::Internal("a route outside the context layer".into()).into_response();
    };
    if let Err(refused) = allowed(guard.access, &context) {
        let asked = match refused {
            WebError::SignedOut => asked(request).await,
            _ => None,
        };
        let mut response = refused.into_response();
        if let Some(asked) = asked {
            response.extensions_mut().insert(asked);
        }
        return response;
    }
    let work = async {
        let request =
            if request.method().is_safe() { request } else { checked_form(request, &context).await? };
        Ok::<_, WebError>(next.run(request).await)
    };
    match tokio::time::timeout(guard.patience, work).await {
        Ok(Ok(response)) => response,
        Ok(Err(refused)) => refused.into_response(),
        Err(_) => WebError::Timeout.into_response(),
    }
}

/// Where to come back to after signing in, with a question that was asked too late in the form again.
/// Stands in the extensions of the refusal.
#[derive(Debug, Clone)]
pub(super) struct Asked(pub(super) String);

#[derive(Deserialize)]
struct LateQuestion {
    question: String,
    #[serde(default)]
    project: String,
}

/// The address of the form with the question that this request asks; none for other requests, and none for
/// forms of other sites.
async fn asked(request: Request) -> Option<Asked> {
    let to_ask = page_of(request.uri().path()) == "/ask";
    if request.method() != Method::POST || !to_ask || !same_origin(request.headers()) {
        return None;
    }
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, MAX_FORM_BYTES).await.ok()?;
    let content_type = parts.headers.get(header::CONTENT_TYPE).cloned();
    let form: LateQuestion = form_of(content_type, bytes).await?;
    let question: String = form.question.chars().take(MAX_QUESTION_CHARS).collect();
    Some(Asked(links::address("/ask", &[("q", &question), ("project", &form.project)])))
}

fn allowed(access: Access, context: &Context) -> Result<(), WebError> {
    let role = context.session.as_ref().map(|s| s.user.role);
    match (access, role) {
        (Access::Public, _) => Ok(()),
        (_, None) => Err(WebError::SignedOut),
        (Access::Reader, Some(_)) => Ok(()),
        (Access::Lead, Some(UserRole::Lead | UserRole::Auditor | UserRole::Administrator)) => Ok(()),
        (Access::Auditor, Some(UserRole::Auditor | UserRole::Administrator)) => Ok(()),
        (Access::LogReader, Some(UserRole::Auditor)) => Ok(()),
        (Access::LogKeeper, Some(UserRole::Auditor | UserRole::Custodian)) => Ok(()),
        (Access::Administrator, Some(UserRole::Administrator)) => Ok(()),
        _ => Err(WebError::Forbidden),
    }
}

#[derive(Deserialize)]
struct FormToken {
    form_token: String,
}

/// Lets a changing request through only if its page came from here (`Origin`, `Sec-Fetch-Site`) and
/// its form carries the token that is bound to the session.
async fn checked_form(request: Request, context: &Context) -> Result<Request, WebError> {
    if request.method() != Method::POST {
        return Err(WebError::Method);
    }
    if !same_origin(request.headers()) {
        return Err(WebError::StaleForm);
    }
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, MAX_FORM_BYTES).await.map_err(|_| WebError::TooLarge)?;
    let content_type = parts.headers.get(header::CONTENT_TYPE).cloned();
    let form: Option<FormToken> = form_of(content_type, bytes.clone()).await;
    let token = form.map(|form| form.form_token);
    let right = context.form_token.as_bytes();
    let matches = token.is_some_and(|t| bool::from(t.as_bytes().ct_eq(right)));
    if !matches {
        return Err(WebError::StaleForm);
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

async fn form_of<T: DeserializeOwned>(content_type: Option<header::HeaderValue>, bytes: Bytes) -> Option<T> {
    let mut copy = Request::new(Body::from(bytes));
    *copy.method_mut() = Method::POST;
    copy.headers_mut().insert(header::CONTENT_TYPE, content_type?);
    Form::<T>::from_request(copy, &()).await.ok().map(|Form(form)| form)
}

/// Browsers say where a request comes from; programs that say nothing still need the form's token.
fn same_origin(headers: &HeaderMap) -> bool {
    let text = |name: header::HeaderName| headers.get(name).and_then(|v| v.to_str().ok());
    let site = headers.get("sec-fetch-site").and_then(|v| v.to_str().ok());
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return false;
    }
    match (text(header::ORIGIN), text(header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, rest)| rest == host),
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).collect()
    }

    #[test]
    fn forms_of_other_sites_are_refused() {
        assert!(same_origin(&headers(&[("host", "box:7420")])));
        assert!(same_origin(&headers(&[("host", "box:7420"), ("origin", "http://box:7420")])));
        assert!(same_origin(&headers(&[("host", "box"), ("sec-fetch-site", "same-origin")])));
        assert!(!same_origin(&headers(&[("host", "box:7420"), ("origin", "http://box:80")])));
        assert!(!same_origin(&headers(&[("host", "box"), ("origin", "null")])));
        assert!(!same_origin(&headers(&[("origin", "http://box")])));
        assert!(!same_origin(&headers(&[("host", "box"), ("sec-fetch-site", "cross-site")])));
        assert!(!same_origin(&headers(&[("host", "box"), ("sec-fetch-site", "same-site")])));
    }
}
