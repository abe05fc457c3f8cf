//! Durable files behind a small trait, so that a test can cut the power at any step.

mod file;
mod memory;
#[cfg(test)]
mod tests;

pub use file::FileStorage;
pub use memory::{MemoryStorage, PowerSwitch};

/// A storage operation that did not succeed. What it left behind is stated at each method of [`Storage`].
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}: {source}")]
pub struct StorageError {
    /// What was tried: `append to`, `sync`, `replace`, `read`, `list` or `remove`.
    pub action: &'static str,
    /// The file or folder, as an absolute path where there is one.
    pub path: String,
    /// The cause given by the operating system.
    #[source]
    pub source: std::io::Error,
}

/// A folder of files with stated durability.
///
/// Paths are relative, use `/`, and never contain `..`; missing folders are made. "Durable" means: still
/// there after the power fails at any later moment, provided the disk honours its own flush command.
///
/// *Concurrency*: one writer per path at a time (the log holds a lock); readers may run beside it and see a
/// prefix of what is being appended, or a replaced file either wholly old or wholly new.
pub trait Storage: Send + Sync {
    /// Adds `bytes` at the end of `path`, which is created if missing.
    ///
    /// Not durable until [`sync`](Self::sync) returns. After a failure or a power cut any part of the bytes
    /// may be there, in any order, or read as zeros; what was synced before is untouched.
    ///
    /// # Errors
    /// When the file cannot be opened or written, for example on a full disk.
    fn append(&self, path: &str, bytes: &[u8]) -> Result<(), StorageError>;

    /// Makes all that was appended to `path`, and its name in its folder, durable.
    ///
    /// After a failure nothing is known about the bytes since the last success, and calling again proves
    /// nothing (a kernel may drop the pages that it could not write): read the file and replace it.
    ///
    /// # Errors
    /// When the operating system reports a write error, or the file is missing.
    fn sync(&self, path: &str) -> Result<(), StorageError>;

    /// Puts `bytes` in the place of the whole file `path`, created if missing.
    ///
    /// Atomic: at every moment, also after a power cut, the file is wholly old or wholly new. Durable on
    /// return. After a failure it is either of the two.
    ///
    /// # Errors
    /// When the file cannot be written, renamed or flushed.
    fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), StorageError>;

    /// The whole content of `path`, or `None` if there is no such file.
    ///
    /// # Errors
    /// When the file is there but cannot be read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StorageError>;

    /// Paths of all files in `folder` and below, sorted; empty if the folder is missing. Left-overs of
    /// interrupted replacements are not listed.
    ///
    /// # Errors
    /// When a folder cannot be read.
    fn list(&self, folder: &str) -> Result<Vec<String>, StorageError>;

    /// Removes `path`; a missing file is no error. Durable on return. After a failure the file is there or
    /// gone.
    ///
    /// # Errors
    /// When the file is there but cannot be removed.
    fn remove(&self, path: &str) -> Result<(), StorageError>;
}
