//! Workbooks and CSV files: registers of requests become records, everything else sheets.

mod biff;
pub(crate) mod csv;
pub(crate) mod workbook;

#[cfg(test)]
pub(crate) mod tests;

use crate::error::ReadError;
use crate::formats::rfi::mapping::RecordMapping;
use crate::limits::Limits;
use crate::model::{Document, Kind, Sheet, Warning};
use csv::Row;
use workbook::Grid;

/// Rows above a header that may be a title block.
const TITLE_ROWS: usize = 12;

/// Reads a CSV file.
pub(crate) fn read_csv(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    mapping: &RecordMapping,
) -> Result<Document, ReadError> {
    let (text, encoding) = super::charset::decode(bytes);
    let csv::Parsed { rows, cut, odd } = csv::parse(&text, limits.max_rows as usize);
    let mut warnings = Vec::new();
    if cut {
        let message = format!("only the first {} rows were read", limits.max_rows);
        warnings.push(Warning { code: "row-limit".into(), message, page: None });
    }
    if let Some(message) = csv::odd_quotes(&odd) {
        warnings.push(Warning { code: "quotes".into(), message, page: None });
    }
    let mut document =
        assemble(vec![Grid { name: super::stem(name), rows, ..Grid::default() }], name, warnings, mapping);
    document.metadata.insert("charset".into(), encoding.to_string());
    Ok(document)
}

/// Reads a workbook.
pub(crate) fn read_workbook(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    mapping: &RecordMapping,
) -> Result<Document, ReadError> {
    let mut warnings = Vec::new();
    let grids = workbook::read(bytes, limits, &mut warnings)?;
    let mut document = assemble(grids, name, warnings, mapping);
    if bytes.starts_with(b"PK") {
        super::office::workbook::complete(bytes, limits, &mut document)?;
    }
    Ok(document)
}

fn assemble(grids: Vec<Grid>, name: &str, warnings: Vec<Warning>, mapping: &RecordMapping) -> Document {
    let mut document = Document::new(Kind::Sheet, super::stem(name));
    document.warnings = warnings;
    for grid in grids {
        match super::rfi::register::read(&grid, name, mapping) {
            Some(register) => {
                document.kind = Kind::Rfi;
                register.add_to(&mut document);
            }
            None => document.sheets.extend(sheets(grid)),
        }
    }
    if document.sheets.is_empty() && document.registers.is_empty() {
        let message = "no cell has content".into();
        document.warnings.push(Warning { code: "empty".into(), message, page: None });
    }
    document
}

/// A sheet with its title block apart, so that the header row comes first.
fn sheets(grid: Grid) -> Vec<Sheet> {
    let first = grid.rows.iter().position(|r| filled(r) > 0);
    let Some(first) = first else { return Vec::new() };
    let header = header_row(&grid.rows, first);
    let mut out = Vec::new();
    let mut add = |from: usize, to: usize, header_rows: u32| {
        let mut rows: Vec<Row> = grid.rows.get(from..to).unwrap_or_default().to_vec();
        while rows.last().is_some_and(|r| filled(r) == 0) {
            rows.pop();
        }
        if !rows.is_empty() {
            let first_row = u32::try_from(from + 1).unwrap_or(u32::MAX);
            out.push(Sheet { name: grid.name.clone(), first_row, rows, header_rows });
        }
    };
    match header {
        Some(at) => {
            add(first, at, 0);
            add(at, grid.rows.len(), 1);
        }
        None => add(first, grid.rows.len(), 0),
    }
    out
}

fn filled(row: &[String]) -> usize {
    row.iter().filter(|c| !c.trim().is_empty()).count()
}

/// The first row that names most columns of the rows below it.
fn header_row(rows: &[Row], first: usize) -> Option<usize> {
    let window = rows.get(first..(first + 50).min(rows.len())).unwrap_or_default();
    let mut widths: Vec<usize> = window.iter().map(|r| filled(r)).filter(|n| *n > 0).collect();
    widths.sort_unstable();
    let usual = widths.get(widths.len() / 2).copied().unwrap_or(0);
    if usual < 2 || widths.len() < 2 {
        return None;
    }
    let names = |row: &Row| {
        let texts: Vec<&str> = row.iter().map(|c| c.trim()).filter(|c| !c.is_empty()).collect();
        let numeric =
            texts.iter().filter(|t| t.chars().all(|c| c.is_ascii_digit() || ".,-’' ".contains(c))).count();
        texts.len() * 10 >= usual * 7 && texts.len() >= 2 && numeric == 0
    };
    window.iter().take(TITLE_ROWS).position(names).map(|at| first + at)
}
