//! The lower part of the page: section 10, the disclaimer and the line to sign on.

use krilla::tagging::{ListNumbering, Node, Tag};

use super::AnnexText;
use super::archival::group;
use super::content::Context;
use super::draw::{AMBER, Faces, GREY, HAIR, INK, RED};
use super::format::fill;
use super::layout::{HEAD_HEIGHT, LEADING, TEXT};
use super::open_points::{Level, open_points};
use super::page::{COLUMN, GUTTER, MARGIN, OPEN_TOP, Sheet, WIDTH};
use super::text::Line;

/// Most lines of open points in each of the two columns.
const OPEN_LINES: usize = 7;
/// Top of the disclaimer.
const FOOT_TOP: f32 = 762.0;

impl Sheet<'_, '_> {
    /// Section 10: the open points in two columns.
    pub(super) fn open(&mut self) {
        let w = self.context.words;
        let mut children = self.section_head(10, w.s10, MARGIN, OPEN_TOP, WIDTH);
        let points = open_points(self.context);
        if points.is_empty() {
            let line = self.faces.regular.shape(w.none_open);
            let mark = self.pen.line(&line, &self.faces.regular, TEXT, INK, MARGIN, OPEN_TOP + HEAD_HEIGHT);
            children.push(group(Tag::P, vec![mark]));
        } else {
            children.push(self.points(&points));
        }
        self.tree.push(group(Tag::Section, children));
    }

    fn points(&mut self, points: &[(Level, String)]) -> Node {
        let (w, faces) = (self.context.words, self.faces);
        let mut items = Vec::new();
        let (mut column, mut used, mut shown) = (0_usize, 0_usize, 0_usize);
        for (level, text) in points {
            let (lines, is_cut) = faces.regular.lines(text, TEXT, COLUMN - 10.0, 3, w.see_annex);
            // The last line of the second column is kept for "more points".
            if used + lines.len() > OPEN_LINES && column == 0 {
                (column, used) = (1, 0);
            }
            let keep = usize::from(column == 1 && shown + 1 < points.len());
            if used + lines.len() + keep > OPEN_LINES {
                break;
            }
            if is_cut {
                self.annex.push(AnnexText { section: 10, label: w.s10.into(), text: text.clone() });
            }
            let x = MARGIN + column as f32 * (COLUMN + GUTTER);
            let y = OPEN_TOP + HEAD_HEIGHT + used as f32 * LEADING;
            let colour = if *level == Level::Red { RED } else { AMBER };
            self.pen.ornament(colour, x, y - 5.0, 4.6, 4.6);
            let mut marks = Vec::with_capacity(lines.len());
            for (i, line) in lines.iter().enumerate() {
                let y = y + i as f32 * LEADING;
                marks.push(self.pen.line(line, &faces.regular, TEXT, INK, x + 10.0, y));
            }
            items.push(group(Tag::LI, vec![group(Tag::LBody, marks)]));
            used += lines.len();
            shown += 1;
        }
        if let Some(rest) = points.get(shown..).filter(|rest| !rest.is_empty()) {
            let text = self.context.counted(rest.len() as u64, w.more_open_one, w.more_open_many);
            let (x, y) = (MARGIN + COLUMN + GUTTER, OPEN_TOP + HEAD_HEIGHT + used as f32 * LEADING);
            let line = faces.semibold.shape(&text);
            let mark = self.pen.line(&line, &faces.semibold, TEXT, RED, x + 10.0, y);
            items.push(group(Tag::LI, vec![group(Tag::LBody, vec![mark])]));
            let annex = rest.iter().map(|(_, text)| AnnexText {
                section: 10,
                label: w.s10.into(),
                text: text.clone(),
            });
            self.annex.extend(annex);
        }
        group(Tag::L(ListNumbering::None), items)
    }

    /// Disclaimer and the line to sign on.
    pub(super) fn foot(&mut self) {
        let (w, faces) = (self.context.words, self.faces);
        self.pen.ornament(HAIR, MARGIN, FOOT_TOP, WIDTH, 0.6);
        let (lines, _) = disclaimer(self.context, faces);
        let mut marks = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            marks.push(self.pen.line(
                line,
                &faces.regular,
                8.0,
                GREY,
                MARGIN,
                FOOT_TOP + 10.0 + i as f32 * 9.6,
            ));
        }
        self.tree.push(group(Tag::P, marks));
        let y = FOOT_TOP + 57.0;
        let third = (WIDTH - 2.0 * GUTTER) / 3.0;
        let name = self.context.facts.signatory.as_deref().unwrap_or_default();
        let mut marks = Vec::new();
        for (i, (label, value)) in
            [(w.name, name), (w.place_date, ""), (w.signature, "")].into_iter().enumerate()
        {
            let x = MARGIN + i as f32 * (third + GUTTER);
            if !value.is_empty() {
                let (value, _) = faces.regular.lines(value, TEXT, third, 1, "…");
                for line in &value {
                    marks.push(self.pen.line(line, &faces.regular, TEXT, INK, x, y - 11.5));
                }
            }
            self.pen.ornament(INK, x, y - 8.6, third, 0.5);
            marks.push(self.pen.line(&faces.regular.shape(label), &faces.regular, 8.0, GREY, x, y));
        }
        self.tree.push(group(Tag::P, marks));
    }
}

/// The disclaimer in lines, and whether it had to be cut.
pub(super) fn disclaimer(context: &Context<'_>, faces: &Faces) -> (Vec<Line>, bool) {
    let text = fill(context.words.disclaimer, &[&context.period_options()]);
    faces.regular.lines(&text, 8.0, WIDTH, 3, context.words.see_annex)
}
