//! The architecture `phi3`: Phi-3, Phi-3.5 and Phi-4. Queries, keys and values come from one matrix, as do gate and
//! up; some see only a window of tokens. Models for long contexts turn positions by other factors where the context
//! is longer than the one they were first trained for, and make queries and keys a little longer at any length.

use kernels::cpu::{Attention, Pairing};

use super::backbone::{Backbone, Layer, Rope};
use super::family::Family;
use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

/// Which factors are used follows from the context that prompt and answer may have together, so that no token's
/// result depends on how long its text will be.
pub(super) fn open(file: &ModelFile, context: usize) -> Result<Backbone, EngineError> {
    let family = Family { file, arch: "phi3" };
    let spec = family.spec(Pairing::Halves, vec![rope(&family, context)?])?;
    // 0 says that there is none.
    let window = file.named(file.gguf.opt_u32("phi3.attention.sliding_window"))?.filter(|w| *w > 0);
    let mask = window.map_or(Attention::Causal, |w| Attention::Window(w as usize));
    family
        .backbone(spec, |spec, i| Ok(Layer { mask, ..family.layer(spec, i, family.gated(spec.width, i)?)? }))
}

fn rope(family: &Family<'_>, context: usize) -> Result<Rope, EngineError> {
    let file = family.file;
    let (n_rot, trained) = (family.n_rot()?, family.size("context_length")?);
    let first = family.opt_size("rope.scaling.original_context_length")?.unwrap_or(trained);
    let length = if context.min(trained) > first { "long" } else { "short" };
    let Some(factors) = file.opt_vector(&format!("rope_factors_{length}.weight"), n_rot / 2)? else {
        return family.rope(10_000.0, None);
    };
    let base = file.positive(family.arch, "rope.freq_base", Some(10_000.0))?;
    let magnitude = file.positive(family.arch, "rope.scaling.attn_factor", Some(1.0))?;
    Ok(Rope { base, scale: 1.0, factors: Some(factors), magnitude })
}
