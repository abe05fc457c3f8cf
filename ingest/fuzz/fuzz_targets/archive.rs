//! What sort of file it is, and archives: of documents, of one model, in each other, cut and overlapping.
#![no_main]

use ingest_fuzz::{package, survives};

const NAMES: [&str; 12] = [
    "a.zip", "a", "a.ifczip", "a.bcfzip", "a.xlsx", "a.docx", "a.odt", "a.doc", "a.ifc", "a.JPG", ".zip",
    "a.b/c",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let name = NAMES.get(usize::from(*first) % NAMES.len()).copied().unwrap_or_default();
    match rest.first() {
        Some(b'@') => survives(&package(&[], rest), name),
        _ => survives(rest, name),
    }
});
