//! White space: strips of items parted by it across the page, and the gutters that strips share.

use super::order::Item;

/// Narrowest gutter, in em of the text beside it.
const GUTTER: f32 = 0.7;
/// White space across the full width, in em, that ends a group of columns.
const GROUP_GAP: f32 = 3.0;

/// Parts items by white space that runs across the whole region.
pub(super) fn strips(mut items: Vec<Item>) -> Vec<Vec<Item>> {
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

/// Strips that belong together.
pub(super) struct Group {
    /// Index after the last strip.
    pub(super) end: usize,
    /// White columns that every strip leaves free, with text on both sides.
    pub(super) gutters: Vec<(f32, f32)>,
}

/// How far a set of items reaches, and how large its text is.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// Where the leftmost item ends and the rightmost begins: a gutter lies between.
    pub(super) left_end: f32,
    pub(super) right_start: f32,
    size_sum: f32,
    count: f32,
}

impl Reach {
    /// Of no items.
    pub(super) const NONE: Reach =
        Reach { left_end: f32::INFINITY, right_start: f32::NEG_INFINITY, size_sum: 0.0, count: 0.0 };

    /// With more items.
    pub(super) fn with(mut self, items: &[Item]) -> Reach {
        for item in items {
            let [x0, _, x1, _] = item.rect();
            self.left_end = self.left_end.min(x1);
            self.right_start = self.right_start.max(x0);
            self.size_sum += item.size();
            self.count += 1.0;
        }
        self
    }

    /// The least width of a gutter beside this text, in points.
    pub(super) fn narrowest_gutter(&self) -> f32 {
        GUTTER * self.size_sum / self.count.max(1.0)
    }

    /// The free intervals that are wide enough and have items on both sides.
    pub(super) fn gutters(&self, free: &[(f32, f32)]) -> Vec<(f32, f32)> {
        let inside = |g: &(f32, f32)| self.left_end <= g.0 + 0.1 && self.right_start >= g.1 - 0.1;
        free.iter().copied().filter(|g| g.1 - g.0 >= self.narrowest_gutter() && inside(g)).collect()
    }
}

/// The longest run of strips from `at` that shares a gutter.
pub(super) fn extend(strips: &[Vec<Item>], at: usize) -> Group {
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
pub(super) fn free_intervals(strip: &[Item]) -> Vec<(f32, f32)> {
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

/// What is free in both.
pub(super) fn intersect(a: &[(f32, f32)], b: &[(f32, f32)]) -> Vec<(f32, f32)> {
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
