//! Breaking a form into lines and pages.

use super::Block;
use crate::sheet::archival::PAGE;
use crate::sheet::draw::{ACCENT, Colour, Faces, GREY, HAIR, INK};
use crate::sheet::text::{Line, Typeface};

/// Left and right margin, points.
pub(super) const MARGIN: f32 = 62.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const TOP: f32 = 70.0;
/// Lowest baseline.
const BOTTOM: f32 = PAGE.1 - 74.0;
const TEXT: f32 = 10.0;
const LEADING: f32 = 13.6;
/// Width of the labels of rows.
const LABEL: f32 = 150.0;
/// More lines than a form can have: bounds the work on absurd values.
const MOST: usize = 4_000;

/// A line of text, or a rule, at its place.
pub(super) struct Mark {
    pub(super) page: usize,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) what: What,
}

pub(super) enum What {
    Text {
        line: Line,
        bold: bool,
        size: f32,
        colour: Colour,
    },
    /// Filled rectangle: width, height.
    Fill {
        width: f32,
        height: f32,
        colour: Colour,
    },
}

/// What a run of marks is to somebody who has the page read out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Title,
    Heading,
    Paragraph,
    Item,
    Label,
    Value,
}

/// Marks of one part, by their numbers; `text` is what a heading says.
pub(super) struct Part {
    pub(super) role: Role,
    pub(super) marks: Vec<usize>,
    pub(super) text: String,
}

/// A form in lines.
pub(super) struct Setter<'a> {
    faces: &'a Faces,
    pub(super) marks: Vec<Mark>,
    pub(super) parts: Vec<Part>,
    page: usize,
    y: f32,
}

impl<'a> Setter<'a> {
    pub(super) fn new(faces: &'a Faces) -> Self {
        Self { faces, marks: Vec::new(), parts: Vec::new(), page: 0, y: TOP }
    }

    /// How many pages there are.
    pub(super) fn pages(&self) -> usize {
        self.page + 1
    }

    pub(super) fn block(&mut self, block: &Block) {
        // Some room behind a table.
        if self.parts.last().is_some_and(|part| part.role == Role::Value) && !matches!(block, Block::Row(..))
        {
            self.y += 4.0;
        }
        match block {
            Block::Title(text) => self.title(text),
            Block::Basis(text) => {
                self.text(text, Role::Paragraph, 0.0, GREY);
                self.y += 10.0;
            }
            Block::Heading(text) => self.heading(text),
            Block::Paragraph(text) => {
                self.text(text, Role::Paragraph, 0.0, INK);
                self.y += 5.0;
            }
            Block::Item(text) => {
                self.need(LEADING);
                self.fill(MARGIN + 3.0, self.y - 5.2, 3.2, 3.2, ACCENT);
                self.text(text, Role::Item, 14.0, INK);
                self.y += 2.0;
            }
            Block::Tick(text) => {
                self.need(LEADING);
                self.square();
                self.text(text, Role::Item, 18.0, INK);
                self.y += 3.0;
            }
            Block::Blank(text) => self.blank(text),
            Block::Row(label, value) => self.row(label, value),
        }
    }

    fn title(&mut self, text: &str) {
        self.fill(MARGIN, TOP - 28.0, WIDTH, 2.2, ACCENT);
        let lines = self.faces.semibold.lines(text, 19.0, WIDTH, 4, "…").0;
        let marks = lines.into_iter().map(|line| self.set(line, true, 19.0, ACCENT, MARGIN, 23.0)).collect();
        self.parts.push(Part { role: Role::Title, marks, text: text.to_owned() });
    }

    fn heading(&mut self, text: &str) {
        self.y += 9.0;
        // Not alone at the foot of a page.
        self.need(4.0 * LEADING);
        let lines = self.faces.semibold.lines(text, 12.0, WIDTH, 3, "…").0;
        let marks = lines.into_iter().map(|line| self.set(line, true, 12.0, ACCENT, MARGIN, 15.5)).collect();
        self.parts.push(Part { role: Role::Heading, marks, text: text.to_owned() });
        self.y += 3.0;
    }

    /// Running text, indented by `indent` points.
    fn text(&mut self, text: &str, role: Role, indent: f32, colour: Colour) {
        let lines = broken(&self.faces.regular, text, WIDTH - indent);
        let marks = lines
            .into_iter()
            .map(|line| self.set(line, false, TEXT, colour, MARGIN + indent, LEADING))
            .collect();
        self.parts.push(Part { role, marks, text: String::new() });
    }

    /// An empty square to tick.
    fn square(&mut self) {
        let (x, y, side) = (MARGIN + 1.0, self.y - 8.0, 9.0);
        for (dx, dy, w, h) in [
            (0.0, 0.0, side, 0.8),
            (0.0, side, side + 0.8, 0.8),
            (0.0, 0.0, 0.8, side),
            (side, 0.0, 0.8, side),
        ] {
            self.fill(x + dx, y + dy, w, h, INK);
        }
    }

    fn blank(&mut self, text: &str) {
        self.need(44.0);
        self.y += 22.0;
        self.fill(MARGIN, self.y, WIDTH, 0.6, GREY);
        self.y += 11.0;
        let line = self.faces.regular.lines(text, 8.6, WIDTH, 1, "…").0;
        let marks = line.into_iter().map(|line| self.set(line, false, 8.6, GREY, MARGIN, LEADING)).collect();
        self.parts.push(Part { role: Role::Paragraph, marks, text: String::new() });
        self.y += 3.0;
    }

    /// Label and value beside each other; over the page's end line by line.
    fn row(&mut self, label: &str, value: &str) {
        let left = broken(&self.faces.regular, label, LABEL - 10.0);
        let right = broken(&self.faces.regular, value, WIDTH - LABEL);
        // A value to be filled in has room for three lines.
        let room = if value.is_empty() { 3 } else { 1 };
        let height = left.len().max(right.len()).max(room);
        if height <= 12 {
            self.need(height as f32 * LEADING);
        }
        let (mut left, mut right) = (left.into_iter(), right.into_iter());
        let (mut labels, mut values) = (Vec::new(), Vec::new());
        for _ in 0..height {
            self.need(LEADING);
            let y = self.y;
            if let Some(line) = left.next() {
                labels.push(self.at(line, GREY, MARGIN, y));
            }
            if let Some(line) = right.next() {
                values.push(self.at(line, INK, MARGIN + LABEL, y));
            }
            self.y += LEADING;
        }
        self.parts.push(Part { role: Role::Label, marks: labels, text: String::new() });
        self.parts.push(Part { role: Role::Value, marks: values, text: String::new() });
        self.fill(MARGIN, self.y - 8.6, WIDTH, 0.5, HAIR);
        self.y += 3.5;
    }

    fn at(&mut self, line: Line, colour: Colour, x: f32, y: f32) -> usize {
        let what = What::Text { line, bold: false, size: TEXT, colour };
        self.marks.push(Mark { page: self.page, x, y, what });
        self.marks.len() - 1
    }

    fn set(&mut self, line: Line, bold: bool, size: f32, colour: Colour, x: f32, leading: f32) -> usize {
        self.need(leading);
        let what = What::Text { line, bold, size, colour };
        self.marks.push(Mark { page: self.page, x, y: self.y, what });
        self.y += leading;
        self.marks.len() - 1
    }

    fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        self.marks.push(Mark { page: self.page, x, y, what: What::Fill { width, height, colour } });
    }

    /// Begins a page where `height` points are not left on this one.
    fn need(&mut self, height: f32) {
        if self.y + height > BOTTOM + LEADING {
            self.page += 1;
            self.y = TOP;
        }
    }
}

fn broken(face: &Typeface, text: &str, width: f32) -> Vec<Line> {
    if text.is_empty() { Vec::new() } else { face.lines(text, TEXT, width, MOST, "…").0 }
}
