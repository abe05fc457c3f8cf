//! Tables: cells found against cells known, for real files and for made ones.

mod made;
mod reference;
mod score;

use std::path::{Path, PathBuf};

use ingest::{Document, Span};
use serde::Serialize;
use sha2::{Digest, Sha256};

use reference::Reference;
use score::{Cell, Grid};

/// What the reader makes of tables.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// Files with a reference: mean F1 of each half, by the hash of the file's name.
    files: Halves,
    /// Files made by this program.
    made: Halves,
    /// Every file and case.
    cases: Vec<Row>,
}

/// Means over cases. The rules were adjusted on half `a` alone.
#[derive(Debug, Default, Serialize)]
struct Halves {
    count: usize,
    f1: f64,
    f1_a: f64,
    f1_b: f64,
    /// F1 of the cells' texts alone.
    cell_f1: f64,
}

/// One file or made case.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    name: String,
    made: bool,
    half: char,
    precision: f64,
    recall: f64,
    f1: f64,
    cell_f1: f64,
}

/// A PDF and the tables that it is known to hold.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    made: bool,
    reference: Reference,
}

/// The made cases, and the files of `folder` that have a reference in `folder/ref`.
///
/// # Errors
/// A message where the folder or a reference cannot be read.
pub(super) fn inputs(folder: Option<&Path>) -> Result<Vec<Input>, String> {
    let mut out = Vec::new();
    if let Some(folder) = folder {
        for (name, path, reference) in references(folder)? {
            let bytes = std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            out.push(Input { name, bytes, made: false, reference });
        }
    }
    out.extend(made::cases().into_iter().map(|case| Input {
        name: case.name,
        bytes: case.bytes,
        made: true,
        reference: Reference { tables: case.tables, flat: false },
    }));
    Ok(out)
}

/// The score of what was read from an input; `None` for a file that was not read.
pub(super) fn row(input: &Input, read: Option<&Document>) -> Row {
    let found = read.map(|document| found(document, &input.reference)).unwrap_or_default();
    let score = score::relations(&input.reference.tables, &found);
    let cells = score::contents(&input.reference.tables, &found);
    Row {
        name: input.name.clone(),
        made: input.made,
        half: half(&input.name),
        precision: score.precision(),
        recall: score.recall(),
        f1: score.f1(),
        cell_f1: cells.f1(),
    }
}

impl Figures {
    /// Means over rows.
    pub(super) fn of(cases: Vec<Row>) -> Self {
        Figures { files: halves(&cases, false), made: halves(&cases, true), cases }
    }

    /// The figures for a reader.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut out = vec![format!(
            "{:<48} half {:>9} {:>9} {:>9} {:>9}",
            "F1 of adjacency relations", "precision", "recall", "F1", "cells F1"
        )];
        out.extend(self.cases.iter().map(|r| {
            format!(
                "{:<48} {:<4} {:>9.3} {:>9.3} {:>9.3} {:>9.3}",
                r.name, r.half, r.precision, r.recall, r.f1, r.cell_f1
            )
        }));
        for (name, halves) in [("files", &self.files), ("made", &self.made)] {
            out.push(format!(
                "{name}: {} cases, mean F1 {:.3}; half a (rules adjusted on it) {:.3}, half b {:.3}; cells {:.3}",
                halves.count, halves.f1, halves.f1_a, halves.f1_b, halves.cell_f1
            ));
        }
        out
    }
}

/// Reads a reference file.
type Parse = fn(&str) -> Result<Reference, String>;

/// The PDFs that have reference tables: file stem, path, tables.
fn references(folder: &Path) -> Result<Vec<(String, PathBuf, Reference)>, String> {
    let known = folder.join("ref");
    let entries = std::fs::read_dir(&known).map_err(|e| format!("cannot read {}: {e}", known.display()))?;
    let mut names: Vec<String> = entries.flatten().filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    let mut out = Vec::new();
    for name in names {
        let (stem, parse): (&str, Parse) = match (name.strip_suffix("-str.xml"), name.strip_suffix(".csv")) {
            (Some(stem), _) => (stem, reference::icdar),
            (_, Some(stem)) => (stem, |text| Ok(reference::csv(text))),
            _ => continue,
        };
        let pdf = folder.join(format!("{stem}.pdf"));
        let text = std::fs::read_to_string(known.join(&name)).map_err(|e| format!("{name}: {e}"))?;
        let reference = parse(&text).map_err(|e| format!("{name}: {e}"))?;
        if pdf.is_file() {
            out.push((stem.to_owned(), pdf, reference));
        }
    }
    Ok(out)
}

/// The tables of the document. A flat reference (CSV) speaks of the first page only, as the program that
/// wrote it was run on that page, and has no spans; all others are of the whole file.
fn found(document: &Document, reference: &Reference) -> Vec<Grid> {
    if reference.flat {
        let tables = document.pages.iter().take(1).flat_map(|p| &p.tables);
        return tables.map(|t| grid(&t.rows, &[])).collect();
    }
    document.joined_tables().iter().map(|t| grid(&t.rows, &t.spans)).collect()
}

fn grid(rows: &[Vec<String>], spans: &[Span]) -> Grid {
    let size = |v: u32| usize::try_from(v).unwrap_or(1);
    let mut out = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, text) in cells.iter().enumerate() {
            let span = spans.iter().find(|s| size(s.row) == row && size(s.column) == column);
            let (rows, columns) = span.map_or((1, 1), |s| (size(s.rows), size(s.columns)));
            out.push(Cell { row, column, rows, columns, text: text.clone() });
        }
    }
    out
}

fn halves(cases: &[Row], made: bool) -> Halves {
    let mean = |keep: &dyn Fn(&&Row) -> bool, value: fn(&Row) -> f64| {
        let values: Vec<f64> = cases.iter().filter(|r| r.made == made).filter(keep).map(value).collect();
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    };
    Halves {
        count: cases.iter().filter(|r| r.made == made).count(),
        f1: mean(&|_| true, |r| r.f1),
        f1_a: mean(&|r| r.half == 'a', |r| r.f1),
        f1_b: mean(&|r| r.half == 'b', |r| r.f1),
        cell_f1: mean(&|_| true, |r| r.cell_f1),
    }
}

/// Which half a file belongs to.
fn half(name: &str) -> char {
    if Sha256::digest(name).first().is_some_and(|b| b % 2 == 0) { 'a' } else { 'b' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_drawn_by_name() {
        let row = |name: &str, made, half, f1| Row {
            name: name.into(),
            made,
            half,
            precision: f1,
            recall: f1,
            f1,
            cell_f1: f1,
        };
        let figures = Figures::of(vec![
            row("x", false, 'a', 1.0),
            row("y", false, 'b', 0.5),
            row("z", false, 'b', 0.0),
            row("m", true, 'a', 0.25),
        ]);
        assert_eq!((figures.files.count, figures.files.f1), (3, 0.5));
        assert_eq!((figures.files.f1_a, figures.files.f1_b), (1.0, 0.25));
        assert_eq!((figures.made.count, figures.made.f1, figures.made.f1_b), (1, 0.25, 0.0));
        // SHA-256 of "abc" starts with ba, that of the empty string with e3 (FIPS 180-4 examples).
        assert_eq!((half("abc"), half("")), ('a', 'b'));
    }
}
