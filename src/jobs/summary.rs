use std::{collections::BTreeMap, fmt, time::Duration};

use ingest::Document;
use serde::{Deserialize, Serialize};

use super::{progress::Step, tally::What};
use crate::catalog::{RecordFile, RejectedFile, RunId, RunRow};

/// Documents that changed, by what happened to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Changes {
    /// New documents.
    pub added: u64,
    /// Documents with a new version.
    pub modified: u64,
    /// Documents found under another path.
    pub moved: u64,
    /// Documents whose file is gone.
    pub deleted: u64,
}

impl Changes {
    pub(super) fn add(&mut self, what: What, documents: u64) {
        let field = match what {
            What::Added => &mut self.added,
            What::Modified => &mut self.modified,
            What::Moved => &mut self.moved,
            What::Deleted => &mut self.deleted,
        };
        *field += documents;
    }

    fn each(self) -> [(What, u64); 4] {
        [
            (What::Added, self.added),
            (What::Modified, self.modified),
            (What::Moved, self.moved),
            (What::Deleted, self.deleted),
        ]
    }
}

/// What a run did. Counts are of documents; an attachment of a mail is a document too.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSummary {
    /// The run; absent for a dry run.
    pub run: Option<RunId>,
    /// True where nothing was changed.
    pub dry_run: bool,
    /// What became of its documents.
    #[serde(flatten)]
    pub changes: Changes,
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
    /// Pages among them that were images and were read by text recognition.
    pub ocr_pages: u64,
    /// How many pages were read with low confidence or not at all.
    pub low_confidence: u64,
    /// Those pages, at most [`MAX_LISTED`] of them.
    pub low_confidence_pages: Vec<ListedPage>,
    /// Chunks indexed.
    pub chunks: u64,
    /// Chunks that catalog and indexes disagreed about, put right at the end.
    pub repaired: u64,
    /// Every file with records, unchanged ones too: what was found in it and what is stored.
    pub records: Vec<RecordFile>,
    /// Bytes of the files read.
    pub bytes: u64,
    /// The sources one by one.
    pub sources: Vec<SourceSummary>,
    /// The projects that changed, one by one.
    pub projects: Vec<ProjectSummary>,
    /// What the search indexes still hold of what was deleted; absent where nothing was.
    pub deletion: Option<DeletionProof>,
    /// Where the time went, the longest stage first.
    pub stages: Vec<StageTime>,
    /// Time taken, milliseconds.
    pub elapsed_ms: u64,
}

/// Most pages that a summary lists; the status page lists all of them.
pub const MAX_LISTED: usize = 500;

/// A page that a person should look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedPage {
    /// Name of the source.
    pub source: String,
    /// Path relative to the source.
    pub path: String,
    /// Number of the page, from 1.
    pub page: u32,
    /// Mean confidence of its words, 0 to 100; absent where it was not read.
    pub confidence: Option<f32>,
    /// Why it is listed, in English.
    pub reason: String,
}

/// What a run did with one source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceSummary {
    /// Its name.
    pub name: String,
    /// Why it could not be read (folder missing, mount gone); nothing of it was changed then.
    pub error: Option<String>,
    /// Folders in it that could not be read; what was known below them was kept.
    pub unreadable: Vec<String>,
    /// What became of its documents.
    #[serde(flatten)]
    pub changes: Changes,
    /// Documents as before.
    pub unchanged: u64,
    /// Attachments left out.
    pub skipped: u64,
    /// Files of sorts that no reader knows, by extension.
    pub unknown: BTreeMap<String, u64>,
    /// Files that could not be read.
    pub rejected: u64,
}

/// What a run changed in one project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectSummary {
    /// Its name.
    pub name: String,
    /// What became of its documents.
    #[serde(flatten)]
    pub changes: Changes,
}

/// The search indexes' own word on what was deleted, asked after the last repair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeletionProof {
    /// Documents that were deleted.
    pub documents: u64,
    /// Chunks that they had.
    pub chunks: u64,
    /// Of these, chunks that the word index still holds.
    pub found_in_words: u64,
    /// Of these, chunks that the vector index still holds; absent where there is none.
    pub found_in_vectors: Option<u64>,
}

/// What a stage of a run took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageTime {
    /// The stage.
    pub stage: Step,
    /// Time by the clock, in seconds. Files are read beside the other stages: of `read`, it is the time
    /// that the run waited for its readers.
    pub seconds: f64,
    /// Bytes per second of one reader.
    pub bytes_per_s: Option<f64>,
    /// Pages per second of one reader.
    pub pages_per_s: Option<f64>,
    /// Chunks per second.
    pub chunks_per_s: Option<f64>,
}

impl StageTime {
    /// `reading` is what the readers read, in bytes, and the time that they took together.
    pub fn new(stage: Step, time: Duration, run: &RunSummary, reading: (u64, Duration)) -> Self {
        let rate = |n: u64, time: Duration| {
            (n > 0 && !time.is_zero()).then(|| rounded(n as f64 / time.as_secs_f64()))
        };
        let is_read = stage == Step::Read;
        let of_chunks = [Step::Embed, Step::Stage, Step::Index, Step::Flush, Step::Commit].contains(&stage);
        StageTime {
            stage,
            seconds: rounded(time.as_secs_f64()),
            bytes_per_s: rate(reading.0, reading.1).filter(|_| is_read),
            pages_per_s: rate(run.pages, reading.1).filter(|_| is_read),
            chunks_per_s: rate(run.chunks, time).filter(|_| of_chunks),
        }
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

impl RunSummary {
    /// What a run left in the catalog: its summary, and the error of one that gave up. A run that was cut off left
    /// neither.
    pub fn of(row: &RunRow) -> (Self, Option<String>) {
        let Some(told) = &row.summary else { return Default::default() };
        let error = told.get("error").and_then(|error| error.as_str()).map(str::to_owned);
        // What an older program left out is zero; what it wrote otherwise is no summary.
        (Self::deserialize(told).unwrap_or_default(), error)
    }

    /// True where every source was read whole, no file was rejected and no record is unaccounted for.
    pub fn is_clean(&self) -> bool {
        self.rejected.is_empty()
            && self.records.iter().all(RecordFile::balances)
            && self.sources.iter().all(|s| s.error.is_none() && s.unreadable.is_empty())
    }

    /// Counts the pages of a document that was taken in, and lists those that were read badly.
    pub(super) fn count_pages(&mut self, source: &str, path: &str, document: &Document) {
        self.pages += document.pages.len() as u64;
        self.ocr_pages += document.pages.iter().filter(|p| p.ocr_confidence.is_some()).count() as u64;
        for warning in &document.warnings {
            let Some(number) = warning.page.filter(|_| warning.is_about_ocr()) else { continue };
            self.low_confidence += 1;
            if self.low_confidence_pages.len() < MAX_LISTED {
                let page = document.pages.iter().find(|p| p.number == number);
                self.low_confidence_pages.push(ListedPage {
                    source: source.to_owned(),
                    path: path.to_owned(),
                    page: number,
                    confidence: page.and_then(|p| p.ocr_confidence),
                    reason: warning.message.clone(),
                });
            }
        }
    }

    /// Takes a source's counts into the sums.
    pub(super) fn take(&mut self, source: SourceSummary) {
        for (what, documents) in source.changes.each() {
            self.changes.add(what, documents);
        }
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
            self.changes.added,
            self.changes.modified,
            self.changes.moved,
            self.changes.deleted,
            self.unchanged,
            self.rejected.len(),
            self.elapsed_ms as f64 / 1000.0
        )?;
        if !self.unknown.is_empty() {
            let sorts: Vec<String> = self.unknown.iter().map(|(sort, n)| format!("{n} {sort}")).collect();
            write!(f, "\nof sorts that no reader knows: {}", sorts.join(", "))?;
        }
        if self.ocr_pages + self.low_confidence > 0 {
            write!(
                f,
                "\n{} pages read by text recognition, {} pages to be looked at (read with low confidence or not at all)",
                self.ocr_pages, self.low_confidence
            )?;
        }
        self.write_records(f)?;
        for source in &self.sources {
            if let Some(error) = &source.error {
                write!(f, "\nsource {} was not read: {error}", source.name)?;
            }
            for folder in &source.unreadable {
                write!(f, "\nsource {}: {folder}", source.name)?;
            }
        }
        if let Some(proof) = &self.deletion {
            let left = proof.found_in_words + proof.found_in_vectors.unwrap_or(0);
            write!(f, "\ndeleted chunks: {}, still in the search indexes: {left}", proof.chunks)?;
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

    #[test]
    fn rates_are_those_of_the_work_that_a_stage_does() {
        let run = RunSummary { pages: 30, chunks: 200, ..RunSummary::default() };
        let reading = (4_000_000, Duration::from_secs(2));
        let stage = |stage, s| StageTime::new(stage, Duration::from_secs(s), &run, reading);
        let read = stage(Step::Read, 1);
        assert_eq!((read.seconds, read.bytes_per_s, read.pages_per_s), (1.0, Some(2e6), Some(15.0)));
        assert_eq!(read.chunks_per_s, None);
        assert_eq!(stage(Step::Embed, 8).chunks_per_s, Some(25.0));
        assert_eq!(stage(Step::Scan, 8).chunks_per_s, None);
        assert_eq!(stage(Step::Embed, 0).chunks_per_s, None, "no time, no rate");
    }
}
