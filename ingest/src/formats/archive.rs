//! ZIP archives, read with limits on members, sizes and ratio.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::error::ReadError;
use crate::limits::Limits;

/// A member that grows more than this is a bomb; office documents stay below 100.
const MAX_RATIO: u64 = 1_000;
/// Below this size the ratio does not matter.
const HARMLESS: u64 = 16 << 20;

/// An archive whose members are read one at a time, never more together than the limit.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
    limit: u64,
}

impl<'a> Archive<'a> {
    /// Opens the archive.
    ///
    /// # Errors
    /// [`ReadError::Damaged`] where the bytes are no archive, [`ReadError::TooLarge`] where it has too many
    /// members.
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, ReadError> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| ReadError::Damaged {
            detail: format!("the ZIP archive cannot be opened ({error})"),
        })?;
        if zip.len() > limits.max_members as usize {
            return Err(ReadError::TooLarge {
                limit: format!("members of an archive ({})", limits.max_members),
            });
        }
        Ok(Archive { zip, left: limits.max_expanded_bytes, limit: limits.max_expanded_bytes })
    }

    /// Names of the members with their number, in the order of the archive. Folders are left out.
    pub(crate) fn names(&mut self) -> Vec<(usize, String)> {
        (0..self.zip.len())
            .filter_map(|index| Some((index, self.zip.by_index_raw(index).ok()?.name().ok()?.into_owned())))
            .filter(|(_, name)| !name.ends_with('/'))
            .map(|(index, name)| (index, name.replace('\\', "/")))
            .collect()
    }

    /// Contents of a member.
    ///
    /// # Errors
    /// [`ReadError::Password`] for an encrypted member, [`ReadError::Damaged`] for a broken one,
    /// [`ReadError::TooLarge`] where the archive expands beyond the limit.
    pub(crate) fn read(&mut self, index: usize) -> Result<Vec<u8>, ReadError> {
        let too_large = || ReadError::TooLarge { limit: format!("expanded bytes ({})", self.limit) };
        let file = self.zip.by_index(index).map_err(|error| match error {
            zip::result::ZipError::UnsupportedArchive(text) if text.to_lowercase().contains("password") => {
                ReadError::Password
            }
            error => {
                ReadError::Damaged { detail: format!("a member of the archive cannot be read ({error})") }
            }
        })?;
        let allowed = file.compressed_size().saturating_mul(MAX_RATIO).max(HARMLESS).min(self.left);
        let mut out = Vec::new();
        file.take(allowed.saturating_add(1)).read_to_end(&mut out).map_err(|error| broken(&error))?;
        let length = out.len() as u64;
        if length > allowed {
            return Err(too_large());
        }
        self.left -= length;
        Ok(out)
    }

    /// Expands every member and forgets it: whoever reads the archive next meets no bomb.
    pub(crate) fn check(bytes: &'a [u8], limits: &Limits) -> Result<(), ReadError> {
        let mut archive = Archive::open(bytes, limits)?;
        for (index, _) in archive.names() {
            match archive.read(index) {
                Err(error @ ReadError::TooLarge { .. }) => return Err(error),
                // The library that reads the members reports what is broken.
                _ => continue,
            }
        }
        Ok(())
    }
}

/// Why a member did not expand: an unusual way of packing is no damage.
fn broken(error: &std::io::Error) -> ReadError {
    let text = error.to_string();
    if text.contains("compression method") {
        let found = format!(
            "a ZIP archive packed in an unusual way ({text}); pack it anew as an ordinary ZIP archive"
        );
        return ReadError::Unsupported { found };
    }
    ReadError::Damaged { detail: format!("a member of the archive is broken ({text})") }
}
