//! Reading order: horizontal strips of white space first, columns where consecutive strips share a
//! gutter and look like running text, tables where they share gutters and do not.

use super::bidi::to_reading_order;
use super::lines::Segment;
use super::prose::is_running_text;
use super::rows::{in_cell_order, wrapped};
use super::strips::{Reach, extend, free_intervals, intersect, strips};
use super::tables::{FoundTable, aligned};
use super::words::PlacedWord;

/// Depth of columns within columns.
const MAX_DEPTH: u32 = 8;

/// What stands on a page before it is ordered.
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// A run of words.
    Text(Segment),
    /// A table found by its rules: its index and box.
    Table(usize, [f32; 4]),
}

impl Item {
    /// Box as `[x0, y0, x1, y1]`.
    pub(super) fn rect(&self) -> [f32; 4] {
        match self {
            Item::Text(s) => [s.x0, s.y0, s.x1, s.y1],
            Item::Table(_, r) => *r,
        }
    }

    /// Size of its text; a usual one for a table.
    pub(super) fn size(&self) -> f32 {
        match self {
            Item::Text(s) => s.size,
            Item::Table(..) => 10.0,
        }
    }
}

/// A line of text.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    pub(super) words: Vec<PlacedWord>,
    pub(super) rect: [f32; 4],
    pub(super) size: f32,
    pub(super) bold: bool,
}

impl Line {
    fn of(mut segments: Vec<Segment>) -> Line {
        segments.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        Line::in_order(segments)
    }

    fn in_order(segments: Vec<Segment>) -> Line {
        let mut line = Line {
            rect: [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY],
            bold: segments.iter().all(Segment::bold),
            ..Line::default()
        };
        for s in segments {
            let [x0, y0, x1, y1] = line.rect;
            line.rect = [x0.min(s.x0), y0.min(s.y0), x1.max(s.x1), y1.max(s.y1)];
            line.size = line.size.max(s.size);
            line.words.extend(s.words);
        }
        to_reading_order(&mut line.words);
        line
    }

    /// The words with single spaces between them.
    pub(super) fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|w| w.text.as_str()).collect();
        words.join(" ")
    }
}

/// A step of the reading order.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Line(Line),
    Table(usize),
    /// A column or region ends here.
    Break,
}

/// Brings items into reading order. Tables found by alignment are appended to `tables`.
pub(super) fn order(items: Vec<Item>, tables: &mut Vec<FoundTable>) -> Vec<Entry> {
    let mut out = Vec::new();
    order_region(items, tables, 0, &mut out);
    out
}

fn order_region(items: Vec<Item>, tables: &mut Vec<FoundTable>, depth: u32, out: &mut Vec<Entry>) {
    let strips = strips(aligned::extract(items, tables));
    let mut at = 0;
    while at < strips.len() {
        let group = extend(&strips, at);
        let members = strips.get(at..group.end).unwrap_or_default();
        at = group.end.max(at + 1);
        if group.gutters.is_empty() {
            for strip in members {
                emit_strip(strip, tables, depth, out);
            }
        } else if depth < MAX_DEPTH && is_running_text(members, &group.gutters) {
            let mut columns: Vec<Vec<Item>> = vec![Vec::new(); group.gutters.len() + 1];
            for item in members.iter().flatten() {
                let index = column_of(item, &group.gutters);
                if let Some(column) = columns.get_mut(index) {
                    column.push(item.clone());
                }
            }
            for column in columns {
                order_region(column, tables, depth + 1, out);
                out.push(Entry::Break);
            }
        } else {
            emit_rows(members, tables, depth, out);
        }
    }
}

/// A group of strips that is no running text: a table if it looks like one, else line by line.
fn emit_rows(strips: &[Vec<Item>], tables: &mut Vec<FoundTable>, depth: u32, out: &mut Vec<Entry>) {
    let first = strips.iter().position(|s| s.len() > 1).unwrap_or(0);
    let last = strips.iter().rposition(|s| s.len() > 1).unwrap_or(0);
    // What stands alone above the first row must not narrow the gutters.
    let gutters = row_gutters(strips.get(first..=last).unwrap_or_default());
    let end = last + 1 + continuation(strips, last, &gutters);
    let inside = strips.get(first..end).unwrap_or_default();
    for strip in strips.get(..first).unwrap_or_default() {
        emit_strip(strip, tables, depth, out);
    }
    emit_wrapped(inside, &gutters, tables, depth, out);
    for strip in strips.get(end..).unwrap_or_default() {
        emit_strip(strip, tables, depth, out);
    }
}

/// Rows whose cells may go on below: such a row is one line, cell by cell.
fn emit_wrapped(
    strips: &[Vec<Item>],
    gutters: &[(f32, f32)],
    tables: &mut Vec<FoundTable>,
    depth: u32,
    out: &mut Vec<Entry>,
) {
    let mut at = 0;
    while let Some(strip) = strips.get(at) {
        let more = wrapped(strips.get(at..).unwrap_or_default(), gutters);
        if more == 0 {
            emit_strip(strip, tables, depth, out);
        } else {
            let row = strips.get(at..=at + more).unwrap_or_default();
            out.push(Entry::Line(Line::in_order(in_cell_order(row, gutters))));
        }
        at += 1 + more;
    }
}

/// Gutters of rows; narrow ones count where what follows them starts at one place.
fn row_gutters(rows: &[Vec<Item>]) -> Vec<(f32, f32)> {
    let Some(first) = rows.first() else { return Vec::new() };
    let mut reach = Reach::NONE;
    let mut free = free_intervals(first);
    for row in rows {
        reach = reach.with(row);
        free = intersect(&free, &free_intervals(row));
    }
    let starts_together = |g: &(f32, f32)| {
        let begins = rows.iter().filter(|r| r.iter().any(|i| (i.rect()[0] - g.1).abs() < 1.0)).count();
        begins >= 3 && begins * 3 >= rows.len() * 2
    };
    let wide = reach.narrowest_gutter();
    let inside = |g: &(f32, f32)| reach.left_end <= g.0 + 0.1 && reach.right_start >= g.1 - 0.1;
    free.into_iter()
        .filter(|g| inside(g) && (g.1 - g.0 >= wide || (g.1 - g.0 >= 0.4 * wide && starts_together(g))))
        .collect()
}

/// How many lone strips after the last row are the rest of its last cells.
fn continuation(strips: &[Vec<Item>], last: usize, gutters: &[(f32, f32)]) -> usize {
    let row = strips.get(last).map(Vec::as_slice).unwrap_or_default();
    let mut bottom = row.iter().map(|i| i.rect()[3]).fold(f32::NEG_INFINITY, f32::max);
    let mut count = 0;
    for strip in strips.iter().skip(last + 1) {
        let [item] = strip.as_slice() else { break };
        let [x0, y0, _, y1] = item.rect();
        let below = row.iter().any(|i| (i.rect()[0] - x0).abs() < 1.5);
        if !below || column_of(item, gutters) == 0 || y0 - bottom > 0.5 * item.size() {
            break;
        }
        bottom = y1;
        count += 1;
    }
    count
}

/// Index of the column that an item belongs to.
pub(super) fn column_of(item: &Item, gutters: &[(f32, f32)]) -> usize {
    let [x0, _, x1, _] = item.rect();
    let middle = (x0 + x1) / 2.0;
    gutters.iter().filter(|g| (g.0 + g.1) / 2.0 < middle).count()
}

/// One strip: a line, side-by-side regions, or lines whose boxes overlap.
fn emit_strip(strip: &[Item], tables: &mut Vec<FoundTable>, depth: u32, out: &mut Vec<Entry>) {
    let mut rows = baseline_rows(strip);
    if rows.len() > 1 && depth < MAX_DEPTH {
        let gutters = Reach::NONE.with(strip).gutters(&free_intervals(strip));
        if !gutters.is_empty() {
            let mut columns: Vec<Vec<Item>> = vec![Vec::new(); gutters.len() + 1];
            for item in strip {
                if let Some(column) = columns.get_mut(column_of(item, &gutters)) {
                    column.push(item.clone());
                }
            }
            for column in columns {
                order_region(column, tables, depth + 1, out);
                out.push(Entry::Break);
            }
            return;
        }
    }
    rows.sort_by(|a, b| row_top(a).total_cmp(&row_top(b)));
    for row in rows {
        let mut segments = Vec::new();
        for item in row {
            match item {
                Item::Text(segment) => segments.push(segment),
                Item::Table(index, _) => out.push(Entry::Table(index)),
            }
        }
        if !segments.is_empty() {
            out.push(Entry::Line(Line::of(segments)));
        }
    }
}

fn row_top(row: &[Item]) -> f32 {
    row.first().map_or(0.0, |i| (i.rect()[1] + i.rect()[3]) / 2.0)
}

/// Items whose middles lie within each other's height form a row.
fn baseline_rows(strip: &[Item]) -> Vec<Vec<Item>> {
    let mut rows: Vec<Vec<Item>> = Vec::new();
    for item in strip {
        let [_, y0, _, y1] = item.rect();
        let middle = (y0 + y1) / 2.0;
        let row = rows.iter_mut().find(|row| {
            row.first().is_some_and(|head| match (head, item) {
                (Item::Text(a), Item::Text(b)) => {
                    (a.middle() - middle).abs() < 0.5 * (a.y1 - a.y0).max(b.y1 - b.y0)
                }
                _ => false,
            })
        });
        match row {
            Some(row) => row.push(item.clone()),
            None => rows.push(vec![item.clone()]),
        }
    }
    rows
}
