//! Activation rows, quantised once for all the matrices that they meet.
//!
//! [`Precision::Eight`] makes the blocks of llama.cpp (32 values for the plain formats, 256 with sums of 16 for the
//! K formats, the same roundings). The rounding to 8 bits moves the logits of a small model by some tenths;
//! [`Precision::Sixteen`] costs up to twice the multiplications and leaves no visible error.

use super::context::Cpu;
use super::matrix::{Matrix, Packed};
use super::simd::{Kernel, Simd};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// 1.5 × 2^23: adding it to a small number rounds that to an integer, ties to even.
const MAGIC: f32 = 12_582_912.0;

/// How finely activations are rounded where weights are quantised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// To 255 steps over a block.
    Eight,
    /// To 65,279 steps over a block, as a high and a low part.
    #[default]
    Sixteen,
}

/// 32 activations: value = d × q, or d × (256 × q + low).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Act32 {
    /// Four signed codes each, first in the lowest byte; the high parts where there are two.
    pub(crate) quads: [i32; 8],
    /// The low parts.
    pub(crate) low: [i32; 8],
    /// Scale.
    pub(crate) d: f32,
    /// d × sum of whole codes.
    pub(crate) s: f32,
    /// Sum of whole codes.
    pub(crate) sum: i32,
}

/// One part of 256 codes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Part256 {
    /// 32 codes in each row, as quads.
    pub(crate) quads: [[i32; 8]; 8],
    /// Sums of 16 codes.
    pub(crate) sums: [i32; 16],
}

/// 256 activations: value = d × q, or d × (256 × q + low).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Act256 {
    /// The codes; the high parts where there are two.
    pub(crate) part: Part256,
    /// The low parts.
    pub(crate) low: Part256,
    /// Sums of 32 whole codes.
    pub(crate) sums: [i32; 8],
    /// Scale.
    pub(crate) d: f32,
}

/// Activations (n_rows, n_in) in the forms that a product needs. Reuse one value: its memory is kept.
#[derive(Debug, Default)]
pub struct Activations {
    precision: Precision,
    n_rows: usize,
    n_in: usize,
    a32: Vec<Act32>,
    a256: Vec<Act256>,
    floats: Vec<f32>,
}

impl Activations {
    /// No rows.
    pub fn new(precision: Precision) -> Self {
        Self { precision, ..Self::default() }
    }

    /// Bytes that a row of `n_in` values takes at most.
    pub fn bytes_per_row(n_in: usize) -> usize {
        n_in / 32 * size_of::<Act32>() + n_in / 256 * size_of::<Act256>() + n_in * size_of::<f32>()
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
        let precision = self.precision;
        if matrices.iter().any(|m| matches!(m.packed(), Packed::Blocks32(_))) {
            self.a32.resize(x.len() / 32, Act32::default());
            cpu.pool().chunks(&mut self.a32, n_in / 32, grain(n_in), |i, row| {
                cpu.run(Quantise32 { precision, x: &x[i * n_in..][..n_in], out: row });
            });
        }
        if matrices.iter().any(|m| matches!(m.packed(), Packed::Blocks256(_))) {
            self.a256.resize(x.len() / 256, Act256::default());
            cpu.pool().chunks(&mut self.a256, n_in / 256, grain(n_in), |i, row| {
                cpu.run(Quantise256 { precision, x: &x[i * n_in..][..n_in], out: row });
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

    /// How finely it rounds.
    pub fn precision(&self) -> Precision {
        self.precision
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

/// The largest 16-bit code: both of its parts fit a signed byte.
const TOP16: f32 = (127 * 256 + 127) as f32;

struct Quantise32<'a> {
    precision: Precision,
    x: &'a [f32],
    out: &'a mut [Act32],
}

impl Kernel for Quantise32<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (x, out) in self.x.as_chunks::<32>().0.iter().zip(self.out) {
            let top = largest(x);
            if self.precision == Precision::Eight {
                let d = top / 127.0;
                out.quads = quads(x, if top > 0.0 { 127.0 / top } else { 0.0 });
                out.sum = sum_quads(&out.quads);
                out.d = to_half(d);
                out.s = to_half(d * out.sum as f32);
            } else {
                (out.quads, out.low) = pairs(x, if top > 0.0 { TOP16 / top } else { 0.0 });
                out.sum = sum_quads(&out.quads) * 256 + sum_quads(&out.low);
                out.d = top / TOP16;
                out.s = out.d * out.sum as f32;
            }
        }
    }
}

struct Quantise256<'a> {
    precision: Precision,
    x: &'a [f32],
    out: &'a mut [Act256],
}

impl Kernel for Quantise256<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (x, out) in self.x.as_chunks::<256>().0.iter().zip(self.out) {
            let chunks = x.as_chunks::<32>().0;
            let top = chunks.iter().map(largest).fold(0.0f32, |m, v| if v > m { v } else { m });
            *out = Act256::default();
            if top == 0.0 {
                continue;
            }
            if self.precision == Precision::Eight {
                // The first value of the largest magnitude becomes -127, whatever its sign.
                let peak = x.iter().copied().find(|v| v.abs() == top).unwrap_or(top);
                let inverse = -127.0 / peak;
                out.d = 1.0 / inverse;
                out.part.quads.iter_mut().zip(chunks).for_each(|(row, c)| *row = quads(c, inverse));
            } else {
                out.d = top / TOP16;
                let rows = out.part.quads.iter_mut().zip(&mut out.low.quads);
                rows.zip(chunks).for_each(|((high, low), c)| (*high, *low) = pairs(c, TOP16 / top));
            }
            out.part.sum();
            out.low.sum();
            let halves = out.part.sums.as_chunks::<2>().0.iter().zip(out.low.sums.as_chunks::<2>().0);
            for (sum, (high, low)) in out.sums.iter_mut().zip(halves) {
                let factor = if self.precision == Precision::Eight { 1 } else { 256 };
                *sum = (high[0] + high[1]) * factor + low[0] + low[1];
            }
        }
    }
}

impl Part256 {
    #[inline(always)]
    fn sum(&mut self) {
        for (sums, row) in self.sums.as_chunks_mut::<2>().0.iter_mut().zip(&self.quads) {
            *sums = [sum_half(&row[..4]), sum_half(&row[4..])];
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

/// `v × inverse`, rounded, ties to even.
#[inline(always)]
fn code(v: f32, inverse: f32) -> i32 {
    (v * inverse + MAGIC).to_bits().wrapping_sub(MAGIC.to_bits()).cast_signed()
}

#[inline(always)]
fn quads(x: &[f32; 32], inverse: f32) -> [i32; 8] {
    let mut codes = [0u8; 32];
    for (c, &v) in codes.iter_mut().zip(x) {
        *c = code(v, inverse) as u8;
    }
    pack(&codes)
}

/// High and low parts: code = 256 × high + low. The low part is at least -127, as products of signed bytes demand;
/// a code that would need -128 is one larger.
#[inline(always)]
fn pairs(x: &[f32; 32], inverse: f32) -> ([i32; 8], [i32; 8]) {
    let (mut high, mut low) = ([0u8; 32], [0u8; 32]);
    for i in 0..32 {
        let whole = code(x[i], inverse);
        let top = (whole + 128) >> 8;
        let rest = whole - (top << 8);
        high[i] = top as u8;
        low[i] = (if rest < -127 { -127 } else { rest }) as u8;
    }
    (pack(&high), pack(&low))
}

#[inline(always)]
fn pack(codes: &[u8; 32]) -> [i32; 8] {
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
