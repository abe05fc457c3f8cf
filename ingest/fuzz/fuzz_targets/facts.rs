//! Energy proofs after SIA 380/1: figures in lines and tables of any shape.
#![no_main]

use ingest_fuzz::document;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let head = "Energienachweis SIA 380/1";
    for (name, whole) in [("a.csv", format!("{head}\n{text}")), ("a.md", format!("# {head}\n\n{text}"))] {
        let Some(document) = document(whole.as_bytes(), name) else { continue };
        for fact in &document.facts {
            assert!(!fact.value.is_empty(), "{fact:?}");
            let number = fact.unit.is_empty() || fact.value.parse::<f64>().is_ok_and(f64::is_finite);
            assert!(number, "a value with a unit is a decimal: {fact:?}");
        }
    }
});
