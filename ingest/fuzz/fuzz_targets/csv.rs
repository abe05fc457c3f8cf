//! Registers and other tables as text: separators, code pages, title blocks, header names, dates, answers in
//! cells, mapping files.
#![no_main]

use ingest::{RecordMapping, read_mapped};
use ingest_fuzz::{check, limits};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (mapping, table) = mapping(bytes);
    if let Ok(document) = read_mapped(table, "RFI-Register.csv", &limits(), &mapping) {
        check(&document, table.len());
    }
});

/// The mapping that a first line `@map header=field;…;status>state;…;day-first` states.
fn mapping(bytes: &[u8]) -> (RecordMapping, &[u8]) {
    let Some(rest) = bytes.strip_prefix(b"@map ") else { return (RecordMapping::default(), bytes) };
    let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    let (line, table) = rest.split_at(end);
    let line = String::from_utf8_lossy(line);
    let columns = line.split(';').filter_map(|p| p.split_once('='));
    let states = line.split(';').filter_map(|p| p.split_once('>'));
    let order = line.split(';').find(|p| p.ends_with("-first"));
    (RecordMapping::new(columns, states, order).unwrap_or_default(), table)
}
