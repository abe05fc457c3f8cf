//! The own layout of PDF pages: words, lines, columns, reading order, tables, headings, page headers.
#![no_main]

use ingest_fuzz::{check, layout};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let pages = layout::pages(bytes);
    let drawn: usize = pages.iter().flat_map(|p| &p.glyphs).map(|g| g.text.len() + 100).sum();
    let document = ingest::fuzzing::document_of(pages);
    check(&document, drawn);
    let _ = document.joined_tables();
});
