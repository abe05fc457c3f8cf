//! Activations become the same codes as on the processor, bit for bit.

use super::Random;
use super::host::{Arg, Host, floats, room};
use crate::cpu::{Activations, BlockKind, Cpu, Matrix, Precision};
use crate::hip::layout::pairs;

/// What the card holds of some activation rows.
pub(super) struct OnCard {
    /// Codes.
    pub(super) codes: Vec<u8>,
    /// Scales and sums.
    pub(super) infos: Vec<u8>,
}

/// Quantises rows for weights in blocks of `block` values.
pub(super) fn quantise(
    host: &mut Host,
    block: usize,
    precision: Precision,
    x: &[f32],
    n_in: usize,
) -> OnCard {
    let parts = if precision == Precision::Eight { 1 } else { 2 };
    let kernel = format!("quantise_{block}_{}", if parts == 1 { "one" } else { "two" });
    let (n_rows, n_units) = (x.len() / n_in, pairs(n_in) * 2);
    let args = [
        floats(x),
        room(n_rows * n_units * 32 * parts),
        room(n_rows * n_units * 16),
        Arg::U32(n_in as u32),
        Arg::U32(n_units as u32),
    ];
    let mut out = host.run(&kernel, (n_in.next_multiple_of(64).div_ceil(1024), n_rows), 128, &args);
    let infos = out.pop().unwrap();
    OnCard { codes: out.pop().unwrap(), infos }
}

/// The same from the processor's kernels.
fn expected(block: usize, precision: Precision, x: &[f32], n_in: usize) -> OnCard {
    let kind = if block == 32 { BlockKind::Q4_0 } else { BlockKind::Q4K };
    let matrix = Matrix::pack(kind, &vec![0; kind.row_bytes(n_in).unwrap()], 1, n_in).unwrap();
    let cpu = Cpu::new(1);
    let mut acts = Activations::new(precision);
    acts.fill(&cpu, x, n_in, &[&matrix]).unwrap();
    let mut out = OnCard { codes: Vec::new(), infos: Vec::new() };
    let mut unit = |quads: &[i32; 8], low: &[i32; 8], d: f32, s: f32, halves: [i32; 2]| {
        out.codes.extend(quads.iter().flat_map(|q| q.to_le_bytes()));
        if precision == Precision::Sixteen {
            out.codes.extend(low.iter().flat_map(|q| q.to_le_bytes()));
        }
        out.infos.extend(d.to_le_bytes());
        out.infos.extend(s.to_le_bytes());
        out.infos.extend(halves.iter().flat_map(|q| q.to_le_bytes()));
    };
    for row in 0..x.len() / n_in {
        for b in 0..n_in / block {
            if block == 32 {
                let all = acts.rows32(row);
                let [a] = all.block::<1>(b);
                // The processor keeps the sum of a unit alone; the halves are summed here.
                let half = |from: usize| -> i32 {
                    (from..from + 4).map(|i| whole_codes(a.quads[i], a.low[i], precision)).sum()
                };
                let halves = [half(0), half(4)];
                assert_eq!(halves[0] + halves[1], -a.minus_sum);
                unit(&a.quads, &a.low, a.d, a.s, halves);
            } else {
                let all = acts.rows256(row);
                let [a] = all.block::<1>(b);
                for j in 0..8 {
                    unit(&a.quads[j], &a.low[j], a.d, a.pairs[j], [a.sums[2 * j], a.sums[2 * j + 1]]);
                }
            }
        }
        if n_in / 32 % 2 == 1 {
            unit(&[0; 8], &[0; 8], 0.0, 0.0, [0; 2]);
        }
    }
    out
}

/// The sum of the four whole codes of a quad.
fn whole_codes(quad: i32, low: i32, precision: Precision) -> i32 {
    let sum = |q: i32| q.to_le_bytes().iter().map(|b| i32::from(b.cast_signed())).sum::<i32>();
    if precision == Precision::Eight { sum(quad) } else { sum(quad) * 256 + sum(low) }
}

/// Rows with what rounding may get wrong: ties, zeros of both signs, small and large numbers, equal peaks.
fn rows(random: &mut Random, n_rows: usize, n_in: usize) -> Vec<f32> {
    let mut x = random.floats(n_rows * n_in);
    for (i, v) in x.iter_mut().enumerate() {
        match i / n_in % 7 {
            1 => *v = ((*v * 254.0) as i32) as f32 / 2.0,
            2 => *v = if i % 2 == 0 { 0.0 } else { -0.0 },
            3 => *v *= 1e-33,
            4 => *v *= 3e4,
            5 => *v = if i % 3 == 0 { -4.0 } else { 4.0 },
            6 => *v *= 1e-6,
            _ => {}
        }
    }
    x
}

#[test]
fn codes_and_scales_are_those_of_the_processor() {
    let mut random = Random::new(11);
    let mut host = Host::new();
    for (block, n_in) in [(32, 32), (32, 96), (32, 576), (32, 1056), (32, 2080), (256, 256), (256, 1280)] {
        for precision in [Precision::Eight, Precision::Sixteen] {
            for n_rows in [1, 7] {
                let x = rows(&mut random, n_rows, n_in);
                let found = quantise(&mut host, block, precision, &x, n_in);
                let expected = expected(block, precision, &x, n_in);
                let what = format!("blocks of {block}, {precision:?}, ({n_rows}, {n_in})");
                assert!(found.codes == expected.codes, "codes: {what}");
                let wrong = found.infos.chunks(16).zip(expected.infos.chunks(16)).position(|(a, b)| a != b);
                assert_eq!(wrong, None, "scales or sums of that unit: {what}");
                assert_eq!(found.infos.len(), expected.infos.len());
            }
        }
    }
}

#[test]
fn what_is_next_to_zero_becomes_zero() {
    let mut host = Host::new();
    for block in [32, 256] {
        for precision in [Precision::Eight, Precision::Sixteen] {
            let found = quantise(&mut host, block, precision, &[1e-40, -1e-42].repeat(block / 2), block);
            assert!(found.codes.iter().all(|&b| b == 0), "{block} {precision:?}: {:?}", found.codes);
        }
    }
}
