use crate::cpu::{Attention, Cpu, Heads, KvCache, KvKind, KvShape, PAGE_TOKENS, Span, attention, store};

use super::{Random, cpus, near, same, scalar};

/// One sequence of random queries, keys and values.
struct Case {
    n_heads: usize,
    shape: KvShape,
    n: usize,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
}

fn shape(n_kv_heads: usize, head_dim: usize, kind: KvKind) -> KvShape {
    KvShape { n_layers: 2, n_kv_heads, head_dim, kind }
}

impl Case {
    fn new(n_heads: usize, n_kv: usize, dim: usize, n: usize, kind: KvKind) -> Self {
        let mut random = Random::new(n as u64 + 100 * dim as u64);
        let q = random.floats(n * n_heads * dim);
        let (k, v) = (random.floats(n * n_kv * dim), random.floats(n * n_kv * dim));
        Self { n_heads, shape: shape(n_kv, dim, kind), n, q, k, v }
    }

    fn heads(&self, mask: Attention) -> Heads {
        Heads { layer: 1, n_heads: self.n_heads, scale: 0.3, mask }
    }

    /// Row widths of queries, and of keys and values.
    fn widths(&self) -> (usize, usize) {
        (self.n_heads * self.shape.head_dim, self.shape.n_kv_heads * self.shape.head_dim)
    }

    /// Computes the next `n` tokens after those of the cache.
    fn step(&self, cpu: &Cpu, mask: Attention, cache: &mut KvCache, n: usize) -> Vec<f32> {
        let at = cache.len();
        let (wide, narrow) = self.widths();
        cache.grow(n);
        let mut spans = [Span { cache, n }];
        let rows = at * narrow..(at + n) * narrow;
        store(cpu, 1, &mut spans, &self.k[rows.clone()], &self.v[rows]).unwrap();
        let mut out = vec![0.0; n * wide];
        attention(cpu, self.heads(mask), &spans, &self.q[at * wide..][..n * wide], &mut out).unwrap();
        out
    }

    /// Runs all tokens in chunks of the given sizes.
    fn run(&self, cpu: &Cpu, mask: Attention, chunks: &[usize]) -> Vec<f32> {
        let mut cache = KvCache::new(self.shape).unwrap();
        assert_eq!(chunks.iter().sum::<usize>(), self.n);
        chunks.iter().flat_map(|&n| self.step(cpu, mask, &mut cache, n)).collect()
    }

    /// A key or value as it is stored, in double precision.
    fn stored(&self, x: &[f32]) -> Vec<f64> {
        let half = |x: f32| f64::from(half::f16::from_f32(x).to_f32());
        match self.shape.kind {
            KvKind::F16 => x.iter().map(|&x| half(x)).collect(),
            KvKind::Q8_0 => {
                let block = |block: &[f32]| {
                    let scale = half(block.iter().fold(0.0f32, |m, v| m.max(v.abs())) / 127.0);
                    let code = |v: f32| (f64::from(v) / scale).round().clamp(-127.0, 127.0);
                    block.iter().map(|&v| code(v) * scale).collect::<Vec<f64>>()
                };
                x.chunks(32).flat_map(block).collect()
            }
        }
    }

    /// The definition, in double precision.
    fn reference(&self, mask: Attention) -> Vec<f64> {
        let (k, v) = (self.stored(&self.k), self.stored(&self.v));
        let KvShape { n_kv_heads, head_dim: dim, .. } = self.shape;
        let mut out = Vec::new();
        for i in 0..self.n {
            for h in 0..self.n_heads {
                let kv = h / (self.n_heads / n_kv_heads);
                let sees = |j: &usize| match mask {
                    Attention::Causal => *j <= i,
                    Attention::Window(w) => *j <= i && i - *j < w,
                    Attention::Full => true,
                };
                let keys: Vec<usize> = (0..self.n).filter(sees).collect();
                let at = |j: usize, d: usize| (j * n_kv_heads + kv) * dim + d;
                let q = |d: usize| f64::from(self.q[(i * self.n_heads + h) * dim + d]);
                let score = |j: &usize| 0.3 * (0..dim).map(|d| q(d) * k[at(*j, d)]).sum::<f64>();
                let weights: Vec<f64> = keys.iter().map(|j| score(j).exp()).collect();
                let sum: f64 = weights.iter().sum();
                for d in 0..dim {
                    let terms = keys.iter().zip(&weights).map(|(&j, w)| w / sum * v[at(j, d)]);
                    out.push(terms.sum::<f64>());
                }
            }
        }
        out
    }
}

const MASKS: [Attention; 4] =
    [Attention::Causal, Attention::Window(1), Attention::Window(19), Attention::Full];

#[test]
fn equals_its_definition() {
    for (n_heads, n_kv, dim, n) in
        [(9, 3, 64, 50), (4, 1, 256, 21), (3, 3, 32, 133), (2, 1, 80, 17), (1, 1, 16, 1)]
    {
        for kind in [KvKind::F16, KvKind::Q8_0] {
            if kind == KvKind::Q8_0 && dim % 32 != 0 {
                continue;
            }
            let case = Case::new(n_heads, n_kv, dim, n, kind);
            for mask in MASKS {
                // Weights sum to 1 and values are below 1, so errors are those of the scores: 256 terms of 2^-24.
                // A code of a byte may round the other way where a value lies between two: 1 in 254 of one value.
                let found = case.run(&scalar(), mask, &[n]);
                let tolerance = if kind == KvKind::F16 { 5e-6 } else { 5e-4 };
                near(&found, &case.reference(mask), tolerance, &format!("{mask:?} {dim} {kind:?}"));
            }
        }
    }
}

#[test]
fn longer_than_a_chunk_equals_its_definition() {
    let case = Case::new(2, 1, 32, 1100, KvKind::F16);
    let cpu = Cpu::new(2);
    for mask in [Attention::Causal, Attention::Window(600)] {
        near(&case.run(&cpu, mask, &[1100]), &case.reference(mask), 5e-6, &format!("{mask:?}"));
    }
}

#[test]
fn same_bits_on_every_instruction_set_and_split() {
    for (n_heads, n_kv, dim, kind) in
        [(9, 3, 64, KvKind::F16), (4, 1, 256, KvKind::F16), (5, 5, 48, KvKind::F16), (4, 2, 64, KvKind::Q8_0)]
    {
        let case = Case::new(n_heads, n_kv, dim, 70, kind);
        for mask in MASKS {
            let expected = case.run(&scalar(), mask, &[70]);
            for cpu in cpus() {
                same(&case.run(&cpu, mask, &[70]), &expected, &format!("{mask:?} {cpu:?}"));
                if mask != Attention::Full {
                    let split = case.run(&cpu, mask, &[33, 1, 1, 16, 2, 17]);
                    same(&split, &expected, &format!("{mask:?} {cpu:?} split"));
                }
            }
        }
    }
}

/// A few rows over many keys are spread over threads by chunks of keys, many rows by rows.
#[test]
fn same_bits_over_many_keys() {
    for kind in [KvKind::F16, KvKind::Q8_0] {
        let case = Case::new(3, 1, 32, 1300, kind);
        for mask in [Attention::Causal, Attention::Window(700)] {
            let expected = case.run(&Cpu::new(1), mask, &[1300]);
            let mut split = vec![1200];
            split.extend([1; 60]);
            split.extend([7, 33]);
            for threads in [1, 2, 5] {
                let found = case.run(&Cpu::new(threads), mask, &split);
                same(&found, &expected, &format!("{mask:?} {kind:?} {threads}"));
            }
        }
    }
}

#[test]
fn sequences_that_are_computed_together_do_not_meet() {
    let cases: Vec<Case> = [5, 90, 1, 600].into_iter().map(|n| Case::new(6, 2, 32, n, KvKind::F16)).collect();
    for cpu in cpus() {
        let alone: Vec<f32> = cases.iter().flat_map(|c| c.run(&cpu, Attention::Causal, &[c.n])).collect();
        let mut caches: Vec<KvCache> = cases.iter().map(|c| KvCache::new(c.shape).unwrap()).collect();
        caches.iter_mut().zip(&cases).for_each(|(cache, case)| cache.grow(case.n));
        let mut spans: Vec<Span<'_>> =
            caches.iter_mut().zip(&cases).map(|(cache, case)| Span { cache, n: case.n }).collect();
        let all = |part: fn(&Case) -> &Vec<f32>| cases.iter().flat_map(part).copied().collect::<Vec<f32>>();
        store(&cpu, 1, &mut spans, &all(|c| &c.k), &all(|c| &c.v)).unwrap();
        let mut out = vec![0.0; alone.len()];
        attention(&cpu, cases[0].heads(Attention::Causal), &spans, &all(|c| &c.q), &mut out).unwrap();
        same(&out, &alone, &format!("{cpu:?}"));
    }
}

#[test]
fn a_prefix_shares_its_pages_until_one_is_written_to() {
    let cpu = Cpu::new(2);
    let case = Case::new(4, 2, 32, 3 * PAGE_TOKENS, KvKind::F16);
    let expected = case.run(&cpu, Attention::Causal, &[case.n]);
    let mut first = KvCache::new(case.shape).unwrap();
    let cut = PAGE_TOKENS + 21;
    case.step(&cpu, Attention::Causal, &mut first, cut);
    let mut second = first.prefix(cut);
    assert!(first.page_addresses().eq(second.page_addresses()));
    // The first goes another way: noise instead of what comes next.
    first.grow(7);
    let noise = Random::new(9).floats(7 * 64);
    store(&cpu, 1, &mut [Span { cache: &mut first, n: 7 }], &noise, &noise).unwrap();
    let shared = first.page_addresses().zip(second.page_addresses()).filter(|(a, b)| a == b).count();
    assert_eq!(shared, 1, "the whole page is shared, the begun one is not");
    let rest = case.step(&cpu, Attention::Causal, &mut second, case.n - cut);
    same(&rest, &expected[cut * 128..], "after the copy");
    first.truncate(cut);
    let rest = case.step(&cpu, Attention::Causal, &mut first, case.n - cut);
    same(&rest, &expected[cut * 128..], "after truncation");
    assert_eq!(first.bytes(), 3 * case.shape.page_bytes());
    // Two layers of two heads, keys and values of 32 halves: 512 bytes a token and layer.
    assert_eq!(case.shape.page_bytes(), 2 * 256 * PAGE_TOKENS);
    first.truncate(PAGE_TOKENS);
    assert_eq!(first.bytes(), case.shape.page_bytes());
}

#[test]
fn a_page_that_was_shared_too_late_is_not_written_to() {
    let mut cache = KvCache::new(shape(1, 16, KvKind::F16)).unwrap();
    cache.grow(3);
    let _other = cache.prefix(2);
    let mut spans = [Span { cache: &mut cache, n: 3 }];
    assert!(store(&scalar(), 0, &mut spans, &[1.0; 48], &[1.0; 48]).is_err());
}

#[test]
fn shapes_are_checked() {
    let cpu = scalar();
    for (n_kv, dim, kind) in [(0, 64, KvKind::F16), (2, 40, KvKind::F16), (2, 48, KvKind::Q8_0)] {
        assert!(KvCache::new(shape(n_kv, dim, kind)).is_err(), "{n_kv} {dim} {kind:?}");
    }
    let mut cache = KvCache::new(shape(2, 16, KvKind::F16)).unwrap();
    cache.grow(1);
    let mut spans = [Span { cache: &mut cache, n: 1 }];
    assert!(store(&cpu, 1, &mut spans, &[0.0; 33], &[0.0; 33]).is_err());
    assert!(store(&cpu, 1, &mut spans, &[0.0; 32], &[0.0; 64]).is_err());
    assert!(store(&cpu, 2, &mut spans, &[0.0; 32], &[0.0; 32]).is_err(), "no third layer");
    store(&cpu, 1, &mut spans, &[0.0; 32], &[0.0; 32]).unwrap();
    let call = |n: usize, n_heads, rows: usize, mask, out: usize, cache: &mut KvCache| {
        let heads = Heads { layer: 1, n_heads, scale: 1.0, mask };
        attention(&cpu, heads, &[Span { cache, n }], &vec![0.0; rows], &mut vec![0.0; out])
    };
    assert!(call(1, 3, 48, Attention::Causal, 48, &mut cache).is_err(), "3 heads over 2");
    assert!(call(1, 4, 64, Attention::Causal, 48, &mut cache).is_err(), "short output");
    assert!(call(2, 4, 128, Attention::Causal, 128, &mut cache).is_err(), "more queries than keys");
    assert!(call(1, 4, 64, Attention::Window(0), 64, &mut cache).is_err(), "empty window");
    assert!(call(1, 4, 64, Attention::Causal, 64, &mut cache).is_ok());
}
