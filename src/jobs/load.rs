//! The bytes of one file, with a hash and a stamp that belong together.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use sha2::{Digest, Sha256};

use super::scan;
use crate::catalog::FileStamp;

#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) bytes: Vec<u8>,
    pub(super) sha256: String,
    pub(super) stamp: FileStamp,
}

/// Code of a file that the walk found and that is there no more.
pub(super) const VANISHED: &str = "vanished";

/// Why a file's bytes are not at hand.
#[derive(Debug, PartialEq)]
pub(super) struct LoadProblem {
    pub(super) code: &'static str,
    pub(super) reason: String,
    /// True where the next run should try again although the file looks the same.
    pub(super) passing: bool,
}

impl LoadProblem {
    /// Whether somebody deleted or moved the file, while its source is still there: no fault of anything.
    pub(super) fn is_farewell(&self, source: &Path) -> bool {
        self.code == VANISHED && source.is_dir()
    }
}

/// Reads a file whole, if it is no larger than `max_bytes` and nobody writes to it meanwhile.
pub(super) fn load(path: &Path, max_bytes: u64) -> Result<Loaded, LoadProblem> {
    let passing = |code, reason: String| LoadProblem { code, reason, passing: true };
    let io = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => passing(VANISHED, "it was deleted or moved during the run".into()),
        _ => passing("unreadable", format!("the file cannot be read: {e}")),
    };
    let before = fs::symlink_metadata(path).map_err(io)?;
    if !before.is_file() {
        return Err(passing(
            "changing",
            "it was replaced by something that is no file; the next run looks again".into(),
        ));
    }
    if before.len() > max_bytes {
        return Err(LoadProblem {
            code: "too-large",
            reason: format!(
                "the file has {} MiB, more than ingest.max_file_mb ({}); split it or raise the limit",
                before.len().div_ceil(1 << 20),
                max_bytes >> 20
            ),
            passing: false,
        });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0));
    File::open(path).and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes)).map_err(io)?;
    let stamp = scan::stamp(&fs::symlink_metadata(path).map_err(io)?);
    if stamp != scan::stamp(&before) || bytes.len() as u64 != stamp.size {
        return Err(passing("changing", "it is being written; the next run tries again".into()));
    }
    Ok(Loaded { sha256: sha256(&bytes), bytes, stamp })
}

/// SHA-256 in lower-case hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_hash_and_stamp_belong_together() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, b"abc").unwrap();
        let loaded = load(&path, 3).unwrap();
        // FIPS 180-2, appendix B.1.
        assert_eq!(loaded.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!((loaded.bytes.as_slice(), loaded.stamp.size), (&b"abc"[..], 3));
    }

    #[test]
    fn what_cannot_be_loaded_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let gone = load(&path, 9).unwrap_err();
        assert!(gone.passing && gone.code == VANISHED, "{gone:?}");
        fs::write(&path, vec![0; (3 << 20) + 1]).unwrap();
        let large = load(&path, 2 << 20).unwrap_err();
        assert!(
            !large.passing && large.reason.contains("4 MiB") && large.reason.contains("(2)"),
            "{large:?}"
        );
        let folder_itself = load(folder.path(), 9).unwrap_err();
        assert_eq!(folder_itself.code, "changing");
    }
}
