use crate::KernelError;
use crate::cpu::{Activations, BlockKind, Cpu, Matrix, Precision, Product, dequantise, matmul};

use super::{Random, cpus, same, scalar};

const PRECISIONS: [Precision; 2] = [Precision::Eight, Precision::Sixteen];

fn product(cpu: &Cpu, precision: Precision, m: &Matrix, x: &[f32]) -> Vec<f32> {
    let mut acts = Activations::new(precision);
    acts.fill(cpu, x, m.n_in(), &[m]).unwrap();
    let mut out = vec![0.0; acts.n_rows() * m.n_out()];
    matmul(cpu, &acts, &mut [Product { matrix: m, out: &mut out }]).unwrap();
    out
}

/// What the activations become: at 8 bits the same rounding as ggml's, in double precision.
fn rounded(kind: BlockKind, precision: Precision, x: &[f32]) -> Vec<f64> {
    if kind.len() == 1 || precision == Precision::Sixteen {
        return x.iter().map(|&v| f64::from(v)).collect();
    }
    let mut out = Vec::new();
    for block in x.chunks(kind.len()) {
        let peak = block.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
        let (inverse, d) = if kind.len() == 32 {
            (127.0 / peak.abs(), f64::from(half::f16::from_f32(peak.abs() / 127.0).to_f32()))
        } else {
            (-127.0 / peak, f64::from(1.0 / (-127.0 / peak)))
        };
        out.extend(block.iter().map(|v| f64::from((v * inverse).round_ties_even()) * d));
    }
    out
}

#[test]
fn right_for_every_kind() {
    let mut random = Random::new(1);
    for kind in BlockKind::ALL {
        let (n_out, n_in, n_rows) = (37, 512, 5);
        let bytes = random.tensor(kind, n_out * n_in);
        let mut w = vec![0.0; n_out * n_in];
        dequantise(kind, &bytes, &mut w).unwrap();
        let m = Matrix::pack(kind, &bytes, n_out, n_in).unwrap();
        assert_eq!(Matrix::planned_bytes(kind, n_out, n_in), m.bytes(), "{}", kind.name());
        let x = random.floats(n_rows * n_in);
        for (precision, r) in PRECISIONS.into_iter().flat_map(|p| (0..n_rows).map(move |r| (p, r))) {
            let found = product(&scalar(), precision, &m, &x[r * n_in..][..n_in]);
            let xr = rounded(kind, precision, &x[r * n_in..][..n_in]);
            for o in 0..n_out {
                let terms = w[o * n_in..][..n_in].iter().zip(&xr).map(|(&w, x)| f64::from(w) * x);
                let (sum, size) = terms.fold((0.0, 0.0), |(s, a), t: f64| (s + t, a + t.abs()));
                // Rounded sums; at 8 bits a half-precision sum of activations where minima are separate (2^-11 of
                // it); at 16 bits up to half a step, 1 / 65,279 of the largest activation, in each term.
                let minima = matches!(kind, BlockKind::Q4_1 | BlockKind::Q5_1);
                let share = match precision {
                    Precision::Eight if minima => 6e-4,
                    Precision::Sixteen if kind.len() > 1 => 4e-5,
                    _ => 3e-6,
                };
                let tolerance = size * share + 1e-6;
                let value = f64::from(found[o]);
                assert!(
                    (value - sum).abs() < tolerance,
                    "{} ({r}, {o}): {value} instead of {sum}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn same_bits_on_every_instruction_set_thread_count_and_batch() {
    let mut random = Random::new(2);
    for kind in BlockKind::ALL {
        let (n_out, n_in, n_rows) = (83, 768, 143);
        let m = Matrix::pack(kind, &random.tensor(kind, n_out * n_in), n_out, n_in).unwrap();
        let x = random.floats(n_rows * n_in);
        let one = scalar();
        for p in PRECISIONS {
            let expected: Vec<f32> = x.chunks(n_in).flat_map(|row| product(&one, p, &m, row)).collect();
            for cpu in cpus() {
                let what = format!("{} {p:?} {cpu:?}", kind.name());
                same(&product(&cpu, p, &m, &x), &expected, &what);
                for n in [1, 2, 3, 7, 15] {
                    same(&product(&cpu, p, &m, &x[..n * n_in]), &expected[..n * n_out], &what);
                }
            }
        }
    }
}

#[test]
fn extreme_codes_do_not_overflow() {
    // All codes at their ends, activations at ±127: the largest sums that the integer parts can meet.
    for kind in [BlockKind::Q8_0, BlockKind::Q5_1, BlockKind::Q5K, BlockKind::Q6K] {
        for code in [0u8, 255, 127, 128] {
            let (n_out, n_in) = (16, 512);
            let mut bytes = vec![code; n_out * kind.row_bytes(n_in).unwrap()];
            for b in bytes.chunks_mut(kind.bytes()) {
                let at = if kind == BlockKind::Q6K { 208 } else { 0 };
                b[at..at + 2].copy_from_slice(&half::f16::from_f32(0.5).to_bits().to_le_bytes());
                if matches!(kind, BlockKind::Q5_1 | BlockKind::Q5K) {
                    b[2..4].copy_from_slice(&half::f16::from_f32(-0.25).to_bits().to_le_bytes());
                }
            }
            let m = Matrix::pack(kind, &bytes, n_out, n_in).unwrap();
            for (sign, p) in
                [(1.0f32, PRECISIONS[0]), (-1.0, PRECISIONS[0]), (1.0, PRECISIONS[1]), (-1.0, PRECISIONS[1])]
            {
                let x = vec![127.0 * sign; n_in];
                let expected = product(&scalar(), p, &m, &x);
                let mut w = vec![0.0; n_in];
                dequantise(kind, &bytes[..kind.row_bytes(n_in).unwrap()], &mut w).unwrap();
                let exact: f64 = w.iter().map(|&w| f64::from(w) * 127.0 * f64::from(sign)).sum();
                let off = (f64::from(expected[0]) - exact).abs();
                assert!(
                    off <= exact.abs() * 1e-3 + 1e-3,
                    "{} {code}: {} instead of {exact}",
                    kind.name(),
                    expected[0]
                );
                for cpu in cpus() {
                    same(
                        &product(&cpu, p, &m, &x),
                        &expected,
                        &format!("{} {code} {p:?} {cpu:?}", kind.name()),
                    );
                }
            }
        }
    }
}

#[test]
fn zeros_and_several_products_at_once() {
    let mut random = Random::new(3);
    let a = Matrix::pack(BlockKind::Q4_1, &random.tensor(BlockKind::Q4_1, 20 * 256), 20, 256).unwrap();
    let b = Matrix::pack(BlockKind::Q6K, &random.tensor(BlockKind::Q6K, 33 * 256), 33, 256).unwrap();
    let x = random.floats(4 * 256);
    for cpu in cpus() {
        let mut acts = Activations::new(Precision::Sixteen);
        acts.fill(&cpu, &x, 256, &[&a, &b]).unwrap();
        let (mut ya, mut yb) = (vec![0.0; 4 * 20], vec![0.0; 4 * 33]);
        let mut products = [Product { matrix: &a, out: &mut ya }, Product { matrix: &b, out: &mut yb }];
        matmul(&cpu, &acts, &mut products).unwrap();
        same(&ya, &product(&scalar(), Precision::Sixteen, &a, &x), "first");
        same(&yb, &product(&scalar(), Precision::Sixteen, &b, &x), "second");
        same(&product(&cpu, Precision::Sixteen, &a, &[0.0; 256]), &[0.0; 20], "zeros");
        same(&product(&cpu, Precision::Sixteen, &b, &[0.0; 256]), &[0.0; 33], "zeros");
    }
}

#[test]
fn shapes_are_checked() {
    let cpu = scalar();
    let m = Matrix::pack(BlockKind::Q8_0, &[0; 34 * 2 * 3], 3, 64).unwrap();
    assert!(Matrix::pack(BlockKind::Q8_0, &[0; 34 * 2 * 3], 4, 64).is_err());
    assert!(Matrix::pack(BlockKind::Q8_0, &[0; 34], 1, 48).is_err());
    assert!(Matrix::pack(BlockKind::Q8_0, &[], 0, 32).is_err());
    let mut acts = Activations::new(Precision::Sixteen);
    assert!(acts.fill(&cpu, &[0.0; 65], 64, &[&m]).is_err());
    assert!(acts.fill(&cpu, &[0.0; 64], 32, &[&m]).is_err());
    acts.fill(&cpu, &[0.0; 64], 64, &[]).unwrap();
    let mut out = [0.0; 3];
    let unprepared = matmul(&cpu, &acts, &mut [Product { matrix: &m, out: &mut out }]);
    assert!(matches!(unprepared, Err(KernelError::Unprepared { kind: "Q8_0", .. })), "{unprepared:?}");
    acts.fill(&cpu, &[0.0; 64], 64, &[&m]).unwrap();
    let error = matmul(&cpu, &acts, &mut [Product { matrix: &m, out: &mut out[..2] }]).unwrap_err();
    assert_eq!(error.to_string(), "matmul: output must be (1, 3) but is (2)");
}
