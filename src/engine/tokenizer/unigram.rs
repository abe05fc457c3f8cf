//! Unigram vocabularies: the `t5` model of GGUF files, as XLM-R's has one. The text is normalised, then cut
//! into the pieces whose scores sum up highest.

use super::TokenizerError;
use super::cache::{WordCache, Words};
use super::charsmap::CharsMap;
use super::trie::Trie;
use super::vocab::{Kind, Vocab};
use crate::engine::gguf::{Array, Gguf, GgufError};

/// An unknown character scores this much below the lowest piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The pieces as a trie, and how a text is normalised.
#[derive(Debug)]
pub(super) struct Unigram {
    pieces: Trie,
    unknown_score: f64,
    unknown: u32,
    charsmap: CharsMap,
    add_space_prefix: bool,
    remove_extra_whitespaces: bool,
    /// Where no piece reaches over the end of a word and none begins with an unknown character, the best pieces of a
    /// text are those of its words.
    words: Option<Words>,
}

/// The best way to reach a position: the last piece, where it begins, and the sum of the scores.
#[derive(Clone, Copy)]
struct Best {
    id: u32,
    start: usize,
    score: f64,
}

impl Unigram {
    pub(super) fn read(gguf: &Gguf, vocab: &Vocab) -> Result<Self, TokenizerError> {
        let unknown = vocab.unk.ok_or_else(|| TokenizerError::Vocabulary {
            problem: "it names no token for unknown characters (tokenizer.ggml.unknown_token_id)".into(),
        })?;
        let charsmap = match gguf.bytes("tokenizer.ggml.precompiled_charsmap") {
            Ok(bytes) => CharsMap::parse(&bytes).ok_or_else(|| TokenizerError::Vocabulary {
                problem: "tokenizer.ggml.precompiled_charsmap is not a normalisation map".into(),
            })?,
            Err(GgufError::MissingKey { .. }) => CharsMap::default(),
            Err(other) => return Err(other.into()),
        };
        let matches = |id| matches!(vocab.kind(id), Kind::Normal | Kind::UserDefined | Kind::Unused);
        let pieces = Trie::new(vocab.iter().filter(|(_, id)| matches(*id)).map(|(t, id)| (t.as_bytes(), id)));
        let known = vocab.iter().filter(|(_, id)| matches(*id)).map(|(text, _)| text);
        let words = vocab.text_id("\u{2581}").filter(|id| matches(*id)).and_then(|_| Words::of(known));
        let normal = (0..vocab.len() as u32).filter(|id| vocab.kind(*id) == Kind::Normal);
        let lowest = normal.map(|id| vocab.score(id)).fold(f32::MAX, f32::min);
        Ok(Self {
            pieces,
            words: words.filter(Words::are_strict),
            unknown_score: f64::from(lowest - UNKNOWN_PENALTY),
            unknown,
            charsmap,
            add_space_prefix: gguf.opt_bool("tokenizer.ggml.add_space_prefix")?.unwrap_or(false),
            remove_extra_whitespaces: gguf
                .opt_bool("tokenizer.ggml.remove_extra_whitespaces")?
                .unwrap_or(false),
        })
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.pieces.bytes() + self.charsmap.bytes()
    }

    /// Bytes that it takes for these pieces.
    pub(super) fn planned_bytes(gguf: &Gguf, tokens: &[String]) -> usize {
        let charsmap = gguf.arr("tokenizer.ggml.precompiled_charsmap").map_or(0, Array::len);
        Trie::planned_bytes(tokens) + charsmap
    }

    /// Appends the tokens of `text`.
    pub(super) fn encode(
        &self,
        text: &str,
        vocab: &Vocab,
        cache: &mut Option<&mut WordCache>,
        out: &mut Vec<u32>,
    ) {
        let text = self.normalise(text);
        match (cache, &self.words) {
            (Some(cache), Some(words)) => {
                words.split(&text).for_each(|word| cache.extend(word, out, |out| self.cut(word, vocab, out)))
            }
            _ => self.cut(&text, vocab, out),
        }
    }

    /// Appends the pieces of a normalised text.
    fn cut(&self, text: &str, vocab: &Vocab, out: &mut Vec<u32>) {
        if text.is_empty() {
            return;
        }
        let start = Best { id: self.unknown, start: 0, score: f64::MIN };
        let mut best = vec![start; text.len() + 1];
        best[0].score = 0.0;
        for (at, c) in text.char_indices() {
            self.extend_from(text, at, c.len_utf8(), vocab, &mut best);
        }
        let first = out.len();
        let (mut at, mut after_unknown) = (text.len(), false);
        while let Some(step) = best.get(at).filter(|_| at > 0) {
            let unknown = step.id == self.unknown;
            // A run of unknown characters is one token.
            if !(unknown && after_unknown) {
                out.push(step.id);
            }
            after_unknown = unknown;
            at = step.start;
        }
        if let Some(tail) = out.get_mut(first..) {
            tail.reverse();
        }
    }

    /// Tries every piece that begins at `at`, where a character of `width` bytes stands.
    fn extend_from(&self, text: &str, at: usize, width: usize, vocab: &Vocab, best: &mut [Best]) {
        let Some(so_far) = best.get(at).map(|b| b.score) else { return };
        let mut improve = |end: usize, id: u32, score: f64| {
            if let Some(champion) = best.get_mut(end).filter(|champion| score > champion.score) {
                *champion = Best { id, start: at, score };
            }
        };
        let mut node = Trie::ROOT;
        let mut whole_character = false;
        for (i, byte) in text.bytes().enumerate().skip(at) {
            let Some(next) = self.pieces.step(node, byte) else { break };
            node = next;
            if let Some(id) = self.pieces.value(node) {
                whole_character |= i + 1 - at == width;
                // Pieces that a user added win over all others.
                let own = if vocab.kind(id) == Kind::UserDefined { 0.0 } else { f64::from(vocab.score(id)) };
                improve(i + 1, id, so_far + own);
            }
        }
        if !whole_character {
            improve(at + width, self.unknown, so_far + self.unknown_score);
        }
    }

    /// The text as the pieces were learned from: mapped character by character, blanks joined and written as
    /// `▁`, one at the start of every word.
    fn normalise(&self, text: &str) -> String {
        let mut out = Blanks::new(text.len(), self.add_space_prefix, self.remove_extra_whitespaces);
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            match self.charsmap.longest(rest.as_bytes()) {
                // A replacement of a hostile file may be no text; then the character stays.
                Some((length, to)) if rest.is_char_boundary(length) && std::str::from_utf8(to).is_ok() => {
                    std::str::from_utf8(to).unwrap_or_default().chars().for_each(|c| out.push(c));
                    rest = rest.get(length..).unwrap_or_default();
                }
                _ => {
                    out.push(c);
                    rest = rest.get(c.len_utf8()..).unwrap_or_default();
                }
            }
        }
        out.text
    }
}

/// Writes a text while it treats its blanks.
struct Blanks {
    text: String,
    prefix: bool,
    join: bool,
    in_word: bool,
    prefixed: bool,
}

impl Blanks {
    fn new(length: usize, prefix: bool, join: bool) -> Self {
        Self { text: String::with_capacity(length + 16), prefix, join, in_word: false, prefixed: false }
    }

    fn push(&mut self, c: char) {
        const BLANK: char = '\u{2581}';
        if c == ' ' {
            self.in_word = false;
            if !self.join {
                self.text.push(BLANK);
            }
            return;
        }
        if !self.in_word {
            self.in_word = true;
            if self.join || (self.prefix && !self.prefixed) {
                self.text.push(BLANK);
                self.prefixed = true;
            }
        }
        self.text.push(c);
    }
}
