//! Sixteen lanes of arithmetic, in several instruction sets.
//!
//! A kernel is written once over [`Simd`] and compiled for each set. The methods are IEEE operations, rounded where
//! they say so, so all sets give the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

pub(crate) use scalar::{Scalar, half_to_f32};

#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
#[cfg(target_arch = "x86_64")]
pub(crate) use {avx2::Avx2, avx512::Avx512};

/// Lanes of every vector.
pub(crate) const LANES: usize = 16;

/// One cache line of packed weights: 16 lanes of four bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [u8; 64]);

/// Vector operations over 16 lanes. A value of an implementing type proves that the processor has the
/// instructions, so the methods are safe.
pub(crate) trait Simd: Copy + Send + Sync {
    /// 16 × f32.
    type F: Copy;
    /// 16 × i32.
    type I: Copy;
    /// 16 × four bytes.
    type B: Copy;
    /// How many activation rows a matrix product keeps in registers at once.
    const TILE: usize;
    /// Whether [`Simd::dot_full`] already subtracts the offset 128 from its weights.
    const FULL_IS_SIGNED: bool;

    /// Runs a kernel that is compiled by itself, so that its values have the registers to themselves.
    fn apart<K: Kernel>(self, kernel: K) -> K::Output;

    fn splat(self, x: f32) -> Self::F;
    fn load(self, x: &[f32; LANES]) -> Self::F;
    fn store(self, x: Self::F, out: &mut [f32; LANES]);
    /// Widens IEEE half-precision numbers.
    fn load_half(self, x: &[u16; LANES]) -> Self::F;
    /// Widens bfloat16 numbers.
    fn load_bf16(self, x: &[u16; LANES]) -> Self::F;
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a × b + c`, rounded once.
    fn fma(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `a > b ? a : b`; `b` where either is not a number.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a < b ? a : b`; `b` where either is not a number.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `value` where `x >= limit`, else 0.
    fn keep_from(self, x: Self::F, limit: Self::F, value: Self::F) -> Self::F;
    /// `value` × 2^n, where `magic` is n + 1.5 × 2^23 and the result is a normal number.
    fn scale_pow2(self, value: Self::F, magic: Self::F) -> Self::F;

    fn splat_i(self, x: i32) -> Self::I;
    fn add_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// Low 32 bits of the product.
    fn mul_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// Times 256.
    fn times_256(self, x: Self::I) -> Self::I;
    fn to_f(self, x: Self::I) -> Self::F;
    /// The nearest integer, ties to even, of a number below 2^22.
    fn round(self, x: Self::F) -> Self::I;
    fn sub_i(self, a: Self::I, b: Self::I) -> Self::I;
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// Divided by 256, towards minus infinity.
    fn over_256(self, x: Self::I) -> Self::I;
    /// The low byte of each lane.
    fn bytes(self, x: Self::I) -> [u8; LANES];
    fn sum_i(self, x: Self::I) -> i32;
    fn load_u8(self, x: &[u8; LANES]) -> Self::I;
    /// The bytes are read as signed.
    fn load_i8(self, x: &[u8; LANES]) -> Self::I;

    fn load_line(self, x: &Line) -> Self::B;
    /// Asks for the memory that lies `bytes` after `x` to be brought near. Any address will do.
    #[inline(always)]
    fn prefetch<T>(self, _x: &T, _bytes: usize) {}
    /// The low four bits of each byte.
    fn low(self, x: Self::B) -> Self::B;
    /// The high four bits of each byte.
    fn high(self, x: Self::B) -> Self::B;
    /// `low` with the bits of `mask` taken from `high`, whose bytes are first shifted by `BY` towards the top, or to
    /// the bottom where `BY` is negative.
    fn with_high<const BY: i32>(self, low: Self::B, high: Self::B, mask: i8) -> Self::B;
    /// Adds to each lane the sum of four unsigned weights (at most 63) times four signed activations, which
    /// are the bytes of `quad`.
    fn dot(self, acc: Self::I, weights: Self::B, quad: i32) -> Self::I;
    /// As [`Simd::dot`] for weights up to 255; 128 is subtracted from each weight where
    /// [`Simd::FULL_IS_SIGNED`]. Activations are at least -127.
    fn dot_full(self, acc: Self::I, weights: Self::B, quad: i32) -> Self::I;

    /// e^x, relative error below 2e-7; 0 below -87.
    #[inline(always)]
    fn exp(self, x: Self::F) -> Self::F {
        const MAGIC: f32 = 12_582_912.0; // 1.5 × 2^23: adding it rounds to an integer
        let bounded = self.min(self.splat(88.0), self.max(self.splat(-87.0), x));
        let magic = self.add(self.mul(bounded, self.splat(std::f32::consts::LOG2_E)), self.splat(MAGIC));
        let n = self.sub(magic, self.splat(MAGIC));
        // ln 2 in two parts, the first with few bits, so that n × part is exact.
        let r = self.sub(bounded, self.mul(n, self.splat(0.693_359_4)));
        let r = self.sub(r, self.mul(n, self.splat(-2.121_944_4e-4)));
        // Taylor coefficients 1/k!: the remainder is below 1e-8 for |r| < 0.35.
        let mut p = self.splat(1.0 / 5040.0);
        for c in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
            p = self.add(self.mul(p, r), self.splat(c));
        }
        self.keep_from(x, self.splat(-87.0), self.scale_pow2(p, magic))
    }

    /// The sum of the lanes, as a fixed tree.
    #[inline(always)]
    fn sum(self, x: Self::F) -> f32 {
        let mut lanes = [0.0; LANES];
        self.store(x, &mut lanes);
        let mut width = LANES / 2;
        while width > 0 {
            for i in 0..width {
                lanes[i] += lanes[i + width];
            }
            width /= 2;
        }
        lanes[0]
    }

    /// The largest lane.
    #[inline(always)]
    fn top(self, x: Self::F) -> f32 {
        let mut lanes = [0.0; LANES];
        self.store(x, &mut lanes);
        lanes.iter().fold(f32::NEG_INFINITY, |m, &v| if v > m { v } else { m })
    }
}

/// A computation that is compiled once per instruction set. Implement `run` with `#[inline(always)]`.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self, s: S) -> Self::Output;
}

/// The first 16 values of `x`; missing ones are `fill`.
#[inline(always)]
pub(crate) fn padded(x: &[f32], fill: f32) -> [f32; LANES] {
    let mut out = [fill; LANES];
    for (o, v) in out.iter_mut().zip(x) {
        *o = *v;
    }
    out
}
