//! The vocabulary of a GGUF file: the text of each token, what kind it is, and the tokens with a task.

use super::TokenizerError;
use super::bytes::decode_byte_level;
use super::names::Names;
use crate::engine::gguf::{Gguf, GgufError};

/// What a token is for, as `tokenizer.ggml.token_type` numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Unknown,
    /// Written by a template or ended upon, never by a text.
    Control,
    /// Cut out of a text before anything else, as runs of blanks are in Gemma's vocabulary.
    UserDefined,
    Unused,
    /// One byte of a character that has no token.
    Byte,
}

/// How the text of a token becomes the bytes that a reader sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Each character stands for one byte, as in GPT-2's alphabet.
    ByteLevel,
    /// `▁` stands for a blank, `<0xAB>` of kind byte for one byte.
    SentencePiece,
}

/// Texts that end a turn or an answer. Models are inconsistent in marking them, so their texts count, as in
/// llama.cpp; they are control tokens whatever the file says.
const END_TEXTS: &[&str] = &[
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "[e~[",
];

/// Texts that end a turn, for files that do not name the token.
const TURN_TEXTS: &[&str] = &[
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "<｜end▁of▁sentence｜>",
    "<end_of_utterance>",
];

/// Texts that mark a gap to be filled or the start of another file; of each row the token that exists is
/// control. Those of `FILL_ENDS` also end an answer.
const FILL_ENDS: &[&str] = &[
    "<|fim_pad|>",
    "<fim-pad>",
    "<fim_pad>",
    "<PAD>",
    "[PAD]",
    "<|fim_repo|>",
    "<|repo_name|>",
    "<fim-repo>",
    "<REPO>",
    "<reponame>",
    "<|file_sep|>",
];
const FILL_MARKS: &[&str] = &[
    "<|fim_prefix|>",
    "<fim-prefix>",
    "<fim_prefix>",
    "<｜fim▁begin｜>",
    "<PRE>",
    "▁<PRE>",
    "<|code_prefix|>",
    "<|prefix|>",
    "<|fim_suffix|>",
    "<fim-suffix>",
    "<fim_suffix>",
    "<｜fim▁hole｜>",
    "<SUF>",
    "▁<SUF>",
    "<|code_suffix|>",
    "<|suffix|>",
    "<|fim_middle|>",
    "<fim-middle>",
    "<fim_middle>",
    "<｜fim▁end｜>",
    "<MID>",
    "▁<MID>",
    "<|code_middle|>",
    "<|middle|>",
];

/// The tokens of a model.
#[derive(Debug)]
pub(super) struct Vocab {
    names: Names,
    kinds: Vec<Kind>,
    scores: Vec<f32>,
    /// What each token writes: `pieces[ends[i - 1]..ends[i]]`.
    pieces: Vec<u8>,
    ends: Vec<usize>,
    pub(super) bos: Option<u32>,
    pub(super) eos: Option<u32>,
    pub(super) eot: Option<u32>,
    pub(super) pad: Option<u32>,
    pub(super) unk: Option<u32>,
    pub(super) sep: Option<u32>,
    /// Sorted.
    end_ids: Vec<u32>,
}

impl Vocab {
    /// Reads the vocabulary; `scores` says whether the model needs a score per token.
    pub(super) fn read(gguf: &Gguf, spelling: Spelling, scores: bool) -> Result<Self, TokenizerError> {
        let tokens = gguf.strings("tokenizer.ggml.tokens")?;
        let kinds = kinds(gguf, tokens)?;
        let scores = if scores { read_scores(gguf, tokens.len())? } else { Vec::new() };
        let names = Names::new(tokens)?;
        let mut pieces = Vec::with_capacity(tokens.iter().map(String::len).sum());
        let mut ends = Vec::with_capacity(tokens.len());
        for (token, kind) in tokens.iter().zip(&kinds) {
            write_piece(token, *kind, spelling, &mut pieces);
            ends.push(pieces.len());
        }
        let id = |key: &str| special_id(gguf, key, tokens.len());
        let mut vocab = Self {
            bos: id("bos")?,
            eos: id("eos")?,
            eot: id("eot")?,
            pad: id("padding")?,
            unk: id("unknown")?,
            // So the files spell it.
            sep: id("seperator")?,
            end_ids: Vec::new(),
            names,
            kinds,
            scores,
            pieces,
            ends,
        };
        if vocab.eot.is_none() {
            vocab.eot = TURN_TEXTS.iter().find_map(|text| vocab.id(text));
        }
        let eom = id("eom")?;
        vocab.end_ids = vocab.ends_of_generation(eom);
        Ok(vocab)
    }

    /// Takes BERT's marks as the begin and end of a text where the file does not call them so.
    pub(super) fn mark_texts(&mut self) {
        self.bos = self.bos.or_else(|| self.id("[CLS]"));
        self.sep = self.sep.or_else(|| self.id("[SEP]"));
        self.eos = self.sep.or(self.eos);
    }

    fn ends_of_generation(&self, eom: Option<u32>) -> Vec<u32> {
        let texts = END_TEXTS.iter().chain(FILL_ENDS);
        let mut ids: Vec<u32> = texts.filter_map(|text| self.id(text)).collect();
        ids.extend([self.eos, self.eot, eom].into_iter().flatten());
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn id(&self, text: &str) -> Option<u32> {
        self.names.id(text)
    }

    /// The token of this text, unless it is one that a text must not produce.
    pub(super) fn text_id(&self, text: &str) -> Option<u32> {
        self.id(text).filter(|id| self.kind(*id) != Kind::Control)
    }

    pub(super) fn kind(&self, id: u32) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or(Kind::Unused)
    }

    pub(super) fn score(&self, id: u32) -> f32 {
        self.scores.get(id as usize).copied().unwrap_or(0.0)
    }

    pub(super) fn piece(&self, id: u32) -> &[u8] {
        let Some(&end) = self.ends.get(id as usize) else { return &[] };
        let start = (id as usize).checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        self.pieces.get(start.unwrap_or(0)..end).unwrap_or_default()
    }

    pub(super) fn is_end(&self, id: u32) -> bool {
        self.end_ids.binary_search(&id).is_ok()
    }

    /// All tokens with their texts, by their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.names.iter()
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let numbers = size_of_val(&*self.scores) + size_of_val(&*self.ends) + size_of_val(&*self.kinds);
        self.names.bytes() + self.pieces.capacity() + numbers
    }

    /// Bytes that a vocabulary of these tokens takes.
    pub(super) fn planned_bytes(tokens: &[String], scores: bool) -> usize {
        let (count, bytes) = (tokens.len(), tokens.iter().map(String::len).sum());
        let scores = if scores { count * size_of::<f32>() } else { 0 };
        let numbers = count * (size_of::<Kind>() + size_of::<usize>());
        Names::planned_bytes(count, bytes) + bytes + numbers + scores
    }
}

fn damaged(problem: String) -> TokenizerError {
    TokenizerError::Vocabulary { problem }
}

fn kinds(gguf: &Gguf, tokens: &[String]) -> Result<Vec<Kind>, TokenizerError> {
    let mut kinds = match gguf.i32s("tokenizer.ggml.token_type") {
        Ok(types) if types.len() >= tokens.len() => types
            .iter()
            .take(tokens.len())
            .map(|kind| match kind {
                1 => Kind::Normal,
                2 => Kind::Unknown,
                3 => Kind::Control,
                4 => Kind::UserDefined,
                6 => Kind::Byte,
                _ => Kind::Unused,
            })
            .collect(),
        Ok(types) => {
            return Err(damaged(format!("{} tokens, but {} token types", tokens.len(), types.len())));
        }
        Err(GgufError::MissingKey { .. }) => vec![Kind::Normal; tokens.len()],
        Err(other) => return Err(other.into()),
    };
    for (kind, token) in kinds.iter_mut().zip(tokens) {
        let lists = [END_TEXTS, TURN_TEXTS, FILL_ENDS, FILL_MARKS];
        if lists.iter().any(|list| list.contains(&token.as_str())) {
            *kind = Kind::Control;
        }
    }
    Ok(kinds)
}

fn read_scores(gguf: &Gguf, count: usize) -> Result<Vec<f32>, TokenizerError> {
    let scores = gguf.f32s("tokenizer.ggml.scores")?;
    if scores.len() < count {
        return Err(damaged(format!("{count} tokens, but {} scores", scores.len())));
    }
    if let Some(id) = scores.iter().position(|score| score.is_nan()) {
        return Err(damaged(format!("token {id} has no number as its score")));
    }
    Ok(scores.iter().take(count).copied().collect())
}

/// A token number from the metadata; one outside the vocabulary counts as absent, as many files carry one.
fn special_id(gguf: &Gguf, name: &str, count: usize) -> Result<Option<u32>, TokenizerError> {
    let key = format!("tokenizer.ggml.{name}_token_id");
    match gguf.opt_u32(&key) {
        Ok(id) => Ok(id.filter(|id| (*id as usize) < count)),
        Err(GgufError::OutOfRange { .. }) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// Appends what a token writes. Control and unknown tokens write nothing.
fn write_piece(token: &str, kind: Kind, spelling: Spelling, out: &mut Vec<u8>) {
    match (kind, spelling) {
        (Kind::Control | Kind::Unknown, _) => {}
        (Kind::Byte, _) => match byte_of(token) {
            Some(byte) => out.push(byte),
            None => out.extend(token.as_bytes()),
        },
        (Kind::UserDefined, _) => out.extend(token.as_bytes()),
        (_, Spelling::SentencePiece) => out.extend(token.replace('\u{2581}', " ").as_bytes()),
        (_, Spelling::ByteLevel) => decode_byte_level(token, out),
    }
}

/// The byte that `<0xAB>` stands for.
fn byte_of(token: &str) -> Option<u8> {
    let hex = token.strip_prefix("<0x")?.strip_suffix('>')?;
    u8::from_str_radix(hex, 16).ok()
}
