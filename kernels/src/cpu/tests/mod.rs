//! One suite for every instruction set of this machine: right against double precision, and equal to the scalar
//! variant bit for bit.

mod attention;
mod blocks;
mod functions;
mod matmul;

use super::{BlockKind, Cpu, Level};

/// A fixed sequence of numbers.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    /// Uniform in -1 to 1.
    fn unit(&mut self) -> f32 {
        self.bits() as f32 / (1u32 << 30) as f32 - 1.0
    }

    fn floats(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.unit()).collect()
    }

    /// Blocks with random codes and scales that keep the weights near -1 to 1.
    fn tensor(&mut self, kind: BlockKind, n_weights: usize) -> Vec<u8> {
        let half = |x: f32| half::f16::from_f32(x).to_bits().to_le_bytes();
        let mut out = Vec::new();
        for _ in 0..n_weights / kind.len() {
            let mut b: Vec<u8> = (0..kind.bytes()).map(|_| self.bits() as u8).collect();
            match kind {
                BlockKind::F32 => b.copy_from_slice(&self.unit().to_le_bytes()),
                BlockKind::F16 => b.copy_from_slice(&half(self.unit())),
                BlockKind::BF16 => b.copy_from_slice(&self.unit().to_le_bytes()[2..]),
                BlockKind::Q4_0 | BlockKind::Q5_0 | BlockKind::Q8_0 => {
                    b[..2].copy_from_slice(&half(self.unit() / 32.0));
                }
                BlockKind::Q4_1 | BlockKind::Q5_1 => {
                    b[..2].copy_from_slice(&half(self.unit() / 32.0));
                    b[2..4].copy_from_slice(&half(self.unit()));
                }
                BlockKind::Q4K | BlockKind::Q5K => {
                    b[..2].copy_from_slice(&half(self.unit() / 1024.0));
                    b[2..4].copy_from_slice(&half(self.unit() / 64.0));
                }
                BlockKind::Q6K => b[208..].copy_from_slice(&half(self.unit() / 4096.0)),
            }
            out.extend(b);
        }
        out
    }
}

/// Every available instruction set with one and with three threads.
fn cpus() -> Vec<Cpu> {
    let levels = Level::ALL.into_iter().filter(|l| l.is_available());
    levels.flat_map(|l| [1, 3].map(|threads| Cpu::with_level(threads, l).unwrap())).collect()
}

fn scalar() -> Cpu {
    Cpu::with_level(1, Level::Scalar).unwrap()
}

fn bits(x: &[f32]) -> Vec<u32> {
    x.iter().map(|v| v.to_bits()).collect()
}

/// Asserts that two rows have the same bits, naming the first difference.
#[track_caller]
fn same(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    if let Some(i) = (0..found.len()).find(|&i| found[i].to_bits() != expected[i].to_bits()) {
        panic!("{what}: value {i} is {} instead of {}", found[i], expected[i]);
    }
}

/// Asserts that values lie within `tolerance` of their references.
#[track_caller]
fn near(found: &[f32], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (&f, &e)) in found.iter().zip(expected).enumerate() {
        assert!((f64::from(f) - e).abs() <= tolerance, "{what}: value {i} is {f} instead of {e}");
    }
}

#[test]
fn the_best_level_is_the_last_available_one() {
    assert!(Level::Scalar.is_available());
    assert!(Level::ALL.iter().all(|&l| !l.is_available() || l <= Level::best()));
    assert_eq!(Cpu::new(1).level(), Level::best());
    #[cfg(target_arch = "aarch64")]
    assert_eq!(Level::best(), Level::Neon);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        assert!(Level::best() >= Level::Avx2, "the scalar variant would be chosen");
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512bw") {
        assert_eq!(Level::best(), Level::Avx512Vnni, "a slower variant than the processor's would be chosen");
    }
}
