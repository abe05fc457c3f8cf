//! OpenDocument texts and presentations, packed part by part or flat.
#![no_main]

use ingest_fuzz::{after, package, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match bytes.first() {
    Some(b'@' | b'P') => survives(&package(&["content.xml"], bytes), "a.odt"),
    _ => survives(&after(b"<?xml version=\"1.0\"?><office:document>", bytes), "a.fodt"),
});
