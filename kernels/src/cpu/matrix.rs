//! Weights, packed so that 16 output rows lie side by side.
//!
//! A line of 64 bytes holds four consecutive weights of each of 16 rows, so one activation quad meets 16 rows in
//! one instruction and no sum across lanes is ever needed. Codes of less than eight bits stay packed: two lines of low
//! halves in one, and the fifth, or fifth and sixth, bits of eight, or four, lines in one.

use super::blocks::{BRAIN, Block32, Block256, BlockKind, HALF, all_finite, block32, block256, check_finite};
use super::simd::{LANES, Line};
use super::slab::{Plain, Slab};
use crate::KernelError;
use crate::error::{check_len, check_multiple};

/// How codes lie in lines, and what is subtracted from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codes {
    /// Two codes per byte.
    Four,
    /// As four bits, and the fifth ones of 32 columns in a line of their own.
    Five,
    /// As four bits, and the fifth and sixth ones of 32 columns in two lines.
    Six,
    /// One code per byte.
    Eight,
}

/// Rows in blocks of 32 weights with half-precision scales.
#[derive(Debug)]
pub(crate) struct Packed32 {
    pub(crate) codes: Codes,
    pub(crate) lines: Slab<Line>,
    pub(crate) d: Slab<[u16; LANES]>,
    /// Empty where the kind has no minima but an offset.
    pub(crate) m: Slab<[u16; LANES]>,
}

/// Rows in blocks of 256 weights with integer scales for sub-blocks.
#[derive(Debug)]
pub(crate) struct Packed256 {
    pub(crate) codes: Codes,
    pub(crate) lines: Slab<Line>,
    pub(crate) d: Slab<[u16; LANES]>,
    /// Empty where the kind has no minima.
    pub(crate) dmin: Slab<[u16; LANES]>,
    /// Per sub-block: 8 (of 32 weights) or 16 (of 16 weights) for each block.
    pub(crate) scales: Slab<[u8; LANES]>,
    /// 8 for each block; empty where the kind has no minima.
    pub(crate) mins: Slab<[u8; LANES]>,
}

/// Unquantised rows: `[group][column]` of 16 rows.
#[derive(Debug)]
pub(crate) enum Floats {
    F32(Slab<[f32; LANES]>),
    F16(Slab<[u16; LANES]>),
    BF16(Slab<[u16; LANES]>),
}

#[derive(Debug)]
pub(crate) enum Packed {
    Blocks32(Packed32),
    Blocks256(Packed256),
    Floats(Floats),
}

impl Packed {
    /// Whether all weights, or the scales and minima of all blocks, are finite numbers.
    fn is_finite(&self) -> bool {
        match self {
            Packed::Blocks32(p) => all_finite(&p.d, HALF) && all_finite(&p.m, HALF),
            Packed::Blocks256(p) => all_finite(&p.d, HALF) && all_finite(&p.dmin, HALF),
            Packed::Floats(Floats::F32(v)) => v.as_flattened().iter().all(|x| x.is_finite()),
            Packed::Floats(Floats::F16(v)) => all_finite(v, HALF),
            Packed::Floats(Floats::BF16(v)) => all_finite(v, BRAIN),
        }
    }
}

/// A weight matrix (n_out, n_in), ready for [`super::matmul()`].
#[derive(Debug)]
pub struct Matrix {
    kind: BlockKind,
    n_out: usize,
    n_in: usize,
    packed: Packed,
}

impl Matrix {
    /// Packs `bytes`, the rows of a tensor (n_out, n_in) as a GGUF file holds them.
    ///
    /// # Errors
    /// A dimension is 0, `n_in` is no multiple of the kind's block, `bytes` has another length or holds something
    /// that is no number, or the system has no more memory.
    pub fn pack(kind: BlockKind, bytes: &[u8], n_out: usize, n_in: usize) -> Result<Self, KernelError> {
        const OP: &str = "pack";
        check_multiple(OP, "row length", n_in, kind.len())?;
        check_multiple(OP, "rows", n_out, 1)?;
        check_len(OP, "bytes", bytes.len(), &[n_out, n_in / kind.len(), kind.bytes()])?;
        let rows = Rows { kind, bytes, n_out, blocks: n_in / kind.len() };
        let packed = match kind {
            BlockKind::F32 => {
                Packed::Floats(Floats::F32(rows.interleave(|b: [u8; 4]| f32::from_le_bytes(b))?))
            }
            BlockKind::F16 => Packed::Floats(Floats::F16(rows.interleave(u16::from_le_bytes)?)),
            BlockKind::BF16 => Packed::Floats(Floats::BF16(rows.interleave(u16::from_le_bytes)?)),
            _ if kind.len() == 32 => Packed::Blocks32(rows.pack32()?),
            _ => Packed::Blocks256(rows.pack256()?),
        };
        // What was packed is quickly looked through; where the number lies, the bytes tell.
        if !packed.is_finite() {
            check_finite(kind, bytes)?;
        }
        Ok(Self { kind, n_out, n_in, packed })
    }

    /// Output rows.
    pub fn n_out(&self) -> usize {
        self.n_out
    }

    /// Input columns.
    pub fn n_in(&self) -> usize {
        self.n_in
    }

    /// The weights' type.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Bytes that it takes in memory, which are the bytes that a product with one row reads.
    pub fn bytes(&self) -> usize {
        match &self.packed {
            Packed::Blocks32(p) => size_of_val(&*p.lines) + size_of_val(&*p.d) + size_of_val(&*p.m),
            Packed::Blocks256(p) => {
                let scales = size_of_val(&*p.scales) + size_of_val(&*p.mins);
                size_of_val(&*p.lines) + size_of_val(&*p.d) + size_of_val(&*p.dmin) + scales
            }
            Packed::Floats(Floats::F32(v)) => size_of_val(&**v),
            Packed::Floats(Floats::F16(v) | Floats::BF16(v)) => size_of_val(&**v),
        }
    }

    /// [`Matrix::bytes`] of a matrix of this kind and these sizes.
    pub fn planned_bytes(kind: BlockKind, n_out: usize, n_in: usize) -> usize {
        const LINE: usize = size_of::<Line>();
        const HALVES: usize = size_of::<[u16; LANES]>();
        let block = match kind {
            BlockKind::F32 => size_of::<[f32; LANES]>(),
            BlockKind::F16 | BlockKind::BF16 => HALVES,
            _ if kind.len() == 32 => {
                let (codes, has_min) = layout32(kind);
                lines_per_32(codes) * LINE + (1 + usize::from(has_min)) * HALVES
            }
            _ => {
                let (codes, subs, mins) = layout256(kind);
                8 * lines_per_32(codes) * LINE + (1 + mins / 8) * HALVES + (subs + mins) * LANES
            }
        };
        n_out.div_ceil(LANES) * (n_in / kind.len()) * block
    }

    pub(crate) fn packed(&self) -> &Packed {
        &self.packed
    }

    /// Groups of 16 rows, the last one filled up with zeros.
    pub(crate) fn groups(&self) -> usize {
        self.n_out.div_ceil(LANES)
    }
}

/// The source rows while they are packed.
struct Rows<'a> {
    kind: BlockKind,
    bytes: &'a [u8],
    n_out: usize,
    blocks: usize,
}

impl Rows<'_> {
    fn groups(&self) -> usize {
        self.n_out.div_ceil(LANES)
    }

    /// Block `b` of row `lane` of a group; `None` past the last row.
    fn block(&self, group: usize, lane: usize, b: usize) -> Option<&[u8]> {
        let row = group * LANES + lane;
        let size = self.kind.bytes();
        (row < self.n_out).then(|| &self.bytes[(row * self.blocks + b) * size..][..size])
    }

    fn interleave<const N: usize, T: Copy + Default>(
        &self,
        read: impl Fn([u8; N]) -> T,
    ) -> Result<Slab<[T; LANES]>, KernelError>
    where
        [T; LANES]: Plain,
    {
        let mut out = Slab::with_room(self.groups() * self.blocks)?;
        for group in 0..self.groups() {
            for column in 0..self.blocks {
                let mut lanes = [T::default(); LANES];
                for (lane, value) in lanes.iter_mut().enumerate() {
                    if let Some(b) = self.block(group, lane, column).and_then(|b| b.first_chunk::<N>()) {
                        *value = read(*b);
                    }
                }
                out.push(lanes);
            }
        }
        Ok(out)
    }

    fn pack32(&self) -> Result<Packed32, KernelError> {
        let n = self.groups() * self.blocks;
        let (codes, has_min) = layout32(self.kind);
        let mut out = Packed32 {
            codes,
            lines: Slab::with_room(n * lines_per_32(codes))?,
            d: Slab::with_room(n)?,
            m: Slab::with_room(if has_min { n } else { 0 })?,
        };
        for group in 0..self.groups() {
            for b in 0..self.blocks {
                let rows: [Option<Block32>; LANES] = std::array::from_fn(|lane| {
                    self.block(group, lane, b).map(|bytes| block32(self.kind, bytes))
                });
                out.d.push(std::array::from_fn(|l| rows[l].as_ref().map_or(0, |r| r.d)));
                if has_min {
                    out.m.push(std::array::from_fn(|l| rows[l].as_ref().and_then(|r| r.m).unwrap_or(0)));
                }
                push_lines(&mut out.lines, codes, &std::array::from_fn(|l| rows[l].as_ref().map(|r| &r.q)));
            }
        }
        Ok(out)
    }

    fn pack256(&self) -> Result<Packed256, KernelError> {
        let n = self.groups() * self.blocks;
        let (codes, subs, mins) = layout256(self.kind);
        let mut out = Packed256 {
            codes,
            lines: Slab::with_room(n * 8 * lines_per_32(codes))?,
            d: Slab::with_room(n)?,
            dmin: Slab::with_room(n * mins / 8)?,
            scales: Slab::with_room(n * subs)?,
            mins: Slab::with_room(n * mins)?,
        };
        for group in 0..self.groups() {
            for b in 0..self.blocks {
                let rows: [Option<Block256>; LANES] = std::array::from_fn(|lane| {
                    self.block(group, lane, b).map(|bytes| block256(self.kind, bytes))
                });
                out.push(&rows, subs, mins);
            }
        }
        Ok(out)
    }
}

impl Packed256 {
    fn push(&mut self, rows: &[Option<Block256>; LANES], subs: usize, mins: usize) {
        self.d.push(std::array::from_fn(|l| rows[l].as_ref().map_or(0, |r| r.d)));
        if mins > 0 {
            self.dmin.push(std::array::from_fn(|l| rows[l].as_ref().map_or(0, |r| r.dmin)));
        }
        for s in 0..subs {
            let scale = |r: &Block256| r.scales[s].cast_unsigned();
            self.scales.push(std::array::from_fn(|l| rows[l].as_ref().map_or(0, scale)));
        }
        for s in 0..mins {
            self.mins.push(std::array::from_fn(|l| rows[l].as_ref().map_or(0, |r| r.mins[s])));
        }
        for s in 0..8 {
            let part = |r: &'_ Block256| -> [u8; 32] { std::array::from_fn(|i| r.q[s * 32 + i]) };
            let parts: [Option<[u8; 32]>; LANES] = std::array::from_fn(|l| rows[l].as_ref().map(part));
            push_lines(&mut self.lines, self.codes, &std::array::from_fn(|l| parts[l].as_ref()));
        }
    }
}

/// How a kind with blocks of 32 weights is packed: its codes, and whether it has minima.
fn layout32(kind: BlockKind) -> (Codes, bool) {
    let codes = match kind {
        BlockKind::Q4_0 | BlockKind::Q4_1 => Codes::Four,
        BlockKind::Q8_0 => Codes::Eight,
        _ => Codes::Five,
    };
    (codes, matches!(kind, BlockKind::Q4_1 | BlockKind::Q5_1))
}

/// How a kind with blocks of 256 weights is packed: its codes, scales of a block and minima of a block.
fn layout256(kind: BlockKind) -> (Codes, usize, usize) {
    match kind {
        BlockKind::Q4K => (Codes::Four, 8, 8),
        BlockKind::Q5K => (Codes::Five, 8, 8),
        _ => (Codes::Six, 16, 0),
    }
}

/// Lines that 32 columns of 16 rows take.
pub(crate) fn lines_per_32(codes: Codes) -> usize {
    match codes {
        Codes::Four => 4,
        Codes::Five => 5,
        Codes::Six => 6,
        Codes::Eight => 8,
    }
}

/// Appends the lines of 32 columns. Line i of bytes has columns 4i to 4i + 3. Of smaller codes, line i of four has
/// the low bits of columns 4i to 4i + 3 in its low halves and of 16 + 4i to 16 + 4i + 3 in its high halves; in the
/// next line, bit i of each byte is the fifth of columns 4i to 4i + 3; or in the next two, bits 2i and 2i + 1 are the
/// fifth and sixth, first of columns 4i to 4i + 3, then of 16 + 4i to 16 + 4i + 3.
fn push_lines(lines: &mut Slab<Line>, codes: Codes, rows: &[Option<&[u8; 32]>; LANES]) {
    let code = |lane: usize, column: usize| rows[lane].map_or(0, |q| q[column]);
    let mut push = |byte: &dyn Fn(usize, usize) -> u8| {
        lines.push(Line(std::array::from_fn(|at| byte(at / 4, at % 4))));
    };
    if codes == Codes::Eight {
        (0..8).for_each(|i| push(&|lane, c| code(lane, 4 * i + c)));
        return;
    }
    (0..4).for_each(|i| push(&|lane, c| code(lane, 4 * i + c) & 15 | code(lane, 16 + 4 * i + c) << 4));
    match codes {
        Codes::Five => push(&|lane, c| (0..8).map(|i| (code(lane, 4 * i + c) >> 4 & 1) << i).sum()),
        Codes::Six => (0..2).for_each(|half| {
            push(&|lane, c| (0..4).map(|i| (code(lane, 16 * half + 4 * i + c) >> 4 & 3) << (2 * i)).sum());
        }),
        Codes::Four | Codes::Eight => {}
    }
}
