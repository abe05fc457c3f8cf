//! Reading order: horizontal strips of white space first, columns where consecutive strips share a
//! gutter and look like running text, tables where they share gutters and do not.

use super::lines::Segment;
use super::tables::{FoundTable, aligned};
use super::words::PlacedWord;

/// Depth of columns within columns.
const MAX_DEPTH: u32 = 8;
/// Narrowest gutter, in em of the text beside it.
const GUTTER: f32 = 0.7;
/// White space across the full width, in em, that ends a group of columns.
const GROUP_GAP: f32 = 3.0;

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

    fn size(&self) -> f32 {
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
    inside.iter().for_each(|strip| emit_strip(strip, tables, depth, out));
    for strip in strips.get(end..).unwrap_or_default() {
        emit_strip(strip, tables, depth, out);
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

/// Parts items by white space that runs across the whole region.
fn strips(mut items: Vec<Item>) -> Vec<Vec<Item>> {
    // Boxes of tightly set lines touch: look at their inner part.
    let inner = |item: &Item| {
        let [_, y0, _, y1] = item.rect();
        let shrink = match item {
            Item::Text(_) => 0.2 * (y1 - y0),
            Item::Table(..) => 0.0,
        };
        (y0 + shrink, y1 - shrink)
    };
    items.sort_by(|a, b| inner(a).0.total_cmp(&inner(b).0));
    let mut strips: Vec<Vec<Item>> = Vec::new();
    let mut bottom = f32::NEG_INFINITY;
    for item in items {
        let (top, end) = inner(&item);
        match strips.last_mut() {
            Some(strip) if top < bottom => strip.push(item),
            _ => strips.push(vec![item]),
        }
        bottom = if top < bottom { bottom.max(end) } else { end };
    }
    for strip in &mut strips {
        strip.sort_by(|a, b| a.rect()[0].total_cmp(&b.rect()[0]));
    }
    strips
}

struct Group {
    /// Index after the last strip.
    end: usize,
    /// White columns that every strip leaves free, with text on both sides.
    gutters: Vec<(f32, f32)>,
}

/// How far a set of items reaches, and how large its text is.
#[derive(Clone, Copy)]
struct Reach {
    /// Where the leftmost item ends and the rightmost begins: a gutter lies between.
    left_end: f32,
    right_start: f32,
    size_sum: f32,
    count: f32,
}

impl Reach {
    const NONE: Reach =
        Reach { left_end: f32::INFINITY, right_start: f32::NEG_INFINITY, size_sum: 0.0, count: 0.0 };

    fn with(mut self, items: &[Item]) -> Reach {
        for item in items {
            let [x0, _, x1, _] = item.rect();
            self.left_end = self.left_end.min(x1);
            self.right_start = self.right_start.max(x0);
            self.size_sum += item.size();
            self.count += 1.0;
        }
        self
    }

    fn narrowest_gutter(&self) -> f32 {
        GUTTER * self.size_sum / self.count.max(1.0)
    }

    /// The free intervals that are wide enough and have items on both sides.
    fn gutters(&self, free: &[(f32, f32)]) -> Vec<(f32, f32)> {
        let inside = |g: &(f32, f32)| self.left_end <= g.0 + 0.1 && self.right_start >= g.1 - 0.1;
        free.iter().copied().filter(|g| g.1 - g.0 >= self.narrowest_gutter() && inside(g)).collect()
    }
}

/// The longest run of strips from `at` that shares a gutter.
fn extend(strips: &[Vec<Item>], at: usize) -> Group {
    let Some(first) = strips.get(at) else { return Group { end: at, gutters: Vec::new() } };
    let left = strips.iter().flatten().map(|i| i.rect()[0]).fold(f32::INFINITY, f32::min);
    let right = strips.iter().flatten().map(|i| i.rect()[2]).fold(f32::NEG_INFINITY, f32::max);
    let mut reach = Reach::NONE.with(first);
    let mut free = free_intervals(first);
    let mut gutters = reach.gutters(&free);
    let mut end = at + 1;
    while let Some(strip) = strips.get(end) {
        let rest = strips.get(end + 1..).unwrap_or_default();
        if ends_group(strips.get(end - 1), strip, rest, &gutters, end - at) {
            break;
        }
        let shared = intersect(&free, &free_intervals(strip));
        let further = reach.with(strip);
        let found = further.gutters(&shared);
        // Without a gutter yet, white space beside the text may become one.
        let hope = shared.iter().any(|g| g.1.min(right) - g.0.max(left) >= further.narrowest_gutter());
        if found.is_empty() && (!gutters.is_empty() || !hope) {
            break;
        }
        (free, reach, gutters) = (shared, further, found);
        end += 1;
    }
    Group { end, gutters }
}

/// A wide gap or a heading across the columns ends a group.
fn ends_group(
    before: Option<&Vec<Item>>,
    strip: &[Item],
    rest: &[Vec<Item>],
    gutters: &[(f32, f32)],
    length: usize,
) -> bool {
    let Some(before) = before else { return false };
    let bottom = before.iter().map(|i| i.rect()[3]).fold(f32::NEG_INFINITY, f32::max);
    let top = strip.iter().map(|i| i.rect()[1]).fold(f32::INFINITY, f32::min);
    let size = before.iter().map(Item::size).fold(0.0, f32::max);
    let gap = top - bottom;
    let larger = strip.len() == 1 && strip.iter().all(|i| i.size() > 1.15 * size);
    // A heading inside a column has the other column's lines close by, or nothing more beside it.
    let mut end = strip.iter().map(|i| i.rect()[3]).fold(f32::NEG_INFINITY, f32::max);
    let close = rest.iter().take_while(|s| {
        let [top, bottom] = s
            .iter()
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[t, b], i| [t.min(i.rect()[1]), b.max(i.rect()[3])]);
        let near = top - end <= 2.0 * size;
        end = bottom;
        near
    });
    let right_end = close.flatten().map(|i| i.rect()[2]).fold(f32::NEG_INFINITY, f32::max);
    let goes_on = |g: &(f32, f32)| right_end > g.0 + 1.0;
    let across = larger && length >= 2 && gap > 0.9 * size && gutters.first().is_some_and(goes_on);
    gap > GROUP_GAP * size.max(8.0) || across
}

/// Intervals of x that no item of the strip covers; the margins count.
fn free_intervals(strip: &[Item]) -> Vec<(f32, f32)> {
    let mut covered: Vec<(f32, f32)> = strip.iter().map(|i| (i.rect()[0], i.rect()[2])).collect();
    covered.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = Vec::new();
    let mut at = -1e6_f32;
    for (x0, x1) in covered {
        if x0 > at {
            free.push((at, x0));
        }
        at = at.max(x1);
    }
    free.push((at, 1e6));
    free
}

fn intersect(a: &[(f32, f32)], b: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let shared = (x.0.max(y.0), x.1.min(y.1));
        if shared.1 > shared.0 {
            out.push(shared);
        }
        if x.1 < y.1 { i += 1 } else { j += 1 }
    }
    out
}

/// Columns of prose have several lines each, most of them long and full; label and value pairs and
/// tables do not. Beside a column of long lines another one may hold a list or code, if it has about as
/// many lines: a table's rows are sparser beside a column of text.
fn is_running_text(strips: &[Vec<Item>], gutters: &[(f32, f32)]) -> bool {
    let columns: Vec<ColumnLook> = (0..=gutters.len()).map(|c| column_look(strips, gutters, c)).collect();
    if columns.iter().all(|c| c.prose) {
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
