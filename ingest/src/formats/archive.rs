//! ZIP archives, read with limits on members, sizes and ratio.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive};

use crate::error::ReadError;
use crate::limits::{Limits, MAX_EXPANDED};

/// A member that grows more than this is a bomb; office documents stay below 100.
const MAX_RATIO: u64 = 1_000;
/// Below this size the ratio does not matter.
const HARMLESS: u64 = 16 << 20;

/// An archive whose members are read one at a time, never more together than the limit.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Members that it announces.
    entries: Option<usize>,
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
            let limit = format!("members of an archive ({})", limits.max_members);
            return Err(ReadError::beyond(limit, "ingest.limits.max_members"));
        }
        Ok(Archive {
            zip,
            entries: entries(bytes),
            left: limits.max_expanded_bytes,
            limit: limits.max_expanded_bytes,
        })
    }

    /// Names of the members with their number, in the order of the archive. Folders are left out.
    pub(crate) fn names(&mut self) -> Vec<(usize, String)> {
        (0..self.zip.len())
            .filter_map(|index| Some((index, self.zip.by_index_raw(index).ok()?.name().ok()?.into_owned())))
            .filter(|(_, name)| !name.ends_with('/'))
            .map(|(index, name)| (index, name.replace('\\', "/")))
            .collect()
    }

    /// Bytes to which a member expands, as the archive says.
    pub(crate) fn announced(&mut self, index: usize) -> u64 {
        self.zip.by_index_raw(index).map_or(0, |file| file.size())
    }

    /// Members that cannot be had because a later one has the same name.
    pub(crate) fn hidden(&self) -> usize {
        self.entries.unwrap_or(0).saturating_sub(self.zip.len())
    }

    /// Contents of a member.
    ///
    /// # Errors
    /// [`ReadError::Password`] for an encrypted member, [`ReadError::Damaged`] for a broken one,
    /// [`ReadError::TooLarge`] where the archive expands beyond the limit.
    pub(crate) fn read(&mut self, index: usize) -> Result<Vec<u8>, ReadError> {
        if let Some(method) = self.zip.by_index_raw(index).ok().and_then(|f| unusual(f.compression())) {
            return Err(ReadError::Outdated {
                found: format!("a member of a ZIP archive packed by {method}"),
                save_as: "an ordinary ZIP archive (Deflate)".into(),
            });
        }
        let file = self.zip.by_index(index).map_err(|error| match error {
            zip::result::ZipError::UnsupportedArchive(text) if text.to_lowercase().contains("password") => {
                ReadError::Password
            }
            error => {
                ReadError::Damaged { detail: format!("a member of the archive cannot be read ({error})") }
            }
        })?;
        let harmless = file.compressed_size().saturating_mul(MAX_RATIO).max(HARMLESS);
        let allowed = harmless.min(self.left);
        let mut out = Vec::new();
        file.take(allowed.saturating_add(1)).read_to_end(&mut out).map_err(|error| ReadError::Damaged {
            detail: format!("a member of the archive is broken ({error})"),
        })?;
        let length = out.len() as u64;
        if length > self.left {
            return Err(ReadError::beyond(format!("expanded bytes ({})", self.limit), MAX_EXPANDED));
        }
        if length > harmless {
            let limit = format!("how far a member of an archive expands ({MAX_RATIO} times)");
            return Err(ReadError::beyond_fixed(limit));
        }
        self.left -= length;
        Ok(out)
    }

    /// Expands every member, lets `look` see its name and contents, and forgets it: whoever reads the archive next meets
    /// no bomb, and nothing that `look` refuses.
    pub(crate) fn check(
        bytes: &'a [u8],
        limits: &Limits,
        look: impl Fn(&str, &[u8]) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut archive = Archive::open(bytes, limits)?;
        for (index, name) in archive.names() {
            match archive.read(index) {
                Ok(contents) => look(&name, &contents)?,
                Err(error @ ReadError::TooLarge { .. }) => return Err(error),
                // The library that reads the members reports what is broken.
                Err(_) => {}
            }
        }
        Ok(())
    }
}

/// An archive of these members, by path, as they are; the same every time.
///
/// # Errors
/// It cannot be written: more than four gigabytes.
pub(crate) fn pack(members: &[(String, Vec<u8>)]) -> std::io::Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (path, bytes) in members {
        archive.start_file(path.as_str(), plain).map_err(std::io::Error::other)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish().map_err(std::io::Error::other)?.into_inner())
}

/// Members that the archive says it has: in the record at its end, or in the one for large archives before it
/// (APPNOTE.TXT, 4.3.14 to 4.3.16).
fn entries(bytes: &[u8]) -> Option<usize> {
    /// The record without its comment, and the longest comment.
    const LONGEST: usize = 22 + 65_535;
    let last = |bytes: &[u8], mark: &[u8]| bytes.windows(mark.len()).rposition(|w| w == mark);
    let tail = bytes.get(bytes.len().saturating_sub(LONGEST)..)?;
    let at = last(tail, b"PK\x05\x06")?;
    let count = u16::from_le_bytes(tail.get(at + 10..at + 12)?.try_into().ok()?);
    if count < u16::MAX {
        return Some(count.into());
    }
    let at = last(&tail[..at], b"PK\x06\x06")?;
    usize::try_from(u64::from_le_bytes(tail.get(at + 32..at + 40)?.try_into().ok()?)).ok()
}

/// The name of a way of packing that nothing here unpacks.
fn unusual(method: CompressionMethod) -> Option<String> {
    let known = [
        (CompressionMethod::BZIP2, "BZip2"),
        (CompressionMethod::LZMA, "LZMA"),
        (CompressionMethod::XZ, "XZ"),
        (CompressionMethod::ZSTD, "Zstandard"),
        (CompressionMethod::PPMD, "PPMd"),
        (CompressionMethod::SHRINK, "Shrink"),
        (CompressionMethod::IMPLODE, "Implode"),
    ];
    match method {
        CompressionMethod::Stored | CompressionMethod::Deflated | CompressionMethod::Deflate64 => None,
        // An encrypted member, which is told of as such.
        CompressionMethod::AES => None,
        other => {
            let named =
                known.iter().find(|(method, _)| *method == other).map(|(_, name)| (*name).to_string());
            Some(named.unwrap_or_else(|| format!("a method of its own ({other:?})")))
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use crate::{Limits, ReadError, read};

    /// `7z a -tzip -mm=Deflate64 -mtc=off` (7-Zip 26.02) on one file of 96,024 bytes: a line, 4,000 equal lines, a line.
    /// Its matches are longer than Deflate has any.
    const DEFLATE64: &str = "\
        UEsDBBUAAAAJAABQYlz+Z0tsJgIAABh3AQAJAAAAbGlzdGUudHh05Mi7DUBgGADA3hTfABLvRocFlGqJhAIF//7sceXdfD/He9xXVH0M6dnT\
        mo3b+3uqu6IpY5naPNouzoZ//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnn\
        n3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eef\
        f/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559/\
        /vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eef/68cOSQAAABhAObp\
        RROw9JfEuNjk+Oeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnn\
        n3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eeff/75559//vnnn3/++eef\
        f/75559//vnnn3/++eeff/4T3zdbD1BLAQI/AxUAAAAJAABQYlz+Z0tsJgIAABh3AQAJACQAAAAAAAAAIICkgQAAAABsaXN0ZS50eHQKACAA\
        AAAAAAEAGAAAEPZUK6rcAQAAAAAAAAAAAAAAAAAAAABQSwUGAAAAAAEAAQBbAAAATQIAAAAA";
    /// The same file with `-mm=LZMA`.
    const LZMA: &str = "\
        UEsDBD8AAgAOAABQYlz+Z0tskwAAABh3AQAJAAAAbGlzdGUudHh0GgIFAF0AgAEAACgbymarpfeKb352vSYkjRUZFAyk3tlIwaiEIx7AQsrp\
        BGoulsbBi8FU/pNTXXVl0As6fZbUgWSus4Kwbz11KdSwGvI6izkOnne+nubLBDZjF1Dra5DkCf1w9hILwr9r01n8ZFUsXZfpGovknNGjQ7R9\
        Ho/EclKknX6Btm71Re+qZrj/o//2/MAAUEsBAj8DPwACAA4AAFBiXP5nS2yTAAAAGHcBAAkAJAAAAAAAAAAggKSBAAAAAGxpc3RlLnR4dAoA\
        IAAAAAAAAQAYAAAQ9lQrqtwBAAAAAAAAAAAAAAAAAAAAAFBLBQYAAAAAAQABAFsAAAC6AAAAAAA=";

    fn archive(base64: &str) -> Vec<u8> {
        base64::engine::general_purpose::STANDARD.decode(base64).unwrap()
    }

    #[test]
    fn deflate64_is_unpacked() {
        let document = read(&archive(DEFLATE64), "a.zip", &Limits::default()).unwrap();
        let text = format!("Position 1: Aushub\n{}Ende\n", "Beton C25/30 XC4, 45 m3\n".repeat(4_000));
        assert_eq!((document.attachments[0].name.as_str(), document.warnings.len()), ("liste.txt", 0));
        assert!(document.attachments[0].bytes == text.as_bytes());
        let small = Limits { max_expanded_bytes: 96_023, ..Limits::default() };
        assert!(matches!(read(&archive(DEFLATE64), "a.zip", &small), Err(ReadError::TooLarge { .. })));
    }

    #[test]
    fn another_way_of_packing_is_named() {
        let error = read(&archive(LZMA), "a.zip", &Limits::default()).unwrap_err();
        assert!(matches!(error, ReadError::Outdated { .. }));
        assert!(error.to_string().contains("packed by LZMA"), "{error}");
        for end in 0..DEFLATE64.len() / 4 {
            let _ = read(&archive(&DEFLATE64[..4 * end]), "a.zip", &Limits::default());
        }
    }
}
