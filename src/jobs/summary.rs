use std::fmt;

use ingest::Document;
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
    /// The sources one by one.
    pub sources: Vec<SourceSummary>,
    /// Time taken, milliseconds.
    pub elapsed_ms: u64,
}

/// Most pages that a summary lists; the status page lists all of them.
pub const MAX_LISTED: usize = 500;

/// A page that a person should look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// True where every source was read whole and no file was rejected.
    pub fn is_clean(&self) -> bool {
        self.rejected.is_empty() && self.sources.iter().all(|s| s.error.is_none() && s.unreadable.is_empty())
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
        self.added += source.added;
        self.modified += source.modified;
        self.moved += source.moved;
        self.deleted += source.deleted;
        self.unchanged += source.unchanged;
        self.skipped += source.skipped;
        self.sources.push(source);
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
        if self.ocr_pages + self.low_confidence > 0 {
            write!(
                f,
                "\n{} pages read by text recognition, {} pages to be looked at (read with low confidence or not at all)",
                self.ocr_pages, self.low_confidence
            )?;
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
