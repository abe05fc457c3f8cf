//! Weights as the kernels in `kernels/hip` read them.
//!
//! Rows are taken in groups of [`ROWS`], columns in *units* of 32 and *pairs* of units; missing rows and units are zeros.
//! A tensor is one run of planes, each an array of 16 bytes `[group][line][pair]`, so that neighbouring GPU threads, which
//! take neighbouring pairs, load neighbouring 16 bytes. It has as many bytes as the blocks of the file, but for what is
//! filled up. The head of each `gemv_*.hip` names its planes in their order.

use crate::KernelError;
use crate::cpu::{Block32, Block256, BlockKind, block32, block256, check_finite};
use crate::error::{check_len, check_multiple};

/// Rows of a group: one workgroup's.
pub(crate) const ROWS: usize = 4;

/// A weight matrix (n_out, n_in), in the layout of the card.
#[derive(Debug)]
pub struct CardMatrix {
    kind: BlockKind,
    n_out: usize,
    n_in: usize,
    bytes: Vec<u8>,
}

impl CardMatrix {
    /// Lays out `bytes`, the rows of a tensor (n_out, n_in) as a GGUF file holds them.
    ///
    /// # Errors
    /// There are no kernels for the kind (F32, Q5_1); a dimension is 0, `n_in` is no multiple of the kind's block, `bytes` has
    /// another length or holds something that is no number.
    pub fn pack(kind: BlockKind, bytes: &[u8], n_out: usize, n_in: usize) -> Result<Self, KernelError> {
        const OP: &str = "pack for the card";
        let planes = planes(kind);
        if planes.is_empty() {
            let what = format!("no kernel of the card reads {} weights", kind.name());
            return Err(KernelError::Argument { op: OP, what });
        }
        check_multiple(OP, "row length", n_in, kind.len())?;
        check_multiple(OP, "rows", n_out, 1)?;
        check_len(OP, "bytes", bytes.len(), &[n_out, n_in / kind.len(), kind.bytes()])?;
        check_finite(kind, bytes)?;
        let rows = Rows { kind, bytes, n_out, n_in };
        let mut out = Vec::new();
        planes.iter().for_each(|plane| rows.plane(*plane, &mut out));
        Ok(Self { kind, n_out, n_in, bytes: out })
    }

    /// The weights' type.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Output rows.
    pub fn n_out(&self) -> usize {
        self.n_out
    }

    /// Input columns.
    pub fn n_in(&self) -> usize {
        self.n_in
    }

    /// What is copied to the card.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Pairs of units in a row of `n_in` columns.
#[cfg(test)]
pub(crate) fn pairs(n_in: usize) -> usize {
    n_in.div_ceil(64)
}

/// A part of what is known about weights, for all rows and columns.
#[derive(Debug, Clone, Copy)]
enum Plane {
    /// 16 bytes of a unit: columns 0 to 15 in the low halves, 16 to 31 in the high ones. Lines: row, half of the pair.
    Four,
    /// Signed codes: 16 columns. Lines: row, half of the pair, half of the unit.
    Eight,
    /// A word for each row: bit 8b + i is the fifth of column 4i + b. Lines: half of the pair.
    Fifth,
    /// Two words for each unit of a pair: bits 8b + 2i and 8b + 2i + 1 of word h are the fifth and sixth of column
    /// 16h + 4i + b. Lines: row.
    Sixth,
    /// Half-precision scales of the rows' two units. One line.
    Scales,
    /// Half-precision scale and minimum of each row. Lines: half of the pair.
    ScalesAndMinima,
    /// The first 16 bytes of a block of 256 as the file has them. Lines: row; of blocks instead of pairs.
    Heads,
    /// Two signed bytes for each unit of the rows. One line.
    ByteScales,
    /// Half-precision scales of the rows' blocks of 256: 8 bytes a block. One line; of blocks instead of pairs.
    BlockScales,
    /// Eight columns of two bytes each. Lines: row; of eights instead of pairs.
    Halves,
}

/// The planes of a kind, in their order; none where there are no kernels.
fn planes(kind: BlockKind) -> &'static [Plane] {
    match kind {
        BlockKind::F16 | BlockKind::BF16 => &[Plane::Halves],
        BlockKind::Q4_0 => &[Plane::Four, Plane::Scales],
        BlockKind::Q4_1 => &[Plane::Four, Plane::ScalesAndMinima],
        BlockKind::Q5_0 => &[Plane::Four, Plane::Fifth, Plane::Scales],
        BlockKind::Q8_0 => &[Plane::Eight, Plane::Scales],
        BlockKind::Q4K => &[Plane::Four, Plane::Heads],
        BlockKind::Q5K => &[Plane::Four, Plane::Fifth, Plane::Heads],
        BlockKind::Q6K => &[Plane::Four, Plane::Sixth, Plane::ByteScales, Plane::BlockScales],
        BlockKind::F32 | BlockKind::Q5_1 => &[],
    }
}

/// The source rows.
struct Rows<'a> {
    kind: BlockKind,
    bytes: &'a [u8],
    n_out: usize,
    n_in: usize,
}

impl Rows<'_> {
    /// The bytes of block `block` of row `row`; `None` where it is filled up.
    fn block(&self, row: usize, block: usize) -> Option<&[u8]> {
        let (size, blocks) = (self.kind.bytes(), self.n_in / self.kind.len());
        let at = (row < self.n_out && block < blocks).then(|| (row * blocks + block) * size)?;
        self.bytes.get(at..at + size)
    }

    fn block32(&self, row: usize, unit: usize) -> Option<Block32> {
        self.block(row, unit).map(|b| block32(self.kind, b))
    }

    fn block256(&self, row: usize, block: usize) -> Option<Block256> {
        self.block(row, block).map(|b| block256(self.kind, b))
    }

    /// The codes of a unit, not yet lessened by the kind's offset.
    fn codes(&self, row: usize, unit: usize) -> [u8; 32] {
        if self.kind.len() == 32 {
            return self.block32(row, unit).map_or([0; 32], |b| b.q);
        }
        let codes = self.block256(row, unit / 8).and_then(|b| b.q.as_chunks::<32>().0.get(unit % 8).copied());
        codes.unwrap_or([0; 32])
    }

    /// Appends a plane.
    fn plane(&self, plane: Plane, out: &mut Vec<u8>) {
        let pairs = self.n_in.div_ceil(64);
        let (lines, length) = match plane {
            Plane::Four => (ROWS * 2, pairs),
            Plane::Eight => (ROWS * 4, pairs),
            Plane::Fifth | Plane::ScalesAndMinima => (2, pairs),
            Plane::Sixth => (ROWS, pairs),
            Plane::Scales | Plane::ByteScales => (1, pairs),
            Plane::Heads => (ROWS, self.n_in / 256),
            Plane::BlockScales => (1, self.n_in / 256),
            Plane::Halves => (ROWS, self.n_in.div_ceil(8)),
        };
        for group in 0..self.n_out.div_ceil(ROWS) {
            for line in 0..lines {
                for at in 0..length {
                    self.cell(plane, group * ROWS, line, at, out);
                }
            }
        }
    }

    /// Appends what a plane has at a place of a group, whose first row is `row`.
    fn cell(&self, plane: Plane, row: usize, line: usize, at: usize, out: &mut Vec<u8>) {
        let each = |i: usize| (row + i / 2, at * 2 + i % 2);
        match plane {
            Plane::Four => {
                let q = self.codes(row + line / 2, at * 2 + line % 2);
                let (low, high) = q.split_at(16);
                out.extend(low.iter().zip(high).map(|(low, high)| low & 15 | high << 4));
            }
            Plane::Eight => {
                let q = self.codes(row + line / 4, at * 2 + line / 2 % 2);
                // A unit that is filled up has the scale 0.
                out.extend(q.iter().skip(line % 2 * 16).take(16).map(|q| q ^ 0x80));
            }
            Plane::Fifth => (0..ROWS).for_each(|r| {
                let q = self.codes(row + r, at * 2 + line);
                let bit = |(c, q): (usize, &u8)| u32::from(q >> 4 & 1) << (c % 4 * 8 + c / 4);
                out.extend(q.iter().enumerate().map(bit).sum::<u32>().to_le_bytes());
            }),
            Plane::Sixth => (0..4).for_each(|i| {
                let q = self.codes(row + line, at * 2 + i / 2);
                let bits = |(c, q): (usize, &u8)| u32::from(q >> 4 & 3) << (c % 4 * 8 + c / 4 * 2);
                let half = q.iter().skip(i % 2 * 16).take(16);
                out.extend(half.enumerate().map(bits).sum::<u32>().to_le_bytes());
            }),
            Plane::Scales => (0..ROWS * 2).map(each).for_each(|(row, unit)| {
                out.extend(self.block32(row, unit).map_or(0, |b| b.d).to_le_bytes());
            }),
            Plane::ScalesAndMinima => (0..ROWS).for_each(|r| {
                let b = self.block32(row + r, at * 2 + line);
                out.extend(b.as_ref().map_or(0, |b| b.d).to_le_bytes());
                out.extend(b.and_then(|b| b.m).unwrap_or(0).to_le_bytes());
            }),
            Plane::Heads => {
                let head = self.block(row + line, at).and_then(|b| b.first_chunk::<16>());
                out.extend(head.unwrap_or(&[0; 16]));
            }
            Plane::ByteScales => (0..ROWS * 2).map(each).for_each(|(row, unit)| {
                let b = self.block256(row, unit / 8);
                let scale =
                    |i| b.as_ref().and_then(|b| b.scales.get(i)).map_or(0, |s: &i8| s.cast_unsigned());
                out.extend([scale(unit % 8 * 2), scale(unit % 8 * 2 + 1)]);
            }),
            Plane::BlockScales => (0..ROWS).for_each(|r| {
                out.extend(self.block256(row + r, at).map_or(0, |b| b.d).to_le_bytes());
            }),
            Plane::Halves => (0..8).for_each(|i| {
                out.extend(
                    self.block(row + line, at * 8 + i).and_then(|b| b.first_chunk::<2>()).unwrap_or(&[0; 2]),
                );
            }),
        }
    }
}
