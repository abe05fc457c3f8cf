//! Steps that both graphs take.

use kernels::cpu::{Activations, Cpu, Product, add_bias, matmul};

use crate::engine::EngineError;
use crate::engine::weights::Linear;

/// Applies several layers to the same rows `x` (n, n_in); each result (n, n_out) replaces its buffer.
pub(super) fn linear(
    cpu: &Cpu,
    acts: &mut Activations,
    x: &[f32],
    n_in: usize,
    layers: &mut [(&Linear, &mut Vec<f32>)],
) -> Result<(), EngineError> {
    let matrices: Vec<_> = layers.iter().map(|(l, _)| &l.matrix).collect();
    acts.fill(cpu, x, n_in, &matrices)?;
    let mut products = Vec::with_capacity(layers.len());
    for (layer, out) in layers.iter_mut() {
        // Every value is written by the product, so what the buffer held before does not matter.
        out.resize(acts.n_rows() * layer.matrix.n_out(), 0.0);
        products.push(Product { matrix: &layer.matrix, out });
    }
    matmul(cpu, acts, &mut products)?;
    for (layer, out) in layers.iter_mut() {
        if let Some(bias) = &layer.bias {
            add_bias(cpu, out, bias)?;
        }
    }
    Ok(())
}
