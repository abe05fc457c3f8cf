//! Encoders: each token attends to all of its text, and norms come after each part.

use kernels::cpu::{
    Activations, Attention, Cpu, Gate, Heads, KvCache, KvKind, KvShape, Pairing, Precision, RopeTable, Span,
    add, add_bias, attention, gated, gelu_erf, layer_norm, mean_rows, rope, store,
};

use super::parts::linear;
use crate::engine::EngineError;
use crate::engine::weights::{Linear, Table};

/// Tokens of a text, or of a pair of texts.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine) struct Text<'a> {
    pub(in crate::engine) tokens: &'a [u32],
    /// Where the second text begins; the number of tokens where there is none.
    pub(in crate::engine) second: usize,
}

/// Weight and bias of a layer norm.
#[derive(Debug)]
pub(super) struct Norm {
    pub(super) weight: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) q: Linear,
    pub(super) k: Linear,
    pub(super) v: Linear,
    pub(super) output: Linear,
    pub(super) attn_norm: Norm,
    /// With a gate its SiLU multiplies what goes up; without one GELU is applied to that.
    pub(super) gate: Option<Linear>,
    pub(super) up: Linear,
    pub(super) down: Linear,
    pub(super) out_norm: Norm,
}

/// How token vectors become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    First,
    Last,
}

/// How an encoder knows the places of its tokens.
#[derive(Debug)]
pub(super) enum Positions {
    /// Rows that are added to the tokens'.
    Table(Table),
    /// Queries and keys turn, on this base.
    Rope(f32),
}

/// The weights of an encoder.
#[derive(Debug)]
pub(in crate::engine) struct Encoder {
    pub(super) width: usize,
    pub(super) n_heads: usize,
    pub(super) eps: f32,
    pub(super) context_length: usize,
    pub(super) pooling: Pooling,
    pub(super) embedding: Table,
    pub(super) positions: Positions,
    /// Added to the tokens of the first text, and to those of the second where there is a second row.
    pub(super) token_types: Vec<Vec<f32>>,
    pub(super) embed_norm: Norm,
    pub(super) layers: Vec<Layer>,
}

/// Buffers of a computation, kept from batch to batch.
#[derive(Debug)]
pub(in crate::engine) struct Scratch {
    acts: Activations,
    x: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    attended: Vec<f32>,
    inner: Vec<f32>,
    gate: Vec<f32>,
    added: Vec<f32>,
    /// Keys and values of the layer at hand, a cache for each text of a batch.
    kv: Vec<KvCache>,
}

impl Default for Scratch {
    /// Activations of 8 bits: they move a vector by a cosine of some 0.0001, and read twice as fast as finer ones.
    fn default() -> Self {
        let (acts, empty) = (Activations::new(Precision::Eight), Vec::new);
        let (x, q, k, v, gate) = (empty(), empty(), empty(), empty(), empty());
        Self { acts, x, q, k, v, attended: empty(), inner: empty(), gate, added: empty(), kv: Vec::new() }
    }
}

impl Encoder {
    /// Length of a vector.
    pub(in crate::engine) fn width(&self) -> usize {
        self.width
    }

    /// Tokens that a text may have.
    pub(in crate::engine) fn context_length(&self) -> usize {
        self.context_length
    }

    /// The vectors of several texts, not scaled to any length. Every text has 1 to `context_length` tokens.
    pub(in crate::engine) fn forward(
        &self,
        cpu: &Cpu,
        s: &mut Scratch,
        texts: &[Text<'_>],
    ) -> Result<Vec<Vec<f32>>, EngineError> {
        self.embed(cpu, s, texts)?;
        let table = self.turns(texts)?;
        let mut kv = std::mem::take(&mut s.kv);
        let mut spans = self.spans(&mut kv, texts)?;
        for layer in &self.layers {
            self.attend(cpu, s, layer, table.as_ref(), &mut spans)?;
            self.feed_forward(cpu, s, layer)?;
            self.add(cpu, s, &layer.out_norm)?;
        }
        s.kv = kv;
        let mut rest = s.x.as_slice();
        texts.iter().map(|text| self.pool(text.tokens.len(), &mut rest)).collect()
    }

    fn embed(&self, cpu: &Cpu, s: &mut Scratch, texts: &[Text<'_>]) -> Result<(), EngineError> {
        s.x.clear();
        s.added.clear();
        for text in texts {
            for (position, &token) in text.tokens.iter().enumerate() {
                if !self.embedding.append_row(token as usize, &mut s.x)? {
                    return Err(EngineError::UnknownToken { token, vocabulary: self.embedding.rows() });
                }
                if let Positions::Table(table) = &self.positions
                    && !table.append_row(position, &mut s.added)?
                {
                    let (tokens, context) = (text.tokens.len(), self.context_length);
                    return Err(EngineError::PromptTooLong { tokens, context });
                }
            }
        }
        if matches!(self.positions, Positions::Table(_)) {
            add(cpu, &mut s.x, &s.added)?;
        }
        self.add_types(cpu, &mut s.x, texts)?;
        let norm = &self.embed_norm;
        Ok(layer_norm(cpu, &mut s.x, &norm.weight, &norm.bias, self.eps)?)
    }

    fn add_types(&self, cpu: &Cpu, x: &mut [f32], texts: &[Text<'_>]) -> Result<(), EngineError> {
        let Some(first) = self.token_types.first() else { return Ok(()) };
        let second = self.token_types.get(1).unwrap_or(first);
        let mut rest = x;
        for text in texts {
            let n = text.tokens.len();
            for (rows, row) in [(text.second.min(n), first), (n.saturating_sub(text.second), second)] {
                let (own, after) = std::mem::take(&mut rest).split_at_mut(rows * self.width);
                rest = after;
                add_bias(cpu, own, row)?;
            }
        }
        Ok(())
    }

    /// How positions turn queries and keys; none where they do not.
    fn turns(&self, texts: &[Text<'_>]) -> Result<Option<RopeTable>, EngineError> {
        let Positions::Rope(base) = self.positions else { return Ok(None) };
        let positions = texts.iter().flat_map(|text| 0..text.tokens.len());
        Ok(Some(RopeTable::new(positions, self.width / self.n_heads, base, 1.0, None)?))
    }

    fn feed_forward(&self, cpu: &Cpu, s: &mut Scratch, layer: &Layer) -> Result<(), EngineError> {
        let up = (&layer.up, &mut s.inner);
        if let Some(gate) = &layer.gate {
            linear(cpu, &mut s.acts, &s.x, self.width, &mut [up, (gate, &mut s.gate)])?;
            gated(cpu, &mut s.gate, &s.inner, Gate::Silu)?;
            std::mem::swap(&mut s.gate, &mut s.inner);
        } else {
            linear(cpu, &mut s.acts, &s.x, self.width, &mut [up])?;
            gelu_erf(cpu, &mut s.inner);
        }
        linear(cpu, &mut s.acts, &s.inner, layer.down.matrix.n_in(), &mut [(&layer.down, &mut s.added)])
    }

    /// A cache of one layer for each text, used for all layers in turn.
    fn spans<'a>(&self, kv: &'a mut Vec<KvCache>, texts: &[Text<'_>]) -> Result<Vec<Span<'a>>, EngineError> {
        let (n_kv_heads, head_dim) = (self.n_heads, self.width / self.n_heads);
        let shape = KvShape { n_layers: 1, n_kv_heads, head_dim, kind: KvKind::F16 };
        while kv.len() < texts.len() {
            kv.push(KvCache::new(shape)?);
        }
        let spans = kv.iter_mut().zip(texts).map(|(cache, text)| {
            cache.reuse();
            cache.grow(text.tokens.len());
            Span { cache, n: text.tokens.len() }
        });
        Ok(spans.collect())
    }

    fn attend(
        &self,
        cpu: &Cpu,
        s: &mut Scratch,
        layer: &Layer,
        table: Option<&RopeTable>,
        spans: &mut [Span<'_>],
    ) -> Result<(), EngineError> {
        let projections = &mut [(&layer.q, &mut s.q), (&layer.k, &mut s.k), (&layer.v, &mut s.v)];
        linear(cpu, &mut s.acts, &s.x, self.width, projections)?;
        let head_dim = self.width / self.n_heads;
        if let Some(table) = table {
            rope(cpu, &mut s.q, self.n_heads, head_dim, Pairing::Halves, table)?;
            rope(cpu, &mut s.k, self.n_heads, head_dim, Pairing::Halves, table)?;
        }
        s.attended.resize(s.q.len(), 0.0);
        let scale = 1.0 / (head_dim as f32).sqrt();
        store(cpu, 0, spans, &s.k, &s.v)?;
        let heads = Heads { layer: 0, n_heads: self.n_heads, scale, mask: Attention::Full };
        attention(cpu, heads, spans, &s.q, &mut s.attended)?;
        linear(cpu, &mut s.acts, &s.attended, self.width, &mut [(&layer.output, &mut s.added)])?;
        self.add(cpu, s, &layer.attn_norm)
    }

    fn add(&self, cpu: &Cpu, s: &mut Scratch, norm: &Norm) -> Result<(), EngineError> {
        add(cpu, &mut s.x, &s.added)?;
        Ok(layer_norm(cpu, &mut s.x, &norm.weight, &norm.bias, self.eps)?)
    }

    /// Takes the rows of one text off `rest` and makes its vector.
    fn pool(&self, n: usize, rest: &mut &[f32]) -> Result<Vec<f32>, EngineError> {
        let (rows, after) = rest.split_at(n * self.width);
        *rest = after;
        Ok(match self.pooling {
            Pooling::Mean => mean_rows(rows, self.width)?,
            Pooling::First => rows[..self.width].to_vec(),
            Pooling::Last => rows[(n - 1) * self.width..].to_vec(),
        })
    }
}
