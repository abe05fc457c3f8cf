//! The layers of a text model, from tokens to the rows from which logits or vectors are made.

use std::ops::Range;

use kernels::cpu::{
    Activations, Attention, Cpu, Gate, Heads, KvCache, KvKind, KvShape, Matrix, Pairing, Precision,
    RopeTable, Span, add, attention, rms_norm, rope, scale, store,
};

use super::feed_forward::{self, FeedForward, Rows};
use super::parts::linear;
use crate::engine::EngineError;
use crate::engine::weights::{Linear, ModelFile, Table};

/// What one sequence adds to a computation.
#[derive(Debug)]
pub(in crate::engine) struct Part<'a> {
    pub(in crate::engine) cache: &'a mut KvCache,
    /// The tokens after those in the cache.
    pub(in crate::engine) tokens: &'a [u32],
    /// Of how many of them, from the end, the result is wanted.
    pub(in crate::engine) n_logits: usize,
}

/// How positions turn queries and keys.
#[derive(Debug)]
pub(super) struct Rope {
    pub(super) base: f32,
    pub(super) scale: f32,
    pub(super) factors: Option<Vec<f32>>,
    /// Factor on what is turned.
    pub(super) magnitude: f32,
}

/// The sizes and constants of a model.
#[derive(Debug)]
pub(super) struct Spec {
    pub(super) width: usize,
    pub(super) n_heads: usize,
    pub(super) n_kv_heads: usize,
    pub(super) head_dim: usize,
    pub(super) n_rot: usize,
    pub(super) eps: f32,
    /// Factor on the rows of the embedding table.
    pub(super) embed_scale: Option<f32>,
    /// Factor on the attention scores.
    pub(super) attention_scale: f32,
    pub(super) pairing: Pairing,
    pub(super) gate: Gate,
    /// Which a layer uses stands in [`Layer::rope`].
    pub(super) ropes: Vec<Rope>,
    /// Tokens that the model was trained to see.
    pub(super) context_length: usize,
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) attn_norm: Vec<f32>,
    pub(super) q: Linear,
    pub(super) k: Linear,
    pub(super) v: Linear,
    /// Norms over each head of queries and keys.
    pub(super) q_norm: Option<Vec<f32>>,
    pub(super) k_norm: Option<Vec<f32>>,
    pub(super) output: Linear,
    /// Norm of what attention adds.
    pub(super) post_attn_norm: Option<Vec<f32>>,
    pub(super) ffn_norm: Vec<f32>,
    pub(super) feed_forward: FeedForward,
    /// Norm of what the feed-forward part adds.
    pub(super) post_ffn_norm: Option<Vec<f32>>,
    pub(super) mask: Attention,
    /// Index into [`Spec::ropes`]; none where positions do not count.
    pub(super) rope: Option<usize>,
}

/// Embedding table, layers and the last norm.
#[derive(Debug)]
pub(in crate::engine) struct Backbone {
    pub(super) spec: Spec,
    pub(super) embedding: Table,
    pub(super) layers: Vec<Layer>,
    pub(super) output_norm: Vec<f32>,
    /// How finely activations are rounded: the same for every batch, so that no answer depends on another.
    precision: Precision,
}

/// Multiplications and additions for one token from which on a model computes with activations of 8 bits, as llama.cpp
/// does. That moves logits by some tenths, which in smaller models often decides between close candidates; larger ones
/// are surer, and 16 bits would cost them a third of the speed at which they read.
const LARGE: usize = 1_000_000_000;

/// Buffers of a computation, kept from step to step.
#[derive(Debug, Default)]
pub(in crate::engine) struct Scratch {
    pub(super) acts: Activations,
    x: Vec<f32>,
    /// After [`Backbone::forward`]: the rows that were wanted.
    pub(super) normed: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    attended: Vec<f32>,
    feed_forward: feed_forward::Scratch,
    added: Vec<f32>,
}

impl Spec {
    /// Refuses sizes that the operations cannot work with, so that they cannot fail later.
    pub(super) fn check(&self, file: &ModelFile, arch: &str) -> Result<(), EngineError> {
        let key = |k: &str| format!("{arch}.{k}");
        if !self.n_heads.is_multiple_of(self.n_kv_heads) {
            let problem =
                format!("{} heads are no multiple of {} key-value heads", self.n_heads, self.n_kv_heads);
            return Err(file.bad_key(&key("attention.head_count"), problem));
        }
        if !self.head_dim.is_multiple_of(16) || self.head_dim == 0 {
            let problem = format!("heads of {} values: only multiples of 16 are supported", self.head_dim);
            return Err(file.bad_key(&key("attention.key_length"), problem));
        }
        if !self.n_rot.is_multiple_of(2) || self.n_rot > self.head_dim {
            let problem = format!("{} rotated values in a head of {}", self.n_rot, self.head_dim);
            return Err(file.bad_key(&key("rope.dimension_count"), problem));
        }
        Ok(())
    }
}

impl Backbone {
    pub(super) fn new(spec: Spec, embedding: Table, layers: Vec<Layer>, output_norm: Vec<f32>) -> Self {
        let small = Self { spec, embedding, layers, output_norm, precision: Precision::Sixteen };
        if small.operations() > LARGE { Self { precision: Precision::Eight, ..small } } else { small }
    }

    /// The sizes of a cache for these layers.
    pub(super) fn cache_shape(&self, kind: KvKind) -> KvShape {
        let (n_kv_heads, head_dim) = (self.spec.n_kv_heads, self.spec.head_dim);
        KvShape { n_layers: self.layers.len(), n_kv_heads, head_dim, kind }
    }

    /// The layers' matrices, and the share of each that one token goes through.
    pub(super) fn matrices(&self) -> impl Iterator<Item = (&Matrix, f64)> {
        self.layers.iter().flat_map(|l| {
            let attention = [&l.q, &l.k, &l.v, &l.output].map(|l| (&l.matrix, 1.0));
            attention.into_iter().chain(l.feed_forward.matrices())
        })
    }

    /// Multiplications and additions of the layers' matrices for one token.
    pub(super) fn operations(&self) -> usize {
        2 * self.matrices().map(|(m, share)| (m.n_in() * m.n_out()) as f64 * share).sum::<f64>() as usize
    }

    /// Computes the tokens of several sequences, each after those in its cache. The last layer's rows of the tokens
    /// that are wanted, normed, replace `scratch.normed` (rows, width), one part after the other. A sequence's rows
    /// do not depend on the other parts.
    ///
    /// # Errors
    /// A token is outside of the vocabulary: then no cache has changed.
    pub(super) fn forward(
        &self,
        cpu: &Cpu,
        scratch: &mut Scratch,
        parts: &mut [Part<'_>],
    ) -> Result<(), EngineError> {
        self.embed(cpu, parts, &mut scratch.x)?;
        scratch.acts.set_precision(self.precision);
        let mut spans: Vec<Span<'_>> = Vec::with_capacity(parts.len());
        let mut wanted = Vec::new();
        let mut row = 0;
        for part in parts {
            let n = part.tokens.len();
            row += n;
            wanted.push(row - part.n_logits.min(n)..row);
            part.cache.grow(n);
            spans.push(Span { cache: &mut *part.cache, n });
        }
        let spec = &self.spec;
        let positions = || spans.iter().flat_map(|s| s.first()..s.cache.len());
        let table = |r: &Rope| {
            let table = RopeTable::new(positions(), spec.n_rot, r.base, r.scale, r.factors.as_deref())?;
            Ok(if r.magnitude == 1.0 { table } else { table.scaled(r.magnitude) })
        };
        let tables: Vec<RopeTable> = spec.ropes.iter().map(table).collect::<Result<_, EngineError>>()?;
        for (i, layer) in self.layers.iter().enumerate() {
            let table = layer.rope.and_then(|rope| tables.get(rope));
            self.attend(cpu, &mut spans, i, layer, table, scratch)?;
            self.feed_forward(cpu, layer, scratch)?;
        }
        self.finish(cpu, scratch, &wanted)
    }

    fn finish(&self, cpu: &Cpu, s: &mut Scratch, wanted: &[Range<usize>]) -> Result<(), EngineError> {
        let width = self.spec.width;
        s.normed.clear();
        for rows in wanted {
            s.normed.extend_from_slice(&s.x[rows.start * width..rows.end * width]);
        }
        Ok(rms_norm(cpu, &mut s.normed, &self.output_norm, self.spec.eps)?)
    }

    fn embed(&self, cpu: &Cpu, parts: &[Part<'_>], x: &mut Vec<f32>) -> Result<(), EngineError> {
        x.clear();
        for &token in parts.iter().flat_map(|p| p.tokens) {
            if !self.embedding.append_row(token as usize, x)? {
                return Err(EngineError::UnknownToken { token, vocabulary: self.embedding.rows() });
            }
        }
        if let Some(factor) = self.spec.embed_scale {
            scale(cpu, x, factor);
        }
        Ok(())
    }

    fn attend(
        &self,
        cpu: &Cpu,
        spans: &mut [Span<'_>],
        index: usize,
        layer: &Layer,
        table: Option<&RopeTable>,
        s: &mut Scratch,
    ) -> Result<(), EngineError> {
        let spec = &self.spec;
        copy(&mut s.normed, &s.x);
        rms_norm(cpu, &mut s.normed, &layer.attn_norm, spec.eps)?;
        let projections = &mut [(&layer.q, &mut s.q), (&layer.k, &mut s.k), (&layer.v, &mut s.v)];
        linear(cpu, &mut s.acts, &s.normed, spec.width, projections)?;
        if let Some(norm) = &layer.q_norm {
            rms_norm(cpu, &mut s.q, norm, spec.eps)?;
        }
        if let Some(norm) = &layer.k_norm {
            rms_norm(cpu, &mut s.k, norm, spec.eps)?;
        }
        if let Some(table) = table {
            rope(cpu, &mut s.q, spec.n_heads, spec.head_dim, spec.pairing, table)?;
            rope(cpu, &mut s.k, spec.n_kv_heads, spec.head_dim, spec.pairing, table)?;
        }
        store(cpu, index, spans, &s.k, &s.v)?;
        s.attended.resize(s.q.len(), 0.0);
        let heads =
            Heads { layer: index, n_heads: spec.n_heads, scale: spec.attention_scale, mask: layer.mask };
        attention(cpu, heads, spans, &s.q, &mut s.attended)?;
        let n_in = spec.n_heads * spec.head_dim;
        linear(cpu, &mut s.acts, &s.attended, n_in, &mut [(&layer.output, &mut s.added)])?;
        self.add(cpu, s, layer.post_attn_norm.as_deref())
    }

    fn feed_forward(&self, cpu: &Cpu, layer: &Layer, s: &mut Scratch) -> Result<(), EngineError> {
        let spec = &self.spec;
        copy(&mut s.normed, &s.x);
        rms_norm(cpu, &mut s.normed, &layer.ffn_norm, spec.eps)?;
        let (x, acts) = (&s.normed, &mut s.acts);
        let mut rows = Rows { cpu, acts, x, width: spec.width, function: spec.gate };
        layer.feed_forward.forward(&mut rows, &mut s.feed_forward, &mut s.added)?;
        self.add(cpu, s, layer.post_ffn_norm.as_deref())
    }

    fn add(&self, cpu: &Cpu, s: &mut Scratch, norm: Option<&[f32]>) -> Result<(), EngineError> {
        if let Some(norm) = norm {
            rms_norm(cpu, &mut s.added, norm, self.spec.eps)?;
        }
        Ok(add(cpu, &mut s.x, &s.added)?)
    }
}

/// Replaces what `to` holds.
fn copy(to: &mut Vec<f32>, from: &[f32]) {
    to.clear();
    to.extend_from_slice(from);
}
