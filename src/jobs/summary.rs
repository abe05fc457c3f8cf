use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use crate::catalog::{RejectedFile, RunId};

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
    /// How many files of sorts that no reader knows were met, attachments and members of archives among
    /// them, by extension (`.dwg`; `(none)` for a name without one).
    pub unknown: BTreeMap<String, u64>,
    /// Files that could not be read, old ones among them until they are mended.
    pub rejected: Vec<RejectedFile>,
    /// Pages read.
    pub pages: u64,
    /// Chunks indexed.
    pub chunks: u64,
    /// Chunks that catalog and indexes disagreed about, put right at the end.
    pub repaired: u64,
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
    /// Files of sorts that no reader knows, by extension.
    pub unknown: BTreeMap<String, u64>,
    /// Files that could not be read.
    pub rejected: u64,
}

impl RunSummary {
    /// True where every source was read whole and no file was rejected.
    pub fn is_clean(&self) -> bool {
        self.rejected.is_empty() && self.sources.iter().all(|s| s.error.is_none() && s.unreadable.is_empty())
    }

    /// Takes a source's counts into the sums.
    pub(super) fn take(&mut self, source: SourceSummary) {
        self.added += source.added;
        self.modified += source.modified;
        self.moved += source.moved;
        self.deleted += source.deleted;
        self.unchanged += source.unchanged;
        self.skipped += source.skipped;
        for (sort, count) in &source.unknown {
            *self.unknown.entry(sort.clone()).or_default() += count;
        }
        self.sources.push(source);
    }
}

impl SourceSummary {
    /// Counts a file of a sort that no reader knows.
    pub(super) fn count_unknown(&mut self, path: &str) {
        let file = path.rsplit('/').next().unwrap_or(path);
        let sort = match file.rsplit_once('.') {
            Some((stem, end)) if !stem.is_empty() && !end.is_empty() => format!(".{}", end.to_lowercase()),
            _ => "(none)".to_owned(),
        };
        *self.unknown.entry(sort).or_default() += 1;
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
        if !self.unknown.is_empty() {
            let sorts: Vec<String> = self.unknown.iter().map(|(sort, n)| format!("{n} {sort}")).collect();
            write!(f, "\nof sorts that no reader knows: {}", sorts.join(", "))?;
        }
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

    #[test]
    fn unknown_sorts_are_counted_and_named() {
        let mut source = SourceSummary::default();
        for path in ["a/plan.DWG", "b.dwg", "mail.eml/bild.png", "LIESMICH", "v1.2/.config"] {
            source.count_unknown(path);
        }
        let mut summary = RunSummary::default();
        summary.take(source);
        let text = summary.to_string();
        assert!(text.contains("\nof sorts that no reader knows: 2 (none), 2 .dwg, 1 .png"), "{text}");
    }
}
