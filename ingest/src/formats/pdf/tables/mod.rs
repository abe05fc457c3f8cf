//! Tables: from ruling lines where there are any, else from alignment.

pub(super) mod aligned;
pub(super) mod breaks;
mod columns;
mod open;
mod rows;
pub(super) mod ruled;
mod rules;
mod spans;

use super::bidi::to_reading_order;
use super::words::PlacedWord;

/// Words of one cell in reading order.
pub(super) type Cell = Vec<PlacedWord>;

/// A row of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// All rows of a table have equally many cells.
    pub(super) cells: Vec<Cell>,
}

impl Row {
    /// Box around the row's words; `None` for an empty row.
    pub(super) fn rect(&self) -> Option<[f32; 4]> {
        bounds(self.cells.iter().flatten())
    }

    /// Number of cells with text.
    pub(super) fn filled(&self) -> usize {
        self.cells.iter().filter(|c| !c.is_empty()).count()
    }

    fn is_bold(&self) -> bool {
        self.cells.iter().flatten().all(|w| w.bold)
    }
}

/// A cell that covers several rows or columns; its words stand in the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellSpan {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// A table on the page, with its words still in place.
#[derive(Debug, Clone, Default)]
pub(super) struct FoundTable {
    pub(super) rect: [f32; 4],
    pub(super) rows: Vec<Row>,
    pub(super) spans: Vec<CellSpan>,
    pub(super) header_rows: u32,
}

impl FoundTable {
    /// Drops empty rows and columns and counts the header rows; `None` if no table is left.
    pub(super) fn finish(mut self) -> Option<FoundTable> {
        let is_rtl = |cell: &&mut Cell| cell.iter().any(|w| w.text.chars().any(super::bidi::is_rtl));
        self.rows.iter_mut().flat_map(|r| &mut r.cells).filter(is_rtl).for_each(read_cell);
        let columns = self.rows.iter().map(|r| r.cells.len()).max().unwrap_or(0);
        for row in &mut self.rows {
            row.cells.resize(columns, Cell::new());
        }
        let kept_rows: Vec<bool> = self.rows.iter().map(|r| r.filled() > 0).collect();
        let kept_columns: Vec<bool> = (0..columns)
            .map(|c| self.rows.iter().any(|r| r.cells.get(c).is_some_and(|x| !x.is_empty())))
            .collect();
        keep(&mut self.rows, &kept_rows);
        self.rows.iter_mut().for_each(|row| keep(&mut row.cells, &kept_columns));
        self.spans = self.spans.iter().filter_map(|s| squeezed(s, &kept_rows, &kept_columns)).collect();
        let columns = kept_columns.iter().filter(|u| **u).count();
        let rich = self.rows.iter().filter(|r| r.filled() >= 2).count();
        if columns < 2 || self.rows.len() < 2 || rich < 2 {
            return None;
        }
        self.header_rows = header_rows(&self.rows, &self.spans);
        Some(self)
    }
}

fn keep<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut flags = kept.iter();
    list.retain(|_| flags.next().copied().unwrap_or(false));
}

/// The span after rows and columns were dropped; `None` where it covers one cell only, or lost its own.
fn squeezed(span: &CellSpan, rows: &[bool], columns: &[bool]) -> Option<CellSpan> {
    let count = |flags: &[bool], from: usize, length: usize| {
        flags.iter().skip(from).take(length).filter(|f| **f).count()
    };
    let own = rows.get(span.row).copied()? && columns.get(span.column).copied()?;
    let out = CellSpan {
        row: count(rows, 0, span.row),
        column: count(columns, 0, span.column),
        rows: count(rows, span.row, span.rows),
        columns: count(columns, span.column, span.columns),
    };
    (own && out.rows * out.columns > 1).then_some(out)
}

/// Text of a cell: lines joined, a hyphen at a line's end kept only where it belongs to the word.
pub(super) fn cell_text(cell: &Cell) -> String {
    let mut out = String::new();
    let mut base: Option<f32> = None;
    for word in cell {
        let new_line = base.is_some_and(|b| (b - word.base).abs() > 0.6 * word.size);
        if !out.is_empty() {
            if new_line && crate::text::joins_over_hyphen(&out, &word.text) {
                out.pop();
            } else if !(new_line && out.ends_with('-')) {
                out.push(' ');
            }
        }
        out.push_str(&word.text);
        base = Some(word.base);
    }
    out
}

/// Sorts the words of a cell into lines, top to bottom, left to right.
pub(super) fn sort_cell(cell: &mut Cell) {
    cell.sort_by(|a, b| a.base.total_cmp(&b.base));
    let mut lines: Vec<(f32, Cell)> = Vec::new();
    for word in cell.drain(..) {
        match lines.last_mut() {
            Some((base, line)) if word.base - *base < 0.5 * word.size => line.push(word),
            _ => lines.push((word.base, vec![word])),
        }
    }
    for (_, mut line) in lines {
        line.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        cell.append(&mut line);
    }
}

/// Right-to-left lines of a sorted cell as they are read. Once for each cell: a second time undoes it.
fn read_cell(cell: &mut Cell) {
    let lines: Vec<Cell> = cell
        .chunk_by(|a, b| (b.base - a.base).abs() < 0.5 * b.size)
        .map(|line| {
            let mut line = line.to_vec();
            to_reading_order(&mut line);
            line
        })
        .collect();
    *cell = lines.concat();
}

/// Box around words.
pub(super) fn bounds<'a>(words: impl Iterator<Item = &'a PlacedWord>) -> Option<[f32; 4]> {
    words.fold(None, |acc: Option<[f32; 4]>, w| {
        Some(match acc {
            None => [w.x0, w.y0, w.x1, w.y1],
            Some([x0, y0, x1, y1]) => [x0.min(w.x0), y0.min(w.y0), x1.max(w.x1), y1.max(w.y1)],
        })
    })
}

/// True where a cell holds a figure rather than a name: a number, perhaps with a sign before and a unit
/// behind it. `EI30` and `1. Obergeschoss` are names.
fn is_numeric(text: &str) -> bool {
    let signs = |c: char| "+-−–±<>≥≤~ ".contains(c);
    let text = text.trim_start_matches(signs).trim_start_matches("CHF").trim_start_matches(signs);
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    text.starts_with(|c: char| c.is_ascii_digit()) && letters <= digits + 4
}

/// Most rows that a header has.
const MAX_HEADER: usize = 4;

/// How many of the first rows are headers: one if it names columns, more where its cells are over further
/// names, or reach down, or several rows stand out.
fn header_rows(rows: &[Row], spans: &[CellSpan]) -> u32 {
    let names = |row: &Row| {
        row.cells.iter().filter(|c| !c.is_empty()).all(|c| !is_numeric(&cell_text(c))) && row.filled() > 0
    };
    let Some(first) = rows.first() else { return 0 };
    if !names(first) || (first.filled() == 1 && !first.is_bold()) {
        return 0;
    }
    let body_bold = rows.iter().skip(1).all(Row::is_bold);
    let stands_out = first.is_bold() && !body_bold;
    let tells =
        |column: usize| is_named_column_of_figures(rows, column) || is_named_column_of_marks(rows, column);
    if !stands_out && !(1..first.cells.len()).any(tells) {
        return 0;
    }
    let mut count = 1;
    while let Some(next) = rows.get(count).filter(|_| count < MAX_HEADER && count + 1 < rows.len()) {
        let above = || spans.iter().filter(|s| s.row < count);
        let reaches_down = above().any(|s| s.row + s.rows > count);
        let over_names = above().any(|s| s.columns > 1 && s.row + s.rows == count) && names(next);
        let stands_out_too = stands_out && next.is_bold() && names(next);
        if !(reaches_down || over_names || stands_out_too) {
            break;
        }
        count += 1;
    }
    count as u32
}

/// A name above crosses, ticks or other signs of one or two characters.
fn is_named_column_of_marks(rows: &[Row], column: usize) -> bool {
    let cell = |row: &Row| row.cells.get(column).map(cell_text).unwrap_or_default();
    let body: Vec<String> = rows.iter().skip(1).map(cell).filter(|t| !t.is_empty()).collect();
    rows.first().is_some_and(|r| cell(r).chars().filter(|c| c.is_alphabetic()).count() >= 3)
        && body.len() >= 2
        && body.iter().all(|t| t.chars().count() <= 2)
}

/// A name above figures: at least two, and they are most of the column.
fn is_named_column_of_figures(rows: &[Row], column: usize) -> bool {
    let cell = |row: &Row| row.cells.get(column).map(cell_text).unwrap_or_default();
    let body: Vec<String> = rows.iter().skip(1).map(cell).filter(|t| !t.is_empty()).collect();
    let figures = body.iter().filter(|t| is_numeric(t)).count();
    rows.first().is_some_and(|r| !cell(r).is_empty()) && figures >= 2 && figures * 10 >= body.len() * 6
}
