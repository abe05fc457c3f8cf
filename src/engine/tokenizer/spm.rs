//! SentencePiece-style BPE: the `llama` model of GGUF files. The pair whose joined text has the best score
//! is joined first; characters without a token become byte tokens.

use super::cache::Words;
use super::merge::merge;
use super::vocab::{Kind, Vocab};

/// A score as a rank: higher is better, and equal scores are equal (-0.0 and 0.0 too).
#[derive(PartialEq)]
struct Score(f32);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0 + 0.0).total_cmp(&(other.0 + 0.0))
    }
}

/// The words that can be looked at one by one, as no pair over the end of one is ever joined.
pub(super) fn words(vocab: &Vocab) -> Option<Words> {
    Words::of(vocab.iter().filter(|(_, id)| vocab.kind(*id) != Kind::Control).map(|(text, _)| text))
}

/// Appends the tokens of `text`, in which blanks are written as `▁`.
pub(super) fn encode(text: &str, vocab: &Vocab, bytes: &[Option<u32>; 256], out: &mut Vec<u32>) {
    let rank = |joined: &str, _split: usize| vocab.text_id(joined).map(|id| Score(vocab.score(id)));
    merge(text, rank, |symbol| match vocab.text_id(symbol) {
        Some(id) => out.push(id),
        None => out.extend(symbol.bytes().filter_map(|byte| bytes[byte as usize].or(vocab.unk))),
    });
}

/// The token for each byte: `<0xAB>`, or the byte's own character in old files.
pub(super) fn byte_tokens(vocab: &Vocab) -> [Option<u32>; 256] {
    std::array::from_fn(|byte| {
        let own = || vocab.id(char::from_u32(byte as u32).filter(char::is_ascii)?.encode_utf8(&mut [0; 4]));
        vocab.id(&format!("<0x{byte:02X}>")).or_else(own)
    })
}
