//! [`Storage`] on a real file system.

use std::collections::HashMap;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{Storage, StorageError};

/// Ending of files that a replacement has not finished yet.
const TEMPORARY: &str = ".tmp";

/// A folder on a local file system. Folders are made with mode 0700, files with 0600.
///
/// Appending keeps the file open until it is replaced or removed, so that a small append costs one `write`
/// and one `fdatasync`.
#[derive(Debug)]
pub struct FileStorage {
    root: PathBuf,
    open: Mutex<HashMap<String, Appending>>,
}

/// A file that is being appended to.
#[derive(Debug)]
struct Appending {
    file: File,
    /// True until the folder that holds the new name has been flushed.
    name_unsynced: bool,
}

impl FileStorage {
    /// Uses `root`, made if missing.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new(root: impl Into<PathBuf>) -> Result<Self, StorageError> {
        let root = root.into();
        make_folders(&root).map_err(|e| fail("create", &root, e))?;
        Ok(Self { root, open: Mutex::new(HashMap::new()) })
    }

    fn full(&self, action: &'static str, path: &str) -> Result<PathBuf, StorageError> {
        let plain = !path.is_empty() && path.split('/').all(|p| !p.is_empty() && p != "." && p != "..");
        if plain {
            Ok(self.root.join(path))
        } else {
            Err(fail(
                action,
                Path::new(path),
                io::Error::new(ErrorKind::InvalidInput, "not a plain relative path"),
            ))
        }
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, HashMap<String, Appending>> {
        self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn try_replace(&self, full: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = full.parent().unwrap_or(&self.root);
        make_folders(folder)?;
        let mut name = full.as_os_str().to_owned();
        name.push(TEMPORARY);
        let temporary = PathBuf::from(name);
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&temporary, full)?;
        File::open(folder)?.sync_all()
    }
}

impl Storage for FileStorage {
    fn append(&self, path: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let full = self.full("append to", path)?;
        let mut open = self.opened();
        if !open.contains_key(path) {
            let appending = open_for_append(&full).map_err(|e| fail("append to", &full, e))?;
            open.insert(path.to_owned(), appending);
        }
        let Some(entry) = open.get_mut(path) else { return Ok(()) };
        let written = entry.file.write_all(bytes);
        if written.is_err() {
            open.remove(path);
        }
        written.map_err(|e| fail("append to", &full, e))
    }

    fn sync(&self, path: &str) -> Result<(), StorageError> {
        let full = self.full("sync", path)?;
        let mut open = self.opened();
        if !open.contains_key(path) {
            // Somebody else's earlier append (before a restart): flush the file and its name.
            let file = File::open(&full).map_err(|e| fail("sync", &full, e))?;
            file.sync_all().map_err(|e| fail("sync", &full, e))?;
            return sync_folder(&full).map_err(|e| fail("sync", &full, e));
        }
        let Some(entry) = open.get_mut(path) else { return Ok(()) };
        let mut flushed = entry.file.sync_data();
        if flushed.is_ok() && entry.name_unsynced {
            flushed = sync_folder(&full);
            entry.name_unsynced = flushed.is_err();
        }
        if flushed.is_err() {
            open.remove(path);
        }
        flushed.map_err(|e| fail("sync", &full, e))
    }

    fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let full = self.full("replace", path)?;
        self.opened().remove(path);
        self.try_replace(&full, bytes).map_err(|e| fail("replace", &full, e))
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StorageError> {
        let full = self.full("read", path)?;
        match std::fs::read(&full) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(fail("read", &full, e)),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, StorageError> {
        let full = if folder.is_empty() { self.root.clone() } else { self.full("list", folder)? };
        let mut out = Vec::new();
        walk(&full, folder, &mut out).map_err(|e| fail("list", &full, e))?;
        out.sort();
        Ok(out)
    }

    fn remove(&self, path: &str) -> Result<(), StorageError> {
        let full = self.full("remove", path)?;
        self.opened().remove(path);
        match std::fs::remove_file(&full) {
            Ok(()) => sync_folder(&full).map_err(|e| fail("remove", &full, e)),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
            Err(e) => Err(fail("remove", &full, e)),
        }
    }
}

fn fail(action: &'static str, path: &Path, source: io::Error) -> StorageError {
    StorageError { action, path: path.display().to_string(), source }
}

fn open_for_append(full: &Path) -> io::Result<Appending> {
    if let Some(folder) = full.parent() {
        make_folders(folder)?;
    }
    let name_unsynced = !full.exists();
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(full)?;
    Ok(Appending { file, name_unsynced })
}

fn sync_folder(full: &Path) -> io::Result<()> {
    match full.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Makes `folder` and what is missing above it, and flushes each parent that got a new entry.
fn make_folders(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent().filter(|p| !p.as_os_str().is_empty()) {
        make_folders(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    sync_folder(folder)
}

fn walk(full: &Path, prefix: &str, out: &mut Vec<String>) -> io::Result<()> {
    let entries = match std::fs::read_dir(full) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(e),
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        // A symbolic link is listed as a file and so shows up as one too many; it is never followed.
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &path, out)?;
        } else if !name.ends_with(TEMPORARY) {
            out.push(path);
        }
    }
    Ok(())
}
