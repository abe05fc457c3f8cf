//! The three cookies: the session, the secret behind forms of people who are not signed in, and the
//! chosen language.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};

/// The session's token.
pub(super) const SESSION: &str = "dossier_session";
/// The secret behind forms before sign-in.
pub(super) const FORM: &str = "dossier_form";
/// The chosen language.
pub(super) const LANGUAGE: &str = "dossier_language";

/// The value of the first cookie of this name.
pub(super) fn get<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(n, v)| (n == name).then_some(v))
}

/// A `Set-Cookie` value. Scripts never see it, other sites never send it with a form or an image.
/// `value` holds letters, digits, `-` and `_` only.
pub(super) fn set(name: &str, value: &str, lasts: Option<Duration>, secure: bool) -> Option<HeaderValue> {
    let mut cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax");
    if let Some(lasts) = lasts {
        cookie.push_str(&format!("; Max-Age={}", lasts.as_secs()));
    }
    if secure {
        cookie.push_str("; Secure");
    }
    HeaderValue::from_str(&cookie).ok()
}

/// A `Set-Cookie` value that removes a cookie.
pub(super) fn remove(name: &str, secure: bool) -> Option<HeaderValue> {
    set(name, "", Some(Duration::ZERO), secure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; dossier_session=abc ; b"));
        headers.append(header::COOKIE, HeaderValue::from_static("dossier_language=fr"));
        assert_eq!(get(&headers, SESSION), Some("abc"));
        assert_eq!(get(&headers, LANGUAGE), Some("fr"));
        assert_eq!(get(&headers, FORM), None);
    }

    #[test]
    fn cookies_are_closed_to_scripts_and_other_sites() {
        let plain = set(SESSION, "x", None, false).unwrap();
        assert_eq!(plain, "dossier_session=x; Path=/; HttpOnly; SameSite=Lax");
        let tls = set(SESSION, "x", Some(Duration::from_secs(60)), true).unwrap();
        assert!(tls.to_str().unwrap().ends_with("Max-Age=60; Secure"));
        assert!(remove(SESSION, false).unwrap().to_str().unwrap().contains("=; "));
    }
}
