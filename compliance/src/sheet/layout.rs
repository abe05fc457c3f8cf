//! Breaking rows into lines and fitting a column into its height.

use super::AnnexText;
use super::content::{Row, Section};
use super::draw::Faces;
use super::text::Line;

/// Size of the running text, points.
pub(super) const TEXT: f32 = 8.3;
/// Distance of baselines, points.
pub(super) const LEADING: f32 = 10.5;
/// Size of section heads, points.
pub(super) const HEAD: f32 = 9.6;
/// From the top of a section to the baseline of its first row, points.
pub(super) const HEAD_HEIGHT: f32 = 24.0;
/// Between two sections, points.
pub(super) const GAP: f32 = 9.0;
/// Between two rows, points.
const ROW_GAP: f32 = 1.2;

/// Widths of a column, points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) x: f32,
    pub(super) width: f32,
    /// Part of the width that text labels take.
    pub(super) label: f32,
    /// Part at the right end for query codes.
    pub(super) codes: f32,
}

/// A row in lines.
pub(super) struct SetRow {
    pub(super) label: Vec<Line>,
    pub(super) value: Vec<Line>,
    pub(super) queries: Option<Line>,
    pub(super) figure: bool,
}

/// A section in lines.
pub(super) struct SetSection {
    pub(super) number: u8,
    pub(super) title: &'static str,
    pub(super) rows: Vec<SetRow>,
}

impl SetSection {
    /// Height in points, without the gap to the next section.
    pub(super) fn height(&self) -> f32 {
        let rows: f32 = self.rows.iter().map(SetRow::height).sum();
        HEAD_HEIGHT - LEADING + rows
    }
}

impl SetRow {
    /// Height in points.
    pub(super) fn height(&self) -> f32 {
        self.value.len().max(self.label.len()).max(1) as f32 * LEADING + ROW_GAP
    }
}

/// Sets sections into a column of `height` points. Where the column is too short for all that rows ask for,
/// every row gets its first line, then rows get a second in turn while there is room, and so on.
pub(super) fn set_column(
    sections: &[Section],
    column: Column,
    height: f32,
    faces: &Faces,
    cut: &str,
) -> (Vec<SetSection>, Vec<AnnexText>) {
    let set = |limits: &dyn Fn(usize, usize) -> usize, annex: &mut Vec<AnnexText>| -> Vec<SetSection> {
        let one = |(i, s): (usize, &Section)| set_section(s, column, |j| limits(i, j), faces, cut, annex);
        sections.iter().enumerate().map(one).collect()
    };
    let wanted = set(&|_, _| usize::MAX, &mut Vec::new());
    let mut limits: Vec<Vec<usize>> = wanted.iter().map(|s| vec![1; s.rows.len()]).collect();
    let least = set(&|_, _| 1, &mut Vec::new());
    let gaps = GAP * sections.len().saturating_sub(1) as f32;
    let mut room = height - gaps - least.iter().map(SetSection::height).sum::<f32>();
    let most = sections.iter().flat_map(|s| &s.rows).map(|r| r.lines).max().unwrap_or(1);
    for lines in 2..=most {
        for (limits, section) in limits.iter_mut().zip(&wanted) {
            for (limit, row) in limits.iter_mut().zip(&section.rows) {
                // A second line may be there already, because of the label.
                let more = if lines > row.label.len() { LEADING } else { 0.0 };
                if row.value.len() >= lines && *limit == lines - 1 && room >= more {
                    *limit = lines;
                    room -= more;
                }
            }
        }
    }
    let mut annex = Vec::new();
    let limit = |i: usize, j: usize| limits.get(i).and_then(|l| l.get(j)).copied().unwrap_or(1);
    let set = set(&limit, &mut annex);
    (set, annex)
}

fn set_section(
    section: &Section,
    column: Column,
    limit: impl Fn(usize) -> usize,
    faces: &Faces,
    cut: &str,
    annex: &mut Vec<AnnexText>,
) -> SetSection {
    let mut rows = Vec::with_capacity(section.rows.len());
    for (j, row) in section.rows.iter().enumerate() {
        let (set, is_cut) = set_row(row, column, limit(j), faces, cut);
        if is_cut {
            annex.push(AnnexText {
                section: section.number,
                label: row.label.clone(),
                text: row.value.clone(),
            });
        }
        rows.push(set);
    }
    SetSection { number: section.number, title: section.title, rows }
}

/// Room between sections: at least [`GAP`], more where the column has space left.
pub(super) fn gap(set: &[SetSection], height: f32) -> f32 {
    let total: f32 = set.iter().map(SetSection::height).sum();
    let gaps = set.len().saturating_sub(1).max(1) as f32;
    ((height - total) / gaps).clamp(GAP, GAP + 11.0)
}

/// Sets one row; the second value tells that its text was cut.
pub(super) fn set_row(row: &Row, column: Column, limit: usize, faces: &Faces, cut: &str) -> (SetRow, bool) {
    let face = &faces.regular;
    let queries = (!row.queries.is_empty()).then(|| face.shape(row.queries));
    let (label_width, value_width) = if row.figure {
        let value = face.shape(&row.value).width(TEXT);
        let room = column.width - column.codes;
        (room - value.min(room * 0.6) - 6.0, room * 0.6)
    } else {
        let codes = queries.as_ref().map_or(0.0, |q| q.width(TEXT) + 6.0);
        (column.label - 6.0, column.width - column.label - codes)
    };
    let (label, label_cut) = face.lines(&row.label, TEXT, label_width, 2, cut);
    let (value, value_cut) = face.lines(&row.value, TEXT, value_width, row.lines.min(limit), cut);
    (SetRow { label, value, queries, figure: row.figure }, value_cut || label_cut)
}
