//! Text models: each token attends to those before it, and has logits for the next one.

use kernels::cpu::{Cpu, KvKind, KvShape, Matrix, Product, matmul};

pub(in crate::engine) use super::backbone::{Part, Scratch};

use super::backbone::Backbone;
use crate::engine::EngineError;

/// Tokens that are computed together when a prompt is read.
pub(in crate::engine) const CHUNK: usize = 256;

/// The weights of a text model.
#[derive(Debug)]
pub(in crate::engine) struct Decoder {
    pub(super) backbone: Backbone,
    pub(super) output: Matrix,
}

impl Decoder {
    /// Tokens that the model was trained to see at once.
    pub(in crate::engine) fn context_length(&self) -> usize {
        self.backbone.spec.context_length
    }

    /// Tokens that it can name.
    pub(in crate::engine) fn vocabulary(&self) -> usize {
        self.output.n_out().min(self.backbone.embedding.rows())
    }

    /// Width of a row of logits.
    pub(in crate::engine) fn output_rows(&self) -> usize {
        self.output.n_out()
    }

    /// The sizes of a cache for this model.
    pub(in crate::engine) fn cache_shape(&self, kind: KvKind) -> KvShape {
        self.backbone.cache_shape(kind)
    }

    /// Bytes of packed weights that are read for a token whose logits are wanted.
    pub(in crate::engine) fn weight_bytes(&self) -> usize {
        let layers: f64 = self.backbone.matrices().map(|(m, share)| m.bytes() as f64 * share).sum();
        layers as usize + self.output.bytes()
    }

    /// Multiplications and additions of the layers' matrices for one token.
    pub(in crate::engine) fn layer_operations(&self) -> usize {
        self.backbone.operations()
    }

    /// Computes the tokens of several sequences, each after those in its cache. The logits (rows, vocabulary) of the
    /// tokens that want them replace `logits`, one part after the other. A sequence's results do not depend on the
    /// other parts.
    ///
    /// # Errors
    /// A token is outside of the vocabulary: then no cache has changed.
    pub(in crate::engine) fn forward(
        &self,
        cpu: &Cpu,
        scratch: &mut Scratch,
        parts: &mut [Part<'_>],
        logits: &mut Vec<f32>,
    ) -> Result<(), EngineError> {
        self.backbone.forward(cpu, scratch, parts)?;
        let (rows, width) = (&scratch.normed, self.backbone.spec.width);
        logits.resize(rows.len() / width * self.output.n_out(), 0.0);
        if logits.is_empty() {
            return Ok(());
        }
        scratch.acts.fill(cpu, rows, width, &[&self.output])?;
        matmul(cpu, &scratch.acts, &mut [Product { matrix: &self.output, out: logits }])?;
        Ok(())
    }
}
