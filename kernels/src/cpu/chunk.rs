//! The part of attention that lies within one chunk of keys.

use std::ops::Range;
use std::sync::Arc;

use super::attention::{Rows, Task};
use super::cache::KvKind;
use super::pages::{EightHead, HalfHead, Head, PAGE_TILES, Page, Stored};
use super::scores::{Multiply, Weigh};
use super::simd::{Kernel, LANES, Simd};

/// Keys of a chunk. Their scores for eight rows fill a quarter of a first-level cache.
pub(crate) const CHUNK_KEYS: usize = 512;

const CHUNK_TILES: usize = CHUNK_KEYS / LANES;

/// Of some rows: the largest score, the sum of e^(score − largest), and the values weighted by those.
pub(crate) struct Partial<'a> {
    tops: &'a mut [f32],
    sums: &'a mut [f32],
    values: &'a mut [f32],
}

impl<'a> Partial<'a> {
    pub(crate) fn size(rows: usize, dim: usize) -> usize {
        rows * (dim + 2)
    }

    /// Of no keys yet, in at least [`Partial::size`] values of memory.
    pub(crate) fn new(memory: &'a mut [f32], rows: usize, dim: usize) -> Self {
        let new = Self::filled(memory, rows, dim);
        new.values.fill(0.0);
        new.sums.fill(0.0);
        new.tops.fill(f32::NEG_INFINITY);
        new
    }

    /// What was computed into this memory before.
    pub(crate) fn filled(memory: &'a mut [f32], rows: usize, dim: usize) -> Self {
        let (tops, rest) = memory.split_at_mut(rows);
        let (sums, rest) = rest.split_at_mut(rows);
        Self { tops, sums, values: &mut rest[..rows * dim] }
    }

    fn dim(&self) -> usize {
        self.values.len() / self.tops.len()
    }

    /// The attention of row `i`.
    pub(crate) fn finish(&self, i: usize, out: &mut [f32]) {
        let inverse = 1.0 / self.sums[i];
        let dim = out.len();
        out.iter_mut().zip(&self.values[i * dim..]).for_each(|(out, v)| *out = v * inverse);
    }
}

/// Adds a later chunk's part to what there is.
pub(crate) fn join<'a, 'b, 'c>(state: &'a mut Partial<'b>, part: &'a Partial<'c>) -> Join<'a, 'b, 'c> {
    Join { state, part }
}

pub(crate) struct Join<'a, 'b, 'c> {
    state: &'a mut Partial<'b>,
    part: &'a Partial<'c>,
}

impl Kernel for Join<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { state, part } = self;
        let dim = part.dim();
        for i in 0..part.tops.len() {
            let top = if part.tops[i] > state.tops[i] { part.tops[i] } else { state.tops[i] };
            let mut factors = [0.0; LANES];
            // Where neither has seen a key, both differences are not numbers, and their exponentials 0.
            let differences = s.load(&padded_pair(state.tops[i] - top, part.tops[i] - top));
            s.store(s.exp(differences), &mut factors);
            let [old, new, ..] = factors;
            state.tops[i] = top;
            state.sums[i] = state.sums[i].mul_add(old, part.sums[i] * new);
            let (old, new) = (s.splat(old), s.splat(new));
            let values = state.values[i * dim..][..dim].as_chunks_mut::<LANES>().0;
            for (a, b) in values.iter_mut().zip(part.values[i * dim..][..dim].as_chunks::<LANES>().0) {
                let sum = s.fma(s.load(a), old, s.mul(s.load(b), new));
                s.store(sum, a);
            }
        }
    }
}

#[inline(always)]
fn padded_pair(a: f32, b: f32) -> [f32; LANES] {
    let mut out = [0.0; LANES];
    (out[0], out[1]) = (a, b);
    out
}

/// A chunk of a sequence's keys, and the rows that look at it.
pub(crate) struct Chunk<'a> {
    pub(crate) all: &'a Rows<'a>,
    pub(crate) task: &'a Task,
    pub(crate) pages: &'a [Arc<Page>],
    /// Position of its first key.
    pub(crate) first_key: usize,
}

impl<'a> Chunk<'a> {
    pub(crate) fn into_kernel<'p, 'q>(self, out: &'p mut Partial<'q>) -> OnChunk<'a, 'p, 'q> {
        OnChunk { chunk: self, out }
    }
}

pub(crate) struct OnChunk<'a, 'p, 'q> {
    chunk: Chunk<'a>,
    out: &'p mut Partial<'q>,
}

/// Scores of some rows, later their weights.
pub(crate) type Scores<const R: usize> = [[[f32; LANES]; CHUNK_TILES]; R];

impl Kernel for OnChunk<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if self.chunk.all.shape.kind == KvKind::F16 {
            self.tiles::<S, HalfHead<'_>>(s);
        } else {
            self.tiles::<S, EightHead<'_>>(s);
        }
    }
}

impl<'a> OnChunk<'a, '_, '_> {
    /// Computes the rows in tiles of 8, then 4, then what is left.
    #[inline(always)]
    fn tiles<S: Simd, H: Stored + From<Head<'a>>>(mut self, s: S) {
        let (all, task) = (self.chunk.all, self.chunk.task);
        let head = |page: &'a Arc<Page>| H::from(page.head(&all.shape, all.heads.layer, task.kv_head));
        let heads: Vec<H> = self.chunk.pages.iter().map(head).collect();
        let n = task.rows.len();
        let mut row = 0;
        while row < n {
            row += match n - row {
                8.. if S::TILE >= 8 => self.rows::<S, 8, H>(s, &heads, row),
                4.. if S::TILE >= 4 => self.rows::<S, 4, H>(s, &heads, row),
                3 if S::TILE >= 4 => self.rows::<S, 3, H>(s, &heads, row),
                2 if S::TILE >= 4 => self.rows::<S, 2, H>(s, &heads, row),
                _ => self.rows::<S, 1, H>(s, &heads, row),
            };
        }
    }
}

impl OnChunk<'_, '_, '_> {
    /// The part of the `R` rows from the task's row `i` on. Returns `R`.
    #[inline(always)]
    fn rows<S: Simd, const R: usize, H: Stored>(&mut self, s: S, heads: &[H], i: usize) -> usize {
        let (all, task, first_key) = (self.chunk.all, self.chunk.task, self.chunk.first_key);
        let row = task.rows.start + i;
        let within = |keys: Range<usize>| {
            let clip = |key: usize| key.clamp(first_key, first_key + CHUNK_KEYS) - first_key;
            clip(keys.start)..clip(keys.end)
        };
        let seen = within(all.seen(task, row..row + R));
        if seen.is_empty() {
            return R;
        }
        let tiles = seen.start / LANES..seen.end.div_ceil(LANES);
        let mut scores: Scores<R> = [[[0.0; LANES]; CHUNK_TILES]; R];
        self.scores(s, heads, row, tiles.clone(), &mut scores);
        for (r, scores) in scores.iter_mut().enumerate() {
            let keys = within(all.keys(task, row + r));
            let flat = scores.as_flattened_mut();
            flat[tiles.start * LANES..keys.start.max(tiles.start * LANES)].fill(f32::NEG_INFINITY);
            flat[keys.end.max(tiles.start * LANES)..tiles.end * LANES].fill(f32::NEG_INFINITY);
            (self.out.tops[i + r], self.out.sums[i + r]) = exponentials(s, &mut scores[tiles.clone()]);
        }
        let (dim, keys) = (all.shape.head_dim, tiles.start * LANES..seen.end);
        let mut vector = 0;
        while vector < dim / LANES {
            let out = &mut self.out.values[i * dim + vector * LANES..];
            let (keys, weights) = (keys.clone(), &scores);
            vector += if dim / LANES - vector >= 2 {
                s.apart(Weigh::<H, R, 2> { heads, weights, keys, vector, out, dim });
                2
            } else {
                s.apart(Weigh::<H, R, 1> { heads, weights, keys, vector, out, dim });
                1
            };
        }
        R
    }

    /// scale × q · k of the rows from `row` on, for the keys of `tiles`.
    #[inline(always)]
    fn scores<S: Simd, const R: usize, H: Stored>(
        &self,
        s: S,
        heads: &[H],
        row: usize,
        tiles: Range<usize>,
        scores: &mut Scores<R>,
    ) {
        let (all, task) = (self.chunk.all, self.chunk.task);
        let places: [usize; R] = std::array::from_fn(|r| all.place(task, row + r));
        let q: Vec<[f32; R]> = (0..all.shape.head_dim).map(|d| places.map(|at| all.q[at + d])).collect();
        let (q, scale) = (q.as_slice(), all.heads.scale);
        let mut tile = tiles.start;
        while tile < tiles.end {
            let Some(&head) = heads.get(tile / PAGE_TILES) else { return };
            let at = tile % PAGE_TILES;
            // A page has an even number of tiles.
            tile += if S::TILE >= 8 && at.is_multiple_of(2) && tile + 1 < tiles.end {
                s.apart(Multiply::<H, R, 2> { head, at, q, scale, tile, scores });
                2
            } else {
                s.apart(Multiply::<H, R, 1> { head, at, q, scale, tile, scores });
                1
            };
        }
    }
}

/// Replaces scores by e^(score − largest); returns the largest score and the sum.
#[inline(always)]
fn exponentials<S: Simd>(s: S, row: &mut [[f32; LANES]]) -> (f32, f32) {
    let mut top = s.splat(f32::NEG_INFINITY);
    for c in row.iter() {
        top = s.max(s.load(c), top);
    }
    let largest = s.top(top);
    let top = s.splat(largest);
    let mut sum = s.splat(0.0);
    for c in row.iter_mut() {
        let e = s.exp(s.sub(s.load(c), top));
        sum = s.add(sum, e);
        s.store(e, c);
    }
    (largest, s.sum(sum))
}
