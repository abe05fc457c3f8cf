//! Keys and values of the tokens so far, in half precision.
//!
//! Keys lie in tiles of 16 tokens, `[tile][dimension][token]`, so that one vector holds the same dimension of 16
//! keys; values lie `[token][dimension]`. Both turn attention into sums without steps across lanes.

use half::slice::HalfFloatSliceExt;

use super::context::Cpu;
use super::simd::LANES;
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// One key-value head of one layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Head {
    pub(crate) keys: Vec<[u16; LANES]>,
    pub(crate) values: Vec<[u16; LANES]>,
}

/// Keys and values of one layer.
#[derive(Debug, Clone)]
pub struct KvLayer {
    heads: Vec<Head>,
    head_dim: usize,
    len: usize,
}

impl KvLayer {
    /// An empty layer.
    ///
    /// # Errors
    /// There is no head, or `head_dim` is no positive multiple of 16.
    pub fn new(n_kv_heads: usize, head_dim: usize) -> Result<Self, KernelError> {
        check_multiple("kv cache", "head size", head_dim, LANES)?;
        check_multiple("kv cache", "heads", n_kv_heads, 1)?;
        Ok(Self { heads: vec![Head::default(); n_kv_heads], head_dim, len: 0 })
    }

    /// Tokens held.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no token.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Key-value heads.
    pub fn n_kv_heads(&self) -> usize {
        self.heads.len()
    }

    /// Values per head.
    pub fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Bytes reserved.
    pub fn bytes(&self) -> usize {
        self.heads.iter().map(|h| (h.keys.capacity() + h.values.capacity()) * 2 * LANES).sum()
    }

    /// Forgets all tokens from `len` on; the memory is kept.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends tokens: `k` and `v` are (n, n_kv_heads × head_dim).
    ///
    /// # Errors
    /// `k` is no whole number of tokens, or `v` has another length.
    pub fn append(&mut self, cpu: &Cpu, k: &[f32], v: &[f32]) -> Result<(), KernelError> {
        let (n_heads, dim) = (self.heads.len(), self.head_dim);
        let width = n_heads * dim;
        let n = k.len() / width;
        check_len("kv cache", "keys", k.len(), &[n, n_heads, dim])?;
        check_len("kv cache", "values", v.len(), &[n, n_heads, dim])?;
        let first = self.len;
        let grain = if n * width < 4_096 { n_heads } else { 1 };
        cpu.pool().chunks(&mut self.heads, 1, grain, |h, head| {
            let Some(head) = head.first_mut() else { return };
            head.keys.resize((first + n).div_ceil(LANES) * dim, [0; LANES]);
            head.values.resize((first + n) * dim / LANES, [0; LANES]);
            let mut halves = vec![half::f16::ZERO; dim];
            for i in 0..n {
                let (token, at) = (first + i, i * width + h * dim);
                halves.convert_from_f32_slice(&k[at..at + dim]);
                let tile = &mut head.keys[token / LANES * dim..][..dim];
                tile.iter_mut().zip(&halves).for_each(|(lanes, x)| lanes[token % LANES] = x.to_bits());
                halves.convert_from_f32_slice(&v[at..at + dim]);
                let row = head.values[token * dim / LANES..][..dim / LANES].as_flattened_mut();
                row.iter_mut().zip(&halves).for_each(|(out, x)| *out = x.to_bits());
            }
        });
        self.len += n;
        Ok(())
    }

    pub(crate) fn head(&self, i: usize) -> &Head {
        &self.heads[i]
    }
}

/// Keys and values of all layers.
#[derive(Debug, Clone)]
pub struct KvCache {
    layers: Vec<KvLayer>,
}

impl KvCache {
    /// Empty layers. Memory grows with the tokens: 4 × n_kv_heads × head_dim bytes for each token and layer.
    ///
    /// # Errors
    /// As [`KvLayer::new`].
    pub fn new(n_layers: usize, n_kv_heads: usize, head_dim: usize) -> Result<Self, KernelError> {
        Ok(Self { layers: vec![KvLayer::new(n_kv_heads, head_dim)?; n_layers] })
    }

    /// Tokens that every layer holds.
    pub fn len(&self) -> usize {
        self.layers.iter().map(KvLayer::len).min().unwrap_or(0)
    }

    /// Whether no token is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all tokens from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.layers.iter_mut().for_each(|l| l.truncate(len));
    }

    /// Bytes reserved.
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(KvLayer::bytes).sum()
    }

    /// A layer to append to and to attend over.
    pub fn layer_mut(&mut self, i: usize) -> Option<&mut KvLayer> {
        self.layers.get_mut(i)
    }
}
