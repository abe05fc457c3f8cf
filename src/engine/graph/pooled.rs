//! Models that make one vector of a text: encoders, and text models of which the last token's row is taken.

use kernels::cpu::{Cpu, KvCache, KvKind};

use super::backbone::{self, Backbone, Part};
use super::decoder::CHUNK;
use super::encoder::{self, Encoder, Text};
use crate::engine::EngineError;

/// A model that makes vectors.
#[derive(Debug)]
pub(in crate::engine) enum Pooled {
    Encoder(Encoder),
    LastToken(Backbone),
}

/// Buffers of a computation, kept from batch to batch.
#[derive(Debug, Default)]
pub(in crate::engine) struct Scratch {
    encoder: encoder::Scratch,
    backbone: backbone::Scratch,
    caches: Vec<KvCache>,
}

impl Pooled {
    /// Length of a vector.
    pub(in crate::engine) fn width(&self) -> usize {
        match self {
            Self::Encoder(encoder) => encoder.width(),
            Self::LastToken(backbone) => backbone.spec.width,
        }
    }

    /// Tokens that a text may have.
    pub(in crate::engine) fn context_length(&self) -> usize {
        match self {
            Self::Encoder(encoder) => encoder.context_length(),
            Self::LastToken(backbone) => backbone.spec.context_length,
        }
    }

    /// The vectors of several texts, not scaled to any length. Every text has 1 to `context_length` tokens. A text's
    /// vector does not depend on the others.
    pub(in crate::engine) fn forward(
        &self,
        cpu: &Cpu,
        s: &mut Scratch,
        texts: &[Text<'_>],
    ) -> Result<Vec<Vec<f32>>, EngineError> {
        match self {
            Self::Encoder(encoder) => encoder.forward(cpu, &mut s.encoder, texts),
            Self::LastToken(backbone) => last_tokens(backbone, cpu, s, texts),
        }
    }
}

/// All but the last tokens of a long text are computed alone, so that no computation has more rows than it needs.
fn last_tokens(
    backbone: &Backbone,
    cpu: &Cpu,
    s: &mut Scratch,
    texts: &[Text<'_>],
) -> Result<Vec<Vec<f32>>, EngineError> {
    while s.caches.len() < texts.len() {
        s.caches.push(KvCache::new(backbone.cache_shape(KvKind::F16))?);
    }
    let mut parts = Vec::with_capacity(texts.len());
    for (cache, text) in s.caches.iter_mut().zip(texts) {
        cache.reuse();
        let mut tokens = text.tokens;
        while let Some((chunk, rest)) = tokens.split_at_checked(CHUNK).filter(|(_, rest)| !rest.is_empty()) {
            let part = Part { cache: &mut *cache, tokens: chunk, n_logits: 0 };
            backbone.forward(cpu, &mut s.backbone, &mut [part])?;
            tokens = rest;
        }
        parts.push(Part { cache, tokens, n_logits: 1 });
    }
    backbone.forward(cpu, &mut s.backbone, &mut parts)?;
    Ok(s.backbone.normed.chunks_exact(backbone.spec.width).map(<[f32]>::to_vec).collect())
}
