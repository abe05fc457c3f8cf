//! Word documents, part by part.
#![no_main]

use ingest_fuzz::{package, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(
    &package(&["[Content_Types].xml", "word/document.xml"], bytes),
    "a.docx"
));
