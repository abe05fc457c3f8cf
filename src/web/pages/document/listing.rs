use askama::Template;
use axum::response::Html;
use ingest::{Element, Record};

use super::{PER_PAGE, Paging, Wish, head::DocumentHead};
use crate::web::{
    error::WebError, extract::OpenDocument, format, frame::Frame, i18n::class_name, links, state::Web,
};

#[derive(Template)]
#[template(path = "pages/listing.html")]
pub(in crate::web) struct ListingPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) d: DocumentHead,
    pub(in crate::web) l: Listing,
}

/// A page of a document's elements or records.
#[derive(Debug, Default)]
pub(in crate::web) struct Listing {
    pub(in crate::web) title: &'static str,
    pub(in crate::web) range: String,
    pub(in crate::web) columns: Vec<&'static str>,
    pub(in crate::web) rows: Vec<ListingRow>,
    pub(in crate::web) paging: Paging,
}

#[derive(Debug, Default)]
pub(in crate::web) struct ListingRow {
    pub(in crate::web) href: String,
    pub(in crate::web) cells: Vec<String>,
}

/// The elements of a model.
pub(super) async fn elements(
    web: &Web,
    document: &OpenDocument,
    f: Frame,
    wish: &Wish,
) -> Result<Html<String>, WebError> {
    let (scope, id, offset) = (document.reader.scope.clone(), document.row.id, wish.offset());
    let (elements, total) =
        web.blocking(move |app| app.catalog.elements(&scope, id, offset, PER_PAGE)).await?;
    let t = f.t;
    let row = |e: &Element| ListingRow {
        href: links::address(&format!("/document/{id}"), &[("element", &e.global_id)]),
        cells: vec![
            first_of(&[&e.name, &e.tag, &e.global_id]),
            class_name(&e.class, f.language).to_owned(),
            e.type_name.clone(),
            e.storey.clone(),
        ],
    };
    let l = Listing {
        title: t.ifc_elements,
        range: range(&f, offset, elements.len(), total),
        columns: vec![t.ifc_name, t.ifc_class, t.ifc_type, t.ifc_storey],
        rows: elements.iter().map(row).collect(),
        paging: paging(document, offset, total),
    };
    render(web, document, f, wish, l).await
}

/// The records of an RFI register or a BCF file.
pub(super) async fn records(
    web: &Web,
    document: &OpenDocument,
    f: Frame,
    wish: &Wish,
) -> Result<Html<String>, WebError> {
    let (scope, id, offset) = (document.reader.scope.clone(), document.row.id, wish.offset());
    let records = web.blocking(move |app| app.catalog.records(&scope, id)).await?;
    let t = f.t;
    let total = records.len() as u64;
    let row = |r: &Record| ListingRow {
        href: links::address(&format!("/document/{id}"), &[("record", &r.number)]),
        cells: vec![
            r.number.clone(),
            r.subject.clone(),
            first_of(&[&r.status, &r.state]),
            format::date(&r.created),
            format::date(&r.due),
            r.assignee.clone(),
        ],
    };
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let rows: Vec<ListingRow> = records.iter().skip(start).take(PER_PAGE as usize).map(row).collect();
    let l = Listing {
        title: t.rfi_records,
        range: range(&f, offset, rows.len(), total),
        columns: vec![t.rfi_number, t.rfi_subject, t.rfi_status, t.rfi_created, t.rfi_due, t.rfi_assignee],
        rows,
        paging: paging(document, offset, total),
    };
    render(web, document, f, wish, l).await
}

async fn render(
    web: &Web,
    document: &OpenDocument,
    f: Frame,
    wish: &Wish,
    l: Listing,
) -> Result<Html<String>, WebError> {
    let d = DocumentHead::of(web, document, &f, &wish.q).await?;
    Ok(Html(ListingPage { f, d, l }.render()?))
}

/// `51–100 of 1’234`.
pub(super) fn range(f: &Frame, offset: u64, shown: usize, total: u64) -> String {
    let shown = shown as u64;
    let first = if shown == 0 { offset } else { offset + 1 };
    f.t.three(f.t.list_range, format::whole(first), format::whole(offset + shown), format::whole(total))
}

/// Neighbouring pages of a document's list.
pub(super) fn paging(document: &OpenDocument, offset: u64, total: u64) -> Paging {
    let path = format!("/document/{}", document.row.id);
    Paging::around(offset, total, |from| links::address(&path, &[("from", &from.to_string())]))
}

fn first_of(texts: &[&str]) -> String {
    texts.iter().find(|text| !text.trim().is_empty()).copied().unwrap_or_default().to_owned()
}
