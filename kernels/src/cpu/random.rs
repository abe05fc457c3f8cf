//! Random numbers and weights for the tests.

use super::BlockKind;

/// A fixed sequence of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    /// Uniform in -1 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.bits() as f32 / (1u32 << 30) as f32 - 1.0
    }

    pub(crate) fn floats(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.unit()).collect()
    }

    /// Blocks with random codes and scales that keep the weights near -1 to 1.
    pub(crate) fn tensor(&mut self, kind: BlockKind, n_weights: usize) -> Vec<u8> {
        let half = |x: f32| half::f16::from_f32(x).to_bits().to_le_bytes();
        let mut out = Vec::new();
        for _ in 0..n_weights / kind.len() {
            let mut b: Vec<u8> = (0..kind.bytes()).map(|_| self.bits() as u8).collect();
            match kind {
                BlockKind::F32 => b.copy_from_slice(&self.unit().to_le_bytes()),
                BlockKind::F16 => b.copy_from_slice(&half(self.unit())),
                BlockKind::BF16 => b.copy_from_slice(&self.unit().to_le_bytes()[2..]),
                BlockKind::Q4_0 | BlockKind::Q5_0 | BlockKind::Q8_0 => {
                    b[..2].copy_from_slice(&half(self.unit() / 32.0));
                }
                BlockKind::Q4_1 | BlockKind::Q5_1 => {
                    b[..2].copy_from_slice(&half(self.unit() / 32.0));
                    b[2..4].copy_from_slice(&half(self.unit()));
                }
                BlockKind::Q4K | BlockKind::Q5K => {
                    b[..2].copy_from_slice(&half(self.unit() / 1024.0));
                    b[2..4].copy_from_slice(&half(self.unit() / 64.0));
                }
                BlockKind::Q6K => b[208..].copy_from_slice(&half(self.unit() / 4096.0)),
            }
            out.extend(b);
        }
        out
    }
}
