//! The architecture `bert`: encoders with norms after each part, such as multilingual-e5.

use kernels::cpu::{
    Activations, Attention, Cpu, Heads, KvCache, KvKind, KvShape, Precision, Span, add, attention, gelu_erf,
    l2_normalise, layer_norm, mean_rows, store,
};

use super::parts::linear;
use crate::engine::EngineError;
use crate::engine::weights::{Linear, ModelFile, Table};

const ARCH: &str = "bert";

/// Weight and bias of a layer norm.
#[derive(Debug)]
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

#[derive(Debug)]
struct Layer {
    q: Linear,
    k: Linear,
    v: Linear,
    output: Linear,
    attn_norm: Norm,
    up: Linear,
    down: Linear,
    out_norm: Norm,
}

/// How token vectors become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pooling {
    Mean,
    First,
}

/// The weights of an encoder.
#[derive(Debug)]
pub(in crate::engine) struct Encoder {
    width: usize,
    n_heads: usize,
    eps: f32,
    context_length: usize,
    pooling: Pooling,
    embedding: Table,
    positions: Table,
    /// Added to every token: row 0 of the table of token types.
    token_type: Option<Vec<f32>>,
    embed_norm: Norm,
    layers: Vec<Layer>,
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
    added: Vec<f32>,
    /// Keys and values of the layer at hand, a cache for each text of a batch.
    kv: Vec<KvCache>,
}

impl Default for Scratch {
    /// Activations of 8 bits: they move a vector by a cosine of some 0.0001, and read twice as fast as finer ones.
    fn default() -> Self {
        let (acts, empty) = (Activations::new(Precision::Eight), Vec::new);
        let (x, q, k, v) = (empty(), empty(), empty(), empty());
        Self { acts, x, q, k, v, attended: empty(), inner: empty(), added: empty(), kv: Vec::new() }
    }
}

pub(super) fn open(file: &ModelFile) -> Result<Encoder, EngineError> {
    let width = file.size(ARCH, "embedding_length")?;
    let n_layers = file.size(ARCH, "block_count")?;
    let n_ffn = file.size(ARCH, "feed_forward_length")?;
    let pooling = match file.named(file.gguf.opt_u32("bert.pooling_type"))? {
        None | Some(1) => Pooling::Mean,
        Some(2) => Pooling::First,
        Some(other) => return Err(file.bad_key("bert.pooling_type", format!("{other} is not supported"))),
    };
    let n_heads = file.size(ARCH, "attention.head_count")?;
    if !width.is_multiple_of(n_heads) || !(width / n_heads).is_multiple_of(16) {
        let problem =
            format!("{n_heads} heads over {width} values: only heads of a multiple of 16 are supported");
        return Err(file.bad_key("bert.attention.head_count", problem));
    }
    let positions = file.table("position_embd.weight", width)?;
    let token_type = if file.has("token_types.weight") {
        let mut row = Vec::new();
        file.table("token_types.weight", width)?.append_row(0, &mut row)?;
        Some(row)
    } else {
        None
    };
    Ok(Encoder {
        width,
        n_heads,
        eps: file.positive(ARCH, "attention.layer_norm_epsilon", None)?,
        context_length: file.size(ARCH, "context_length")?.min(positions.rows()),
        pooling,
        embedding: file.table("token_embd.weight", width)?,
        positions,
        token_type,
        embed_norm: norm(file, "token_embd_norm", width)?,
        layers: (0..n_layers).map(|i| layer(file, i, width, n_ffn)).collect::<Result<_, _>>()?,
    })
}

fn norm(file: &ModelFile, name: &str, width: usize) -> Result<Norm, EngineError> {
    let part = |what: &str| file.vector(&format!("{name}.{what}"), width);
    Ok(Norm { weight: part("weight")?, bias: part("bias")? })
}

fn layer(file: &ModelFile, i: usize, width: usize, n_ffn: usize) -> Result<Layer, EngineError> {
    let name = |part: &str| format!("blk.{i}.{part}");
    Ok(Layer {
        q: file.linear(&name("attn_q"), width, width)?,
        k: file.linear(&name("attn_k"), width, width)?,
        v: file.linear(&name("attn_v"), width, width)?,
        output: file.linear(&name("attn_output"), width, width)?,
        attn_norm: norm(file, &name("attn_output_norm"), width)?,
        up: file.linear(&name("ffn_up"), n_ffn, width)?,
        down: file.linear(&name("ffn_down"), width, n_ffn)?,
        out_norm: norm(file, &name("layer_output_norm"), width)?,
    })
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

    /// The vectors, of length 1, of several texts' tokens. Every text has 1 to `context_length` tokens.
    pub(in crate::engine) fn forward(
        &self,
        cpu: &Cpu,
        s: &mut Scratch,
        texts: &[&[u32]],
    ) -> Result<Vec<Vec<f32>>, EngineError> {
        self.embed(cpu, s, texts)?;
        let mut kv = std::mem::take(&mut s.kv);
        let mut spans = self.spans(&mut kv, texts)?;
        for layer in &self.layers {
            self.attend(cpu, s, layer, &mut spans)?;
            linear(cpu, &mut s.acts, &s.x, self.width, &mut [(&layer.up, &mut s.inner)])?;
            gelu_erf(cpu, &mut s.inner);
            let n_ffn = layer.down.matrix.n_in();
            linear(cpu, &mut s.acts, &s.inner, n_ffn, &mut [(&layer.down, &mut s.added)])?;
            self.add(cpu, s, &layer.out_norm)?;
        }
        s.kv = kv;
        let mut rest = s.x.as_slice();
        texts.iter().map(|text| self.pool(cpu, text.len(), &mut rest)).collect()
    }

    fn embed(&self, cpu: &Cpu, s: &mut Scratch, texts: &[&[u32]]) -> Result<(), EngineError> {
        s.x.clear();
        s.added.clear();
        for text in texts {
            for (position, &token) in text.iter().enumerate() {
                if !self.embedding.append_row(token as usize, &mut s.x)? {
                    return Err(EngineError::UnknownToken { token, vocabulary: self.embedding.rows() });
                }
                if !self.positions.append_row(position, &mut s.added)? {
                    let context = self.context_length;
                    return Err(EngineError::PromptTooLong { tokens: text.len(), context });
                }
            }
        }
        add(cpu, &mut s.x, &s.added)?;
        if let Some(row) = &self.token_type {
            kernels::cpu::add_bias(cpu, &mut s.x, row)?;
        }
        let norm = &self.embed_norm;
        Ok(layer_norm(cpu, &mut s.x, &norm.weight, &norm.bias, self.eps)?)
    }

    /// A cache of one layer for each text, used for all layers in turn.
    fn spans<'a>(&self, kv: &'a mut Vec<KvCache>, texts: &[&[u32]]) -> Result<Vec<Span<'a>>, EngineError> {
        let (n_kv_heads, head_dim) = (self.n_heads, self.width / self.n_heads);
        let shape = KvShape { n_layers: 1, n_kv_heads, head_dim, kind: KvKind::F16 };
        while kv.len() < texts.len() {
            kv.push(KvCache::new(shape)?);
        }
        let spans = kv.iter_mut().zip(texts).map(|(cache, text)| {
            cache.reuse();
            cache.grow(text.len());
            Span { cache, n: text.len() }
        });
        Ok(spans.collect())
    }

    fn attend(
        &self,
        cpu: &Cpu,
        s: &mut Scratch,
        layer: &Layer,
        spans: &mut [Span<'_>],
    ) -> Result<(), EngineError> {
        let projections = &mut [(&layer.q, &mut s.q), (&layer.k, &mut s.k), (&layer.v, &mut s.v)];
        linear(cpu, &mut s.acts, &s.x, self.width, projections)?;
        s.attended.resize(s.q.len(), 0.0);
        let scale = 1.0 / ((self.width / self.n_heads) as f32).sqrt();
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
    fn pool(&self, cpu: &Cpu, n: usize, rest: &mut &[f32]) -> Result<Vec<f32>, EngineError> {
        let (rows, after) = rest.split_at(n * self.width);
        *rest = after;
        let mut vector = match self.pooling {
            Pooling::Mean => mean_rows(rows, self.width)?,
            Pooling::First => rows[..self.width].to_vec(),
        };
        l2_normalise(cpu, &mut vector);
        Ok(vector)
    }
}
