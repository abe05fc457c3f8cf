//! The report of one run, as a page and as JSON. For administrators: it names files of every project.

use askama::Template;
use axum::{
    Json,
    extract::{Path, State},
    response::{Html, Redirect},
};

use super::{
    document::ChangesView,
    holdings::{RejectedView, RunView, run_view},
};
use crate::{
    catalog::{RecordFile, RejectedFile, RunId, RunRow, WarnedFile, WarnedFiles},
    jobs::{ListedPage, ModifiedModels, RunSummary, StageTime, Step},
    web::{
        error::WebError,
        extract::Reader,
        format,
        frame::Frame,
        i18n::{Texts, fill},
        state::Web,
    },
};

#[derive(Template)]
#[template(path = "pages/run.html")]
pub(in crate::web) struct RunPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) title: String,
    pub(in crate::web) json: String,
    pub(in crate::web) run: RunView,
    /// What went wrong with the run as a whole or with a source.
    pub(in crate::web) problems: Vec<String>,
    /// Name, then new, changed, moved, deleted.
    pub(in crate::web) projects: Vec<(String, Vec<String>)>,
    pub(in crate::web) deletion: String,
    pub(in crate::web) notes: Vec<String>,
    /// Name, seconds, rate.
    pub(in crate::web) stages: Vec<(&'static str, String, String)>,
    pub(in crate::web) rejected: Vec<RejectedView>,
    /// What pages are listed for a person to look at, and how many are not listed.
    pub(in crate::web) doubtful_text: String,
    pub(in crate::web) doubtful_more: String,
    pub(in crate::web) doubtful: Vec<DoubtfulFile>,
    /// Sums over all models with a new version; empty where there are none.
    pub(in crate::web) models_text: String,
    /// Address, name and changes of each of them.
    pub(in crate::web) models: Vec<(String, String, ChangesView)>,
    /// How many files were read with warnings; empty where none was.
    pub(in crate::web) warned_text: String,
    pub(in crate::web) warned: Vec<WarnedView>,
    /// Files with requests.
    pub(in crate::web) records: Vec<RecordCount>,
}

/// A page that text recognition read badly or not at all.
pub(in crate::web) struct DoubtfulFile {
    pub(in crate::web) file: String,
    pub(in crate::web) page: String,
    pub(in crate::web) confidence: String,
    pub(in crate::web) reason: String,
}

/// A file that was read with warnings.
pub(in crate::web) struct WarnedView {
    pub(in crate::web) href: String,
    pub(in crate::web) file: String,
    /// True where something in it was not read.
    pub(in crate::web) in_part: bool,
    pub(in crate::web) warnings: Vec<String>,
    /// How many are not listed; empty where all are.
    pub(in crate::web) more: String,
}

/// What became of the requests of one file.
pub(in crate::web) struct RecordCount {
    pub(in crate::web) file: String,
    /// Found, stored, part of another, rejected.
    pub(in crate::web) numbers: Vec<String>,
    /// True where nothing is unaccounted for.
    pub(in crate::web) even: bool,
    /// Why requests were rejected.
    pub(in crate::web) reasons: Vec<String>,
}

/// `GET /ingest/runs/{id}`.
pub(in crate::web) async fn page(
    State(web): State<Web>,
    _: Reader,
    f: Frame,
    Path(id): Path<i64>,
) -> Result<Html<String>, WebError> {
    let (row, rejected) = load(&web, id).await?;
    Ok(Html(view(f, &row, rejected).render()?))
}

/// `GET /ingest/runs/{id}/json`: the same for programs.
pub(in crate::web) async fn json(
    State(web): State<Web>,
    _: Reader,
    Path(id): Path<i64>,
) -> Result<Json<RunRow>, WebError> {
    Ok(Json(load(&web, id).await?.0))
}

/// `POST /ingest/pause`, `/ingest/resume` and `/ingest/stop`. Where no run is under way, there is nothing to
/// do and nothing to complain about: the page that follows shows how things stand.
pub(in crate::web) async fn pause(State(web): State<Web>, _: Reader) -> Redirect {
    web.app.jobs.pause();
    Redirect::to("/ingest")
}

pub(in crate::web) async fn resume(State(web): State<Web>, _: Reader) -> Redirect {
    web.app.jobs.resume();
    Redirect::to("/ingest")
}

pub(in crate::web) async fn stop(State(web): State<Web>, _: Reader) -> Redirect {
    web.app.jobs.stop();
    Redirect::to("/ingest")
}

async fn load(web: &Web, id: i64) -> Result<(RunRow, Vec<RejectedFile>), WebError> {
    web.blocking(move |app| {
        let row = app.catalog.run(RunId(id))?.ok_or(WebError::NotFound)?;
        Ok::<_, WebError>((row, app.catalog.rejected(RunId(id))?))
    })
    .await
}

fn view(f: Frame, row: &RunRow, rejected: Vec<RejectedFile>) -> RunPage {
    let t = f.t;
    let (summary, error) = RunSummary::of(row);
    let numbers = |n: &[u64]| n.iter().map(|&n| format::whole(n)).collect();
    RunPage {
        title: t.one(t.run_title, row.id),
        json: format!("/ingest/runs/{}/json", row.id),
        run: run_view(t, row),
        problems: error.into_iter().chain(problems(&summary)).collect(),
        projects: summary
            .projects
            .iter()
            .map(|p| {
                (
                    p.name.clone(),
                    numbers(&[p.changes.added, p.changes.modified, p.changes.moved, p.changes.deleted]),
                )
            })
            .collect(),
        deletion: deletion(t, &summary),
        notes: notes(t, &summary),
        doubtful_text: t.one(t.doubtful_text, ingest::LOW_CONFIDENCE),
        doubtful_more: match summary.low_confidence.saturating_sub(summary.low_confidence_pages.len() as u64)
        {
            0 => String::new(),
            more => format!("+ {}", format::whole(more)),
        },
        doubtful: summary.low_confidence_pages.iter().map(|page| doubtful_file(t, page)).collect(),
        stages: stages(t, &summary.stages),
        models_text: models_text(t, &summary.models),
        models: summary
            .models
            .listed
            .iter()
            .map(|m| {
                let name = format!("{}: {}", m.source, m.path);
                (format!("/document/{}", m.document), name, ChangesView::new(&f, &m.changes, m.document))
            })
            .collect(),
        warned_text: warned_text(t, &summary.warned),
        warned: summary.warned.listed.iter().map(|file| warned_view(t, file)).collect(),
        records: summary.records.iter().map(record_count).collect(),
        rejected: rejected.into_iter().map(|file| RejectedView::new(t, file)).collect(),
        f,
    }
}

fn doubtful_file(t: &Texts, page: &ListedPage) -> DoubtfulFile {
    DoubtfulFile {
        file: format!("{}: {}", page.source, page.path),
        page: page.page.to_string(),
        confidence: page.confidence.map_or_else(|| t.doubtful_unread.to_owned(), |c| format!("{c:.0} %")),
        reason: page.reason.clone(),
    }
}

fn models_text(t: &Texts, all: &ModifiedModels) -> String {
    if all.models == 0 {
        return String::new();
    }
    let c = all.counts;
    let [models, added, removed, changed] = [all.models, c.added, c.removed, c.changed].map(format::whole);
    fill(t.run_models_text, &[&models, &added, &removed, &changed])
}

fn warned_text(t: &Texts, all: &WarnedFiles) -> String {
    match all.files {
        0 => String::new(),
        files => t.two(t.warned_text, format::whole(files), format::whole(all.in_part)),
    }
}

fn warned_view(t: &Texts, file: &WarnedFile) -> WarnedView {
    WarnedView {
        href: format!("/document/{}", file.document),
        file: format!("{}: {}", file.source, file.path),
        in_part: file.in_part,
        warnings: file.warnings.iter().map(|warning| warning.message.clone()).collect(),
        more: if file.more > 0 { t.one(t.changes_more, format::whole(file.more)) } else { String::new() },
    }
}

fn record_count(file: &RecordFile) -> RecordCount {
    let numbers = [file.found, file.stored, file.merged, file.rejected];
    RecordCount {
        file: format!("{}: {}", file.source, file.path),
        numbers: numbers.into_iter().map(format::whole).collect(),
        even: file.balances(),
        reasons: file.reasons.clone(),
    }
}

fn problems(summary: &RunSummary) -> impl Iterator<Item = String> + '_ {
    summary.sources.iter().flat_map(|source| {
        let places = source.error.iter().cloned().chain(source.missed());
        places.map(move |what| format!("{}: {what}", source.name))
    })
}

fn deletion(t: &Texts, summary: &RunSummary) -> String {
    let Some(proof) = &summary.deletion else { return String::new() };
    let left = proof.found_in_words + proof.found_in_vectors.unwrap_or(0);
    t.three(t.run_deletion, format::whole(proof.documents), format::whole(proof.chunks), format::whole(left))
}

fn notes(t: &Texts, summary: &RunSummary) -> Vec<String> {
    [
        (t.run_repaired, summary.repaired),
        (t.run_skipped, summary.skipped),
        (t.run_erased, summary.erased),
        (t.run_joined, summary.joined),
    ]
    .into_iter()
    .filter(|(_, n)| *n > 0)
    .map(|(text, n)| t.one(text, format::whole(n)))
    .chain((!summary.unknown.is_empty()).then(|| {
        let sorts = summary.unknown.iter().map(|(sort, n)| format!("{} {sort}", format::whole(*n)));
        t.one(t.run_unknown, sorts.collect::<Vec<_>>().join(", "))
    }))
    .collect()
}

/// Stages as a person sees them: the many steps of writing are one.
fn stages(t: &Texts, times: &[StageTime]) -> Vec<(&'static str, String, String)> {
    let mut shown: Vec<(&'static str, f64, String)> = Vec::new();
    for time in times {
        let name = stage_name(t, time.stage);
        let rate = rate(t, time);
        match shown.iter_mut().find(|(other, ..)| *other == name) {
            Some(one) => one.1 += time.seconds,
            None => shown.push((name, time.seconds, rate)),
        }
    }
    shown.sort_by(|a, b| b.1.total_cmp(&a.1));
    shown.into_iter().map(|(name, s, rate)| (name, format!("{s:.1} s"), rate)).collect()
}

fn stage_name(t: &Texts, stage: Step) -> &'static str {
    match stage {
        Step::Scan => t.stage_scan,
        Step::Read => t.stage_read,
        Step::Embed => t.stage_embed,
        Step::Log => t.stage_log,
        Step::Clean | Step::Reconcile | Step::Compact => t.stage_tidy,
        Step::Paused => t.stage_paused,
        Step::Stage
        | Step::Index
        | Step::Flush
        | Step::Commit
        | Step::Forget
        | Step::Purge
        | Step::Delete
        | Step::Done => t.stage_write,
    }
}

fn rate(t: &Texts, time: &StageTime) -> String {
    let pages = time.pages_per_s.map(|n| t.one(t.rate_pages, format!("{n:.0}")));
    let bytes = time.bytes_per_s.map(|n| format!("{:.1} MB/s", n / 1e6));
    let chunks = (time.stage == Step::Embed)
        .then_some(time.chunks_per_s)
        .flatten()
        .map(|n| t.one(t.rate_passages, format!("{n:.0}")));
    pages.into_iter().chain(bytes).chain(chunks).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::i18n;

    #[test]
    fn the_many_steps_of_writing_are_one_stage_and_the_longest_comes_first() {
        let t = i18n::texts(ingest::Language::En);
        let time = |stage, seconds| StageTime {
            stage,
            seconds,
            bytes_per_s: None,
            pages_per_s: None,
            chunks_per_s: None,
        };
        let shown = stages(t, &[time(Step::Read, 3.0), time(Step::Index, 2.0), time(Step::Flush, 1.5)]);
        let shown: Vec<(&str, &str)> = shown.iter().map(|s| (s.0, s.1.as_str())).collect();
        assert_eq!(shown, [(t.stage_write, "3.5 s"), (t.stage_read, "3.0 s")]);
    }
}
