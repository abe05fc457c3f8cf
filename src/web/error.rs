use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::i18n::Texts;
use crate::{
    answer::AnswerError,
    app::AppError,
    audit::{AuditError, CustodyError},
    auth::AuthError,
    catalog::CatalogError,
};

/// Everything that can go wrong in a handler. Its cause is logged and never shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum WebError {
    #[error("no such page, or not for this reader")]
    NotFound,
    #[error("the role does not allow it")]
    Forbidden,
    #[error("nobody is signed in")]
    SignedOut,
    #[error("the form does not belong to the session")]
    StaleForm,
    #[error("the request is malformed: {0}")]
    Bad(&'static str),
    #[error("the form is too large")]
    TooLarge,
    #[error("the method is not allowed")]
    Method,
    #[error("too many attempts")]
    Throttled { seconds: u64 },
    #[error("the log cannot be written: {0}")]
    NoLog(#[from] AuditError),
    #[error("the file is not what was read")]
    Changed,
    #[error("the handler took too long")]
    Timeout,
    #[error("busy")]
    Busy,
    #[error("{0}")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl WebError {
    /// A failure that the reader can do nothing about.
    pub(super) fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        WebError::Internal(Box::new(cause))
    }
}

impl From<CatalogError> for WebError {
    fn from(error: CatalogError) -> Self {
        WebError::internal(error)
    }
}

impl From<AppError> for WebError {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Audit(error) => WebError::NoLog(error),
            other => WebError::internal(other),
        }
    }
}

impl From<CustodyError> for WebError {
    fn from(error: CustodyError) -> Self {
        match error {
            CustodyError::Audit(error) => WebError::NoLog(error),
            CustodyError::NoAccess => WebError::NotFound,
            _ => WebError::Forbidden,
        }
    }
}

impl From<AuthError> for WebError {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::Audit(error) => WebError::NoLog(error),
            AuthError::Throttled { seconds } => WebError::Throttled { seconds },
            other => WebError::internal(other),
        }
    }
}

impl From<AnswerError> for WebError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Audit(error) => WebError::NoLog(error),
            AnswerError::Length { .. } => WebError::TooLarge,
            other => WebError::internal(other),
        }
    }
}

impl From<askama::Error> for WebError {
    fn from(error: askama::Error) -> Self {
        WebError::internal(error)
    }
}

/// Marks a refusal that brings its own page, so that the general one does not replace it.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnPage;

/// What a reader is told; travels on the response until the error page is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    NotFound,
    Forbidden,
    SignedOut,
    StaleForm,
    Bad,
    TooLarge,
    Method,
    Throttled,
    NoLog,
    Changed,
    Timeout,
    Busy,
    Internal,
}

impl Failure {
    /// The status of the response.
    pub(super) fn status(self) -> StatusCode {
        match self {
            Failure::NotFound => StatusCode::NOT_FOUND,
            Failure::Forbidden | Failure::StaleForm => StatusCode::FORBIDDEN,
            Failure::SignedOut => StatusCode::UNAUTHORIZED,
            Failure::Bad => StatusCode::BAD_REQUEST,
            Failure::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Failure::Method => StatusCode::METHOD_NOT_ALLOWED,
            Failure::Throttled => StatusCode::TOO_MANY_REQUESTS,
            Failure::NoLog | Failure::Timeout | Failure::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Failure::Changed => StatusCode::CONFLICT,
            Failure::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Heading and sentence in the reader's language.
    pub(super) fn texts(self, t: &Texts) -> (&'static str, &'static str) {
        match self {
            Failure::NotFound => (t.error_not_found, t.error_not_found_text),
            Failure::Forbidden => (t.error_forbidden, t.error_forbidden_text),
            Failure::SignedOut => (t.error_signed_out, t.error_signed_out_text),
            Failure::StaleForm => (t.error_form, t.error_form_text),
            Failure::Bad => (t.error_bad, t.error_bad_text),
            Failure::TooLarge => (t.error_too_large, t.error_too_large_text),
            Failure::Method => (t.error_method, t.error_method_text),
            Failure::Throttled => (t.error_throttled, t.error_throttled_text),
            Failure::NoLog => (t.error_log, t.error_log_text),
            Failure::Changed => (t.error_changed, t.error_changed_text),
            Failure::Timeout => (t.error_timeout, t.error_timeout_text),
            Failure::Busy => (t.error_busy, t.error_busy_text),
            Failure::Internal => (t.error_internal, t.error_internal_text),
        }
    }

    /// The word for programs.
    pub(super) fn code(self) -> &'static str {
        match self {
            Failure::NotFound => "not-found",
            Failure::Forbidden => "forbidden",
            Failure::SignedOut => "signed-out",
            Failure::StaleForm => "stale-form",
            Failure::Bad => "bad-request",
            Failure::TooLarge => "too-large",
            Failure::Method => "method-not-allowed",
            Failure::Throttled => "too-many-attempts",
            Failure::NoLog => "log-unavailable",
            Failure::Changed => "file-changed",
            Failure::Timeout => "timeout",
            Failure::Busy => "busy",
            Failure::Internal => "internal",
        }
    }
}

impl From<&WebError> for Failure {
    fn from(error: &WebError) -> Failure {
        match error {
            WebError::NotFound => Failure::NotFound,
            WebError::Forbidden => Failure::Forbidden,
            WebError::SignedOut => Failure::SignedOut,
            WebError::StaleForm => Failure::StaleForm,
            WebError::Bad(_) => Failure::Bad,
            WebError::TooLarge => Failure::TooLarge,
            WebError::Method => Failure::Method,
            WebError::Throttled { .. } => Failure::Throttled,
            WebError::NoLog(_) => Failure::NoLog,
            WebError::Changed => Failure::Changed,
            WebError::Timeout => Failure::Timeout,
            WebError::Busy => Failure::Busy,
            WebError::Internal(_) => Failure::Internal,
        }
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let failure = Failure::from(&self);
        if failure.status().is_server_error() {
            tracing::error!(code = failure.code(), cause = %self, "request failed");
        } else {
            tracing::debug!(code = failure.code(), cause = %self, "request refused");
        }
        let mut response = failure.status().into_response();
        response.extensions_mut().insert(failure);
        if let WebError::Throttled { seconds } = self
            && let Ok(value) = HeaderValue::from_str(&seconds.to_string())
        {
            response.headers_mut().insert(header::RETRY_AFTER, value);
        }
        response
    }
}
