//! Value by value: activations, sums, softmax.

use super::context::Cpu;
use super::simd::{Kernel, LANES, Simd, padded};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// Values per task.
const SPAN: usize = 8_192;

/// The function on the gate of a gated feed-forward layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// x × sigmoid(x), as in Llama.
    Silu,
    /// GELU by its tanh approximation, as in Gemma.
    GeluTanh,
}

/// `x += y`.
///
/// # Errors
/// The lengths differ.
pub fn add(cpu: &Cpu, x: &mut [f32], y: &[f32]) -> Result<(), KernelError> {
    check_len("add", "second operand", y.len(), &[x.len()])?;
    cpu.pool().chunks(x, SPAN, 1, |i, x| {
        cpu.run(Plus { x, y: &y[i * SPAN..] });
    });
    Ok(())
}

/// Adds `bias` to each row of `x`.
///
/// # Errors
/// `x` is no whole number of rows of the bias's width.
pub fn add_bias(cpu: &Cpu, x: &mut [f32], bias: &[f32]) -> Result<(), KernelError> {
    let width = bias.len();
    check_multiple("add_bias", "bias", width, 1)?;
    check_len("add_bias", "rows", x.len(), &[x.len() / width, width])?;
    cpu.pool().chunks(x, width, super::activations::grain(width), |_, x| cpu.run(Plus { x, y: bias }));
    Ok(())
}

/// `x *= factor`.
pub fn scale(cpu: &Cpu, x: &mut [f32], factor: f32) {
    cpu.pool().chunks(x, SPAN, 1, |_, x| x.iter_mut().for_each(|v| *v *= factor));
}

/// `gate = f(gate) × up`.
///
/// # Errors
/// The lengths differ.
pub fn gated(cpu: &Cpu, gate: &mut [f32], up: &[f32], f: Gate) -> Result<(), KernelError> {
    check_len("gated", "up", up.len(), &[gate.len()])?;
    cpu.pool().chunks(gate, SPAN, 1, |i, gate| {
        let up = &up[i * SPAN..][..gate.len()];
        match f {
            Gate::Silu => cpu.run(Map { x: &mut *gate, f: Silu }),
            Gate::GeluTanh => cpu.run(Map { x: &mut *gate, f: GeluTanh }),
        }
        gate.iter_mut().zip(up).for_each(|(g, u)| *g *= u);
    });
    Ok(())
}

/// x × sigmoid(x), in place.
pub fn silu(cpu: &Cpu, x: &mut [f32]) {
    cpu.pool().chunks(x, SPAN, 1, |_, x| cpu.run(Map { x, f: Silu }));
}

/// x × Φ(x) by the tanh approximation, in place.
pub fn gelu_tanh(cpu: &Cpu, x: &mut [f32]) {
    cpu.pool().chunks(x, SPAN, 1, |_, x| cpu.run(Map { x, f: GeluTanh }));
}

/// x × Φ(x) with the error function (absolute error of erf below 5e-7), in place.
pub fn gelu_erf(cpu: &Cpu, x: &mut [f32]) {
    cpu.pool().chunks(x, SPAN, 1, |_, x| cpu.run(Map { x, f: GeluErf }));
}

/// The hyperbolic tangent (absolute error below 5e-7), in place.
pub fn tanh(cpu: &Cpu, x: &mut [f32]) {
    cpu.pool().chunks(x, SPAN, 1, |_, x| cpu.run(Map { x, f: Tanh }));
}

/// Softmax of each row of `width` values, in place.
///
/// # Errors
/// `x` is no whole number of rows.
pub fn softmax(cpu: &Cpu, x: &mut [f32], width: usize) -> Result<(), KernelError> {
    check_multiple("softmax", "row width", width, 1)?;
    check_len("softmax", "rows", x.len(), &[x.len() / width, width])?;
    cpu.pool().chunks(x, width, super::activations::grain(width), |_, row| {
        let sum = cpu.run(Exponentials { row: &mut *row });
        row.iter_mut().for_each(|v| *v /= sum);
    });
    Ok(())
}

struct Plus<'a> {
    x: &'a mut [f32],
    y: &'a [f32],
}

impl Kernel for Plus<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        self.x.iter_mut().zip(self.y).for_each(|(x, y)| *x += y);
    }
}

/// A function of one value.
trait Unary: Copy {
    fn of<S: Simd>(self, s: S, x: S::F) -> S::F;
}

struct Map<'a, U> {
    x: &'a mut [f32],
    f: U,
}

impl<U: Unary> Kernel for Map<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (chunks, rest) = self.x.as_chunks_mut::<LANES>();
        for c in chunks {
            s.store(self.f.of(s, s.load(c)), c);
        }
        if !rest.is_empty() {
            let mut lanes = padded(rest, 0.0);
            s.store(self.f.of(s, s.load(&lanes)), &mut lanes);
            rest.iter_mut().zip(lanes).for_each(|(o, v)| *o = v);
        }
    }
}

/// x / (1 + e^(−y)): x times the sigmoid of y.
#[inline(always)]
fn times_sigmoid<S: Simd>(s: S, x: S::F, y: S::F) -> S::F {
    let e = s.exp(s.sub(s.splat(0.0), y));
    s.div(x, s.add(s.splat(1.0), e))
}

#[derive(Clone, Copy)]
struct Silu;

impl Unary for Silu {
    #[inline(always)]
    fn of<S: Simd>(self, s: S, x: S::F) -> S::F {
        times_sigmoid(s, x, x)
    }
}

#[derive(Clone, Copy)]
struct GeluTanh;

impl Unary for GeluTanh {
    #[inline(always)]
    fn of<S: Simd>(self, s: S, x: S::F) -> S::F {
        // (1 + tanh u) / 2 is the sigmoid of 2u, with u = sqrt(2/π) (x + 0.044715 x³).
        let cube = s.mul(s.mul(x, x), x);
        let inner = s.add(x, s.mul(s.splat(0.044_715), cube));
        times_sigmoid(s, x, s.mul(s.splat(1.595_769_2), inner))
    }
}

#[derive(Clone, Copy)]
struct Tanh;

impl Unary for Tanh {
    #[inline(always)]
    fn of<S: Simd>(self, s: S, x: S::F) -> S::F {
        // 2 × sigmoid(2x) − 1.
        let two = s.splat(2.0);
        s.sub(times_sigmoid(s, two, s.mul(two, x)), s.splat(1.0))
    }
}

#[derive(Clone, Copy)]
struct GeluErf;

impl Unary for GeluErf {
    #[inline(always)]
    fn of<S: Simd>(self, s: S, x: S::F) -> S::F {
        // Abramowitz and Stegun 7.1.26 for erf(z), z = |x| / sqrt 2.
        let one = s.splat(1.0);
        let z = s.mul(s.max(x, s.sub(s.splat(0.0), x)), s.splat(std::f32::consts::FRAC_1_SQRT_2));
        let t = s.div(one, s.add(one, s.mul(s.splat(0.327_591_1), z)));
        let mut p = s.splat(1.061_405_4);
        for c in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
            p = s.add(s.mul(p, t), s.splat(c));
        }
        // The complementary error function; half of it is the tail that |x| leaves.
        let tail = s.mul(s.splat(0.5), s.mul(s.mul(p, t), s.exp(s.sub(s.splat(0.0), s.mul(z, z)))));
        // Φ(x) is 1 − tail for x ≥ 0, and tail below.
        let zero = s.splat(0.0);
        let upper = s.keep_from(x, zero, s.sub(one, s.add(tail, tail)));
        s.mul(x, s.add(tail, upper))
    }
}

struct Exponentials<'a> {
    row: &'a mut [f32],
}

impl Kernel for Exponentials<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> f32 {
        let top = s.splat(self.row.iter().fold(f32::NEG_INFINITY, |m, &v| if v > m { v } else { m }));
        let (chunks, rest) = self.row.as_chunks_mut::<LANES>();
        let mut sum = s.splat(0.0);
        for c in chunks {
            let e = s.exp(s.sub(s.load(c), top));
            sum = s.add(sum, e);
            s.store(e, c);
        }
        if !rest.is_empty() {
            let mut lanes = padded(rest, f32::NEG_INFINITY);
            let e = s.exp(s.sub(s.load(&lanes), top));
            sum = s.add(sum, e);
            s.store(e, &mut lanes);
            rest.iter_mut().zip(lanes).for_each(|(o, v)| *o = v);
        }
        s.sum(sum)
    }
}
