//! Plain text of any code page.
#![no_main]

use ingest_fuzz::{checks, document};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(document) = document(bytes, "a.txt") else { return };
    // Of UTF-16 every line break has one byte of its own as well, whichever half it is.
    let breaks = bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
    checks::lines_exist(&document, breaks + 1);
});
