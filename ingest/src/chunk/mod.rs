//! A document's passages: what is embedded, found and cited.

mod facts;
mod forms;
mod ifc;
mod labels;
pub(crate) mod language;
mod pack;
mod pdf;
mod records;
mod sections;
mod sentences;
mod table;

use crate::model::{Chunk, Document, Kind, Locator};

/// No model takes longer passages.
const MAX_WORDS: usize = 100_000;

/// How long passages are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkOptions {
    /// Most words of a passage of running text. Embedding models of the BERT family take 512 tokens; 200
    /// German words are about 400.
    pub max_words: usize,
    /// Words from which a group of table rows is closed.
    pub table_words: usize,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        ChunkOptions { max_words: 200, table_words: 140 }
    }
}

/// Parts a document into passages. The same document and options give the same passages with the same
/// ordinals; a passage never runs over the border of a page or a record.
pub fn chunk(document: &Document, options: &ChunkOptions) -> Vec<Chunk> {
    let max_words = options.max_words.clamp(20, MAX_WORDS);
    let options = ChunkOptions { max_words, table_words: options.table_words.clamp(10, max_words) };
    let mut sink = Sink { chunks: Vec::new() };
    pdf::chunk(document, &options, &mut sink);
    ifc::chunk(document, &options, &mut sink);
    records::chunk(document, &options, &mut sink);
    sections::chunk(document, &options, &mut sink);
    facts::chunk(document, &options, &mut sink);
    sink.chunks
}

/// Numbers passages as they come.
pub(crate) struct Sink {
    chunks: Vec<Chunk>,
}

impl Sink {
    /// Adds a passage, unless it has no letter or digit. Steps of the section's path that say nothing are left out.
    pub(crate) fn push(&mut self, kind: Kind, locator: Locator, mut section: Vec<String>, text: String) {
        if !text.chars().any(char::is_alphanumeric) {
            return;
        }
        let Ok(ordinal) = u32::try_from(self.chunks.len()) else { return };
        let language = language::vote(&text);
        section.retain(|step| !step.trim().is_empty());
        self.chunks.push(Chunk { ordinal, kind, locator, section, text, language });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_say_nothing_are_no_part_of_a_path() {
        let mut sink = Sink { chunks: Vec::new() };
        let place = || Locator::Rfi { record: "7".into() };
        for path in [vec!["", "RFI"], vec!["RFI", " \u{a0}"], vec!["RFI"]] {
            let path = path.into_iter().map(String::from).collect();
            sink.push(Kind::Rfi, place(), path, "Haustechnik".into());
        }
        sink.push(Kind::Rfi, place(), vec![String::new()], "—".into());
        assert_eq!(sink.chunks.len(), 3);
        assert!(sink.chunks.iter().all(|c| c.section == ["RFI"]));
    }
}
