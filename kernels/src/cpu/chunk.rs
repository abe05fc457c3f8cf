//! The part of attention that lies within one chunk of keys.

use std::ops::Range;
use std::sync::Arc;

use super::attention::{Rows, Task};
use super::cache::PAGE_TOKENS;
use super::pages::{BLOCK, Head, PAGE_TILES, Page, Stored};
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
type Scores<const R: usize> = [[[f32; LANES]; CHUNK_TILES]; R];

impl Kernel for OnChunk<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let n = self.chunk.task.rows.len();
        let mut row = 0;
        while row < n {
            row += match n - row {
                8.. if S::TILE >= 8 => self.rows::<S, 8>(s, row),
                4.. if S::TILE >= 4 => self.rows::<S, 4>(s, row),
                3 if S::TILE >= 4 => self.rows::<S, 3>(s, row),
                2 if S::TILE >= 4 => self.rows::<S, 2>(s, row),
                _ => self.rows::<S, 1>(s, row),
            };
        }
    }
}

impl OnChunk<'_, '_, '_> {
    /// The part of the `R` rows from the task's row `i` on. Returns `R`.
    #[inline(always)]
    fn rows<S: Simd, const R: usize>(&mut self, s: S, i: usize) -> usize {
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
        let dim = all.shape.head_dim;
        let places: [usize; R] = std::array::from_fn(|r| all.place(task, row + r));
        let q: Vec<[f32; R]> = (0..dim).map(|d| places.map(|at| all.q[at + d])).collect();
        let tiles = seen.start / LANES..seen.end.div_ceil(LANES);
        let mut scores: Scores<R> = [[[0.0; LANES]; CHUNK_TILES]; R];
        self.scores(s, &q, tiles.clone(), &mut scores);
        for (r, scores) in scores.iter_mut().enumerate() {
            let keys = within(all.keys(task, row + r));
            let flat = scores.as_flattened_mut();
            flat[tiles.start * LANES..keys.start.max(tiles.start * LANES)].fill(f32::NEG_INFINITY);
            flat[keys.end.max(tiles.start * LANES)..tiles.end * LANES].fill(f32::NEG_INFINITY);
            (self.out.tops[i + r], self.out.sums[i + r]) = exponentials(s, &mut scores[tiles.clone()]);
        }
        let mut vector = 0;
        while vector < dim / LANES {
            if dim / LANES - vector >= 2 {
                self.weigh::<S, R, 2>(s, i, vector, tiles.start * LANES..seen.end, &scores);
                vector += 2;
            } else {
                self.weigh::<S, R, 1>(s, i, vector, tiles.start * LANES..seen.end, &scores);
                vector += 1;
            }
        }
        R
    }

    fn head(&self, page: usize) -> Head<'_> {
        let (all, task) = (self.chunk.all, self.chunk.task);
        self.chunk.pages[page].head(&all.shape, all.heads.layer, task.kv_head)
    }

    /// scale × q · k for the keys of `tiles`.
    #[inline(always)]
    fn scores<S: Simd, const R: usize>(
        &self,
        s: S,
        q: &[[f32; R]],
        tiles: Range<usize>,
        scores: &mut Scores<R>,
    ) {
        let scale = s.splat(self.chunk.all.heads.scale);
        let mut tile = tiles.start;
        while tile < tiles.end {
            let (page, at) = (tile / PAGE_TILES, tile % PAGE_TILES);
            // A page has an even number of tiles.
            let two = S::TILE >= 8 && at % 2 == 0 && tile + 1 < tiles.end;
            match (self.head(page), two) {
                (Head::Half(head), true) => products::<S, R, 2, _>(s, head, at, q, scale, tile, scores),
                (Head::Half(head), false) => products::<S, R, 1, _>(s, head, at, q, scale, tile, scores),
                (Head::Eight(head), true) => products::<S, R, 2, _>(s, head, at, q, scale, tile, scores),
                (Head::Eight(head), false) => products::<S, R, 1, _>(s, head, at, q, scale, tile, scores),
            }
            tile += if two { 2 } else { 1 };
        }
    }

    /// The weighted sum of `V` vectors of the values.
    #[inline(always)]
    fn weigh<S: Simd, const R: usize, const V: usize>(
        &mut self,
        s: S,
        i: usize,
        vector: usize,
        keys: Range<usize>,
        weights: &Scores<R>,
    ) {
        let mut sums = [[s.splat(0.0); V]; R];
        let mut key = keys.start;
        while key < keys.end {
            let (page, at) = (key / PAGE_TOKENS, key % PAGE_TOKENS);
            let n = (keys.end - key).min(PAGE_TOKENS - at);
            let mut tiles: [&[[f32; LANES]]; R] = [&[]; R];
            for (tiles, weights) in tiles.iter_mut().zip(weights) {
                *tiles = &weights[page * PAGE_TILES..];
            }
            match self.head(page) {
                Head::Half(head) => weighted(s, head, at..at + n, vector, &tiles, &mut sums),
                Head::Eight(head) => weighted(s, head, at..at + n, vector, &tiles, &mut sums),
            }
            key += n;
        }
        let dim = self.out.dim();
        for (r, sums) in sums.iter().enumerate() {
            let out = &mut self.out.values[(i + r) * dim + vector * LANES..][..V * LANES];
            for (out, sum) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
                s.store(*sum, out);
            }
        }
    }
}

/// Scores of `K` tiles of keys, from tile `at` of a page on.
#[inline(always)]
fn products<S: Simd, const R: usize, const K: usize, H: Stored>(
    s: S,
    head: H,
    at: usize,
    q: &[[f32; R]],
    scale: S::F,
    tile: usize,
    scores: &mut Scores<R>,
) {
    let mut sums = [[s.splat(0.0); K]; R];
    let block = if H::SCALED { BLOCK } else { q.len() };
    for (b, part) in q.chunks_exact(block).enumerate() {
        let mut inner = if H::SCALED { [[s.splat(0.0); K]; R] } else { sums };
        for (d, q) in part.iter().enumerate() {
            let mut keys = [s.splat(0.0); K];
            for k in 0..K {
                keys[k] = head.key(s, at + k, b * block + d);
            }
            for r in 0..R {
                let q = s.splat(q[r]);
                for k in 0..K {
                    inner[r][k] = s.fma(keys[k], q, inner[r][k]);
                }
            }
        }
        if H::SCALED {
            for k in 0..K {
                let scales = head.key_scales(s, at + k, b);
                for r in 0..R {
                    sums[r][k] = s.fma(inner[r][k], scales, sums[r][k]);
                }
            }
        } else {
            sums = inner;
        }
    }
    for r in 0..R {
        for k in 0..K {
            s.store(s.mul(sums[r][k], scale), &mut scores[r][tile + k]);
        }
    }
}

/// Adds the values of tokens `at` to `at + n` of a page, by their weights.
#[inline(always)]
fn weighted<S: Simd, const R: usize, const V: usize, H: Stored>(
    s: S,
    head: H,
    at: Range<usize>,
    vector: usize,
    weights: &[&[[f32; LANES]]; R],
    sums: &mut [[S::F; V]; R],
) {
    let mut start = at.start;
    while start < at.end {
        let (tile, end) = (start / LANES, at.end.min((start / LANES + 1) * LANES));
        let mut scaled = [[0.0; LANES]; R];
        for r in 0..R {
            scaled[r] = weights[r][tile];
        }
        if H::SCALED {
            // Both vectors of a pair lie in one block.
            let scales = head.value_scales(s, tile, vector * LANES / BLOCK);
            for weights in &mut scaled {
                let product = s.mul(s.load(weights), scales);
                s.store(product, weights);
            }
        }
        for token in start..end {
            let mut values = [s.splat(0.0); V];
            for v in 0..V {
                values[v] = head.value(s, token, vector + v);
            }
            for r in 0..R {
                let weight = s.splat(scaled[r][token % LANES]);
                for v in 0..V {
                    sums[r][v] = s.fma(weight, values[v], sums[r][v]);
                }
            }
        }
        start = end;
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
