use crate::cpu::{Attention, Cpu, KvCache, KvLayer, attention};

use super::{Random, cpus, near, same, scalar};

struct Case {
    n_heads: usize,
    n_kv: usize,
    dim: usize,
    n: usize,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
}

impl Case {
    fn new(n_heads: usize, n_kv: usize, dim: usize, n: usize) -> Self {
        let mut random = Random(n as u64 + 100 * dim as u64);
        let q = random.floats(n * n_heads * dim);
        Self { n_heads, n_kv, dim, n, q, k: random.floats(n * n_kv * dim), v: random.floats(n * n_kv * dim) }
    }

    /// Runs tokens in chunks of the given sizes.
    fn run(&self, cpu: &Cpu, mask: Attention, chunks: &[usize]) -> Vec<f32> {
        let mut layer = KvLayer::new(self.n_kv, self.dim).unwrap();
        let mut out = vec![0.0; self.q.len()];
        let (wide, narrow) = (self.n_heads * self.dim, self.n_kv * self.dim);
        let mut at = 0;
        for &n in chunks {
            let (k, v) = (&self.k[at * narrow..][..n * narrow], &self.v[at * narrow..][..n * narrow]);
            layer.append(cpu, k, v).unwrap();
            let q = &self.q[at * wide..][..n * wide];
            attention(cpu, &layer, q, self.n_heads, 0.3, mask, &mut out[at * wide..][..n * wide]).unwrap();
            at += n;
        }
        assert_eq!(at, self.n);
        out
    }

    /// The definition, in double precision over keys and values rounded to half precision.
    fn reference(&self, mask: Attention) -> Vec<f64> {
        let half = |x: f32| f64::from(half::f16::from_f32(x).to_f32());
        let mut out = Vec::new();
        for i in 0..self.n {
            for h in 0..self.n_heads {
                let kv = h / (self.n_heads / self.n_kv);
                let sees = |j: &usize| match mask {
                    Attention::Causal => *j <= i,
                    Attention::Window(w) => *j <= i && i - *j < w,
                    Attention::Full => true,
                };
                let keys: Vec<usize> = (0..self.n).filter(sees).collect();
                let at = |j: usize, d: usize| (j * self.n_kv + kv) * self.dim + d;
                let q = |d: usize| f64::from(self.q[(i * self.n_heads + h) * self.dim + d]);
                let score =
                    |j: &usize| 0.3 * (0..self.dim).map(|d| q(d) * half(self.k[at(*j, d)])).sum::<f64>();
                let weights: Vec<f64> = keys.iter().map(|j| score(j).exp()).collect();
                let sum: f64 = weights.iter().sum();
                for d in 0..self.dim {
                    let terms = keys.iter().zip(&weights).map(|(&j, w)| w / sum * half(self.v[at(j, d)]));
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
        [(9, 3, 64, 50), (4, 1, 256, 21), (3, 3, 32, 33), (2, 1, 80, 17), (1, 1, 16, 1)]
    {
        let case = Case::new(n_heads, n_kv, dim, n);
        for mask in MASKS {
            // Weights sum to 1 and values are below 1, so errors are those of the scores: 256 terms of 2^-24.
            near(&case.run(&scalar(), mask, &[n]), &case.reference(mask), 5e-6, &format!("{mask:?} {dim}"));
        }
    }
}

#[test]
fn same_bits_on_every_instruction_set_and_split() {
    for (n_heads, n_kv, dim) in [(9, 3, 64), (4, 1, 256), (5, 5, 48)] {
        let case = Case::new(n_heads, n_kv, dim, 70);
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

#[test]
fn truncating_forgets() {
    let cpu = Cpu::new(2);
    let case = Case::new(4, 2, 32, 40);
    let expected = case.run(&cpu, Attention::Causal, &[40]);
    let mut cache = KvCache::new(2, 2, 32).unwrap();
    let layer = cache.layer_mut(1).unwrap();
    layer.append(&cpu, &case.k, &case.v).unwrap();
    layer.truncate(21);
    let noise = Random(9).floats(7 * 64);
    layer.append(&cpu, &noise, &noise).unwrap();
    layer.truncate(21);
    layer.append(&cpu, &case.k[21 * 64..], &case.v[21 * 64..]).unwrap();
    let mut out = vec![0.0; 19 * 128];
    attention(&cpu, layer, &case.q[21 * 128..], 4, 0.3, Attention::Causal, &mut out).unwrap();
    same(&out, &expected[21 * 128..], "after truncation");
    assert!(cache.bytes() >= 40 * 2 * 2 * 32 * 2);
    assert_eq!(cache.len(), 0, "the other layer is empty");
}

#[test]
fn shapes_are_checked() {
    let cpu = scalar();
    assert!(KvLayer::new(0, 64).is_err());
    assert!(KvLayer::new(2, 40).is_err());
    let mut layer = KvLayer::new(2, 16).unwrap();
    assert!(layer.append(&cpu, &[0.0; 33], &[0.0; 33]).is_err());
    assert!(layer.append(&cpu, &[0.0; 32], &[0.0; 64]).is_err());
    layer.append(&cpu, &[0.0; 32], &[0.0; 32]).unwrap();
    let mut out = vec![0.0; 128];
    let call = |n_heads, n: usize, mask, out: &mut [f32]| {
        attention(&cpu, &layer, &vec![0.0; n], n_heads, 1.0, mask, out)
    };
    assert!(call(3, 48, Attention::Causal, &mut out[..48]).is_err(), "3 heads over 2");
    assert!(call(4, 64, Attention::Causal, &mut out[..48]).is_err(), "short output");
    assert!(call(4, 128, Attention::Causal, &mut out).is_err(), "more queries than keys");
    assert!(call(4, 64, Attention::Window(0), &mut out[..64]).is_err(), "empty window");
    assert!(call(4, 64, Attention::Causal, &mut out[..64]).is_ok());
}
