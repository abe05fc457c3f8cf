//! Rich Text Format.
#![no_main]

use ingest_fuzz::{after, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(&after(b"{\\rtf1 ", bytes), "a.rtf"));
