//! Whether columns hold running text, which is read column by column, or rows.

use super::order::{Item, column_of};

/// Columns of prose have several lines each, most of them long and full; label and value pairs and
/// tables do not. Beside a column of long lines another one may hold a list or code, if it has about as
/// many lines: a table's rows are sparser beside a column of text.
pub(super) fn is_running_text(strips: &[Vec<Item>], gutters: &[(f32, f32)]) -> bool {
    let columns: Vec<ColumnLook> = (0..=gutters.len()).map(|c| column_look(strips, gutters, c)).collect();
    if columns.iter().all(|c| c.prose) || are_independent(strips, gutters) {
        return true;
    }
    let longest = columns.iter().filter(|c| c.prose && c.chars >= 30.0).map(|c| c.lines).max().unwrap_or(0);
    longest >= 6 && columns.iter().all(|c| c.prose || (c.lines * 10 >= longest * 6 && c.chars >= 12.0))
}

/// How a column between gutters looks.
struct ColumnLook {
    lines: usize,
    /// Characters of a line, on average.
    chars: f32,
    prose: bool,
}

fn column_look(strips: &[Vec<Item>], gutters: &[(f32, f32)], column: usize) -> ColumnLook {
    // (left, right, characters) of each line of the column
    let mut lines: Vec<(f32, f32, usize)> = Vec::new();
    for strip in strips {
        let mut open: Option<(f32, f32, usize, f32)> = None;
        for item in strip.iter().filter(|i| column_of(i, gutters) == column) {
            let Item::Text(s) = item else {
                return ColumnLook { lines: 0, chars: 0.0, prose: true };
            };
            match &mut open {
                Some(line) if (line.3 - s.base).abs() < 0.5 * s.size => {
                    *line = (line.0.min(s.x0), line.1.max(s.x1), line.2 + s.chars(), line.3);
                }
                _ => {
                    lines.extend(open.take().map(|l| (l.0, l.1, l.2)));
                    open = Some((s.x0, s.x1, s.chars(), s.base));
                }
            }
        }
        lines.extend(open.map(|l| (l.0, l.1, l.2)));
    }
    let left = lines.iter().map(|l| l.0).fold(f32::INFINITY, f32::min);
    let right = lines.iter().map(|l| l.1).fold(f32::NEG_INFINITY, f32::max);
    let full = lines.iter().filter(|l| l.1 - l.0 > 0.75 * (right - left)).count();
    let chars: usize = lines.iter().map(|l| l.2).sum();
    let prose = lines.len() >= 3 && chars >= 18 * lines.len() && full * 2 >= lines.len();
    ColumnLook { lines: lines.len(), chars: chars as f32 / lines.len().max(1) as f32, prose }
}

/// Columns whose lines stand on different heights were not made as rows: addresses side by side.
fn are_independent(strips: &[Vec<Item>], gutters: &[(f32, f32)]) -> bool {
    let lines = |column: usize| -> Vec<(f32, f32)> {
        let of_column = strips.iter().flatten().filter(|i| column_of(i, gutters) == column);
        of_column.filter_map(|i| if let Item::Text(s) = i { Some((s.base, s.size)) } else { None }).collect()
    };
    (0..gutters.len()).all(|c| {
        let (left, right) = (lines(c), lines(c + 1));
        let (few, many) = if left.len() < right.len() { (left, right) } else { (right, left) };
        let level = few.iter().filter(|(b, size)| many.iter().any(|(o, _)| (b - o).abs() < 0.15 * size));
        few.len() >= 3 && level.count() * 4 <= few.len()
    })
}
