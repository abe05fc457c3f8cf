//! Classification heads: from a pair's vector to how well the passage answers the query.

use kernels::cpu::{Activations, Cpu, softmax, tanh};

use super::parts::linear;
use crate::engine::EngineError;
use crate::engine::weights::{Linear, ModelFile};

/// The head of a reranker.
#[derive(Debug)]
pub(in crate::engine) struct Head {
    /// A layer with tanh before the last one.
    dense: Option<Linear>,
    output: Linear,
    /// There are two outputs, yes and no, and the score is the probability of yes.
    yes_or_no: bool,
}

impl Head {
    /// Reads `cls.*` and `cls.output.*`. Encoders need both; text models have rows for yes and no only.
    pub(super) fn open(file: &ModelFile, width: usize, yes_or_no: bool) -> Result<Self, EngineError> {
        let dense = if yes_or_no { None } else { Some(file.linear("cls", width, width)?) };
        let output = file.linear("cls.output", if yes_or_no { 2 } else { 1 }, width)?;
        Ok(Self { dense, output, yes_or_no })
    }

    /// The scores of vectors of `width` values.
    pub(in crate::engine) fn scores(&self, cpu: &Cpu, vectors: &[Vec<f32>]) -> Result<Vec<f32>, EngineError> {
        let mut acts = Activations::default();
        let mut x = vectors.concat();
        let mut out = Vec::new();
        let width = self.output.matrix.n_in();
        if let Some(dense) = &self.dense {
            linear(cpu, &mut acts, &x, width, &mut [(dense, &mut out)])?;
            tanh(cpu, &mut out);
            std::mem::swap(&mut x, &mut out);
        }
        linear(cpu, &mut acts, &x, width, &mut [(&self.output, &mut out)])?;
        if self.yes_or_no {
            softmax(cpu, &mut out, 2)?;
            return Ok(out.chunks_exact(2).map(|row| row[0]).collect());
        }
        Ok(out)
    }
}
