//! The two products of attention: queries with keys, and weights with values.

use std::ops::Range;

use super::cache::PAGE_TOKENS;
use super::chunk::Scores;
use super::pages::{BLOCK, PAGE_TILES, Stored};
use super::simd::{Kernel, LANES, Simd};

/// Scores of `R` rows with `K` tiles of keys, from tile `at` of a page on.
pub(crate) struct Multiply<'a, H, const R: usize, const K: usize> {
    pub(crate) head: H,
    pub(crate) at: usize,
    /// Dimension by dimension.
    pub(crate) q: &'a [[f32; R]],
    pub(crate) scale: f32,
    /// Where the scores go.
    pub(crate) tile: usize,
    pub(crate) scores: &'a mut Scores<R>,
}

impl<H: Stored, const R: usize, const K: usize> Kernel for Multiply<'_, H, R, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { head, at, q, scale, tile, scores } = self;
        let mut sums = [[s.splat(0.0); K]; R];
        let block = if H::SCALED { BLOCK } else { q.len() };
        for (b, part) in q.chunks_exact(block).enumerate() {
            let mut inner = if H::SCALED { [[s.splat(0.0); K]; R] } else { sums };
            for (d, q) in part.iter().enumerate() {
                let mut keys = [s.splat(0.0); K];
                for (k, key) in keys.iter_mut().enumerate() {
                    *key = head.key(s, at + k, b * block + d);
                }
                for r in 0..R {
                    let q = s.splat(q[r]);
                    for k in 0..K {
                        inner[r][k] = s.fma(keys[k], q, inner[r][k]);
                    }
                }
            }
            if !H::SCALED {
                sums = inner;
                continue;
            }
            for k in 0..K {
                let scales = head.key_scales(s, at + k, b);
                for r in 0..R {
                    sums[r][k] = s.fma(inner[r][k], scales, sums[r][k]);
                }
            }
        }
        let scale = s.splat(scale);
        for r in 0..R {
            for k in 0..K {
                s.store(s.mul(sums[r][k], scale), &mut scores[r][tile + k]);
            }
        }
    }
}

/// `V` vectors of the values of `keys`, summed by the weights of `R` rows.
pub(crate) struct Weigh<'a, H, const R: usize, const V: usize> {
    /// One for each page.
    pub(crate) heads: &'a [H],
    pub(crate) weights: &'a Scores<R>,
    pub(crate) keys: Range<usize>,
    pub(crate) vector: usize,
    /// Rows lie `dim` apart.
    pub(crate) out: &'a mut [f32],
    pub(crate) dim: usize,
}

impl<H: Stored, const R: usize, const V: usize> Kernel for Weigh<'_, H, R, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { heads, weights, keys, vector, out, dim } = self;
        let mut sums = [[s.splat(0.0); V]; R];
        let mut key = keys.start;
        while key < keys.end {
            let (tile, end) = (key / LANES, keys.end.min((key / LANES + 1) * LANES));
            let Some(head) = heads.get(key / PAGE_TOKENS) else { break };
            let mut scaled = [[0.0; LANES]; R];
            for r in 0..R {
                scaled[r] = weights[r][tile];
            }
            if H::SCALED {
                // Both vectors of a pair lie in one block.
                let scales = head.value_scales(s, tile % PAGE_TILES, vector * LANES / BLOCK);
                for weights in &mut scaled {
                    let product = s.mul(s.load(weights), scales);
                    s.store(product, weights);
                }
            }
            for token in key..end {
                let mut values = [s.splat(0.0); V];
                for (v, value) in values.iter_mut().enumerate() {
                    *value = head.value(s, token % PAGE_TOKENS, vector + v);
                }
                for r in 0..R {
                    let weight = s.splat(scaled[r][token % LANES]);
                    for v in 0..V {
                        sums[r][v] = s.fma(weight, values[v], sums[r][v]);
                    }
                }
            }
            key = end;
        }
        for (r, sums) in sums.iter().enumerate() {
            let out = &mut out[r * dim..][..V * LANES];
            for (out, sum) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
                s.store(*sum, out);
            }
        }
    }
}
