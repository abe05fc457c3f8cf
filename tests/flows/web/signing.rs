//! Signing in and out, forms and their tokens, headers and languages.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_its_token_or_from_elsewhere_is_refused() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let token = anna.token.clone();
    let question = ("question", "Wie dick ist die Dämmung?");
    let bare = anna.post_with("/ask", &[question], None).await;
    assert_eq!(bare.status, StatusCode::FORBIDDEN);
    let other = house.signed_in("chefin").await.token;
    assert_ne!(token, other);
    let wrong = anna.post_with("/ask", &[question, ("form_token", &other)], None).await;
    assert_eq!(wrong.status, StatusCode::FORBIDDEN);
    let elsewhere =
        anna.post_with("/ask", &[question, ("form_token", &token)], Some("https://example.org")).await;
    assert_eq!(elsewhere.status, StatusCode::FORBIDDEN);
    assert_eq!(house.logged("question"), 0);
    let own =
        anna.post_with("/ask", &[question, ("form_token", &token)], Some("http://127.0.0.1:7420")).await;
    assert_eq!(own.status, StatusCode::OK);
    let endless = "x".repeat(70_000);
    let large = anna.post_with("/ask", &[("question", &endless), ("form_token", &token)], None).await;
    assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_and_out_and_guessing() {
    let house = House::with(&[]).await;
    let mut browser = house.browser();
    let page = browser.get("/document/1?page=2").await;
    assert_eq!(page.header(header::LOCATION), "/login?back=%2Fdocument%2F1%3Fpage%3D2");
    browser.get(page.header(header::LOCATION)).await;
    let wrong = browser.post("/login", &[("name", "anna"), ("password", "falsch geraten")]).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    assert!(
        wrong.text.contains("Name oder Passwort stimmt nicht.")
            && !browser.cookies.contains_key("dossier_session")
    );
    let fields = [("name", "Anna"), ("password", PASSWORD), ("back", "/document/1?page=2")];
    let right = browser.post("/login", &fields).await;
    assert_eq!(right.header(header::LOCATION), "/document/1?page=2");
    let cookie = right.headers.get_all(header::SET_COOKIE).iter().next().unwrap().to_str().unwrap();
    assert!(cookie.starts_with("dossier_session=") && cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
    let session = browser.cookies["dossier_session"].clone();
    let raw = fs::read(house.folder.path().join("data/catalog.sqlite")).unwrap();
    assert!(!raw.windows(session.len()).any(|w| w == session.as_bytes()), "the catalog holds a hash only");

    browser.get("/").await;
    let out = browser.post("/logout", &[]).await;
    assert_eq!(out.header(header::LOCATION), "/login");
    browser.cookies.insert("dossier_session".into(), session);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER, "the session itself has ended");

    browser.cookies.clear();
    browser.get("/login").await;
    let mut last = StatusCode::OK;
    for _ in 0..6 {
        let page = browser.post("/login", &[("name", "otto"), ("password", "geraten geraten")]).await;
        last = page.status;
        if last == StatusCode::TOO_MANY_REQUESTS {
            // Two seconds, of which some have passed on a slow machine.
            let wait: u64 = page.header(header::RETRY_AFTER).parse().unwrap();
            assert!((1..=2).contains(&wait), "{wait}");
        }
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!((house.logged("login"), house.logged("logout")), (1, 1));
    assert_eq!(house.logged("login_failed"), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_response_carries_the_security_headers() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let mut nonces = Vec::new();
    for path in ["/", "/ask", "/nowhere", "/health", "/document/999", "/login"] {
        let page = anna.get(path).await;
        let policy = page.header(header::CONTENT_SECURITY_POLICY).to_owned();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{path}: {policy}");
        let nonce = policy.split("script-src 'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        if page.text.contains("<script") {
            assert!(page.text.contains(&format!("nonce=\"{nonce}\" defer")), "{path}");
        }
        assert!(!nonces.contains(&nonce), "{path}: a nonce came twice");
        nonces.push(nonce);
        assert_eq!(page.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
        assert_eq!(page.header(header::REFERRER_POLICY), "same-origin", "{path}");
        assert!(page.header(header::CACHE_CONTROL).starts_with("private"), "{path}");
        assert_eq!(page.header("x-request-id").len(), 16, "{path}");
    }
    let start = anna.get("/").await.text;
    let css =
        start.split("<link rel=\"stylesheet\" href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let style = house.browser().get(&css).await;
    assert_eq!(
        (style.status, style.header(header::CONTENT_TYPE)),
        (StatusCode::OK, "text/css; charset=utf-8")
    );
    assert!(style.header(header::CACHE_CONTROL).contains("immutable"));
    assert!(!style.text.contains("http"), "the style reaches for nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_language_is_the_chosen_one_then_the_browsers() {
    let house = House::with(&[]).await;
    let mut browser = house.browser();
    browser.language = "fr-CH, de;q=0.5";
    assert!(browser.get("/login").await.text.contains("<html lang=\"fr\">"));
    let chosen = browser.post("/language", &[("language", "it"), ("back", "//example.org")]).await;
    assert_eq!(chosen.header(header::LOCATION), "/", "the way back never leads away");
    assert!(browser.get("/login").await.text.contains("<html lang=\"it\">"));

    let mut anna = house.signed_in("anna").await;
    anna.post("/language", &[("language", "en"), ("back", "/ask")]).await;
    let mut elsewhere = house.signed_in("anna").await;
    elsewhere.cookies.remove("dossier_language");
    assert!(elsewhere.get("/").await.text.contains("<html lang=\"en\">"), "the account remembers it");
}

/// Whatever was posted after the session's end: signing in leads to a page, with the question kept.
#[tokio::test(flavor = "multi_thread")]
async fn signing_in_after_a_late_form_leads_to_a_page() {
    let house = House::with(&[]).await;
    let question = "Ist die Aussenwand Wolknar & Co gedämmt?";
    for (path, access) in routes() {
        if access == Access::Public {
            continue;
        }
        let mut browser = house.signed_in("chefin").await;
        browser.cookies.clear();
        let path = filled(path, house.document("notiz.txt").id.0);
        let refused = browser.post(&path, &[("question", question), ("project", "1")]).await;
        assert_eq!(refused.status, StatusCode::SEE_OTHER, "{path}");
        let sign_in = refused.header(header::LOCATION).to_owned();
        assert!(sign_in.starts_with("/login?back="), "{sign_in}");
        let form = browser.get(&sign_in).await;
        let back = form.text.split("name=\"back\" value=\"").nth(1).unwrap().split('"').next().unwrap();
        let back = back.replace("&#38;", "&").replace("&amp;", "&");
        let fields = [("name", "chefin"), ("password", PASSWORD), ("back", &back)];
        let welcome = browser.post("/login", &fields).await;
        let page = browser.get(welcome.header(header::LOCATION)).await;
        assert_ne!(page.status, StatusCode::METHOD_NOT_ALLOWED, "{path} → {back}");
        if path.starts_with("/ask") {
            assert_eq!(page.status, StatusCode::OK, "{path} → {back}");
            assert!(
                page.text.contains("Ist die Aussenwand Wolknar &#38; Co gedämmt?</textarea>"),
                "{}",
                page.text
            );
        }
    }
    // A form of another site puts no words into the field.
    let mut browser = house.browser();
    let foreign = browser.post_with("/ask", &[("question", question)], Some("https://example.org")).await;
    assert_eq!(foreign.header(header::LOCATION), "/login?back=%2Fask");
}
