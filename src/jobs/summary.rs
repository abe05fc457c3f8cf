use std::fmt;

use serde::Serialize;

use crate::catalog::{RecordFile, RejectedFile, RunId};

/// What a run did. Counts are of documents; an attachment of a mail is a document too.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunSummary {
    /// The run; absent for a dry run.
    pub run: Option<RunId>,
    /// True where nothing was changed.
    pub dry_run: bool,
    /// New documents.
    pub added: u64,
    /// Documents with a new version.
    pub modified: u64,
    /// Documents found under another path.
    pub moved: u64,
    /// Documents whose file is gone.
    pub deleted: u64,
    /// Documents as before.
    pub unchanged: u64,
    /// Attachments of a sort that no reader knows (a picture in a signature): left out, no fault.
    pub skipped: u64,
    /// Files that could not be read, old ones among them until they are mended.
    pub rejected: Vec<RejectedFile>,
    /// Pages read.
    pub pages: u64,
    /// Chunks indexed.
    pub chunks: u64,
    /// Chunks that catalog and indexes disagreed about, put right at the end.
    pub repaired: u64,
    /// Every file with records, unchanged ones too: what was found in it and what is stored.
    pub records: Vec<RecordFile>,
    /// The sources one by one.
    pub sources: Vec<SourceSummary>,
    /// Time taken, milliseconds.
    pub elapsed_ms: u64,
}

/// What a run did with one source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SourceSummary {
    /// Its name.
    pub name: String,
    /// Why it could not be read (folder missing, mount gone); nothing of it was changed then.
    pub error: Option<String>,
    /// Folders in it that could not be read; what was known below them was kept.
    pub unreadable: Vec<String>,
    /// New documents.
    pub added: u64,
    /// Documents with a new version.
    pub modified: u64,
    /// Documents found under another path.
    pub moved: u64,
    /// Documents whose file is gone.
    pub deleted: u64,
    /// Documents as before.
    pub unchanged: u64,
    /// Attachments left out.
    pub skipped: u64,
    /// Files that could not be read.
    pub rejected: u64,
}

impl RunSummary {
    /// True where every source was read whole, no file was rejected and no record is unaccounted for.
    pub fn is_clean(&self) -> bool {
        self.rejected.is_empty()
            && self.records.iter().all(RecordFile::balances)
            && self.sources.iter().all(|s| s.error.is_none() && s.unreadable.is_empty())
    }

    /// Takes a source's counts into the sums.
    pub(super) fn take(&mut self, source: SourceSummary) {
        self.added += source.added;
        self.modified += source.modified;
        self.moved += source.moved;
        self.deleted += source.deleted;
        self.unchanged += source.unchanged;
        self.skipped += source.skipped;
        self.sources.push(source);
    }
}

impl RunSummary {
    /// The sums over all files with records, and the files whose counts do not come out even.
    fn write_records(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.records.is_empty() {
            return Ok(());
        }
        let sum = |count: fn(&RecordFile) -> u64| self.records.iter().map(count).sum::<u64>();
        write!(
            f,
            "\nrecords in {} files: {} found = {} stored + {} merged + {} rejected",
            self.records.len(),
            sum(|r| r.found),
            sum(|r| r.stored),
            sum(|r| r.merged),
            sum(|r| r.rejected)
        )?;
        for file in self.records.iter().filter(|file| !file.balances()) {
            write!(
                f,
                "\nsource {}: {}: {} records found, but {} stored, {} merged and {} rejected",
                file.source, file.path, file.found, file.stored, file.merged, file.rejected
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for RunSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.dry_run {
            f.write_str("would be: ")?;
        }
        write!(
            f,
            "{} added, {} modified, {} moved, {} deleted, {} unchanged, {} rejected, {:.1} s",
            self.added,
            self.modified,
            self.moved,
            self.deleted,
            self.unchanged,
            self.rejected.len(),
            self.elapsed_ms as f64 / 1000.0
        )?;
        self.write_records(f)?;
        for source in &self.sources {
            if let Some(error) = &source.error {
                write!(f, "\nsource {} was not read: {error}", source.name)?;
            }
            for folder in &source.unreadable {
                write!(f, "\nsource {}: {folder}", source.name)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(found: u64, stored: u64, merged: u64, rejected: u64) -> RecordFile {
        RecordFile {
            source: "a".into(),
            path: "rfi.csv".into(),
            found,
            stored,
            merged,
            rejected,
            ..RecordFile::default()
        }
    }

    #[test]
    fn records_must_come_out_even() {
        let mut summary =
            RunSummary { records: vec![file(10, 7, 1, 2), file(3, 3, 0, 0)], ..RunSummary::default() };
        assert!(summary.is_clean());
        let text = summary.to_string();
        assert!(
            text.ends_with("\nrecords in 2 files: 13 found = 10 stored + 1 merged + 2 rejected"),
            "{text}"
        );
        summary.records.push(file(5, 4, 0, 0));
        assert!(!summary.is_clean());
        assert!(summary.to_string().contains("a: rfi.csv: 5 records found, but 4 stored"));
    }
}
