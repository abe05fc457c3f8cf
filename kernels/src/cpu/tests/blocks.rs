use crate::KernelError;
use crate::cpu::{BlockKind, Matrix, dequantise};

use super::bits;

/// Made by `testdata/make_blocks.py` with PyPI's `gguf`.
const REFERENCE: &[u8] = include_bytes!("../../../testdata/blocks.bin");

fn u32_at(at: usize) -> u32 {
    u32::from_le_bytes(*REFERENCE[at..].first_chunk().unwrap())
}

#[test]
fn every_kind_equals_the_reference_bit_for_bit() {
    let mut at = 0;
    let mut seen = Vec::new();
    while at < REFERENCE.len() {
        let kind = BlockKind::from_gguf(u32_at(at)).unwrap();
        let n = u32_at(at + 4) as usize;
        let blocks = &REFERENCE[at + 8..][..kind.row_bytes(n).unwrap()];
        at += 8 + blocks.len();
        let expected: Vec<u32> = (0..n).map(|i| u32_at(at + i * 4)).collect();
        at += n * 4;
        let mut out = vec![0.0; n];
        dequantise(kind, blocks, &mut out).unwrap();
        assert_eq!(bits(&out), expected, "{}", kind.name());
        seen.push(kind);
    }
    seen.sort_by_key(|k| k.gguf_id());
    let mut all = BlockKind::ALL.to_vec();
    all.sort_by_key(|k| k.gguf_id());
    assert_eq!(seen, all);
}

#[test]
fn wrong_lengths_are_errors() {
    let mut out = [0.0; 33];
    let odd = dequantise(BlockKind::Q4_0, &[0; 18], &mut out);
    assert!(matches!(odd, Err(KernelError::Multiple { multiple: 32, found: 33, .. })), "{odd:?}");
    let short = dequantise(BlockKind::Q4_0, &[0; 17], &mut out[..32]);
    assert!(matches!(short, Err(KernelError::Shape { .. })), "{short:?}");
    assert!(dequantise(BlockKind::F32, &[], &mut []).is_err());
    assert_eq!(BlockKind::from_gguf(4), None);
    assert_eq!(BlockKind::Q6K.row_bytes(100), None);
}

/// Where each format keeps its half-precision numbers: ggml's structures, field by field.
#[test]
fn a_number_that_is_none_is_found_wherever_a_format_keeps_one() {
    let places: [(BlockKind, &[usize]); 11] = [
        (BlockKind::F32, &[0]),
        (BlockKind::F16, &[0]),
        (BlockKind::BF16, &[0]),
        (BlockKind::Q4_0, &[0]),
        (BlockKind::Q4_1, &[0, 2]),
        (BlockKind::Q5_0, &[0]),
        (BlockKind::Q5_1, &[0, 2]),
        (BlockKind::Q8_0, &[0]),
        (BlockKind::Q4K, &[0, 2]),
        (BlockKind::Q5K, &[0, 2]),
        (BlockKind::Q6K, &[208]),
    ];
    for (kind, places) in places {
        // Codes with all bits set are numbers like others.
        let blocks = if kind.len() == 1 { 4099 } else { 5 };
        let mut good = vec![if kind.len() == 1 { 0 } else { 0xff }; blocks * kind.bytes()];
        for block in good.chunks_exact_mut(kind.bytes()) {
            places.iter().for_each(|at| block[*at..at + 2].copy_from_slice(&[0xff, 0x3b]));
        }
        assert_eq!(kind.first_not_finite(&good), None, "{}", kind.name());
        for (block, at) in [0, blocks - 1].into_iter().flat_map(|b| places.iter().map(move |at| (b, at))) {
            for sign in [0x00, 0x80] {
                let mut bad = good.clone();
                let offset = block * kind.bytes() + at;
                let number: &[u8] = match kind {
                    BlockKind::F32 => &[1, 0, 0x80, 0x7f | sign],
                    BlockKind::BF16 => &[0x80, 0x7f | sign],
                    _ => &[0, 0x7c | sign],
                };
                bad[offset..offset + number.len()].copy_from_slice(number);
                assert_eq!(kind.first_not_finite(&bad), Some(offset), "{} {block} {at}", kind.name());
                let n = blocks * kind.len();
                let error = Matrix::pack(kind, &bad, 1, n).unwrap_err();
                assert_eq!(error, KernelError::NotFinite { offset });
                assert_eq!(dequantise(kind, &bad, &mut vec![0.0; n]), Err(error));
            }
        }
    }
}
