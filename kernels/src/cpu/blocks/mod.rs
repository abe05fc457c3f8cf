//! The tensor types of GGUF files: sizes, and rows back to f32.

mod decode;
mod finite;

pub(crate) use finite::{BRAIN, HALF, all_finite};

pub(crate) use decode::{Block32, Block256, block32, block256};

use super::simd::half_to_f32;
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// A tensor type. Quantised rows are sequences of blocks; a row's length is a multiple of [`BlockKind::len`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the format")]
pub enum BlockKind {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4K,
    Q5K,
    Q6K,
}

impl BlockKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::F32,
        Self::F16,
        Self::BF16,
        Self::Q4_0,
        Self::Q4_1,
        Self::Q5_0,
        Self::Q5_1,
        Self::Q8_0,
        Self::Q4K,
        Self::Q5K,
        Self::Q6K,
    ];

    /// The kind with this number in a GGUF tensor table.
    pub fn from_gguf(id: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.gguf_id() == id)
    }

    /// The number in a GGUF tensor table.
    pub fn gguf_id(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::Q4_0 => 2,
            Self::Q4_1 => 3,
            Self::Q5_0 => 6,
            Self::Q5_1 => 7,
            Self::Q8_0 => 8,
            Self::Q4K => 12,
            Self::Q5K => 13,
            Self::Q6K => 14,
            Self::BF16 => 30,
        }
    }

    /// The usual name, such as `Q4_K`.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::BF16 => "BF16",
            Self::Q4_0 => "Q4_0",
            Self::Q4_1 => "Q4_1",
            Self::Q5_0 => "Q5_0",
            Self::Q5_1 => "Q5_1",
            Self::Q8_0 => "Q8_0",
            Self::Q4K => "Q4_K",
            Self::Q5K => "Q5_K",
            Self::Q6K => "Q6_K",
        }
    }

    /// Weights in a block.
    #[allow(clippy::len_without_is_empty, reason = "a block is never empty")]
    pub fn len(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::BF16 => 1,
            Self::Q4_0 | Self::Q4_1 | Self::Q5_0 | Self::Q5_1 | Self::Q8_0 => 32,
            Self::Q4K | Self::Q5K | Self::Q6K => 256,
        }
    }

    /// Bytes of a block.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
            Self::Q4_0 => 18,
            Self::Q4_1 => 20,
            Self::Q5_0 => 22,
            Self::Q5_1 => 24,
            Self::Q8_0 => 34,
            Self::Q4K => 144,
            Self::Q5K => 176,
            Self::Q6K => 210,
        }
    }

    /// Bytes of a row of `n` weights; `None` where `n` is no multiple of the block's length or too large.
    pub fn row_bytes(self, n: usize) -> Option<usize> {
        n.is_multiple_of(self.len()).then(|| (n / self.len()).checked_mul(self.bytes()))?
    }
}

/// Turns blocks back into numbers; `out.len()` weights, exactly as many as `bytes` holds.
///
/// # Errors
/// `out` is no whole number of blocks, `bytes` has another length than they take, or holds something that is no number.
pub fn dequantise(kind: BlockKind, bytes: &[u8], out: &mut [f32]) -> Result<(), KernelError> {
    const OP: &str = "dequantise";
    check_multiple(OP, "row length", out.len(), kind.len())?;
    check_len(OP, "bytes", bytes.len(), &[out.len() / kind.len(), kind.bytes()])?;
    check_finite(kind, bytes)?;
    match kind {
        BlockKind::F32 => {
            out.iter_mut().zip(bytes.as_chunks::<4>().0).for_each(|(o, b)| *o = f32::from_le_bytes(*b));
        }
        BlockKind::F16 => {
            let halves = bytes.as_chunks::<2>().0;
            out.iter_mut().zip(halves).for_each(|(o, b)| *o = half_to_f32(u16::from_le_bytes(*b)));
        }
        BlockKind::BF16 => {
            let words = bytes.as_chunks::<2>().0;
            let widen = |b: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*b)) << 16);
            out.iter_mut().zip(words).for_each(|(o, b)| *o = widen(b));
        }
        _ if kind.len() == 32 => {
            let blocks = bytes.chunks_exact(kind.bytes());
            out.as_chunks_mut::<32>().0.iter_mut().zip(blocks).for_each(|(o, b)| block32(kind, b).values(o));
        }
        _ => {
            let blocks = bytes.chunks_exact(kind.bytes());
            out.as_chunks_mut::<256>()
                .0
                .iter_mut()
                .zip(blocks)
                .for_each(|(o, b)| block256(kind, b).values(o));
        }
    }
    Ok(())
}

/// Refuses weights that are no numbers.
pub(crate) fn check_finite(kind: BlockKind, bytes: &[u8]) -> Result<(), KernelError> {
    match kind.first_not_finite(bytes) {
        Some(offset) => Err(KernelError::NotFinite { offset }),
        None => Ok(()),
    }
}
