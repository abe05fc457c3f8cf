//! Workbooks: XLSX part by part with notes and threads, ODS, and whole files of any form.
#![no_main]

use ingest_fuzz::{package, survives};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match bytes.first() {
    Some(b'@') => survives(&package(&["[Content_Types].xml", "xl/workbook.xml"], bytes), "a.xlsx"),
    Some(b'P') => survives(bytes, "a.xlsx"),
    _ => survives(bytes, "a.xls"),
});
