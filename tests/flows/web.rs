//! The pages as a browser sees them: who gets in, what each reader may see, and what every answer of
//! the server carries. The server runs inside the test, the readers of files in the real worker.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use dossier::app::App;
use dossier::audit::{Actor, ListFilter};
use dossier::catalog::{DocumentFilter, DocumentRow};
use dossier::config::{Config, Environment, Overrides};
use dossier::jobs::RunOptions;
use dossier::web::{Access, router, routes};
use ingest::Kind;
use sha2::{Digest, Sha256};
use tower::ServiceExt;

use crate::support::{DOSSIER, sample};

const PASSWORD: &str = "Lehm und Stroh 4";
const MODEL: &str = "modelle/RM-2417_ARC_HausA_Schulhaus_IFC4.ifc";
const TOPICS: &str = "rfi/RM-2417_Koordination_K.bcfzip";
const REGISTER: &str = "rfi/RM-2417_RFI-Register_Bau.csv";
const MINUTES: &str = "protokolle/RM-2417-BS05_Protokoll-Bausitzung-05.pdf";
const MAIL: &str = "mail/2026-07-03_Nachtrag-Wasserhaltung.eml";

/// An appliance with two projects: `anna` sees Rosenmatt, `otto` sees nothing, `chefin` runs it.
struct House {
    app: Arc<App>,
    router: Router,
    folder: tempfile::TempDir,
}

impl House {
    /// With these files of the sample in the open project and a note in the closed one.
    async fn with(files: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        fs::create_dir(&data).unwrap();
        for file in files {
            let target = folder.path().join("open").join(file);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(sample().join(file), target).unwrap();
        }
        fs::create_dir_all(folder.path().join("open")).unwrap();
        fs::create_dir(folder.path().join("closed")).unwrap();
        fs::write(folder.path().join("open/notiz.txt"), "Die Aussenwand Wolknar hat 22 cm Dämmung.").unwrap();
        fs::write(folder.path().join("closed/geheim.txt"), "Die Aussenwand Quaxmoor bleibt geheim.").unwrap();
        let source = |name: &str, project: &str| {
            format!(
                "[[source]]\nname = {name:?}\npath = {:?}\nproject = {project:?}\n",
                folder.path().join(name)
            )
        };
        let config = format!(
            "[ingest]\nworker_program = {DOSSIER:?}\n{}{}",
            source("open", "Rosenmatt"),
            source("closed", "Werkhof")
        );
        fs::write(data.join("dossier.toml"), config).unwrap();
        let overrides = Overrides { data: Some(data), config: None };
        let config = Config::load_with(&overrides, &Environment::default()).unwrap();
        let app = Arc::new(App::open(config).await.unwrap());
        let house = House { router: router(app.clone()), app, folder };
        house.people().await;
        house
    }

    async fn people(&self) {
        let boss = Actor::cli(0);
        self.app.jobs.run(&boss, &RunOptions::default(), |_| {}).await.unwrap();
        let rosenmatt = self.app.catalog.ensure_project("Rosenmatt").unwrap();
        self.app.users.grant(&boss, rosenmatt.id, "planung").unwrap();
        self.app.users.create(&boss, "anna", PASSWORD, "reader", &["planung".to_owned()]).unwrap();
        self.app.users.create(&boss, "otto", PASSWORD, "reader", &[]).unwrap();
        self.app.users.create(&boss, "chefin", PASSWORD, "admin", &[]).unwrap();
    }

    fn document(&self, path: &str) -> DocumentRow {
        let all = self.app.catalog.all_scope().unwrap();
        let filter = DocumentFilter { limit: 100, ..DocumentFilter::default() };
        let (documents, _) = self.app.catalog.documents(&all, &filter).unwrap();
        documents.into_iter().find(|d| d.path == path).unwrap_or_else(|| panic!("{path} was not read"))
    }

    fn browser(&self) -> Browser {
        Browser {
            router: self.router.clone(),
            cookies: BTreeMap::new(),
            token: String::new(),
            language: "de",
        }
    }

    /// A browser in which somebody is signed in.
    async fn signed_in(&self, name: &str) -> Browser {
        let mut browser = self.browser();
        browser.get("/login").await;
        let page = browser.post("/login", &[("name", name), ("password", PASSWORD)]).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{}", page.text);
        browser.get("/ask").await;
        browser
    }

    /// How many events of a kind the log has.
    fn logged(&self, kind: &str) -> usize {
        let filter =
            ListFilter { kinds: vec![kind.to_owned()], envelopes_only: true, ..ListFilter::default() };
        self.app.audit.list(&filter).unwrap().len()
    }
}

struct Browser {
    router: Router,
    cookies: BTreeMap<String, String>,
    /// Of the last page with a form.
    token: String,
    language: &'static str,
}

struct Page {
    status: StatusCode,
    headers: HeaderMap,
    bytes: Vec<u8>,
    text: String,
}

impl Page {
    fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default()
    }
}

impl Browser {
    async fn send(&mut self, mut request: Request<Body>) -> Page {
        let cookies: Vec<String> = self.cookies.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let headers = request.headers_mut();
        headers.insert(header::HOST, "127.0.0.1:7420".parse().unwrap());
        headers.insert(header::ACCEPT_LANGUAGE, self.language.parse().unwrap());
        if !cookies.is_empty() {
            headers.insert(header::COOKIE, cookies.join("; ").parse().unwrap());
        }
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 64 << 20).await.unwrap().to_vec();
        for cookie in parts.headers.get_all(header::SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some(rest) = text.split("name=\"form_token\" value=\"").nth(1) {
            self.token = rest.split('"').next().unwrap().to_owned();
        }
        Page { status: parts.status, headers: parts.headers, bytes, text }
    }

    async fn get(&mut self, path: &str) -> Page {
        self.send(Request::get(path).header(header::ACCEPT, "text/html").body(Body::empty()).unwrap()).await
    }

    async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let token = self.token.clone();
        self.post_with(path, &[fields, &[("form_token", &token)]].concat(), None).await
    }

    async fn post_with(&mut self, path: &str, fields: &[(&str, &str)], origin: Option<&str>) -> Page {
        let mut request = Request::post(path)
            .header(header::ACCEPT, "text/html")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some(origin) = origin {
            request = request.header(header::ORIGIN, origin);
        }
        self.send(request.body(Body::from(encoded(fields))).unwrap()).await
    }
}

fn encoded(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| -> String {
        text.bytes()
            .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
            .collect()
    };
    let pairs: Vec<String> = fields.iter().map(|(n, v)| format!("{n}={}", encode(v))).collect();
    pairs.join("&")
}

/// A route's path with something in its places.
fn filled(path: &str, id: i64) -> String {
    path.replace("{id}", &id.to_string()).replace("{n}", "1").replace("{name}", "x")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_is_closed_unless_the_table_says_public() {
    let house = House::with(&[]).await;
    let id = house.document("notiz.txt").id.0;
    let mut public = Vec::new();
    for (path, access) in routes() {
        let address = filled(path, id);
        if access == Access::Public {
            public.push(path);
            continue;
        }
        for method in [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let request = Request::builder().method(&method).uri(&address).body(Body::empty()).unwrap();
            let page = house.browser().send(request).await;
            assert_eq!(page.status, StatusCode::UNAUTHORIZED, "{method} {path}");
            assert!(!page.text.contains("Wolknar"), "{method} {path}");
        }
        let page = house.browser().get(&address).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{path}");
        assert!(page.header(header::LOCATION).starts_with("/login?back="), "{path}");
    }
    assert_eq!(public, ["/login", "/language", "/health", "/assets/{name}"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_document_does_not_exist() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let (own, foreign) = (house.document("notiz.txt").id.0, house.document("geheim.txt").id.0);
    let without_reference = |page: &Page| -> String {
        let cut =
            page.text.lines().filter(|l| !l.contains("nonce") && !l.contains("muted") && !l.contains("back"));
        cut.collect::<Vec<_>>().join("\n")
    };
    for (path, _) in routes().into_iter().filter(|(path, _)| path.starts_with("/document/{id}")) {
        let there = anna.get(&filled(path, foreign)).await;
        let nowhere = anna.get(&filled(path, 999_999)).await;
        assert_eq!((there.status, nowhere.status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND), "{path}");
        assert_eq!(without_reference(&there), without_reference(&nowhere), "{path}: the two must look alike");
    }
    assert!(anna.get(&format!("/document/{own}")).await.text.contains("Wolknar"));
    let mut chefin = house.signed_in("chefin").await;
    assert!(chefin.get(&format!("/document/{foreign}")).await.text.contains("Quaxmoor"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_own_documents_marks_them_and_tells_nothing_of_others() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let page = anna.get("/?q=Aussenwand").await;
    assert!(page.text.contains("<mark>Aussenwand</mark>"), "{}", page.text);
    assert!(page.text.contains("Wolknar") && !page.text.contains("Quaxmoor"));
    assert!(page.text.contains("1 Treffer"), "the total counts own documents only: {}", page.text);
    assert!(!page.text.contains("Werkhof"), "names of foreign projects stay unknown");
    let none = anna.get("/?q=Quaxmoor").await;
    assert!(none.text.contains("Nichts gefunden"), "{}", none.text);

    let mut otto = house.signed_in("otto").await;
    let page = otto.get("/?q=Aussenwand").await;
    assert!(page.text.contains("Noch kein Projekt freigegeben") && !page.text.contains("Wolknar"));
    assert!(otto.get("/").await.text.contains("Noch kein Projekt freigegeben"));
    assert!(house.logged("search") >= 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn roles_open_what_is_theirs() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    assert_eq!(anna.get("/report").await.status, StatusCode::FORBIDDEN);
    assert_eq!(anna.post("/ingest/run", &[]).await.status, StatusCode::FORBIDDEN);
    let holdings = anna.get("/ingest").await;
    assert!(holdings.text.contains("sieht die Administration") && !holdings.text.contains("/ingest/run"));
    let mut chefin = house.signed_in("chefin").await;
    assert_eq!(chefin.get("/report").await.status, StatusCode::OK);
    let run = chefin.post("/ingest/run", &[]).await;
    assert_eq!(run.header(header::LOCATION), "/ingest?started=1");
}

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

#[tokio::test(flavor = "multi_thread")]
async fn health_is_public_and_names_the_device() {
    let house = House::with(&[]).await;
    let page = house.browser().get("/health").await;
    let health: serde_json::Value = serde_json::from_str(&page.text).unwrap();
    assert_eq!(health["status"], "ok");
    assert_eq!(health["computes_on"], house.app.engine.device.name.as_str());
    assert!(!page.text.contains("Rosenmatt") && !page.text.contains(house.folder.path().to_str().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_come_whole_or_growing_with_their_sources() {
    let house = House::with(&[REGISTER]).await;
    let mut anna = house.signed_in("anna").await;
    let question =
        [("question", "Reicht für die Tür zur Sammlung 2.08 und zum Archiv U.05 der Typ TY-02 mit EI30?")];
    let page = anna.post("/ask", &question).await;
    assert!(page.text.contains("Prüfzeugnis EI60"), "{}", page.text);
    assert!(page.text.contains("<meta name=\"ai-generated\" content=\"extractive\">"));
    assert!(page.text.contains(&format!("/document/{}", house.document(REGISTER).id)));

    let grown = anna.post("/ask/stream", &question).await;
    assert_eq!(grown.header(header::CONTENT_TYPE), "application/x-ndjson");
    let lines: Vec<serde_json::Value> =
        grown.text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(lines[0]["passages"].as_str().unwrap().contains("TY-02"), "{}", grown.text);
    assert!(lines.last().unwrap()["done"].as_str().unwrap().contains("Prüfzeugnis EI60"), "{}", grown.text);
    assert_eq!((house.logged("question"), house.logged("answer")), (2, 2));

    let none = anna.post("/ask", &[("question", "Wer ist für Quaxmoor zuständig?")]).await;
    assert_eq!(none.status, StatusCode::OK);
    assert!(!none.text.contains("bleibt geheim"), "{}", none.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn elements_and_records_are_shown_and_lead_to_each_other() {
    let house = House::with(&[MODEL, TOPICS, REGISTER]).await;
    let mut anna = house.signed_in("anna").await;
    let (model, register) = (house.document(MODEL), house.document(REGISTER));
    let all = house.app.catalog.all_scope().unwrap();

    let list = anna.get(&format!("/document/{}", model.id)).await;
    assert!(list.text.contains("1–50 von") && list.text.contains("?from=50"), "{}", list.text);
    let topics = house.app.catalog.records(&all, house.document(TOPICS).id).unwrap();
    let linked = topics.iter().find(|t| !t.elements.is_empty()).expect("a topic with an element");
    let element = &linked.elements[0].global_id;
    let page = anna.get(&format!("/document/{}?element={}", model.id, element.replace('$', "%24"))).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("Pset_") && page.text.contains(&linked.subject), "{}", page.text);
    let topic = anna.get(&format!("/document/{}?record={}", house.document(TOPICS).id, linked.number)).await;
    assert!(topic.text.contains(&format!("?element={}", element.replace('$', "%24"))), "{}", topic.text);

    let record = anna.get(&format!("/document/{}?record=RFI-001", register.id)).await;
    assert!(
        record.text.contains("Welche Kote gilt?") && record.text.contains("Es gilt -3.88 m"),
        "{}",
        record.text
    );
    assert!(record.text.contains("13.04.2026"), "dates are written the Swiss way");
    let missing = anna.get(&format!("/document/{}?record=RFI-999", register.id)).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_drawn_marked_and_the_original_given_only_as_it_was_read() {
    let house = House::with(&[MINUTES]).await;
    let mut anna = house.signed_in("anna").await;
    let minutes = house.document(MINUTES);
    assert_eq!(minutes.kind, Kind::Pdf);
    let page = anna.get(&format!("/document/{}?page=1&q=Protokoll", minutes.id)).await;
    assert!(page.text.contains("<rect class=\"word-box\"") && page.text.contains("<mark>"), "{}", page.text);
    let beyond = anna.get(&format!("/document/{}?page=999", minutes.id)).await;
    assert_eq!(beyond.status, StatusCode::NOT_FOUND);

    let image = format!("/document/{}/page/1", minutes.id);
    let first = anna.get(&image).await;
    assert_eq!(
        (first.status, first.header(header::CONTENT_TYPE)),
        (StatusCode::OK, "image/png"),
        "{}",
        first.text
    );
    assert!(first.bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let tag = first.header(header::ETAG).to_owned();
    let again = Request::get(&image).header(header::IF_NONE_MATCH, tag).body(Body::empty()).unwrap();
    assert_eq!(anna.send(again).await.status, StatusCode::NOT_MODIFIED);
    assert!(house.logged("document_access") >= 3, "also the image that the browser had");

    let original = format!("/document/{}/original", minutes.id);
    let file: PathBuf = house.folder.path().join("open").join(MINUTES);
    let given = anna.get(&original).await;
    assert_eq!(given.bytes, fs::read(&file).unwrap());
    assert!(given.header(header::CONTENT_DISPOSITION).starts_with("attachment; filename="));
    fs::write(&file, b"%PDF-1.7 something else").unwrap();
    assert_eq!(anna.get(&original).await.status, StatusCode::CONFLICT);
    let changed = anna.get(&format!("/document/{}", minutes.id)).await;
    assert!(changed.text.contains("wurde seit dem Einlesen geändert"));
    assert_eq!(anna.get(&image).await.status, StatusCode::OK, "the image of what was read stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attachment_is_a_document_and_comes_out_of_its_mail() {
    let house = House::with(&[MAIL]).await;
    let mut anna = house.signed_in("anna").await;
    let all = house.app.catalog.all_scope().unwrap();
    let mail = house.document(MAIL);
    let children = house.app.catalog.children(&all, mail.id).unwrap();
    let child = children.first().expect("the mail has an attachment");
    let page = anna.get(&format!("/document/{}", mail.id)).await;
    assert!(page.text.contains(&format!("href=\"/document/{}\"", child.id)), "{}", page.text);
    let given = anna.get(&format!("/document/{}/original", child.id)).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.text);
    assert_eq!(hex::encode(Sha256::digest(&given.bytes)), child.sha256);
    assert_eq!(given.header(header::CONTENT_LENGTH), given.bytes.len().to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_comes_as_pdf_and_its_export_is_logged() {
    let house = House::with(&[]).await;
    let mut chefin = house.signed_in("chefin").await;
    let wrong = [("from", "2026-12-01"), ("to", "2026-11-01"), ("language", "de")];
    let refused = chefin.post("/report", &wrong).await;
    assert!(
        refused.status == StatusCode::BAD_REQUEST && refused.text.contains("Zeitraum"),
        "{}",
        refused.text
    );
    let report =
        chefin.post("/report", &[("from", "2026-01-01"), ("to", "2099-12-31"), ("language", "de")]).await;
    assert_eq!(report.status, StatusCode::OK, "{}", report.text);
    assert!(report.bytes.starts_with(b"%PDF-"));
    assert_eq!(house.logged("export"), 1);
}

const PROOF: &str = "dokumente/RM-2417-EN-01_Energienachweis.pdf";

#[tokio::test(flavor = "multi_thread")]
async fn an_energy_proof_stands_beside_the_models_that_its_reader_may_see() {
    let house = House::with(&[PROOF, MODEL]).await;
    let id = house.document(PROOF).id;
    let mut anna = house.signed_in("anna").await;
    let page = anna.get(&format!("/document/{id}")).await;
    // Table 1 of the proof, table 5, and the eleven walls of the model of Haus A.
    for part in ["2’268 m²", "22.1 kWh/m²", "31.2 kWh/m²", "Beispikon (fiktiv)", "AW-01 ", "0.15 (11 ×)"]
    {
        assert!(page.text.contains(part), "{part}");
    }
    assert!(!page.text.contains("≠"), "proof and model agree");
    // No model of the project speaks of AW-11, which is in Haus B.
    let row = page.text.split("<th scope=\"row\">AW-11 ").nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(row.contains("<td>–</td>"), "{row}");

    // A changed model in the project differs; one in a project that is closed to the reader stays unknown.
    let model = fs::read_to_string(sample().join(MODEL)).unwrap();
    let changed = |value: &str| {
        let wall = "IFCTHERMALTRANSMITTANCEMEASURE(0.15)";
        model.replace(wall, &format!("IFCTHERMALTRANSMITTANCEMEASURE({value})"))
    };
    fs::write(house.folder.path().join("open/neu.ifc"), changed("0.19")).unwrap();
    fs::write(house.folder.path().join("closed/fremd.ifc"), changed("0.77")).unwrap();
    house.app.jobs.run(&Actor::cli(0), &RunOptions::default(), |_| {}).await.unwrap();
    let page = anna.get(&format!("/document/{id}")).await;
    assert!(page.text.contains("0.19 (11 ×)</a> <strong>≠ weicht ab</strong>"), "{}", page.text);
    assert!(page.text.contains("1 U-Werte weichen vom Modell ab"), "{}", page.text);
    assert!(!page.text.contains("0.77"));
    let mut otto = house.signed_in("otto").await;
    assert_eq!(otto.get(&format!("/document/{id}")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_of_an_archive_is_a_document_of_its_own_and_unknown_sorts_are_counted() {
    let house = House::with(&[]).await;
    let zip = |members: &[(&str, &[u8])]| {
        // Stored members, written by hand: local headers, then the directory.
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in members {
            let offset = out.len() as u32;
            let mut crc = flate2::Crc::new();
            crc.update(bytes);
            let mut common = Vec::new();
            common.extend_from_slice(&[20, 0, 0, 8, 0, 0, 0, 0, 33, 0]);
            common.extend_from_slice(&crc.sum().to_le_bytes());
            common.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            common.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            common.extend_from_slice(&(name.len() as u16).to_le_bytes());
            common.extend_from_slice(&[0, 0]);
            out.extend_from_slice(b"PK\x03\x04");
            out.extend_from_slice(&common);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(bytes);
            directory.extend_from_slice(b"PK\x01\x02\x14\x00");
            directory.extend_from_slice(&common);
            directory.extend_from_slice(&[0; 10]);
            directory.extend_from_slice(&offset.to_le_bytes());
            directory.extend_from_slice(name.as_bytes());
        }
        let start = out.len() as u32;
        let size = directory.len() as u32;
        out.extend(directory);
        out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        let count = members.len() as u16;
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(&size.to_le_bytes());
        out.extend_from_slice(&start.to_le_bytes());
        out.extend_from_slice(&[0, 0]);
        out
    };
    let inner = zip(&[("tief/notiz.txt", b"Die Schwelle Zilkbrand ist 2 cm hoch.")]);
    let archive = zip(&[
        ("Pläne/EG/liste.md", "# Liste\n\nDer Korridor Vornaltig misst 12 m.".as_bytes()),
        ("Pläne/EG/plan.dwg", b"AC1027\0\0\0\x01\x02"),
        ("paket.zip", &inner),
    ]);
    fs::write(house.folder.path().join("open/abgabe.zip"), archive).unwrap();
    fs::write(house.folder.path().join("open/modell.rvt"), b"\0\x01\x02\x03").unwrap();
    let summary = house.app.jobs.run(&Actor::cli(0), &RunOptions::default(), |_| {}).await.unwrap();
    assert_eq!(summary.unknown, BTreeMap::from([(".dwg".to_owned(), 1), (".rvt".to_owned(), 1)]));
    assert_eq!((summary.changes.added, summary.skipped, summary.rejected.len()), (4, 1, 1), "{summary:?}");

    let mut anna = house.signed_in("anna").await;
    let list = house.document("abgabe.zip/Pläne/EG/liste.md").id;
    assert!(anna.get(&format!("/document/{list}")).await.text.contains("Vornaltig"));
    let deep = house.document("abgabe.zip/paket.zip/tief/notiz.txt").id;
    assert!(anna.get("/?q=Zilkbrand").await.text.contains(&format!("/document/{deep}")));
    let original = anna.get(&format!("/document/{deep}/original")).await;
    assert_eq!(original.bytes, b"Die Schwelle Zilkbrand ist 2 cm hoch.");
    let again = house.app.jobs.run(&Actor::cli(0), &RunOptions::default(), |_| {}).await.unwrap();
    assert_eq!((again.changes.added, again.unchanged), (0, 6), "{again:?}");
}

/// How much was read tells of projects that a reader may not see.
#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_of_runs_are_hidden_from_whoever_sees_no_project() {
    let house = House::with(&[]).await;
    let row = |page: &Page| -> Vec<String> {
        let body = page.text.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap().to_owned();
        body.split("<td class=\"n\">").skip(1).map(|c| c.split('<').next().unwrap().to_owned()).collect()
    };
    let seen = row(&house.signed_in("anna").await.get("/ingest").await);
    assert_eq!(seen, ["2", "0", "0", "0", "0", "0"]);
    let hidden = row(&house.signed_in("otto").await.get("/ingest").await);
    assert_eq!(hidden, ["–"; 6]);
    assert_eq!(row(&house.signed_in("chefin").await.get("/ingest").await), seen);
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

/// One limit for questions and queries, on the server and in the forms.
#[tokio::test(flavor = "multi_thread")]
async fn a_query_is_as_long_as_a_question_may_be() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    for (length, status) in [(2000, StatusCode::OK), (2001, StatusCode::PAYLOAD_TOO_LARGE)] {
        assert_eq!(anna.get(&format!("/?q={}", "a".repeat(length))).await.status, status, "{length}");
        anna.get("/ask").await;
        let asked = anna.post("/ask", &[("question", &"a".repeat(length))]).await;
        assert_eq!(asked.status, status, "{length}");
    }
    for page in ["/", "/ask"] {
        assert!(anna.get(page).await.text.contains("maxlength=\"2000\""), "{page}");
    }
}
