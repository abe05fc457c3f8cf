//! What a run did: its counts and lists, as the report and the command show them.

mod stage;
mod text;

use std::collections::BTreeMap;

use ingest::{Document, counted};
use serde::{Deserialize, Serialize};

pub use stage::StageTime;

use super::{models::ModifiedModels, tally::What};
use crate::audit::Retained;
use crate::catalog::{RecordFile, RejectedFile, RunId, RunRow, WarnedFiles};

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
    /// Tables of exports that are part of the document of the requests beside them.
    pub joined: u64,
    /// Files left out because they were erased; they still lie in their folders.
    pub erased: u64,
    /// How many files of sorts that no reader knows were met, attachments and members of archives among
    /// them, by extension (`.dwg`; `(none)` for a name without one).
    pub unknown: BTreeMap<String, u64>,
    /// Files that could not be read, old ones among them until they are mended.
    pub rejected: Vec<RejectedFile>,
    /// Models with a new version: what came, went and changed in them.
    pub models: ModifiedModels,
    /// Every file that was read with warnings, unchanged ones too.
    pub warned: WarnedFiles,
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
    /// What the rules of retention took out of the log.
    pub retained: Retained,
    /// Where the time went, the longest stage first.
    pub stages: Vec<StageTime>,
    /// Time taken, milliseconds.
    pub elapsed_ms: u64,
}

/// Most pages, and most files with warnings, that a summary lists.
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
    /// Tables that are part of the document of the requests beside them.
    pub joined: u64,
    /// Files left out because they were erased.
    pub erased: u64,
    /// Files of sorts that no reader knows, by extension.
    pub unknown: BTreeMap<String, u64>,
    /// Files that could not be read.
    pub rejected: u64,
    /// How many files were deleted or moved between the walk and their turn; the next run decides what became of them.
    pub vanished: u64,
    /// Their paths, at most [`MAX_LISTED`] of them.
    pub vanished_files: Vec<String>,
}

impl SourceSummary {
    pub(super) fn vanished(&mut self, path: &str) {
        self.vanished += 1;
        if self.vanished_files.len() < MAX_LISTED {
            self.vanished_files.push(path.to_owned());
        }
    }

    /// What was not to be had, in English: the source, folders, files that vanished.
    pub fn missed(&self) -> impl Iterator<Item = String> + '_ {
        const NAMED: usize = 5;
        let shown: Vec<&str> = self.vanished_files.iter().take(NAMED).map(String::as_str).collect();
        let more = if self.vanished > NAMED as u64 { ", …" } else { "" };
        let files = counted(self.vanished, "file was", "files were");
        let gone = format!(
            "{files} deleted or moved during the run; the next one looks again: {}{more}",
            shown.join(", ")
        );
        self.unreadable.iter().cloned().chain((self.vanished > 0).then_some(gone))
    }
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
        self.joined += source.joined;
        self.erased += source.erased;
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
