//! Experts in quantised files: the router's tokens reach the right blocks, whoever else is computed.

#![expect(clippy::print_stdout, reason = "the figures that the manual names, with --no-capture")]

use std::path::{Path, PathBuf};

use dossier::engine::gguf::{Gguf, TensorKind, Value, Writer};
use dossier::engine::{Generator, Session, Together};
use kernels::cpu::{BlockKind, dequantise};

/// Width of the model and of its experts: a block of the kinds with 256 weights.
const WIDTH: usize = 256;

/// Numbers that repeat (Steele, Lea and Flood's SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// `n` weights of `kind` around 0 that are some 1/16 large.
    fn blocks(&mut self, kind: TensorKind, n: usize) -> Vec<u8> {
        let half = |x: f32| half_bits(x).to_le_bytes();
        let size = kind.bytes_for(kind.block_elements()).unwrap();
        let mut bytes: Vec<u8> = (0..kind.bytes_for(n).unwrap()).map(|_| self.next() as u8).collect();
        for block in bytes.chunks_exact_mut(size) {
            match kind {
                TensorKind::Q8_0 => block[..2].copy_from_slice(&half(8.5e-4)),
                TensorKind::Q4_K => {
                    block[..2].copy_from_slice(&half(4.2e-4));
                    block[2..4].copy_from_slice(&half(3.2e-3));
                }
                _ => block.copy_from_slice(&((f32::from(block[0]) - 127.5) / 1200.0).to_le_bytes()),
            }
        }
        bytes
    }
}

/// A positive number that half precision holds about as it is.
fn half_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    ((bits >> 13 & 0x3ff) | ((bits >> 23) - 112) << 10) as u16
}

/// A model of six experts with random weights of `kind`, at one path as they are and at the other widened to 32 bits.
fn models(kind: TensorKind, folder: &Path) -> [PathBuf; 2] {
    let like = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/engine/shapes/qwen3moe.gguf");
    let bytes = std::fs::read(like).unwrap();
    let like = Gguf::parse(&bytes).unwrap();
    let mut random = Random(7);
    let mut tensors = Vec::new();
    for tensor in like.tensors() {
        let dims: Vec<usize> = match (tensor.name.rsplit('.').nth(1).unwrap(), tensor.dims.as_slice()) {
            ("ffn_gate_exps" | "ffn_up_exps" | "ffn_down_exps", dims) => vec![WIDTH, WIDTH, dims[2]],
            ("attn_output", dims) => vec![dims[0], WIDTH],
            ("attn_q_norm" | "attn_k_norm", dims) => dims.to_vec(),
            (_, dims) => [&[WIDTH], &dims[1..]].concat(),
        };
        let n = dims.iter().product();
        let own = if dims.len() == 3 { kind } else { TensorKind::F32 };
        let data = if dims.len() == 1 { 1f32.to_le_bytes().repeat(n) } else { random.blocks(own, n) };
        tensors.push((tensor.name.clone(), dims, own, data));
    }
    let widened: Vec<_> = tensors
        .iter()
        .map(|(name, dims, kind, data)| {
            let mut wide = vec![0.0; dims.iter().product()];
            dequantise(BlockKind::from_gguf(kind.id()).unwrap(), data, &mut wide).unwrap();
            let data = wide.iter().flat_map(|v| v.to_le_bytes()).collect();
            (name.clone(), dims.clone(), TensorKind::F32, data)
        })
        .collect();
    [("own", tensors), ("wide", widened)].map(|(name, tensors)| {
        let mut writer = Writer::new();
        for (key, value) in like.metadata() {
            let wider = ["qwen3moe.embedding_length", "qwen3moe.expert_feed_forward_length"];
            let value = if wider.contains(&key.as_str()) { Value::U32(WIDTH as u32) } else { value.clone() };
            writer.set(key.clone(), value);
        }
        for (name, dims, kind, data) in &tensors {
            writer.tensor(name.clone(), dims, *kind, data);
        }
        let path = folder.join(format!("{name}.gguf"));
        writer.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
        path
    })
}

#[test]
fn quantised_experts_compute_what_their_weights_say() {
    for kind in [TensorKind::Q8_0, TensorKind::Q4_K] {
        let folder = tempfile::tempdir().unwrap();
        let [own, wide] = models(kind, folder.path());
        let (own, wide) = (Generator::open(&own, 2, 128).unwrap(), Generator::open(&wide, 2, 128).unwrap());
        let tokens: Vec<u32> = (0..40).map(|i| i * 37 % 317).collect();
        let rows = |model: &Generator| {
            let mut rows = Vec::new();
            model.session().unwrap().feed_each(&tokens, |row| rows.push(row.to_vec())).unwrap();
            rows.concat()
        };
        let (found, expected) = (rows(&own), rows(&wide));
        let size = (expected.iter().map(|v| v * v).sum::<f32>() / expected.len() as f32).sqrt();
        let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        println!("{}: {worst:.1e} of {size:.2}", kind.name());
        // What activations of 16 bits and keys and values in half precision leave.
        assert!(worst < 2e-3 * size, "{}: {worst} of {size}", kind.name());

        // Eight texts together, whose tokens go through other experts, and each alone on one thread.
        let mut sessions: Vec<Session<'_>> = (0..8).map(|_| own.session().unwrap()).collect();
        let texts: Vec<Vec<u32>> =
            (0..8).map(|i| (0..5 + i).map(|t| (t * 53 + i * 31) % 317).collect()).collect();
        let parts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
        let mut step = Together::default();
        let together = step.feed(&mut sessions, &parts).unwrap();
        for (text, row) in texts.iter().zip(together) {
            let bits = |row: &[f32]| row.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(own.session().unwrap().feed(text).unwrap()), bits(row), "{}", kind.name());
        }
    }
}
