use askama::Template;
use axum::response::Html;
use ingest::{Element, Party, Record, Viewpoint};

use super::{Wish, head::DocumentHead};
use crate::{
    catalog::{DocumentId, MailRow},
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
    /// Who else takes part, with firm and status.
    pub(in crate::web) parties: Vec<(&'static str, String)>,
    pub(in crate::web) question: Vec<Piece>,
    pub(in crate::web) suggestion: Vec<Piece>,
    pub(in crate::web) answers: Vec<Reply>,
    pub(in crate::web) elements: Vec<ElementReference>,
    /// Addresses of the pictures, empty where there is none, and texts.
    pub(in crate::web) views: Vec<(String, String)>,
    /// Addresses and texts.
    pub(in crate::web) drawings: Vec<(String, String)>,
    pub(in crate::web) references: Vec<(String, String)>,
    pub(in crate::web) attachments: Vec<String>,
    pub(in crate::web) fields: Vec<(String, String)>,
    /// Other records of the same number: addresses and texts.
    pub(in crate::web) others: Vec<(String, String)>,
    /// Mails about the request: addresses and texts.
    pub(in crate::web) mails: Vec<(String, String)>,
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
    let nth = wish.nth;
    let (records, at, elements, mails) = web
        .blocking(move |app| {
            let records = app.catalog.records_of(&scope, id, &number)?;
            let at = nth.unwrap_or(records.len().saturating_sub(1));
            let record = records.get(at).ok_or(WebError::NotFound)?;
            let find =
                |id: &str| Ok::<Found, WebError>(app.catalog.find_element(&scope, id)?.into_iter().next());
            let elements: Result<Vec<Found>, WebError> =
                record.elements.iter().map(|link| find(&link.global_id)).collect();
            let mails = app.catalog.mails_about(&scope, id, &number)?;
            Ok::<_, WebError>((records, at, elements?, mails))
        })
        .await?;
    let record = records.get(at).ok_or(WebError::NotFound)?;
    let mut r = view(&f, record, &elements, &wish.terms());
    r.views = views(&f, id, record, at);
    let others = records.iter().enumerate().filter(|(n, _)| *n != at);
    r.others = others.map(|(n, other)| (address(id, other, n), title_of(&f, other))).collect();
    r.mails = mails.iter().map(mail_link).collect();
    let d = DocumentHead::of(web, document, &f, &wish.q).await?;
    Ok(Html(RecordPage { f, d, r }.render()?))
}

fn address(document: DocumentId, record: &Record, nth: usize) -> String {
    let query = [("record", record.number.as_str()), ("nth", &nth.to_string())];
    links::address(&format!("/document/{document}"), &query)
}

fn title_of(f: &Frame, record: &Record) -> String {
    match record.revision.as_str() {
        "" => record.subject.clone(),
        revision => format!("{} {revision}: {}", f.t.rfi_revision, record.subject),
    }
}

/// A mail of a thread or about a request, as a link.
pub(super) fn mail_link(mail: &MailRow) -> (String, String) {
    let parts = [format::date(&mail.date), mail.from.clone(), mail.title.clone()];
    let text: Vec<String> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
    (format!("/document/{}", mail.document), text.join(" · "))
}

/// Pictures of the model, with how many elements are selected in each.
fn views(f: &Frame, document: DocumentId, record: &Record, nth: usize) -> Vec<(String, String)> {
    let view = |(n, view): (usize, &Viewpoint)| {
        let query = [("record", record.number.as_str()), ("nth", &nth.to_string()), ("view", &n.to_string())];
        let picture = match view.snapshot.is_empty() {
            true => String::new(),
            false => links::address(&format!("/document/{document}/picture"), &query),
        };
        (picture, f.t.two(f.t.rfi_view_one, n + 1, view.elements.len()))
    };
    record.viewpoints.iter().enumerate().map(view).collect()
}

/// Everybody who is not named among the facts already, and everybody with a firm or a status.
fn parties(f: &Frame, record: &Record) -> Vec<(&'static str, String)> {
    let t = f.t;
    let part = |party: &Party| match party.part.as_str() {
        "author" => t.rfi_author,
        "assignee" => t.rfi_assignee,
        "ball-in-court" => t.rfi_ball,
        "manager" => t.rfi_part_manager,
        "reviewer" => t.rfi_part_reviewer,
        "contractor" => t.rfi_part_contractor,
        "answer" => t.rfi_part_answer,
        _ => t.rfi_part_copy,
    };
    let told = |party: &&Party| {
        let named = matches!(party.part.as_str(), "author" | "assignee" | "ball-in-court" | "answer");
        !named || !party.organisation.is_empty() || !party.status.is_empty()
    };
    let words = |party: &Party| {
        let all = [&party.name, &party.organisation, &party.status];
        all.into_iter().filter(|w| !w.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    record.parties.iter().filter(told).map(|p| (part(p), words(p))).collect()
}

fn view(f: &Frame, record: &Record, elements: &[Found], terms: &Terms) -> RecordView {
    let t = f.t;
    let pieces = |text: &str| marks::pieces(text, terms.in_text(text));
    let facts = [
        (t.rfi_author, record.author.clone()),
        (t.rfi_assignee, record.assignee.clone()),
        (t.rfi_ball, record.ball_in_court.clone()),
        (t.rfi_created, format::date(&record.created)),
        (t.rfi_due, format::date(&record.due)),
        (t.rfi_answered, format::date(&record.answered)),
        (t.rfi_closed, format::date(&record.closed)),
        (t.rfi_priority, record.priority.clone()),
        (t.rfi_kind, record.kind.clone()),
        (t.rfi_project, record.project.clone()),
        (t.rfi_discipline, record.discipline.clone()),
        (t.rfi_spec, record.spec_section.clone()),
        (t.rfi_location, record.location.clone()),
        (t.rfi_cost, record.cost_impact.clone()),
        (t.rfi_schedule, record.schedule_impact.clone()),
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
        parties: parties(f, record),
        question: pieces(&record.question),
        suggestion: pieces(&record.suggestion),
        answers: record.answers.iter().map(reply).collect(),
        elements: record
            .elements
            .iter()
            .zip(elements)
            .map(|(link, found)| reference(f, &link.global_id, found))
            .collect(),
        drawings: record.drawings.iter().map(searched).collect(),
        references: record.references.iter().map(searched).collect(),
        attachments: record.attachments.clone(),
        fields: record
            .fields
            .iter()
            .filter(|(_, v)| !v.trim().is_empty())
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect(),
        ..RecordView::default()
    }
}

/// A link to the search for a text.
fn searched(text: &String) -> (String, String) {
    (links::address("/", &[("q", text)]), text.clone())
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
