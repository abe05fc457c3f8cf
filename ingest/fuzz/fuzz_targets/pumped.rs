//! Long inputs out of short ones, in every format that is text: two pieces, each repeated many times. What takes
//! time or memory by the square of its length, or says a long thing again for many short ones, shows here.
#![no_main]

use ingest_fuzz::survives;

const FORMATS: [(&str, &str); 14] = [
    ("{\\rtf1 ", "a.rtf"),
    ("0\nSECTION\n", "a.dxf"),
    ("ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));ENDSEC;DATA;\n", "a.ifc"),
    ("<ifcXML>", "a.ifcxml"),
    ("", "a.html"),
    ("", "a.md"),
    ("", "a.txt"),
    ("", "a.csv"),
    ("RFI;Betreff;Frage;Antwort\n", "RFI.csv"),
    ("", "rfi.json"),
    ("From: a@example.ch\nDate: Mon, 02 Mar 2026 10:15:00 +0100\n", "a.eml"),
    ("<?xml version=\"1.0\"?><office:document>", "a.fodt"),
    ("SIA 380/1\n", "a.md"),
    ("%PDF-1.7\n", "a.pdf"),
];
/// Bytes of one of the two long parts.
const LONGEST: usize = 100_000;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([format, first, second, cuts @ ..], text)) = bytes.split_first_chunk::<7>() else { return };
    let Some((head, name)) = FORMATS.get(usize::from(*format) % FORMATS.len()) else { return };
    let mut rest = text;
    let [before, one, between, other] = cuts.map(|length| {
        let (part, after) = rest.split_at(usize::from(length).min(rest.len()));
        rest = after;
        part
    });
    let long = [repeated(one, *first), repeated(other, *second)];
    survives(&[head.as_bytes(), before, &long[0], between, &long[1], rest].concat(), name);
});

/// The piece, up to 2^17 times.
fn repeated(piece: &[u8], power: u8) -> Vec<u8> {
    piece.repeat((1 << (power % 18)).min(LONGEST / piece.len().max(1)))
}
