//! Rules joined to lines, and lines that touch each other joined to lattices.

use std::collections::BTreeMap;

use super::super::glyphs::Rule;

/// Rules this close are one rule; ends this close to a rule touch it.
pub(super) const SNAP: f32 = 3.0;

/// Rules that touch each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Lattice {
    pub(super) horizontal: Vec<Rule>,
    pub(super) vertical: Vec<Rule>,
}

/// The rule in the frame of text that runs at this angle; `None` where the two are not at right angles.
pub(super) fn turned(rule: &Rule, angle: u16) -> Option<Rule> {
    let place = |x: f32, y: f32| match angle {
        0 => Some((x, y)),
        90 => Some((y, -x)),
        180 => Some((-x, -y)),
        270 => Some((-y, x)),
        _ => None,
    };
    let ((x0, y0), (x1, y1)) = (place(rule.x0, rule.y0)?, place(rule.x1, rule.y1)?);
    Some(Rule { x0: x0.min(x1), y0: y0.min(y1), x1: x0.max(x1), y1: y0.max(y1) })
}

/// Rules of one direction with pieces on one line joined.
pub(super) fn merged(rules: &[Rule], horizontal: bool) -> Vec<Rule> {
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

/// Groups of rules that touch each other, in a fixed order.
pub(super) fn lattices(horizontal: &[Rule], vertical: &[Rule]) -> Vec<Lattice> {
    let mut forest = Forest((0..horizontal.len() + vertical.len()).collect());
    for (h, a) in horizontal.iter().enumerate() {
        for (v, b) in vertical.iter().enumerate() {
            let touches =
                b.x0 > a.x0 - SNAP && b.x0 < a.x1 + SNAP && a.y0 > b.y0 - SNAP && a.y0 < b.y1 + SNAP;
            if touches {
                forest.join(h, horizontal.len() + v);
            }
        }
    }
    let mut members: BTreeMap<usize, Lattice> = BTreeMap::new();
    for (i, rule) in horizontal.iter().enumerate() {
        members.entry(forest.root(i)).or_default().horizontal.push(*rule);
    }
    for (i, rule) in vertical.iter().enumerate() {
        members.entry(forest.root(horizontal.len() + i)).or_default().vertical.push(*rule);
    }
    members.into_values().collect()
}

/// Disjoint sets by parent.
struct Forest(Vec<usize>);

impl Forest {
    fn root(&mut self, mut i: usize) -> usize {
        while let Some(&parent) = self.0.get(i) {
            if parent == i {
                break;
            }
            let next = self.0.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.0.get_mut(i) {
                *slot = next;
            }
            i = parent;
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(slot) = self.0.get_mut(a) {
            *slot = b;
        }
    }
}

/// Sorted positions with near ones joined.
pub(super) fn edges(mut positions: Vec<f32>) -> Vec<f32> {
    positions.sort_by(f32::total_cmp);
    positions.dedup_by(|b, a| *b - *a < SNAP);
    positions
}

/// Index of the interval between edges that holds a position.
pub(super) fn slot(edges: &[f32], position: f32) -> Option<usize> {
    let before = edges.iter().filter(|e| **e < position).count();
    (before >= 1 && before < edges.len()).then(|| before - 1)
}
