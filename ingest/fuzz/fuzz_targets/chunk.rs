//! Passages of any document that the worker's JSON can carry, tables over pages, and what changed between two
//! versions of a model.
#![no_main]

use ingest::{ChunkOptions, Document, chunk, diff_elements};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = serde_json::from_slice::<Document>(bytes) else { return };
    for (max_words, table_words) in [(200, 140), (0, 0), (usize::MAX, 1), (25, usize::MAX)] {
        let chunks = chunk(&document, &ChunkOptions { max_words, table_words });
        for (index, one) in chunks.iter().enumerate() {
            assert_eq!(one.ordinal as usize, index);
            assert!(one.text.chars().any(char::is_alphanumeric));
        }
        let total: usize = chunks.iter().map(|c| c.text.len()).sum();
        assert!(total <= 100 * bytes.len() + 65_536, "{total} bytes of passages");
    }
    let _ = document.joined_tables();
    let (elements, earlier) = (&document.elements, document.elements.get(1..).unwrap_or_default());
    let same = diff_elements(elements, elements);
    assert!(
        same.added.is_empty()
            && same.removed.is_empty()
            && same.counts.unchanged as usize + same.changed.len() == elements.len()
    );
    let diff = diff_elements(earlier, elements);
    assert_eq!(diff.added.len() + diff.changed.len() + diff.counts.unchanged as usize, elements.len());
    assert_eq!(diff.removed.len() + diff.changed.len() + diff.counts.unchanged as usize, earlier.len());
});
