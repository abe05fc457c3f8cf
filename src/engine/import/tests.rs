use proptest::prelude::*;

use super::*;
use crate::engine::gguf::{Gguf, TensorKind};
use crate::engine::tokenizer::Tokenizer;

/// A tiny file of the format: width 32, one layer, five pieces and two spare rows.
fn sample() -> Vec<u8> {
    let pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁a", "ü"];
    let scores = [0.0_f32, 0.0, 0.0, 0.0, -1.0, -2.0];
    let mut bytes = b"E5S1".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    let shape = [32_i32, 1, 2, 64, 8, 4, 2];
    bytes.extend(shape.iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend(1e-12_f32.to_le_bytes());
    bytes.extend(32_i32.to_le_bytes());
    bytes.extend([6_i32, 0, 2, 1, 3].iter().flat_map(|n| n.to_le_bytes()));
    let blob: Vec<u8> = pieces.concat().into_bytes();
    bytes.extend((blob.len() as u64).to_le_bytes());
    let mut offset = 0_u32;
    bytes.extend(offset.to_le_bytes());
    for piece in pieces {
        offset += piece.len() as u32;
        bytes.extend(offset.to_le_bytes());
    }
    bytes.extend(scores.iter().flat_map(|s| s.to_le_bytes()));
    bytes.extend(blob);
    // One normalisation: ½ → 1⁄2.
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend(17_u32.to_le_bytes());
    bytes.extend(0xbd_u32.to_le_bytes());
    bytes.push(3);
    bytes.extend([0x31_u32, 0x2044, 0x32].iter().flat_map(|c| c.to_le_bytes()));
    tensors(&mut bytes);
    bytes
}

/// Appends the directory and the data; every tensor's bytes are its number.
fn tensors(bytes: &mut Vec<u8>) {
    let (w, f) = (32_u32, 64_u32);
    let mut list: Vec<(String, u8, u32)> = vec![
        ("emb.word".into(), 1, w * 8),
        ("emb.pos".into(), 0, w * 4),
        ("emb.type".into(), 0, w * 2),
        ("emb.ln.w".into(), 0, w),
        ("emb.ln.b".into(), 0, w),
    ];
    let parts = [
        ("q", w * w, w),
        ("k", w * w, w),
        ("v", w * w, w),
        ("ao", w * w, w),
        ("fi", w * f, f),
        ("fo", f * w, w),
    ];
    for (name, weight, bias) in parts {
        list.push((format!("l0.{name}.w"), 1, weight));
        list.push((format!("l0.{name}.b"), 0, bias));
    }
    for name in ["aln", "oln"] {
        list.push((format!("l0.{name}.w"), 0, w));
        list.push((format!("l0.{name}.b"), 0, w));
    }
    let size = |kind: u8, n: u32| u64::from(if kind == 0 { n * 4 } else { n / 32 * 18 });
    let directory: usize = list.iter().map(|(name, ..)| 2 + name.len() + 21).sum();
    let mut offset = (bytes.len() + 4 + directory) as u64;
    bytes.extend((list.len() as i32).to_le_bytes());
    for (name, kind, elements) in &list {
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.push(*kind);
        bytes.extend(elements.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend(size(*kind, *elements).to_le_bytes());
        offset += size(*kind, *elements);
    }
    for (number, (_, kind, elements)) in list.iter().enumerate() {
        bytes.extend(std::iter::repeat_n(number as u8, size(*kind, *elements) as usize));
    }
}

fn import(bytes: &[u8]) -> Result<Vec<u8>, ImportError> {
    let mut out = Vec::new();
    import_e5(bytes, &mut out).map(|_| out)
}

#[test]
fn the_result_is_a_whole_gguf() {
    let bytes = sample();
    let mut out = Vec::new();
    let report = import_e5(&bytes, &mut out).unwrap();
    assert_eq!((report.tensors, report.tokens, report.bytes), (21, 8, out.len() as u64));
    let gguf = Gguf::parse(&out).unwrap();
    assert_eq!(gguf.architecture().unwrap(), "bert");
    assert_eq!(gguf.u32("bert.block_count").unwrap(), 1);
    assert_eq!(gguf.u32("bert.pooling_type").unwrap(), 1);
    assert!(!gguf.bool("bert.attention.causal").unwrap());
    assert_eq!(gguf.str("dossier.embedding.query_prefix").unwrap(), "query: ");
    assert_eq!(gguf.f32("bert.attention.layer_norm_epsilon").unwrap(), 1e-12);
    let word = gguf.tensor("token_embd.weight").unwrap();
    assert_eq!((word.dims.as_slice(), word.kind), ([32, 8].as_slice(), TensorKind::Q4_0));
    let up = gguf.tensor("blk.0.ffn_up.weight").unwrap();
    assert_eq!((up.dims.as_slice(), up.kind), ([32, 64].as_slice(), TensorKind::Q4_0));
    // "l0.fi.w" is the 14th tensor of the sample.
    assert!(up.bytes(&out).iter().all(|byte| *byte == 13));
    assert_eq!(gguf.tensor("blk.0.ffn_down.weight").unwrap().dims, [64, 32]);
    assert_eq!(gguf.tensor("blk.0.layer_output_norm.bias").unwrap().dims, [32]);

    let tokenizer = Tokenizer::from_gguf(&gguf).unwrap();
    assert_eq!(tokenizer.vocab_len(), 8);
    assert_eq!(tokenizer.encode("au\u{308}", true, false), [0, 4, 5, 2]);
    assert_eq!(tokenizer.encode("[PAD6]", false, false), [3]);
}

#[test]
fn damage_is_named() {
    let good = sample();
    let message = |bytes: &[u8]| import(bytes).unwrap_err().to_string();
    assert!(message(b"GGUF").contains("not an e5-small-q4 file"));
    assert!(message(b"").contains("not an e5-small-q4 file"));
    let with = |at: usize, value: i32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    assert!(message(&with(4, 2)).contains("version 2"));
    assert!(message(&with(8, -1)).contains("width: -1"));
    assert!(message(&with(8, i32::MAX)).contains("width"));
    assert!(message(&with(8, 64)).contains("emb.word: 256 elements"));
    assert!(message(&with(16, 3)).contains("heads: 3 do not divide 32"));
    assert!(message(&with(40, 16)).contains("block size: 16"));
    assert!(message(&with(44, 9)).contains("number of pieces"));
    assert!(message(&good[..good.len() - 1]).contains("l0.oln.b"));
    let missing: Vec<u8> = good.clone();
    let at = missing.windows(7).position(|w| w == b"l0.fo.w").unwrap();
    let mut missing = missing;
    missing[at] = b'x';
    assert!(message(&missing).contains("l0.fo.w: is missing"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is done to the bytes, importing ends, and what it writes is a readable GGUF.
    #[test]
    fn mutations_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = sample();
        let head = 700.min(bytes.len()); // the data itself may be anything
        for (at, value) in edits {
            bytes[at.index(head)] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(out) = import(&bytes) {
            prop_assert!(Gguf::parse(&out).is_ok());
        }
    }
}
