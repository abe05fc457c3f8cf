//! What the files of most text models have in common. A family's own file adds what it does differently.

use kernels::cpu::{Attention, Gate, Pairing};

use super::backbone::{Backbone, Layer, Rope, Spec};
use super::feed_forward::{Experts, FeedForward, Gated};
use crate::engine::EngineError;
use crate::engine::weights::{Linear, ModelFile};

/// A file and the architecture that its keys begin with.
#[derive(Clone, Copy)]
pub(super) struct Family<'a> {
    pub(super) file: &'a ModelFile,
    pub(super) arch: &'static str,
}

impl Family<'_> {
    /// A size from `ARCH.KEY`.
    pub(super) fn size(&self, key: &str) -> Result<usize, EngineError> {
        self.file.size(self.arch, key)
    }

    /// As [`Family::size`], for a key that may be missing.
    pub(super) fn opt_size(&self, key: &str) -> Result<Option<usize>, EngineError> {
        self.file.opt_size(self.arch, key)
    }

    /// A refusal of what `ARCH.KEY` says.
    pub(super) fn refuse(&self, key: &str, problem: impl Into<String>) -> EngineError {
        self.file.bad_key(&format!("{}.{key}", self.arch), problem)
    }

    /// Values of a head.
    pub(super) fn head_dim(&self) -> Result<usize, EngineError> {
        match self.opt_size("attention.key_length")? {
            Some(length) => Ok(length),
            None => Ok(self.size("embedding_length")? / self.size("attention.head_count")?),
        }
    }

    /// Values of a head that positions turn.
    pub(super) fn n_rot(&self) -> Result<usize, EngineError> {
        Ok(self.opt_size("rope.dimension_count")?.unwrap_or(self.head_dim()?))
    }

    /// Positions with the file's base, all scaled alike or not at all.
    pub(super) fn rope(&self, base: f32, factors: Option<Vec<f32>>) -> Result<Rope, EngineError> {
        const KEY: &str = "rope.scaling.type";
        let scale = match self.file.named(self.file.gguf.opt_str(&format!("{}.{KEY}", self.arch)))? {
            None | Some("none") => 1.0,
            Some("linear") => 1.0 / self.file.positive(self.arch, "rope.scaling.factor", None)?,
            Some(other) => return Err(self.refuse(KEY, format!("\"{other}\" is not supported"))),
        };
        let base = self.file.positive(self.arch, "rope.freq_base", Some(base))?;
        Ok(Rope { base, scale, factors, magnitude: 1.0 })
    }

    /// Sizes and constants, with SwiGLU and scores by the root of the head's size.
    pub(super) fn spec(&self, pairing: Pairing, ropes: Vec<Rope>) -> Result<Spec, EngineError> {
        let n_heads = self.size("attention.head_count")?;
        let head_dim = self.head_dim()?;
        let spec = Spec {
            width: self.size("embedding_length")?,
            n_heads,
            n_kv_heads: self.opt_size("attention.head_count_kv")?.unwrap_or(n_heads),
            head_dim,
            n_rot: self.n_rot()?,
            eps: self.file.positive(self.arch, "attention.layer_norm_rms_epsilon", None)?,
            embed_scale: None,
            attention_scale: 1.0 / (head_dim as f32).sqrt(),
            pairing,
            gate: Gate::Silu,
            ropes,
            context_length: self.size("context_length")?,
        };
        spec.check(self.file, self.arch)?;
        Ok(spec)
    }

    /// Layer `i` without anything that only some families have.
    pub(super) fn layer(
        &self,
        spec: &Spec,
        i: usize,
        feed_forward: FeedForward,
    ) -> Result<Layer, EngineError> {
        let name = |part: &str| format!("blk.{i}.{part}");
        let (n_q, n_kv) = (spec.n_heads * spec.head_dim, spec.n_kv_heads * spec.head_dim);
        let [q, k, v] = self.projections(spec.width, [n_q, n_kv, n_kv], i)?;
        Ok(Layer {
            attn_norm: self.file.vector(&name("attn_norm.weight"), spec.width)?,
            q,
            k,
            v,
            q_norm: None,
            k_norm: None,
            output: self.file.linear(&name("attn_output"), spec.width, n_q)?,
            post_attn_norm: None,
            ffn_norm: self.file.vector(&name("ffn_norm.weight"), spec.width)?,
            feed_forward,
            post_ffn_norm: None,
            mask: Attention::Causal,
            rope: Some(0),
        })
    }

    /// Queries, keys and values with `sizes` rows each, from tensors of their own or from one with the rows of all
    /// three.
    pub(super) fn projections(
        &self,
        width: usize,
        sizes: [usize; 3],
        i: usize,
    ) -> Result<[Linear; 3], EngineError> {
        let name = |part: &str| format!("blk.{i}.{part}");
        if self.file.has(&name("attn_qkv.weight")) {
            return self.file.linears(&name("attn_qkv"), sizes, width);
        }
        Ok([
            self.file.linear(&name("attn_q"), sizes[0], width)?,
            self.file.linear(&name("attn_k"), sizes[1], width)?,
            self.file.linear(&name("attn_v"), sizes[2], width)?,
        ])
    }

    /// Norms over each head of queries and keys.
    pub(super) fn head_norms(&self, spec: &Spec, i: usize, layer: Layer) -> Result<Layer, EngineError> {
        let norm = |part: &str| self.file.vector(&format!("blk.{i}.{part}.weight"), spec.head_dim);
        Ok(Layer { q_norm: Some(norm("attn_q_norm")?), k_norm: Some(norm("attn_k_norm")?), ..layer })
    }

    /// One gated network, its halves in tensors of their own or in one with the gate's rows first.
    pub(super) fn gated(&self, width: usize, i: usize) -> Result<FeedForward, EngineError> {
        let name = |part: &str| format!("blk.{i}.{part}");
        let n_ffn = self.size("feed_forward_length")?;
        let [gate, up] = if self.file.has(&name("ffn_gate.weight")) {
            [
                self.file.linear(&name("ffn_gate"), n_ffn, width)?,
                self.file.linear(&name("ffn_up"), n_ffn, width)?,
            ]
        } else {
            self.file.linears(&name("ffn_up"), [n_ffn, n_ffn], width)?
        };
        let down = self.file.linear(&name("ffn_down"), width, n_ffn)?;
        Ok(FeedForward::One(Box::new(Gated { gate, up, down })))
    }

    /// Experts and their router.
    pub(super) fn experts(&self, width: usize, i: usize) -> Result<FeedForward, EngineError> {
        let name = |part: &str| format!("blk.{i}.{part}");
        let n = self.size("expert_count")?;
        let n_used = self.size("expert_used_count")?;
        if n_used > n {
            return Err(self.refuse("expert_used_count", format!("{n_used} of {n} experts")));
        }
        let n_ffn = match self.opt_size("expert_feed_forward_length")? {
            Some(length) => length,
            None => self.size("feed_forward_length")? / n_used,
        };
        if n_ffn == 0 {
            return Err(self.refuse("feed_forward_length", format!("it leaves nothing for {n_used} experts")));
        }
        let bare = |matrix| Linear { matrix, bias: None };
        let router = bare(self.file.matrix(&name("ffn_gate_inp.weight"), n, width)?);
        let gates = self.file.matrices(&name("ffn_gate_exps.weight"), n, n_ffn, width)?;
        let ups = self.file.matrices(&name("ffn_up_exps.weight"), n, n_ffn, width)?;
        let downs = self.file.matrices(&name("ffn_down_exps.weight"), n, width, n_ffn)?;
        let parts = gates.into_iter().zip(ups).zip(downs);
        let all = parts.map(|((gate, up), down)| Gated { gate: bare(gate), up: bare(up), down: bare(down) });
        Ok(FeedForward::Experts(Box::new(Experts { router, n_used, all: all.collect() })))
    }

    /// The model around its layers.
    pub(super) fn backbone(
        &self,
        spec: Spec,
        layer: impl Fn(&Spec, usize) -> Result<Layer, EngineError>,
    ) -> Result<Backbone, EngineError> {
        let layers = (0..self.size("block_count")?).map(|i| layer(&spec, i)).collect::<Result<_, _>>()?;
        let embedding = self.file.table("token_embd.weight", spec.width)?;
        let output_norm = self.file.vector("output_norm.weight", spec.width)?;
        Ok(Backbone::new(spec, embedding, layers, output_norm))
    }
}
