//! Columns without vertical rules: the white space that nearly all lines leave free.

use super::super::lines::Segment;

/// Narrowest gutter, in em.
const GUTTER: f32 = 0.5;
/// Share of lines that may run across a gutter: headings over several columns, rows of one cell.
const CROSSING: f32 = 0.2;

/// Segments on one baseline, left to right.
#[derive(Debug, Clone, Default)]
pub(super) struct TextLine {
    pub(super) segments: Vec<Segment>,
    pub(super) base: f32,
    pub(super) size: f32,
    pub(super) y0: f32,
    pub(super) y1: f32,
}

impl TextLine {
    pub(super) fn left(&self) -> f32 {
        self.segments.iter().map(|s| s.x0).fold(f32::INFINITY, f32::min)
    }

    pub(super) fn right(&self) -> f32 {
        self.segments.iter().map(|s| s.x1).fold(f32::NEG_INFINITY, f32::max)
    }

    /// True where white space parts it.
    pub(super) fn is_parted(&self) -> bool {
        self.segments.len() > 1
    }
}

/// Segments by their baselines, top to bottom.
pub(super) fn text_lines(mut segments: Vec<Segment>) -> Vec<TextLine> {
    segments.sort_by(|a, b| a.base.total_cmp(&b.base));
    let mut lines: Vec<TextLine> = Vec::new();
    for s in segments {
        match lines.last_mut() {
            Some(line) if s.base - line.base < 0.42 * s.size.max(line.size) => {
                line.y0 = line.y0.min(s.y0);
                line.y1 = line.y1.max(s.y1);
                line.size = line.size.max(s.size);
                line.segments.push(s);
            }
            _ => lines.push(TextLine { base: s.base, size: s.size, y0: s.y0, y1: s.y1, segments: vec![s] }),
        }
    }
    for line in &mut lines {
        line.segments.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    }
    lines
}

/// Gutters between columns, left to right.
pub(super) fn gutters(lines: &[TextLine]) -> Vec<(f32, f32)> {
    let parted = lines.iter().filter(|l| l.is_parted()).count();
    if parted < 2 {
        return Vec::new();
    }
    let size = lines.iter().map(|l| l.size).sum::<f32>() / lines.len() as f32;
    let tolerance = (CROSSING * parted as f32) as i32;
    let enough = (parted / 5).max(2);
    let mut out: Vec<(f32, f32)> = pieces(&profile(lines), tolerance)
        .into_iter()
        .filter(|g| g.1 - g.0 >= GUTTER * size)
        .filter(|g| lines.iter().filter(|l| parts_at(l, *g)).count() >= enough)
        .collect();
    drop_phantoms(lines, &mut out);
    out
}

/// True where the line has text on both sides of a gutter and none across it.
fn parts_at(line: &TextLine, gutter: (f32, f32)) -> bool {
    let before = line.segments.iter().any(|s| s.x1 <= gutter.0 + 0.1);
    let after = line.segments.iter().any(|s| s.x0 >= gutter.1 - 0.1);
    before && after && !line.segments.iter().any(|s| s.x0 < gutter.0 - 0.1 && s.x1 > gutter.1 + 0.1)
}

/// Intervals of x with the number of segments that cover them.
fn profile(lines: &[TextLine]) -> Vec<(f32, f32, i32)> {
    let mut steps: Vec<(f32, i32)> =
        lines.iter().flat_map(|l| &l.segments).flat_map(|s| [(s.x0, 1), (s.x1, -1)]).collect();
    // Where one ends and the next begins at the same place, the beginning counts first.
    steps.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut out = Vec::new();
    let (mut cover, mut from) = (0, f32::NEG_INFINITY);
    for (x, step) in steps {
        if x > from && from.is_finite() {
            out.push((from, x, cover));
        }
        (cover, from) = (cover + step, x);
    }
    out
}

/// In every zone that few segments cover, the parts that the fewest cover.
fn pieces(profile: &[(f32, f32, i32)], tolerance: i32) -> Vec<(f32, f32)> {
    let mut out: Vec<(f32, f32)> = Vec::new();
    for zone in profile.chunk_by(|a, b| (a.2 <= tolerance) == (b.2 <= tolerance)) {
        let Some(least) = zone.iter().map(|p| p.2).min().filter(|least| *least <= tolerance) else {
            continue;
        };
        let mut open: Option<(f32, f32)> = None;
        for (from, to, cover) in zone {
            match &mut open {
                Some(piece) if *cover == least => piece.1 = *to,
                None if *cover == least => open = Some((*from, *to)),
                _ => out.extend(open.take()),
            }
        }
        out.extend(open);
    }
    out
}

/// A column with text in one line only is none: its text belongs over the gutter.
fn drop_phantoms(lines: &[TextLine], gutters: &mut Vec<(f32, f32)>) {
    let mut index = 1;
    while index < gutters.len() {
        let (Some(before), Some(after)) = (gutters.get(index - 1).copied(), gutters.get(index).copied())
        else {
            break;
        };
        let inside = |s: &Segment| s.x0 >= before.0 && s.x1 <= after.1;
        let used = lines.iter().filter(|l| l.segments.iter().any(inside)).count();
        if used >= 2 {
            index += 1;
            continue;
        }
        gutters.remove(index);
        if let Some(gutter) = gutters.get_mut(index - 1) {
            *gutter = (before.0, after.1);
        }
    }
}

/// First and last column of a segment.
pub(super) fn columns_of(segment: &Segment, gutters: &[(f32, f32)]) -> (usize, usize) {
    let middle = (segment.x0 + segment.x1) / 2.0;
    let at = gutters.iter().filter(|g| (g.0 + g.1) / 2.0 < middle).count();
    let across = |g: &(f32, f32)| segment.x0 <= g.0 + 0.5 && segment.x1 >= g.1 - 0.5;
    let within = |g: &(f32, f32)| segment.x0 > g.0 + 0.5 && segment.x1 < g.1 - 0.5;
    let touched: Vec<usize> =
        gutters.iter().enumerate().filter(|(_, g)| across(g) || within(g)).map(|(i, _)| i).collect();
    match (touched.first(), touched.last()) {
        (Some(first), Some(last)) => (*first, last + 1),
        _ => (at, at),
    }
}
