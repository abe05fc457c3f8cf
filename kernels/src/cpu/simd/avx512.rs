//! AVX-512 with VNNI: one register holds the 16 lanes.

use std::arch::x86_64::*;

use super::{Kernel, LANES, Line, Simd};

/// Proof that the processor has AVX-512 F, BW, VL and VNNI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The proof, where the processor has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("f16c");
        has.then_some(Self(()))
    }
}

/// Wraps an expression of register-only intrinsics.
macro_rules! registers {
    ($e:expr) => {
        // SAFETY: `self` proves that the processor has the instructions, and they touch registers only.
        unsafe { $e }
    };
}

/// Wraps a load or store through a reference to an array of exactly the vector's size.
macro_rules! memory {
    ($e:expr) => {
        // SAFETY: `self` proves that the processor has the instructions; the pointer comes from a reference to
        // an array of exactly as many bytes as are moved, and the unaligned form is used.
        unsafe { $e }
    };
}

/// A kernel compiled with the features that a [`Avx512`] proves.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,avx2,fma,f16c")]
pub(crate) fn compiled<K: Kernel>(s: Avx512, kernel: K) -> K::Output {
    kernel.run(s)
}

impl Simd for Avx512 {
    type F = __m512;
    type I = __m512i;
    type B = __m512i;
    const TILE: usize = 8;
    const FULL_IS_SIGNED: bool = false;

    fn apart<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the processor has the features of `compiled`.
        unsafe { compiled(self, kernel) }
    }
    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        registers!(_mm512_set1_ps(x))
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> __m512 {
        memory!(_mm512_loadu_ps(x.as_ptr()))
    }
    #[inline(always)]
    fn store(self, x: __m512, out: &mut [f32; LANES]) {
        memory!(_mm512_storeu_ps(out.as_mut_ptr(), x))
    }
    #[inline(always)]
    fn load_half(self, x: &[u16; LANES]) -> __m512 {
        memory!(_mm512_cvtph_ps(_mm256_loadu_si256(x.as_ptr().cast())))
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> __m512 {
        let wide = memory!(_mm512_cvtepu16_epi32(_mm256_loadu_si256(x.as_ptr().cast())));
        registers!(_mm512_castsi512_ps(_mm512_slli_epi32::<16>(wide)))
    }
    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        registers!(_mm512_add_ps(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        registers!(_mm512_sub_ps(a, b))
    }
    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        registers!(_mm512_mul_ps(a, b))
    }
    #[inline(always)]
    fn div(self, a: __m512, b: __m512) -> __m512 {
        registers!(_mm512_div_ps(a, b))
    }
    #[inline(always)]
    fn fma(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        registers!(_mm512_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        registers!(_mm512_max_ps(a, b))
    }
    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        registers!(_mm512_min_ps(a, b))
    }
    #[inline(always)]
    fn keep_from(self, x: __m512, limit: __m512, value: __m512) -> __m512 {
        registers!(_mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(x, limit), value))
    }
    #[inline(always)]
    fn scale_pow2(self, value: __m512, magic: __m512) -> __m512 {
        registers!({
            let exponent = _mm512_slli_epi32::<23>(_mm512_castps_si512(magic));
            _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(value), exponent))
        })
    }
    #[inline(always)]
    fn splat_i(self, x: i32) -> __m512i {
        registers!(_mm512_set1_epi32(x))
    }
    #[inline(always)]
    fn add_i(self, a: __m512i, b: __m512i) -> __m512i {
        registers!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn mul_i(self, a: __m512i, b: __m512i) -> __m512i {
        registers!(_mm512_mullo_epi32(a, b))
    }
    #[inline(always)]
    fn times_256(self, x: __m512i) -> __m512i {
        registers!(_mm512_slli_epi32::<8>(x))
    }
    #[inline(always)]
    fn to_f(self, x: __m512i) -> __m512 {
        registers!(_mm512_cvtepi32_ps(x))
    }
    #[inline(always)]
    fn round(self, x: __m512) -> __m512i {
        registers!(_mm512_cvtps_epi32(x))
    }
    #[inline(always)]
    fn sub_i(self, a: __m512i, b: __m512i) -> __m512i {
        registers!(_mm512_sub_epi32(a, b))
    }
    #[inline(always)]
    fn max_i(self, a: __m512i, b: __m512i) -> __m512i {
        registers!(_mm512_max_epi32(a, b))
    }
    #[inline(always)]
    fn over_256(self, x: __m512i) -> __m512i {
        registers!(_mm512_srai_epi32::<8>(x))
    }
    #[inline(always)]
    fn bytes(self, x: __m512i) -> [u8; LANES] {
        let mut out = [0; LANES];
        memory!(_mm_storeu_si128(out.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(x)));
        out
    }
    #[inline(always)]
    fn sum_i(self, x: __m512i) -> i32 {
        registers!(_mm512_reduce_add_epi32(x))
    }
    #[inline(always)]
    fn top(self, x: __m512) -> f32 {
        registers!(_mm512_reduce_max_ps(x))
    }
    #[inline(always)]
    fn load_u8(self, x: &[u8; LANES]) -> __m512i {
        memory!(_mm512_cvtepu8_epi32(_mm_loadu_si128(x.as_ptr().cast())))
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> __m512i {
        memory!(_mm512_cvtepi8_epi32(_mm_loadu_si128(x.as_ptr().cast())))
    }
    #[inline(always)]
    fn load_line(self, x: &Line) -> __m512i {
        memory!(_mm512_loadu_si512(x.0.as_ptr().cast()))
    }
    #[inline(always)]
    fn prefetch<T>(self, x: &T, bytes: usize) {
        let address = std::ptr::from_ref(x).wrapping_byte_add(bytes);
        // SAFETY: a prefetch reads nothing that the program could see and never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[inline(always)]
    fn low(self, x: __m512i) -> __m512i {
        registers!(_mm512_and_si512(x, _mm512_set1_epi8(15)))
    }
    #[inline(always)]
    fn high(self, x: __m512i) -> __m512i {
        registers!(_mm512_and_si512(_mm512_srli_epi16::<4>(x), _mm512_set1_epi8(15)))
    }
    #[inline(always)]
    fn with_high<const BY: i32>(self, low: __m512i, high: __m512i, mask: i8) -> __m512i {
        registers!({
            let count = _mm_cvtsi32_si128(BY.abs());
            let moved = if BY >= 0 { _mm512_sll_epi16(high, count) } else { _mm512_srl_epi16(high, count) };
            // low | (moved & mask)
            _mm512_ternarylogic_epi32::<0xf8>(low, moved, _mm512_set1_epi8(mask))
        })
    }
    #[inline(always)]
    fn dot(self, acc: __m512i, weights: __m512i, quad: i32) -> __m512i {
        registers!(_mm512_dpbusd_epi32(acc, weights, _mm512_set1_epi32(quad)))
    }
    #[inline(always)]
    fn dot_full(self, acc: __m512i, weights: __m512i, quad: i32) -> __m512i {
        // The four products are summed in 32 bits, so any unsigned byte is in range.
        self.dot(acc, weights, quad)
    }
}
