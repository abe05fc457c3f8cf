//! The pages as a browser sees them: who gets in, what each reader may see, and what every answer of
//! the server carries. The server runs inside the test, the readers of files in the real worker.

mod access;
mod documents;
mod duties;
mod signing;

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
        House::with_settings(files, "").await
    }

    /// The same with further settings.
    async fn with_settings(files: &[&str], settings: &str) -> Self {
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
            "[ingest]\nworker_program = {DOSSIER:?}\n{settings}{}{}",
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
