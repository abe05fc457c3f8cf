//! Tables without rules: rows that share their gutters.

use super::super::order::{Item, column_of};
use super::{Cell, FoundTable, Row, bounds, sort_cell};

/// The table that these strips form between these gutters, if they look like one.
pub(in super::super) fn table(strips: &[Vec<Item>], gutters: &[(f32, f32)]) -> Option<FoundTable> {
    if strips.len() < 3 || gutters.is_empty() {
        return None;
    }
    if strips.iter().flatten().any(|i| matches!(i, Item::Table(..))) {
        return None;
    }
    let rows = rows(strips, gutters);
    let several = rows.iter().filter(|r| r.filled() >= 2).count();
    if rows.len() < 3 || several * 10 < rows.len() * 6 || is_list(&rows) {
        return None;
    }
    let rect = bounds(rows.iter().flat_map(|r| r.cells.iter().flatten()))?;
    FoundTable { rect, rows, header_rows: 0 }.finish()
}

fn rows(strips: &[Vec<Item>], gutters: &[(f32, f32)]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut bottom = f32::INFINITY;
    for strip in strips {
        let mut cells: Vec<Cell> = vec![Cell::new(); gutters.len() + 1];
        for item in strip {
            if let (Item::Text(segment), Some(cell)) = (item, cells.get_mut(column_of(item, gutters))) {
                cell.extend(segment.words.iter().cloned());
            }
        }
        cells.iter_mut().for_each(sort_cell);
        let row = Row { cells };
        let Some([_, top, _, end]) = row.rect() else { continue };
        let size = row.cells.iter().flatten().map(|w| w.size).fold(0.0, f32::max);
        // A row that leaves the first column empty continues the row above it.
        let continues = row.cells.first().is_some_and(Vec::is_empty) && top - bottom < 0.6 * size;
        bottom = end;
        match rows.last_mut() {
            Some(last) if continues => {
                for (cell, more) in last.cells.iter_mut().zip(row.cells) {
                    cell.extend(more);
                }
            }
            _ => rows.push(row),
        }
    }
    rows
}

/// Bullets or numbers in front of text are a list, not a table.
fn is_list(rows: &[Row]) -> bool {
    let marks = rows.iter().filter(|r| r.cells.first().is_some_and(|c| c.is_empty() || is_mark(c))).count();
    let columns = rows.first().map_or(0, |r| r.cells.len());
    columns == 2 && marks * 10 >= rows.len() * 8
}

fn is_mark(cell: &Cell) -> bool {
    let [word] = cell.as_slice() else { return false };
    let text = word.text.trim_end_matches(['.', ')', ':']);
    let short = text.chars().count() <= 2;
    short && !text.chars().any(|c| c.is_uppercase()) || text.chars().all(|c| c.is_ascii_digit() || c == '.')
}
