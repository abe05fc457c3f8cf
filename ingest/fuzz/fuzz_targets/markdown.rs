//! Markdown.
#![no_main]

use ingest_fuzz::survives;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(bytes, "a.md"));
