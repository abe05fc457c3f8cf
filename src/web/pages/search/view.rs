//! Hits, counts and notices as the page shows them.

use ingest::Element;

use crate::{
    answer::{Folded, Note, NoteKind, SearchHit, Table, Why},
    web::{
        format,
        frame::Frame,
        i18n::Texts,
        links,
        marks::{self, Piece},
        pages::ask::{self, RowView},
    },
};

/// One page of hits.
#[derive(Debug, Default)]
pub(in crate::web) struct Results {
    pub(in crate::web) counted: Option<CountedView>,
    pub(in crate::web) hits: Vec<HitView>,
    pub(in crate::web) first: usize,
    pub(in crate::web) count: String,
    pub(in crate::web) range: String,
    pub(in crate::web) elapsed_ms: u64,
    pub(in crate::web) previous: Option<String>,
    pub(in crate::web) next: Option<String>,
    pub(in crate::web) empty_title: &'static str,
    pub(in crate::web) empty_text: &'static str,
}

/// What the catalog says of a query that counts or lists.
#[derive(Debug, Default)]
pub(in crate::web) struct CountedView {
    pub(in crate::web) lines: Vec<String>,
    pub(in crate::web) understood: Vec<String>,
    pub(in crate::web) columns: Vec<String>,
    pub(in crate::web) rows: Vec<RowView>,
    /// There are more rows than stand here.
    pub(in crate::web) more: bool,
}

impl CountedView {
    pub(super) fn of(table: &Table) -> Self {
        // The first line says the number; how many rows stand here is plain to see.
        let lines = table.text.lines().take(1).map(str::to_owned).collect();
        CountedView {
            lines,
            understood: table.understood.clone(),
            columns: table.columns.clone(),
            rows: ask::rows(&table.rows),
            more: table.rows.len() as u64 != table.total,
        }
    }
}

/// A hit as it is shown.
#[derive(Debug)]
pub(in crate::web) struct HitView {
    pub(in crate::web) href: String,
    pub(in crate::web) title: String,
    pub(in crate::web) kind: &'static str,
    pub(in crate::web) kind_label: &'static str,
    pub(in crate::web) project: String,
    pub(in crate::web) place: String,
    pub(in crate::web) section: String,
    pub(in crate::web) snippet: Vec<Piece>,
    /// Hits that say the same or are of a replaced revision: address and words.
    pub(in crate::web) folded: Vec<(String, String)>,
}

/// What of the query was not understood.
pub(super) fn note(t: &Texts, note: &Note) -> String {
    let text = match note.about {
        NoteKind::UnknownFilter => t.query_filter,
        NoteKind::UnknownValue => t.query_value,
        NoteKind::UnknownProject => t.query_project,
        NoteKind::ShortWildcard => t.query_wildcard,
        NoteKind::Operator => t.query_operator,
        NoteKind::OpenQuote => t.query_quote,
    };
    t.one(text, note.text.chars().take(60).collect::<String>())
}

pub(super) fn count(t: &Texts, total: usize) -> String {
    match total {
        0 => t.hits_none.to_owned(),
        1 => t.hits_one.to_owned(),
        n => t.one(t.hits_many, format::whole(n as u64)),
    }
}

pub(in crate::web) fn range(t: &Texts, first: usize, shown: usize, total: usize) -> String {
    let number = |n: usize| format::whole(n as u64);
    t.three(t.hits_range, number(first + 1), number(first + shown), number(total))
}

pub(super) fn view(f: &Frame, q: &str, hit: &SearchHit, element: Option<&Element>) -> HitView {
    let snippet = marks::pieces(&hit.snippet.text, hit.snippet.marks.iter().map(|&(start, end)| start..end));
    HitView {
        href: links::place(hit.document, &hit.locator, Some(hit.chunk), q),
        title: hit.title.clone(),
        kind: hit.kind.as_str(),
        kind_label: f.t.kind(hit.kind),
        project: hit.project.clone(),
        place: links::words(f.t, f.language, &hit.locator, element),
        section: hit.section.join(" › "),
        snippet,
        folded: hit.folded.iter().map(|other| below(f, q, other)).collect(),
    }
}

fn below(f: &Frame, q: &str, other: &Folded) -> (String, String) {
    let text = match other.why {
        Why::Same => f.t.hit_same,
        Why::Superseded => f.t.hit_superseded,
    };
    let place = links::words(f.t, f.language, &other.locator, None);
    let href = links::place(other.document, &other.locator, Some(other.chunk), q);
    (href, f.t.one(text, format!("{}, {place}", other.title)))
}
