//! Room on the disk of the data folder. An index that runs out of it in the middle of a write is repaired
//! by the next run; one that stops before needs no repair.

use std::path::Path;

use super::{JobError, run::Run};

/// Free space, in MiB, that anybody may use; `None` where the system does not say.
pub(crate) fn free_mb(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize) >> 20)
}

impl Run<'_> {
    /// # Errors
    /// Less room is left than `ingest.min_free_mb`.
    pub(super) fn check_space(&self) -> Result<(), JobError> {
        let config = &self.jobs.config;
        let needed_mb = config.ingest.min_free_mb;
        match free_mb(&config.data) {
            Some(free_mb) if free_mb < needed_mb => {
                Err(JobError::DiskFull { folder: config.data.clone(), free_mb, needed_mb })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_that_of_the_file_system() {
        let folder = tempfile::tempdir().unwrap();
        let told =
            std::process::Command::new("df").args(["-m", "--output=avail"]).arg(folder.path()).output();
        let told = String::from_utf8(told.unwrap().stdout).unwrap();
        let told: u64 = told.lines().nth(1).unwrap().trim().parse().unwrap();
        let free = free_mb(folder.path()).unwrap();
        assert!(free.abs_diff(told) < 1024, "df says {told} MiB, statvfs {free}");
        assert_eq!(free_mb(&folder.path().join("none")), None);
    }
}
