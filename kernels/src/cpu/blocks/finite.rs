//! Whether stored weights are numbers.

use super::BlockKind;

/// All exponent bits of half precision set: infinite, or no number.
pub(crate) const HALF: u16 = 0x7c00;
/// The same of bfloat16.
pub(crate) const BRAIN: u16 = 0x7f80;
const SINGLE: u32 = 0x7f80_0000;

impl BlockKind {
    /// Where the first number begins that is infinite or none, in bytes: a weight, or a scale or minimum of a block.
    pub fn first_not_finite(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::F32 => at(bytes.as_chunks::<4>().0, |b| u32::from_le_bytes(*b) & SINGLE == SINGLE),
            Self::F16 => at(bytes.as_chunks::<2>().0, |b| is(*b, HALF)),
            Self::BF16 => at(bytes.as_chunks::<2>().0, |b| is(*b, BRAIN)),
            Self::Q4_0 => scales::<18>(bytes, &[0]),
            Self::Q4_1 => scales::<20>(bytes, &[0, 2]),
            Self::Q5_0 => scales::<22>(bytes, &[0]),
            Self::Q5_1 => scales::<24>(bytes, &[0, 2]),
            Self::Q8_0 => scales::<34>(bytes, &[0]),
            Self::Q4K => scales::<144>(bytes, &[0, 2]),
            Self::Q5K => scales::<176>(bytes, &[0, 2]),
            Self::Q6K => scales::<210>(bytes, &[208]),
        }
    }
}

/// Whether none of the numbers has all bits of `exponent` set. Without a branch for each, so that many are looked at at a
/// time.
pub(crate) fn all_finite<const N: usize>(numbers: &[[u16; N]], exponent: u16) -> bool {
    !numbers
        .as_flattened()
        .chunks(4096)
        .any(|part| part.iter().fold(false, |any, n| any | (n & exponent == exponent)))
}

fn is(bytes: [u8; 2], exponent: u16) -> bool {
    u16::from_le_bytes(bytes) & exponent == exponent
}

/// Looks at many at a time, without a branch for each, and only then for the place.
fn at<const N: usize>(numbers: &[[u8; N]], bad: impl Fn(&[u8; N]) -> bool) -> Option<usize> {
    let any = |part: &[[u8; N]]| part.iter().fold(false, |any, b| any | bad(b));
    let part = numbers.chunks(1024).position(any)? * 1024;
    Some((part + numbers.get(part..)?.iter().position(bad)?) * N)
}

/// Blocks of `N` bytes with half-precision numbers at the offsets `places`.
fn scales<const N: usize>(bytes: &[u8], places: &[usize]) -> Option<usize> {
    let blocks = bytes.as_chunks::<N>().0;
    let first = |block: &[u8; N]| {
        let bad =
            |place: &&usize| block.get(**place..).and_then(|b| b.first_chunk()).is_some_and(|b| is(*b, HALF));
        places.iter().find(bad).copied()
    };
    blocks.iter().enumerate().find_map(|(i, block)| Some(i * N + first(block)?))
}
