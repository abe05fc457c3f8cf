use crate::KernelError;
use crate::cpu::{BlockKind, dequantise};

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
