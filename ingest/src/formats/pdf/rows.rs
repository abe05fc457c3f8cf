//! Rows of cells that are no table: where a cell goes on in the lines below.

use super::lines::Segment;
use super::order::{Item, column_of};

/// Gap below a line, in em, up to which the next one may belong to the same cell.
const CELL_LEADING: f32 = 0.5;

/// How many strips after the first one only continue its cells: each has at most half as many cells, all
/// of them right below one that began above.
pub(super) fn wrapped(strips: &[Vec<Item>], gutters: &[(f32, f32)]) -> usize {
    let Some((row, rest)) = strips.split_first() else { return 0 };
    let Some(mut cells) = segments(row) else { return 0 };
    let level = cells.iter().all(|s| cells.iter().all(|t| (s.base - t.base).abs() < 0.3 * s.size));
    let filled = cells.len();
    if filled < 2 || !level {
        return 0;
    }
    let mut count = 0;
    for (index, strip) in rest.iter().enumerate() {
        let Some(parts) = segments(strip) else { break };
        let after = rest.get(index..).unwrap_or_default();
        let belongs = |part: &&Segment| {
            let column = column(part, gutters);
            let above = cells.iter().rev().find(|c| self::column(c, gutters) == column);
            above.is_some_and(|above| continues(above, part))
                // The first cell names the row: a name close to the next row is that one's.
                && (column > 0 || (filled > 2 && !belongs_below(part, &cells, after, filled)))
        };
        if parts.len() * 2 > filled || !parts.iter().all(belongs) {
            break;
        }
        cells.extend(parts);
        count += 1;
    }
    count
}

/// The segments of a row and its continuations, cell by cell.
pub(super) fn in_cell_order(row: &[Vec<Item>], gutters: &[(f32, f32)]) -> Vec<Segment> {
    let mut all: Vec<(usize, Segment)> = Vec::new();
    for strip in row {
        for item in strip {
            if let Item::Text(segment) = item {
                all.push((column_of(item, gutters), segment.clone()));
            }
        }
    }
    // Strips come from the top: a stable sort keeps the lines of a cell in order.
    all.sort_by_key(|(column, _)| *column);
    all.into_iter().map(|(_, segment)| segment).collect()
}

fn segments(strip: &[Item]) -> Option<Vec<&Segment>> {
    strip.iter().map(|item| if let Item::Text(segment) = item { Some(segment) } else { None }).collect()
}

fn column(segment: &Segment, gutters: &[(f32, f32)]) -> usize {
    let middle = (segment.x0 + segment.x1) / 2.0;
    gutters.iter().filter(|g| (g.0 + g.1) / 2.0 < middle).count()
}

/// `below` is the next line of what `above` began: close, of one size, aligned left, right or centred.
fn continues(above: &Segment, below: &Segment) -> bool {
    let gap = below.y0 - above.y1;
    let middle = |s: &Segment| (s.x0 + s.x1) / 2.0;
    (above.size - below.size).abs() < 0.1 * above.size
        && gap < CELL_LEADING * below.size
        && ((above.x0 - below.x0).abs() < 1.5
            || (above.x1 - below.x1).abs() < 1.5
            || (middle(above) - middle(below)).abs() < 1.5)
}

/// True where the next full row is about as close to what comes before it as `part` is to what is above it.
/// `after` begins with the strip of the part; a row is full with more than half of the cells.
fn belongs_below(part: &Segment, above: &[&Segment], after: &[Vec<Item>], filled: usize) -> bool {
    let Some(next) = after.iter().position(|strip| strip.len() * 2 > filled) else { return false };
    let bottom = |strip: &[Item]| strip.iter().map(|i| i.rect()[3]).fold(f32::NEG_INFINITY, f32::max);
    let top = |strip: &[Item]| strip.iter().map(|i| i.rect()[1]).fold(f32::INFINITY, f32::min);
    let (Some(before), Some(row)) = (after.get(next.wrapping_sub(1)), after.get(next)) else { return true };
    let above = above.iter().map(|s| s.y1).fold(f32::NEG_INFINITY, f32::max);
    top(row) - bottom(before) <= 1.25 * (part.y0 - above) + 0.1 * part.size
}
