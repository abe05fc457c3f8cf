//! Read-only memory maps of model files.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// Why a file could not be mapped.
#[derive(Debug, thiserror::Error)]
#[error("cannot map {}: {cause}", path.display())]
pub struct MapError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub cause: io::Error,
}

/// A whole file as bytes, without reading it into memory first.
///
/// The length is taken once, when the file is opened. If another program **shortens** the file while it is
/// mapped, reading past the new end ends this process with SIGBUS: no program can turn that into an error.
/// If it **rewrites** the file in place, the bytes change underneath. Model files are therefore replaced by
/// renaming a finished file over the old one, which leaves existing maps intact; [`MappedFile::is_current`]
/// tells whether the path still holds what was mapped.
#[derive(Debug)]
pub struct MappedFile {
    map: memmap2::Mmap,
    file: File,
    path: PathBuf,
}

impl MappedFile {
    /// Maps `path` read-only.
    ///
    /// # Errors
    /// The file cannot be opened, is no regular file, is empty, or the system refuses the map.
    pub fn open(path: &Path) -> Result<Self, MapError> {
        let fail = |cause| MapError { path: path.to_path_buf(), cause };
        let file = File::open(path).map_err(fail)?;
        let meta = file.metadata().map_err(fail)?;
        if !meta.is_file() || meta.len() == 0 {
            return Err(fail(io::Error::new(io::ErrorKind::InvalidData, "it is empty, or no plain file")));
        }
        let len = usize::try_from(meta.len()).map_err(|e| fail(io::Error::other(e)))?;
        // SAFETY: the map is read-only and private to this value, so nothing here writes to it. That no other
        // program shortens or rewrites the file is the condition documented on the type; breaking it cannot be
        // prevented from inside a process, and all readers of the bytes treat them as untrusted input.
        let map = unsafe { memmap2::MmapOptions::new().len(len).map(&file) }.map_err(fail)?;
        Ok(Self { map, file, path: path.to_path_buf() })
    }

    /// Where the file was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the pages that were read out of this process's memory; the next look at one brings it back. They stay in
    /// the system's cache of files as long as it has room.
    pub fn forget_pages(&self) {
        // SAFETY: the map is private and never written to, so its pages hold nothing that the file does not.
        let advised = unsafe { self.map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        // A system that does not listen keeps the pages a while longer.
        let _ = advised;
    }

    /// Whether the mapped file still has the length it had when it was opened.
    ///
    /// # Errors
    /// The system cannot tell.
    pub fn is_current(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == self.map.len() as u64)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_content_and_notices_growth() {
        let path = std::env::temp_dir().join(format!("kernels-map-{}", std::process::id()));
        std::fs::write(&path, b"GGUF data").unwrap();
        let map = MappedFile::open(&path).unwrap();
        assert_eq!(&map[..], b"GGUF data");
        assert!(map.is_current().unwrap());
        std::fs::write(&path, b"GGUF data and more").unwrap();
        assert!(!map.is_current().unwrap());
        assert_eq!(map.len(), 9);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn refuses_what_is_no_file() {
        assert!(MappedFile::open(&std::env::temp_dir()).is_err());
        assert!(MappedFile::open(Path::new("/nonexistent/model.gguf")).is_err());
        let path = std::env::temp_dir().join(format!("kernels-empty-{}", std::process::id()));
        std::fs::write(&path, b"").unwrap();
        assert!(MappedFile::open(&path).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
