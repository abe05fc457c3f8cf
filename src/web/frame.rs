use axum::{extract::FromRequestParts, http::request::Parts};
use ingest::Language;

use super::{
    assets,
    context::Context,
    error::WebError,
    i18n::{self, Duties, Texts},
    state::Web,
};

/// What the frame around every page shows.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) language: Language,
    pub(super) t: &'static Texts,
    /// Texts of the pages on duties.
    pub(super) d: &'static Duties,
    pub(super) nonce: String,
    pub(super) form_token: String,
    pub(super) user: Option<String>,
    pub(super) may_report: bool,
    pub(super) may_see_usage: bool,
    pub(super) may_see_log: bool,
    pub(super) is_administrator: bool,
    /// Where the language switch leads back to.
    pub(super) here: String,
    pub(super) device: String,
    pub(super) version: &'static str,
}

impl Frame {
    /// The frame of a request.
    pub(super) fn of(web: &Web, context: &Context) -> Self {
        let session = context.session.as_deref();
        Frame {
            language: context.language,
            t: i18n::texts(context.language),
            d: i18n::duties(context.language),
            nonce: context.nonce.clone(),
            form_token: context.form_token.clone(),
            user: session.map(|s| s.user.name.clone()),
            may_report: session.is_some_and(|s| s.may_report()),
            may_see_usage: session.is_some_and(|s| s.may_see_usage()),
            may_see_log: session.is_some_and(|s| s.may_see_log()),
            is_administrator: session.is_some_and(|s| s.is_administrator()),
            here: context.here.clone(),
            device: web.app.engine.device.name.clone(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Most characters of a query or a question, for the fields of forms.
    pub(super) fn longest_question(&self) -> usize {
        crate::answer::MAX_QUESTION_CHARS
    }

    pub(super) fn css(&self) -> &'static str {
        &assets::CSS.path
    }

    pub(super) fn js(&self) -> &'static str {
        &assets::JS.path
    }

    pub(super) fn icon(&self) -> &'static str {
        &assets::ICON.path
    }

    /// Code, native name and whether it is the page's, of every language.
    pub(super) fn languages(&self) -> Vec<(&'static str, &'static str, bool)> {
        Language::ALL.into_iter().map(|l| (l.as_str(), i18n::native_name(l), l == self.language)).collect()
    }

    /// `page` where the reader is in this part of the navigation.
    pub(super) fn current(&self, path: &str) -> Option<&'static str> {
        let here = self.here.split('?').next().unwrap_or_default();
        (here == path).then_some("page")
    }
}

impl FromRequestParts<Web> for Frame {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, WebError> {
        let context = Context::from_request_parts(parts, web).await?;
        Ok(Frame::of(web, &context))
    }
}
