//! One page of keys and values, in half precision or in blocks of bytes.

use half::slice::HalfFloatSliceExt;

use super::cache::{KvKind, KvShape, PAGE_TOKENS};
use super::simd::{LANES, Simd};

/// Tiles of 16 tokens in a page.
pub(crate) const PAGE_TILES: usize = PAGE_TOKENS / LANES;

/// Dimensions that share a scale.
pub(crate) const BLOCK: usize = 32;

/// Keys and values of [`PAGE_TOKENS`] tokens, all layers and heads.
#[derive(Debug, Clone)]
pub(crate) enum Page {
    Half {
        keys: Vec<[u16; LANES]>,
        values: Vec<[u16; LANES]>,
    },
    Eight {
        keys: Vec<[u8; LANES]>,
        key_scales: Vec<[u16; LANES]>,
        values: Vec<[u8; LANES]>,
        value_scales: Vec<[u16; LANES]>,
    },
}

/// A head of a page.
#[derive(Clone, Copy)]
pub(crate) enum Head<'a> {
    Half(HalfHead<'a>),
    Eight(EightHead<'a>),
}

#[derive(Clone, Copy)]
pub(crate) struct HalfHead<'a> {
    keys: &'a [[u16; LANES]],
    values: &'a [[u16; LANES]],
    dim: usize,
}

#[derive(Clone, Copy)]
pub(crate) struct EightHead<'a> {
    keys: &'a [[u8; LANES]],
    key_scales: &'a [[u16; LANES]],
    values: &'a [[u8; LANES]],
    value_scales: &'a [[u16; LANES]],
    dim: usize,
}

/// Reads what is stored, before scales.
pub(crate) trait Stored: Copy {
    /// Whether 32 dimensions of a key, and of a value, share a scale.
    const SCALED: bool;
    /// Dimension `d` of the 16 keys of a tile.
    fn key<S: Simd>(&self, s: S, tile: usize, d: usize) -> S::F;
    /// The scales of block `b` of the 16 keys of a tile.
    fn key_scales<S: Simd>(&self, s: S, tile: usize, b: usize) -> S::F;
    /// Sixteen dimensions of a token's value.
    fn value<S: Simd>(&self, s: S, token: usize, vector: usize) -> S::F;
    /// The scales of block `b` of the 16 values of a tile.
    fn value_scales<S: Simd>(&self, s: S, tile: usize, b: usize) -> S::F;
}

impl Stored for HalfHead<'_> {
    const SCALED: bool = false;
    #[inline(always)]
    fn key<S: Simd>(&self, s: S, tile: usize, d: usize) -> S::F {
        s.load_half(&self.keys[tile * self.dim + d])
    }
    #[inline(always)]
    fn key_scales<S: Simd>(&self, s: S, _: usize, _: usize) -> S::F {
        s.splat(1.0)
    }
    #[inline(always)]
    fn value<S: Simd>(&self, s: S, token: usize, vector: usize) -> S::F {
        s.load_half(&self.values[token * (self.dim / LANES) + vector])
    }
    #[inline(always)]
    fn value_scales<S: Simd>(&self, s: S, _: usize, _: usize) -> S::F {
        s.splat(1.0)
    }
}

impl Stored for EightHead<'_> {
    const SCALED: bool = true;
    #[inline(always)]
    fn key<S: Simd>(&self, s: S, tile: usize, d: usize) -> S::F {
        s.to_f(s.load_i8(&self.keys[tile * self.dim + d]))
    }
    #[inline(always)]
    fn key_scales<S: Simd>(&self, s: S, tile: usize, b: usize) -> S::F {
        s.load_half(&self.key_scales[tile * (self.dim / BLOCK) + b])
    }
    #[inline(always)]
    fn value<S: Simd>(&self, s: S, token: usize, vector: usize) -> S::F {
        s.to_f(s.load_i8(&self.values[token * (self.dim / LANES) + vector]))
    }
    #[inline(always)]
    fn value_scales<S: Simd>(&self, s: S, tile: usize, b: usize) -> S::F {
        s.load_half(&self.value_scales[tile * (self.dim / BLOCK) + b])
    }
}

/// The cache's kind says which variant there is; the other one has no tokens.
impl<'a> From<Head<'a>> for HalfHead<'a> {
    fn from(head: Head<'a>) -> Self {
        match head {
            Head::Half(head) => head,
            Head::Eight(head) => HalfHead { keys: &[], values: &[], dim: head.dim },
        }
    }
}

impl<'a> From<Head<'a>> for EightHead<'a> {
    fn from(head: Head<'a>) -> Self {
        match head {
            Head::Eight(head) => head,
            Head::Half(head) => {
                EightHead { keys: &[], key_scales: &[], values: &[], value_scales: &[], dim: head.dim }
            }
        }
    }
}

impl Page {
    pub(crate) fn new(shape: &KvShape) -> Self {
        let vectors = shape.n_layers * shape.n_kv_heads * shape.head_dim * PAGE_TILES;
        match shape.kind {
            KvKind::F16 => Self::Half { keys: vec![[0; LANES]; vectors], values: vec![[0; LANES]; vectors] },
            KvKind::Q8_0 => Self::Eight {
                keys: vec![[0; LANES]; vectors],
                key_scales: vec![[0; LANES]; vectors / BLOCK],
                values: vec![[0; LANES]; vectors],
                value_scales: vec![[0; LANES]; vectors / BLOCK],
            },
        }
    }

    /// Head `h` of a layer.
    pub(crate) fn head(&self, shape: &KvShape, layer: usize, h: usize) -> Head<'_> {
        let dim = shape.head_dim;
        let n = dim * PAGE_TILES;
        let index = layer * shape.n_kv_heads + h;
        let span = index * n..(index + 1) * n;
        match self {
            Self::Half { keys, values } => {
                Head::Half(HalfHead { keys: &keys[span.clone()], values: &values[span], dim })
            }
            Self::Eight { keys, key_scales, values, value_scales } => {
                let blocks = index * n / BLOCK..(index + 1) * n / BLOCK;
                Head::Eight(EightHead {
                    keys: &keys[span.clone()],
                    key_scales: &key_scales[blocks.clone()],
                    values: &values[span],
                    value_scales: &value_scales[blocks],
                    dim,
                })
            }
        }
    }

    /// Writes whole tokens from place `at` on: `k` and `v` are (n, n_kv_heads × head_dim).
    pub(crate) fn write(&mut self, shape: &KvShape, layer: usize, at: usize, k: &[f32], v: &[f32]) {
        let (n_heads, dim) = (shape.n_kv_heads, shape.head_dim);
        let rows = k.chunks_exact(dim).zip(v.chunks_exact(dim));
        let mut halves = vec![half::f16::ZERO; dim];
        for (i, (k, v)) in rows.enumerate() {
            let (token, index) = (at + i / n_heads, layer * n_heads + i % n_heads);
            // The tile of the keys and the row of the value.
            let tile = (index * PAGE_TILES + token / LANES) * dim;
            let row = (index * PAGE_TOKENS + token) * dim / LANES;
            let lane = token % LANES;
            match self {
                Self::Half { keys, values } => {
                    halves.convert_from_f32_slice(k);
                    let keys = &mut keys[tile..][..dim];
                    keys.iter_mut().zip(&halves).for_each(|(lanes, x)| lanes[lane] = x.to_bits());
                    halves.convert_from_f32_slice(v);
                    let out = values[row..][..dim / LANES].as_flattened_mut();
                    out.iter_mut().zip(&halves).for_each(|(out, x)| *out = x.to_bits());
                }
                Self::Eight { keys, key_scales, values, value_scales } => {
                    let values = values[row..][..dim / LANES].as_flattened_mut();
                    for (b, (k, v)) in k.chunks_exact(BLOCK).zip(v.chunks_exact(BLOCK)).enumerate() {
                        let scale = quantise(k, |d, code| keys[tile + b * BLOCK + d][lane] = code);
                        key_scales[tile / BLOCK + b][lane] = scale;
                        let out = &mut values[b * BLOCK..][..BLOCK];
                        value_scales[tile / BLOCK + b][lane] = quantise(v, |d, code| out[d] = code);
                    }
                }
            }
        }
    }
}

/// Gives `set` the codes of a block, as bytes of signed numbers, and returns the bits of their scale.
fn quantise(block: &[f32], mut set: impl FnMut(usize, u8)) -> u16 {
    let top = block.iter().fold(0.0f32, |m, v| if v.abs() > m { v.abs() } else { m });
    let scale = half::f16::from_f32(top / 127.0);
    let inverse = if scale.to_f32() > 0.0 { 1.0 / scale.to_f32() } else { 0.0 };
    for (d, v) in block.iter().enumerate() {
        // The scale may have been rounded down: the code is kept in its range.
        let code = (v * inverse).round_ties_even().clamp(-127.0, 127.0);
        set(d, (code as i8).cast_unsigned());
    }
    scale.to_bits()
}
