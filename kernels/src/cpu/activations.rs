//! Activation rows, quantised once for all the matrices that they meet.
//!
//! The blocks are those of llama.cpp (32 values for the plain formats, 256 with sums of 16 for the K formats, the
//! same roundings), so products agree with its products but for the order of summation.

use super::context::Cpu;
use super::matrix::{Matrix, Packed};
use super::simd::{Kernel, Simd};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// 1.5 × 2^23: adding it to a small number rounds that to an integer, ties to even.
const MAGIC: f32 = 12_582_912.0;

/// 32 activations: value = d × q.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Act32 {
    /// Four signed codes each, first in the lowest byte.
    pub(crate) quads: [i32; 8],
    /// Scale, rounded to half precision.
    pub(crate) d: f32,
    /// d × sum of codes, rounded to half precision.
    pub(crate) s: f32,
    /// Sum of codes.
    pub(crate) sum: i32,
}

/// 256 activations: value = d × q.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Act256 {
    /// 32 codes in each row.
    pub(crate) quads: [[i32; 8]; 8],
    /// Sums of 16 codes.
    pub(crate) sums: [i32; 16],
    /// Scale.
    pub(crate) d: f32,
}

impl Default for Act256 {
    fn default() -> Self {
        Self { quads: [[0; 8]; 8], sums: [0; 16], d: 0.0 }
    }
}

/// Activations (n_rows, n_in) in the forms that a product needs. Reuse one value: its memory is kept.
#[derive(Debug, Default)]
pub struct Activations {
    n_rows: usize,
    n_in: usize,
    a32: Vec<Act32>,
    a256: Vec<Act256>,
    floats: Vec<f32>,
}

impl Activations {
    /// No rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes `x` (n_rows, n_in) and quantises it for `matrices`; `n_rows` follows from the length.
    ///
    /// # Errors
    /// `x` is no whole number of rows, or a matrix has another `n_in`.
    pub fn fill(
        &mut self,
        cpu: &Cpu,
        x: &[f32],
        n_in: usize,
        matrices: &[&Matrix],
    ) -> Result<(), KernelError> {
        const OP: &str = "quantise";
        check_multiple(OP, "row length", n_in, 1)?;
        let n_rows = x.len() / n_in;
        check_len(OP, "activations", x.len(), &[n_rows, n_in])?;
        for m in matrices {
            check_len(OP, "matrix columns", m.n_in(), &[n_in])?;
        }
        self.a32.clear();
        self.a256.clear();
        self.floats.clear();
        (self.n_rows, self.n_in) = (n_rows, n_in);
        if matrices.iter().any(|m| matches!(m.packed(), Packed::Blocks32(_))) {
            self.a32.resize(x.len() / 32, Act32::default());
            cpu.pool().chunks(&mut self.a32, n_in / 32, grain(n_in), |i, row| {
                cpu.run(Quantise32 { x: &x[i * n_in..][..n_in], out: row });
            });
        }
        if matrices.iter().any(|m| matches!(m.packed(), Packed::Blocks256(_))) {
            self.a256.resize(x.len() / 256, Act256::default());
            cpu.pool().chunks(&mut self.a256, n_in / 256, grain(n_in), |i, row| {
                cpu.run(Quantise256 { x: &x[i * n_in..][..n_in], out: row });
            });
        }
        if matrices.iter().any(|m| matches!(m.packed(), Packed::Floats(_))) {
            self.floats.extend_from_slice(x);
        }
        Ok(())
    }

    /// Rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Columns.
    pub fn n_in(&self) -> usize {
        self.n_in
    }

    pub(crate) fn blocks32(&self) -> &[Act32] {
        &self.a32
    }

    pub(crate) fn blocks256(&self) -> &[Act256] {
        &self.a256
    }

    pub(crate) fn floats(&self) -> &[f32] {
        &self.floats
    }
}

/// Rows per task: some 16,000 values, a few microseconds.
pub(crate) fn grain(n: usize) -> usize {
    (16_384 / n.max(1)).max(1)
}

struct Quantise32<'a> {
    x: &'a [f32],
    out: &'a mut [Act32],
}

impl Kernel for Quantise32<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (x, out) in self.x.as_chunks::<32>().0.iter().zip(self.out) {
            let top = largest(x);
            let d = top / 127.0;
            let inverse = if top > 0.0 { 127.0 / top } else { 0.0 };
            out.quads = quads(x, inverse);
            out.sum = sum_quads(&out.quads);
            out.d = to_half(d);
            out.s = to_half(d * out.sum as f32);
        }
    }
}

struct Quantise256<'a> {
    x: &'a [f32],
    out: &'a mut [Act256],
}

impl Kernel for Quantise256<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (x, out) in self.x.as_chunks::<256>().0.iter().zip(self.out) {
            let chunks = x.as_chunks::<32>().0;
            let top = chunks.iter().fold(0.0f32, |m, c| m.max(largest(c)));
            // The first value of the largest magnitude becomes -127, whatever its sign.
            let peak = x.iter().copied().find(|v| v.abs() == top).unwrap_or(top);
            if top > 0.0 {
                let inverse = -127.0 / peak;
                out.d = 1.0 / inverse;
                for (row, c) in out.quads.iter_mut().zip(chunks) {
                    *row = quads(c, inverse);
                }
            } else {
                *out = Act256::default();
            }
            for (sums, row) in out.sums.as_chunks_mut::<2>().0.iter_mut().zip(&out.quads) {
                *sums = [sum_half(&row[..4]), sum_half(&row[4..])];
            }
        }
    }
}

#[inline(always)]
fn largest(x: &[f32; 32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for (i, lane) in lanes.iter_mut().enumerate() {
        let (a, b) = (x[i].abs(), x[i + 16].abs());
        *lane = if a > b { a } else { b };
    }
    lanes.iter().fold(0.0, |m, &v| if v > m { v } else { m })
}

#[inline(always)]
fn quads(x: &[f32; 32], inverse: f32) -> [i32; 8] {
    let mut codes = [0u8; 32];
    for (c, v) in codes.iter_mut().zip(x) {
        let rounded = (v * inverse + MAGIC).to_bits().wrapping_sub(MAGIC.to_bits());
        *c = rounded as u8;
    }
    let mut out = [0; 8];
    for (o, c) in out.iter_mut().zip(codes.as_chunks::<4>().0) {
        *o = i32::from_le_bytes(*c);
    }
    out
}

#[inline(always)]
fn sum_half(quads: &[i32]) -> i32 {
    quads.iter().flat_map(|q| q.to_le_bytes()).map(|b| i32::from(b.cast_signed())).sum()
}

#[inline(always)]
fn sum_quads(quads: &[i32; 8]) -> i32 {
    sum_half(quads)
}

fn to_half(x: f32) -> f32 {
    half::f16::from_f32(x).to_f32()
}
