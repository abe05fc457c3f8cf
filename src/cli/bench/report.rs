//! What `bench ingest` found: figures per program, agreement per half of the files.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::agreement::{Bad, Half, bad, half};
use super::ingest::Measured;
use super::usage::Usage;
use crate::cli::Output;

/// A program that reads PDFs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Program {
    Own,
    Pdfium,
    /// pdfium again, started once for all files: what its start costs.
    PdfiumOneProcess,
    Poppler,
    Mupdf,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Program::Own => "dossier",
            Program::Pdfium => "pdfium",
            Program::PdfiumOneProcess => "pdfium, one process",
            Program::Poppler => "pdftotext",
            Program::Mupdf => "mutool",
        })
    }
}

/// How a program got on with the files.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Figures {
    missing: bool,
    opened: usize,
    pages: usize,
    refused: usize,
    timed_out: usize,
    died: usize,
    cpu_seconds: f64,
    pages_per_cpu_second: f64,
    /// Resident memory of a process at its peak: the largest, the median, how many above 60 MiB.
    peak_rss_mib: f64,
    median_rss_mib: f64,
    processes_above_60_mib: usize,
    /// The files that those were started for, with their MiB; not those of a process for all files.
    files_above_60_mib: Vec<(String, f64)>,
}

/// Everything that was measured.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Report {
    programs: BTreeMap<Program, Figures>,
    tuning: Half,
    reported: Half,
    /// Files of which a program died or on which it was stopped.
    faults: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    worst: Vec<Bad>,
}

impl Report {
    fn figures(&mut self, program: Program) -> &mut Figures {
        self.programs.entry(program).or_default()
    }

    pub(super) fn opened(&mut self, program: Program, pages: usize) {
        let figures = self.figures(program);
        figures.opened += 1;
        figures.pages += pages;
    }

    pub(super) fn refused(&mut self, program: Program) {
        self.figures(program).refused += 1;
    }

    pub(super) fn timed_out(&mut self, program: Program, file: &str) {
        self.figures(program).timed_out += 1;
        self.faults.push(format!("{program} was stopped on {file}"));
    }

    pub(super) fn died(&mut self, program: Program, file: &str, how: &str) {
        self.figures(program).died += 1;
        self.faults.push(format!("{program} on {file}: {how}"));
    }

    pub(super) fn missing(&mut self, program: Program) {
        self.programs.insert(program, Figures { missing: true, ..Figures::default() });
    }

    pub(super) fn cost(&mut self, program: Program, usage: &Usage) {
        let figures = self.figures(program);
        figures.cpu_seconds = usage.cpu_seconds;
        figures.peak_rss_mib = usage.peak_mib();
        figures.median_rss_mib = usage.median_mib();
        let above = usage.above_mib(60);
        figures.processes_above_60_mib = above.len();
        if program != Program::PdfiumOneProcess {
            figures.files_above_60_mib = above;
        }
        if usage.cpu_seconds > 0.0 {
            figures.pages_per_cpu_second = figures.pages as f64 / usage.cpu_seconds;
        }
    }

    /// Compares what the programs read.
    pub(super) fn score(&mut self, measured: &[Measured], worst: usize) {
        let (tuning, reported): (Vec<_>, Vec<_>) = measured.iter().partition(|m| m.tuning);
        self.tuning = half(&tuning);
        self.reported = half(&reported);
        self.worst = bad(&tuning);
        self.worst.truncate(worst);
    }

    /// Tables for people.
    pub(super) fn show(&self, out: &Output) {
        out.line(format!(
            "{:<20} {:>6} {:>6} {:>7} {:>7} {:>5} {:>11}   {}",
            "",
            "opened",
            "pages",
            "refused",
            "stopped",
            "died",
            "pages/CPU-s",
            "MiB median, peak, files above 60"
        ));
        for (program, f) in &self.programs {
            if f.missing {
                out.line(format!("{program:<20} not installed"));
                continue;
            }
            out.line(format!(
                "{program:<20} {:>6} {:>6} {:>7} {:>7} {:>5} {:>11.0}   {:.0}, {:.0}, {}",
                f.opened,
                f.pages,
                f.refused,
                f.timed_out,
                f.died,
                f.pages_per_cpu_second,
                f.median_rss_mib,
                f.peak_rss_mib,
                f.processes_above_60_mib
            ));
        }
        for (program, f) in &self.programs {
            for (file, mib) in &f.files_above_60_mib {
                out.line(format!("{program:<20} {mib:>6.0} MiB for {file}"));
            }
        }
        self.tuning.show("tuning half", out);
        self.reported.show("reported half", out);
        for fault in &self.faults {
            out.line(fault);
        }
        for bad in &self.worst {
            let Bad { name, against, token_f1, order } = bad;
            out.line(format!("{token_f1:>5.1} {order:>5.1} against {against:<10} {name}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_pages_over_processor_time() {
        let mut report = Report::default();
        report.opened(Program::Own, 30);
        report.opened(Program::Own, 10);
        report.cost(
            Program::Own,
            &Usage { cpu_seconds: 0.5, peaks_kib: vec![(2048, "a.pdf".into()), (70 << 10, "b.pdf".into())] },
        );
        let figures = &report.programs[&Program::Own];
        assert_eq!(figures.files_above_60_mib, [("b.pdf".to_owned(), 70.0)]);
        assert_eq!((figures.opened, figures.pages_per_cpu_second, figures.peak_rss_mib), (2, 80.0, 70.0));
    }
}
