//! Tables from ruling lines: full grids, and tables with horizontal rules only.

use super::super::glyphs::Rule;
use super::super::lines::{Segment, segments};
use super::super::words::PlacedWord;
use super::{Cell, FoundTable, Row, sort_cell};

/// Rules this close are one rule; ends this close to a rule touch it.
const SNAP: f32 = 3.0;
/// More rules than this are a drawing.
const MAX_RULES: usize = 4_000;
/// Rows and columns of one grid.
const MAX_EDGES: usize = 400;

/// Finds tables by their rules and takes their words out of `words`.
pub(in super::super) fn tables(rules: &[Rule], words: &mut Vec<PlacedWord>) -> Vec<FoundTable> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let (mut horizontal, mut vertical) = (merged(rules, true), merged(rules, false));
    horizontal.retain(|r| r.x1 - r.x0 > 12.0);
    vertical.retain(|r| r.y1 - r.y0 > 5.0);
    let mut found = Vec::new();
    let (grids, loose) = grids(&horizontal, &vertical);
    for grid in grids {
        take(grid, words, &mut found);
    }
    for grid in open_grids(&loose, words) {
        take(grid, words, &mut found);
    }
    found.sort_by(|a, b| a.rect[1].total_cmp(&b.rect[1]));
    found
}

fn take(grid: Grid, words: &mut Vec<PlacedWord>, found: &mut Vec<FoundTable>) {
    let inside = |w: &PlacedWord| {
        let (x, y) = w.center();
        x > grid.left() && x < grid.right() && y > grid.top() && y < grid.bottom()
    };
    let (mine, rest): (Vec<_>, Vec<_>) = std::mem::take(words).into_iter().partition(inside);
    match grid.fill(&mine) {
        Some(table) => {
            *words = rest;
            found.push(table);
        }
        None => {
            *words = rest;
            words.extend(mine);
        }
    }
}

/// Rules of one direction with pieces on one line joined.
fn merged(rules: &[Rule], horizontal: bool) -> Vec<Rule> {
    // (position, start, end)
    let mut lines: Vec<(f32, f32, f32)> = rules
        .iter()
        .filter(|r| r.is_horizontal() == horizontal)
        .map(|r| if horizontal { (r.y0, r.x0, r.x1) } else { (r.x0, r.y0, r.y1) })
        .collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut out: Vec<(f32, f32, f32)> = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let position = lines.get(start).map_or(0.0, |l| l.0);
        let length = lines.iter().skip(start).take_while(|l| l.0 - position < 1.5).count();
        let mut same: Vec<_> = lines.iter().skip(start).take(length).copied().collect();
        same.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut pieces: Vec<(f32, f32, f32)> = Vec::new();
        for (_, from, to) in same {
            match pieces.last_mut() {
                Some(piece) if from - piece.2 < SNAP => piece.2 = piece.2.max(to),
                _ => pieces.push((position, from, to)),
            }
        }
        out.extend(pieces);
        start += length.max(1);
    }
    out.into_iter()
        .map(|(at, from, to)| {
            if horizontal {
                Rule { x0: from, y0: at, x1: to, y1: at }
            } else {
                Rule { x0: at, y0: from, x1: at, y1: to }
            }
        })
        .collect()
}

/// Edges of a table's rows and columns.
#[derive(Debug, Clone)]
struct Grid {
    xs: Vec<f32>,
    ys: Vec<f32>,
}

impl Grid {
    fn left(&self) -> f32 {
        self.xs.first().copied().unwrap_or(0.0)
    }
    fn right(&self) -> f32 {
        self.xs.last().copied().unwrap_or(0.0)
    }
    fn top(&self) -> f32 {
        self.ys.first().copied().unwrap_or(0.0)
    }
    fn bottom(&self) -> f32 {
        self.ys.last().copied().unwrap_or(0.0)
    }

    /// Puts the words into cells by their middles.
    fn fill(&self, words: &[PlacedWord]) -> Option<FoundTable> {
        let slot = |edges: &[f32], v: f32| edges.iter().filter(|e| **e < v).count().checked_sub(1);
        let (columns, bands) = (self.xs.len().checked_sub(1)?, self.ys.len().checked_sub(1)?);
        let mut rows = vec![Row { cells: vec![Cell::new(); columns] }; bands];
        for word in words {
            let (x, y) = word.center();
            let cell = slot(&self.ys, y)
                .and_then(|r| rows.get_mut(r))
                .and_then(|row| slot(&self.xs, x).and_then(|c| row.cells.get_mut(c)));
            if let Some(cell) = cell {
                cell.push(word.clone());
            }
        }
        let mut split = Vec::new();
        for row in rows {
            split_band(row, &mut split);
        }
        let rect = [self.left(), self.top(), self.right(), self.bottom()];
        FoundTable { rect, rows: split, header_rows: 0 }.finish()
    }
}

/// A band between two rules may hold many rows of text: split it where most lines fill several columns,
/// the first one among them.
fn split_band(mut row: Row, out: &mut Vec<Row>) {
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
    if lines.len() < 3 || full * 10 < lines.len() * 6 {
        out.push(row);
        return;
    }
    for line in lines {
        match out.last_mut() {
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

/// Grids of crossing rules, and the horizontal rules that cross none.
fn grids(horizontal: &[Rule], vertical: &[Rule]) -> (Vec<Grid>, Vec<Rule>) {
    let total = horizontal.len() + vertical.len();
    let mut parent: Vec<usize> = (0..total).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while let Some(&p) = parent.get(i) {
            if p == i {
                break;
            }
            let next = parent.get(p).copied().unwrap_or(p);
            if let Some(slot) = parent.get_mut(i) {
                *slot = next;
            }
            i = p;
        }
        i
    }
    for (h, a) in horizontal.iter().enumerate() {
        for (v, b) in vertical.iter().enumerate() {
            let touches =
                b.x0 > a.x0 - SNAP && b.x0 < a.x1 + SNAP && a.y0 > b.y0 - SNAP && a.y0 < b.y1 + SNAP;
            if touches {
                let (x, y) = (root(&mut parent, h), root(&mut parent, horizontal.len() + v));
                if let Some(slot) = parent.get_mut(x) {
                    *slot = y;
                }
            }
        }
    }
    let mut members: std::collections::BTreeMap<usize, (Vec<Rule>, Vec<Rule>)> = Default::default();
    for (i, rule) in horizontal.iter().enumerate() {
        members.entry(root(&mut parent, i)).or_default().0.push(*rule);
    }
    for (i, rule) in vertical.iter().enumerate() {
        members.entry(root(&mut parent, horizontal.len() + i)).or_default().1.push(*rule);
    }
    let (mut grids, mut loose) = (Vec::new(), Vec::new());
    for (h, v) in members.into_values() {
        match closed_grid(&h, &v) {
            Some(grid) => grids.push(grid),
            None => loose.extend(h),
        }
    }
    (grids, loose)
}

fn closed_grid(horizontal: &[Rule], vertical: &[Rule]) -> Option<Grid> {
    if vertical.is_empty() || horizontal.is_empty() {
        return None;
    }
    let ends =
        |rules: &[Rule], along: fn(&Rule) -> [f32; 2]| rules.iter().flat_map(along).collect::<Vec<f32>>();
    let mut xs: Vec<f32> = vertical.iter().map(|r| r.x0).collect();
    let mut ys: Vec<f32> = horizontal.iter().map(|r| r.y0).collect();
    // Rules that stick out beyond the last crossing rule close an open side.
    for (edges, outer) in
        [(&mut xs, ends(horizontal, |r| [r.x0, r.x1])), (&mut ys, ends(vertical, |r| [r.y0, r.y1]))]
    {
        let low = outer.iter().copied().fold(f32::INFINITY, f32::min);
        let high = outer.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        edges.extend([low, high]);
    }
    let (xs, ys) = (edges(xs), edges(ys));
    (xs.len() >= 3 && ys.len() >= 3 && xs.len() <= MAX_EDGES && ys.len() <= MAX_EDGES * 10)
        .then_some(Grid { xs, ys })
}

/// Sorted positions with near ones joined.
fn edges(mut positions: Vec<f32>) -> Vec<f32> {
    positions.sort_by(f32::total_cmp);
    positions.dedup_by(|b, a| *b - *a < SNAP);
    positions
}

/// Tables whose rows are ruled but whose columns are not: at least three rules of one length, columns
/// from the white space that all rows share.
fn open_grids(rules: &[Rule], words: &[PlacedWord]) -> Vec<Grid> {
    let mut rules: Vec<Rule> = rules.iter().copied().filter(|r| r.x1 - r.x0 > 60.0).collect();
    rules.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    let mut stacks: Vec<Vec<Rule>> = Vec::new();
    for rule in rules {
        let stack = stacks.iter_mut().find(|s| {
            s.last().is_some_and(|l| (l.x0 - rule.x0).abs() < SNAP && (l.x1 - rule.x1).abs() < SNAP)
        });
        match stack {
            Some(stack) => stack.push(rule),
            None => stacks.push(vec![rule]),
        }
    }
    stacks.into_iter().filter(|s| s.len() >= 3).filter_map(|s| open_grid(&s, words)).collect()
}

fn open_grid(stack: &[Rule], words: &[PlacedWord]) -> Option<Grid> {
    let (first, last) = (stack.first()?, stack.last()?);
    let between = |top: f32, bottom: f32| -> Vec<PlacedWord> {
        let inside = |w: &&PlacedWord| {
            let (x, y) = w.center();
            x > first.x0 - SNAP && x < first.x1 + SNAP && y > top && y < bottom
        };
        words.iter().filter(inside).cloned().collect()
    };
    let mut rows = between(first.y0, last.y0);
    let mut ys: Vec<f32> = stack.iter().map(|r| r.y0).collect();
    // With rules below each row only, the header stands above the first one.
    let band = stack.get(1)?.y0 - first.y0;
    let size = rows.iter().map(|w| w.size).fold(0.0, f32::max);
    let header = between(first.y0 - 1.3 * band.min(2.5 * size), first.y0);
    let columns = column_edges(&segments(rows.clone()), first.x0, first.x1)?;
    let filled: std::collections::BTreeSet<usize> =
        header.iter().map(|w| columns.iter().filter(|x| **x < w.center().0).count()).collect();
    if filled.len() >= 2 && filled.len() * 2 >= columns.len() - 1 {
        let top = header.iter().map(|w| w.y0).fold(f32::INFINITY, f32::min);
        ys.push(top - 1.0);
        rows.extend(header);
    }
    let xs = column_edges(&segments(rows), first.x0, first.x1).unwrap_or(columns);
    Some(Grid { xs, ys: edges(ys) })
}

/// Column borders in the middle of the white space that nearly all segments leave.
fn column_edges(segments: &[Segment], left: f32, right: f32) -> Option<Vec<f32>> {
    let mut covered: Vec<(f32, f32)> = segments.iter().map(|s| (s.x0, s.x1)).collect();
    covered.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = segments.iter().map(|s| s.size).fold(0.0, f32::max);
    let mut xs = vec![left - SNAP];
    let mut at = covered.first()?.1;
    for (x0, x1) in covered.into_iter().skip(1) {
        if x0 - at > 0.35 * size {
            xs.push((at + x0) / 2.0);
        }
        at = at.max(x1);
    }
    xs.push(right + SNAP);
    (xs.len() >= 3).then_some(xs)
}
