//! Products of activations (n_rows, n_in) with weights (n_out, n_in).
//!
//! A register tile is 16 output rows by up to eight activation rows. A block of weights is unpacked once per tile
//! and used for all its activation rows. Integer sums within a block are exact; blocks are then added in the order
//! of the columns, so neither the tile's size nor the thread decides about a single bit.

use super::activations::{Act32, Act256, Activations, Part256, Precision};
use super::context::Cpu;
use super::matrix::{Codes, Floats, Matrix, Packed, Packed32, Packed256, lines_per_32};
use super::pool::Shares;
use super::simd::{Kernel, LANES, Line, Simd};
use crate::KernelError;
use crate::error::check_len;

/// Activation rows that one task works on: they stay in the second-level cache.
const ROWS_PER_TASK: usize = 128;

/// One of the products that [`matmul`] computes together.
#[derive(Debug)]
pub struct Product<'a> {
    /// The weights (n_out, n_in).
    pub matrix: &'a Matrix,
    /// The result (n_rows, n_out).
    pub out: &'a mut [f32],
}

/// Multiplies the same activations with several matrices: `out[r][o] = sum over i of x[r][i] × w[o][i]`.
///
/// # Errors
/// A shape does not fit, or the activations were not filled for one of the matrices.
pub fn matmul(cpu: &Cpu, x: &Activations, products: &mut [Product<'_>]) -> Result<(), KernelError> {
    let n_rows = x.n_rows();
    for p in products.iter() {
        check(x, p.matrix, p.out.len())?;
    }
    if n_rows == 0 {
        return Ok(());
    }
    let groups: usize = products.iter().map(|p| p.matrix.groups()).sum();
    let grain = groups.div_ceil(cpu.threads() * 4).max(1);
    let row_tasks = n_rows.div_ceil(ROWS_PER_TASK);
    let parts: Vec<(&Matrix, Shares<'_, f32>, usize)> = products
        .iter_mut()
        .map(|p| (p.matrix, Shares::new(p.out), p.matrix.groups().div_ceil(grain)))
        .collect();
    let per_rows: usize = parts.iter().map(|p| p.2).sum();
    cpu.pool().run(per_rows * row_tasks, &|task| {
        let (rows, mut at) = (task / per_rows, task % per_rows);
        for (matrix, out, tasks) in &parts {
            if at < *tasks {
                let groups = at * grain..matrix.groups().min((at + 1) * grain);
                let rows = rows * ROWS_PER_TASK..n_rows.min((rows + 1) * ROWS_PER_TASK);
                cpu.run(Panel { x, matrix, out, groups, rows });
                return;
            }
            at -= tasks;
        }
    });
    Ok(())
}

fn check(x: &Activations, matrix: &Matrix, out: usize) -> Result<(), KernelError> {
    const OP: &str = "matmul";
    check_len(OP, "activation columns", x.n_in(), &[matrix.n_in()])?;
    check_len(OP, "output", out, &[x.n_rows(), matrix.n_out()])?;
    let n = x.n_rows() * x.n_in();
    let ready = match matrix.packed() {
        Packed::Blocks32(_) => x.blocks32().len() == n / 32,
        Packed::Blocks256(_) => x.blocks256().len() == n / 256,
        Packed::Floats(_) => x.floats().len() == n,
    };
    if ready { Ok(()) } else { Err(KernelError::Unprepared { op: OP, kind: matrix.kind().name() }) }
}

/// Some groups of 16 output rows by some activation rows: one task.
struct Panel<'a> {
    x: &'a Activations,
    matrix: &'a Matrix,
    out: &'a Shares<'a, f32>,
    groups: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
}

impl Kernel for Panel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match self.matrix.packed() {
            Packed::Blocks32(p) => self.blocks32(s, p),
            Packed::Blocks256(p) => self.blocks256(s, p),
            Packed::Floats(f) => self.floats(s, f),
        }
    }
}

/// Computes the rows of a panel in tiles of 8, then 4, then 1; narrow instruction sets have no room for the larger.
macro_rules! tiles {
    ($self:ident, $s:ident, $group:ident, |$row:ident, $t:ident| $tile:expr) => {{
        let mut $row = $self.rows.start;
        while $row < $self.rows.end {
            let left = $self.rows.end - $row;
            let size = if S::TILE >= 8 && left >= 8 {
                const $t: usize = 8;
                let sums = $tile;
                $self.write($s, $row, $group, &sums);
                8
            } else if S::TILE >= 4 && left >= 4 {
                const $t: usize = 4;
                let sums = $tile;
                $self.write($s, $row, $group, &sums);
                4
            } else {
                const $t: usize = 1;
                let sums = $tile;
                $self.write($s, $row, $group, &sums);
                1
            };
            $row += size;
        }
    }};
}

impl Panel<'_> {
    #[inline(always)]
    fn write<S: Simd, const T: usize>(&self, s: S, row: usize, group: usize, sums: &[S::F; T]) {
        let n_out = self.matrix.n_out();
        let width = LANES.min(n_out - group * LANES);
        for (t, sum) in sums.iter().enumerate() {
            // SAFETY: this place belongs to one pair of row and group, and those to one task (see `matmul`).
            let out = unsafe { self.out.part((row + t) * n_out + group * LANES, width) };
            if let Some(full) = out.first_chunk_mut::<LANES>() {
                s.store(*sum, full);
            } else {
                let mut lanes = [0.0; LANES];
                s.store(*sum, &mut lanes);
                out.copy_from_slice(&lanes[..width]);
            }
        }
    }

    #[inline(always)]
    fn blocks32<S: Simd>(&self, s: S, p: &Packed32) {
        let n = self.matrix.n_in() / 32;
        for group in self.groups.clone() {
            let span = group * n..(group + 1) * n;
            let lines = lines_per_32(p.codes);
            let w = Weights32 {
                lines: &p.lines[group * n * lines..][..n * lines],
                d: &p.d[span.clone()],
                m: p.m.get(span).unwrap_or(&[]),
                offset: p.offset,
            };
            match (p.codes, self.x.precision() == Precision::Eight) {
                (Codes::Four, true) => {
                    tiles!(self, s, group, |row, T| self.tile32::<S, T, FOUR, ONE>(s, &w, row))
                }
                (Codes::Six, true) => {
                    tiles!(self, s, group, |row, T| self.tile32::<S, T, SIX, ONE>(s, &w, row))
                }
                (Codes::Eight, true) => {
                    tiles!(self, s, group, |row, T| self.tile32::<S, T, EIGHT, ONE>(s, &w, row))
                }
                (Codes::Four, _) => {
                    tiles!(self, s, group, |row, T| self.tile32::<S, T, FOUR, TWO>(s, &w, row))
                }
                (Codes::Six, _) => tiles!(self, s, group, |row, T| self.tile32::<S, T, SIX, TWO>(s, &w, row)),
                (Codes::Eight, _) => {
                    tiles!(self, s, group, |row, T| self.tile32::<S, T, EIGHT, TWO>(s, &w, row))
                }
            }
        }
    }

    #[inline(always)]
    fn blocks256<S: Simd>(&self, s: S, p: &Packed256) {
        let n = self.matrix.n_in() / 256;
        let subs = p.scales.len() / p.d.len();
        for group in self.groups.clone() {
            let span = group * n..(group + 1) * n;
            let lines = lines_per_32(p.codes) * 8;
            let w = Weights256 {
                lines: &p.lines[group * n * lines..][..n * lines],
                d: &p.d[span.clone()],
                dmin: p.dmin.get(span).unwrap_or(&[]),
                scales: &p.scales[group * n * subs..][..n * subs],
                mins: p.mins.get(group * n * 8..(group + 1) * n * 8).unwrap_or(&[]),
                offset: p.offset,
            };
            match (p.codes, subs, self.x.precision() == Precision::Eight) {
                (Codes::Four, _, true) => {
                    tiles!(self, s, group, |row, T| self.tile256::<S, T, FOUR, 8, ONE>(s, &w, row));
                }
                (Codes::Four, ..) => {
                    tiles!(self, s, group, |row, T| self.tile256::<S, T, FOUR, 8, TWO>(s, &w, row))
                }
                (_, 8, true) => {
                    tiles!(self, s, group, |row, T| self.tile256::<S, T, SIX, 8, ONE>(s, &w, row))
                }
                (_, 8, _) => tiles!(self, s, group, |row, T| self.tile256::<S, T, SIX, 8, TWO>(s, &w, row)),
                (_, _, true) => {
                    tiles!(self, s, group, |row, T| self.tile256::<S, T, SIX, 16, ONE>(s, &w, row))
                }
                _ => tiles!(self, s, group, |row, T| self.tile256::<S, T, SIX, 16, TWO>(s, &w, row)),
            }
        }
    }

    #[inline(always)]
    fn floats<S: Simd>(&self, s: S, f: &Floats) {
        let n = self.matrix.n_in();
        let x = self.x.floats();
        for group in self.groups.clone() {
            let span = group * n..(group + 1) * n;
            match f {
                Floats::F32(w) => {
                    let w = &w[span];
                    tiles!(self, s, group, |row, T| tile_f(s, w, &rows::<_, T>(x, row, n), |w| s.load(w)));
                }
                Floats::F16(w) => {
                    let w = &w[span];
                    tiles!(self, s, group, |row, T| tile_f(s, w, &rows::<_, T>(x, row, n), |w| s
                        .load_half(w)));
                }
                Floats::BF16(w) => {
                    let w = &w[span];
                    tiles!(self, s, group, |row, T| tile_f(s, w, &rows::<_, T>(x, row, n), |w| s
                        .load_bf16(w)));
                }
            }
        }
    }
}

/// Parts of an activation: one of 8 bits, or a high and a low one.
const ONE: bool = false;
const TWO: bool = true;

const FOUR: u8 = 4;
const SIX: u8 = 6;
const EIGHT: u8 = 8;

/// `T` consecutive rows of `n` items each.
#[inline(always)]
fn rows<A, const T: usize>(all: &[A], first: usize, n: usize) -> [&[A]; T] {
    std::array::from_fn(|t| &all[(first + t) * n..][..n])
}

/// The 32 columns of a block as eight vectors of four columns each.
#[inline(always)]
fn unpack<S: Simd, const CODES: u8>(s: S, lines: &[Line]) -> [S::B; 8] {
    if CODES == FOUR {
        // Written out: a closure would not always be compiled with the instruction set of `S`.
        let [a, b, c, d] =
            [s.load_line(&lines[0]), s.load_line(&lines[1]), s.load_line(&lines[2]), s.load_line(&lines[3])];
        [s.low(a), s.low(b), s.low(c), s.low(d), s.high(a), s.high(b), s.high(c), s.high(d)]
    } else {
        let mut all = [s.load_line(&lines[0]); 8];
        for i in 1..8 {
            all[i] = s.load_line(&lines[i]);
        }
        all
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

/// `acc` plus the products of `quads` with the vectors from `from` on.
#[inline(always)]
fn dots<S: Simd, const CODES: u8>(
    s: S,
    acc: S::I,
    w: &[S::B; 8],
    quads: &[i32; 8],
    part: std::ops::Range<usize>,
) -> S::I {
    let mut acc = acc;
    for i in part {
        acc = if CODES == EIGHT { s.dot_full(acc, w[i], quads[i]) } else { s.dot(acc, w[i], quads[i]) };
    }
    acc
}

struct Weights32<'a> {
    lines: &'a [Line],
    d: &'a [[u16; LANES]],
    m: &'a [[u16; LANES]],
    offset: i32,
}

struct Weights256<'a> {
    lines: &'a [Line],
    d: &'a [[u16; LANES]],
    dmin: &'a [[u16; LANES]],
    scales: &'a [[u8; LANES]],
    mins: &'a [[u8; LANES]],
    offset: i32,
}

impl Panel<'_> {
    /// Sum over blocks of (dw × da) × integer sum, plus m × s where there are minima.
    #[inline(always)]
    fn tile32<S: Simd, const T: usize, const CODES: u8, const PARTS: bool>(
        &self,
        s: S,
        w: &Weights32<'_>,
        row: usize,
    ) -> [S::F; T] {
        let n = self.matrix.n_in() / 32;
        let acts: [&[Act32]; T] = rows(self.x.blocks32(), row, n);
        let offset = if CODES == EIGHT && S::FULL_IS_SIGNED { 0 } else { w.offset };
        let per_block = if CODES == FOUR { 4 } else { 8 };
        let mut sums = [s.splat(0.0); T];
        for (b, (lines, d)) in w.lines.chunks_exact(per_block).zip(w.d).enumerate() {
            ask_ahead(s, lines);
            let codes = unpack::<S, CODES>(s, lines);
            let d = s.load_half(d);
            let m = w.m.get(b).map(|m| s.load_half(m));
            for t in 0..T {
                let a = &acts[t][b];
                let start = s.splat_i(-offset * a.sum);
                let total = if PARTS == TWO {
                    let low = dots::<S, CODES>(s, start, &codes, &a.low, 0..8);
                    let high = dots::<S, CODES>(s, s.splat_i(0), &codes, &a.quads, 0..8);
                    s.add_i(low, s.times_256(high))
                } else {
                    dots::<S, CODES>(s, start, &codes, &a.quads, 0..8)
                };
                sums[t] = s.fma(s.to_f(total), s.mul(d, s.splat(a.d)), sums[t]);
                if let Some(m) = m {
                    sums[t] = s.fma(m, s.splat(a.s), sums[t]);
                }
            }
        }
        sums
    }

    /// Sum over blocks of (dw × da) × (sum of scale × integer sum), minus (dmin × da) × (sum of min × sum of
    /// activations). The inner sums are integers, one for each part of the activations.
    #[inline(always)]
    fn tile256<S: Simd, const T: usize, const CODES: u8, const SUBS: usize, const PARTS: bool>(
        &self,
        s: S,
        w: &Weights256<'_>,
        row: usize,
    ) -> [S::F; T] {
        let n = self.matrix.n_in() / 256;
        let acts: [&[Act256]; T] = rows(self.x.blocks256(), row, n);
        let per_32 = if CODES == FOUR { 4 } else { 8 };
        let mut sums = [s.splat(0.0); T];
        for (b, (lines, d)) in w.lines.chunks_exact(per_32 * 8).zip(w.d).enumerate() {
            let d = s.load_half(d);
            if let Some(dmin) = w.dmin.get(b) {
                minima::<S, T>(s, s.load_half(dmin), &w.mins[b * 8..][..8], &acts, b, &mut sums);
            }
            let scales = &w.scales[b * SUBS..][..SUBS];
            let mut totals = [s.splat_i(0); T];
            let mut lows = [s.splat_i(0); T];
            for (j, lines) in lines.chunks_exact(per_32).enumerate() {
                ask_ahead(s, lines);
                let codes = unpack::<S, CODES>(s, lines);
                let scale = sub_scales::<S, SUBS>(s, scales, j);
                for t in 0..T {
                    let a = &acts[t][b];
                    totals[t] = scaled::<S, CODES, SUBS>(s, totals[t], &codes, scale, w.offset, &a.part, j);
                    if PARTS == TWO {
                        lows[t] = scaled::<S, CODES, SUBS>(s, lows[t], &codes, scale, w.offset, &a.low, j);
                    }
                }
            }
            for t in 0..T {
                let mut total = s.to_f(totals[t]);
                if PARTS == TWO {
                    total = s.fma(total, s.splat(256.0), s.to_f(lows[t]));
                }
                let factor = s.mul(d, s.splat(acts[t][b].d));
                sums[t] = s.fma(total, factor, sums[t]);
            }
        }
        sums
    }
}

/// The scales of the two halves of 32 columns; the same one twice where they share it.
#[inline(always)]
fn sub_scales<S: Simd, const SUBS: usize>(s: S, scales: &[[u8; LANES]], j: usize) -> [S::I; 2] {
    if SUBS == 8 {
        [s.load_u8(&scales[j]); 2]
    } else {
        [s.load_i8(&scales[j * 2]), s.load_i8(&scales[j * 2 + 1])]
    }
}

/// `total` plus scale × integer sum over 32 columns, whose number in the block is `j`.
#[inline(always)]
fn scaled<S: Simd, const CODES: u8, const SUBS: usize>(
    s: S,
    total: S::I,
    codes: &[S::B; 8],
    scale: [S::I; 2],
    offset: i32,
    a: &Part256,
    j: usize,
) -> S::I {
    let quads = &a.quads[j];
    if SUBS == 8 {
        let dot = dots::<S, CODES>(s, s.splat_i(0), codes, quads, 0..8);
        return s.add_i(total, s.mul_i(dot, scale[0]));
    }
    let first = dots::<S, CODES>(s, s.splat_i(-offset * a.sums[j * 2]), codes, quads, 0..4);
    let second = dots::<S, CODES>(s, s.splat_i(-offset * a.sums[j * 2 + 1]), codes, quads, 4..8);
    s.add_i(s.add_i(total, s.mul_i(first, scale[0])), s.mul_i(second, scale[1]))
}

#[inline(always)]
fn minima<S: Simd, const T: usize>(
    s: S,
    dmin: S::F,
    mins: &[[u8; LANES]],
    acts: &[&[Act256]; T],
    b: usize,
    sums: &mut [S::F; T],
) {
    let mut totals = [s.splat_i(0); T];
    for (j, min) in mins.iter().enumerate() {
        let min = s.load_u8(min);
        for t in 0..T {
            totals[t] = s.add_i(totals[t], s.mul_i(min, s.splat_i(acts[t][b].sums[j])));
        }
    }
    for t in 0..T {
        let factor = s.mul(dmin, s.splat(acts[t][b].d));
        sums[t] = s.sub(sums[t], s.mul(s.to_f(totals[t]), factor));
    }
}

/// Unquantised weights: products added column by column.
#[inline(always)]
fn tile_f<S: Simd, W, const T: usize>(
    s: S,
    w: &[W],
    x: &[&[f32]; T],
    load: impl Fn(&W) -> S::F,
) -> [S::F; T] {
    let mut sums = [s.splat(0.0); T];
    for (i, w) in w.iter().enumerate() {
        let w = load(w);
        for t in 0..T {
            sums[t] = s.add(sums[t], s.mul(w, s.splat(x[t][i])));
        }
    }
    sums
}
