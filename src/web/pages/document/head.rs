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
        let (facts, children) = web
            .blocking(move |app| {
                Ok::<_, WebError>((
                    app.catalog.document_facts(&scope, id)?,
                    app.catalog.children(&scope, id)?,
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

fn fact_list(f: &Frame, row: &DocumentRow, facts: Option<&DocumentFacts>) -> Vec<(String, String)> {
    let t = f.t;
    let mut list = vec![
        (t.document_project.to_owned(), row.project_name.clone()),
        (t.document_path.to_owned(), format!("{}: {}", row.source, row.path)),
    ];
    if row.parent.is_none() {
        // An attachment's row has the size of its mail.
        list.push((t.document_size.to_owned(), format::bytes(row.size)));
    }
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
