use askama::Template;
use axum::response::Html;
use ingest::{Locator, Page, Rect, Warning};

use super::{TextLine, Wish, head::DocumentHead};
use crate::{
    catalog::{ChunkRow, DocumentId},
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
#[template(path = "pages/pdf.html")]
pub(in crate::web) struct PdfPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) d: DocumentHead,
    pub(in crate::web) p: PdfView,
}

/// A page of a PDF with what is marked on it.
#[derive(Debug, Default)]
pub(in crate::web) struct PdfView {
    pub(in crate::web) number: u32,
    pub(in crate::web) count: u32,
    pub(in crate::web) previous: Option<String>,
    pub(in crate::web) next: Option<String>,
    pub(in crate::web) image: String,
    /// Points, as the boxes.
    pub(in crate::web) width: String,
    pub(in crate::web) height: String,
    pub(in crate::web) passage: Vec<RectView>,
    pub(in crate::web) words: Vec<RectView>,
    /// The page's text in its places, to be selected and copied on the image.
    pub(in crate::web) lines: Vec<TextLine>,
    pub(in crate::web) quote: Vec<Piece>,
    pub(in crate::web) text: Vec<Piece>,
    pub(in crate::web) ocr: Option<String>,
    /// Addresses and numbers of the document's pages that were read badly or not at all.
    pub(in crate::web) doubtful: Vec<(String, u32)>,
    pub(in crate::web) query: String,
    pub(in crate::web) marked: String,
}

/// A box in points, origin top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::web) struct RectView {
    pub(in crate::web) x: String,
    pub(in crate::web) y: String,
    pub(in crate::web) width: String,
    pub(in crate::web) height: String,
}

impl RectView {
    /// A little larger than the word, as a marker pen draws.
    pub(in crate::web) fn around([x0, y0, x1, y1]: Rect) -> Self {
        const AIR: f32 = 1.0;
        let number = |n: f32| format!("{n:.1}");
        RectView {
            x: number(x0 - AIR),
            y: number(y0 - AIR),
            width: number((x1 - x0).max(0.0) + 2.0 * AIR),
            height: number((y1 - y0).max(0.0) + 2.0 * AIR),
        }
    }
}

pub(super) async fn page(
    web: &Web,
    document: &OpenDocument,
    f: Frame,
    wish: &Wish,
) -> Result<Html<String>, WebError> {
    let number = wish.page.unwrap_or(1);
    let (scope, id, passage) = (document.reader.scope.clone(), document.row.id, wish.passage());
    let (page, chunks, facts) = web
        .blocking(move |app| {
            let page = app.catalog.page(&scope, id, number)?;
            let chunks = app.catalog.live_chunks(&scope, passage.as_slice())?;
            Ok::<_, WebError>((page, chunks, app.catalog.document_facts(&scope, id)?))
        })
        .await?;
    let page = page.ok_or(WebError::NotFound)?;
    let cited = chunks.into_iter().find(|chunk| chunk.document == id);
    let mut p = view(&f, document, &page, cited.as_ref(), wish);
    p.doubtful = doubtful(id, &facts.map(|facts| facts.warnings).unwrap_or_default());
    let mut d = DocumentHead::of(web, document, &f, &wish.q).await?;
    d.unfold(wish.page.is_none() && wish.passage.is_none());
    Ok(Html(PdfPage { f, d, p }.render()?))
}

/// Most pages that are named; the status page lists all of them.
const MAX_DOUBTFUL: usize = 50;

fn doubtful(id: DocumentId, warnings: &[Warning]) -> Vec<(String, u32)> {
    let pages = warnings.iter().filter(|warning| warning.is_about_ocr()).filter_map(|warning| warning.page);
    let address = |page: u32| links::address(&format!("/document/{id}"), &[("page", &page.to_string())]);
    pages.take(MAX_DOUBTFUL).map(|page| (address(page), page)).collect()
}

fn view(f: &Frame, document: &OpenDocument, page: &Page, cited: Option<&ChunkRow>, wish: &Wish) -> PdfView {
    let terms = wish.terms();
    let (id, number, count) = (document.row.id, page.number, document.row.pages);
    let address = |page: u32| {
        links::address(&format!("/document/{id}"), &[("page", &page.to_string()), ("q", &wish.q)])
    };
    let boxes = cited.and_then(|chunk| on_page(&chunk.locator, number)).unwrap_or_default();
    let words = terms.on_page(page);
    PdfView {
        number,
        count,
        previous: (number > 1).then(|| address(number - 1)),
        next: (number < count).then(|| address(number + 1)),
        image: format!("/document/{id}/page/{number}"),
        width: format!("{:.1}", page.width_pt),
        height: format!("{:.1}", page.height_pt),
        quote: cited.filter(|_| !boxes.is_empty()).map(|c| marked(&terms, &c.text)).unwrap_or_default(),
        passage: boxes.into_iter().map(RectView::around).collect(),
        marked: marked_count(f, words.len()),
        words: words.into_iter().map(RectView::around).collect(),
        text: marked(&terms, page.text.trim()),
        lines: TextLine::of(page),
        ocr: page.ocr_confidence.map(|c| f.t.one(f.t.page_from_ocr, format!("{c:.0}"))),
        query: wish.q.clone(),
        doubtful: Vec::new(),
    }
}

fn marked(terms: &Terms, text: &str) -> Vec<Piece> {
    marks::pieces(text, terms.in_text(text))
}

/// The boxes of a passage that stands on this page.
fn on_page(locator: &Locator, number: u32) -> Option<Vec<Rect>> {
    match locator {
        Locator::Pdf { page, boxes } if *page == number => Some(boxes.clone()),
        _ => None,
    }
}

fn marked_count(f: &Frame, n: usize) -> String {
    match n {
        0 => f.t.page_marks_none.to_owned(),
        1 => f.t.page_marks_one.to_owned(),
        n => f.t.one(f.t.page_marks_many, format::whole(n as u64)),
    }
}
