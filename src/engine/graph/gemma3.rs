//! The architecture `gemma3`.
//!
//! Five of six layers see only a window of tokens and turn positions on a base of their own; what attention and
//! feed-forward add is normed before it is added; heads of queries and keys are normed; the embedding is scaled
//! by the root of its width. The files hold norm weights with Gemma's 1 already added.

use kernels::cpu::{Attention, Gate, Pairing};

use super::backbone::{Backbone, Layer, Rope, Spec};
use super::family::Family;
use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

/// Every so many layers, the last one sees all tokens.
const PATTERN: usize = 6;
/// Base of the positions in layers with a window, where the file names none.
const LOCAL_BASE: f32 = 10_000.0;
/// The 27B model scales scores by width and heads instead of the head's size. It is told by its layers.
const LAYERS_27B: usize = 62;

pub(super) fn open(file: &ModelFile) -> Result<Backbone, EngineError> {
    let family = Family { file, arch: "gemma3" };
    if file.named(file.gguf.opt_f32("gemma3.final_logit_softcapping"))?.is_some_and(|v| v != 0.0) {
        return Err(family.refuse("final_logit_softcapping", "capped logits are not supported"));
    }
    let window = Attention::Window(family.size("attention.sliding_window")?);
    family.backbone(spec(&family)?, |spec, i| {
        let norm = |part: &str| file.vector(&format!("blk.{i}.{part}.weight"), spec.width).map(Some);
        let layer = family.layer(spec, i, family.gated(spec.width, i)?)?;
        let global = (i + 1).is_multiple_of(PATTERN);
        Ok(Layer {
            post_attn_norm: norm("post_attention_norm")?,
            post_ffn_norm: norm("post_ffw_norm")?,
            mask: if global { Attention::Causal } else { window },
            rope: Some(usize::from(!global)),
            ..family.head_norms(spec, i, layer)?
        })
    })
}

fn spec(family: &Family<'_>) -> Result<Spec, EngineError> {
    let file = family.file;
    // The keys name no part of a head that stays: all of it turns.
    let head_dim = family.size("attention.key_length")?;
    let global = family.rope(1e6, None)?;
    let local_base = file.positive(family.arch, "rope.freq_base_swa", Some(LOCAL_BASE))?;
    let local = Rope { base: local_base, scale: 1.0, factors: None, magnitude: 1.0 };
    let spec = family.spec(Pairing::Halves, vec![global, local])?;
    let large = family.size("block_count")? == LAYERS_27B;
    let per_head = if large { spec.width / spec.n_heads } else { head_dim };
    Ok(Spec {
        n_rot: head_dim,
        embed_scale: Some((spec.width as f32).sqrt()),
        attention_scale: 1.0 / (per_head as f32).sqrt(),
        gate: Gate::GeluTanh,
        ..spec
    })
}
