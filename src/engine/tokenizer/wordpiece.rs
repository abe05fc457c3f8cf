//! WordPiece vocabularies: the `bert` model of GGUF files. A text is cleaned and cut into words and signs; each word
//! is cut into the longest pieces from its start on, and one that cannot be is unknown as a whole.
//!
//! In the files a piece that begins a word is written with `▁` in front, one that goes on as it is.

use tokenizers::normalizers::bert::BertNormalizer;
use tokenizers::pipeline::{Normalizer, PreTokenizer, PreTokenizerScratch};
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

use super::TokenizerError;
use super::vocab::Vocab;
use crate::engine::gguf::Gguf;

/// Words with more characters are unknown.
const LONGEST_WORD: usize = 100;

/// How a text becomes words.
#[derive(Debug)]
pub(super) struct WordPiece {
    normalizer: BertNormalizer,
    unknown: u32,
}

impl WordPiece {
    pub(super) fn read(gguf: &Gguf, vocab: &Vocab) -> Result<Self, TokenizerError> {
        let unknown = vocab.unk.or_else(|| vocab.id("[UNK]")).ok_or_else(|| TokenizerError::Vocabulary {
            problem: "it names no token for unknown words (tokenizer.ggml.unknown_token_id)".into(),
        })?;
        let lowercase = gguf.opt_bool("tokenizer.ggml.normalizer.lowercase")?.unwrap_or(true);
        let strip = gguf.opt_bool("tokenizer.ggml.normalizer.strip_accents")?;
        Ok(Self { normalizer: BertNormalizer::new(true, true, strip, lowercase), unknown })
    }

    /// Appends the tokens of `text`.
    pub(super) fn encode(&self, text: &str, vocab: &Vocab, out: &mut Vec<u32>) {
        // Neither step can refuse a text; should one, the text has no words.
        let Ok(text) = self.normalizer.normalize(text, 0) else { return };
        let (mut scratch, mut spans) = (PreTokenizerScratch::default(), Vec::new());
        if BertPreTokenizer.pre_tokenize(&text, &mut scratch, &mut spans).is_err() {
            return;
        }
        for word in spans.iter().filter_map(|span| text.get(span.range())) {
            let before = out.len();
            if word.chars().count() > LONGEST_WORD || !pieces(word, vocab, out) {
                out.truncate(before);
                out.push(self.unknown);
            }
        }
    }
}

/// Appends the pieces of a word; false where some part of it has none.
fn pieces(word: &str, vocab: &Vocab, out: &mut Vec<u32>) -> bool {
    let mut rest = word;
    let mut candidate = String::with_capacity(word.len() + 3);
    while !rest.is_empty() {
        let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
        let found = ends.filter_map(|end| rest.split_at_checked(end)).find_map(|(piece, after)| {
            candidate.clear();
            candidate.push_str(if rest.len() == word.len() { "\u{2581}" } else { "" });
            candidate.push_str(piece);
            Some((vocab.text_id(&candidate)?, after))
        });
        let Some((id, after)) = found else { return false };
        out.push(id);
        rest = after;
    }
    true
}
