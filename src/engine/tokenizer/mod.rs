//! Text to tokens and back, with the vocabulary that a GGUF file carries.
//!
//! Four families are built in: byte-level BPE (`gpt2`), SentencePiece-style BPE (`llama`), unigram (`t5`) and
//! WordPiece (`bert`). Each gives the tokens that llama.cpp gives; a vocabulary that cannot be read so is refused, never
//! approximated. One thing is stricter: a control token is produced only where the caller says that the text
//! is trusted ([`Tokenizer::encode_chat`], or `parse_special`), never by merging pieces of other text.
//!
//! It never reads files and never learns a vocabulary.

mod bpe;
mod bytes;
mod cache;
pub(in crate::engine) mod charsmap;
mod error;
mod merge;
mod names;
mod pair;
mod pairs;
mod pre;
mod special;
mod spm;
mod stream;
#[cfg(test)]
mod tests;
mod trie;
mod unigram;
mod vocab;
mod word;
mod wordpiece;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Mutex;

pub use error::TokenizerError;
pub use stream::StreamDecoder;

pub(in crate::engine) use pair::{Pair, Prompt};

use self::cache::{WordCache, Words};
use self::special::{Allow, Fragment, Special};
use self::vocab::{Spelling, Vocab};
use crate::engine::gguf::Gguf;

/// A part of a prompt: a template's own text, or text from somewhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'t> {
    /// The text.
    pub text: Cow<'t, str>,
    /// Whether names of control tokens in it become those tokens. Only a template's own text is trusted.
    pub trusted: bool,
}

/// The tokenizer of one model. It is immutable and may be used from several threads at once.
#[derive(Debug)]
pub struct Tokenizer {
    name: String,
    vocab: Vocab,
    special: Special,
    model: Model,
    /// Tokens after which the blanks of a text are left out.
    strip_after: HashSet<u32>,
    add_bos: bool,
    add_eos: bool,
    /// Two marks stand between the texts of a pair.
    add_sep: bool,
    /// Used by one caller at a time; others do without.
    cache: Mutex<WordCache>,
}

#[derive(Debug)]
enum Model {
    Bpe(Box<bpe::Bpe>),
    Spm { bytes: Box<[Option<u32>; 256]>, add_space_prefix: bool, words: Option<Words> },
    Unigram(Box<unigram::Unigram>),
    WordPiece(wordpiece::WordPiece),
}

impl Tokenizer {
    /// Builds the tokenizer that `gguf` describes.
    ///
    /// # Errors
    /// Fails when a key is missing, when the model or the pre-tokenizer is not supported, and when the
    /// vocabulary contradicts itself.
    pub fn from_gguf(gguf: &Gguf) -> Result<Self, TokenizerError> {
        let model = gguf.str("tokenizer.ggml.model")?;
        let (vocab, name, model, add_bos, add_eos) = match model {
            "gpt2" => {
                let vocab = Vocab::read(gguf, Spelling::ByteLevel, false)?;
                let bpe = bpe::Bpe::read(gguf, &vocab)?;
                let (add_bos, name) = (bpe.add_bos(), format!("gpt2/{}", gguf.str("tokenizer.ggml.pre")?));
                (vocab, name, Model::Bpe(Box::new(bpe)), add_bos, false)
            }
            "llama" => {
                let vocab = Vocab::read(gguf, Spelling::SentencePiece, true)?;
                let bytes = Box::new(spm::byte_tokens(&vocab));
                let add_space_prefix = gguf.opt_bool("tokenizer.ggml.add_space_prefix")?.unwrap_or(true);
                let words = spm::words(&vocab);
                let model = Model::Spm { bytes, add_space_prefix, words };
                (vocab, "llama".to_owned(), model, true, false)
            }
            "t5" => {
                let vocab = Vocab::read(gguf, Spelling::SentencePiece, true)?;
                let unigram = unigram::Unigram::read(gguf, &vocab)?;
                (vocab, "t5".to_owned(), Model::Unigram(Box::new(unigram)), false, true)
            }
            "bert" => {
                let mut vocab = Vocab::read(gguf, Spelling::SentencePiece, false)?;
                vocab.mark_texts();
                let wordpiece = wordpiece::WordPiece::read(gguf, &vocab)?;
                (vocab, "bert".to_owned(), Model::WordPiece(wordpiece), true, true)
            }
            other => return Err(TokenizerError::UnknownModel { model: other.to_owned() }),
        };
        // What stands around a text is part of what BERT is: some files say that it has no end mark.
        let fixed = matches!(model, Model::WordPiece(_));
        let told = |name: &str, default: bool| {
            let told = gguf.opt_bool(&format!("tokenizer.ggml.add_{name}_token"))?;
            Ok::<_, TokenizerError>(told.filter(|_| !fixed).unwrap_or(default))
        };
        let two_marks = Self::pairs_have_two_marks(&model, gguf.opt_str("tokenizer.ggml.pre")?);
        let special = Special::new(&vocab);
        let phi3 = gguf.opt_str("general.architecture")? == Some("phi3");
        let strip_after = match &model {
            Model::Spm { .. } if phi3 => special.marks_of_phi3(),
            _ => HashSet::new(),
        };
        Ok(Self {
            name,
            special,
            strip_after,
            vocab,
            add_bos: told("bos", add_bos)?,
            add_eos: told("eos", add_eos)?,
            add_sep: told("sep", two_marks)?,
            model,
            cache: Mutex::new(WordCache::new()),
        })
    }

    /// Bytes that the tables of the tokenizer that `gguf` describes will take, without what splits texts by patterns.
    ///
    /// # Errors
    /// A key is missing.
    pub fn planned_bytes(gguf: &Gguf) -> Result<usize, TokenizerError> {
        let tokens = gguf.strings("tokenizer.ggml.tokens")?;
        let model = match gguf.str("tokenizer.ggml.model")? {
            "gpt2" => {
                let merges = gguf.strings("tokenizer.ggml.merges")?.len();
                Vocab::planned_bytes(tokens, false) + bpe::Bpe::planned_bytes(merges)
            }
            "t5" => Vocab::planned_bytes(tokens, true) + unigram::Unigram::planned_bytes(gguf, tokens),
            _ => Vocab::planned_bytes(tokens, true),
        };
        Ok(model + WordCache::planned_bytes())
    }

    /// Bytes that its tables take, without what splits texts by patterns.
    pub fn bytes(&self) -> usize {
        let model = match &self.model {
            Model::Bpe(bpe) => bpe.bytes(),
            Model::Unigram(unigram) => unigram.bytes(),
            Model::Spm { .. } | Model::WordPiece(_) => 0,
        };
        self.vocab.bytes() + model + WordCache::planned_bytes()
    }

    /// The family, as in `gpt2/smollm` or `t5`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tokens of a text. `add_special` puts the model's begin and end tokens around it where the model
    /// wants them; `parse_special` lets names of control tokens in the text become those tokens, so it is
    /// only for text that no user and no document wrote.
    pub fn encode(&self, text: &str, add_special: bool, parse_special: bool) -> Vec<u32> {
        let allow = if parse_special { Allow::All } else { Allow::UserDefined };
        self.encode_fragments(&self.special.partition(text, allow), add_special)
    }

    /// The tokens of a prompt that a template made. Control tokens come from trusted segments only; text in
    /// other segments is tokenised as if it stood in the same place of one plain text. The model's begin
    /// token is added in front if the model wants one and the prompt does not begin with it.
    pub fn encode_chat(&self, segments: &[Segment<'_>]) -> Vec<u32> {
        let mut fragments: Vec<Fragment<'_>> = Vec::new();
        for segment in segments {
            let new = if segment.trusted {
                self.special.partition(&segment.text, Allow::All)
            } else {
                vec![Fragment::Text(Cow::Borrowed(&*segment.text))]
            };
            for fragment in new {
                match (fragments.last_mut(), fragment) {
                    (Some(Fragment::Text(before)), Fragment::Text(text)) => before.to_mut().push_str(&text),
                    (_, fragment) => fragments.push(fragment),
                }
            }
        }
        let parts: Vec<Fragment<'_>> = fragments
            .iter()
            .flat_map(|fragment| match fragment {
                Fragment::Token(id) => vec![Fragment::Token(*id)],
                Fragment::Text(text) => self.special.partition(text, Allow::Letterless),
            })
            .collect();
        let begins = match (self.vocab.bos, parts.first()) {
            (Some(bos), Some(Fragment::Token(id))) => *id == bos,
            _ => false,
        };
        let mut out = Vec::new();
        out.extend(self.vocab.bos.filter(|_| self.add_bos && !begins));
        out.extend(self.encode_fragments(&parts, false));
        out
    }

    fn encode_fragments(&self, fragments: &[Fragment<'_>], add_special: bool) -> Vec<u32> {
        let mut out = Vec::new();
        out.extend(self.vocab.bos.filter(|_| add_special && self.add_bos));
        let (mut after_special, mut strip) = (true, false);
        for fragment in fragments {
            match fragment {
                Fragment::Token(id) => {
                    out.push(*id);
                    (after_special, strip) = (true, self.strip_after.contains(id));
                }
                Fragment::Text(text) => {
                    let text = if strip { text.trim_start() } else { text };
                    if !text.is_empty() {
                        self.encode_text(text, after_special, &mut out);
                        (after_special, strip) = (false, false);
                    }
                }
            }
        }
        out.extend(self.vocab.eos.filter(|_| add_special && self.add_eos));
        out
    }

    fn encode_text(&self, text: &str, after_special: bool, out: &mut Vec<u32>) {
        let mut cache = self.cache.try_lock().ok();
        let mut cache = cache.as_deref_mut();
        match &self.model {
            Model::Bpe(bpe) => bpe.encode(text, &self.vocab, &mut cache, out),
            Model::Unigram(unigram) => unigram.encode(text, &self.vocab, &mut cache, out),
            Model::WordPiece(wordpiece) => wordpiece.encode(text, &self.vocab, out),
            Model::Spm { bytes, add_space_prefix, words } => {
                let prefix = if *add_space_prefix && after_special { "\u{2581}" } else { "" };
                let text = format!("{prefix}{}", text.replace(' ', "\u{2581}"));
                let encode = |text: &str, out: &mut Vec<u32>| spm::encode(text, &self.vocab, bytes, out);
                match (cache, words) {
                    (Some(cache), Some(words)) => {
                        words.split(&text).for_each(|word| cache.extend(word, out, |out| encode(word, out)))
                    }
                    _ => encode(&text, out),
                }
            }
        }
    }

    /// The bytes that a token writes: a whole text, a character or a part of one; nothing for control
    /// tokens and for numbers outside the vocabulary.
    pub fn decode_piece(&self, id: u32) -> &[u8] {
        self.vocab.piece(id)
    }

    /// The text of some tokens, with U+FFFD for bytes that are no text.
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut stream = StreamDecoder::new(self);
        let mut text: String = ids.iter().map(|id| stream.push(*id)).collect();
        text.push_str(&stream.finish());
        text
    }

    /// The token that begins a text.
    pub fn bos(&self) -> Option<u32> {
        self.vocab.bos
    }

    /// The token that ends a text.
    pub fn eos(&self) -> Option<u32> {
        self.vocab.eos
    }

    /// The token that ends a turn of a conversation.
    pub fn eot(&self) -> Option<u32> {
        self.vocab.eot
    }

    /// The token that fills up a batch.
    pub fn pad(&self) -> Option<u32> {
        self.vocab.pad
    }

    /// Whether a model that writes this token is done.
    pub fn is_end(&self, id: u32) -> bool {
        self.vocab.is_end(id)
    }

    /// Number of tokens.
    pub fn vocab_len(&self) -> usize {
        self.vocab.len()
    }
}
