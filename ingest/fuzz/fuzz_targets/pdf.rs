//! PDF as a whole: object model, pages, bookmarks, comments, form fields, embedded files.
#![no_main]

use ingest_fuzz::{after, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(&after(b"%PDF-1.7\n", bytes), "a.pdf"));
