use axum::{
    extract::{Query, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::record_access;
use crate::{
    audit::AccessKind,
    web::{error::WebError, extract::OpenDocument, originals, state::Web},
};

/// Which view of which record.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct Wish {
    record: String,
    nth: usize,
    view: usize,
}

/// `GET /document/{id}/picture`: the picture of a view of the model, out of the archive by the worker.
pub(in crate::web) async fn picture(
    State(web): State<Web>,
    document: OpenDocument,
    Query(wish): Query<Wish>,
) -> Result<Response, WebError> {
    record_access(&web, &document, None, AccessKind::PageImage).await?;
    let (scope, id) = (document.reader.scope.clone(), document.row.id);
    let member = web
        .blocking(move |app| {
            let records = app.catalog.records_of(&scope, id, &wish.record)?;
            let view = records.get(wish.nth).and_then(|record| record.viewpoints.get(wish.view));
            view.map(|v| v.snapshot.clone()).filter(|s| !s.is_empty()).ok_or(WebError::NotFound)
        })
        .await?;
    let archive = originals::bytes(&web, &document.reader.scope, &document.row).await?;
    let picture = web.app.worker.picture(&archive, &member).await.map_err(WebError::internal)?;
    // The reader lets only these two through.
    let kind = if picture.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
    let cache = HeaderValue::from_static("private, no-cache");
    Ok(([(header::CACHE_CONTROL, cache)], [(header::CONTENT_TYPE, kind)], picture).into_response())
}
