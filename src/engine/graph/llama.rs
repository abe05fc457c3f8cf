//! The architecture `llama`: Llama, Mistral, SmolLM2 and their kin.

use kernels::cpu::{Attention, Gate, Pairing};

use super::decoder::{Decoder, Layer, Rope, Spec};
use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

const ARCH: &str = "llama";

pub(super) fn open(file: &ModelFile) -> Result<Decoder, EngineError> {
    let spec = spec(file)?;
    let embedding = file.table("token_embd.weight", spec.width)?;
    let n_layers = file.size(ARCH, "block_count")?;
    let n_ffn = file.size(ARCH, "feed_forward_length")?;
    let layers = (0..n_layers).map(|i| layer(file, &spec, i, n_ffn)).collect::<Result<_, _>>()?;
    let output = if file.has("output.weight") { "output.weight" } else { "token_embd.weight" };
    Ok(Decoder {
        output_norm: file.vector("output_norm.weight", spec.width)?,
        output: file.matrix(output, embedding.rows(), spec.width)?,
        embedding,
        layers,
        spec,
    })
}

fn spec(file: &ModelFile) -> Result<Spec, EngineError> {
    if file.named(file.gguf.opt_u32("llama.expert_count"))?.is_some_and(|n| n > 0) {
        return Err(file.bad_key("llama.expert_count", "models with experts are not supported"));
    }
    let width = file.size(ARCH, "embedding_length")?;
    let n_heads = file.size(ARCH, "attention.head_count")?;
    let n_kv_heads = file.opt_size(ARCH, "attention.head_count_kv")?.unwrap_or(n_heads);
    let head_dim = file.opt_size(ARCH, "attention.key_length")?.unwrap_or(width / n_heads);
    let n_rot = file.opt_size(ARCH, "rope.dimension_count")?.unwrap_or(head_dim);
    let scale = match file.named(file.gguf.opt_str("llama.rope.scaling.type"))? {
        None | Some("none") => 1.0,
        Some("linear") => 1.0 / file.positive(ARCH, "rope.scaling.factor", None)?,
        Some(other) => {
            return Err(file.bad_key("llama.rope.scaling.type", format!("\"{other}\" is not supported")));
        }
    };
    let base = file.positive(ARCH, "rope.freq_base", Some(10_000.0))?;
    let spec = Spec {
        width,
        n_heads,
        n_kv_heads,
        head_dim,
        n_rot,
        eps: file.positive(ARCH, "attention.layer_norm_rms_epsilon", None)?,
        embed_scale: None,
        attention_scale: 1.0 / (head_dim as f32).sqrt(),
        pairing: Pairing::Adjacent,
        gate: Gate::Silu,
        ropes: vec![Rope { base, scale, factors: file.opt_vector("rope_freqs.weight", n_rot / 2)? }],
        context_length: file.size(ARCH, "context_length")?,
    };
    spec.check(file, ARCH)?;
    Ok(spec)
}

fn layer(file: &ModelFile, spec: &Spec, i: usize, n_ffn: usize) -> Result<Layer, EngineError> {
    let name = |part: &str| format!("blk.{i}.{part}");
    let (width, n_q, n_kv) = (spec.width, spec.n_heads * spec.head_dim, spec.n_kv_heads * spec.head_dim);
    Ok(Layer {
        attn_norm: file.vector(&name("attn_norm.weight"), width)?,
        q: file.linear(&name("attn_q"), n_q, width)?,
        k: file.linear(&name("attn_k"), n_kv, width)?,
        v: file.linear(&name("attn_v"), n_kv, width)?,
        q_norm: None,
        k_norm: None,
        output: file.linear(&name("attn_output"), width, n_q)?,
        post_attn_norm: None,
        ffn_norm: file.vector(&name("ffn_norm.weight"), width)?,
        gate: file.linear(&name("ffn_gate"), n_ffn, width)?,
        up: file.linear(&name("ffn_up"), n_ffn, width)?,
        down: file.linear(&name("ffn_down"), width, n_ffn)?,
        post_ffn_norm: None,
        mask: Attention::Causal,
        rope: 0,
    })
}
