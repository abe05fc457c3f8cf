//! Tables whose rows are ruled but whose columns are not.

use super::super::glyphs::Rule;
use super::super::lines::segments;
use super::super::words::PlacedWord;
use super::columns::{TextLine, gutters, text_lines};
use super::rules::SNAP;
use super::{FoundTable, aligned, rows};

/// Shortest rule of a table, in points.
const MIN_LENGTH: f32 = 60.0;

/// Room above a row's text, in em, that no row has.
const ROOM: f32 = 1.8;

/// The place of a table between horizontal rules.
#[derive(Debug, Clone)]
pub(super) struct Area {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    /// Rules between its first and last line.
    cuts: Vec<Rule>,
}

/// Places where rules of about one width stand above each other with parted lines between them.
pub(super) fn areas(rules: &[Rule], words: &[PlacedWord]) -> Vec<Area> {
    let mut rules: Vec<Rule> = rules.to_vec();
    rules.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    let mut stacks: Vec<Vec<Rule>> = Vec::new();
    for rule in rules {
        let fits = |stack: &&mut Vec<Rule>| {
            let (left, right) = extent(stack);
            rule.x0 > left - SNAP && rule.x1 < right + SNAP
                || rule.x0 < left + SNAP && rule.x1 > right - SNAP && right - left > 0.3 * (rule.x1 - rule.x0)
        };
        match stacks.iter_mut().rev().find(fits) {
            Some(stack) => stack.push(rule),
            None => stacks.push(vec![rule]),
        }
    }
    stacks.iter().flat_map(|stack| tabular(stack, words)).collect()
}

fn extent(rules: &[Rule]) -> (f32, f32) {
    rules.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, r), rule| (l.min(rule.x0), r.max(rule.x1)))
}

/// Runs of rules with table-like lines between them.
fn tabular(stack: &[Rule], words: &[PlacedWord]) -> Vec<Area> {
    let (left, right) = extent(stack);
    if right - left < MIN_LENGTH {
        return Vec::new();
    }
    let wide = |r: &&Rule| r.x1 - r.x0 > 0.7 * (right - left);
    let mine: Vec<PlacedWord> =
        words.iter().filter(|w| (left - SNAP..right + SNAP).contains(&w.center().0)).cloned().collect();
    let lines = text_lines(segments(mine));
    let mut ys: Vec<f32> = stack.iter().filter(wide).map(|r| r.y0).collect();
    ys.dedup_by(|b, a| *b - *a < SNAP);
    let mut out = Vec::new();
    let mut run: Vec<f32> = Vec::new();
    for y in ys {
        let joins = run.last().is_none_or(|above| {
            is_band(&lines, (*above, y), (left, right)) && !begins_anew(&lines, (*above, y))
        });
        if !joins {
            out.extend(area(&run, stack, &lines, (left, right)));
            run.clear();
        }
        run.push(y);
    }
    out.extend(area(&run, stack, &lines, (left, right)));
    out
}

/// Below the last rule of a table, and of a box, there is room before the next one begins; the text of a row
/// stands close to the rule above it.
fn begins_anew(lines: &[TextLine], (top, bottom): (f32, f32)) -> bool {
    let first = lines.iter().filter(|l| l.base > top && l.base < bottom).min_by(|a, b| a.y0.total_cmp(&b.y0));
    first.is_some_and(|l| l.y0 - top > ROOM * l.size && bottom - l.base < l.y0 - top)
}

/// Between two rules of a table no line runs on from the left over most of the width.
fn is_band(lines: &[TextLine], (top, bottom): (f32, f32), (left, right): (f32, f32)) -> bool {
    let band: Vec<&TextLine> = lines.iter().filter(|l| l.base > top && l.base < bottom).collect();
    let width = right - left;
    let runs_on = |l: &&&TextLine| {
        !l.is_parted() && l.left() < left + 0.15 * width && l.right() - l.left() > 0.55 * width
    };
    let long = band.iter().filter(runs_on).count() > 0;
    let empty_and_far = band.is_empty() && bottom - top > 60.0;
    let parted = band.iter().any(|l| l.is_parted());
    // One short line names a group of rows; several lines in a row that nothing parts are text.
    !empty_and_far && (parted || band.len() <= 1) && !long
}

fn area(ys: &[f32], stack: &[Rule], lines: &[TextLine], (left, right): (f32, f32)) -> Option<Area> {
    let (first, bottom) = (*ys.first()?, *ys.last()?);
    let top = header_above(lines, first).unwrap_or(first - 0.1);
    let inside = lines.iter().filter(|l| l.base > top && l.base < bottom);
    if inside.filter(|l| l.is_parted()).count() < 2 || (ys.len() < 2) {
        return None;
    }
    let cuts = stack.iter().copied().filter(|r| r.y0 > top && r.y0 < bottom).collect();
    Some(Area { left, right, top, bottom, cuts })
}

/// With rules below each row only, the header stands above the first one: the top of its lines.
fn header_above(lines: &[TextLine], first: f32) -> Option<f32> {
    let above: Vec<&TextLine> = lines.iter().filter(|l| l.base < first + 0.5).collect();
    let mut top = None;
    let (mut next, mut next_base) = (first, first);
    for line in above.iter().rev().take(4) {
        let below = lines.iter().find(|l| l.base > first).map_or(line.size, |l| l.size);
        let alike = (line.size - below).abs() < 0.15 * below;
        if next - line.base > 2.2 * line.size || !alike || aligned::is_caption(line) {
            break;
        }
        // Half a line above a parted one: a longer cell centred beside it.
        let beside = top.is_some() && next_base - line.base < 0.8 * line.size;
        (next, next_base) = (line.y0, line.base);
        if line.is_parted() || beside {
            top = Some(line.y0 - 0.5);
        }
    }
    top
}

impl Area {
    pub(super) fn holds(&self, word: &PlacedWord) -> bool {
        let (x, _) = word.center();
        x > self.left - SNAP && x < self.right + SNAP && word.base > self.top && word.base < self.bottom + 0.5
    }

    pub(super) fn fill(&self, words: &[PlacedWord]) -> Option<FoundTable> {
        let lines = text_lines(segments(words.to_vec()));
        let gutters = gutters(&lines);
        if gutters.is_empty() || aligned::is_running_text(&lines, &gutters) {
            return None;
        }
        rows::table(&lines, &gutters, &self.cuts)
    }
}
