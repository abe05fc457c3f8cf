use crate::cpu::{
    Cpu, Gate, Pairing, RopeTable, add, add_bias, gated, gelu_erf, gelu_tanh, l2_normalise, layer_norm,
    mean_rows, rms_norm, rope, scale, silu, softmax, tanh,
};

use super::{Random, cpus, near, same, scalar};

/// Runs `f` on every variant, compares the bits and returns the values.
fn everywhere(x: &[f32], f: impl Fn(&Cpu, &mut [f32])) -> Vec<f32> {
    let mut expected = x.to_vec();
    f(&scalar(), &mut expected);
    for cpu in cpus() {
        let mut found = x.to_vec();
        f(&cpu, &mut found);
        same(&found, &expected, &format!("{cpu:?}"));
    }
    expected
}

fn range(n: usize, low: f32, high: f32) -> Vec<f32> {
    (0..n).map(|i| low + (high - low) * i as f32 / (n - 1) as f32).collect()
}

fn doubles(x: &[f32], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().map(|&v| f(f64::from(v))).collect()
}

/// The error function by its Maclaurin series, or 1 − tail by continued fraction; good to 1e-14.
fn erf(x: f64) -> f64 {
    let z = x.abs();
    let value = if z < 3.0 {
        let (mut term, mut sum) = (z, z);
        for n in 1..200 {
            term *= -z * z / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    } else {
        let fraction = (1..60).rev().fold(z, |f, k| z + f64::from(k) / 2.0 / f);
        1.0 - (-z * z).exp() / std::f64::consts::PI.sqrt() / fraction
    };
    value.copysign(x)
}

#[test]
fn activations_equal_their_definitions() {
    // An odd length, so that the last vector is not full, and more than one task.
    let x = range(20_003, -12.0, 12.0);
    let found = everywhere(&x, silu);
    near(&found, &doubles(&x, |v| v / (1.0 + (-v).exp())), 3e-6, "silu");
    let by_tanh =
        |v: f64| 0.5 * v * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (v + 0.044715 * v.powi(3))).tanh());
    near(&everywhere(&x, gelu_tanh), &doubles(&x, by_tanh), 3e-6, "gelu tanh");
    let exact = |v: f64| 0.5 * v * (1.0 + erf(v / std::f64::consts::SQRT_2));
    near(&everywhere(&x, gelu_erf), &doubles(&x, exact), 3e-6, "gelu erf");
    near(&everywhere(&x, tanh), &doubles(&x, f64::tanh), 5e-7, "tanh");
    same(&everywhere(&[-1e30, -100.0, 100.0, 1e30], tanh), &[-1.0, -1.0, 1.0, 1.0], "tanh far out");
    let far = [-1e30, -1000.0, -88.5, 88.5, 1000.0, 1e30, 0.0];
    let found = everywhere(&far, silu);
    same(&found[3..], &[88.5, 1000.0, 1e30, 0.0], "far out");
    assert!(found[..3].iter().all(|v| v.abs() < 1e-6), "{found:?}");
}

#[test]
fn gates_multiply() {
    let (x, up) = (range(9_000, -4.0, 4.0), range(9_000, 3.0, -1.0));
    let found = everywhere(&x, |cpu, x| gated(cpu, x, &up, Gate::Silu).unwrap());
    let expected: Vec<f64> = x
        .iter()
        .zip(&up)
        .map(|(&x, &u)| (f64::from(x), f64::from(u)))
        .map(|(x, u)| x / (1.0 + (-x).exp()) * u)
        .collect();
    near(&found, &expected, 3e-6, "silu gate");
    let found = everywhere(&[1.0; 3], |cpu, x| gated(cpu, x, &[2.0, 0.0, -1.0], Gate::GeluTanh).unwrap());
    near(&found, &[1.682_384, 0.0, -0.841_192], 1e-6, "gelu gate");
    assert!(gated(&scalar(), &mut [0.0; 3], &[0.0; 2], Gate::Silu).is_err());
}

#[test]
fn softmax_sums_to_one_in_double_precision() {
    let x = range(3 * 77, -30.0, 30.0);
    let found = everywhere(&x, |cpu, x| softmax(cpu, x, 77).unwrap());
    for (row, x) in found.chunks(77).zip(x.chunks(77)) {
        let sum: f64 = x.iter().map(|&v| f64::from(v).exp()).sum();
        near(row, &doubles(x, |v| v.exp() / sum), 1e-6, "softmax");
    }
    assert!(softmax(&scalar(), &mut [0.0; 10], 3).is_err());
    same(&everywhere(&[5.0, f32::NEG_INFINITY], |cpu, x| softmax(cpu, x, 2).unwrap()), &[1.0, 0.0], "masked");
}

#[test]
fn norms_equal_their_definitions() {
    let mut random = Random::new(4);
    for width in [384, 576, 100] {
        let x = random.floats(width * 40);
        let (w, b) = (random.floats(width), random.floats(width));
        let rms = everywhere(&x, |cpu, x| rms_norm(cpu, x, &w, 1e-5).unwrap());
        let layer = everywhere(&x, |cpu, x| layer_norm(cpu, x, &w, &b, 1e-12).unwrap());
        for (r, x) in x.chunks(width).enumerate() {
            let n = width as f64;
            let square = x.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() / n;
            let mean = x.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
            let factor = 1.0 / (square + 1e-5).sqrt();
            let expected: Vec<f64> =
                x.iter().zip(&w).map(|(&v, &w)| f64::from(v) * factor * f64::from(w)).collect();
            near(&rms[r * width..][..width], &expected, 2e-6, "rms");
            let factor = 1.0 / (square - mean * mean + 1e-12).sqrt();
            let value = |i: usize| (f64::from(x[i]) - mean) * factor * f64::from(w[i]) + f64::from(b[i]);
            near(&layer[r * width..][..width], &(0..width).map(value).collect::<Vec<_>>(), 3e-6, "layer");
        }
    }
    let unit = everywhere(&[3.0, 0.0, 4.0], l2_normalise);
    same(&unit, &[0.6, 0.0, 0.8], "l2");
    same(&everywhere(&[0.0; 5], l2_normalise), &[0.0; 5], "l2 of zeros");
    assert!(rms_norm(&scalar(), &mut [0.0; 10], &[1.0; 3], 0.0).is_err());
    assert!(layer_norm(&scalar(), &mut [0.0; 9], &[1.0; 3], &[1.0; 2], 0.0).is_err());
    assert_eq!(mean_rows(&[1.0, 2.0, 3.0, 6.0], 2).unwrap(), [2.0, 4.0]);
    assert!(mean_rows(&[], 2).is_err());
}

#[test]
fn rope_turns_pairs() {
    let mut random = Random::new(5);
    let (n, heads, dim) = (6, 3, 64);
    let x = random.floats(n * heads * dim);
    let factors: Vec<f32> = (0..24).map(|i| 1.0 + i as f32 / 8.0).collect();
    for (n_rot, base, shrink, factors) in [(64, 10_000.0, 1.0, None), (48, 1e6, 0.125, Some(&factors[..]))] {
        let table = RopeTable::new(100..100 + n, n_rot, base, shrink, factors).unwrap();
        for pairing in [Pairing::Adjacent, Pairing::Halves] {
            let found = everywhere(&x, |cpu, x| rope(cpu, x, heads, dim, pairing, &table).unwrap());
            let mut expected: Vec<f64> = x.iter().map(|&v| f64::from(v)).collect();
            for (row, head) in expected.chunks_mut(dim).enumerate() {
                let position = (100 + row / heads) as f64;
                for i in 0..n_rot / 2 {
                    let speed = f64::from(base).powf(-2.0 * i as f64 / n_rot as f64) * f64::from(shrink);
                    let angle = position * speed / factors.map_or(1.0, |f: &[f32]| f64::from(f[i]));
                    let (a, b) =
                        if pairing == Pairing::Adjacent { (2 * i, 2 * i + 1) } else { (i, i + n_rot / 2) };
                    let (x, y) = (head[a], head[b]);
                    head[a] = x * angle.cos() - y * angle.sin();
                    head[b] = x * angle.sin() + y * angle.cos();
                }
            }
            near(&found, &expected, 4e-7, &format!("{pairing:?} {n_rot}"));
        }
    }
    let table = RopeTable::new(0..n, 64, 1e4, 1.0, None).unwrap();
    let turned = everywhere(&x, |cpu, x| rope(cpu, x, heads, dim, Pairing::Halves, &table).unwrap());
    let longer = table.clone().scaled(1.5);
    let longer = everywhere(&x, |cpu, x| rope(cpu, x, heads, dim, Pairing::Halves, &longer).unwrap());
    near(&longer, &doubles(&turned, |v| 1.5 * v), 1e-6, "scaled");
    assert!(rope(&scalar(), &mut x.clone(), heads, 32, Pairing::Halves, &table).is_err());
    assert!(rope(&scalar(), &mut x[64..].to_vec(), heads, dim, Pairing::Halves, &table).is_err());
    assert!(RopeTable::new(0..1, 63, 1e4, 1.0, None).is_err());
    assert!(RopeTable::new(0..1, 64, 1e4, 1.0, Some(&factors)).is_err());
}

#[test]
fn sums() {
    let x = range(18_000, -1.0, 1.0);
    same(
        &everywhere(&x, |cpu, v| add(cpu, v, &x).unwrap()),
        &x.iter().map(|v| v + v).collect::<Vec<_>>(),
        "add",
    );
    same(&everywhere(&x, |cpu, v| scale(cpu, v, 2.0)), &x.iter().map(|v| v + v).collect::<Vec<_>>(), "scale");
    let found = everywhere(&[1.0, 2.0, 3.0, 4.0], |cpu, x| add_bias(cpu, x, &[10.0, 20.0]).unwrap());
    same(&found, &[11.0, 22.0, 13.0, 24.0], "bias");
    assert!(add(&scalar(), &mut [0.0; 2], &[0.0; 3]).is_err());
    assert!(add_bias(&scalar(), &mut [0.0; 3], &[0.0; 2]).is_err());
}
