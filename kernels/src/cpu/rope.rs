//! Rotary position embedding.

use super::activations::grain;
use super::context::Cpu;
use super::simd::{Kernel, Simd};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// Which two values of a head are rotated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Neighbours: 2i and 2i + 1 (Llama files).
    Adjacent,
    /// Halves: i and i + n/2 (NeoX style: Gemma, Qwen, Phi files).
    Halves,
}

/// Cosines and sines for the positions of some rows.
#[derive(Debug, Clone)]
pub struct RopeTable {
    half: usize,
    /// `[position][i]` = (cos, sin).
    angles: Vec<(f32, f32)>,
}

impl RopeTable {
    /// One row for each of `positions`; pair i of `n_rot / 2` turns by position × scale × base^(−2i / n_rot), divided
    /// by `factors[i]` where there are factors.
    ///
    /// # Errors
    /// `n_rot` is odd or 0, or the factors are not `n_rot / 2`.
    pub fn new(
        positions: impl IntoIterator<Item = usize>,
        n_rot: usize,
        base: f32,
        scale: f32,
        factors: Option<&[f32]>,
    ) -> Result<Self, KernelError> {
        check_multiple("rope", "rotated dimensions", n_rot, 2)?;
        let half = n_rot / 2;
        if let Some(f) = factors {
            check_len("rope", "frequency factors", f.len(), &[half])?;
        }
        let frequency = |i: usize| {
            let f = f64::from(base).powf(-2.0 * i as f64 / n_rot as f64) * f64::from(scale);
            f / factors.and_then(|x| x.get(i)).map_or(1.0, |&x| f64::from(x))
        };
        let frequencies: Vec<f64> = (0..half).map(frequency).collect();
        let angle = |p: usize, f: &f64| {
            let (sin, cos) = (p as f64 * f).sin_cos();
            (cos as f32, sin as f32)
        };
        let angles =
            positions.into_iter().flat_map(|p| frequencies.iter().map(move |f| angle(p, f))).collect();
        Ok(Self { half, angles })
    }

    /// The same turns, with what is turned also multiplied by `magnitude`; what is not turned keeps its size.
    pub fn scaled(mut self, magnitude: f32) -> Self {
        for (cos, sin) in &mut self.angles {
            (*cos, *sin) = (*cos * magnitude, *sin * magnitude);
        }
        self
    }
}

/// Rotates the first `n_rot` values of each head of `x` (n, n_heads × head_dim), row i by the table's row i.
///
/// # Errors
/// The table has another number of rows, or rotates more than a head has.
pub fn rope(
    cpu: &Cpu,
    x: &mut [f32],
    n_heads: usize,
    head_dim: usize,
    pairing: Pairing,
    table: &RopeTable,
) -> Result<(), KernelError> {
    let n = table.angles.len() / table.half;
    check_len("rope", "rows", x.len(), &[n, n_heads, head_dim])?;
    if table.half * 2 > head_dim {
        let what = format!("{} rotated dimensions in a head of {head_dim}", table.half * 2);
        return Err(KernelError::Argument { op: "rope", what });
    }
    let width = n_heads * head_dim;
    cpu.pool().chunks(x, width, grain(width), |i, row| {
        let angles = &table.angles[i * table.half..][..table.half];
        cpu.run(Rotate { row, head_dim, pairing, angles });
    });
    Ok(())
}

struct Rotate<'a> {
    row: &'a mut [f32],
    head_dim: usize,
    pairing: Pairing,
    angles: &'a [(f32, f32)],
}

impl Kernel for Rotate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let half = self.angles.len();
        for head in self.row.chunks_exact_mut(self.head_dim) {
            match self.pairing {
                Pairing::Adjacent => {
                    for (pair, &(cos, sin)) in head.as_chunks_mut::<2>().0.iter_mut().zip(self.angles) {
                        let [a, b] = *pair;
                        *pair = [a * cos - b * sin, a * sin + b * cos];
                    }
                }
                Pairing::Halves => {
                    let (low, high) = head.split_at_mut(half);
                    for ((a, b), &(cos, sin)) in low.iter_mut().zip(high).zip(self.angles) {
                        let (x, y) = (*a, *b);
                        *a = x * cos - y * sin;
                        *b = x * sin + y * cos;
                    }
                }
            }
        }
    }
}
