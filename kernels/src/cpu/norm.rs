//! Normalisation of rows, and the pooling that ends an encoder.

use super::activations::grain;
use super::context::Cpu;
use super::simd::{Kernel, LANES, Simd, padded};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// `x[r] × w / sqrt(mean(x[r]²) + eps)` for each row of the weight's width, in place.
///
/// # Errors
/// `x` is no whole number of rows.
pub fn rms_norm(cpu: &Cpu, x: &mut [f32], weight: &[f32], eps: f32) -> Result<(), KernelError> {
    let width = weight.len();
    check_rows("rms_norm", x.len(), width)?;
    cpu.pool().chunks(x, width, grain(width), |_, row| cpu.run(RmsRow { row, weight, eps }));
    Ok(())
}

/// `(x[r] − mean) × w / sqrt(variance + eps) + b` for each row of the weight's width, in place.
///
/// # Errors
/// `x` is no whole number of rows, or weight and bias differ in width.
pub fn layer_norm(
    cpu: &Cpu,
    x: &mut [f32],
    weight: &[f32],
    bias: &[f32],
    eps: f32,
) -> Result<(), KernelError> {
    let width = weight.len();
    check_rows("layer_norm", x.len(), width)?;
    check_len("layer_norm", "bias", bias.len(), &[width])?;
    cpu.pool().chunks(x, width, grain(width), |_, row| cpu.run(LayerRow { row, weight, bias, eps }));
    Ok(())
}

/// Scales `x` to length 1; all zeros stay.
pub fn l2_normalise(cpu: &Cpu, x: &mut [f32]) {
    let squares = cpu.run(SumOf { row: x, square: true, shift: 0.0 });
    if squares > 0.0 {
        let length = squares.sqrt();
        x.iter_mut().for_each(|v| *v /= length);
    }
}

/// The mean over the rows of `x` (n, width).
///
/// # Errors
/// `x` is empty or no whole number of rows.
pub fn mean_rows(x: &[f32], width: usize) -> Result<Vec<f32>, KernelError> {
    check_multiple("mean_rows", "values", x.len(), width)?;
    let mut mean = vec![0.0f32; width];
    for row in x.chunks_exact(width) {
        mean.iter_mut().zip(row).for_each(|(m, v)| *m += v);
    }
    let n = (x.len() / width) as f32;
    mean.iter_mut().for_each(|m| *m /= n);
    Ok(mean)
}

fn check_rows(op: &'static str, len: usize, width: usize) -> Result<(), KernelError> {
    check_multiple(op, "row width", width, 1)?;
    check_len(op, "rows", len, &[len / width, width])
}

/// Sum over a row of x − shift, or of its square.
struct SumOf<'a> {
    row: &'a [f32],
    square: bool,
    shift: f32,
}

impl Kernel for SumOf<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> f32 {
        let shift = s.splat(self.shift);
        let (chunks, rest) = self.row.as_chunks::<LANES>();
        let mut acc = s.splat(0.0);
        let mut take = |v: S::F| {
            let v = s.sub(v, shift);
            acc = s.add(acc, if self.square { s.mul(v, v) } else { v });
        };
        for c in chunks {
            take(s.load(c));
        }
        if !rest.is_empty() {
            // Filled up with the shift, so that missing values add nothing.
            take(s.load(&padded(rest, self.shift)));
        }
        s.sum(acc)
    }
}

struct RmsRow<'a> {
    row: &'a mut [f32],
    weight: &'a [f32],
    eps: f32,
}

impl Kernel for RmsRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mean = SumOf { row: self.row, square: true, shift: 0.0 }.run(s) / self.row.len() as f32;
        let factor = 1.0 / (mean + self.eps).sqrt();
        for (v, w) in self.row.iter_mut().zip(self.weight) {
            *v = *v * factor * w;
        }
    }
}

struct LayerRow<'a> {
    row: &'a mut [f32],
    weight: &'a [f32],
    bias: &'a [f32],
    eps: f32,
}

impl Kernel for LayerRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let n = self.row.len() as f32;
        let mean = SumOf { row: self.row, square: false, shift: 0.0 }.run(s) / n;
        let variance = SumOf { row: self.row, square: true, shift: mean }.run(s) / n;
        let factor = 1.0 / (variance + self.eps).sqrt();
        for ((v, w), b) in self.row.iter_mut().zip(self.weight).zip(self.bias) {
            *v = (*v - mean) * factor * w + b;
        }
    }
}
