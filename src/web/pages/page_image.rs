use std::time::Duration;

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::document::{has_pages, record_access};
use crate::{
    audit::AccessKind,
    web::{error::WebError, extract::OpenDocument, originals, state::Web},
};

/// Pixels per point: sharp on a screen where a page is some 800 pixels wide, also at double density.
const SCALE: f32 = 2.0;
/// How long a page waits for its turn to be drawn.
const TURN: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
pub(in crate::web) struct PageNumber {
    n: u32,
}

/// `GET /document/{id}/page/{n}`: the page as PNG, drawn by the worker and kept by version. Rights are
/// checked and the access is recorded each time, also where the browser has the image already.
pub(in crate::web) async fn image(
    State(web): State<Web>,
    document: OpenDocument,
    Path(PageNumber { n }): Path<PageNumber>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let row = &document.row;
    if !has_pages(row.kind) || n == 0 || n > row.pages {
        return Err(WebError::NotFound);
    }
    record_access(&web, &document, Some(n), AccessKind::PageImage).await?;
    let tag = format!("\"{}-{n}\"", row.version);
    let tag = HeaderValue::from_str(&tag).map_err(WebError::internal)?;
    // The browser asks again each time, so that a lost right works at once.
    let cache = HeaderValue::from_static("private, no-cache");
    let known = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, cache)];
    if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        return Ok((StatusCode::NOT_MODIFIED, known).into_response());
    }
    let png = drawn(&web, &document, n).await?;
    Ok((known, [(header::CONTENT_TYPE, "image/png")], png).into_response())
}

async fn drawn(web: &Web, document: &OpenDocument, n: u32) -> Result<Vec<u8>, WebError> {
    let version = &document.row.version;
    if let Some(png) = kept(web, version, n).await? {
        return Ok(png);
    }
    let turn = tokio::time::timeout(TURN, web.drawing.acquire()).await;
    let _turn = turn.map_err(|_| WebError::Busy)?.map_err(WebError::internal)?;
    if let Some(png) = kept(web, version, n).await? {
        return Ok(png); // somebody else drew it while this one waited
    }
    let bytes = originals::bytes(web, &document.reader.scope, &document.row).await?;
    let png = web.app.worker.page_png(&bytes, n, SCALE).await.map_err(WebError::internal)?;
    let (cache, copy, version) = (web.pages.clone(), png.clone(), version.clone());
    // The image is shown even where it cannot be kept.
    let kept = tokio::task::spawn_blocking(move || cache.keep(&version, n, &copy)).await;
    if let Ok(Err(error)) = kept {
        tracing::warn!(cause = %error, "a page image cannot be kept");
    }
    Ok(png)
}

async fn kept(web: &Web, version: &str, n: u32) -> Result<Option<Vec<u8>>, WebError> {
    let (cache, version) = (web.pages.clone(), version.to_owned());
    let read = tokio::task::spawn_blocking(move || cache.read(&version, n)).await;
    read.map_err(WebError::internal)?.map_err(WebError::internal)
}
