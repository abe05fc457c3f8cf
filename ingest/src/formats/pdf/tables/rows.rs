//! Lines of text become rows of a table: wrapped cells are put together, headings over several columns
//! become spans.

use super::columns::{TextLine, columns_of};
use super::{Cell, CellSpan, FoundTable, Row, bounds, cell_text, is_numeric, sort_cell};

/// A line's words by column.
#[derive(Debug, Clone, Default)]
struct Laid {
    cells: Vec<Cell>,
    /// First column and number of columns of what runs over a gutter.
    wide: Vec<(usize, usize)>,
    base: f32,
    size: f32,
}

impl Laid {
    fn filled(&self) -> usize {
        self.cells.iter().filter(|c| !c.is_empty()).count()
    }

    fn leads(&self) -> bool {
        self.cells.first().is_some_and(|c| !c.is_empty())
    }
}

/// The table of these lines. `cuts` are heights of rules between rows; where they part nearly every line
/// from the next, each band between two of them is one row.
pub(super) fn table(lines: &[TextLine], gutters: &[(f32, f32)], cuts: &[f32]) -> Option<FoundTable> {
    let laid: Vec<Laid> = lines.iter().map(|l| lay(l, gutters)).collect();
    let starts = starts(&laid, cuts);
    let (mut rows, mut spans): (Vec<Row>, Vec<CellSpan>) = (Vec::new(), Vec::new());
    for (line, start) in laid.into_iter().zip(starts) {
        if start || rows.is_empty() {
            rows.push(Row { cells: vec![Cell::new(); gutters.len() + 1] });
        }
        let row = rows.len() - 1;
        for (column, columns) in line.wide {
            if !spans.iter().any(|s| s.row == row && s.column == column) {
                spans.push(CellSpan { row, column, rows: 1, columns });
            }
        }
        if let Some(open) = rows.last_mut() {
            for (cell, more) in open.cells.iter_mut().zip(line.cells) {
                cell.extend(more);
            }
        }
    }
    rows.iter_mut().flat_map(|r| &mut r.cells).for_each(sort_cell);
    spans.retain(|s| fits(s, &rows));
    centred_headings(&mut rows, gutters, &mut spans);
    let rect = bounds(rows.iter().flat_map(|r| r.cells.iter().flatten()))?;
    FoundTable { rect, rows, spans, header_rows: 0 }.finish()
}

/// The cells that a span covers are empty but for its first one.
fn fits(span: &CellSpan, rows: &[Row]) -> bool {
    rows.get(span.row).is_some_and(|row| {
        row.cells.iter().skip(span.column + 1).take(span.columns.saturating_sub(1)).all(Vec::is_empty)
    })
}

fn lay(line: &TextLine, gutters: &[(f32, f32)]) -> Laid {
    let mut laid = Laid {
        cells: vec![Cell::new(); gutters.len() + 1],
        base: line.base,
        size: line.size,
        ..Laid::default()
    };
    for segment in &line.segments {
        let (first, last) = columns_of(segment, gutters);
        if last > first {
            laid.wide.push((first, last - first + 1));
        }
        if let Some(cell) = laid.cells.get_mut(first) {
            cell.extend(segment.words.iter().cloned());
        }
    }
    laid
}

/// For every line: does it start a row?
fn starts(lines: &[Laid], cuts: &[f32]) -> Vec<bool> {
    let cut = |a: &Laid, b: &Laid| cuts.iter().any(|y| *y > a.base && *y < b.base);
    let pairs = || lines.iter().zip(lines.iter().skip(1));
    let ruled = pairs().filter(|(a, b)| cut(a, b)).count();
    let leading = lines.iter().filter(|l| l.leads()).count();
    if ruled >= 3 && ruled + 1 >= leading.div_ceil(2) && ruled * 4 >= lines.len() {
        // A rule below every row.
        return std::iter::once(true).chain(pairs().map(|(a, b)| cut(a, b))).collect();
    }
    let close = wrapped_distance(lines);
    let continues = |a: &Laid, b: &Laid| match close {
        Some(limit) => b.base - a.base <= limit,
        None => is_rest(a, b),
    };
    std::iter::once(true).chain(pairs().map(|(a, b)| cut(a, b) || !continues(a, b))).collect()
}

/// Where lines of one cell are set closer than rows: the greatest distance of two lines of one cell.
fn wrapped_distance(lines: &[Laid]) -> Option<f32> {
    let mut steps: Vec<f32> = lines.iter().zip(lines.iter().skip(1)).map(|(a, b)| b.base - a.base).collect();
    steps.sort_by(f32::total_cmp);
    let size = lines.iter().map(|l| l.size).fold(0.0, f32::max);
    let (at, ratio) = steps
        .windows(2)
        .enumerate()
        .filter_map(|(i, pair)| match pair {
            [a, b] if *a > 0.0 && *a <= 1.5 * size => Some((i, b / a)),
            _ => None,
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let limit = steps.get(at).copied()? + 0.1;
    if ratio < 1.2 {
        return None;
    }
    // Lines that follow closely are rests of rows: they fill fewer columns than the lines before which
    // there is more room.
    let (mut rests, mut heads) = (Vec::new(), Vec::new());
    for (a, b) in lines.iter().zip(lines.iter().skip(1)) {
        if b.base - a.base <= limit { rests.push(b) } else { heads.push(b) }
    }
    let mean =
        |list: &[&Laid]| list.iter().map(|l| l.filled() as f32).sum::<f32>() / list.len().max(1) as f32;
    let columns = lines.first().map_or(0, |l| l.cells.len());
    let fewer = mean(&rests) <= 0.7 * mean(&heads) || (columns == 2 && mean(&rests) <= 1.3);
    (fewer && heads.len() * 3 >= rests.len()).then_some(limit)
}

/// Evenly set lines: the second one is the rest of the first where it has no first cell, no figures, and
/// stands only below cells with text; or where it goes on in small letters.
fn is_rest(a: &Laid, b: &Laid) -> bool {
    let close = b.base - a.base <= 1.45 * a.size.max(b.size);
    let below_text = a.cells.iter().zip(&b.cells).all(|(x, y)| y.is_empty() || !x.is_empty());
    let texts: Vec<String> = b.cells.iter().filter(|c| !c.is_empty()).map(cell_text).collect();
    let figures = texts.iter().any(|t| is_numeric(t));
    let few = b.filled() * 2 <= b.cells.len();
    let goes_on = b.filled() < a.filled()
        && texts.iter().all(|t| t.starts_with(|c: char| c.is_lowercase() || c == '('))
        && !texts.is_empty();
    close && below_text && !figures && ((!b.leads() && few) || goes_on)
}

/// A heading centred over several columns may be so short that it stands over the middle one only: the
/// columns beside it are empty in its row, filled below, and its middle is theirs.
fn centred_headings(rows: &mut [Row], gutters: &[(f32, f32)], spans: &mut Vec<CellSpan>) {
    let [upper, lower, ..] = rows else { return };
    for column in 0..upper.cells.len() {
        let Some(span) = centred(upper, lower, gutters, spans, column) else { continue };
        upper.cells.swap(column, span.column);
        spans.push(span);
    }
}

fn centred(
    upper: &Row,
    lower: &Row,
    gutters: &[(f32, f32)],
    spans: &[CellSpan],
    column: usize,
) -> Option<CellSpan> {
    let cell = upper.cells.get(column)?;
    let [x0, _, x1, _] = bounds(cell.iter())?;
    let filled = |row: &Row, c: usize| row.cells.get(c).is_some_and(|l| !l.is_empty());
    let covered =
        |c: usize| spans.iter().any(|s| s.row == 0 && (s.column..s.column + s.columns).contains(&c));
    let free = |c: usize| c < upper.cells.len() && !filled(upper, c) && filled(lower, c) && !covered(c);
    let left = (1..=column).take_while(|k| free(column - k)).count();
    let right = (1..).take_while(|k| free(column + k)).count();
    if left == 0 || left != right || !filled(lower, column) || covered(column) {
        return None;
    }
    let [inner_left, _, inner_right, _] =
        bounds(lower.cells.iter().skip(column - left).take(left + right + 1).flatten())?;
    let middle_of = |gutter: Option<usize>| gutter.and_then(|g| gutters.get(g)).map(|g| (g.0 + g.1) / 2.0);
    let from = middle_of((column - left).checked_sub(1)).unwrap_or(inner_left);
    let to = middle_of(Some(column + right)).unwrap_or(inner_right);
    let size = cell.iter().map(|w| w.size).fold(0.0, f32::max);
    let centred = ((x0 + x1) / 2.0 - (from + to) / 2.0).abs() < 2.0 * size;
    centred.then_some(CellSpan { row: 0, column: column - left, rows: 1, columns: left + right + 1 })
}
