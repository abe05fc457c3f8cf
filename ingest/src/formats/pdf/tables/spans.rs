//! Spans that only short rules tell.

use super::super::glyphs::Rule;
use super::rules::SNAP;
use super::{CellSpan, FoundTable, bounds};

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
