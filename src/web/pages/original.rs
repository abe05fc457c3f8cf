use axum::{
    body::Body,
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

use super::document::record_access;
use crate::{
    audit::AccessKind,
    web::{error::WebError, extract::OpenDocument, originals, state::Web},
};

/// `GET /document/{id}/original`: the file, if it is still the one that was read.
pub(in crate::web) async fn download(
    State(web): State<Web>,
    document: OpenDocument,
) -> Result<Response, WebError> {
    let (length, body) = originals::stream(&web, &document).await?;
    record_access(&web, &document, None, AccessKind::Download).await?;
    let path = &document.row.path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut response = Body::from_stream(body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    if let Ok(value) = HeaderValue::from_str(&disposition(name)) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// Saves under the file's own name and never opens in the browser. RFC 6266, with the name in both ways.
fn disposition(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._- ".contains(c) { c } else { '_' }).collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_the_header() {
        assert_eq!(
            disposition("Plan \"1\"\r\nX: y.pdf"),
            "attachment; filename=\"Plan _1___X_ y.pdf\"; filename*=UTF-8''Plan%20%221%22%0D%0AX%3A%20y.pdf"
        );
        assert!(disposition("Wärme.pdf").ends_with("filename*=UTF-8''W%C3%A4rme.pdf"));
    }
}
