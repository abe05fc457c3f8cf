//! BCF archives: topics, comments, views, documents.
#![no_main]

use ingest_fuzz::{package, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(&package(&["bcf.version"], bytes), "a.bcf"));
