//! Products of activations (n_rows, n_in) with weights (n_out, n_in).
//!
//! A register tile is 16 output rows by up to eight activation rows. A block of weights is unpacked once per tile
//! and used for all its activation rows. Integer sums within a block are exact; blocks are then added in the order
//! of the columns, so neither the tile's size nor the thread decides about a single bit.

use super::activations::{Activations, Precision};
use super::context::Cpu;
use super::matrix::{Codes, Floats, Matrix, Packed, Packed32, Packed256, lines_per_32};
use super::pool::Shares;
use super::simd::{Kernel, LANES, Simd};
use super::tile::{
    EIGHT, FIVE, FOUR, FloatRows, ONE, Place, SIX, TWO, Tile32, Tile256, TileF, Weights32, Weights256,
};
use crate::KernelError;
use crate::error::check_len;

/// Activation rows that one task works on.
const ROWS_PER_TASK: usize = 128;
/// Of these, the rows that stay near while groups of weights pass by; a tile's most.
const ROWS_AT_HAND: usize = 8;
/// Bytes of weights that pass by before the next rows come; they stay in the second-level cache for these.
const WEIGHTS_AT_HAND: usize = 512 << 10;

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
    let parts: Vec<(&Matrix, Shares<'_, f32>)> =
        products.iter_mut().map(|p| (p.matrix, Shares::new(p.out))).collect();
    let cuts = cuts(parts.iter().map(|p| p.0.groups()).sum(), cpu.threads());
    let per_rows = cuts.len() - 1;
    cpu.pool().run(per_rows * n_rows.div_ceil(ROWS_PER_TASK), &|task| {
        let (rows, at) = (task / per_rows, task % per_rows);
        let rows = rows * ROWS_PER_TASK..n_rows.min((rows + 1) * ROWS_PER_TASK);
        let mut first = 0;
        for (matrix, out) in &parts {
            let n = matrix.groups();
            let groups = cuts[at].saturating_sub(first).min(n)..cuts[at + 1].saturating_sub(first).min(n);
            let few = (WEIGHTS_AT_HAND / (matrix.bytes() / n)).max(1);
            for start in groups.clone().step_by(few) {
                let groups = start..groups.end.min(start + few);
                for row in rows.clone().step_by(ROWS_AT_HAND) {
                    let rows = row..rows.end.min(row + ROWS_AT_HAND);
                    cpu.run(Panel { x, matrix, out, groups: groups.clone(), rows });
                }
            }
            first += n;
        }
    });
    Ok(())
}

/// Where `groups` groups are cut into tasks: a long one for each thread, whose weights then come in one stream, and short
/// ones at the end for those that finish first.
fn cuts(groups: usize, threads: usize) -> Vec<usize> {
    let long = groups * 3 / 4 / threads;
    let mut cuts: Vec<usize> = (0..=threads).map(|i| i * long).collect();
    let (done, tail) = (threads * long, threads * 4);
    cuts.extend((1..=tail).map(|i| done + (groups - done) * i / tail));
    cuts.dedup();
    cuts
}

fn check(x: &Activations, matrix: &Matrix, out: usize) -> Result<(), KernelError> {
    const OP: &str = "matmul";
    check_len(OP, "activation columns", x.n_in(), &[matrix.n_in()])?;
    check_len(OP, "output", out, &[x.n_rows(), matrix.n_out()])?;
    let ready = match matrix.packed() {
        Packed::Blocks32(_) => x.has_blocks32(),
        Packed::Blocks256(_) => x.has_blocks256(),
        Packed::Floats(_) => x.has_floats(),
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
    ($panel:ident, $s:ident, |$row:ident, $t:ident| $tile:expr) => {{
        let mut $row = $panel.rows.start;
        while $row < $panel.rows.end {
            let left = $panel.rows.end - $row;
            $row += if S::TILE >= 8 && left >= 8 {
                const $t: usize = 8;
                $s.apart($tile);
                8
            } else if S::TILE >= 4 && left >= 4 {
                const $t: usize = 4;
                $s.apart($tile);
                4
            } else {
                const $t: usize = 1;
                $s.apart($tile);
                1
            };
        }
    }};
}

impl<'a> Panel<'a> {
    fn place(&self, row: usize, group: usize) -> Place<'a> {
        let n_out = self.matrix.n_out();
        let width = LANES.min(n_out - group * LANES);
        Place { out: self.out, start: row * n_out + group * LANES, stride: n_out, width }
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
            };
            macro_rules! run {
                ($codes:ident, $offset:literal, $parts:ident) => {
                    tiles!(self, s, |row, T| Tile32::<T, $codes, $offset, $parts> {
                        w,
                        x: self.x.rows32(row),
                        place: self.place(row, group),
                    })
                };
            }
            match (p.codes, p.m.is_empty(), self.x.precision() == Precision::Eight) {
                (Codes::Four, true, true) => run!(FOUR, 8, ONE),
                (Codes::Four, true, false) => run!(FOUR, 8, TWO),
                (Codes::Four, false, true) => run!(FOUR, 0, ONE),
                (Codes::Four, false, false) => run!(FOUR, 0, TWO),
                (Codes::Five, true, true) => run!(FIVE, 16, ONE),
                (Codes::Five, true, false) => run!(FIVE, 16, TWO),
                (Codes::Five, false, true) => run!(FIVE, 0, ONE),
                (Codes::Five, false, false) => run!(FIVE, 0, TWO),
                (_, _, true) => run!(EIGHT, 128, ONE),
                (_, _, false) => run!(EIGHT, 128, TWO),
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
            };
            macro_rules! run {
                ($codes:ident, $subs:literal, $parts:ident) => {
                    tiles!(self, s, |row, T| Tile256::<T, $codes, $subs, $parts> {
                        w,
                        x: self.x.rows256(row),
                        place: self.place(row, group),
                    })
                };
            }
            match (p.codes, self.x.precision() == Precision::Eight) {
                (Codes::Four, true) => run!(FOUR, 8, ONE),
                (Codes::Four, false) => run!(FOUR, 8, TWO),
                (Codes::Five, true) => run!(FIVE, 8, ONE),
                (Codes::Five, false) => run!(FIVE, 8, TWO),
                (_, true) => run!(SIX, 16, ONE),
                (_, false) => run!(SIX, 16, TWO),
            }
        }
    }

    #[inline(always)]
    fn floats<S: Simd>(&self, s: S, f: &Floats) {
        let n = self.matrix.n_in();
        for group in self.groups.clone() {
            let span = group * n..(group + 1) * n;
            let w = match f {
                Floats::F32(w) => FloatRows::F32(&w[span]),
                Floats::F16(w) => FloatRows::F16(&w[span]),
                Floats::BF16(w) => FloatRows::BF16(&w[span]),
            };
            tiles!(self, s, |row, T| TileF::<T> {
                w,
                x: self.x.float_rows(row),
                place: self.place(row, group),
            });
        }
    }
}
