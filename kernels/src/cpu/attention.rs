//! Attention of query rows over the keys and values of a layer.
//!
//! The rows of all query heads that share a key-value head are worked on together, up to eight at a time, so that
//! each key and value is widened once for them. Each row is its own fixed sequence: scores in the order of the
//! dimensions, weighted values in the order of the keys. A masked key has weight 0 and adds exactly nothing.

use std::ops::Range;

use super::cache::{Head, KvLayer};
use super::context::Cpu;
use super::pool::Shares;
use super::simd::{Kernel, LANES, Simd};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// Which keys a query sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// Keys up to the query's own position.
    Causal,
    /// The last so many keys, the query's own included.
    Window(usize),
    /// All keys.
    Full,
}

impl Attention {
    fn keys(self, position: usize, len: usize) -> Range<usize> {
        match self {
            Self::Causal => 0..position + 1,
            Self::Window(n) => (position + 1).saturating_sub(n)..position + 1,
            Self::Full => 0..len,
        }
    }
}

/// Attention of `q` (n, n_heads × head_dim), whose rows are the last n tokens of `layer`, into `out` of the same
/// shape. Scores are multiplied by `scale`.
///
/// # Errors
/// A shape does not fit, the query heads are no multiple of the layer's heads, the layer holds fewer tokens than
/// `q` has rows, or a window is 0.
pub fn attention(
    cpu: &Cpu,
    layer: &KvLayer,
    q: &[f32],
    n_heads: usize,
    scale: f32,
    mask: Attention,
    out: &mut [f32],
) -> Result<(), KernelError> {
    const OP: &str = "attention";
    let (n_kv, dim) = (layer.n_kv_heads(), layer.head_dim());
    check_multiple(OP, "query heads", n_heads, n_kv)?;
    let n = q.len() / (n_heads * dim);
    check_len(OP, "queries", q.len(), &[n, n_heads, dim])?;
    check_len(OP, "output", out.len(), &[n, n_heads, dim])?;
    if layer.len() < n || mask == Attention::Window(0) {
        let what = format!("{n} queries, {} keys, mask {mask:?}", layer.len());
        return Err(KernelError::Argument { op: OP, what });
    }
    let group = n_heads / n_kv;
    let tiles = (n * group).div_ceil(ROWS);
    let out = Shares::new(out);
    cpu.pool().run(n_kv * tiles, &|task| {
        // Later rows have more keys; they go first, so that no long task comes last.
        let (kv_head, tile) = (task % n_kv, tiles - 1 - task / n_kv);
        let rows = tile * ROWS..(n * group).min((tile + 1) * ROWS);
        let head = layer.head(kv_head);
        let first = layer.len() - n;
        cpu.run(Tile {
            head,
            q,
            out: &out,
            dim,
            group,
            kv_head,
            n_heads,
            first,
            len: layer.len(),
            rows,
            scale,
            mask,
        });
    });
    Ok(())
}

/// Rows of a tile.
const ROWS: usize = 8;

struct Tile<'a> {
    head: &'a Head,
    q: &'a [f32],
    out: &'a Shares<'a, f32>,
    dim: usize,
    /// Query heads per key-value head.
    group: usize,
    kv_head: usize,
    n_heads: usize,
    /// Position of the first query.
    first: usize,
    /// Keys.
    len: usize,
    /// Rows of this tile: row = query × group + head within the group.
    rows: Range<usize>,
    scale: f32,
    mask: Attention,
}

impl Kernel for Tile<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut row = self.rows.start;
        while row < self.rows.end {
            match self.rows.end - row {
                8.. if S::TILE >= 8 => {
                    self.rows::<S, 8>(s, row);
                    row += 8;
                }
                4.. if S::TILE >= 4 => {
                    self.rows::<S, 4>(s, row);
                    row += 4;
                }
                3 if S::TILE >= 4 => {
                    self.rows::<S, 3>(s, row);
                    row += 3;
                }
                2 if S::TILE >= 4 => {
                    self.rows::<S, 2>(s, row);
                    row += 2;
                }
                _ => {
                    self.rows::<S, 1>(s, row);
                    row += 1;
                }
            }
        }
    }
}

impl Tile<'_> {
    /// Where a row's head starts in `q` and `out`.
    #[inline(always)]
    fn place(&self, row: usize) -> usize {
        let head = self.kv_head * self.group + row % self.group;
        (row / self.group * self.n_heads + head) * self.dim
    }

    #[inline(always)]
    fn keys(&self, row: usize) -> Range<usize> {
        self.mask.keys(self.first + row / self.group, self.len)
    }

    #[inline(always)]
    fn rows<S: Simd, const R: usize>(&self, s: S, first: usize) {
        // Whole tiles of keys that cover what any of the rows sees.
        let start = (0..R).map(|r| self.keys(first + r).start).min().unwrap_or(0) / LANES;
        let end = (0..R).map(|r| self.keys(first + r).end).max().unwrap_or(0).div_ceil(LANES);
        let n = end - start;
        let mut scores = vec![[0.0f32; LANES]; n * R];
        self.scores::<S, R>(s, first, start, &mut scores);
        let mut inverse = [0.0f32; R];
        for (r, row) in scores.chunks_exact_mut(n).enumerate() {
            let keys = self.keys(first + r);
            let flat = row.as_flattened_mut();
            flat[..keys.start - start * LANES].fill(f32::NEG_INFINITY);
            flat[keys.end - start * LANES..].fill(f32::NEG_INFINITY);
            inverse[r] = 1.0 / exponentials(s, row);
        }
        self.weigh::<S, R>(s, first, start * LANES, &scores, &inverse);
    }

    /// scale × q · k for `R` rows and all keys of the tiles.
    #[inline(always)]
    fn scores<S: Simd, const R: usize>(&self, s: S, first: usize, start: usize, out: &mut [[f32; LANES]]) {
        let n = out.len() / R;
        let mut q: [&[f32]; R] = [&[]; R];
        for (r, q) in q.iter_mut().enumerate() {
            *q = &self.q[self.place(first + r)..][..self.dim];
        }
        let scale = s.splat(self.scale);
        for tile in 0..n {
            let keys = &self.head.keys[(start + tile) * self.dim..][..self.dim];
            let mut acc = [s.splat(0.0); R];
            for (d, key) in keys.iter().enumerate() {
                let key = s.load_half(key);
                for r in 0..R {
                    acc[r] = s.add(acc[r], s.mul(key, s.splat(q[r][d])));
                }
            }
            for r in 0..R {
                s.store(s.mul(acc[r], scale), &mut out[r * n + tile]);
            }
        }
    }

    /// The weighted sum of the values, for `R` rows, 32 dimensions at a time.
    #[inline(always)]
    fn weigh<S: Simd, const R: usize>(
        &self,
        s: S,
        first: usize,
        start: usize,
        weights: &[[f32; LANES]],
        inverse: &[f32; R],
    ) {
        let vectors = self.dim / LANES;
        let per_row = weights.len() / R * LANES;
        let end = self.len.min(start + per_row);
        let values = &self.head.values[start * vectors..end * vectors];
        let flat = weights.as_flattened();
        let mut p: [&[f32]; R] = [&[]; R];
        for (r, p) in p.iter_mut().enumerate() {
            *p = &flat[r * per_row..][..per_row];
        }
        let mut vector = 0;
        while vector < vectors {
            if vectors - vector >= 2 {
                self.weigh_part::<S, R, 2>(s, first, vector, values, &p, inverse);
                vector += 2;
            } else {
                self.weigh_part::<S, R, 1>(s, first, vector, values, &p, inverse);
                vector += 1;
            }
        }
    }

    #[inline(always)]
    fn weigh_part<S: Simd, const R: usize, const V: usize>(
        &self,
        s: S,
        first: usize,
        vector: usize,
        values: &[[u16; LANES]],
        p: &[&[f32]; R],
        inverse: &[f32; R],
    ) {
        let mut acc = [[s.splat(0.0); V]; R];
        for (j, row) in values.chunks_exact(self.dim / LANES).enumerate() {
            let mut v = [s.splat(0.0); V];
            for i in 0..V {
                v[i] = s.load_half(&row[vector + i]);
            }
            for r in 0..R {
                let weight = s.splat(p[r][j]);
                for i in 0..V {
                    acc[r][i] = s.add(acc[r][i], s.mul(weight, v[i]));
                }
            }
        }
        for r in 0..R {
            // SAFETY: a row and head belong to one tile, and each tile to one task.
            let out = unsafe { self.out.part(self.place(first + r) + vector * LANES, V * LANES) };
            for (out, sum) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(acc[r]) {
                s.store(s.mul(sum, s.splat(inverse[r])), out);
            }
        }
    }
}

/// Replaces scores by e^(score − largest) and returns their sum.
#[inline(always)]
fn exponentials<S: Simd>(s: S, row: &mut [[f32; LANES]]) -> f32 {
    let mut top = s.splat(f32::NEG_INFINITY);
    for c in row.iter() {
        top = s.max(s.load(c), top);
    }
    let top = s.splat(s.top(top));
    let mut sum = s.splat(0.0);
    for c in row.iter_mut() {
        let e = s.exp(s.sub(s.load(c), top));
        sum = s.add(sum, e);
        s.store(e, c);
    }
    s.sum(sum)
}
