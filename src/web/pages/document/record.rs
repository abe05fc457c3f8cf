use askama::Template;
use axum::response::Html;
use ingest::{Element, Record};

use super::{Wish, head::DocumentHead};
use crate::{
    catalog::DocumentId,
    web::{
        error::WebError,
        extract::OpenDocument,
        format,
        frame::Frame,
        links,
        marks::{self, Piece, Terms},
        state::Web,
    },
};

#[derive(Template)]
#[template(path = "pages/record.html")]
pub(in crate::web) struct RecordPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) d: DocumentHead,
    pub(in crate::web) r: RecordView,
}

/// An RFI.
#[derive(Debug, Default)]
pub(in crate::web) struct RecordView {
    pub(in crate::web) number: String,
    pub(in crate::web) revision: String,
    pub(in crate::web) subject: String,
    pub(in crate::web) status: String,
    /// `open`, `answered`, `closed`, `void` or empty.
    pub(in crate::web) state: String,
    pub(in crate::web) facts: Vec<(&'static str, String)>,
    pub(in crate::web) question: Vec<Piece>,
    pub(in crate::web) answers: Vec<Reply>,
    pub(in crate::web) elements: Vec<ElementReference>,
    /// Addresses and texts.
    pub(in crate::web) references: Vec<(String, String)>,
    pub(in crate::web) fields: Vec<(String, String)>,
}

/// An answer to an RFI.
#[derive(Debug, Default)]
pub(in crate::web) struct Reply {
    pub(in crate::web) author: String,
    pub(in crate::web) date: String,
    pub(in crate::web) official: bool,
    pub(in crate::web) text: Vec<Piece>,
}

/// A building element that the RFI names.
#[derive(Debug, Default)]
pub(in crate::web) struct ElementReference {
    /// `None` where it is in no model that the reader may see.
    pub(in crate::web) href: Option<String>,
    pub(in crate::web) text: String,
}

type Found = Option<(DocumentId, Element)>;

pub(super) async fn page(
    web: &Web,
    document: &OpenDocument,
    f: Frame,
    wish: &Wish,
) -> Result<Html<String>, WebError> {
    let (scope, id, number) = (document.reader.scope.clone(), document.row.id, wish.record.clone());
    let (record, elements) = web
        .blocking(move |app| {
            let Some(record) = app.catalog.record(&scope, id, &number)? else {
                return Err(WebError::NotFound);
            };
            let find =
                |id: &str| Ok::<Found, WebError>(app.catalog.find_element(&scope, id)?.into_iter().next());
            let elements: Result<Vec<Found>, WebError> =
                record.elements.iter().map(|link| find(&link.global_id)).collect();
            Ok((record, elements?))
        })
        .await?;
    let r = view(&f, &record, &elements, &wish.terms());
    let d = DocumentHead::of(web, document, &f, &wish.q).await?;
    Ok(Html(RecordPage { f, d, r }.render()?))
}

fn view(f: &Frame, record: &Record, elements: &[Found], terms: &Terms) -> RecordView {
    let t = f.t;
    let pieces = |text: &str| marks::pieces(text, terms.in_text(text));
    let facts = [
        (t.rfi_author, record.author.clone()),
        (t.rfi_assignee, record.assignee.clone()),
        (t.rfi_created, format::date(&record.created)),
        (t.rfi_due, format::date(&record.due)),
        (t.rfi_closed, format::date(&record.closed)),
        (t.rfi_priority, record.priority.clone()),
        (t.rfi_discipline, record.discipline.clone()),
    ];
    let reply = |answer: &ingest::Answer| Reply {
        author: answer.author.clone(),
        date: format::date(&answer.date),
        official: answer.official,
        text: pieces(&answer.text),
    };
    RecordView {
        number: record.number.clone(),
        revision: record.revision.clone(),
        subject: record.subject.clone(),
        status: if record.status.is_empty() { record.state.clone() } else { record.status.clone() },
        state: record.state.clone(),
        facts: facts.into_iter().filter(|(_, value)| !value.trim().is_empty()).collect(),
        question: pieces(&record.question),
        answers: record.answers.iter().map(reply).collect(),
        elements: record
            .elements
            .iter()
            .zip(elements)
            .map(|(link, found)| reference(f, &link.global_id, found))
            .collect(),
        references: record.references.iter().map(|r| (links::address("/", &[("q", r)]), r.clone())).collect(),
        fields: record
            .fields
            .iter()
            .filter(|(_, v)| !v.trim().is_empty())
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect(),
    }
}

fn reference(f: &Frame, global_id: &str, found: &Found) -> ElementReference {
    match found {
        Some((document, element)) => ElementReference {
            href: Some(links::address(&format!("/document/{document}"), &[("element", global_id)])),
            text: links::element_words(f.language, element),
        },
        None => ElementReference { href: None, text: global_id.to_owned() },
    }
}
