//! Messages of Outlook, property by property.
#![no_main]

use ingest_fuzz::{compound, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survives(&compound(bytes), "a.msg"));
