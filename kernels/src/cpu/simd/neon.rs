//! NEON, which every 64-bit ARM processor has: four registers hold the 16 lanes.

use std::arch::aarch64::*;

use super::{Kernel, LANES, Line, Simd, half_to_f32};

/// Proof that the processor has NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// The proof, where the processor has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

/// Wraps an expression of register-only intrinsics.
macro_rules! registers {
    ($e:expr) => {
        // SAFETY: `self` proves that the processor has the instructions, and they touch registers only.
        unsafe { $e }
    };
}

/// Wraps a load or store of 16 bytes through a pointer into an array.
macro_rules! memory {
    ($e:expr) => {
        // SAFETY: `self` proves that the processor has the instructions; the pointer is at most 48 bytes into a
        // reference to an array of at least 16 bytes more, and these loads and stores need no alignment.
        unsafe { $e }
    };
}

/// `f` of the four registers.
#[inline(always)]
fn each<T: Copy, U>(a: [T; 4], f: impl Fn(T) -> U) -> [U; 4] {
    [f(a[0]), f(a[1]), f(a[2]), f(a[3])]
}

/// `f` of two times four registers.
#[inline(always)]
fn both<T: Copy, U: Copy, V>(a: [T; 4], b: [U; 4], f: impl Fn(T, U) -> V) -> [V; 4] {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

/// A kernel compiled with the features that a [`Neon`] proves.
#[inline(never)]
#[target_feature(enable = "neon")]
pub(crate) fn compiled<K: Kernel>(s: Neon, kernel: K) -> K::Output {
    kernel.run(s)
}

impl Neon {
    #[inline(always)]
    fn lanes(self, x: [int32x4_t; 4]) -> [i32; LANES] {
        let mut out = [0i32; LANES];
        let p = out.as_mut_ptr();
        for (i, v) in x.into_iter().enumerate() {
            memory!(vst1q_s32(p.add(4 * i), v));
        }
        out
    }

    #[inline(always)]
    fn widen(self, x: int16x8_t) -> [int32x4_t; 2] {
        registers!([vmovl_s16(vget_low_s16(x)), vmovl_high_s16(x)])
    }

    /// The sums of four products in each lane, of signed bytes.
    #[inline(always)]
    fn products(self, acc: int32x4_t, weights: int8x16_t, quad: i32) -> int32x4_t {
        registers!({
            let activation = vreinterpretq_s8_s32(vdupq_n_s32(quad));
            let low = vpaddlq_s16(vmull_s8(vget_low_s8(weights), vget_low_s8(activation)));
            let high = vpaddlq_s16(vmull_high_s8(weights, activation));
            vaddq_s32(acc, vpaddq_s32(low, high))
        })
    }
}

impl Simd for Neon {
    type F = [float32x4_t; 4];
    type I = [int32x4_t; 4];
    type B = [uint8x16_t; 4];
    const TILE: usize = 4;
    const FULL_IS_SIGNED: bool = true;

    fn apart<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the processor has the features of `compiled`.
        unsafe { compiled(self, kernel) }
    }
    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        registers!([vdupq_n_f32(x); 4])
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> Self::F {
        let p = x.as_ptr();
        memory!([vld1q_f32(p), vld1q_f32(p.add(4)), vld1q_f32(p.add(8)), vld1q_f32(p.add(12))])
    }
    #[inline(always)]
    fn store(self, x: Self::F, out: &mut [f32; LANES]) {
        let p = out.as_mut_ptr();
        for (i, v) in x.into_iter().enumerate() {
            memory!(vst1q_f32(p.add(4 * i), v));
        }
    }
    #[inline(always)]
    fn load_half(self, x: &[u16; LANES]) -> Self::F {
        self.load(&x.map(half_to_f32))
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> Self::F {
        self.load(&x.map(|v| f32::from_bits(u32::from(v) << 16)))
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        both(a, b, |a, b| registers!(vaddq_f32(a, b)))
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        both(a, b, |a, b| registers!(vsubq_f32(a, b)))
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        both(a, b, |a, b| registers!(vmulq_f32(a, b)))
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        both(a, b, |a, b| registers!(vdivq_f32(a, b)))
    }
    #[inline(always)]
    fn fma(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        let at = |i: usize| registers!(vfmaq_f32(c[i], a[i], b[i]));
        [at(0), at(1), at(2), at(3)]
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        both(a, b, |a, b| registers!(vbslq_f32(vcgtq_f32(a, b), a, b)))
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        both(a, b, |a, b| registers!(vbslq_f32(vcltq_f32(a, b), a, b)))
    }
    #[inline(always)]
    fn keep_from(self, x: Self::F, limit: Self::F, value: Self::F) -> Self::F {
        let kept = both(x, limit, |x, limit| registers!(vcgeq_f32(x, limit)));
        both(kept, value, |kept, value| {
            registers!(vreinterpretq_f32_u32(vandq_u32(kept, vreinterpretq_u32_f32(value))))
        })
    }
    #[inline(always)]
    fn scale_pow2(self, value: Self::F, magic: Self::F) -> Self::F {
        both(value, magic, |value, magic| {
            registers!({
                let exponent = vshlq_n_s32::<23>(vreinterpretq_s32_f32(magic));
                vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(value), exponent))
            })
        })
    }
    #[inline(always)]
    fn splat_i(self, x: i32) -> Self::I {
        registers!([vdupq_n_s32(x); 4])
    }
    #[inline(always)]
    fn add_i(self, a: Self::I, b: Self::I) -> Self::I {
        both(a, b, |a, b| registers!(vaddq_s32(a, b)))
    }
    #[inline(always)]
    fn mul_i(self, a: Self::I, b: Self::I) -> Self::I {
        both(a, b, |a, b| registers!(vmulq_s32(a, b)))
    }
    #[inline(always)]
    fn times_256(self, x: Self::I) -> Self::I {
        each(x, |v| registers!(vshlq_n_s32::<8>(v)))
    }
    #[inline(always)]
    fn to_f(self, x: Self::I) -> Self::F {
        each(x, |v| registers!(vcvtq_f32_s32(v)))
    }
    #[inline(always)]
    fn round(self, x: Self::F) -> Self::I {
        each(x, |v| registers!(vcvtnq_s32_f32(v)))
    }
    #[inline(always)]
    fn sub_i(self, a: Self::I, b: Self::I) -> Self::I {
        both(a, b, |a, b| registers!(vsubq_s32(a, b)))
    }
    #[inline(always)]
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I {
        both(a, b, |a, b| registers!(vmaxq_s32(a, b)))
    }
    #[inline(always)]
    fn over_256(self, x: Self::I) -> Self::I {
        each(x, |v| registers!(vshrq_n_s32::<8>(v)))
    }
    #[inline(always)]
    fn bytes(self, x: Self::I) -> [u8; LANES] {
        self.lanes(x).map(|v| v as u8)
    }
    #[inline(always)]
    fn sum_i(self, x: Self::I) -> i32 {
        registers!(vaddvq_s32(vaddq_s32(vaddq_s32(x[0], x[1]), vaddq_s32(x[2], x[3]))))
    }
    #[inline(always)]
    fn load_u8(self, x: &[u8; LANES]) -> Self::I {
        let v = memory!(vld1q_u8(x.as_ptr()));
        let low = self.widen(registers!(vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)))));
        let high = self.widen(registers!(vreinterpretq_s16_u16(vmovl_high_u8(v))));
        [low[0], low[1], high[0], high[1]]
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> Self::I {
        let v = memory!(vreinterpretq_s8_u8(vld1q_u8(x.as_ptr())));
        let low = self.widen(registers!(vmovl_s8(vget_low_s8(v))));
        let high = self.widen(registers!(vmovl_high_s8(v)));
        [low[0], low[1], high[0], high[1]]
    }
    #[inline(always)]
    fn load_line(self, x: &Line) -> Self::B {
        let p = x.0.as_ptr();
        memory!([vld1q_u8(p), vld1q_u8(p.add(16)), vld1q_u8(p.add(32)), vld1q_u8(p.add(48))])
    }
    #[inline(always)]
    fn low(self, x: Self::B) -> Self::B {
        each(x, |v| registers!(vandq_u8(v, vdupq_n_u8(15))))
    }
    #[inline(always)]
    fn high(self, x: Self::B) -> Self::B {
        each(x, |v| registers!(vshrq_n_u8::<4>(v)))
    }
    #[inline(always)]
    fn with_high<const BY: i32>(self, low: Self::B, high: Self::B, mask: i8) -> Self::B {
        both(low, high, |low, high| {
            // A negative count shifts to the right.
            registers!({
                let moved = vshlq_u8(high, vdupq_n_s8(BY as i8));
                vorrq_u8(low, vandq_u8(moved, vreinterpretq_u8_s8(vdupq_n_s8(mask))))
            })
        })
    }
    #[inline(always)]
    fn dot(self, acc: Self::I, weights: Self::B, quad: i32) -> Self::I {
        // Weights of at most 63 are the same as signed bytes.
        both(acc, weights, |acc, w| self.products(acc, registers!(vreinterpretq_s8_u8(w)), quad))
    }
    #[inline(always)]
    fn dot_full(self, acc: Self::I, weights: Self::B, quad: i32) -> Self::I {
        both(acc, weights, |acc, w| {
            let signed = registers!(vreinterpretq_s8_u8(veorq_u8(w, vdupq_n_u8(128))));
            self.products(acc, signed, quad)
        })
    }
}
