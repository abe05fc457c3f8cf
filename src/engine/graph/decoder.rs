//! Text models: each token attends to those before it.

use kernels::cpu::{
    Activations, Attention, Cpu, Gate, KvCache, Matrix, Pairing, Product, RopeTable, add, attention, gated,
    matmul, rms_norm, rope, scale,
};

use super::parts::linear;
use crate::engine::EngineError;
use crate::engine::weights::{Linear, ModelFile, Table};

/// Tokens that are computed together when a prompt is read.
pub(in crate::engine) const CHUNK: usize = 256;

/// How positions turn queries and keys.
#[derive(Debug)]
pub(super) struct Rope {
    pub(super) base: f32,
    pub(super) scale: f32,
    pub(super) factors: Option<Vec<f32>>,
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
    pub(super) gate: Linear,
    pub(super) up: Linear,
    pub(super) down: Linear,
    /// Norm of what the feed-forward part adds.
    pub(super) post_ffn_norm: Option<Vec<f32>>,
    pub(super) mask: Attention,
    /// Index into [`Spec::ropes`].
    pub(super) rope: usize,
}

/// The weights of a text model.
#[derive(Debug)]
pub(in crate::engine) struct Decoder {
    pub(super) spec: Spec,
    pub(super) embedding: Table,
    pub(super) layers: Vec<Layer>,
    pub(super) output_norm: Vec<f32>,
    pub(super) output: Matrix,
}

/// Buffers of a computation, kept from step to step. Activations have 16 bits: with 8, as llama.cpp has them, logits
/// are off by some tenths, which decides between close candidates.
#[derive(Debug, Default)]
pub(in crate::engine) struct Scratch {
    acts: Activations,
    x: Vec<f32>,
    normed: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    attended: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
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

impl Decoder {
    /// Tokens that the model was trained to see at once.
    pub(in crate::engine) fn context_length(&self) -> usize {
        self.spec.context_length
    }

    /// Tokens that it can name.
    pub(in crate::engine) fn vocabulary(&self) -> usize {
        self.output.n_out().min(self.embedding.rows())
    }

    /// Width of a row of logits.
    pub(in crate::engine) fn output_rows(&self) -> usize {
        self.output.n_out()
    }

    /// An empty cache of the right shape.
    pub(in crate::engine) fn new_cache(&self) -> Result<KvCache, EngineError> {
        Ok(KvCache::new(self.layers.len(), self.spec.n_kv_heads, self.spec.head_dim)?)
    }

    /// Computes `tokens` after those in the cache. The logits (n_logits, vocabulary) of the last `n_logits`
    /// tokens replace `logits`.
    ///
    /// # Errors
    /// A token is outside of the vocabulary. The cache may then hold some of the tokens: truncate it.
    pub(in crate::engine) fn forward(
        &self,
        cpu: &Cpu,
        cache: &mut KvCache,
        scratch: &mut Scratch,
        tokens: &[u32],
        n_logits: usize,
        logits: &mut Vec<f32>,
    ) -> Result<(), EngineError> {
        let first = cache.len();
        self.embed(cpu, tokens, &mut scratch.x)?;
        let spec = &self.spec;
        let tables: Vec<RopeTable> = spec
            .ropes
            .iter()
            .map(|r| RopeTable::new(first, tokens.len(), spec.n_rot, r.base, r.scale, r.factors.as_deref()))
            .collect::<Result<_, _>>()?;
        for (i, layer) in self.layers.iter().enumerate() {
            let Some(table) = tables.get(layer.rope) else { continue };
            self.attend(cpu, cache, i, layer, table, scratch)?;
            self.feed_forward(cpu, layer, scratch)?;
        }
        logits.clear();
        let n_logits = n_logits.min(tokens.len());
        if n_logits == 0 {
            return Ok(());
        }
        let last = scratch.x.len() - n_logits * spec.width;
        copy(&mut scratch.normed, &scratch.x[last..]);
        rms_norm(cpu, &mut scratch.normed, &self.output_norm, spec.eps)?;
        scratch.acts.fill(cpu, &scratch.normed, spec.width, &[&self.output])?;
        logits.resize(n_logits * self.output.n_out(), 0.0);
        matmul(cpu, &scratch.acts, &mut [Product { matrix: &self.output, out: logits }])?;
        Ok(())
    }

    fn embed(&self, cpu: &Cpu, tokens: &[u32], x: &mut Vec<f32>) -> Result<(), EngineError> {
        x.clear();
        for &token in tokens {
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
        cache: &mut KvCache,
        index: usize,
        layer: &Layer,
        table: &RopeTable,
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
        rope(cpu, &mut s.q, spec.n_heads, spec.head_dim, spec.pairing, table)?;
        rope(cpu, &mut s.k, spec.n_kv_heads, spec.head_dim, spec.pairing, table)?;
        let Some(kv) = cache.layer_mut(index) else { return Ok(()) };
        kv.append(cpu, &s.k, &s.v)?;
        s.attended.resize(s.q.len(), 0.0);
        attention(cpu, kv, &s.q, spec.n_heads, spec.attention_scale, layer.mask, &mut s.attended)?;
        let n_in = spec.n_heads * spec.head_dim;
        linear(cpu, &mut s.acts, &s.attended, n_in, &mut [(&layer.output, &mut s.added)])?;
        self.add(cpu, s, layer.post_attn_norm.as_deref())
    }

    fn feed_forward(&self, cpu: &Cpu, layer: &Layer, s: &mut Scratch) -> Result<(), EngineError> {
        let spec = &self.spec;
        copy(&mut s.normed, &s.x);
        rms_norm(cpu, &mut s.normed, &layer.ffn_norm, spec.eps)?;
        let halves = &mut [(&layer.gate, &mut s.gate), (&layer.up, &mut s.up)];
        linear(cpu, &mut s.acts, &s.normed, spec.width, halves)?;
        gated(cpu, &mut s.gate, &s.up, spec.gate)?;
        let n_in = layer.down.matrix.n_in();
        linear(cpu, &mut s.acts, &s.gate, n_in, &mut [(&layer.down, &mut s.added)])?;
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
