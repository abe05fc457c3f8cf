//! Lines of text become rows of a table: wrapped cells are put together, headings over several columns
//! become spans.

use super::super::glyphs::Rule;
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

/// The table of these lines. `cuts` are rules between rows; where there is one below nearly every row, each
/// band between two of them is one row.
pub(super) fn table(lines: &[TextLine], gutters: &[(f32, f32)], cuts: &[Rule]) -> Option<FoundTable> {
    let laid: Vec<Laid> = lines.iter().map(|l| lay(l, gutters)).collect();
    let places = places(&laid, cuts);
    let count = places.iter().flatten().map(|row| row + 1).max()?;
    let mut rows = vec![Row { cells: vec![Cell::new(); gutters.len() + 1] }; count];
    let mut spans: Vec<CellSpan> = Vec::new();
    for (line, places) in laid.into_iter().zip(&places) {
        let row_of = |column: usize| places.get(column).copied().unwrap_or(0);
        for (column, columns) in line.wide {
            let row = row_of(column);
            if !spans.iter().any(|s| s.row == row && s.column == column) {
                spans.push(CellSpan { row, column, rows: 1, columns });
            }
        }
        for (column, words) in line.cells.into_iter().enumerate() {
            if let Some(cell) = rows.get_mut(row_of(column)).and_then(|r| r.cells.get_mut(column)) {
                cell.extend(words);
            }
        }
    }
    rows.iter_mut().flat_map(|r| &mut r.cells).for_each(sort_cell);
    spans.retain(|s| fits(s, &rows));
    centred_headings(&mut rows, gutters, &mut spans);
    let rect = bounds(rows.iter().flat_map(|r| r.cells.iter().flatten()))?;
    let mut table = FoundTable { rect, rows, spans, header_rows: 0 };
    let width = table.rect[2] - table.rect[0];
    let short: Vec<Rule> = cuts.iter().copied().filter(|r| r.x1 - r.x0 < 0.8 * width).collect();
    super::spans::under_rules(&mut table, &short);
    super::spans::between_rules(&mut table, gutters, cuts);
    table.finish()
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

/// For every line, the row of each of its columns.
fn places(lines: &[Laid], cuts: &[Rule]) -> Vec<Vec<usize>> {
    let cut = |a: &Laid, b: &Laid| cuts.iter().any(|r| r.y0 > a.base && r.y0 < b.base);
    let bands: Vec<&[Laid]> = lines.chunk_by(|a, b| !cut(a, b)).collect();
    let single = bands.iter().filter(|band| band.iter().filter(|l| l.leads()).count() <= 1).count();
    if bands.len() >= 4 && single * 5 >= bands.len() * 4 {
        // A rule below every row.
        let rows = bands.iter().enumerate().flat_map(|(row, band)| band.iter().map(move |l| (row, l)));
        return rows.map(|(row, line)| vec![row; line.cells.len()]).collect();
    }
    let steps = steps(lines);
    let wrap = wrapped_distance(lines, &steps);
    let pitch = steps.get(steps.len() / 2).copied().unwrap_or(f32::INFINITY);
    let columns = lines.first().map_or(0, |l| l.cells.len());
    let mut writer = RowWriter { rows: 0, last: vec![None; columns], covered: vec![false; columns] };
    let mut out = Vec::new();
    let mut above: Option<&Laid> = None;
    for line in lines {
        let parted = above.is_none_or(|a| cut(a, line));
        let joins = above.is_some_and(|a| {
            let between = line.base - a.base < 0.6 * pitch && writer.leaves_free(line);
            match wrap {
                Some(limit) => between || writer.continues(line, limit) || is_half(a, line, limit),
                None => between || is_rest(a, line),
            }
        });
        out.push(writer.place(line, parted || !joins, wrap.unwrap_or(0.0)));
        above = Some(line);
    }
    out
}

/// Gives lines their rows, top to bottom.
struct RowWriter {
    rows: usize,
    /// Baseline and row of the last text of each column.
    last: Vec<Option<(f32, usize)>>,
    /// Columns that the lowest row has something in.
    covered: Vec<bool>,
}

impl RowWriter {
    /// True where the line stands in columns only that the lowest row leaves free: the label of a header
    /// that is two rows high stands between them.
    fn leaves_free(&self, line: &Laid) -> bool {
        line.cells.iter().zip(&self.covered).all(|(cell, covered)| cell.is_empty() || !covered)
    }

    /// True where some text of the line goes on from the text above it in its column.
    fn continues(&self, line: &Laid, limit: f32) -> bool {
        let goes_on = |(cell, last): (&Cell, &Option<(f32, usize)>)| {
            !cell.is_empty() && last.is_some_and(|(base, _)| line.base - base <= limit)
        };
        line.cells.iter().zip(&self.last).any(goes_on)
    }

    /// Rows by column. The rest of a label that stands beside several rows belongs to the label's row.
    fn place(&mut self, line: &Laid, starts: bool, limit: f32) -> Vec<usize> {
        if starts || self.rows == 0 {
            self.rows += 1;
            self.covered.fill(false);
        }
        let wide = |c: usize| line.wide.iter().any(|(first, count)| (*first..first + count).contains(&c));
        for (column, (cell, covered)) in line.cells.iter().zip(&mut self.covered).enumerate() {
            *covered |= !cell.is_empty() || wide(column);
        }
        let row = self.rows - 1;
        let mut out = vec![row; line.cells.len()];
        for ((cell, last), place) in line.cells.iter().zip(&mut self.last).zip(&mut out) {
            if cell.is_empty() {
                continue;
            }
            if let Some((base, before)) = last
                && !starts
                && line.base - *base <= limit
            {
                *place = *before;
            }
            *last = Some((line.base, *place));
        }
        out
    }
}

/// Distances between texts that follow each other in a column, sorted.
fn steps(lines: &[Laid]) -> Vec<f32> {
    let columns = lines.first().map_or(0, |l| l.cells.len());
    let mut out = Vec::new();
    for column in 0..columns {
        let mut last: Option<f32> = None;
        for line in lines.iter().filter(|l| l.cells.get(column).is_some_and(|c| !c.is_empty())) {
            out.extend(last.map(|l| line.base - l));
            last = Some(line.base);
        }
    }
    out.sort_by(f32::total_cmp);
    out
}

/// Where lines of one cell are set closer than rows: the greatest distance of two lines of one cell.
fn wrapped_distance(lines: &[Laid], steps: &[f32]) -> Option<f32> {
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
    if ratio < 1.15 {
        return None;
    }
    // What follows closely is the rest of a cell: it fills fewer columns than the lines that start rows,
    // and is seldom a figure below a figure.
    let mut last: Vec<Option<(f32, bool)>> = vec![None; lines.first().map_or(0, |l| l.cells.len())];
    let (mut rests, mut heads, mut figures, mut cells) = (Vec::new(), Vec::new(), 0, 0);
    for line in lines {
        let mut close = false;
        for (cell, last) in line.cells.iter().zip(&mut last).filter(|(c, _)| !c.is_empty()) {
            let figure = is_numeric(&cell_text(cell));
            if let Some((_, before)) = last.filter(|(base, _)| line.base - base <= limit) {
                close = true;
                cells += 1;
                figures += usize::from(figure && before);
            }
            *last = Some((line.base, figure));
        }
        if close { rests.push(line.filled()) } else { heads.push(line.filled()) }
    }
    let mean = |list: &[usize]| list.iter().sum::<usize>() as f32 / list.len().max(1) as f32;
    let few = mean(&rests) <= 0.7 * mean(&heads) || mean(&rests) <= 1.3;
    (few && figures * 3 <= cells && heads.len() * 3 >= rests.len()).then_some(limit)
}

/// Cells centred in their row's height stand half a line off from one with one line more.
fn is_half(a: &Laid, b: &Laid, limit: f32) -> bool {
    ((b.base - a.base) / limit - 0.5).abs() < 0.08
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
