//! An open text model: what all of its answers share.

use kernels::cpu::Cpu;

use crate::engine::EngineError;
use crate::engine::grammar::Grammars;
use crate::engine::graph::decoder::Decoder;
use crate::engine::graph::open_decoder;
use crate::engine::tokenizer::Tokenizer;
use crate::engine::weights::ModelFile;

/// Weights, vocabulary and threads.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) cpu: Cpu,
    pub(super) decoder: Decoder,
    pub(super) tokenizer: Tokenizer,
    pub(super) grammars: Grammars,
    /// Tokens that prompt and answer may have together.
    pub(super) context: usize,
}

impl Model {
    pub(super) fn open(file: &ModelFile, threads: usize, context: usize) -> Result<Self, EngineError> {
        let tokenizer = file.pack_ahead(threads, true, || Tokenizer::from_gguf(&file.gguf));
        let tokenizer = tokenizer.map_err(|e| file.bad_tokenizer(e))?;
        let decoder = open_decoder(file, context)?;
        if tokenizer.vocab_len() > decoder.vocabulary() {
            let problem =
                format!("{} tokens, but weights for {}", tokenizer.vocab_len(), decoder.vocabulary());
            return Err(file.bad_key("tokenizer.ggml.tokens", problem));
        }
        let context = context.min(decoder.context_length());
        Ok(Self { cpu: Cpu::new(threads), decoder, tokenizer, grammars: Grammars::default(), context })
    }

    /// Whether `tokens` can be computed after `before` others.
    ///
    /// # Errors
    /// There are none, more than the context holds, or one outside of the vocabulary.
    pub(super) fn check_tokens(&self, tokens: &[u32], before: usize) -> Result<(), EngineError> {
        if tokens.is_empty() {
            return Err(EngineError::EmptyPrompt);
        }
        let total = before + tokens.len();
        if total > self.context {
            return Err(EngineError::PromptTooLong { tokens: total, context: self.context });
        }
        let vocabulary = self.decoder.vocabulary();
        match tokens.iter().find(|&&t| t as usize >= vocabulary) {
            Some(&token) => Err(EngineError::UnknownToken { token, vocabulary }),
            None => Ok(()),
        }
    }
}
