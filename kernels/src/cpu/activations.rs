//! Activation rows, quantised once for all the matrices that they meet.
//!
//! [`Precision::Eight`] makes the blocks of llama.cpp (32 values for the plain formats, 256 with sums of 16 for the
//! K formats, the same roundings). The rounding to 8 bits moves the logits of a small model by some tenths;
//! [`Precision::Sixteen`] costs up to twice the multiplications and leaves no visible error.

use super::blocks::BlockKind;
use super::context::Cpu;
use super::matrix::{Matrix, Packed};
use super::simd::{Kernel, Simd};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

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
    /// Minus the sum of whole codes.
    pub(crate) minus_sum: i32,
}

/// 256 activations: value = d × q, or d × (256 × q + low).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Act256 {
    /// 32 codes in each row, as quads; the high parts where there are two.
    pub(crate) quads: [[i32; 8]; 8],
    /// The low parts.
    pub(crate) low: [[i32; 8]; 8],
    /// Sums of 16 whole codes.
    pub(crate) sums: [i32; 16],
    /// Sums of 32 whole codes.
    pub(crate) pairs: [f32; 8],
    /// Scale.
    pub(crate) d: f32,
}

/// Activations (n_rows, n_in) in the forms that a product needs. Reuse one value: its memory is kept.
#[derive(Debug, Default)]
pub struct Activations {
    precision: Precision,
    n_rows: usize,
    n_in: usize,
    /// Blocks of `wide` rows side by side: `[tile of rows][block][row]`; the last tile may have rows of no use.
    a32: Vec<Act32>,
    a256: Vec<Act256>,
    wide: usize,
    floats: Vec<f32>,
}

/// Rows that lie side by side, of which a tile of a product takes one or more.
const WIDE: usize = 8;

/// Activation rows from some row of a tile on.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a, A> {
    all: &'a [A],
    wide: usize,
}

impl<A> Blocks<'_, A> {
    /// Block `b` of the next `T` rows.
    #[inline(always)]
    pub(crate) fn block<const T: usize>(&self, b: usize) -> &[A; T] {
        let at = &self.all[b * self.wide..];
        at.first_chunk::<T>().unwrap_or_else(|| panic!("a block outside of the activations"))
    }
}

impl Activations {
    /// No rows.
    pub fn new(precision: Precision) -> Self {
        Self { precision, ..Self::default() }
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
        (self.n_rows, self.n_in) = (n_rows, n_in);
        self.wide = WIDE.min(n_rows.next_power_of_two());
        let (precision, wide, tiles) = (self.precision, self.wide, n_rows.div_ceil(self.wide.max(1)));
        let rows = |tile: usize| tile * wide * n_in..n_rows.min((tile + 1) * wide) * n_in;
        // Every block that a product reads is written below, so what was there before is not wiped.
        let uses = |which: fn(&Packed) -> bool| matrices.iter().any(|m| which(m.packed()));
        let has32 = uses(|p| matches!(p, Packed::Blocks32(_)));
        self.a32.resize(if has32 { tiles * wide * (n_in / 32) } else { 0 }, Act32::default());
        if has32 {
            let n = wide * (n_in / 32);
            cpu.pool().chunks(&mut self.a32, n, grain(n_in * wide * 4), |tile, out| {
                for (t, x) in x[rows(tile)].chunks_exact(n_in).enumerate() {
                    cpu.run(Quantise32 { precision, x, out: &mut out[t..], wide });
                }
            });
        }
        let has256 = uses(|p| matches!(p, Packed::Blocks256(_)));
        self.a256.resize(if has256 { tiles * wide * (n_in / 256) } else { 0 }, Act256::default());
        if has256 {
            let n = wide * (n_in / 256);
            cpu.pool().chunks(&mut self.a256, n, grain(n_in * wide * 4), |tile, out| {
                for (t, x) in x[rows(tile)].chunks_exact(n_in).enumerate() {
                    cpu.run(Quantise256 { precision, x, out: &mut out[t..], wide });
                }
            });
        }
        self.floats.clear();
        if uses(|p| matches!(p, Packed::Floats(_))) {
            self.floats.extend_from_slice(x);
        }
        Ok(())
    }

    /// Bytes that `n_rows` rows of `n_in` values take for weights of a kind.
    pub fn planned_bytes(kind: BlockKind, n_rows: usize, n_in: usize) -> usize {
        let wide = WIDE.min(n_rows.next_power_of_two());
        let rows = n_rows.next_multiple_of(wide.max(1));
        match kind.len() {
            32 => rows * (n_in / 32) * size_of::<Act32>(),
            256 => rows * (n_in / 256) * size_of::<Act256>(),
            _ => n_rows * n_in * size_of::<f32>(),
        }
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

    pub(crate) fn has_blocks32(&self) -> bool {
        !self.a32.is_empty() || self.n_rows == 0
    }

    pub(crate) fn has_blocks256(&self) -> bool {
        !self.a256.is_empty() || self.n_rows == 0
    }

    pub(crate) fn has_floats(&self) -> bool {
        !self.floats.is_empty() || self.n_rows == 0
    }

    /// The rows from `row` on, in blocks of 32.
    #[inline(always)]
    pub(crate) fn rows32(&self, row: usize) -> Blocks<'_, Act32> {
        self.rows(&self.a32, row, self.n_in / 32)
    }

    /// The rows from `row` on, in blocks of 256.
    #[inline(always)]
    pub(crate) fn rows256(&self, row: usize) -> Blocks<'_, Act256> {
        self.rows(&self.a256, row, self.n_in / 256)
    }

    #[inline(always)]
    fn rows<'a, A>(&self, all: &'a [A], row: usize, n_blocks: usize) -> Blocks<'a, A> {
        let start = row / self.wide * self.wide * n_blocks + row % self.wide;
        Blocks { all: &all[start..], wide: self.wide }
    }

    /// `T` rows from `row` on, as they were given.
    #[inline(always)]
    pub(crate) fn float_rows<const T: usize>(&self, row: usize) -> [&[f32]; T] {
        let mut rows: [&[f32]; T] = [&[]; T];
        for (row, all) in rows.iter_mut().zip(self.floats[row * self.n_in..].chunks_exact(self.n_in)) {
            *row = all;
        }
        rows
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
    /// Its blocks lie `wide` apart.
    out: &'a mut [Act32],
    wide: usize,
}

impl Kernel for Quantise32<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let blocks = self.x.as_chunks::<32>().0.iter();
        for (x, out) in blocks.zip(self.out.iter_mut().step_by(self.wide)) {
            let x = load(s, x);
            let top = s.top(largest(s, &x));
            if self.precision == Precision::Eight {
                let d = top / 127.0;
                let (codes, sums) = whole(s, &x, if top > 0.0 { 127.0 / top } else { 0.0 });
                out.quads = codes;
                out.minus_sum = -(sums[0] + sums[1]);
                out.d = to_half(d);
                out.s = to_half(d * -out.minus_sum as f32);
            } else {
                let (high, low) = parts(s, &x, if top > 0.0 { TOP16 / top } else { 0.0 });
                (out.quads, out.low) = (high.0, low.0);
                out.minus_sum = -((high.1[0] + high.1[1]) * 256 + low.1[0] + low.1[1]);
                out.d = top / TOP16;
                out.s = out.d * -out.minus_sum as f32;
            }
        }
    }
}

struct Quantise256<'a> {
    precision: Precision,
    x: &'a [f32],
    /// Its blocks lie `wide` apart.
    out: &'a mut [Act256],
    wide: usize,
}

impl Kernel for Quantise256<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let blocks = self.x.as_chunks::<256>().0.iter();
        for (x, out) in blocks.zip(self.out.iter_mut().step_by(self.wide)) {
            let chunks = x.as_chunks::<32>().0;
            let mut top = s.splat(0.0);
            for chunk in chunks {
                top = s.max(largest(s, &load(s, chunk)), top);
            }
            let top = s.top(top);
            if top == 0.0 {
                *out = Act256::default();
                continue;
            }
            // At 8 bits, the first value of the largest magnitude becomes -127, whatever its sign.
            let eight = self.precision == Precision::Eight;
            let peak = if eight { x.iter().copied().find(|v| v.abs() == top).unwrap_or(top) } else { top };
            let inverse = if eight { -127.0 / peak } else { TOP16 / top };
            out.d = if eight { 1.0 / inverse } else { top / TOP16 };
            for (j, chunk) in chunks.iter().enumerate() {
                let x = load(s, chunk);
                let sums;
                if eight {
                    (out.quads[j], sums) = whole(s, &x, inverse);
                } else {
                    let (high, low) = parts(s, &x, inverse);
                    (out.quads[j], out.low[j]) = (high.0, low.0);
                    sums = [high.1[0] * 256 + low.1[0], high.1[1] * 256 + low.1[1]];
                }
                out.sums[2 * j..2 * j + 2].copy_from_slice(&sums);
                out.pairs[j] = (sums[0] + sums[1]) as f32;
            }
        }
    }
}

/// 32 codes, and the sums of their halves.
type Quads = ([i32; 8], [i32; 2]);

#[inline(always)]
fn load<S: Simd>(s: S, x: &[f32; 32]) -> [S::F; 2] {
    let [low, high] = x.as_chunks::<16>().0 else { return [s.splat(0.0); 2] };
    [s.load(low), s.load(high)]
}

/// The larger magnitudes, lane by lane.
#[inline(always)]
fn largest<S: Simd>(s: S, x: &[S::F; 2]) -> S::F {
    let zero = s.splat(0.0);
    let low = s.max(x[0], s.sub(zero, x[0]));
    s.max(s.max(x[1], s.sub(zero, x[1])), low)
}

/// The codes `x × inverse` of 32 values as quads, with the sums of their halves.
#[inline(always)]
fn whole<S: Simd>(s: S, x: &[S::F; 2], inverse: f32) -> Quads {
    let inverse = s.splat(inverse);
    let codes = [s.round(s.mul(x[0], inverse)), s.round(s.mul(x[1], inverse))];
    quads(s, &codes)
}

/// High and low parts: code = 256 × high + low. The low part is at least -127, as products of signed bytes demand;
/// a code that would need -128 is one larger.
#[inline(always)]
fn parts<S: Simd>(s: S, x: &[S::F; 2], inverse: f32) -> (Quads, Quads) {
    let inverse = s.splat(inverse);
    let (mut high, mut low) = ([s.splat_i(0); 2], [s.splat_i(0); 2]);
    for i in 0..2 {
        let code = s.round(s.mul(x[i], inverse));
        high[i] = s.over_256(s.add_i(code, s.splat_i(128)));
        low[i] = s.max_i(s.sub_i(code, s.times_256(high[i])), s.splat_i(-127));
    }
    (quads(s, &high), quads(s, &low))
}

/// Signed codes as quads, first in the lowest byte, with the sums of the two halves.
#[inline(always)]
fn quads<S: Simd>(s: S, codes: &[S::I; 2]) -> Quads {
    let mut out = [0; 8];
    for (half, codes) in out.as_chunks_mut::<4>().0.iter_mut().zip(codes) {
        for (quad, bytes) in half.iter_mut().zip(s.bytes(*codes).as_chunks::<4>().0) {
            *quad = i32::from_le_bytes(*bytes);
        }
    }
    (out, [s.sum_i(codes[0]), s.sum_i(codes[1])])
}

fn to_half(x: f32) -> f32 {
    half::f16::from_f32(x).to_f32()
}
