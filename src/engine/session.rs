//! A computation token by token, for measurements and tests.

use kernels::cpu::{KvCache, KvKind};

use crate::engine::EngineError;
use crate::engine::graph::decoder::{CHUNK, Part, Scratch};
use crate::engine::model::Model;

/// The state of one computation: the tokens so far and their cache.
#[derive(Debug)]
pub struct Session<'m> {
    model: &'m Model,
    cache: KvCache,
    scratch: Scratch,
    logits: Vec<f32>,
}

impl<'m> Session<'m> {
    pub(super) fn new(model: &'m Model, kind: KvKind) -> Result<Self, EngineError> {
        let cache = KvCache::new(model.decoder.cache_shape(kind))?;
        Ok(Self { model, cache, scratch: Scratch::default(), logits: Vec::new() })
    }

    /// Tokens so far.
    pub fn len(&self) -> usize {
        self.cache.len()
    }

    /// Whether no token was fed yet.
    pub fn is_empty(&self) -> bool {
        self.cache.is_empty()
    }

    /// Forgets all tokens from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.cache.truncate(len);
    }

    /// A second computation that goes on from the first `len` tokens of this one, in the same memory.
    pub fn branch(&self, len: usize) -> Self {
        let cache = self.cache.prefix(len);
        Self { model: self.model, cache, scratch: Scratch::default(), logits: Vec::new() }
    }

    /// Computes `tokens` after those before and returns the logits (vocabulary) after the last one.
    ///
    /// # Errors
    /// There are no tokens, more than the context holds, or one outside of the vocabulary. The tokens before
    /// stay.
    pub fn feed(&mut self, tokens: &[u32]) -> Result<&[f32], EngineError> {
        self.compute(tokens, usize::from, |_| ())?;
        Ok(&self.logits)
    }

    /// As [`Session::feed`], with the logits after every token: `each(row)` gets them in order.
    ///
    /// # Errors
    /// As [`Session::feed`].
    pub fn feed_each(&mut self, tokens: &[u32], mut each: impl FnMut(&[f32])) -> Result<(), EngineError> {
        let width = self.model.decoder.output_rows();
        self.compute(tokens, |_| CHUNK, |logits| logits.chunks_exact(width).for_each(&mut each))
    }

    fn compute(
        &mut self,
        tokens: &[u32],
        n_logits: impl Fn(bool) -> usize,
        mut take: impl FnMut(&[f32]),
    ) -> Result<(), EngineError> {
        let before = self.cache.len();
        self.model.check_tokens(tokens, before)?;
        let (model, n_chunks) = (self.model, tokens.len().div_ceil(CHUNK));
        for (i, tokens) in tokens.chunks(CHUNK).enumerate() {
            let n_logits = n_logits(i + 1 == n_chunks);
            let parts = &mut [Part { cache: &mut self.cache, tokens, n_logits }];
            if let Err(error) = model.decoder.forward(&model.cpu, &mut self.scratch, parts, &mut self.logits)
            {
                self.cache.truncate(before);
                return Err(error);
            }
            take(&self.logits);
        }
        Ok(())
    }
}

/// Steps of several sessions of the same model together. Reuse one value: its memory is kept.
#[derive(Debug, Default)]
pub struct Together {
    scratch: Scratch,
    logits: Vec<f32>,
}

impl Together {
    /// Computes one step: `tokens[i]` after those of session i. Returns the logits after the last token of each.
    ///
    /// # Errors
    /// As [`Session::feed`]; then no session has changed.
    pub fn feed(
        &mut self,
        sessions: &mut [Session<'_>],
        tokens: &[&[u32]],
    ) -> Result<std::slice::ChunksExact<'_, f32>, EngineError> {
        let Some(model) = sessions.first().map(|s| s.model) else { return Ok([].chunks_exact(1)) };
        for (session, tokens) in sessions.iter().zip(tokens) {
            model.check_tokens(tokens, session.len())?;
        }
        let parts = sessions.iter_mut().zip(tokens);
        let mut parts: Vec<Part<'_>> =
            parts.map(|(s, tokens)| Part { cache: &mut s.cache, tokens, n_logits: 1 }).collect();
        model.decoder.forward(&model.cpu, &mut self.scratch, &mut parts, &mut self.logits)?;
        Ok(self.logits.chunks_exact(model.decoder.output_rows()))
    }
}
