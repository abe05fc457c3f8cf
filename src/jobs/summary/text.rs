//! A summary as text: one line of counts, then what a person should know.

use std::fmt;

use ingest::counted;

use super::RunSummary;
use crate::catalog::RecordFile;

/// Lines for models, and for files with warnings, in a text.
const LINES: usize = 20;

impl RunSummary {
    /// Each model with a new version, what changed in it below it.
    fn write_models(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = &self.models;
        if all.models == 0 {
            return Ok(());
        }
        write!(
            f,
            "\nelements of {}: {}",
            counted(all.models, "modified model", "modified models"),
            all.counts
        )?;
        for model in all.listed.iter().take(LINES) {
            let list = model.changes.diff.to_string();
            let mut lines: Vec<&str> = list.lines().collect();
            let counts = lines.pop().unwrap_or_default();
            write!(f, "\nmodel {}: {}: {counts} since {}", model.source, model.path, model.changes.since)?;
            lines.into_iter().try_for_each(|line| write!(f, "\n  {line}"))?;
        }
        Ok(())
    }

    /// The files that were read with warnings, those read in part first.
    fn write_warned(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = &self.warned;
        if all.files == 0 {
            return Ok(());
        }
        write!(
            f,
            "\nread with warnings: {}, {} of them only in part",
            counted(all.files, "file", "files"),
            all.in_part
        )?;
        for file in all.listed.iter().take(LINES) {
            let first = file.warnings.first().map(|w| w.message.as_str()).unwrap_or_default();
            let more = file.more + file.warnings.len().saturating_sub(1) as u64;
            write!(f, "\n  {}: {}: {first}", file.source, file.path)?;
            if more > 0 {
                write!(f, " (and {more} more)")?;
            }
        }
        match all.files.saturating_sub(LINES as u64) {
            0 => Ok(()),
            more => {
                write!(f, "\n  and {}; the run's page lists them", counted(more, "more file", "more files"))
            }
        }
    }

    /// The sums over all files with records, and the files whose counts do not come out even.
    fn write_records(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.records.is_empty() {
            return Ok(());
        }
        let sum = |count: fn(&RecordFile) -> u64| self.records.iter().map(count).sum::<u64>();
        write!(
            f,
            "\nrecords in {}: {} found = {} stored + {} merged + {} rejected",
            counted(self.records.len(), "file", "files"),
            sum(|r| r.found),
            sum(|r| r.stored),
            sum(|r| r.merged),
            sum(|r| r.rejected)
        )?;
        for file in self.records.iter().filter(|file| !file.balances()) {
            write!(
                f,
                "\nsource {}: {}: {} found, but {} stored, {} merged and {} rejected",
                file.source,
                file.path,
                counted(file.found, "record", "records"),
                file.stored,
                file.merged,
                file.rejected
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
        if self.erased > 0 {
            let files = counted(self.erased, "file was", "files were");
            write!(f, "\n{files} left out because they were erased; remove them from their folders")?;
        }
        if self.joined > 0 {
            let read = counted(
                self.joined,
                "table read as part of the requests beside it",
                "tables read as parts of the requests beside them",
            );
            write!(f, "\n{read}")?;
        }
        if self.ocr_pages + self.low_confidence > 0 {
            write!(
                f,
                "\n{} read by text recognition, {} to be looked at (read with low confidence or not at all)",
                counted(self.ocr_pages, "page", "pages"),
                counted(self.low_confidence, "page", "pages")
            )?;
        }
        self.write_records(f)?;
        self.write_models(f)?;
        self.write_warned(f)?;
        for source in &self.sources {
            if let Some(error) = &source.error {
                write!(f, "\nsource {} was not read: {error}", source.name)?;
            }
            for missed in source.missed() {
                write!(f, "\nsource {}: {missed}", source.name)?;
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
    use crate::{
        catalog::{DocumentId, WarnedFile, WarnedFiles},
        jobs::SourceSummary,
    };
    use ingest::Warning;

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
    fn words_take_the_form_that_goes_with_their_number() {
        let said = |n: u64| {
            let warned = WarnedFiles { files: n, in_part: n, listed: Vec::new() };
            let records = (0..n).map(|_| file(n, n + 1, 0, 0)).collect();
            let summary = RunSummary {
                warned,
                records,
                joined: n,
                ocr_pages: n,
                low_confidence: n,
                ..RunSummary::default()
            };
            summary.to_string().lines().skip(1).map(String::from).collect::<Vec<_>>()
        };
        assert_eq!(said(0), [""; 0]);
        assert_eq!(
            said(1),
            [
                "1 table read as part of the requests beside it",
                "1 page read by text recognition, 1 page to be looked at (read with low confidence or not at all)",
                "records in 1 file: 1 found = 2 stored + 0 merged + 0 rejected",
                "source a: rfi.csv: 1 record found, but 2 stored, 0 merged and 0 rejected",
                "read with warnings: 1 file, 1 of them only in part",
            ]
        );
        let two = said(2);
        assert_eq!(two[0], "2 tables read as parts of the requests beside them");
        assert!(two[1].starts_with("2 pages read by text recognition, 2 pages to be"), "{}", two[1]);
        assert!(two[2].starts_with("records in 2 files: 4 found"), "{}", two[2]);
        assert!(two[3].contains(": 2 records found,"), "{}", two[3]);
        assert_eq!(two[5], "read with warnings: 2 files, 2 of them only in part");
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
    fn models_and_files_with_warnings_are_listed() {
        let warning =
            |code: &str, message: &str| Warning { code: code.into(), message: message.into(), page: None };
        let file = |path: &str, in_part, warnings| WarnedFile {
            source: "a".into(),
            path: path.into(),
            document: DocumentId(1),
            in_part,
            warnings,
            more: 0,
        };
        let listed = vec![
            file("haus.ifc", true, vec![warning("broken-record", "the file ends in a record"); 3]),
            file("seite.html", false, vec![warning("navigation", "1 navigation block was left out")]),
        ];
        let warned = WarnedFiles { files: 2, in_part: 1, listed };
        let text = RunSummary { warned, ..RunSummary::default() }.to_string();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "read with warnings: 2 files, 1 of them only in part",
                "  a: haus.ifc: the file ends in a record (and 2 more)",
                "  a: seite.html: 1 navigation block was left out"
            ]
        );
    }
}
