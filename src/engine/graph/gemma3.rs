//! The architecture `gemma3`.
//!
//! Five of six layers see only a window of tokens and turn positions on a base of their own; what attention and
//! feed-forward add is normed before it is added; heads of queries and keys are normed; the embedding is scaled
//! by the root of its width. The files hold norm weights with Gemma's 1 already added.

use kernels::cpu::{Attention, Gate, Pairing};

use super::decoder::{Decoder, Layer, Rope, Spec};
use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

const ARCH: &str = "gemma3";
/// Every so many layers, the last one sees all tokens.
const PATTERN: usize = 6;
/// Base of the positions in layers with a window, where the file names none.
const LOCAL_BASE: f32 = 10_000.0;
/// The 27B model scales scores by width and heads instead of the head's size. It is told by its layers.
const LAYERS_27B: usize = 62;

pub(super) fn open(file: &ModelFile) -> Result<Decoder, EngineError> {
    let n_layers = file.size(ARCH, "block_count")?;
    let spec = spec(file, n_layers)?;
    let window = file.size(ARCH, "attention.sliding_window")?;
    let embedding = file.table("token_embd.weight", spec.width)?;
    let n_ffn = file.size(ARCH, "feed_forward_length")?;
    let layers = (0..n_layers).map(|i| layer(file, &spec, i, n_ffn, window)).collect::<Result<_, _>>()?;
    let output = if file.has("output.weight") { "output.weight" } else { "token_embd.weight" };
    Ok(Decoder {
        output_norm: file.vector("output_norm.weight", spec.width)?,
        output: file.matrix(output, embedding.rows(), spec.width)?,
        embedding,
        layers,
        spec,
    })
}

fn spec(file: &ModelFile, n_layers: usize) -> Result<Spec, EngineError> {
    if file.named(file.gguf.opt_f32("gemma3.final_logit_softcapping"))?.is_some_and(|v| v != 0.0) {
        return Err(file.bad_key("gemma3.final_logit_softcapping", "capped logits are not supported"));
    }
    let width = file.size(ARCH, "embedding_length")?;
    let n_heads = file.size(ARCH, "attention.head_count")?;
    let head_dim = file.size(ARCH, "attention.key_length")?;
    let scaled = match file.named(file.gguf.opt_str("gemma3.rope.scaling.type"))? {
        None | Some("none") => 1.0,
        Some("linear") => 1.0 / file.positive(ARCH, "rope.scaling.factor", None)?,
        Some(other) => {
            return Err(file.bad_key("gemma3.rope.scaling.type", format!("\"{other}\" is not supported")));
        }
    };
    let global =
        Rope { base: file.positive(ARCH, "rope.freq_base", Some(1e6))?, scale: scaled, factors: None };
    let local_base = file.positive(ARCH, "rope.freq_base_swa", Some(LOCAL_BASE))?;
    let per_head = if n_layers == LAYERS_27B { width / n_heads } else { head_dim };
    let spec = Spec {
        width,
        n_heads,
        n_kv_heads: file.opt_size(ARCH, "attention.head_count_kv")?.unwrap_or(n_heads),
        head_dim,
        n_rot: head_dim,
        eps: file.positive(ARCH, "attention.layer_norm_rms_epsilon", None)?,
        embed_scale: Some((width as f32).sqrt()),
        attention_scale: 1.0 / (per_head as f32).sqrt(),
        pairing: Pairing::Halves,
        gate: Gate::GeluTanh,
        ropes: vec![global, Rope { base: local_base, scale: 1.0, factors: None }],
        context_length: file.size(ARCH, "context_length")?,
    };
    spec.check(file, ARCH)?;
    Ok(spec)
}

fn layer(file: &ModelFile, spec: &Spec, i: usize, n_ffn: usize, window: usize) -> Result<Layer, EngineError> {
    let name = |part: &str| format!("blk.{i}.{part}");
    let (width, n_q, n_kv) = (spec.width, spec.n_heads * spec.head_dim, spec.n_kv_heads * spec.head_dim);
    let global = (i + 1).is_multiple_of(PATTERN);
    Ok(Layer {
        attn_norm: file.vector(&name("attn_norm.weight"), width)?,
        q: file.linear(&name("attn_q"), n_q, width)?,
        k: file.linear(&name("attn_k"), n_kv, width)?,
        v: file.linear(&name("attn_v"), n_kv, width)?,
        q_norm: Some(file.vector(&name("attn_q_norm.weight"), spec.head_dim)?),
        k_norm: Some(file.vector(&name("attn_k_norm.weight"), spec.head_dim)?),
        output: file.linear(&name("attn_output"), width, n_q)?,
        post_attn_norm: Some(file.vector(&name("post_attention_norm.weight"), width)?),
        ffn_norm: file.vector(&name("ffn_norm.weight"), width)?,
        gate: file.linear(&name("ffn_gate"), n_ffn, width)?,
        up: file.linear(&name("ffn_up"), n_ffn, width)?,
        down: file.linear(&name("ffn_down"), width, n_ffn)?,
        post_ffn_norm: Some(file.vector(&name("post_ffw_norm.weight"), width)?),
        mask: if global { Attention::Causal } else { Attention::Window(window) },
        rope: usize::from(!global),
    })
}
