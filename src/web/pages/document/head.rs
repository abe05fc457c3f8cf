use ingest::{Kind, Warning};

use super::changes::ChangesView;
use super::energy::{self, EnergyView};
use crate::{
    catalog::{DocumentFacts, DocumentRow},
    web::{
        error::WebError,
        extract::OpenDocument,
        format,
        frame::Frame,
        links,
        originals::{self, Presence},
        state::Web,
    },
};

/// Metadata that is worth showing, in this order.
const METADATA: [&str; 9] =
    ["author", "from", "to", "cc", "subject", "date", "created", "modified", "schema"];

/// Notes of the reader that are shown.
const NOTES: usize = 20;

/// What the reader had to say about the file.
#[derive(Debug, Default)]
pub(in crate::web) struct ReadingNotes {
    /// That the file was read only in part, or that there are notes.
    pub(in crate::web) summary: String,
    /// As the program gave them, in English.
    pub(in crate::web) notes: Vec<String>,
    /// How many are not shown; empty where all are.
    pub(in crate::web) more: String,
}

/// What stands above every document.
#[derive(Debug, Default)]
pub(in crate::web) struct DocumentHead {
    pub(in crate::web) href: String,
    pub(in crate::web) title: String,
    pub(in crate::web) kind: &'static str,
    pub(in crate::web) kind_label: &'static str,
    pub(in crate::web) project: String,
    /// Names and values.
    pub(in crate::web) facts: Vec<(String, String)>,
    /// That the file is not what was read, or not there.
    pub(in crate::web) notice: Option<String>,
    pub(in crate::web) downloadable: bool,
    pub(in crate::web) original: String,
    /// Addresses and titles.
    pub(in crate::web) attachments: Vec<(String, String)>,
    /// The search that led here, empty where none did.
    pub(in crate::web) back: String,
    /// What an energy proof states.
    pub(in crate::web) energy: Option<EnergyView>,
    /// What changed in a model since the version before.
    pub(in crate::web) changes: Option<ChangesView>,
    /// What was odd, lost or cut off.
    pub(in crate::web) reading: Option<ReadingNotes>,
}

impl DocumentHead {
    pub(super) async fn of(
        web: &Web,
        document: &OpenDocument,
        f: &Frame,
        query: &str,
    ) -> Result<Self, WebError> {
        let row = &document.row;
        let (scope, id) = (document.reader.scope.clone(), row.id);
        let is_model = row.kind == Kind::Ifc;
        let (facts, children, changes) = web
            .blocking(move |app| {
                Ok::<_, WebError>((
                    app.catalog.document_facts(&scope, id)?,
                    app.catalog.children(&scope, id)?,
                    if is_model { app.catalog.model_changes(&scope, id)? } else { None },
                ))
            })
            .await?;
        let presence = originals::presence(web, document).await?;
        let read = format::date(&row.indexed_at);
        let href = format!("/document/{id}");
        Ok(DocumentHead {
            title: row.title.clone(),
            kind: row.kind.as_str(),
            kind_label: f.t.kind(row.kind),
            project: row.project_name.clone(),
            facts: fact_list(f, row, facts.as_ref()),
            notice: match presence {
                Presence::AsRead => None,
                Presence::Changed => Some(f.t.one(f.t.document_changed, &read)),
                Presence::Missing => Some(f.t.one(f.t.document_missing, &read)),
            },
            downloadable: presence == Presence::AsRead,
            original: format!("{href}/original"),
            attachments: children.into_iter().map(|c| (format!("/document/{}", c.id), c.title)).collect(),
            energy: energy::of(web, document, f).await?,
            changes: changes.map(|changes| ChangesView::new(f, &changes, id)),
            reading: facts.and_then(|facts| notes(f, facts.warnings)),
            back: if query.is_empty() { String::new() } else { links::address("/", &[("q", query)]) },
            href,
        })
    }
}

impl DocumentHead {
    /// Shows the energy table unfolded: where the document itself was asked for, not a place in it.
    pub(super) fn unfold(&mut self, open: bool) {
        if let Some(energy) = &mut self.energy {
            energy.open = open;
        }
    }
}

/// The reader's notes, losses first. Pages to look at say so themselves.
fn notes(f: &Frame, mut warnings: Vec<Warning>) -> Option<ReadingNotes> {
    let t = f.t;
    warnings.retain(|warning| !warning.is_about_ocr());
    warnings.sort_by_key(|warning| !warning.is_a_loss());
    let text = if warnings.first()?.is_a_loss() { t.reading_in_part } else { t.reading_notes };
    let more = warnings.len().saturating_sub(NOTES) as u64;
    Some(ReadingNotes {
        summary: t.one(text, format::whole(warnings.len() as u64)),
        notes: warnings
            .into_iter()
            .take(NOTES)
            .map(|w| match w.page {
                Some(page) => format!("{} ({})", w.message, t.one(t.place_page, page)),
                None => w.message,
            })
            .collect(),
        more: if more > 0 { t.one(t.changes_more, format::whole(more)) } else { String::new() },
    })
}

fn fact_list(f: &Frame, row: &DocumentRow, facts: Option<&DocumentFacts>) -> Vec<(String, String)> {
    let t = f.t;
    let mut list = vec![
        (t.document_project.to_owned(), row.project_name.clone()),
        (t.document_path.to_owned(), format!("{}: {}", row.source, row.path)),
    ];
    list.push((t.document_size.to_owned(), format::bytes(row.size)));
    if row.pages > 0 {
        list.push((t.document_pages.to_owned(), format::whole(row.pages.into())));
    }
    list.push((t.document_indexed.to_owned(), format::date(&row.indexed_at)));
    for key in METADATA {
        if let Some(value) = facts.and_then(|f| f.metadata.get(key)).filter(|v| !v.trim().is_empty()) {
            let value = if matches!(key, "date" | "created" | "modified") {
                format::date(value)
            } else {
                value.clone()
            };
            list.push((key.to_owned(), value));
        }
    }
    list
}
