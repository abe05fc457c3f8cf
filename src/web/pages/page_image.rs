use std::{path::PathBuf, time::Duration};

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use ingest::Kind;
use serde::Deserialize;

use super::document::record_access;
use crate::{
    audit::AccessKind,
    catalog::DocumentRow,
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
    if row.kind != Kind::Pdf || n == 0 || n > row.pages {
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
    let path = cached(web, &document.row, n);
    if let Some(png) = read(&path).await? {
        return Ok(png);
    }
    let turn = tokio::time::timeout(TURN, web.drawing.acquire()).await;
    let _turn = turn.map_err(|_| WebError::Busy)?.map_err(WebError::internal)?;
    if let Some(png) = read(&path).await? {
        return Ok(png); // somebody else drew it while this one waited
    }
    let bytes = originals::bytes(web, &document.reader.scope, &document.row).await?;
    let png = web.app.worker.page_png(&bytes, n, SCALE).await.map_err(WebError::internal)?;
    let copy = png.clone();
    // The image is shown even where it cannot be kept.
    let kept = tokio::task::spawn_blocking(move || keep(&path, &copy)).await;
    if let Ok(Err(error)) = kept {
        tracing::warn!(cause = %error, "a page image cannot be kept");
    }
    Ok(png)
}

/// `DATA/cache/pages/VERSION/N.png`; a version is a hash and a number, so no name can leave the folder.
fn cached(web: &Web, row: &DocumentRow, n: u32) -> PathBuf {
    let version: String = row.version.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    web.app.config.data.join("cache/pages").join(version).join(format!("{n}.png"))
}

async fn read(path: &std::path::Path) -> Result<Option<Vec<u8>>, WebError> {
    match tokio::fs::read(path).await {
        Ok(png) => Ok(Some(png)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(WebError::internal(error)),
    }
}

/// Whole or not at all: written beside and renamed. Derived data, so it need not survive a power cut.
fn keep(path: &std::path::Path, png: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(png)?;
    file.persist(path)?;
    Ok(())
}
