//! Documents: one address per document, and what it shows depends on the place that is asked for.

mod changes;
mod element;
mod energy;
mod head;
mod listing;
mod passages;
mod pdf;
mod picture;
mod record;
mod text_layer;

use axum::{
    extract::{Query, State},
    response::Html,
};
use ingest::Kind;
use serde::Deserialize;

pub(in crate::web) use changes::ChangesView;
pub(in crate::web) use picture::picture;
#[cfg(test)]
pub(in crate::web) use {
    element::{ElementPage, ElementView, PropertyRow, PropertyTable},
    energy::{ElementRow, EnergyRow, EnergyView, ModelCell},
    head::{DocumentHead, ReadingNotes},
    listing::{Listing, ListingPage, ListingRow},
    passages::{Block, Blocks, PassagesPage},
    pdf::{PdfPage, PdfView, RectView},
    record::{RecordPage, RecordView, Reply},
};

pub(in crate::web) use text_layer::TextLine;

use crate::{
    audit::{AccessKind, Event},
    catalog::ChunkId,
    web::{error::WebError, extract::OpenDocument, frame::Frame, marks::Terms, state::Web},
};

/// Rows of a list on one page.
const PER_PAGE: u64 = 50;

/// Which place of the document, and what to mark there.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Wish {
    page: Option<u32>,
    element: String,
    record: String,
    /// Which of several records of one number, from 0; without it the last one.
    nth: Option<usize>,
    passage: Option<i64>,
    q: String,
    from: Option<u64>,
}

impl Wish {
    fn passage(&self) -> Option<ChunkId> {
        self.passage.map(ChunkId)
    }

    fn terms(&self) -> Terms {
        Terms::of(&self.q)
    }

    /// The first row of a list that starts at a whole page.
    fn offset(&self) -> u64 {
        self.from.unwrap_or(0) / PER_PAGE * PER_PAGE
    }
}

/// `GET /document/{id}`
pub(in crate::web) async fn page(
    State(web): State<Web>,
    document: OpenDocument,
    f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Html<String>, WebError> {
    let number = has_pages(document.row.kind).then(|| wish.page.unwrap_or(1));
    record_access(&web, &document, number, AccessKind::View).await?;
    if !wish.element.is_empty() {
        return element::page(&web, &document, f, &wish).await;
    }
    if !wish.record.is_empty() {
        return record::page(&web, &document, f, &wish).await;
    }
    match document.row.kind {
        Kind::Pdf | Kind::Image => pdf::page(&web, &document, f, &wish).await,
        Kind::Ifc => listing::elements(&web, &document, f, &wish).await,
        Kind::Rfi => listing::records(&web, &document, f, &wish).await,
        Kind::Sheet | Kind::Mail | Kind::Text => passages::page(&web, &document, f, &wish).await,
    }
}

/// True where a document is looked at page by page.
pub(in crate::web) fn has_pages(kind: Kind) -> bool {
    matches!(kind, Kind::Pdf | Kind::Image)
}

/// Writes down that somebody opens a document; without that nothing is shown.
pub(in crate::web) async fn record_access(
    web: &Web,
    document: &OpenDocument,
    page: Option<u32>,
    how: AccessKind,
) -> Result<(), WebError> {
    let actor = document.reader.actor();
    let event = Event::DocumentAccess { document: document.row.id.to_string(), page, how };
    web.blocking(move |app| app.audit.record(&actor, event)).await?;
    Ok(())
}

/// Addresses of the neighbouring pages of a list.
#[derive(Debug, Clone, Default)]
pub(in crate::web) struct Paging {
    pub(in crate::web) previous: Option<String>,
    pub(in crate::web) next: Option<String>,
}

impl Paging {
    /// Around the rows from `offset` of `total`; `address` gives the address for an offset.
    pub(in crate::web) fn around(offset: u64, total: u64, address: impl Fn(u64) -> String) -> Self {
        let next = offset.saturating_add(PER_PAGE);
        Paging {
            previous: (offset > 0).then(|| address(offset.saturating_sub(PER_PAGE))),
            next: (next < total).then(|| address(next)),
        }
    }
}
