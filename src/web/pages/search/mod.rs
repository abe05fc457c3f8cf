//! The search: one line, filters, hits.

mod view;

use askama::Template;
use axum::{
    extract::{Query, State},
    response::Html,
};
use ingest::{Element, Kind, Locator};
use serde::Deserialize;

pub(in crate::web) use self::view::{CountedView, HitView, Results, range};
use self::view::{count, note, view};
use super::projects::{self, ProjectChoice};
use crate::{
    answer::{MAX_QUESTION_CHARS, SearchRequest, SearchResult},
    catalog::{Counts, ProjectId},
    web::{error::WebError, extract::Reader, format, frame::Frame, i18n::Texts, links, state::Web},
};

/// Hits on one page.
const PER_PAGE: usize = 20;
/// Last page that can be turned to: nobody reads further, and each page costs a search that long.
const LAST_PAGE: usize = 10;

#[derive(Template)]
#[template(path = "pages/search.html")]
pub(in crate::web) struct SearchPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) q: String,
    pub(in crate::web) kind: String,
    pub(in crate::web) projects: Vec<ProjectChoice>,
    pub(in crate::web) chips: Vec<Chip>,
    pub(in crate::web) ask_href: String,
    pub(in crate::web) results: Option<Results>,
    /// Numbers and what they count, on the page without a query.
    pub(in crate::web) figures: Vec<(String, &'static str)>,
    /// That a filter of the address is not known and was not applied.
    pub(in crate::web) notices: Vec<String>,
    pub(in crate::web) empty_start: Option<(&'static str, &'static str)>,
}

/// A filter by kind.
#[derive(Debug)]
pub(in crate::web) struct Chip {
    pub(in crate::web) href: String,
    pub(in crate::web) label: &'static str,
    pub(in crate::web) chosen: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Wish {
    q: String,
    kind: String,
    project: String,
    page: String,
}

/// `GET /`
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Html<String>, WebError> {
    let q = wish.q.trim().to_owned();
    if q.chars().count() > MAX_QUESTION_CHARS {
        return Err(WebError::TooLarge);
    }
    let kind = Kind::parse(&wish.kind);
    let visible = projects::visible(&web, &reader.scope).await?;
    let project = projects::chosen(&visible, &wish.project);
    let filter = Filter { q: &q, kind, project };
    let mut page = SearchPage {
        kind: kind.map(Kind::as_str).unwrap_or_default().to_owned(),
        projects: projects::choices(&visible, project),
        chips: filter.chips(f.t),
        ask_href: links::address("/ask", &[("q", &q), ("project", &filter.project_text())]),
        results: None,
        figures: Vec::new(),
        notices: unknown_filters(f.t, &wish, kind, project),
        empty_start: None,
        q: q.clone(),
        f,
    };
    if q.is_empty() {
        let counts = counts(&web, &reader).await?;
        page.empty_start = nothing_there(page.f.t, &reader, &counts);
        page.figures = figures(page.f.t, &counts);
    } else {
        let number = wish.page.parse().unwrap_or(1).clamp(1, LAST_PAGE);
        let (found, notes) = results(&web, &reader, &page.f, &filter, number).await?;
        page.notices.extend(notes);
        page.results = Some(found);
    }
    Ok(Html(page.render()?))
}

/// What the address asks for and does not exist, or not for this reader.
fn unknown_filters(t: &Texts, wish: &Wish, kind: Option<Kind>, project: Option<ProjectId>) -> Vec<String> {
    let given = |text: &str| !text.trim().is_empty();
    let shown = |text: &str| text.trim().chars().take(60).collect::<String>();
    let kind = (given(&wish.kind) && kind.is_none()).then(|| t.one(t.search_kind_unknown, shown(&wish.kind)));
    let project = (given(&wish.project) && project.is_none()).then(|| t.search_project_unknown.to_owned());
    kind.into_iter().chain(project).collect()
}

/// What a search is limited to, and the addresses that change it.
struct Filter<'a> {
    q: &'a str,
    kind: Option<Kind>,
    project: Option<ProjectId>,
}

impl Filter<'_> {
    fn project_text(&self) -> String {
        self.project.map(|p| p.to_string()).unwrap_or_default()
    }

    fn address(&self, kind: Option<Kind>, page: usize) -> String {
        let page = if page > 1 { page.to_string() } else { String::new() };
        let kind = kind.map(Kind::as_str).unwrap_or_default();
        links::address(
            "/",
            &[("q", self.q), ("kind", kind), ("project", &self.project_text()), ("page", &page)],
        )
    }

    fn chips(&self, t: &Texts) -> Vec<Chip> {
        let chip = |kind: Option<Kind>| Chip {
            href: self.address(kind, 1),
            label: kind.map_or(t.kind_all, |k| t.kind(k)),
            chosen: kind == self.kind,
        };
        std::iter::once(None).chain(Kind::ALL.map(Some)).map(chip).collect()
    }
}

async fn results(
    web: &Web,
    reader: &Reader,
    f: &Frame,
    filter: &Filter<'_>,
    number: usize,
) -> Result<(Results, Vec<String>), WebError> {
    let request = SearchRequest {
        text: filter.q.to_owned(),
        kind: filter.kind,
        project: filter.project,
        limit: PER_PAGE,
        offset: (number - 1) * PER_PAGE,
        language: Some(f.language),
    };
    let found = web.app.answerer.search(&reader.actor(), &reader.scope, &request).await?;
    let first = (number - 1) * PER_PAGE;
    let elements = elements(web, reader, &found).await?;
    let shown: Vec<HitView> = found
        .hits
        .iter()
        .zip(&elements)
        .map(|(hit, element)| view(f, filter.q, hit, element.as_ref()))
        .collect();
    let (empty_title, empty_text) = if shown.is_empty() {
        let counts = counts(web, reader).await?;
        nothing_there(f.t, reader, &counts).unwrap_or((f.t.empty_found_title, f.t.empty_found_text))
    } else {
        Default::default()
    };
    let more = number < LAST_PAGE && shown.len() == PER_PAGE && found.total > first + shown.len();
    let notes = found.notes.iter().map(|n| note(f.t, n)).collect();
    let results = Results {
        counted: found.table.as_ref().map(CountedView::of),
        first: first + 1,
        count: count(f.t, found.total),
        range: range(f.t, first, shown.len(), found.total),
        elapsed_ms: found.elapsed_ms,
        previous: (number > 1).then(|| filter.address(filter.kind, number - 1)),
        next: more.then(|| filter.address(filter.kind, number + 1)),
        hits: shown,
        empty_title,
        empty_text,
    };
    Ok((results, notes))
}

/// The elements that the shown hits of models point at, so that they can be named.
async fn elements(
    web: &Web,
    reader: &Reader,
    found: &SearchResult,
) -> Result<Vec<Option<Element>>, WebError> {
    let wanted: Vec<_> = found.hits.iter().map(|hit| (hit.document, hit.locator.clone())).collect();
    let scope = reader.scope.clone();
    web.blocking(move |app| {
        wanted
            .iter()
            .map(|(document, locator)| match locator {
                Locator::Ifc { global_id } => app.catalog.element(&scope, *document, global_id),
                _ => Ok(None),
            })
            .collect()
    })
    .await
}

async fn counts(web: &Web, reader: &Reader) -> Result<Counts, WebError> {
    let scope = reader.scope.clone();
    web.blocking(move |app| app.catalog.counts(&scope)).await
}

/// Why a reader cannot find anything at all: no rights, or nothing read in what they may see. Tells
/// nothing of what lies outside the scope.
pub(in crate::web) fn nothing_there(
    t: &Texts,
    reader: &Reader,
    counts: &Counts,
) -> Option<(&'static str, &'static str)> {
    if reader.scope.is_empty() && !reader.is_administrator() {
        return Some((t.empty_rights_title, t.empty_rights_text));
    }
    (counts.documents == 0).then_some((t.empty_holdings_title, t.empty_holdings_text))
}

/// What there is to be found, in numbers; what there is none of is left out.
pub(in crate::web) fn figures(t: &Texts, counts: &Counts) -> Vec<(String, &'static str)> {
    [
        (counts.documents, t.holdings_document, t.holdings_documents),
        (counts.pages, t.holdings_page, t.holdings_pages),
        (counts.elements, t.holdings_element, t.holdings_elements),
        (counts.records, t.holdings_record, t.holdings_records),
        (counts.chunks, t.holdings_passage, t.holdings_passages),
    ]
    .into_iter()
    .filter(|(n, ..)| *n > 0)
    .map(|(n, one, many)| (format::whole(n), if n == 1 { one } else { many }))
    .collect()
}

#[cfg(test)]
mod tests {
    use ingest::Language;

    use super::*;
    use crate::web::i18n::texts;

    #[test]
    fn one_of_a_kind_is_named_in_the_singular() {
        let ones = Counts { documents: 1, pages: 1, elements: 1, records: 1, chunks: 1, ..Counts::default() };
        let twos = Counts { documents: 2, pages: 2, elements: 2, records: 2, chunks: 2, ..Counts::default() };
        for language in Language::ALL {
            let names = |counts| figures(texts(language), counts).into_iter().map(|(_, name)| name);
            let both: Vec<_> = names(&ones).zip(names(&twos)).collect();
            assert_eq!(both.len(), 5, "{language:?}");
            // RFI has no plural of its own in French and Italian.
            assert!(both.iter().all(|(one, two)| one != two || *one == "RFI"), "{both:?}");
        }
    }
}
