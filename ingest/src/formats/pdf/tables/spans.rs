//! Spans that rules over a part of the columns tell.

use super::super::glyphs::Rule;
use super::rules::SNAP;
use super::{CellSpan, FoundTable, bounds};

/// Rules between two rows that leave a column out: the column's cell goes on below them.
pub(super) fn between_rules(table: &mut FoundTable, gutters: &[(f32, f32)], rules: &[Rule]) {
    let columns = gutters.len() + 1;
    let Some([left, _, right, _]) = bounds(table.rows.iter().flat_map(|r| r.cells.iter().flatten())) else {
        return;
    };
    let middle = |g: Option<&(f32, f32)>, outer: f32| g.map_or(outer, |g| (g.0 + g.1) / 2.0);
    // For each row but the first: which columns have a rule above them; `None` without any rule.
    let base = |row: &super::Row, last: bool| {
        let bases = row.cells.iter().flatten().map(|w| w.base);
        if last { bases.fold(f32::NEG_INFINITY, f32::max) } else { bases.fold(f32::INFINITY, f32::min) }
    };
    let mut open: Vec<Vec<bool>> = Vec::new();
    for pair in table.rows.windows(2) {
        let [upper, lower] = pair else { continue };
        // Text that stands beside the rule belongs to the cell that goes on.
        let (from, to) = (base(upper, false), base(lower, true));
        let between: Vec<&Rule> = rules.iter().filter(|r| r.y0 > from && r.y0 < to).collect();
        let free = |column: usize| {
            let x0 = middle(column.checked_sub(1).and_then(|g| gutters.get(g)), left);
            let x1 = middle(gutters.get(column), right);
            let x = (x0 + x1) / 2.0;
            !between.is_empty() && !between.iter().any(|r| r.x0 < x && r.x1 > x)
        };
        open.push((0..columns).map(free).collect());
    }
    for column in 0..columns {
        let mut row = 0;
        while row < open.len() {
            let is_open = |r: usize| open.get(r).and_then(|o| o.get(column)).copied().unwrap_or(false);
            let length = (row..open.len()).take_while(|r| is_open(*r)).count();
            if length > 0 {
                merge(table, row, column, length + 1);
            }
            row += length.max(1);
        }
    }
}

/// Puts the cells of a column from `row` on into one.
fn merge(table: &mut FoundTable, row: usize, column: usize, rows: usize) {
    let spanned = |s: &CellSpan| (row..row + rows).contains(&s.row) && s.columns > 1 && s.column <= column;
    if table.spans.iter().any(|s| spanned(s) && column < s.column + s.columns) {
        return;
    }
    let mut words = super::Cell::new();
    for lower in table.rows.iter_mut().skip(row).take(rows) {
        if let Some(cell) = lower.cells.get_mut(column) {
            words.append(cell);
        }
    }
    super::sort_cell(&mut words);
    if let Some(cell) = table.rows.get_mut(row).and_then(|r| r.cells.get_mut(column)) {
        *cell = words;
    }
    table.spans.push(CellSpan { row, column, rows, columns: 1 });
}

/// A short rule below a heading says which columns the heading is over: those whose words lie above or
/// below the rule.
pub(super) fn under_rules(table: &mut FoundTable, rules: &[Rule]) {
    let columns = table.rows.iter().map(|r| r.cells.len()).max().unwrap_or(0);
    let extents: Vec<Option<[f32; 4]>> = (0..columns)
        .map(|c| {
            let single =
                |row: usize| !table.spans.iter().any(|s| s.row == row && s.column == c && s.columns > 1);
            let cells = table.rows.iter().enumerate().filter(|(row, _)| single(*row));
            bounds(cells.filter_map(|(_, r)| r.cells.get(c)).flatten())
        })
        .collect();
    for rule in rules {
        let under = |e: &&(usize, f32)| e.1 > rule.x0 - SNAP && e.1 < rule.x1 + SNAP;
        let middles: Vec<(usize, f32)> = extents
            .iter()
            .enumerate()
            .filter_map(|(c, e)| e.map(|[x0, _, x1, _]| (c, (x0 + x1) / 2.0)))
            .collect();
        let covered: Vec<usize> = middles.iter().filter(under).map(|(c, _)| *c).collect();
        let (Some(first), Some(last)) = (covered.first(), covered.last()) else { continue };
        if last == first {
            continue;
        }
        // The lowest row above the rule.
        let above = |row: &super::Row| row.rect().is_some_and(|r| r[3] < rule.y0 + 4.0);
        let Some(row) = table.rows.iter().rposition(above) else { continue };
        let Some(cells) = table.rows.get_mut(row).map(|r| &mut r.cells) else { continue };
        let filled: Vec<usize> =
            (*first..=*last).filter(|c| cells.get(*c).is_some_and(|cell| !cell.is_empty())).collect();
        if let [only] = filled.as_slice() {
            cells.swap(*only, *first);
            table.spans.retain(|s| s.row != row || s.column < *first || s.column > *last);
            table.spans.push(CellSpan { row, column: *first, rows: 1, columns: last - first + 1 });
        }
    }
}
