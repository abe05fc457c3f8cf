//! One suite for every instruction set of this machine: right against double precision, and equal to the scalar
//! variant bit for bit.

mod attention;
mod blocks;
mod functions;
mod matmul;

use super::{Cpu, Level, Random};

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
