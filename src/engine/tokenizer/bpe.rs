//! Byte-level BPE: the `gpt2` model of GGUF files.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::TokenizerError;
use super::bytes::encode_byte_level;
use super::merge::merge;
use super::pre::Pre;
use super::vocab::Vocab;
use crate::engine::gguf::Gguf;

/// Merge ranks and the rule for splitting.
///
/// The merging is our own: the `tokenizers` crate refuses a vocabulary that lacks a token for some byte, and
/// SmolLM2's lacks 21 (control characters and bytes of rare planes), which are left out when they occur.
#[derive(Debug)]
pub(super) struct Bpe {
    pre: Pre,
    /// Joined text → where its parts meet and the rank of that merge.
    ranks: HashMap<Box<str>, (usize, u32)>,
    /// Further merges that give the same text.
    more: HashMap<Box<str>, Vec<(usize, u32)>>,
}

impl Bpe {
    pub(super) fn read(gguf: &Gguf) -> Result<Self, TokenizerError> {
        let pre = Pre::new(gguf.str("tokenizer.ggml.pre")?)?;
        let merges = gguf.strings("tokenizer.ggml.merges")?;
        let mut ranks = HashMap::with_capacity(merges.len());
        let mut more: HashMap<Box<str>, Vec<(usize, u32)>> = HashMap::new();
        for (rank, line) in merges.iter().enumerate() {
            // The blank between the parts; a part may itself begin with one.
            let parts = line.char_indices().skip(1).find(|(_, c)| *c == ' ');
            let Some((left, right)) = parts.and_then(|(at, _)| Some((line.get(..at)?, line.get(at + 1..)?)))
            else {
                let problem = format!("merge {rank} is not two parts with a blank between them");
                return Err(TokenizerError::Vocabulary { problem });
            };
            let joined = format!("{left}{right}").into_boxed_str();
            let entry = (left.len(), rank as u32);
            match ranks.get(&joined) {
                None => drop(ranks.insert(joined, entry)),
                Some((split, _)) if *split == entry.0 => {} // given twice: the first rank counts
                Some(_) => more.entry(joined).or_default().push(entry),
            }
        }
        Ok(Self { pre, ranks, more })
    }

    /// Whether a text begins with the token for "begin" when the file does not say.
    pub(super) fn add_bos(&self) -> bool {
        self.pre.add_bos
    }

    fn rank(&self, joined: &str, split: usize) -> Option<u32> {
        match self.ranks.get(joined)? {
            (at, rank) if *at == split => Some(*rank),
            _ => self.more.get(joined)?.iter().find(|(at, _)| *at == split).map(|(_, rank)| *rank),
        }
    }

    pub(super) fn encode(&self, text: &str, vocab: &Vocab, out: &mut Vec<u32>) {
        let mut word = String::new();
        for piece in self.pre.split(text) {
            word.clear();
            encode_byte_level(piece, &mut word);
            if self.pre.ignore_merges
                && let Some(id) = vocab.text_id(&word)
            {
                out.push(id);
                continue;
            }
            merge(
                &word,
                |joined, split| self.rank(joined, split).map(Reverse),
                |symbol| emit(symbol, vocab, out),
            );
        }
    }
}

/// Appends the token of a symbol, or those of its bytes; a byte without a token is left out, as in llama.cpp.
fn emit(symbol: &str, vocab: &Vocab, out: &mut Vec<u32>) {
    match vocab.text_id(symbol) {
        Some(id) => out.push(id),
        None => {
            let mut buffer = [0; 4];
            let ascii = symbol.chars().filter(char::is_ascii);
            out.extend(ascii.filter_map(|c| vocab.text_id(c.encode_utf8(&mut buffer))));
        }
    }
}
