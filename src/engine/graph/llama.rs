//! The architectures `llama` (Llama, Mistral, SmolLM2 and their kin) and `smollm3`, which leaves positions out in
//! every fourth layer.

use kernels::cpu::Pairing;

use super::backbone::{Backbone, Layer};
use super::family::Family;
use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

/// Of so many layers, the last one does without positions in SmolLM3.
const WITHOUT_POSITIONS: usize = 4;

pub(super) fn open(file: &ModelFile) -> Result<Backbone, EngineError> {
    let family = Family { file, arch: "llama" };
    if family.file.named(file.gguf.opt_u32("llama.expert_count"))?.is_some_and(|n| n > 0) {
        return Err(family.refuse("expert_count", "models with experts are not supported"));
    }
    let factors = file.opt_vector("rope_freqs.weight", family.n_rot()? / 2)?;
    let spec = family.spec(Pairing::Adjacent, vec![family.rope(10_000.0, factors)?])?;
    family.backbone(spec, |spec, i| family.layer(spec, i, family.gated(spec.width, i)?))
}

pub(super) fn open_smollm3(file: &ModelFile) -> Result<Backbone, EngineError> {
    let family = Family { file, arch: "smollm3" };
    let spec = family.spec(Pairing::Adjacent, vec![family.rope(10_000.0, None)?])?;
    family.backbone(spec, |spec, i| {
        let rope = (!(i + 1).is_multiple_of(WITHOUT_POSITIONS)).then_some(0);
        Ok(Layer { rope, ..family.layer(spec, i, family.gated(spec.width, i)?)? })
    })
}
