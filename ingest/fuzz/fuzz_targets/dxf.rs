//! Drawings as text.
#![no_main]

use ingest_fuzz::{after, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(&after(b"0\nSECTION\n", bytes), "a.dxf"));
