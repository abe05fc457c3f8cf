//! Drawn pages under `DATA/cache/pages`, by version of the document, within a budget of bytes.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The cache of one data folder.
#[derive(Debug, Clone)]
pub(super) struct PageCache {
    root: PathBuf,
    budget_bytes: u64,
}

impl PageCache {
    pub(super) fn new(data: &Path, budget_bytes: u64) -> Self {
        Self { root: data.join("cache/pages"), budget_bytes }
    }

    /// `VERSION/N.png`; a version is a hash and a number, so no name can leave the folder.
    fn path(&self, version: &str, n: u32) -> PathBuf {
        let version: String = version.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        self.root.join(version).join(format!("{n}.png"))
    }

    /// The image of page `n`, if it is kept.
    pub(super) fn read(&self, version: &str, n: u32) -> std::io::Result<Option<Vec<u8>>> {
        match std::fs::read(self.path(version, n)) {
            Ok(png) => Ok(Some(png)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps an image, whole or not at all, and makes room by removing those drawn longest ago. Derived data,
    /// so it need not survive a power cut.
    pub(super) fn keep(&self, version: &str, n: u32, png: &[u8]) -> std::io::Result<()> {
        if png.len() as u64 > self.budget_bytes {
            return Ok(());
        }
        let path = self.path(version, n);
        let folder = path.parent().unwrap_or(&self.root);
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(png)?;
        file.persist(&path)?;
        self.make_room(&path)
    }

    /// Removes the oldest images but `newest` until the rest fits; a little more than needed, so that not
    /// every further page has to look through the folder for room.
    fn make_room(&self, newest: &Path) -> std::io::Result<()> {
        let mut images = Vec::new();
        for folder in std::fs::read_dir(&self.root)? {
            let Ok(files) = std::fs::read_dir(folder?.path()) else { continue };
            for file in files.flatten() {
                let Ok(facts) = file.metadata() else { continue };
                let drawn = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                images.push((drawn, file.path(), facts.len()));
            }
        }
        let mut total: u64 = images.iter().map(|(_, _, size)| size).sum();
        if total <= self.budget_bytes {
            return Ok(());
        }
        let target = self.budget_bytes / 10 * 9;
        images.sort();
        for (_, path, size) in images.iter().filter(|(_, path, _)| path != newest) {
            if total <= target {
                break;
            }
            // Somebody else may have removed it.
            if std::fs::remove_file(path).is_ok() {
                total -= size;
                if let Some(folder) = path.parent() {
                    // Fails where other pages are left in it.
                    let _ = std::fs::remove_dir(folder);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_images_drawn_longest_ago_make_room() {
        let data = tempfile::tempdir().unwrap();
        let cache = PageCache::new(data.path(), 1000);
        for n in 1..=4 {
            cache.keep("aa-1", n, &[b'x'; 240]).unwrap();
            // Page 1 is the newest by its time, page 4 the oldest.
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1000 - u64::from(n));
            File::options().write(true).open(cache.path("aa-1", n)).unwrap().set_modified(time).unwrap();
        }
        cache.keep("bb-1", 1, &[b'y'; 240]).unwrap();
        let kept = |version: &str, n| cache.read(version, n).unwrap().is_some();
        // 1200 bytes were there; at most 900 stay.
        assert_eq!([1, 2, 3, 4].map(|n| kept("aa-1", n)), [true, true, false, false]);
        assert!(kept("bb-1", 1));
        // What does not fit at all is not kept, and drives nothing out.
        cache.keep("cc-1", 1, &[b'z'; 1001]).unwrap();
        assert!(!kept("cc-1", 1) && kept("bb-1", 1));
        assert!(cache.path("../../etc", 1).starts_with(data.path().join("cache/pages/etc")));
    }
}
