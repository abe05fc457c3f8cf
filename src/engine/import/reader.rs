//! Reading little-endian numbers and lists from a byte slice, every step checked.

use super::ImportError;

pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next `need` bytes, which `what` names in the error.
    pub(super) fn take(&mut self, need: u64, what: &str) -> Result<&'a [u8], ImportError> {
        let end = usize::try_from(need).ok().and_then(|n| self.at.checked_add(n));
        let Some(slice) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            return Err(ImportError::Truncated {
                what: what.to_owned(),
                offset: self.at as u64,
                need,
                have: (self.bytes.len() - self.at) as u64,
            });
        };
        self.at += slice.len();
        Ok(slice)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ImportError> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N as u64, what)?);
        Ok(out)
    }

    pub(super) fn u8(&mut self, what: &str) -> Result<u8, ImportError> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u16(&mut self, what: &str) -> Result<u16, ImportError> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u32(&mut self, what: &str) -> Result<u32, ImportError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u64(&mut self, what: &str) -> Result<u64, ImportError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub(super) fn f32(&mut self, what: &str) -> Result<f32, ImportError> {
        Ok(f32::from_le_bytes(self.array(what)?))
    }

    /// A signed 32-bit number that must lie between `low` and `high`.
    pub(super) fn size(&mut self, what: &str, low: u32, high: u32) -> Result<usize, ImportError> {
        let value = i32::from_le_bytes(self.array(what)?);
        match u32::try_from(value) {
            Ok(size) if (low..=high).contains(&size) => Ok(size as usize),
            _ => Err(ImportError::invalid(what, format!("{value} is not between {low} and {high}"))),
        }
    }

    /// `count` numbers of four bytes each.
    pub(super) fn words(&mut self, count: usize, what: &str) -> Result<&'a [[u8; 4]], ImportError> {
        let bytes = self.take((count as u64).saturating_mul(4), what)?;
        Ok(bytes.as_chunks().0)
    }
}
