use askama::Template;
use axum::{
    extract::{Query, State},
    response::{Html, Redirect},
};
use serde::Deserialize;

use super::{document::Paging, search};
use crate::{
    catalog::{Counts, DoubtfulPage, RejectedFile, RunRow, RunState},
    jobs::{JobError, RunOptions, Status, Step},
    web::{error::WebError, extract::Reader, format, frame::Frame, i18n::Texts, links, state::Web},
};

/// Runs that are listed.
const RUNS: u32 = 10;
/// Rejected files on one page.
const PER_PAGE: usize = 50;

#[derive(Template)]
#[template(path = "pages/holdings.html")]
pub(in crate::web) struct HoldingsPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) figures: Vec<(String, &'static str)>,
    pub(in crate::web) progress: Option<ProgressView>,
    pub(in crate::web) started: bool,
    pub(in crate::web) next_run: String,
    pub(in crate::web) runs: Vec<RunView>,
    /// Administrators only.
    pub(in crate::web) rejected: Vec<RejectedView>,
    pub(in crate::web) rejected_paging: Paging,
    /// Pages that were read with low confidence or not at all, of documents that the reader may see.
    pub(in crate::web) doubtful: Vec<DoubtfulView>,
    pub(in crate::web) doubtful_text: String,
    pub(in crate::web) doubtful_paging: Paging,
}

/// A page to look at.
#[derive(Debug, Default)]
pub(in crate::web) struct DoubtfulView {
    pub(in crate::web) href: String,
    pub(in crate::web) title: String,
    pub(in crate::web) page: String,
    pub(in crate::web) confidence: String,
}

/// The run under way.
#[derive(Debug, Default)]
pub(in crate::web) struct ProgressView {
    pub(in crate::web) done: u64,
    pub(in crate::web) total: u64,
    pub(in crate::web) text: String,
    pub(in crate::web) remaining: String,
    pub(in crate::web) is_paused: bool,
    /// The file at hand; administrators only.
    pub(in crate::web) path: String,
}

/// A past run.
#[derive(Debug, Default)]
pub(in crate::web) struct RunView {
    /// Its report.
    pub(in crate::web) link: String,
    pub(in crate::web) begin: String,
    pub(in crate::web) end: String,
    pub(in crate::web) by: String,
    /// New, changed, moved, deleted, unchanged, rejected.
    pub(in crate::web) numbers: Vec<String>,
}

/// A file that could not be read.
#[derive(Debug, Default)]
pub(in crate::web) struct RejectedView {
    pub(in crate::web) path: String,
    /// In the reader's language; empty where the reason alone says more.
    pub(in crate::web) short: &'static str,
    /// As the program gave it, for whoever looks into it.
    pub(in crate::web) reason: String,
}

impl RejectedView {
    pub(super) fn new(t: &Texts, file: RejectedFile) -> Self {
        let short = match file.code.as_str() {
            "unsupported" => t.reject_unsupported,
            "password" => t.reject_password,
            "damaged" => t.reject_damaged,
            "too-large" => t.reject_too_large,
            "timed-out" => t.reject_timed_out,
            "out-of-memory" => t.reject_out_of_memory,
            "reader-died" => t.reject_reader_died,
            "unreadable" => t.reject_unreadable,
            "changing" => t.reject_changing,
            _ => "",
        };
        RejectedView { path: format!("{}: {}", file.source, file.path), short, reason: file.reason }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Wish {
    started: Option<u8>,
    from: Option<usize>,
    /// The first of the pages to look at.
    pages: Option<u32>,
}

/// `GET /ingest`: what there is, and how the last runs went. Paths of rejected files lie outside any
/// scope, so that only administrators see them.
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Html<String>, WebError> {
    let (scope, full) = (reader.scope.clone(), reader.is_administrator());
    // How much was read tells of projects, too: nothing of it to whoever may see none.
    let counted = full || !scope.is_empty();
    let pages = wish.pages.unwrap_or(0) / PER_PAGE as u32 * PER_PAGE as u32;
    type Found = (Counts, Vec<RunRow>, Vec<RejectedFile>, (Vec<DoubtfulPage>, u64));
    let (counts, runs, rejected, (doubtful, doubtful_count)): Found = web
        .blocking(move |app| {
            let runs = app.catalog.last_runs(RUNS)?;
            let ended = runs.iter().find(|run| run.finished_at.is_some());
            let rejected = match ended {
                Some(run) if full => app.catalog.rejected(run.id)?,
                _ => Vec::new(),
            };
            let doubtful = app.catalog.doubtful_pages(&scope, PER_PAGE as u32, pages)?;
            Ok::<_, WebError>((app.catalog.counts(&scope)?, runs, rejected, doubtful))
        })
        .await?;
    let status = web.app.jobs.status();
    let from = wish.from.unwrap_or(0) / PER_PAGE * PER_PAGE;
    let t = f.t;
    let page = HoldingsPage {
        figures: search::figures(t, &counts),
        progress: progress(t, &status, full).filter(|_| counted),
        started: wish.started.is_some(),
        next_run: status.next_run.as_deref().map(|n| t.one(t.run_next, format::date(n))).unwrap_or_default(),
        runs: runs
            .iter()
            .map(|run| {
                let view = run_view(t, run);
                let hidden = view.numbers.iter().map(|_| "–".to_owned()).collect();
                if counted { view } else { RunView { numbers: hidden, ..view } }
            })
            .collect(),
        doubtful: doubtful.into_iter().map(|page| doubtful_view(t, page)).collect(),
        doubtful_text: t.one(t.doubtful_text, ingest::LOW_CONFIDENCE),
        doubtful_paging: Paging::around(u64::from(pages), doubtful_count, |from| {
            links::address("/ingest", &[("pages", &from.to_string())])
        }),
        rejected_paging: Paging::around(from as u64, rejected.len() as u64, |from| {
            links::address("/ingest", &[("from", &from.to_string())])
        }),
        rejected: rejected
            .into_iter()
            .skip(from)
            .take(PER_PAGE)
            .map(|file| RejectedView::new(t, file))
            .collect(),
        f,
    };
    Ok(Html(page.render()?))
}

fn progress(t: &Texts, status: &Status, full: bool) -> Option<ProgressView> {
    let now = status.progress.as_ref()?;
    let files =
        t.three(t.run_progress, format::whole(now.done), format::whole(now.total), format::whole(now.failed));
    let passages =
        now.passages.map(|(done, all)| t.two(t.run_passages, format::whole(done), format::whole(all)));
    let inside = now.inside.map(|(done, all)| t.two(t.run_inside, format::whole(done), format::whole(all)));
    Some(ProgressView {
        done: now.done,
        total: now.total.max(1),
        text: [Some(files), passages, inside].into_iter().flatten().collect::<Vec<_>>().join(" · "),
        remaining: now.eta_s.map(|s| remaining(t, s)).unwrap_or_default(),
        is_paused: now.step == Step::Paused,
        path: now.path.as_deref().filter(|_| full).map(|path| t.one(t.run_path, path)).unwrap_or_default(),
    })
}

/// Beyond two minutes nobody counts seconds.
fn remaining(t: &Texts, seconds: u64) -> String {
    match seconds {
        0..120 => t.one(t.run_remaining, format::whole(seconds)),
        _ => t.one(t.run_remaining_min, format::whole(seconds.div_ceil(60))),
    }
}

fn doubtful_view(t: &Texts, page: DoubtfulPage) -> DoubtfulView {
    let number = page.page.to_string();
    DoubtfulView {
        href: links::address(&format!("/document/{}", page.document), &[("page", &number)]),
        title: page.title,
        page: number,
        confidence: page.confidence.map_or_else(|| t.doubtful_unread.to_owned(), |c| format!("{c:.0} %")),
    }
}

pub(super) fn run_view(t: &Texts, run: &RunRow) -> RunView {
    let number = |name: &str| {
        let n =
            run.summary.as_ref().and_then(|summary| summary.get(name)).and_then(serde_json::Value::as_u64);
        n.map(format::whole).unwrap_or_else(|| "–".to_owned())
    };
    let end = run.finished_at.as_deref().map(format::date).unwrap_or_default();
    RunView {
        link: format!("/ingest/runs/{}", run.id),
        begin: format::date(&run.started_at),
        end: match run.state {
            RunState::Running => t.run_running.to_owned(),
            RunState::Done => end,
            RunState::Failed | RunState::Interrupted => format!("{end} {}", t.run_failed).trim().to_owned(),
        },
        by: run.actor.clone(),
        numbers: ["added", "modified", "moved", "deleted", "unchanged"]
            .into_iter()
            .map(number)
            .chain([format::whole(run.rejected)])
            .collect(),
    }
}

/// `POST /ingest/run`: starts a run in the background.
pub(in crate::web) async fn run(State(web): State<Web>, reader: Reader) -> Result<Redirect, WebError> {
    if web.app.jobs.status().progress.is_some() {
        return Err(WebError::Busy);
    }
    let (app, actor) = (web.app.clone(), reader.actor());
    tokio::spawn(async move {
        let result: Result<_, JobError> = app.jobs.run(&actor, &RunOptions::default(), |_| {}).await;
        if let Err(error) = result {
            tracing::error!(cause = %error, "a run that was started from the page failed");
        }
    });
    Ok(Redirect::to("/ingest?started=1"))
}
