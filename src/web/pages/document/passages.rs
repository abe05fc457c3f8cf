use askama::Template;
use axum::response::Html;
use ingest::Kind;

use super::{PER_PAGE, Paging, Wish, head::DocumentHead, listing, record};
use crate::{
    catalog::{ChunkRow, MailRow},
    web::{
        error::WebError,
        extract::OpenDocument,
        frame::Frame,
        links,
        marks::{self, Piece},
        state::Web,
    },
};

#[derive(Template)]
#[template(path = "pages/passages.html")]
pub(in crate::web) struct PassagesPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) d: DocumentHead,
    pub(in crate::web) l: Blocks,
}

/// A page of a document's passages.
#[derive(Debug, Default)]
pub(in crate::web) struct Blocks {
    pub(in crate::web) range: String,
    pub(in crate::web) blocks: Vec<Block>,
    pub(in crate::web) paging: Paging,
    /// The mails of the thread, oldest first: address, words, and whether it is this one.
    pub(in crate::web) thread: Vec<(String, String, bool)>,
}

#[derive(Debug, Default)]
pub(in crate::web) struct Block {
    pub(in crate::web) place: String,
    pub(in crate::web) text: Vec<Piece>,
    /// True for the passage that a hit or a citation led to.
    pub(in crate::web) cited: bool,
}

/// Sheets, mails and texts, passage by passage.
pub(super) async fn page(
    web: &Web,
    document: &OpenDocument,
    f: Frame,
    wish: &Wish,
) -> Result<Html<String>, WebError> {
    let (scope, id) = (document.reader.scope.clone(), document.row.id);
    let is_mail = document.row.kind == Kind::Mail;
    let (chunks, thread) = web
        .blocking(move |app| {
            let thread = if is_mail { app.catalog.thread(&scope, id)? } else { Vec::new() };
            Ok::<_, WebError>((app.catalog.chunks_of(&scope, id)?, thread))
        })
        .await?;
    let link = |mail: &MailRow| {
        let (href, words) = record::mail_link(mail);
        (href, words, mail.document == id)
    };
    let cited = wish.passage().and_then(|id| chunks.iter().position(|chunk| chunk.id == id));
    let offset = match (wish.from, cited) {
        (None, Some(n)) => n as u64 / PER_PAGE * PER_PAGE,
        _ => wish.offset(),
    };
    let terms = wish.terms();
    let block = |(n, chunk): (usize, &ChunkRow)| Block {
        place: place(&f, chunk),
        text: marks::pieces(&chunk.text, terms.in_text(&chunk.text)),
        cited: cited == Some(n),
    };
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let blocks: Vec<Block> =
        chunks.iter().enumerate().skip(start).take(PER_PAGE as usize).map(block).collect();
    let l = Blocks {
        range: listing::range(&f, offset, blocks.len(), chunks.len() as u64),
        paging: listing::paging(document, offset, chunks.len() as u64),
        blocks,
        thread: if thread.len() > 1 { thread.iter().map(link).collect() } else { Vec::new() },
    };
    let mut d = DocumentHead::of(web, document, &f, &wish.q).await?;
    d.unfold(wish.passage.is_none() && offset == 0);
    Ok(Html(PassagesPage { f, d, l }.render()?))
}

fn place(f: &Frame, chunk: &ChunkRow) -> String {
    let words = links::words(f.t, f.language, &chunk.locator, None);
    let section = chunk.section.join(" › ");
    if section.is_empty() || words == section { words } else { format!("{words} · {section}") }
}
