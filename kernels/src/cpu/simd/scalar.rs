//! The plain variant: what the others are compared with, and what runs where they cannot.

use super::{Kernel, LANES, Line, Simd};

/// Plain Rust, for any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

/// Widens an IEEE half-precision number.
#[inline(always)]
pub(crate) fn half_to_f32(h: u16) -> f32 {
    let magnitude = u32::from(h & 0x7fff) << 13;
    // Moving the exponent bias from 15 to 127 by a product also turns half subnormals into normal numbers.
    let bits = (f32::from_bits(magnitude) * f32::from_bits(0x7780_0000)).to_bits();
    let special = if h & 0x7c00 == 0x7c00 { 0x7f80_0000 } else { 0 };
    f32::from_bits(bits | special | (u32::from(h & 0x8000) << 16))
}

#[inline(always)]
fn each<T: Copy, U: Copy, R: Copy + Default>(
    a: &[T; LANES],
    b: &[U; LANES],
    f: impl Fn(T, U) -> R,
) -> [R; LANES] {
    let mut out = [R::default(); LANES];
    for i in 0..LANES {
        out[i] = f(a[i], b[i]);
    }
    out
}

impl Simd for Scalar {
    type F = [f32; LANES];
    type I = [i32; LANES];
    type B = [u8; 64];
    const TILE: usize = 1;
    const FULL_IS_SIGNED: bool = true;

    fn apart<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        [x; LANES]
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> Self::F {
        *x
    }
    #[inline(always)]
    fn store(self, x: Self::F, out: &mut [f32; LANES]) {
        *out = x;
    }
    #[inline(always)]
    fn load_half(self, x: &[u16; LANES]) -> Self::F {
        x.map(half_to_f32)
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> Self::F {
        x.map(|b| f32::from_bits(u32::from(b) << 16))
    }
    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        each(&a, &b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        each(&a, &b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        each(&a, &b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        each(&a, &b, |a, b| a / b)
    }
    #[inline(always)]
    fn fma(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        let mut out = c;
        for i in 0..LANES {
            out[i] = a[i].mul_add(b[i], c[i]);
        }
        out
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        each(&a, &b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        each(&a, &b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn keep_from(self, x: Self::F, limit: Self::F, value: Self::F) -> Self::F {
        let keep = each(&x, &limit, |x, l| x >= l);
        each(&keep, &value, |k, v| if k { v } else { 0.0 })
    }
    #[inline(always)]
    fn scale_pow2(self, value: Self::F, magic: Self::F) -> Self::F {
        each(&value, &magic, |v, m| f32::from_bits(v.to_bits().wrapping_add(m.to_bits() << 23)))
    }
    #[inline(always)]
    fn splat_i(self, x: i32) -> Self::I {
        [x; LANES]
    }
    #[inline(always)]
    fn add_i(self, a: Self::I, b: Self::I) -> Self::I {
        each(&a, &b, i32::wrapping_add)
    }
    #[inline(always)]
    fn mul_i(self, a: Self::I, b: Self::I) -> Self::I {
        each(&a, &b, i32::wrapping_mul)
    }
    #[inline(always)]
    fn times_256(self, x: Self::I) -> Self::I {
        x.map(|v| v << 8)
    }
    #[inline(always)]
    fn to_f(self, x: Self::I) -> Self::F {
        x.map(|v| v as f32)
    }
    #[inline(always)]
    fn round(self, x: Self::F) -> Self::I {
        // 1.5 × 2^23: adding it to a small number rounds that to an integer, ties to even.
        const MAGIC: f32 = 12_582_912.0;
        x.map(|v| (v + MAGIC).to_bits().wrapping_sub(MAGIC.to_bits()).cast_signed())
    }
    #[inline(always)]
    fn sub_i(self, a: Self::I, b: Self::I) -> Self::I {
        each(&a, &b, i32::wrapping_sub)
    }
    #[inline(always)]
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I {
        each(&a, &b, i32::max)
    }
    #[inline(always)]
    fn over_256(self, x: Self::I) -> Self::I {
        x.map(|v| v >> 8)
    }
    #[inline(always)]
    fn bytes(self, x: Self::I) -> [u8; LANES] {
        x.map(|v| v as u8)
    }
    #[inline(always)]
    fn sum_i(self, x: Self::I) -> i32 {
        x.iter().fold(0, |sum: i32, v| sum.wrapping_add(*v))
    }
    #[inline(always)]
    fn load_u8(self, x: &[u8; LANES]) -> Self::I {
        x.map(i32::from)
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> Self::I {
        x.map(|b| i32::from(b.cast_signed()))
    }
    #[inline(always)]
    fn load_line(self, x: &Line) -> Self::B {
        x.0
    }
    #[inline(always)]
    fn low(self, x: Self::B) -> Self::B {
        x.map(|b| b & 15)
    }
    #[inline(always)]
    fn high(self, x: Self::B) -> Self::B {
        x.map(|b| b >> 4)
    }
    #[inline(always)]
    fn with_high<const BY: i32>(self, low: Self::B, high: Self::B, mask: i8) -> Self::B {
        let moved = |b: u8| if BY >= 0 { b << BY } else { b >> -BY };
        std::array::from_fn(|i| low[i] | moved(high[i]) & mask.cast_unsigned())
    }
    #[inline(always)]
    fn dot(self, acc: Self::I, weights: Self::B, quad: i32) -> Self::I {
        let a = quad.to_le_bytes().map(|b| i32::from(b.cast_signed()));
        let mut out = acc;
        for (lane, w) in out.iter_mut().zip(weights.as_chunks::<4>().0) {
            *lane += i32::from(w[0]) * a[0]
                + i32::from(w[1]) * a[1]
                + i32::from(w[2]) * a[2]
                + i32::from(w[3]) * a[3];
        }
        out
    }
    #[inline(always)]
    fn dot_full(self, acc: Self::I, weights: Self::B, quad: i32) -> Self::I {
        let a = quad.to_le_bytes().map(|b| i32::from(b.cast_signed()));
        let mut out = acc;
        for (lane, w) in out.iter_mut().zip(weights.as_chunks::<4>().0) {
            for i in 0..4 {
                *lane += (i32::from(w[i]) - 128) * a[i];
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::half_to_f32;

    #[test]
    fn widens_every_half() {
        for bits in 0..=u16::MAX {
            let expected = half::f16::from_bits(bits).to_f32();
            let found = half_to_f32(bits);
            assert!(
                found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                "{bits:#x}"
            );
        }
    }
}
