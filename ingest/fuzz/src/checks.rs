//! What holds of every document and its passages, whatever the file was.

use std::collections::HashSet;
use std::io::{self, Write};

use ingest::{Chunk, ChunkOptions, Document, Locator, Page, Rect, TextUnit, chunk};

use crate::limits;

/// Most words of a passage beyond those of its options: what every passage of a whole says again.
const HEAD_WORDS: usize = 200;
/// A document is at most so many times as large as its file, and passages as their document.
const GROWTH: usize = 40;
/// What does not grow with the file.
const FIXED: usize = 64 << 10;

/// Boxes lie on their pages, counts reconcile, passages are in order, lead somewhere and stay in bounds, and
/// the worker's JSON carries everything.
pub fn check(document: &Document, input: usize) {
    assert!(!document.title.is_empty());
    document.pages.iter().for_each(page);
    registers(document);
    for section in &document.sections {
        assert!(section.line >= 1);
        let width = section.rows.first().map_or(0, Vec::len);
        assert!(section.rows.iter().all(|r| r.len() == width), "a table's rows are equally long");
        assert!(section.header_rows as usize <= section.rows.len());
    }
    let size = size_of(document);
    let text = limits().max_text_chars as usize;
    assert!(size <= GROWTH * input + 8 * text + FIXED, "{input} bytes became {size}");
    passages(document, size);
}

/// As [`check`] for the passages alone; `size` is that of the document.
pub fn passages(document: &Document, size: usize) -> Vec<Chunk> {
    let options = ChunkOptions::default();
    let chunks = chunk(document, &options);
    let places = Places::of(document);
    let mut total = 0;
    for (index, one) in chunks.iter().enumerate() {
        assert_eq!(one.ordinal as usize, index);
        assert!(one.text.chars().any(char::is_alphanumeric), "{one:?}");
        assert!(one.section.iter().all(|s| !s.is_empty()));
        places.check(&one.locator);
        let words = one.text.split_whitespace().count();
        assert!(words <= 2 * options.max_words + HEAD_WORDS, "a passage of {words} words");
        total += one.text.len() + one.section.iter().map(String::len).sum::<usize>();
    }
    assert!(total <= GROWTH * size + FIXED, "passages of {total} bytes from a document of {size}");
    // Each eighth document, told by its size: reading JSON takes longer than all the rest.
    if size.is_multiple_of(8) {
        let json = serde_json::to_vec(document).expect("a document is JSON");
        let back: Document = serde_json::from_slice(&json).expect("and comes back");
        let again = chunk(&back, &options);
        assert_eq!(again.len(), chunks.len(), "the worker's JSON carries everything");
        assert!(again.iter().zip(&chunks).all(|(a, b)| a.text == b.text && a.section == b.section));
    }
    chunks
}

/// Bytes of the document as JSON.
pub fn size_of(document: &Document) -> usize {
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, document).expect("a document is JSON");
    counter.0
}

struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn on_page(rect: Rect, page: &Page) {
    let [x0, y0, x1, y1] = rect;
    assert!(0.0 <= x0 && x0 <= x1 && x1 <= page.width_pt + 0.01, "{rect:?} on {}", page.width_pt);
    assert!(0.0 <= y0 && y0 <= y1 && y1 <= page.height_pt + 0.01, "{rect:?} on {}", page.height_pt);
}

fn page(page: &Page) {
    page.words.iter().for_each(|w| on_page(w.rect, page));
    page.annotations.iter().for_each(|a| on_page(a.rect, page));
    page.fields.iter().for_each(|f| on_page(f.rect, page));
    let blocks: HashSet<u32> = page.words.iter().map(|w| w.block).collect();
    for table in &page.tables {
        let width = table.rows.first().map_or(0, Vec::len);
        assert!(table.rows.iter().all(|r| r.len() == width));
        assert_eq!(table.rows.len(), table.row_boxes.len());
        assert!(table.header_rows as usize <= table.rows.len());
        assert!(blocks.contains(&table.block), "a table without words");
        for span in &table.spans {
            assert!(span.rows >= 1 && span.columns >= 1);
            assert!((span.row + span.rows) as usize <= table.rows.len(), "{span:?}");
            assert!((span.column + span.columns) as usize <= width, "{span:?}");
        }
    }
    assert!(page.furniture.is_sorted());
    assert!(page.headings.iter().all(|h| h.level >= 1 && !h.text.is_empty()));
}

/// What went into a register is stored, merged or rejected.
fn registers(document: &Document) {
    let mut stored = 0;
    for register in &document.registers {
        assert!(register.counts.balance(), "{:?}", register.counts);
        assert_eq!(register.counts.rejected, register.rejected.len() as u64);
        stored += register.counts.stored;
    }
    assert_eq!(stored, document.records.len() as u64);
    assert!(document.records.iter().all(|r| !r.number.trim().is_empty()), "a record without a number");
}

/// What locators may lead to.
struct Places<'a> {
    document: &'a Document,
    ids: HashSet<&'a str>,
    records: HashSet<&'a str>,
}

impl<'a> Places<'a> {
    fn of(document: &'a Document) -> Self {
        let elements = document.elements.iter().map(|e| e.global_id.as_str());
        let ids = elements.chain(document.spatial.iter().map(|n| n.global_id.as_str())).collect();
        Places { document, ids, records: document.records.iter().map(|r| r.number.as_str()).collect() }
    }

    fn check(&self, locator: &Locator) {
        let document = self.document;
        match locator {
            Locator::Pdf { page, boxes } => {
                let page = document.pages.iter().find(|p| p.number == *page).expect("the page is there");
                assert!(boxes.iter().flatten().all(|v| v.is_finite()), "{page:?}");
            }
            Locator::Ifc { global_id } => {
                assert!(self.ids.contains(global_id.as_str()) || document.spatial.is_empty(), "{global_id}");
            }
            Locator::Rfi { record } => assert!(self.records.contains(record.as_str()), "{record}"),
            Locator::Sheet { sheet, row } => {
                let inside = document.sheets.iter().any(|s| {
                    s.name == *sheet
                        && (s.first_row as usize..=s.first_row as usize + s.rows.len())
                            .contains(&(*row as usize))
                });
                let noted = document.notes.iter().any(|n| n.sheet == *sheet && n.row == *row);
                assert!(inside || noted, "{locator:?}");
            }
            Locator::Mail { message_id, part } => {
                assert_eq!(document.metadata.get("message_id"), Some(message_id));
                assert_eq!(*part, 0);
            }
            Locator::Text { section, line, unit } => {
                let mut named = document.sections.iter().filter(|s| s.heading == *section);
                assert!(*line >= 1 && named.any(|s| s.unit == *unit), "{locator:?}");
            }
        }
    }
}

/// The last line that a passage of a text file leads to is one of the file.
pub fn lines_exist(document: &Document, lines: usize) {
    for one in chunk(document, &ChunkOptions::default()) {
        if let Locator::Text { line, unit: TextUnit::Line, .. } = one.locator {
            assert!(line as usize <= lines.max(1), "line {line} of {lines}");
        }
    }
}
