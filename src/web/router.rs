use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{MethodRouter, get, post},
};

use super::{
    access::{Access, Guard, guard},
    assets, context,
    error::WebError,
    pages::{
        ask, document, forms, health, history, holdings, incident, instruction, language, log, login, notice,
        original, page_image, report, run, search, usage,
    },
    state::{Web, WebOptions},
};
use crate::app::App;

/// One line of the table.
struct Route {
    path: &'static str,
    access: Access,
    /// Longest time until the response's head.
    patience: Duration,
    methods: MethodRouter<Web>,
}

const USUAL: Duration = Duration::from_secs(30);
/// Drawing a page, making a report.
const SLOW: Duration = Duration::from_secs(120);
/// A whole answer from a large model on a small machine.
const VERY_SLOW: Duration = Duration::from_secs(600);

/// Every route, with who may use it.
#[rustfmt::skip]
fn table() -> Vec<Route> {
    use Access::{Administrator, Auditor, Lead, LogKeeper, LogReader, Public, Reader};
    let row = |path, access, patience, methods| Route { path, access, patience, methods };
    vec![
        row("/",                       Reader,        USUAL,     get(search::page)),
        row("/ask",                    Reader,        VERY_SLOW, get(ask::page).post(ask::answer)),
        row("/ask/stream",             Reader,        USUAL,     post(ask::stream)),
        row("/ask/feedback",           Reader,        USUAL,     post(ask::feedback)),
        row("/ask/export",             Reader,        SLOW,      post(ask::export)),
        row("/document/{id}",          Reader,        USUAL,     get(document::page)),
        row("/document/{id}/page/{n}", Reader,        SLOW,      get(page_image::image)),
        row("/document/{id}/picture",  Reader,        SLOW,      get(document::picture)),
        row("/document/{id}/original", Reader,        SLOW,      get(original::download)),
        row("/ingest",                 Reader,        USUAL,     get(holdings::page)),
        row("/ingest/run",             Administrator, USUAL,     post(holdings::run)),
        row("/ingest/pause",           Administrator, USUAL,     post(run::pause)),
        row("/ingest/resume",          Administrator, USUAL,     post(run::resume)),
        row("/ingest/stop",            Administrator, USUAL,     post(run::stop)),
        row("/ingest/runs/{id}",       Administrator, USUAL,     get(run::page)),
        row("/ingest/runs/{id}/json",  Administrator, USUAL,     get(run::json)),
        row("/report",                 Auditor,       SLOW,      get(report::page).post(report::create)),
        row("/history",                Reader,        USUAL,     get(history::page)),
        row("/history/export",         Reader,        USUAL,     post(history::export)),
        row("/history/delete",         Reader,        USUAL,     post(history::delete)),
        row("/usage",                  Lead,          SLOW,      get(usage::page)),
        row("/log",                    LogKeeper,     SLOW,      get(log::page)),
        row("/log/texts",              LogReader,     SLOW,      get(log::texts)),
        row("/log/request",            LogReader,     USUAL,     post(log::request)),
        row("/log/decide",             LogKeeper,     USUAL,     post(log::decide)),
        row("/log/end",                LogKeeper,     USUAL,     post(log::end)),
        row("/notice",                 Reader,        USUAL,     get(notice::page)),
        row("/instruction",            Reader,        USUAL,     get(instruction::page).post(instruction::acknowledge)),
        row("/incident",               Reader,        USUAL,     get(incident::page).post(incident::report)),
        row("/incident/{name}",        Auditor,       USUAL,     get(incident::case).post(incident::amend)),
        row("/incident/{name}/pdf",    Auditor,       USUAL,     post(incident::pdf)),
        row("/incident/{name}/close",  Auditor,       USUAL,     post(incident::close)),
        row("/forms",                  Auditor,       USUAL,     get(forms::page).post(forms::make)),
        row("/login",                  Public,        USUAL,     get(login::page).post(login::sign_in)),
        row("/logout",                 Reader,        USUAL,     post(login::sign_out)),
        row("/language",               Public,        USUAL,     post(language::choose)),
        row("/health",                 Public,        USUAL,     get(health::health)),
        row("/assets/{name}",          Public,        USUAL,     get(assets::serve)),
    ]
}

/// The page to come back to when signing in interrupted a request for `path`: that of the form, where the
/// path itself takes forms only.
pub(super) fn page_of(path: &str) -> &str {
    match path {
        "/ask/stream" | "/ask/feedback" | "/ask/export" => "/ask",
        "/ingest/run" | "/ingest/pause" | "/ingest/resume" | "/ingest/stop" => "/ingest",
        "/history/export" | "/history/delete" => "/history",
        "/log/texts" | "/log/request" | "/log/decide" | "/log/end" => "/log",
        other if other.starts_with("/incident/") => "/incident",
        "/logout" | "/language" => "/",
        other => other,
    }
}

/// The router of all pages over plain HTTP. To be served with
/// `into_make_service_with_connect_info::<SocketAddr>()`, so that sign-in knows addresses.
pub fn router(app: Arc<App>) -> Router {
    router_with(app, WebOptions::default())
}

/// The router of all pages. Each route is guarded by its line of the table; around them lies the layer
/// that knows the session, makes error pages and sets the security headers.
pub fn router_with(app: Arc<App>, options: WebOptions) -> Router {
    let web = Web::new(app, options);
    let mut router = Router::new();
    for route in table() {
        let guarded = Guard { access: route.access, patience: route.patience };
        router = router.route(route.path, route.methods.layer(from_fn_with_state(guarded, guard)));
    }
    router
        .fallback(|| async { WebError::NotFound })
        .layer(from_fn_with_state(web.clone(), context::layer))
        .with_state(web)
}

/// Paths and who may use them, for tests and the manual.
pub fn routes() -> Vec<(&'static str, Access)> {
    table().into_iter().map(|route| (route.path, route.access)).collect()
}
