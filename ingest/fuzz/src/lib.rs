//! What the fuzz targets share: input made from the fuzzer's bytes, and what every document must hold to.

pub mod checks;
pub mod layout;
pub mod packages;

use std::alloc::System;
use std::borrow::Cow;

use cap::Cap;
use ingest::{Document, Limits, read, sniff};

pub use checks::check;
pub use packages::{compound, package};

/// Bytes that may be in use at one time. The limits below are far from letting a reader need as much.
const MOST_MEMORY: usize = 256 << 20;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, MOST_MEMORY);

/// Limits small enough that an input of some kilobytes can reach them.
pub fn limits() -> Limits {
    Limits {
        max_image_pixels: 4_000_000,
        max_pages: 20,
        max_ocr_pages: 5,
        max_expanded_bytes: 1 << 20,
        max_members: 60,
        max_rows: 2_000,
        max_elements: 500,
        max_text_chars: 200_000,
    }
}

/// Reads a file of this name and checks what comes of it.
pub fn survives(bytes: &[u8], name: &str) {
    let announced = sniff(bytes, name);
    match read(bytes, name, &limits()) {
        Ok(document) => {
            assert!(announced.is_some(), "read, and announced as unknown");
            check(&document, bytes.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// As [`survives`], and gives the document.
pub fn document(bytes: &[u8], name: &str) -> Option<Document> {
    let document = read(bytes, name, &limits()).ok()?;
    check(&document, bytes.len());
    Some(document)
}

/// The bytes behind the mark by which the format is known.
pub fn after<'a>(mark: &[u8], bytes: &'a [u8]) -> Cow<'a, [u8]> {
    if bytes.starts_with(mark) { Cow::Borrowed(bytes) } else { Cow::Owned([mark, bytes].concat()) }
}
