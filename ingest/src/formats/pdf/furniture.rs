//! Page headers, footers and page numbers: what repeats at one place over the pages, figures apart.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::headings::pattern;
use super::layout::LaidPage;
use crate::model::Page;

/// Share of the page's height, at the top and at the bottom, in which headers and footers stand.
const ZONE: f32 = 0.12;
/// Lines at one edge that may be furniture.
const MAX_LINES: usize = 12;
/// How far the place may differ from page to page, in points.
const REACH: f32 = 5.0;

/// A line near the upper or lower edge.
#[derive(Debug, Clone)]
struct Line {
    /// Index of the page among the pages read.
    page: usize,
    line: u32,
    pattern: String,
    /// Figures in it.
    numbers: Vec<i64>,
    /// Distance from the edge, and from the left.
    depth: f32,
    left: f32,
}

/// Fills in `furniture` of every page.
pub(super) fn mark(pages: &mut [LaidPage]) {
    let mut groups: BTreeMap<(bool, String), Vec<Line>> = BTreeMap::new();
    for (index, page) in pages.iter().enumerate() {
        for (top, line) in candidates(index, page) {
            groups.entry((top, line.pattern.clone())).or_default().push(line);
        }
    }
    let mut found: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); pages.len()];
    for lines in groups.into_values() {
        for place in places(lines) {
            if repeats(&place, pages.len()) {
                for line in place {
                    if let Some(set) = found.get_mut(line.page) {
                        set.insert(line.line);
                    }
                }
            }
        }
    }
    for (page, set) in pages.iter_mut().zip(found) {
        page.page.furniture = set.into_iter().collect();
    }
}

/// Lines near the edges. Rows of a table count only where the whole table lies there: the rows of a long
/// table stand at the same places on many pages.
fn candidates(index: usize, laid: &LaidPage) -> Vec<(bool, Line)> {
    let page = &laid.page;
    let height = page.height_pt;
    let mut lines: BTreeMap<u32, ([f32; 4], String)> = BTreeMap::new();
    let inner: HashSet<u32> = page
        .tables
        .iter()
        .filter(|t| t.rect[3] > ZONE * height && t.rect[1] < (1.0 - ZONE) * height)
        .map(|t| t.block)
        .collect();
    for word in page.words.iter().filter(|w| !inner.contains(&w.block)) {
        let [x0, y0, x1, y1] = word.rect;
        let line = lines.entry(word.line).or_insert(([x0, y0, x1, y1], String::new()));
        line.0 = [line.0[0].min(x0), line.0[1].min(y0), line.0[2].max(x1), line.0[3].max(y1)];
        line.1.push_str(&word.text);
        line.1.push(' ');
    }
    let mut out = Vec::new();
    for (line, (rect, text)) in lines {
        let text = text.trim();
        let top = rect[3] < ZONE * height;
        if text.is_empty() || !(top || rect[1] > (1.0 - ZONE) * height) {
            continue;
        }
        let depth = if top { rect[1] } else { height - rect[3] };
        let (pattern, numbers) = (squeeze(&pattern(text)), numbers(text));
        out.push((top, Line { page: index, line, pattern, numbers, depth, left: rect[0] }));
    }
    for top in [true, false] {
        if out.iter().filter(|(t, _)| *t == top).count() > MAX_LINES {
            out.retain(|(t, _)| *t != top);
        }
    }
    out
}

/// Figures of any length look alike.
fn squeeze(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    for c in pattern.chars() {
        if !(c == '0' && out.ends_with('0')) {
            out.push(c);
        }
    }
    out
}

fn numbers(text: &str) -> Vec<i64> {
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|p| !p.is_empty() && p.len() <= 6);
    parts.filter_map(|p| p.parse().ok()).collect()
}

/// Parts lines of one pattern by their distance from the edge.
fn places(mut lines: Vec<Line>) -> Vec<Vec<Line>> {
    lines.sort_by(|a, b| a.depth.total_cmp(&b.depth).then(a.page.cmp(&b.page)));
    let mut out: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match out.last_mut().and_then(|place| Some((place.last()?.depth, place))) {
            Some((depth, place)) if line.depth - depth < REACH => place.push(line),
            _ => out.push(vec![line]),
        }
    }
    out
}

/// True for lines of one pattern at one place that are furniture of a document with `total` pages.
fn repeats(place: &[Line], total: usize) -> bool {
    let pages: BTreeSet<usize> = place.iter().map(|l| l.page).collect();
    let (Some(first), Some(last)) = (pages.first(), pages.last()) else { return false };
    if pages.len() < 3.min(total.max(2)) {
        return false;
    }
    // Headers of a chapter stand on its pages only; left and right pages may differ.
    let dense = pages.len() * 5 >= (last - first + 1) * 2;
    let letters = place.first().map_or(0, |l| l.pattern.chars().filter(|c| c.is_alphabetic()).count());
    counts(place) || (dense && letters >= 3 && same_left(place))
}

/// At the same place from the left, or mirrored on left and right pages.
fn same_left(place: &[Line]) -> bool {
    let near = |x: f32| place.iter().filter(|l| (l.left - x).abs() < REACH).count();
    let best = place.iter().map(|l| near(l.left)).max().unwrap_or(0);
    best * 5 >= place.len() * 2
}

/// One of the figures counts with the pages.
fn counts(place: &[Line]) -> bool {
    let steps = |l: &Line| -> BTreeSet<i64> {
        let page = i64::try_from(l.page).unwrap_or(0);
        l.numbers.iter().map(|n| n - page).collect()
    };
    let mut votes: BTreeMap<i64, usize> = BTreeMap::new();
    for step in place.iter().flat_map(steps) {
        *votes.entry(step).or_default() += 1;
    }
    votes.into_values().max().is_some_and(|most| most >= 2 && most * 10 >= place.len() * 6)
}

/// Blocks of which every line is furniture.
pub(super) fn blocks(page: &Page) -> BTreeSet<u32> {
    if page.furniture.is_empty() {
        return BTreeSet::new();
    }
    let mut all: BTreeMap<u32, bool> = BTreeMap::new();
    for word in &page.words {
        let furniture = page.furniture.binary_search(&word.line).is_ok();
        let so_far = all.entry(word.block).or_insert(true);
        *so_far &= furniture;
    }
    all.into_iter().filter(|(_, furniture)| *furniture).map(|(block, _)| block).collect()
}
