//! Words become segments: runs of words on one baseline without a wide gap.

use std::collections::BTreeMap;

use super::words::PlacedWord;

/// Gap, in em, at which a segment ends: a column gutter or a table's cell border may lie there.
const SEGMENT_GAP: f32 = 0.7;
/// Gap, in em, below which two pieces without a space between them are one word.
const GLUE_GAP: f32 = 0.12;

/// A run of words on one baseline.
#[derive(Debug, Clone, Default)]
pub(super) struct Segment {
    pub(super) words: Vec<PlacedWord>,
    pub(super) x0: f32,
    pub(super) y0: f32,
    pub(super) x1: f32,
    pub(super) y1: f32,
    pub(super) base: f32,
    pub(super) size: f32,
}

impl Segment {
    fn start(word: PlacedWord) -> Self {
        Segment {
            x0: word.x0,
            y0: word.y0,
            x1: word.x1,
            y1: word.y1,
            base: word.base,
            size: word.size,
            words: vec![word],
        }
    }

    fn push(&mut self, word: PlacedWord) {
        self.x0 = self.x0.min(word.x0);
        self.x1 = self.x1.max(word.x1);
        if word.size >= 0.8 * self.size {
            self.y0 = self.y0.min(word.y0);
            self.y1 = self.y1.max(word.y1);
        }
        if word.size > self.size {
            self.size = word.size;
            self.base = word.base;
        }
        match self.words.last_mut() {
            Some(last) if !word.spaced && word.x0 - last.x1 < GLUE_GAP * last.size.max(word.size) => {
                last.absorb(&word);
            }
            _ => self.words.push(word),
        }
    }

    /// Number of characters.
    pub(super) fn chars(&self) -> usize {
        self.words.iter().map(|w| w.text.chars().count()).sum()
    }

    /// True where every word is bold.
    pub(super) fn bold(&self) -> bool {
        self.words.iter().all(|w| w.bold)
    }

    /// Middle of the box, vertically.
    pub(super) fn middle(&self) -> f32 {
        (self.y0 + self.y1) / 2.0
    }
}

/// How much of the lower of two boxes overlaps the other vertically, 0 to 1.
fn overlap(a: (f32, f32), b: (f32, f32)) -> f32 {
    let shared = a.1.min(b.1) - a.0.max(b.0);
    let lower = (a.1 - a.0).min(b.1 - b.0);
    if lower > 0.0 { shared / lower } else { 0.0 }
}

/// Joins words to segments, left to right.
pub(super) fn segments(mut words: Vec<PlacedWord>) -> Vec<Segment> {
    const BUCKET: f32 = 6.0;
    words.sort_by(|a, b| a.x0.total_cmp(&b.x0).then(a.base.total_cmp(&b.base)));
    let mut segments: Vec<Segment> = Vec::new();
    // Segments by the height of their baseline, so that each word looks at its neighbours only.
    let mut by_height: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    let bucket = |v: f32| (v / BUCKET).floor() as i32;
    for word in words {
        let reach = (word.size.min(200.0) / BUCKET).ceil() as i32;
        let at = bucket(word.base);
        let mut best: Option<(f32, usize)> = None;
        for (_, list) in by_height.range(at.saturating_sub(reach)..=at.saturating_add(reach)) {
            for &index in list.iter().rev().take(400) {
                let Some(segment) = segments.get(index) else { continue };
                let Some(last) = segment.words.last() else { continue };
                let size = last.size.max(word.size);
                let gap = word.x0 - last.x1;
                let ratio = last.size.min(word.size) / size;
                if gap > SEGMENT_GAP * size
                    || gap < -0.5 * size
                    || ratio < 0.3
                    || overlap((word.y0, word.y1), (segment.y0, segment.y1)) < 0.5
                {
                    continue;
                }
                let distance = (segment.base - word.base).abs() + gap.abs() * 0.1;
                if best.is_none_or(|(d, _)| distance < d) {
                    best = Some((distance, index));
                }
            }
        }
        match best.and_then(|(_, index)| segments.get_mut(index)) {
            Some(segment) => segment.push(word),
            None => {
                by_height.entry(at).or_default().push(segments.len());
                segments.push(Segment::start(word));
            }
        }
    }
    let mut segments = split_at_columns(segments);
    segments.sort_by(|a, b| a.base.total_cmp(&b.base).then(a.x0.total_cmp(&b.x0)));
    segments
}

/// Gap, in em, before a word that may start a column.
const COLUMN_GAP: f32 = 0.35;
/// How far away the same column's start may be, in points.
const COLUMN_REACH: f32 = 45.0;

/// The widest cell of a column leaves hardly a gap to the next one: a segment is split where a word
/// stands exactly below or above the start of another row's segment.
fn split_at_columns(segments: Vec<Segment>) -> Vec<Segment> {
    let key = |x: f32| x.round() as i32;
    let mut rows: BTreeMap<i32, Vec<f32>> = BTreeMap::new();
    for s in &segments {
        rows.entry(key(s.base)).or_default().push(s.x1);
    }
    // Baselines of segments with another one to their left, by where they start.
    let mut starts: BTreeMap<i32, Vec<(f32, f32)>> = BTreeMap::new();
    for s in &segments {
        let mut beside = rows.range(key(s.base) - 1..=key(s.base) + 1).flat_map(|(_, ends)| ends);
        if beside.any(|x1| *x1 < s.x0) {
            starts.entry(key(s.x0)).or_default().push((s.x0, s.base));
        }
    }
    let starts_column = |word: &PlacedWord| {
        let mut near = starts.range(key(word.x0) - 1..=key(word.x0) + 1).flat_map(|(_, list)| list);
        near.any(|(x, base)| {
            let away = (base - word.base).abs();
            (x - word.x0).abs() < 0.6 && away > 1.0 && away < COLUMN_REACH
        })
    };
    let mut out = Vec::with_capacity(segments.len());
    for segment in segments {
        let mut open: Option<Segment> = None;
        for word in segment.words {
            match &mut open {
                Some(part) if word.x0 - part.x1 >= COLUMN_GAP * word.size && starts_column(&word) => {
                    out.extend(open.replace(Segment::start(word)));
                }
                Some(part) => part.push(word),
                None => open = Some(Segment::start(word)),
            }
        }
        out.extend(open);
    }
    out
}
