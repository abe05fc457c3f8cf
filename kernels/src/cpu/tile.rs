//! Tiles of a matrix product: 16 output rows by a few activation rows.
//!
//! Each is compiled by itself, so that its sums and unpacked weights have the registers to themselves.

use super::activations::{Act32, Act256, Blocks};
use super::pool::Shares;
use super::simd::{Kernel, LANES, Line, Simd};

/// Parts of an activation: one of 8 bits, or a high and a low one.
pub(crate) const ONE: bool = false;
pub(crate) const TWO: bool = true;

/// Bits of a code, which are the lines that 32 columns take.
pub(crate) const FOUR: u8 = 4;
pub(crate) const FIVE: u8 = 5;
pub(crate) const SIX: u8 = 6;
pub(crate) const EIGHT: u8 = 8;

/// Where the results of a tile go.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) out: &'a Shares<'a, f32>,
    /// First value of the first row.
    pub(crate) start: usize,
    /// From row to row.
    pub(crate) stride: usize,
    /// Values of a row: less than [`LANES`] at the end of the output.
    pub(crate) width: usize,
}

impl Place<'_> {
    #[inline(always)]
    fn write<S: Simd, const T: usize>(&self, s: S, sums: &[S::F; T]) {
        for (t, sum) in sums.iter().enumerate() {
            // SAFETY: these values belong to one pair of row and group, and those to one task (see `matmul`).
            let out = unsafe { self.out.part(self.start + t * self.stride, self.width) };
            if let Some(full) = out.first_chunk_mut::<LANES>() {
                s.store(*sum, full);
            } else {
                let mut lanes = [0.0; LANES];
                s.store(*sum, &mut lanes);
                out.copy_from_slice(&lanes[..self.width]);
            }
        }
    }
}

/// 16 rows of weights in blocks of 32.
#[derive(Clone, Copy)]
pub(crate) struct Weights32<'a> {
    pub(crate) lines: &'a [Line],
    pub(crate) d: &'a [[u16; LANES]],
    pub(crate) m: &'a [[u16; LANES]],
}

/// 16 rows of weights in blocks of 256.
#[derive(Clone, Copy)]
pub(crate) struct Weights256<'a> {
    pub(crate) lines: &'a [Line],
    pub(crate) d: &'a [[u16; LANES]],
    pub(crate) dmin: &'a [[u16; LANES]],
    pub(crate) scales: &'a [[u8; LANES]],
    pub(crate) mins: &'a [[u8; LANES]],
}

/// Sum over blocks of (dw × da) × integer sum, plus m × s where there are minima. `OFFSET` is what is subtracted from
/// the codes; where it is 0, there are minima.
pub(crate) struct Tile32<'a, const T: usize, const CODES: u8, const OFFSET: i32, const PARTS: bool> {
    pub(crate) w: Weights32<'a>,
    pub(crate) x: Blocks<'a, Act32>,
    pub(crate) place: Place<'a>,
}

impl<const T: usize, const CODES: u8, const OFFSET: i32, const PARTS: bool> Kernel
    for Tile32<'_, T, CODES, OFFSET, PARTS>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { w, x, place } = self;
        let subtract = OFFSET != 0 && !(CODES == EIGHT && S::FULL_IS_SIGNED);
        let mut sums = [s.splat(0.0); T];
        for (b, (lines, d)) in w.lines.chunks_exact(CODES as usize).zip(w.d).enumerate() {
            ask_ahead(s, lines);
            let codes = unpack::<S, CODES>(s, lines);
            let d = s.load_half(d);
            let m = if OFFSET == 0 { s.load_half(&w.m[b]) } else { d };
            let acts = x.block::<T>(b);
            for t in 0..T {
                let a = &acts[t];
                let start = s.splat_i(a.minus_sum);
                let start = if subtract { s.mul_i(start, s.splat_i(OFFSET)) } else { s.splat_i(0) };
                let total = if PARTS == TWO {
                    let low = dots::<S, CODES>(s, start, &codes, &a.low, 0..8);
                    let high = dots::<S, CODES>(s, s.splat_i(0), &codes, &a.quads, 0..8);
                    s.add_i(low, s.times_256(high))
                } else {
                    dots::<S, CODES>(s, start, &codes, &a.quads, 0..8)
                };
                sums[t] = s.fma(s.to_f(total), s.mul(d, s.splat(a.d)), sums[t]);
                if OFFSET == 0 {
                    sums[t] = s.fma(m, s.splat(a.s), sums[t]);
                }
            }
        }
        place.write(s, &sums);
    }
}

/// Sum over blocks of (dw × da) × (sum of scale × integer sum), minus (dmin × da) × (sum of min × sum of activations).
pub(crate) struct Tile256<'a, const T: usize, const CODES: u8, const SUBS: usize, const PARTS: bool> {
    pub(crate) w: Weights256<'a>,
    pub(crate) x: Blocks<'a, Act256>,
    pub(crate) place: Place<'a>,
}

impl<const T: usize, const CODES: u8, const SUBS: usize, const PARTS: bool> Kernel
    for Tile256<'_, T, CODES, SUBS, PARTS>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { w, x, place } = self;
        let per_32 = CODES as usize;
        let mut sums = [s.splat(0.0); T];
        for (b, (lines, d)) in w.lines.chunks_exact(per_32 * 8).zip(w.d).enumerate() {
            let acts = x.block::<T>(b);
            let d = s.load_half(d);
            if let Some(dmin) = w.dmin.get(b) {
                sums = minima::<S, T>(s, s.load_half(dmin), &w.mins[b * 8..][..8], acts, sums);
            }
            let scales = &w.scales[b * SUBS..][..SUBS];
            let mut totals = [s.splat(0.0); T];
            for (j, lines) in lines.chunks_exact(per_32).enumerate() {
                ask_ahead(s, lines);
                let codes = unpack::<S, CODES>(s, lines);
                let scale = sub_scales::<S, SUBS>(s, scales, j);
                for t in 0..T {
                    totals[t] = scaled::<S, CODES, SUBS, PARTS>(s, totals[t], &codes, scale, &acts[t], j);
                }
            }
            for t in 0..T {
                sums[t] = s.fma(totals[t], s.mul(d, s.splat(acts[t].d)), sums[t]);
            }
        }
        place.write(s, &sums);
    }
}

/// Unquantised weights of 16 rows.
#[derive(Clone, Copy)]
pub(crate) enum FloatRows<'a> {
    F32(&'a [[f32; LANES]]),
    F16(&'a [[u16; LANES]]),
    BF16(&'a [[u16; LANES]]),
}

/// Unquantised weights: products added column by column.
pub(crate) struct TileF<'a, const T: usize> {
    pub(crate) w: FloatRows<'a>,
    pub(crate) x: [&'a [f32]; T],
    pub(crate) place: Place<'a>,
}

impl<const T: usize> Kernel for TileF<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut sums = [s.splat(0.0); T];
        macro_rules! columns {
            ($w:ident, $load:ident) => {
                for (i, w) in $w.iter().enumerate() {
                    let w = s.$load(w);
                    for t in 0..T {
                        sums[t] = s.fma(w, s.splat(self.x[t][i]), sums[t]);
                    }
                }
            };
        }
        match self.w {
            FloatRows::F32(w) => columns!(w, load),
            FloatRows::F16(w) => columns!(w, load_half),
            FloatRows::BF16(w) => columns!(w, load_bf16),
        }
        self.place.write(s, &sums);
    }
}

/// The 32 columns of a block as eight vectors of four columns each.
#[inline(always)]
fn unpack<S: Simd, const CODES: u8>(s: S, lines: &[Line]) -> [S::B; 8] {
    if CODES == EIGHT {
        let mut all = [s.load_line(&lines[0]); 8];
        for i in 1..8 {
            all[i] = s.load_line(&lines[i]);
        }
        return all;
    }
    // Written out: a closure would not always be compiled with the instruction set of `S`.
    let [a, b, c, d] =
        [s.load_line(&lines[0]), s.load_line(&lines[1]), s.load_line(&lines[2]), s.load_line(&lines[3])];
    let low = [s.low(a), s.low(b), s.low(c), s.low(d), s.high(a), s.high(b), s.high(c), s.high(d)];
    if CODES == FIVE {
        let h = s.load_line(&lines[4]);
        [
            s.with_high::<4>(low[0], h, 16),
            s.with_high::<3>(low[1], h, 16),
            s.with_high::<2>(low[2], h, 16),
            s.with_high::<1>(low[3], h, 16),
            s.with_high::<0>(low[4], h, 16),
            s.with_high::<-1>(low[5], h, 16),
            s.with_high::<-2>(low[6], h, 16),
            s.with_high::<-3>(low[7], h, 16),
        ]
    } else if CODES == SIX {
        let (h, k) = (s.load_line(&lines[4]), s.load_line(&lines[5]));
        [
            s.with_high::<4>(low[0], h, 48),
            s.with_high::<2>(low[1], h, 48),
            s.with_high::<0>(low[2], h, 48),
            s.with_high::<-2>(low[3], h, 48),
            s.with_high::<4>(low[4], k, 48),
            s.with_high::<2>(low[5], k, 48),
            s.with_high::<0>(low[6], k, 48),
            s.with_high::<-2>(low[7], k, 48),
        ]
    } else {
        low
    }
}

/// How many bytes ahead of their use weights are asked for.
const AHEAD: usize = 4096;

#[inline(always)]
fn ask_ahead<S: Simd>(s: S, lines: &[Line]) {
    for line in lines {
        s.prefetch(line, AHEAD);
    }
}

/// `acc` plus the products of `quads` with the vectors from `from` on. Two sums grow side by side: an addition has to
/// wait for the one before it.
#[inline(always)]
fn dots<S: Simd, const CODES: u8>(
    s: S,
    acc: S::I,
    w: &[S::B; 8],
    quads: &[i32; 8],
    part: std::ops::Range<usize>,
) -> S::I {
    let (mut acc, mut other) = (acc, s.splat_i(0));
    let middle = part.start.midpoint(part.end);
    for i in part.start..middle {
        acc = dot::<S, CODES>(s, acc, w[i], quads[i]);
        other = dot::<S, CODES>(s, other, w[i + middle - part.start], quads[i + middle - part.start]);
    }
    s.add_i(acc, other)
}

#[inline(always)]
fn dot<S: Simd, const CODES: u8>(s: S, acc: S::I, w: S::B, quad: i32) -> S::I {
    if CODES == EIGHT { s.dot_full(acc, w, quad) } else { s.dot(acc, w, quad) }
}

/// The scales of the two halves of 32 columns; the same one twice where they share it.
#[inline(always)]
fn sub_scales<S: Simd, const SUBS: usize>(s: S, scales: &[[u8; LANES]], j: usize) -> [S::F; 2] {
    if SUBS == 8 {
        [s.to_f(s.load_u8(&scales[j])); 2]
    } else {
        [s.to_f(s.load_i8(&scales[j * 2])), s.to_f(s.load_i8(&scales[j * 2 + 1]))]
    }
}

/// What is subtracted from the codes of kinds with 16 scales in a block, which have no minima.
const OFFSET_256: i32 = 32;

/// `total` plus scale × integer sum over 32 columns, whose number in the block is `j`.
#[inline(always)]
fn scaled<S: Simd, const CODES: u8, const SUBS: usize, const PARTS: bool>(
    s: S,
    total: S::F,
    codes: &[S::B; 8],
    scale: [S::F; 2],
    a: &Act256,
    j: usize,
) -> S::F {
    if SUBS == 8 {
        return s.fma(s.to_f(both::<S, CODES, PARTS>(s, 0, codes, a, j, 0..8)), scale[0], total);
    }
    let first = both::<S, CODES, PARTS>(s, -OFFSET_256 * a.sums[j * 2], codes, a, j, 0..4);
    let second = both::<S, CODES, PARTS>(s, -OFFSET_256 * a.sums[j * 2 + 1], codes, a, j, 4..8);
    s.fma(s.to_f(second), scale[1], s.fma(s.to_f(first), scale[0], total))
}

/// `start` plus the products with the whole codes of columns `j` × 32 on, of the vectors in `part`.
#[inline(always)]
fn both<S: Simd, const CODES: u8, const PARTS: bool>(
    s: S,
    start: i32,
    codes: &[S::B; 8],
    a: &Act256,
    j: usize,
    part: std::ops::Range<usize>,
) -> S::I {
    let start = s.splat_i(start);
    if PARTS == TWO {
        let high = dots::<S, CODES>(s, s.splat_i(0), codes, &a.quads[j], part.clone());
        s.add_i(dots::<S, CODES>(s, start, codes, &a.low[j], part), s.times_256(high))
    } else {
        dots::<S, CODES>(s, start, codes, &a.quads[j], part)
    }
}

#[inline(always)]
fn minima<S: Simd, const T: usize>(
    s: S,
    dmin: S::F,
    mins: &[[u8; LANES]],
    acts: &[Act256; T],
    mut sums: [S::F; T],
) -> [S::F; T] {
    let mut totals = [s.splat(0.0); T];
    for (j, min) in mins.iter().enumerate() {
        let min = s.to_f(s.load_u8(min));
        for t in 0..T {
            // A sum of 32 codes has at most 21 bits: as exact as an integer.
            totals[t] = s.fma(min, s.splat(acts[t].pairs[j]), totals[t]);
        }
    }
    for t in 0..T {
        let factor = s.mul(dmin, s.splat(-acts[t].d));
        sums[t] = s.fma(totals[t], factor, sums[t]);
    }
    sums
}
