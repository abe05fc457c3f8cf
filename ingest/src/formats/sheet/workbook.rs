//! Workbooks by calamine, cell by cell: a lone cell in the last row must not cost a million empty ones.

use std::io::Cursor;

use calamine::{
    Cell, Data, DataRef, ExcelDateTime, Reader, SheetType, Sheets, Xlsb, XlsbError, Xlsx, XlsxError,
    open_workbook_auto_from_rs,
};

use quick_xml::events::Event;

use super::biff;
use super::csv::Row;
use crate::error::ReadError;
use crate::formats::archive::Archive;
use crate::formats::sniff;
use crate::limits::Limits;
use crate::model::Warning;
use crate::text::{counted, label};

/// Columns read of a sheet.
const MAX_COLUMNS: u32 = 1_024;
/// Cells of all sheets together, empty ones before a filled one among them.
const MAX_CELLS: usize = 10_000_000;
/// Empty rows in a sequence that are kept as such; a longer gap ends the sheet.
const MAX_GAP: u32 = 10_000;

/// A sheet as text: the first row is row 1.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Grid {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
    /// Cells with content beyond the last column that is read.
    pub(crate) beyond: u64,
}

/// What may still be read of a workbook.
struct Left {
    rows: u32,
    cells: usize,
}

/// Refuses an ODS whose content is not well-formed: the reader of workbooks waits for ever for the end of a table that
/// is cut off, or closed by another name.
fn well_formed(name: &str, contents: &[u8]) -> Result<(), ReadError> {
    if name != "content.xml" {
        return Ok(());
    }
    let mut reader = quick_xml::Reader::from_reader(contents);
    let mut depth = 0u64;
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) => depth += 1,
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::Eof) if depth > 0 => {
                return Err(ReadError::Damaged { detail: format!("{name} ends within {depth} elements") });
            }
            Ok(Event::Eof) => return Ok(()),
            Err(error) => {
                return Err(ReadError::Damaged {
                    detail: format!("{name} is no XML: {error} at byte {}", reader.error_position()),
                });
            }
            Ok(_) => {}
        }
    }
}

/// Reads all sheets with cells, within one limit for all of them.
pub(crate) fn read(
    bytes: &[u8],
    limits: &Limits,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Grid>, ReadError> {
    if bytes.starts_with(b"PK") {
        Archive::check(bytes, limits, well_formed)?;
    } else if bytes.starts_with(&sniff::COMPOUND) {
        biff::check(bytes)?;
    }
    let mut left = Left { rows: limits.max_rows, cells: MAX_CELLS };
    let mut grids = Vec::new();
    let mut warn =
        |code: &str, message: String| warnings.push(Warning { code: code.into(), message, page: None });
    let mut keep = |grid: Result<Grid, String>, name: &str, rows: u32| match grid {
        Ok(mut grid) => {
            if grid.name.trim().is_empty() {
                // A sheet is named in every place where its cells are cited.
                grid.name = format!("#{}", grids.len() + 1);
            }
            if grid.beyond > 0 {
                let cells = counted(grid.beyond, "cell", "cells");
                let were = if grid.beyond == 1 { "was" } else { "were" };
                warn(
                    "column-limit",
                    format!("sheet '{name}': {cells} beyond column {MAX_COLUMNS} {were} left out"),
                );
            }
            if rows == 0 {
                warn("row-limit", format!("sheet '{name}': rows beyond the limit were left out"));
            }
            grids.push(grid);
        }
        Err(error) => warn("sheet", format!("sheet '{name}' cannot be read: {error}")),
    };
    match Xlsx::new(Cursor::new(bytes)) {
        Ok(mut book) => {
            // Sheets that are nothing but a chart have no cells.
            let sheets = book.sheets_metadata().iter().filter(|s| s.typ != SheetType::ChartSheet);
            for name in sheets.map(|s| s.name.clone()).collect::<Vec<_>>() {
                let grid = xlsx_sheet(&mut book, &name, &mut left);
                keep(grid.map_err(|e| e.to_string()), &name, left.rows);
            }
        }
        Err(XlsxError::Password) => return Err(ReadError::Password),
        Err(_) => {
            let mut book = open(bytes)?;
            for name in book.sheet_names() {
                let grid = match &mut book {
                    Sheets::Xlsb(book) => xlsb_sheet(book, &name, &mut left).map_err(|e| e.to_string()),
                    book => range_sheet(book, &name, &mut left),
                };
                keep(grid, &name, left.rows);
            }
        }
    }
    grids.retain(|g| !g.rows.is_empty());
    Ok(grids)
}

fn open(bytes: &[u8]) -> Result<Sheets<Cursor<&[u8]>>, ReadError> {
    open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| {
        let text = error.to_string();
        if text.to_lowercase().contains("password") {
            ReadError::Password
        } else {
            ReadError::Damaged { detail: format!("the workbook cannot be opened ({text})") }
        }
    })
}

fn xlsx_sheet(book: &mut Xlsx<Cursor<&[u8]>>, name: &str, left: &mut Left) -> Result<Grid, XlsxError> {
    let mut cells = book.worksheet_cells_reader(name)?;
    one_by_one(name, left, || cells.next_cell())
}

/// Every sheet of an XLSB, cell by cell: a table of all between the outermost two could fill any memory.
fn xlsb_sheet(book: &mut Xlsb<Cursor<&[u8]>>, name: &str, left: &mut Left) -> Result<Grid, XlsbError> {
    let mut cells = book.worksheet_cells_reader(name)?;
    one_by_one(name, left, || cells.next_cell())
}

fn one_by_one<'a, E>(
    name: &str,
    left: &mut Left,
    mut next: impl FnMut() -> Result<Option<Cell<DataRef<'a>>>, E>,
) -> Result<Grid, E> {
    let mut grid = Grid { name: label(name), ..Grid::default() };
    while let Some(cell) = next()? {
        let text = match cell.get_value() {
            DataRef::String(s) => s.clone(),
            DataRef::SharedString(s) => (*s).to_string(),
            other => shown(&Data::from(other.clone())),
        };
        if !place(&mut grid, cell.get_position(), text, left) {
            break;
        }
    }
    Ok(grid)
}

fn range_sheet(book: &mut Sheets<Cursor<&[u8]>>, name: &str, rows: &mut Left) -> Result<Grid, String> {
    let range = book.worksheet_range(name).map_err(|e| e.to_string())?;
    let (top, left) = range.start().unwrap_or((0, 0));
    let mut grid = Grid { name: label(name), ..Grid::default() };
    for (row, column, value) in range.used_cells() {
        let at = (top.saturating_add(row as u32), left.saturating_add(column as u32));
        if !place(&mut grid, at, shown(value), rows) {
            break;
        }
    }
    Ok(grid)
}

/// Puts a text into its cell; false where the limits are reached.
fn place(grid: &mut Grid, (row, column): (u32, u32), text: String, left: &mut Left) -> bool {
    if text.trim().is_empty() {
        return true;
    }
    if column >= MAX_COLUMNS {
        grid.beyond += 1;
        return true;
    }
    let rows = &mut grid.rows;
    let missing = (row as usize + 1).saturating_sub(rows.len()) as u32;
    if missing > MAX_GAP.min(left.rows) {
        left.rows = 0;
        return false;
    }
    left.rows -= missing;
    if missing > 0 {
        rows.resize(row as usize + 1, Row::new());
    }
    if let Some(cells) = rows.get_mut(row as usize) {
        let width = column as usize + 1;
        if cells.len() < width {
            let new = width - cells.len();
            if new > left.cells {
                left.rows = 0;
                return false;
            }
            left.cells -= new;
            cells.resize(width, String::new());
        }
        if let Some(cell) = cells.get_mut(column as usize) {
            *cell = text;
        }
    }
    true
}

/// A value as its reader sees it, dates as ISO 8601.
fn shown(value: &Data) -> String {
    match value {
        Data::Int(i) => i.to_string(),
        Data::Float(f) => crate::text::number(*f),
        Data::String(s) => s.clone(),
        Data::Bool(b) => b.to_string(),
        Data::DateTime(d) => date(d),
        Data::DateTimeIso(s) => s.clone(),
        Data::DurationIso(s) => s.clone(),
        Data::Error(e) => e.to_string(),
        Data::Empty => String::new(),
    }
}

fn date(value: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = value.to_ymd_hms_milli();
    if value.is_duration() || value.as_f64() < 1.0 {
        return format!("{hour:02}:{minute:02}:{second:02}");
    }
    match (hour, minute, second) {
        (0, 0, 0) => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"),
    }
}
