//! Exports of several CSV tables in one archive.
#![no_main]

use ingest_fuzz::{package, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(&package(&["rfis.csv"], bytes), "rfi.zip"));
