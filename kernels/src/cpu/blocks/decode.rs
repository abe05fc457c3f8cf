//! One block at a time into codes and scales: the form that both the row decoder and the packer use.

use super::{BlockKind, half_to_f32};

/// 32 weights: weight = d × (q − offset) + m.
#[derive(Debug, Clone)]
pub(crate) struct Block32 {
    /// Scale, as IEEE half.
    pub(crate) d: u16,
    /// Minimum, as IEEE half; only where the kind has one.
    pub(crate) m: Option<u16>,
    /// What is subtracted from a code.
    pub(crate) offset: u8,
    /// Unsigned codes.
    pub(crate) q: [u8; 32],
}

/// 256 weights in sub-blocks: weight = (d × scale) × (q − offset) − (dmin × min).
#[derive(Debug, Clone)]
pub(crate) struct Block256 {
    /// Scale of the scales, as IEEE half.
    pub(crate) d: u16,
    /// Scale of the minima, as IEEE half; 0 where the kind has none.
    pub(crate) dmin: u16,
    /// Scales of the sub-blocks: 8 of 32 weights, or 16 of 16 weights.
    pub(crate) scales: [i8; 16],
    /// Minima of the 8 sub-blocks; none where `offset` is not 0.
    pub(crate) mins: [u8; 8],
    /// Weights in a sub-block: 16 or 32.
    pub(crate) sub: usize,
    /// What is subtracted from a code.
    pub(crate) offset: u8,
    /// Unsigned codes.
    pub(crate) q: [u8; 256],
}

impl Block32 {
    /// The weights.
    pub(crate) fn values(&self, out: &mut [f32; 32]) {
        let d = half_to_f32(self.d);
        for (o, &q) in out.iter_mut().zip(&self.q) {
            *o = d * f32::from(i16::from(q) - i16::from(self.offset));
        }
        if let Some(m) = self.m {
            let m = half_to_f32(m);
            out.iter_mut().for_each(|o| *o += m);
        }
    }
}

impl Block256 {
    /// The weights.
    pub(crate) fn values(&self, out: &mut [f32; 256]) {
        let (d, dmin) = (half_to_f32(self.d), half_to_f32(self.dmin));
        let subs = out.chunks_exact_mut(self.sub).zip(self.q.chunks_exact(self.sub));
        for (i, (out, q)) in subs.enumerate() {
            let scale = d * f32::from(self.scales[i % 16]);
            let min = if self.offset == 0 { dmin * f32::from(self.mins[i % 8]) } else { 0.0 };
            for (o, &q) in out.iter_mut().zip(q) {
                *o = scale * f32::from(i16::from(q) - i16::from(self.offset)) - min;
            }
        }
    }
}

fn half_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

/// Codes of 16 bytes: low halves first, then high halves.
fn nibbles(b: &[u8], q: &mut [u8; 32]) {
    for (j, &byte) in b[..16].iter().enumerate() {
        q[j] = byte & 15;
        q[j + 16] = byte >> 4;
    }
}

/// Reads one block of a kind with 32 weights; `b` has exactly `kind.bytes()` bytes.
pub(crate) fn block32(kind: BlockKind, b: &[u8]) -> Block32 {
    let mut q = [0u8; 32];
    let d = half_at(b, 0);
    let (m, offset) = match kind {
        BlockKind::Q4_0 => (None, 8),
        BlockKind::Q5_0 => (None, 16),
        BlockKind::Q8_0 => (None, 128),
        _ => (Some(half_at(b, 2)), 0),
    };
    match kind {
        BlockKind::Q4_0 => nibbles(&b[2..], &mut q),
        BlockKind::Q4_1 => nibbles(&b[4..], &mut q),
        BlockKind::Q8_0 => q.iter_mut().zip(&b[2..34]).for_each(|(q, &v)| *q = v ^ 0x80),
        _ => {
            let at = if m.is_some() { 4 } else { 2 };
            let high = u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
            nibbles(&b[at + 4..], &mut q);
            q.iter_mut().enumerate().for_each(|(j, q)| *q |= ((high >> j & 1) << 4) as u8);
        }
    }
    Block32 { d, m, offset, q }
}

/// Reads one block of a kind with 256 weights; `b` has exactly `kind.bytes()` bytes.
pub(crate) fn block256(kind: BlockKind, b: &[u8]) -> Block256 {
    if kind == BlockKind::Q6K {
        return block_q6k(b);
    }
    let mut block = Block256 {
        d: half_at(b, 0),
        dmin: half_at(b, 2),
        scales: [0; 16],
        mins: [0; 8],
        sub: 32,
        offset: 0,
        q: [0; 256],
    };
    six_bit_pairs(&b[4..16], &mut block);
    let low = if kind == BlockKind::Q5K { &b[48..176] } else { &b[16..144] };
    for (chunk, bytes) in low.chunks_exact(32).enumerate() {
        for (l, &byte) in bytes.iter().enumerate() {
            block.q[chunk * 64 + l] = byte & 15;
            block.q[chunk * 64 + 32 + l] = byte >> 4;
        }
    }
    if kind == BlockKind::Q5K {
        for (i, q) in block.q.iter_mut().enumerate() {
            *q |= (b[16 + i % 32] >> (i / 32) & 1) << 4;
        }
    }
    block
}

/// Eight scales and eight minima of 6 bits in 12 bytes: the first four of each lie in the low bits of bytes 0 to
/// 7, whose two high bits complete the last four.
fn six_bit_pairs(b: &[u8], block: &mut Block256) {
    for j in 0..4 {
        block.scales[j] = (b[j] & 63).cast_signed();
        block.mins[j] = b[j + 4] & 63;
        block.scales[j + 4] = (b[j + 8] & 15 | b[j] >> 6 << 4).cast_signed();
        block.mins[j + 4] = b[j + 8] >> 4 | b[j + 4] >> 6 << 4;
    }
}

fn block_q6k(b: &[u8]) -> Block256 {
    let mut q = [0u8; 256];
    let (low, rest) = b.split_at(128);
    let (high, rest) = rest.split_at(64);
    for (i, q) in q.iter_mut().enumerate() {
        // Two halves of 128 weights; in each, four runs of 32: the first two runs in the low bits of 64 bytes, the
        // others in their high bits; two more bits per weight in 32 bytes, one pair for each run.
        let (half, run, l) = (i / 128, i % 128 / 32, i % 32);
        let bits = low[half * 64 + run % 2 * 32 + l] >> (run / 2 * 4) & 15;
        *q = bits | (high[half * 32 + l] >> (run * 2) & 3) << 4;
    }
    let mut scales = [0i8; 16];
    scales.iter_mut().zip(rest).for_each(|(s, &v)| *s = v.cast_signed());
    Block256 { d: half_at(b, 208), dmin: 0, scales, mins: [0; 8], sub: 16, offset: 32, q }
}
