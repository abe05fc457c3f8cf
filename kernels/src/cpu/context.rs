//! Which instructions, how many threads.

use super::pool::Pool;
#[cfg(target_arch = "aarch64")]
use super::simd::Neon;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{Kernel, Scalar, Simd};
use crate::KernelError;

/// The instruction sets with kernels of their own, slowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor has.
    Scalar,
    /// NEON, of 64-bit ARM.
    Neon,
    /// AVX2, FMA and F16C.
    Avx2,
    /// AVX2 with AVX-VNNI's 8-bit products.
    AvxVnni,
    /// AVX-512 F, BW, VL and VNNI.
    Avx512Vnni,
}

impl Level {
    /// Every level, slowest first.
    pub const ALL: [Self; 5] = [Self::Scalar, Self::Neon, Self::Avx2, Self::AvxVnni, Self::Avx512Vnni];

    /// The name that reports show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Neon => "NEON",
            Self::Avx2 => "AVX2",
            Self::AvxVnni => "AVX-VNNI",
            Self::Avx512Vnni => "AVX-512 VNNI",
        }
    }

    /// Whether this processor can run it.
    pub fn is_available(self) -> bool {
        Proof::of(self).is_some()
    }

    /// The fastest level of this processor.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|l| l.is_available()).unwrap_or(Self::Scalar)
    }
}

/// A level together with the evidence that it is there.
#[derive(Debug, Clone, Copy)]
enum Proof {
    Scalar(Scalar),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2<false>),
    #[cfg(target_arch = "x86_64")]
    AvxVnni(Avx2<true>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Proof {
    fn of(level: Level) -> Option<Self> {
        match level {
            Level::Scalar => Some(Self::Scalar(Scalar)),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            Level::AvxVnni => Avx2::detect().map(Self::AvxVnni),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512Vnni => Avx512::detect().map(Self::Avx512),
            #[cfg(target_arch = "aarch64")]
            Level::Neon => Neon::detect().map(Self::Neon),
            _ => None,
        }
    }
}

/// Threads and an instruction set. Cheap to share, safe to use from several threads at once: when two
/// operations meet, one gets the helper threads and the other runs on its caller's thread alone.
#[derive(Debug)]
pub struct Cpu {
    pool: Pool,
    proof: Proof,
    level: Level,
}

impl Cpu {
    /// `threads` threads (the caller's included, at least 1) and the fastest instructions there are.
    pub fn new(threads: usize) -> Self {
        let level = Level::best();
        let proof = Proof::of(level).unwrap_or(Proof::Scalar(Scalar));
        Self { pool: Pool::new(threads), proof, level }
    }

    /// As [`Cpu::new`] with a chosen instruction set.
    ///
    /// # Errors
    /// [`KernelError::Level`] where the processor lacks it.
    pub fn with_level(threads: usize, level: Level) -> Result<Self, KernelError> {
        let proof = Proof::of(level).ok_or(KernelError::Level(level.name()))?;
        Ok(Self { pool: Pool::new(threads), proof, level })
    }

    /// The instruction set in use.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Threads, the caller's included.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Runs a kernel in the chosen instruction set, on this thread.
    #[inline]
    pub(crate) fn run<K: Kernel>(&self, kernel: K) -> K::Output {
        match self.proof {
            Proof::Scalar(s) => kernel.run(s),
            #[cfg(target_arch = "aarch64")]
            Proof::Neon(s) => s.apart(kernel),
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2(s) => s.apart(kernel),
            #[cfg(target_arch = "x86_64")]
            Proof::AvxVnni(s) => s.apart(kernel),
            #[cfg(target_arch = "x86_64")]
            Proof::Avx512(s) => s.apart(kernel),
        }
    }
}
