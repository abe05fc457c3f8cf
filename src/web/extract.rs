use std::{ops::Deref, sync::Arc};

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use serde::Deserialize;

use super::{context::Context, error::WebError, state::Web};
use crate::{
    auth::Session,
    catalog::{DocumentId, DocumentRow},
};

/// Somebody who is signed in. A handler without it cannot name a scope and so reads nothing.
#[derive(Debug, Clone)]
pub(super) struct Reader(pub(super) Arc<Session>);

impl Deref for Reader {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl<S: Sync> FromRequestParts<S> for Reader {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, WebError> {
        let context = parts.extensions.get::<Context>();
        context.and_then(|c| c.session.clone()).map(Reader).ok_or(WebError::SignedOut)
    }
}

/// Request id, language and peer.
impl<S: Sync> FromRequestParts<S> for Context {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, WebError> {
        parts.extensions.get::<Context>().cloned().ok_or_else(|| WebError::Internal("no context".into()))
    }
}

/// The document that `{id}` in the path names, where the reader may see it. The one door to documents:
/// pages, page images and originals all come through here.
#[derive(Debug, Clone)]
pub(super) struct OpenDocument {
    pub(super) reader: Reader,
    pub(super) row: DocumentRow,
}

#[derive(Deserialize)]
struct DocumentPath {
    id: i64,
}

impl FromRequestParts<Web> for OpenDocument {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, WebError> {
        let reader = Reader::from_request_parts(parts, web).await?;
        let Path(path) =
            Path::<DocumentPath>::from_request_parts(parts, web).await.map_err(|_| WebError::NotFound)?;
        let scope = reader.scope.clone();
        let row = web
            .blocking(move |app| app.catalog.document(&scope, DocumentId(path.id)))
            .await?
            .ok_or(WebError::NotFound)?;
        Ok(OpenDocument { reader, row })
    }
}
