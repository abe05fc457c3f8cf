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

#[cfg(test)]
mod tests {
    /// `#rrggbb` of a name in the first or second block of colours (light, dark).
    fn colour(css: &str, dark: bool, name: &str) -> [f64; 3] {
        let from = if dark { css.find("prefers-color-scheme: dark").unwrap() } else { 0 };
        let start = css[from..].find(&format!("--{name}: #")).unwrap() + from + name.len() + 5;
        let channel = |i: usize| u8::from_str_radix(&css[start + 2 * i..start + 2 * i + 2], 16).unwrap();
        [channel(0), channel(1), channel(2)].map(|c| f64::from(c) / 255.0)
    }

    /// Contrast of two colours after WCAG 2.2.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        let luminance = |c: [f64; 3]| 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn the_contrast_formula_gives_the_standards_ends() {
        assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
        assert!((contrast([0.5; 3], [0.5; 3]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn every_pair_of_text_and_ground_meets_wcag_aa_in_both_schemes() {
        let css = include_str!("assets/dossier.css");
        let texts = [
            ("ink", ["paper", "card", "sunk"].as_slice()),
            ("soft", ["paper", "card", "sunk", "accent-soft"].as_slice()),
            ("accent", ["paper", "card", "accent-soft"].as_slice()),
            ("accent-ink", ["accent"].as_slice()),
            ("mark-ink", ["mark"].as_slice()),
            ("warn", ["paper", "card", "warn-soft"].as_slice()),
            ("good", ["paper", "card", "sunk"].as_slice()),
        ];
        for dark in [false, true] {
            for (text, grounds) in texts {
                for ground in grounds {
                    let ratio = contrast(colour(css, dark, text), colour(css, dark, ground));
                    assert!(ratio >= 4.5, "{text} on {ground}, dark {dark}: {ratio:.2}");
                }
            }
            // Borders of controls and the focus ring: 3 to 1.
            for (line, ground) in [("strong-line", "card"), ("strong-line", "paper"), ("accent", "card")] {
                let ratio = contrast(colour(css, dark, line), colour(css, dark, ground));
                assert!(ratio >= 3.0, "{line} on {ground}, dark {dark}: {ratio:.2}");
            }
        }
    }
}
