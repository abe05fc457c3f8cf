//! Style, script and icon, built into the program and named after their contents, so that a browser
//! may keep them for good.

use std::sync::LazyLock;

use axum::{
    extract::Path,
    http::header,
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::error::WebError;

/// An asset and the address under which it is served.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) path: String,
    content_type: &'static str,
    bytes: &'static [u8],
}

impl Asset {
    fn new(stem: &str, ending: &str, content_type: &'static str, bytes: &'static [u8]) -> Self {
        let hash = hex::encode(&Sha256::digest(bytes)[..8]);
        Asset { path: format!("/assets/{stem}-{hash}.{ending}"), content_type, bytes }
    }
}

pub(super) static CSS: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("dossier", "css", "text/css; charset=utf-8", include_bytes!("assets/dossier.css"))
});
pub(super) static JS: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("dossier", "js", "text/javascript; charset=utf-8", include_bytes!("assets/dossier.js"))
});
pub(super) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_bytes!("assets/icon.svg")));

/// Serves an asset by its full name.
pub(super) async fn serve(Path(name): Path<String>) -> Result<Response, WebError> {
    let wanted = format!("/assets/{name}");
    let asset =
        [&CSS, &JS, &ICON].into_iter().find(|asset| asset.path == wanted).ok_or(WebError::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, asset.content_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.bytes).into_response())
}
