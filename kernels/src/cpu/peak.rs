//! What this processor could do at best, for comparison with what the kernels reach.

use std::time::Instant;

use super::context::Cpu;
use super::simd::{Kernel, LANES, Line, Simd};

/// Integer multiply-and-add operations per second of all threads (a product and a sum count as two), from registers
/// alone: what a quantised matrix product could reach if nothing had to be loaded, scaled or stored.
pub fn integer_peak(cpu: &Cpu) -> f64 {
    const ROUNDS: usize = 2_000_000;
    let best = (0..3).map(|_| {
        let start = Instant::now();
        let sums: Vec<std::sync::atomic::AtomicI32> = (0..cpu.threads()).map(|_| 0.into()).collect();
        cpu.pool().run(cpu.threads(), &|i| {
            let sum = cpu.run(Dots { rounds: ROUNDS });
            if let Some(place) = sums.get(i) {
                place.store(sum, std::sync::atomic::Ordering::Relaxed);
            }
        });
        std::hint::black_box(sums);
        start.elapsed().as_secs_f64()
    });
    let seconds = best.fold(f64::INFINITY, f64::min);
    (cpu.threads() * ROUNDS * CHAINS * LANES * 4 * 2) as f64 / seconds
}

/// Independent sums: more than a pipeline has stages.
const CHAINS: usize = 12;

struct Dots {
    rounds: usize,
}

impl Kernel for Dots {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let line = s.load_line(std::hint::black_box(&Line([3; 64])));
        let quad = std::hint::black_box(0x0101_0101);
        let mut sums = [s.splat_i(0); CHAINS];
        for _ in 0..self.rounds {
            for sum in &mut sums {
                *sum = s.dot(*sum, line, quad);
            }
        }
        let mut total = s.splat_i(0);
        for sum in sums {
            total = s.add_i(total, sum);
        }
        s.sum(s.to_f(total)) as i32
    }
}

/// Bytes per second that all threads read together from `bytes` bytes of memory: far more than the caches hold, as
/// the weights of a model are read for each token.
pub fn read_bandwidth(cpu: &Cpu, bytes: usize) -> f64 {
    let n = (bytes / 64).max(cpu.threads());
    let memory = vec![Line([1; 64]); n];
    let part = n.div_ceil(cpu.threads() * 8);
    let best = (0..5).map(|_| {
        let start = Instant::now();
        let sums: Vec<std::sync::atomic::AtomicI32> = (0..n.div_ceil(part)).map(|_| 0.into()).collect();
        cpu.pool().run(sums.len(), &|i| {
            let lines = &memory[i * part..n.min((i + 1) * part)];
            if let Some(place) = sums.get(i) {
                place.store(cpu.run(Read { lines }), std::sync::atomic::Ordering::Relaxed);
            }
        });
        std::hint::black_box(sums);
        start.elapsed().as_secs_f64()
    });
    (n * 64) as f64 / best.fold(f64::INFINITY, f64::min)
}

struct Read<'a> {
    lines: &'a [Line],
}

impl Kernel for Read<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let mut sums = [s.splat_i(0); 4];
        for lines in self.lines.as_chunks::<4>().0 {
            for (sum, line) in sums.iter_mut().zip(lines) {
                *sum = s.dot(*sum, s.load_line(line), 0x0101_0101);
            }
        }
        let total = s.add_i(s.add_i(sums[0], sums[1]), s.add_i(sums[2], sums[3]));
        s.sum(s.to_f(total)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Level;

    #[test]
    fn every_thread_counts_its_sums() {
        for level in Level::ALL.into_iter().filter(|l| l.is_available()) {
            let cpu = Cpu::with_level(1, level).unwrap();
            // 3 × 1 over four bytes and 16 lanes, in all chains, 10 times.
            assert_eq!(cpu.run(Dots { rounds: 10 }), 3 * 4 * 16 * 10 * CHAINS as i32);
            // 8 lines of 64 ones.
            assert_eq!(cpu.run(Read { lines: &[Line([1; 64]); 8] }), 8 * 64);
        }
    }
}
