//! Attention of query rows over the keys and values of a layer.
//!
//! The keys of a sequence are cut at multiples of [`CHUNK_KEYS`]. A chunk gives a row its largest score, the sum of
//! its weights and the weighted sum of its values; chunks are then put together in their order. Within a chunk each
//! row is its own fixed sequence: scores in the order of the dimensions, weighted values in the order of the keys. A
//! masked key has weight 0 and adds exactly nothing. So neither the rows that are worked on together, nor the
//! threads, nor how the tokens came to be there decide about a single bit.

use std::cell::RefCell;
use std::ops::Range;

use super::cache::{KvShape, PAGE_TOKENS, Span, check_spans};
use super::chunk::{CHUNK_KEYS, Chunk, Partial, join};
use super::context::Cpu;
use super::pool::Shares;
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
    pub(crate) fn keys(self, position: usize, len: usize) -> Range<usize> {
        match self {
            Self::Causal => 0..position + 1,
            Self::Window(n) => (position + 1).saturating_sub(n)..position + 1,
            Self::Full => 0..len,
        }
    }
}

/// What the rows of one call have in common.
#[derive(Debug, Clone, Copy)]
pub struct Heads {
    /// Layer of the caches.
    pub layer: usize,
    /// Query heads: a multiple of the caches' heads.
    pub n_heads: usize,
    /// Factor on the scores.
    pub scale: f32,
    /// Which keys a query sees.
    pub mask: Attention,
}

/// Attention of `q` (n, n_heads × head_dim), the rows of the spans one after the other, into `out` of the same shape.
///
/// # Errors
/// A shape does not fit, the query heads are no multiple of the caches' heads, a span has more rows than its cache
/// has tokens, or a window is 0.
pub fn attention(
    cpu: &Cpu,
    heads: Heads,
    spans: &[Span<'_>],
    q: &[f32],
    out: &mut [f32],
) -> Result<(), KernelError> {
    const OP: &str = "attention";
    let Some(shape) = spans.first().map(|s| *s.cache.shape()) else { return Ok(()) };
    check_spans(OP, heads.layer, spans)?;
    check_multiple(OP, "query heads", heads.n_heads, shape.n_kv_heads)?;
    let n = spans.iter().map(|s| s.n).sum();
    check_len(OP, "queries", q.len(), &[n, heads.n_heads, shape.head_dim])?;
    check_len(OP, "output", out.len(), &[n, heads.n_heads, shape.head_dim])?;
    if heads.mask == Attention::Window(0) {
        return Err(KernelError::Argument { op: OP, what: "a window of 0 keys".into() });
    }
    let all = Rows { heads, shape, group: heads.n_heads / shape.n_kv_heads, q };
    let tasks = all.tasks(spans, cpu.threads());
    let out = Shares::new(out);
    let chunks: usize = tasks.iter().map(|t| t.chunks.len()).sum();
    if tasks.len() < cpu.threads() * 2 && chunks > tasks.len() {
        all.by_chunks(cpu, spans, &tasks, &out);
    } else {
        all.by_rows(cpu, spans, &tasks, &out);
    }
    Ok(())
}

/// Rows of one key-value head that are worked on together.
#[derive(Debug)]
pub(crate) struct Task {
    span: usize,
    pub(crate) kv_head: usize,
    /// First row of the span in `q` and `out`.
    pub(crate) start: usize,
    /// Row = query × group + head within the group.
    pub(crate) rows: Range<usize>,
    /// Position of the span's first query.
    pub(crate) first: usize,
    /// Keys of the sequence.
    pub(crate) len: usize,
    /// Chunks in which any of the rows sees a key.
    chunks: Range<usize>,
}

/// The queries and how they are laid out.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) heads: Heads,
    pub(crate) shape: KvShape,
    /// Query heads per key-value head.
    pub(crate) group: usize,
    pub(crate) q: &'a [f32],
}

/// Rows of a task where there are many: their chunk of keys and values stays in the second-level cache.
const MANY: usize = 32;
/// Rows of a task where there are few.
const FEW: usize = 8;

thread_local! {
    static SCRATCH: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

impl Rows<'_> {
    /// The rows in tasks; later ones of a long sequence have more keys and go first, so that no long task comes last.
    fn tasks(&self, spans: &[Span<'_>], threads: usize) -> Vec<Task> {
        let total: usize = spans.iter().map(|s| s.n).sum::<usize>() * self.heads.n_heads;
        let size = if total >= MANY * threads * 4 { MANY } else { FEW };
        let mut tasks = Vec::new();
        let mut start = 0;
        for (index, span) in spans.iter().enumerate() {
            let rows = span.n * self.group;
            for tile in (0..rows.div_ceil(size)).rev() {
                for kv_head in 0..self.shape.n_kv_heads {
                    let rows = tile * size..rows.min((tile + 1) * size);
                    let (first, len) = (span.first(), span.cache.len());
                    let mut task = Task { span: index, kv_head, start, rows, first, len, chunks: 0..0 };
                    let seen = self.seen(&task, task.rows.clone());
                    task.chunks = seen.start / CHUNK_KEYS..seen.end.div_ceil(CHUNK_KEYS);
                    tasks.push(task);
                }
            }
            start += span.n;
        }
        tasks
    }

    /// Keys that a row of the task sees.
    pub(crate) fn keys(&self, task: &Task, row: usize) -> Range<usize> {
        self.heads.mask.keys(task.first + row / self.group, task.len)
    }

    /// From the first to the last key that any of the rows sees.
    pub(crate) fn seen(&self, task: &Task, rows: Range<usize>) -> Range<usize> {
        let keys = || rows.clone().map(|r| self.keys(task, r));
        keys().map(|k| k.start).min().unwrap_or(0)..keys().map(|k| k.end).max().unwrap_or(0)
    }

    /// Where a row's head starts in `q` and `out`.
    pub(crate) fn place(&self, task: &Task, row: usize) -> usize {
        let head = task.kv_head * self.group + row % self.group;
        ((task.start + row / self.group) * self.heads.n_heads + head) * self.shape.head_dim
    }

    fn chunk<'b>(&'b self, spans: &'b [Span<'_>], task: &'b Task, index: usize) -> Option<Chunk<'b>> {
        let pages = spans.get(task.span)?.cache.pages();
        let first = index * (CHUNK_KEYS / PAGE_TOKENS);
        let pages = pages.get(first..pages.len().min(first + CHUNK_KEYS / PAGE_TOKENS))?;
        Some(Chunk { all: self, task, pages, first_key: index * CHUNK_KEYS })
    }

    /// Every task works through its chunks.
    fn by_rows(&self, cpu: &Cpu, spans: &[Span<'_>], tasks: &[Task], out: &Shares<'_, f32>) {
        cpu.pool().run(tasks.len(), &|i| {
            let Some(task) = tasks.get(i) else { return };
            let (rows, dim) = (task.rows.len(), self.shape.head_dim);
            let n = Partial::size(rows, dim);
            SCRATCH.with_borrow_mut(|scratch| {
                scratch.clear();
                scratch.resize(2 * n, 0.0);
                let (state, part) = scratch.split_at_mut(n);
                let mut state = Partial::new(state, rows, dim);
                for index in task.chunks.clone() {
                    if let Some(chunk) = self.chunk(spans, task, index) {
                        let mut part = Partial::new(part, rows, dim);
                        cpu.run(chunk.into_kernel(&mut part));
                        cpu.run(join(&mut state, &part));
                    }
                }
                self.write(task, &state, out);
            });
        });
    }

    /// Chunks are spread over the threads, and put together afterwards: for few rows over many keys.
    fn by_chunks(&self, cpu: &Cpu, spans: &[Span<'_>], tasks: &[Task], out: &Shares<'_, f32>) {
        let jobs: Vec<(&Task, usize)> =
            tasks.iter().flat_map(|t| t.chunks.clone().map(move |chunk| (t, chunk))).collect();
        let dim = self.shape.head_dim;
        let n = Partial::size(tasks.iter().map(|t| t.rows.len()).max().unwrap_or(0), dim);
        let mut partials = vec![0.0f32; jobs.len() * n];
        cpu.pool().chunks(&mut partials, n, 1, |i, part| {
            let Some((task, index)) = jobs.get(i) else { return };
            if let Some(chunk) = self.chunk(spans, task, *index) {
                cpu.run(chunk.into_kernel(&mut Partial::new(part, task.rows.len(), dim)));
            }
        });
        let mut parts = partials.chunks_exact_mut(n);
        let mut state = vec![0.0f32; n];
        for task in tasks {
            let mut state = Partial::new(&mut state, task.rows.len(), dim);
            for part in parts.by_ref().take(task.chunks.len()) {
                cpu.run(join(&mut state, &Partial::filled(part, task.rows.len(), dim)));
            }
            self.write(task, &state, out);
        }
    }

    fn write(&self, task: &Task, state: &Partial<'_>, out: &Shares<'_, f32>) {
        for (i, row) in task.rows.clone().enumerate() {
            // SAFETY: a row and head belong to one task, and each task is written once.
            let out = unsafe { out.part(self.place(task, row), self.shape.head_dim) };
            state.finish(i, out);
        }
    }
}
