use askama::Template;
use axum::{
    Json,
    http::{HeaderMap, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde_json::json;

use crate::web::{context::Context, error::Failure, frame::Frame, links, state::Web};

#[derive(Template)]
#[template(path = "pages/failure.html")]
pub(in crate::web) struct FailurePage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) status: u16,
    pub(in crate::web) heading: &'static str,
    pub(in crate::web) text: &'static str,
    pub(in crate::web) request: String,
}

/// The response to a failure: the sign-in page where that helps, a page for readers, JSON for programs.
/// `back` is where the sign-in leads to.
pub(in crate::web) fn respond(
    web: &Web,
    context: &Context,
    failure: Failure,
    back: &str,
    from: &HeaderMap,
) -> Response {
    let frame = Frame::of(web, context);
    let (heading, text) = failure.texts(frame.t);
    let mut response = if !context.wants_page {
        (failure.status(), Json(json!({"error": failure.code(), "message": text, "request": context.id})))
            .into_response()
    } else if failure == Failure::SignedOut {
        Redirect::to(&links::address("/login", &[("back", back)])).into_response()
    } else {
        let page = FailurePage {
            f: frame,
            status: failure.status().as_u16(),
            heading,
            text,
            request: context.id.clone(),
        };
        match page.render() {
            Ok(html) => (failure.status(), Html(html)).into_response(),
            Err(error) => {
                tracing::error!(cause = %error, "the error page cannot be rendered");
                (failure.status(), text).into_response()
            }
        }
    };
    for name in [header::RETRY_AFTER, header::ALLOW] {
        if let Some(value) = from.get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}
