//! Keys and values of the tokens so far, in pages that several sequences may share.
//!
//! A page holds [`PAGE_TOKENS`] tokens of all layers and heads. Keys lie in tiles of 16 tokens,
//! `[tile][dimension][token]`, so that one vector holds the same dimension of 16 keys; values lie
//! `[token][dimension]`. Both turn attention into sums without steps across lanes.

use std::sync::Arc;

use super::context::Cpu;
use super::pages::Page;
use super::simd::LANES;
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// Tokens of a page.
pub const PAGE_TOKENS: usize = 64;

/// How keys and values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KvKind {
    /// Half precision, 2 bytes a value.
    #[default]
    F16,
    /// Blocks of 32 signed bytes with a scale in half precision, 1.0625 bytes a value.
    Q8_0,
}

/// The sizes of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KvShape {
    /// Layers that attend.
    pub n_layers: usize,
    /// Key-value heads of a layer.
    pub n_kv_heads: usize,
    /// Values of a key, and of a value, of one head.
    pub head_dim: usize,
    /// How they are stored.
    pub kind: KvKind,
}

impl KvShape {
    /// # Errors
    /// There is no layer or head, or `head_dim` is no positive multiple of 16 (of 32 for [`KvKind::Q8_0`]).
    pub fn check(&self) -> Result<(), KernelError> {
        let multiple = if self.kind == KvKind::Q8_0 { 2 * LANES } else { LANES };
        check_multiple("kv cache", "head size", self.head_dim, multiple)?;
        check_multiple("kv cache", "heads", self.n_kv_heads, 1)?;
        check_multiple("kv cache", "layers", self.n_layers, 1)
    }

    /// Bytes of one page.
    pub fn page_bytes(&self) -> usize {
        let values = 2 * self.n_layers * self.n_kv_heads * self.head_dim * PAGE_TOKENS;
        match self.kind {
            KvKind::F16 => values * 2,
            KvKind::Q8_0 => values + values / 32 * 2,
        }
    }

    /// Bytes of the pages that hold `tokens` tokens.
    pub fn bytes(&self, tokens: usize) -> usize {
        tokens.div_ceil(PAGE_TOKENS) * self.page_bytes()
    }
}

/// Keys and values of one sequence of tokens. A copy shares the pages; a page that is shared is copied before it is
/// written to.
#[derive(Debug, Clone)]
pub struct KvCache {
    shape: KvShape,
    pages: Vec<Arc<Page>>,
    len: usize,
}

impl KvCache {
    /// A cache without tokens. Memory grows by pages.
    ///
    /// # Errors
    /// As [`KvShape::check`].
    pub fn new(shape: KvShape) -> Result<Self, KernelError> {
        shape.check()?;
        Ok(Self { shape, pages: Vec::new(), len: 0 })
    }

    /// Its sizes.
    pub fn shape(&self) -> &KvShape {
        &self.shape
    }

    /// Tokens held.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no token is held.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all tokens from `len` on, with the pages that are then empty.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.pages.truncate(self.len.div_ceil(PAGE_TOKENS));
    }

    /// Forgets all tokens and keeps the memory, for a next sequence.
    pub fn reuse(&mut self) {
        self.len = 0;
    }

    /// The first `len` tokens (or all, where there are fewer), in the same memory.
    pub fn prefix(&self, len: usize) -> Self {
        let len = len.min(self.len);
        Self { shape: self.shape, pages: self.pages[..len.div_ceil(PAGE_TOKENS)].to_vec(), len }
    }

    /// Bytes of its pages, those that others share included.
    pub fn bytes(&self) -> usize {
        self.pages.len() * self.shape.page_bytes()
    }

    /// For each page, where it lies: equal addresses are one page, counted once in a budget.
    pub fn page_addresses(&self) -> impl Iterator<Item = usize> {
        self.pages.iter().map(|page| Arc::as_ptr(page).addr())
    }

    /// Makes room for `n` more tokens, which count as held; [`store`] fills them in, layer by layer.
    pub fn grow(&mut self, n: usize) {
        let first_page = self.len / PAGE_TOKENS;
        self.len += n;
        let n_pages = self.len.div_ceil(PAGE_TOKENS);
        if let (true, Some(page)) = (n > 0, self.pages.get_mut(first_page)) {
            Arc::make_mut(page);
        }
        while self.pages.len() < n_pages {
            self.pages.push(Arc::new(Page::new(&self.shape)));
        }
    }

    pub(crate) fn pages(&self) -> &[Arc<Page>] {
        &self.pages
    }
}

/// A sequence's part in a computation: its last `n` tokens are the ones being computed.
#[derive(Debug)]
pub struct Span<'a> {
    /// The sequence, grown by `n` already.
    pub cache: &'a mut KvCache,
    /// Rows that belong to it.
    pub n: usize,
}

impl Span<'_> {
    /// Position of the first of its rows.
    pub fn first(&self) -> usize {
        self.cache.len() - self.n
    }
}

/// Some tokens of one page.
struct Piece<'a> {
    page: &'a mut Page,
    /// Place of the first token in the page.
    at: usize,
    n: usize,
    /// Row of the first token in keys and values.
    row: usize,
}

/// Stores keys and values of a layer: `k` and `v` are (n, n_kv_heads × head_dim), the rows of the spans one after
/// the other.
///
/// # Errors
/// A length does not fit, a span has more rows than its cache has tokens, there is no such layer, or a page was
/// shared between [`KvCache::grow`] and now.
pub fn store(
    cpu: &Cpu,
    layer: usize,
    spans: &mut [Span<'_>],
    k: &[f32],
    v: &[f32],
) -> Result<(), KernelError> {
    const OP: &str = "kv cache";
    let Some(shape) = spans.first().map(|s| *s.cache.shape()) else { return Ok(()) };
    check_spans(OP, layer, spans)?;
    let n = spans.iter().map(|s| s.n).sum();
    check_len(OP, "keys", k.len(), &[n, shape.n_kv_heads, shape.head_dim])?;
    check_len(OP, "values", v.len(), &[n, shape.n_kv_heads, shape.head_dim])?;
    let mut pieces = Vec::new();
    let mut row = 0;
    for span in spans {
        let (mut token, end) = (span.first(), span.cache.len());
        for (index, page) in span.cache.pages.iter_mut().enumerate().skip(token / PAGE_TOKENS) {
            let n = end.min((index + 1) * PAGE_TOKENS) - token;
            // `grow` made every page from the first new token on this sequence's own; who shared one since then
            // would see other tokens in it.
            let Some(page) = Arc::get_mut(page) else {
                let what = format!("page {index} is shared by another sequence");
                return Err(KernelError::Argument { op: OP, what });
            };
            pieces.push(Piece { page, at: token % PAGE_TOKENS, n, row });
            row += n;
            token += n;
        }
    }
    let width = shape.n_kv_heads * shape.head_dim;
    let grain = 4_096 / (PAGE_TOKENS.min(n.max(1)) * width) + 1;
    cpu.pool().chunks(&mut pieces, 1, grain, |_, piece| {
        for p in piece {
            let rows = p.row * width..(p.row + p.n) * width;
            p.page.write(&shape, layer, p.at, &k[rows.clone()], &v[rows]);
        }
    });
    Ok(())
}

/// Every span has its rows, the layer exists, and all caches are alike.
pub(crate) fn check_spans(op: &'static str, layer: usize, spans: &[Span<'_>]) -> Result<(), KernelError> {
    let Some(shape) = spans.first().map(|s| *s.cache.shape()) else { return Ok(()) };
    for span in spans {
        if span.n > span.cache.len() || *span.cache.shape() != shape || layer >= shape.n_layers {
            let (n, len) = (span.n, span.cache.len());
            let what = format!("{n} rows of a sequence of {len} tokens, layer {layer} of {shape:?}");
            return Err(KernelError::Argument { op, what });
        }
    }
    Ok(())
}
