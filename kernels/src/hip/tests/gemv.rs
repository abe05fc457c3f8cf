//! Products of few activation rows with quantised weights, against the processor's products.
//!
//! The card adds the blocks of a row in another order than the processor. Where every product and sum is exact, both
//! must give the same bits: that is where scales are powers of two and activations whole numbers, so that nothing but
//! the integer path decides. Elsewhere the order costs at most some roundings of the sum of magnitudes.

use super::Random;
use super::host::{Arg, Host, as_floats, floats, room};
use super::quantise::quantise;
use crate::cpu::{Activations, BlockKind, Cpu, Matrix, Precision, Product, matmul};
use crate::hip::layout::{CardMatrix, ROWS, pairs};

const KINDS: [(BlockKind, &str); 7] = [
    (BlockKind::Q4_0, "q4_0"),
    (BlockKind::Q4_1, "q4_1"),
    (BlockKind::Q5_0, "q5_0"),
    (BlockKind::Q8_0, "q8_0"),
    (BlockKind::Q4K, "q4_k"),
    (BlockKind::Q5K, "q5_k"),
    (BlockKind::Q6K, "q6_k"),
];
const FLOATS: [(BlockKind, &str); 2] = [(BlockKind::F16, "f16"), (BlockKind::BF16, "bf16")];
const PRECISIONS: [Precision; 2] = [Precision::Eight, Precision::Sixteen];

/// A matrix on both sides.
struct Both {
    name: &'static str,
    cpu: Matrix,
    card: CardMatrix,
}

impl Both {
    fn new(kind: BlockKind, name: &'static str, bytes: &[u8], n_out: usize, n_in: usize) -> Self {
        let cpu = Matrix::pack(kind, bytes, n_out, n_in).unwrap();
        Self { name, cpu, card: CardMatrix::pack(kind, bytes, n_out, n_in).unwrap() }
    }

    fn on_cpu(&self, precision: Precision, x: &[f32]) -> Vec<f32> {
        let cpu = Cpu::new(1);
        let mut acts = Activations::new(precision);
        acts.fill(&cpu, x, self.cpu.n_in(), &[&self.cpu]).unwrap();
        let mut out = vec![0.0; acts.n_rows() * self.cpu.n_out()];
        matmul(&cpu, &acts, &mut [Product { matrix: &self.cpu, out: &mut out }]).unwrap();
        out
    }

    /// With the kernel for `columns` rows at a time, in workgroups of `threads`.
    fn on_card(
        &self,
        host: &mut Host,
        precision: Precision,
        x: &[f32],
        columns: usize,
        threads: usize,
        add: &[f32],
    ) -> Vec<f32> {
        let (n_in, n_out) = (self.card.n_in(), self.card.n_out());
        let n_rows = x.len() / n_in;
        let on_card = quantise(host, self.card.kind().len(), precision, x, n_in);
        let parts = if precision == Precision::Eight { "one" } else { "two" };
        let args = [
            Arg::Buffer(self.card.bytes().to_vec()),
            Arg::Buffer(on_card.codes),
            Arg::Buffer(on_card.infos),
            floats(add),
            room(n_rows * n_out * 4),
            Arg::U32(n_out as u32),
            Arg::U32(pairs(n_in) as u32),
            Arg::U32(n_rows as u32),
            Arg::U32(threads as u32),
        ];
        let kernel = format!("gemv_{}_{columns}_{parts}", self.name);
        let grid = (n_out.div_ceil(ROWS), n_rows.div_ceil(columns));
        as_floats(host.run(&kernel, grid, threads, &args).last().unwrap())
    }
}

/// Sets the scales and minima of all blocks to powers of two, those of sub-blocks to small numbers.
fn with_plain_scales(kind: BlockKind, bytes: &mut [u8]) {
    let plain = |i: usize| half::f16::from_f32([0.5, -0.5, 1.0][i % 3]).to_bits().to_le_bytes();
    for (i, block) in bytes.chunks_mut(kind.bytes()).enumerate() {
        match kind {
            BlockKind::Q4_1 => block[2..4].copy_from_slice(&plain(i / 2)),
            BlockKind::Q4K | BlockKind::Q5K => {
                block[2..4].copy_from_slice(&plain(i / 2));
                block[4..12].iter_mut().for_each(|b| *b &= 3);
                block[12..16].iter_mut().for_each(|b| *b &= 0x33);
            }
            BlockKind::Q6K => block[192..208].iter_mut().for_each(|b| *b = (*b % 5).wrapping_sub(2)),
            _ => {}
        }
        let at = if kind == BlockKind::Q6K { 208 } else { 0 };
        block[at..at + 2].copy_from_slice(&plain(i));
    }
}

/// Whole numbers, one of each block at the top code, so that its scale is 1 and nothing is rounded.
fn whole_numbers(random: &mut Random, n: usize, block: usize, precision: Precision) -> Vec<f32> {
    // Of 16-bit codes few bits are used, in both parts, so that all sums have less than 24.
    let (top, most, step) =
        if precision == Precision::Eight { (127.0, 120.0, 1.0) } else { (32_639.0, 5.0, 129.0) };
    let mut x: Vec<f32> = (0..n).map(|_| (random.unit() * most).trunc() * step).collect();
    // Of the blocks of 256, the first value of the largest magnitude becomes -127.
    let sign = if block == 256 && precision == Precision::Eight { -1.0 } else { 1.0 };
    x.iter_mut().step_by(block).for_each(|v| *v = top * sign);
    x
}

#[test]
fn the_integer_path_is_that_of_the_processor_bit_for_bit() {
    let mut random = Random::new(21);
    let mut host = Host::new();
    for (kind, name) in KINDS {
        for (n_out, blocks) in [(1, 1), (5, 3), (6, 10)] {
            let n_in = blocks * kind.len();
            let mut bytes = random.tensor(kind, n_out * n_in);
            with_plain_scales(kind, &mut bytes);
            let both = Both::new(kind, name, &bytes, n_out, n_in);
            for precision in PRECISIONS {
                let x = whole_numbers(&mut random, 3 * n_in, kind.len(), precision);
                let expected = both.on_cpu(precision, &x);
                for (columns, threads) in [(1, 32), (2, 64), (4, 256), (8, 96)] {
                    let found = both.on_card(&mut host, precision, &x, columns, threads, &[]);
                    let same = found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(
                        same,
                        "{name} ({n_out}, {n_in}) {precision:?}, {columns} × {threads}: {found:?} instead of {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_row_does_not_depend_on_the_rows_beside_it() {
    let mut random = Random::new(22);
    let mut host = Host::new();
    for (kind, name) in KINDS {
        let (n_out, n_in) = (6, if kind.len() == 32 { 1056 } else { 1280 });
        let both = Both::new(kind, name, &random.tensor(kind, n_out * n_in), n_out, n_in);
        let x = random.floats(11 * n_in);
        for precision in PRECISIONS {
            let one = both.on_card(&mut host, precision, &x, 1, 64, &[]);
            for (columns, n_rows) in [(2, 11), (4, 11), (8, 11), (8, 3), (4, 1), (2, 1)] {
                let some = both.on_card(&mut host, precision, &x[..n_rows * n_in], columns, 64, &[]);
                let same = some.iter().zip(&one).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{name} {precision:?}: {n_rows} rows, {columns} at a time");
            }
        }
    }
}

#[test]
fn near_the_processor_with_any_scales() {
    let mut random = Random::new(23);
    let mut host = Host::new();
    for (kind, name) in KINDS {
        for (n_out, n_in, n_rows) in [(9, 768, 2), (5, 2304, 5)] {
            let bytes = random.tensor(kind, n_out * n_in);
            let both = Both::new(kind, name, &bytes, n_out, n_in);
            let mut w = vec![0.0; n_out * n_in];
            crate::cpu::dequantise(kind, &bytes, &mut w).unwrap();
            let x = random.floats(n_rows * n_in);
            let add = random.floats(n_rows * n_out);
            for precision in PRECISIONS {
                let expected = both.on_cpu(precision, &x);
                let found = both.on_card(&mut host, precision, &x, 2, 64, &add);
                for (i, (f, e)) in found.iter().zip(&expected).enumerate() {
                    let (row, o) = (i / n_out, i % n_out);
                    let terms = w[o * n_in..][..n_in].iter().zip(&x[row * n_in..][..n_in]);
                    let size: f64 = terms.map(|(w, x)| f64::from(w * x).abs()).sum();
                    // Each side rounds once for each block, at most half a unit of 2^-23 of the sum of magnitudes, and
                    // some times more for scales and the tree.
                    let tolerance = size * (2.0 * (n_in / 32) as f64 + 16.0) * 2f64.powi(-24);
                    let off = (f64::from(*f) - f64::from(*e) - f64::from(add[i])).abs();
                    assert!(off <= tolerance + 1e-7, "{name} ({row}, {o}): {f} instead of {e} + {}", add[i]);
                }
            }
        }
    }
}

#[test]
fn unquantised_weights_are_near_double_precision_and_rows_apart() {
    let mut random = Random::new(24);
    let mut host = Host::new();
    for (kind, name) in FLOATS {
        for (n_out, n_in) in [(1, 8), (6, 200), (5, 1001)] {
            let bytes = random.tensor(kind, n_out * n_in);
            let card = CardMatrix::pack(kind, &bytes, n_out, n_in).unwrap();
            let mut w = vec![0.0; n_out * n_in];
            crate::cpu::dequantise(kind, &bytes, &mut w).unwrap();
            let (n_rows, chunks) = (5, n_in.div_ceil(8));
            let x = random.floats(n_rows * n_in);
            let mut wide = vec![0.0; n_rows * chunks * 8];
            wide.chunks_mut(chunks * 8).zip(x.chunks(n_in)).for_each(|(to, x)| to[..n_in].copy_from_slice(x));
            let mut first = None;
            for (columns, threads) in [(1, 64), (2, 64), (4, 64), (8, 64)] {
                let args = [
                    Arg::Buffer(card.bytes().to_vec()),
                    floats(&wide),
                    Arg::Buffer(Vec::new()),
                    room(n_rows * n_out * 4),
                    Arg::U32(n_out as u32),
                    Arg::U32(chunks as u32),
                    Arg::U32(n_rows as u32),
                    Arg::U32(threads as u32),
                ];
                let grid = (n_out.div_ceil(ROWS), n_rows.div_ceil(columns));
                let out = host.run(&format!("gemv_{name}_{columns}"), grid, threads, &args);
                let found = as_floats(out.last().unwrap());
                for (i, f) in found.iter().enumerate() {
                    let terms = w[i % n_out * n_in..][..n_in].iter().zip(&x[i / n_out * n_in..][..n_in]);
                    let terms = terms.map(|(w, x)| f64::from(*w) * f64::from(*x));
                    let (sum, size) = terms.fold((0.0, 0.0), |(s, a), t| (s + t, a + t.abs()));
                    // A thread adds at most every 64th chunk, then come six steps of the tree.
                    let steps = (8 * chunks.div_ceil(threads) + 8) as f64;
                    assert!(
                        (f64::from(*f) - sum).abs() <= size * steps * 2f64.powi(-24),
                        "{name} {i}: {f}, {sum}"
                    );
                }
                let bits: Vec<u32> = found.iter().map(|f| f.to_bits()).collect();
                assert_eq!(
                    first.get_or_insert_with(|| bits.clone()),
                    &bits,
                    "{name}: {columns} rows at a time"
                );
            }
        }
    }
}

#[test]
fn kinds_without_kernels_are_refused() {
    for kind in [BlockKind::F32, BlockKind::Q5_1] {
        let error = CardMatrix::pack(kind, &[], 1, 32).unwrap_err();
        assert!(error.to_string().contains(kind.name()), "{error}");
    }
}
