//! The architectures `qwen2` (biases on queries, keys and values), `qwen3` (norms over their heads instead) and
//! `qwen3moe` (as `qwen3`, with experts).

use kernels::cpu::Pairing;

use super::backbone::{Backbone, Spec};
use super::family::Family;
use super::feed_forward::FeedForward;
use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

pub(super) fn open2(file: &ModelFile) -> Result<Backbone, EngineError> {
    let family = Family { file, arch: "qwen2" };
    family.backbone(spec(&family)?, |spec, i| family.layer(spec, i, family.gated(spec.width, i)?))
}

pub(super) fn open3(file: &ModelFile) -> Result<Backbone, EngineError> {
    let family = Family { file, arch: "qwen3" };
    third(&family, |spec, i| family.gated(spec.width, i))
}

pub(super) fn open3_experts(file: &ModelFile) -> Result<Backbone, EngineError> {
    let family = Family { file, arch: "qwen3moe" };
    third(&family, |spec, i| family.experts(spec.width, i))
}

fn spec(family: &Family<'_>) -> Result<Spec, EngineError> {
    family.spec(Pairing::Halves, vec![family.rope(10_000.0, None)?])
}

fn third(
    family: &Family<'_>,
    feed_forward: impl Fn(&Spec, usize) -> Result<FeedForward, EngineError>,
) -> Result<Backbone, EngineError> {
    family.backbone(spec(family)?, |spec, i| {
        family.head_norms(spec, i, family.layer(spec, i, feed_forward(spec, i)?)?)
    })
}
