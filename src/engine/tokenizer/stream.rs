//! Turning tokens into text as they come, in whole characters.

use super::Tokenizer;

/// Collects the bytes of tokens and hands out text as soon as its characters are whole. A character may be
/// spread over several tokens; bytes that can never become one are shown as U+FFFD.
#[derive(Debug)]
pub struct StreamDecoder<'t> {
    tokenizer: &'t Tokenizer,
    pending: Vec<u8>,
}

impl<'t> StreamDecoder<'t> {
    /// A decoder for the tokens of one answer.
    pub fn new(tokenizer: &'t Tokenizer) -> Self {
        Self { tokenizer, pending: Vec::new() }
    }

    /// Takes one token and returns the text that is whole now; often empty, never half a character.
    pub fn push(&mut self, id: u32) -> String {
        self.pending.extend_from_slice(self.tokenizer.decode_piece(id));
        self.take(false)
    }

    /// The rest: what is still incomplete becomes U+FFFD.
    pub fn finish(mut self) -> String {
        self.take(true)
    }

    fn take(&mut self, all: bool) -> String {
        let mut out = String::new();
        let mut taken = 0;
        for chunk in self.pending.utf8_chunks() {
            out.push_str(chunk.valid());
            taken += chunk.valid().len();
            let invalid = chunk.invalid();
            let at_the_end = taken + invalid.len() == self.pending.len();
            if invalid.is_empty() || (at_the_end && !all && may_grow(invalid)) {
                break;
            }
            out.push(char::REPLACEMENT_CHARACTER);
            taken += invalid.len();
        }
        self.pending.drain(..taken);
        out
    }
}

/// Whether these bytes can be the beginning of a character.
fn may_grow(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|e| e.error_len().is_none())
}
