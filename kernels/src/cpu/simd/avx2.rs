//! AVX2 with fused multiply-add and half-precision conversion, without and with AVX-VNNI: two registers hold the 16
//! lanes.

use std::arch::x86_64::*;

use super::{Kernel, LANES, Line, Simd};

/// Proof that the processor has AVX2, FMA and F16C, and AVX-VNNI if `VNNI`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2<const VNNI: bool> {
    _detected: (),
}

impl<const VNNI: bool> Avx2<VNNI> {
    /// The proof, where the processor has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && (!VNNI || is_x86_feature_detected!("avxvnni"));
        has.then_some(Self { _detected: () })
    }
}

/// Wraps an expression of register-only intrinsics.
macro_rules! registers {
    ($e:expr) => {
        // SAFETY: `self` proves that the processor has the instructions, and they touch registers only.
        unsafe { $e }
    };
}

/// Wraps loads or stores of the two halves of an array through a reference to it.
macro_rules! memory {
    ($e:expr) => {
        // SAFETY: `self` proves that the processor has the instructions; the pointer comes from a reference to
        // an array of exactly as many bytes as both halves move, and the unaligned forms are used.
        unsafe { $e }
    };
}

/// A kernel compiled with the features that a [`Avx2`] proves.
#[inline(never)]
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn compiled<K: Kernel>(s: Avx2<false>, kernel: K) -> K::Output {
    kernel.run(s)
}

/// The same with AVX-VNNI.
#[inline(never)]
#[target_feature(enable = "avx2,fma,f16c,avxvnni")]
pub(crate) fn compiled_vnni<K: Kernel>(s: Avx2<true>, kernel: K) -> K::Output {
    kernel.run(s)
}

impl<const VNNI: bool> Avx2<VNNI> {
    #[inline(always)]
    fn lanes(self, x: [__m256i; 2]) -> [i32; LANES] {
        let mut out = [0i32; LANES];
        let p = out.as_mut_ptr();
        memory!({
            _mm256_storeu_si256(p.cast(), x[0]);
            _mm256_storeu_si256(p.add(8).cast(), x[1]);
        });
        out
    }
}

impl<const VNNI: bool> Simd for Avx2<VNNI> {
    type F = [__m256; 2];
    type I = [__m256i; 2];
    type B = [__m256i; 2];
    const TILE: usize = 4;
    const FULL_IS_SIGNED: bool = !VNNI;

    fn apart<K: Kernel>(self, kernel: K) -> K::Output {
        if VNNI {
            // SAFETY: `self` proves that the processor has the features of `compiled_vnni`.
            unsafe { compiled_vnni(Avx2 { _detected: () }, kernel) }
        } else {
            // SAFETY: `self` proves that the processor has the features of `compiled`.
            unsafe { compiled(Avx2 { _detected: () }, kernel) }
        }
    }
    #[inline(always)]
    fn splat(self, x: f32) -> [__m256; 2] {
        registers!([_mm256_set1_ps(x); 2])
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> [__m256; 2] {
        let p = x.as_ptr();
        memory!([_mm256_loadu_ps(p), _mm256_loadu_ps(p.add(8))])
    }
    #[inline(always)]
    fn store(self, x: [__m256; 2], out: &mut [f32; LANES]) {
        let p = out.as_mut_ptr();
        memory!({
            _mm256_storeu_ps(p, x[0]);
            _mm256_storeu_ps(p.add(8), x[1]);
        })
    }
    #[inline(always)]
    fn load_half(self, x: &[u16; LANES]) -> [__m256; 2] {
        let p = x.as_ptr();
        memory!([
            _mm256_cvtph_ps(_mm_loadu_si128(p.cast())),
            _mm256_cvtph_ps(_mm_loadu_si128(p.add(8).cast()))
        ])
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> [__m256; 2] {
        let p = x.as_ptr();
        let wide = memory!([
            _mm256_cvtepu16_epi32(_mm_loadu_si128(p.cast())),
            _mm256_cvtepu16_epi32(_mm_loadu_si128(p.add(8).cast()))
        ]);
        wide.map(|w| registers!(_mm256_castsi256_ps(_mm256_slli_epi32::<16>(w))))
    }
    #[inline(always)]
    fn add(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        registers!([_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])])
    }
    #[inline(always)]
    fn sub(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        registers!([_mm256_sub_ps(a[0], b[0]), _mm256_sub_ps(a[1], b[1])])
    }
    #[inline(always)]
    fn mul(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        registers!([_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])])
    }
    #[inline(always)]
    fn div(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        registers!([_mm256_div_ps(a[0], b[0]), _mm256_div_ps(a[1], b[1])])
    }
    #[inline(always)]
    fn fma(self, a: [__m256; 2], b: [__m256; 2], c: [__m256; 2]) -> [__m256; 2] {
        registers!([_mm256_fmadd_ps(a[0], b[0], c[0]), _mm256_fmadd_ps(a[1], b[1], c[1])])
    }
    #[inline(always)]
    fn max(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        registers!([_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])])
    }
    #[inline(always)]
    fn min(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        registers!([_mm256_min_ps(a[0], b[0]), _mm256_min_ps(a[1], b[1])])
    }
    #[inline(always)]
    fn keep_from(self, x: [__m256; 2], limit: [__m256; 2], value: [__m256; 2]) -> [__m256; 2] {
        registers!([
            _mm256_and_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(x[0], limit[0]), value[0]),
            _mm256_and_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(x[1], limit[1]), value[1])
        ])
    }
    #[inline(always)]
    fn scale_pow2(self, value: [__m256; 2], magic: [__m256; 2]) -> [__m256; 2] {
        let half = |v, m| {
            registers!(_mm256_castsi256_ps(_mm256_add_epi32(
                _mm256_castps_si256(v),
                _mm256_slli_epi32::<23>(_mm256_castps_si256(m))
            )))
        };
        [half(value[0], magic[0]), half(value[1], magic[1])]
    }
    #[inline(always)]
    fn splat_i(self, x: i32) -> [__m256i; 2] {
        registers!([_mm256_set1_epi32(x); 2])
    }
    #[inline(always)]
    fn add_i(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        registers!([_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])])
    }
    #[inline(always)]
    fn mul_i(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        registers!([_mm256_mullo_epi32(a[0], b[0]), _mm256_mullo_epi32(a[1], b[1])])
    }
    #[inline(always)]
    fn times_256(self, x: [__m256i; 2]) -> [__m256i; 2] {
        x.map(|v| registers!(_mm256_slli_epi32::<8>(v)))
    }
    #[inline(always)]
    fn to_f(self, x: [__m256i; 2]) -> [__m256; 2] {
        registers!([_mm256_cvtepi32_ps(x[0]), _mm256_cvtepi32_ps(x[1])])
    }
    #[inline(always)]
    fn round(self, x: [__m256; 2]) -> [__m256i; 2] {
        registers!([_mm256_cvtps_epi32(x[0]), _mm256_cvtps_epi32(x[1])])
    }
    #[inline(always)]
    fn sub_i(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        registers!([_mm256_sub_epi32(a[0], b[0]), _mm256_sub_epi32(a[1], b[1])])
    }
    #[inline(always)]
    fn max_i(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        registers!([_mm256_max_epi32(a[0], b[0]), _mm256_max_epi32(a[1], b[1])])
    }
    #[inline(always)]
    fn over_256(self, x: [__m256i; 2]) -> [__m256i; 2] {
        registers!([_mm256_srai_epi32::<8>(x[0]), _mm256_srai_epi32::<8>(x[1])])
    }
    #[inline(always)]
    fn bytes(self, x: [__m256i; 2]) -> [u8; LANES] {
        self.lanes(x).map(|v| v as u8)
    }
    #[inline(always)]
    fn sum_i(self, x: [__m256i; 2]) -> i32 {
        self.lanes(x).iter().fold(0, |sum: i32, v| sum.wrapping_add(*v))
    }
    #[inline(always)]
    fn load_u8(self, x: &[u8; LANES]) -> [__m256i; 2] {
        let bytes = memory!(_mm_loadu_si128(x.as_ptr().cast()));
        registers!([_mm256_cvtepu8_epi32(bytes), _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(bytes))])
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> [__m256i; 2] {
        let bytes = memory!(_mm_loadu_si128(x.as_ptr().cast()));
        registers!([_mm256_cvtepi8_epi32(bytes), _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(bytes))])
    }
    #[inline(always)]
    fn load_line(self, x: &Line) -> [__m256i; 2] {
        let p = x.0.as_ptr();
        memory!([_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(32).cast())])
    }
    #[inline(always)]
    fn prefetch<T>(self, x: &T, bytes: usize) {
        let address = std::ptr::from_ref(x).wrapping_byte_add(bytes);
        // SAFETY: a prefetch reads nothing that the program could see and never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[inline(always)]
    fn low(self, x: [__m256i; 2]) -> [__m256i; 2] {
        x.map(|v| registers!(_mm256_and_si256(v, _mm256_set1_epi8(15))))
    }
    #[inline(always)]
    fn high(self, x: [__m256i; 2]) -> [__m256i; 2] {
        x.map(|v| registers!(_mm256_and_si256(_mm256_srli_epi16::<4>(v), _mm256_set1_epi8(15))))
    }
    #[inline(always)]
    fn with_high<const BY: i32>(self, low: [__m256i; 2], high: [__m256i; 2], mask: i8) -> [__m256i; 2] {
        let half = |low, high| {
            registers!({
                let count = _mm_cvtsi32_si128(BY.abs());
                let moved =
                    if BY >= 0 { _mm256_sll_epi16(high, count) } else { _mm256_srl_epi16(high, count) };
                _mm256_or_si256(low, _mm256_and_si256(moved, _mm256_set1_epi8(mask)))
            })
        };
        [half(low[0], high[0]), half(low[1], high[1])]
    }
    #[inline(always)]
    fn dot(self, acc: [__m256i; 2], weights: [__m256i; 2], quad: i32) -> [__m256i; 2] {
        if VNNI {
            let half = |acc, w| registers!(_mm256_dpbusd_avx_epi32(acc, w, _mm256_set1_epi32(quad)));
            return [half(acc[0], weights[0]), half(acc[1], weights[1])];
        }
        // Pairs sum in 16 bits: at most 2 × 63 × 127, so the saturating instruction does not saturate.
        let half = |acc, w| {
            registers!({
                let pairs = _mm256_maddubs_epi16(w, _mm256_set1_epi32(quad));
                _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
            })
        };
        [half(acc[0], weights[0]), half(acc[1], weights[1])]
    }
    #[inline(always)]
    fn dot_full(self, acc: [__m256i; 2], weights: [__m256i; 2], quad: i32) -> [__m256i; 2] {
        if VNNI {
            // The four products are summed in 32 bits, so any unsigned byte is in range.
            return self.dot(acc, weights, quad);
        }
        // |w - 128| times the activation with the weight's sign: at most 2 × 128 × 127, which fits 16 bits.
        let half = |acc, w| {
            registers!({
                let signed = _mm256_xor_si256(w, _mm256_set1_epi8(-128));
                let activation = _mm256_sign_epi8(_mm256_set1_epi32(quad), signed);
                let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(signed), activation);
                _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
            })
        };
        [half(acc[0], weights[0]), half(acc[1], weights[1])]
    }
}
