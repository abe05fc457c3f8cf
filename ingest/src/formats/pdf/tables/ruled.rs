//! Tables from ruling lines that cross: a cell ends where there is a rule, so that a cell may cover
//! several rows or columns.

use super::super::glyphs::Rule;
use super::super::lines::segments;
use super::super::words::PlacedWord;
use super::rules::{Lattice, SNAP, edges, lattices, merged, slot, turned};
use super::{Cell, CellSpan, FoundTable, Row, open, sort_cell};

/// More rules than this are a drawing.
const MAX_RULES: usize = 4_000;
/// Columns of one grid.
const MAX_COLUMNS: usize = 400;
/// Smallest parts of one grid, rows times columns.
const MAX_PARTS: usize = 200_000;
/// Share of a cell's side that a rule has to cover to be its border.
const BORDER: f32 = 0.6;

/// Finds tables by their rules and takes their words out of `words`, which run at `angle` and are placed in
/// its frame.
pub(in super::super) fn tables(rules: &[Rule], angle: u16, words: &mut Vec<PlacedWord>) -> Vec<FoundTable> {
    if rules.len() > MAX_RULES || words.len() < 4 {
        return Vec::new();
    }
    let rules: Vec<Rule> = rules.iter().filter_map(|r| turned(r, angle)).collect();
    let (mut horizontal, mut vertical) = (merged(&rules, true), merged(&rules, false));
    horizontal.retain(|r| r.x1 - r.x0 > 12.0);
    vertical.retain(|r| r.y1 - r.y0 > 5.0);
    let mut found = Vec::new();
    let mut loose = Vec::new();
    for lattice in lattices(&horizontal, &vertical) {
        match Grid::of(&lattice) {
            Some(grid) => take(words, &mut found, |w| grid.holds(w), |mine| grid.fill(mine)),
            None => loose.extend(lattice.horizontal),
        }
    }
    for area in open::areas(&loose, words) {
        take(words, &mut found, |w| area.holds(w), |mine| area.fill(mine));
    }
    found.sort_by(|a, b| a.rect[1].total_cmp(&b.rect[1]));
    found
}

/// Makes a table of the words that are inside and takes them out; without a table they stay.
fn take(
    words: &mut Vec<PlacedWord>,
    found: &mut Vec<FoundTable>,
    inside: impl Fn(&PlacedWord) -> bool,
    make: impl Fn(&[PlacedWord]) -> Option<FoundTable>,
) {
    let (mine, rest): (Vec<_>, Vec<_>) = std::mem::take(words).into_iter().partition(inside);
    *words = rest;
    match make(&mine) {
        Some(table) => found.push(table),
        None => words.extend(mine),
    }
}

/// Edges of a table's rows and columns, and which of its parts have borders.
#[derive(Debug, Clone)]
struct Grid {
    xs: Vec<f32>,
    ys: Vec<f32>,
    lattice: Lattice,
}

impl Grid {
    /// The grid of these rules; `None` where they close fewer than four cells.
    fn of(lattice: &Lattice) -> Option<Grid> {
        let (horizontal, vertical) = (&lattice.horizontal, &lattice.vertical);
        if vertical.is_empty() || horizontal.is_empty() {
            return None;
        }
        let mut xs: Vec<f32> = vertical.iter().map(|r| r.x0).collect();
        let mut ys: Vec<f32> = horizontal.iter().map(|r| r.y0).collect();
        // Rules that stick out beyond the last crossing rule close an open side.
        close(&mut xs, horizontal.iter().flat_map(|r| [r.x0, r.x1]));
        close(&mut ys, vertical.iter().flat_map(|r| [r.y0, r.y1]));
        let (xs, ys) = (edges(xs), edges(ys));
        let fits = xs.len() >= 3
            && ys.len() >= 3
            && xs.len() <= MAX_COLUMNS
            && xs.len().saturating_mul(ys.len()) <= MAX_PARTS;
        fits.then(|| Grid { xs, ys, lattice: lattice.clone() })
    }

    fn rect(&self) -> [f32; 4] {
        let at = |edges: &[f32], last: bool| {
            if last { edges.last().copied() } else { edges.first().copied() }.unwrap_or(0.0)
        };
        [at(&self.xs, false), at(&self.ys, false), at(&self.xs, true), at(&self.ys, true)]
    }

    fn holds(&self, word: &PlacedWord) -> bool {
        let ((x, y), [x0, y0, x1, y1]) = (word.center(), self.rect());
        x > x0 && x < x1 && y > y0 && y < y1
    }

    /// Puts the words into cells by their middles.
    fn fill(&self, words: &[PlacedWord]) -> Option<FoundTable> {
        let (columns, bands) = (self.xs.len().checked_sub(1)?, self.ys.len().checked_sub(1)?);
        let mut parts: Vec<Row> = vec![Row { cells: vec![Cell::new(); columns] }; bands];
        for word in words {
            let (x, y) = word.center();
            let row = slot(&self.ys, y).and_then(|r| parts.get_mut(r));
            if let Some(cell) = row.and_then(|row| slot(&self.xs, x).and_then(|c| row.cells.get_mut(c))) {
                cell.push(word.clone());
            }
        }
        let spans = self.regions(&mut parts);
        let (mut rows, mut kept) = (Vec::new(), Vec::new());
        for (index, band) in parts.into_iter().enumerate() {
            let first = rows.len();
            let high = spans.iter().any(|s| s.rows > 1 && (s.row..s.row + s.rows).contains(&index));
            split_band(band, high, &mut rows);
            let here = spans.iter().filter(|s| s.row == index);
            kept.extend(here.map(|s| CellSpan { row: first, ..*s }));
        }
        FoundTable { rect: self.rect(), rows, spans: kept, header_rows: 0 }.finish()
    }

    /// Joins parts without a border between them; their words go to the first part.
    fn regions(&self, parts: &mut [Row]) -> Vec<CellSpan> {
        let borders = Borders::of(self);
        let columns = self.xs.len().saturating_sub(1);
        let mut taken = vec![vec![false; columns]; parts.len()];
        let mut spans = Vec::new();
        for row in 0..parts.len() {
            for column in 0..columns {
                if is(&taken, row, column) {
                    continue;
                }
                let mut wide = 1;
                while column + wide < columns
                    && !is(&taken, row, column + wide)
                    && !is(&borders.right, row, column + wide - 1)
                {
                    wide += 1;
                }
                let mut high = 1;
                let open = |below: usize| {
                    (column..column + wide)
                        .all(|c| !is(&taken, below, c) && !is(&borders.below, below - 1, c))
                        && (column..column + wide - 1).all(|c| !is(&borders.right, below, c))
                };
                while row + high < parts.len() && open(row + high) {
                    high += 1;
                }
                let mut span = CellSpan { row, column, rows: high, columns: wide };
                if wide > 1 && self.is_several(parts, span) {
                    // No rule, but white space that parts columns: the cells are single.
                    span = CellSpan { columns: 1, ..span };
                }
                gather(parts, span, &mut taken);
                if span.rows > 1 || span.columns > 1 {
                    spans.push(span);
                }
            }
        }
        spans
    }

    /// True where the words of the region keep to columns: several runs, none over an inner edge.
    fn is_several(&self, parts: &[Row], span: CellSpan) -> bool {
        let inside = parts.iter().skip(span.row).take(span.rows);
        let words: Vec<PlacedWord> = inside
            .flat_map(|r| r.cells.iter().skip(span.column).take(span.columns))
            .flatten()
            .cloned()
            .collect();
        let runs = segments(words);
        let inner = self.xs.get(span.column + 1..span.column + span.columns).unwrap_or_default();
        let crosses = |x: &f32| runs.iter().any(|s| s.x0 < *x - 0.5 && s.x1 > *x + 0.5);
        let columns: std::collections::BTreeSet<usize> =
            runs.iter().filter_map(|s| slot(&self.xs, (s.x0 + s.x1) / 2.0)).collect();
        columns.len() > 1 && !inner.iter().any(crosses)
    }
}

fn is(flags: &[Vec<bool>], row: usize, column: usize) -> bool {
    flags.get(row).and_then(|r| r.get(column)).copied().unwrap_or(true)
}

/// Moves the words of a region to its first part.
fn gather(parts: &mut [Row], span: CellSpan, taken: &mut [Vec<bool>]) {
    let mut words = Cell::new();
    for (row, flags) in parts.iter_mut().zip(taken).skip(span.row).take(span.rows) {
        for (cell, flag) in row.cells.iter_mut().zip(flags).skip(span.column).take(span.columns) {
            words.append(cell);
            *flag = true;
        }
    }
    sort_cell(&mut words);
    if let Some(cell) = parts.get_mut(span.row).and_then(|r| r.cells.get_mut(span.column)) {
        *cell = words;
    }
}

/// Adds the outermost positions.
fn close(edges: &mut Vec<f32>, outer: impl Iterator<Item = f32>) {
    let (low, high) =
        outer.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    edges.extend([low, high]);
}

/// For every part of a grid: is there a rule at its right side, and one below it?
struct Borders {
    right: Vec<Vec<bool>>,
    below: Vec<Vec<bool>>,
}

impl Borders {
    fn of(grid: &Grid) -> Borders {
        let columns = grid.xs.len().saturating_sub(1);
        let bands = grid.ys.len().saturating_sub(1);
        let mut borders =
            Borders { right: vec![vec![false; columns]; bands], below: vec![vec![false; columns]; bands] };
        let near = |edges: &[f32], v: f32| edges.iter().position(|e| (e - v).abs() < SNAP);
        // How much of each side the rules cover.
        let mut sides = vec![vec![(0.0_f32, 0.0_f32); columns]; bands];
        for rule in &grid.lattice.vertical {
            let Some(column) = near(&grid.xs, rule.x0).and_then(|e| e.checked_sub(1)) else { continue };
            for (row, pair) in grid.ys.windows(2).enumerate() {
                if let Some(side) = sides.get_mut(row).and_then(|r| r.get_mut(column)) {
                    side.0 += cover(rule.y0, rule.y1, pair);
                }
            }
        }
        for rule in &grid.lattice.horizontal {
            let Some(row) = near(&grid.ys, rule.y0).and_then(|e| e.checked_sub(1)) else { continue };
            for (side, pair) in sides.get_mut(row).into_iter().flatten().zip(grid.xs.windows(2)) {
                side.1 += cover(rule.x0, rule.x1, pair);
            }
        }
        for ((row, right), below) in sides.iter().zip(&mut borders.right).zip(&mut borders.below) {
            for ((side, right), below) in row.iter().zip(right).zip(below) {
                *right = side.0 >= BORDER;
                *below = side.1 >= BORDER;
            }
        }
        borders
    }
}

/// Share of the interval between two edges that a rule covers.
fn cover(from: f32, to: f32, edges: &[f32]) -> f32 {
    let [low, high] = edges else { return 0.0 };
    if high > low { (to.min(*high) - from.max(*low)).max(0.0) / (high - low) } else { 0.0 }
}

/// A band between two rules may hold many rows of text: split it where most lines fill several columns,
/// the first one among them. A band in which a high cell lies stays whole.
fn split_band(mut row: Row, high: bool, out: &mut Vec<Row>) {
    row.cells.iter_mut().for_each(sort_cell);
    let mut bases: Vec<f32> = Vec::new();
    let mut all: Vec<&PlacedWord> = row.cells.iter().flatten().collect();
    all.sort_by(|a, b| a.base.total_cmp(&b.base));
    for word in all {
        if bases.last().is_none_or(|b| word.base - b > 0.5 * word.size) {
            bases.push(word.base);
        }
    }
    let line_of = |w: &PlacedWord| bases.iter().filter(|b| **b <= w.base + 0.01).count().saturating_sub(1);
    let mut lines = vec![Row { cells: vec![Cell::new(); row.cells.len()] }; bases.len()];
    for (column, cell) in row.cells.iter().enumerate() {
        for word in cell {
            if let Some(target) = lines.get_mut(line_of(word)).and_then(|l| l.cells.get_mut(column)) {
                target.push(word.clone());
            }
        }
    }
    let leads = |r: &Row| r.cells.first().is_some_and(|c| !c.is_empty());
    let full = lines.iter().filter(|l| leads(l) && l.filled() >= 2 && l.filled() * 2 >= row.filled()).count();
    if high || lines.len() < 3 || full * 10 < lines.len() * 6 {
        out.push(row);
        return;
    }
    let first = out.len();
    for line in lines {
        let open = if out.len() > first { out.last_mut() } else { None };
        match open {
            // A line without its first cell continues the row above.
            Some(last) if !leads(&line) && last.cells.len() == line.cells.len() => {
                for (cell, more) in last.cells.iter_mut().zip(line.cells) {
                    cell.extend(more);
                }
            }
            _ => out.push(line),
        }
    }
}
