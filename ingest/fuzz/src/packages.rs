//! Archives and compound files, made of parts that the fuzzer can change one by one: inside of a whole file
//! its changes would only break checksums and lengths.
//!
//! An input lists parts: a line `@@ NAME`, then the bytes of the part up to the next such line.

use std::io::{Cursor, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;

/// Parts of one input.
const MOST: usize = 100;
/// Starts a part.
const MARK: &[u8] = b"@@ ";
/// First bytes of a compound file.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0";

/// Names and bytes of the parts.
pub fn parts(bytes: &[u8]) -> Vec<(String, &[u8])> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some(at) = start(rest).filter(|_| out.len() < MOST) {
        let part = rest.get(at + MARK.len()..).unwrap_or_default();
        let end = start(part).unwrap_or(part.len());
        let (part, after) = part.split_at(end);
        let line = part.iter().position(|b| *b == b'\n').unwrap_or(part.len());
        let name = String::from_utf8_lossy(part.get(..line).unwrap_or_default()).into_owned();
        let body = part.get(line + 1..).unwrap_or_default();
        out.push((name, body.strip_suffix(b"\n").unwrap_or(body)));
        rest = after;
    }
    out
}

/// Where the next part's mark stands: at the start of a line.
fn start(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(MARK.len())
        .enumerate()
        .filter(|(_, w)| *w == MARK)
        .map(|(at, _)| at)
        .find(|at| at.checked_sub(1).is_none_or(|before| bytes.get(before) == Some(&b'\n')))
}

/// An archive of the parts, those in `needed` among them; bytes that are an archive already stay what they are.
pub fn package(needed: &[&str], bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(b"PK") {
        return bytes.to_vec();
    }
    let mut parts = parts(bytes);
    for name in needed {
        if !parts.iter().any(|(n, _)| n.eq_ignore_ascii_case(name)) {
            parts.push((String::from(*name), b""));
        }
    }
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, body) in parts {
        // A name may stand twice or be none; such a part is left out.
        if zip.start_file(name, stored).is_ok() {
            let _ = zip.write_all(body);
        }
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}

/// A compound file of the parts as streams; texts whose name says that they are UTF-16 become it.
pub fn compound(bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(COMPOUND) {
        return bytes.to_vec();
    }
    let Ok(mut file) = cfb::CompoundFile::create(Cursor::new(Vec::new())) else { return Vec::new() };
    for (name, body) in parts(bytes) {
        // The library that writes these files checks no names; one that is too long is no finding.
        if name.split('/').any(|part| part.encode_utf16().count() > 31) {
            continue;
        }
        let path = Path::new("/").join(name.trim_start_matches('/'));
        let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        let _ = file.create_storage_all(&folder);
        let text = name.ends_with("001F").then(|| String::from_utf8_lossy(body).into_owned());
        let body = match text {
            Some(text) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            None => body.to_vec(),
        };
        if let Ok(mut stream) = file.create_stream(&path) {
            let _ = stream.write_all(&body);
        }
    }
    if file.flush().is_err() {
        return Vec::new();
    }
    file.into_inner().into_inner()
}
