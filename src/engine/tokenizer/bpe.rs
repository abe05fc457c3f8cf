//! Byte-level BPE: the `gpt2` model of GGUF files.

use std::collections::HashMap;

use super::TokenizerError;
use super::bytes::{byte, character};
use super::cache::WordCache;
use super::pairs::{Merge, Pairs};
use super::pre::Pre;
use super::vocab::Vocab;
use super::word::{Symbol, join_all};
use crate::engine::gguf::Gguf;

/// Merges and the rule for splitting.
///
/// The merging is our own: the `tokenizers` crate refuses a vocabulary that lacks a token for some byte, and
/// SmolLM2's lacks 21 (control characters and bytes of rare planes), which are left out when they occur.
///
/// Symbols have numbers of their own: the 256 bytes, then whatever merges make.
#[derive(Debug)]
pub(super) struct Bpe {
    pre: Pre,
    pairs: Pairs,
    /// The token of each symbol, or [`SPELT`].
    tokens: Vec<u32>,
    /// Tokens of those symbols that have none of their own.
    spelt: HashMap<u32, Box<[u32]>>,
}

/// The symbol has no token of its own.
const SPELT: u32 = u32::MAX;

impl Bpe {
    pub(super) fn read(gguf: &Gguf, vocab: &Vocab) -> Result<Self, TokenizerError> {
        let pre = Pre::new(gguf.str("tokenizer.ggml.pre")?)?;
        let lines = gguf.strings("tokenizer.ggml.merges")?;
        let merges = lines.iter().enumerate().map(parts).collect::<Result<Vec<_>, _>>()?;
        let symbols = Symbols::of(&merges);
        let mut bpe = Self {
            pre,
            pairs: Pairs::new(merges.len()),
            tokens: vec![SPELT; 256 + symbols.count],
            spelt: HashMap::new(),
        };
        for (rank, &(left, right)) in (0..).zip(&merges) {
            // A part that is no byte and that nothing makes never occurs; neither does its merge.
            let found =
                (symbols.find(left), symbols.find(right), symbols.made.get(&*format!("{left}{right}")));
            if let (Some(left), Some(right), Some(&symbol)) = found {
                bpe.pairs.insert(left, right, Merge { rank, symbol });
            }
        }
        for value in 0..=255 {
            bpe.name(u32::from(value), character(value).encode_utf8(&mut [0; 4]), vocab);
        }
        for (text, &symbol) in &symbols.made {
            bpe.name(symbol, text, vocab);
        }
        Ok(bpe)
    }

    /// Finds the token of a symbol, or those of its bytes.
    fn name(&mut self, symbol: u32, text: &str, vocab: &Vocab) {
        if let Some(id) = vocab.text_id(text) {
            if let Some(token) = self.tokens.get_mut(symbol as usize) {
                *token = id;
            }
            return;
        }
        let ascii = text.chars().filter(char::is_ascii);
        let spelt: Box<[u32]> = ascii.filter_map(|c| vocab.text_id(c.encode_utf8(&mut [0; 4]))).collect();
        if !spelt.is_empty() {
            self.spelt.insert(symbol, spelt);
        }
    }

    /// Whether a text begins with the token for "begin" when the file does not say.
    pub(super) fn add_bos(&self) -> bool {
        self.pre.add_bos
    }

    pub(super) fn encode(
        &self,
        text: &str,
        vocab: &Vocab,
        cache: &mut Option<&mut WordCache>,
        out: &mut Vec<u32>,
    ) {
        for piece in self.pre.split(text) {
            match cache {
                Some(cache) => cache.extend(piece, out, |out| self.encode_word(piece, vocab, out)),
                None => self.encode_word(piece, vocab, out),
            }
        }
    }

    fn encode_word(&self, piece: &str, vocab: &Vocab, out: &mut Vec<u32>) {
        if self.pre.ignore_merges {
            let word: String = piece.bytes().map(character).collect();
            if let Some(id) = vocab.text_id(&word) {
                out.push(id);
                return;
            }
        }
        let symbols = piece.bytes().map(u32::from).filter(|&byte| self.known(byte));
        let mut symbols = symbols.map(Symbol::new).collect();
        join_all(&mut symbols, &self.pairs);
        for symbol in &symbols {
            match self.tokens.get(symbol.number as usize) {
                Some(&SPELT) => out.extend(self.spelt.get(&symbol.number).into_iter().flatten()),
                Some(&token) => out.push(token),
                None => {}
            }
        }
    }

    /// Whether the vocabulary can write a byte. One that it cannot is left out before its neighbours are joined, as when
    /// the models were trained.
    fn known(&self, byte: u32) -> bool {
        self.tokens.get(byte as usize).is_some_and(|&token| token != SPELT) || self.spelt.contains_key(&byte)
    }

    /// Bytes that it takes, the compiled rule for splitting aside.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.bytes() + size_of_val(&*self.tokens)
    }

    /// Bytes that it takes for these merges.
    pub(super) fn planned_bytes(merges: usize) -> usize {
        Pairs::planned_bytes(merges) + (256 + merges) * size_of::<u32>()
    }
}

/// The two parts of a merge's line.
fn parts((rank, line): (usize, &String)) -> Result<(&str, &str), TokenizerError> {
    // The blank between the parts; a part may itself begin with one.
    let blank = line.char_indices().skip(1).find(|(_, c)| *c == ' ');
    blank.and_then(|(at, _)| Some((line.get(..at)?, line.get(at + 1..)?))).ok_or_else(|| {
        let problem = format!("merge {rank} is not two parts with a blank between them");
        TokenizerError::Vocabulary { problem }
    })
}

/// Numbers for what merges make, while they are read.
struct Symbols {
    made: HashMap<Box<str>, u32>,
    count: usize,
}

impl Symbols {
    fn of(merges: &[(&str, &str)]) -> Self {
        let mut made = HashMap::with_capacity(merges.len());
        for (left, right) in merges {
            let next = 256 + made.len() as u32;
            made.entry(format!("{left}{right}").into_boxed_str()).or_insert(next);
        }
        Self { count: made.len(), made }
    }

    fn find(&self, text: &str) -> Option<u32> {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => byte(c).map(u32::from),
            _ => self.made.get(text).copied(),
        }
    }
}
