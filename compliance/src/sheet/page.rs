//! Placing everything on the page and writing the PDF.

use krilla::metadata::Metadata;
use krilla::tagging::{Node, TableHeaderScope, Tag, TagTree};

use super::archival::{PAGE, a4, document, group, heading, moment};
use super::content::{Context, Section};
use super::draw::{ACCENT, Faces, GREY, HAIR, INK, Pen};
use super::layout::{
    Column, GAP, HEAD, HEAD_HEIGHT, LEADING, SetRow, SetSection, TEXT, gap, set_column, set_row,
};
use super::{AnnexText, Rendered, SheetError};

/// Left and right margin, points.
pub(super) const MARGIN: f32 = 45.0;
/// Width between the margins.
pub(super) const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
/// Between the two columns.
pub(super) const GUTTER: f32 = 24.0;
/// Width of a column.
pub(super) const COLUMN: f32 = (WIDTH - GUTTER) / 2.0;
/// Top of section 1.
const HEAD_TOP: f32 = 88.0;
/// Between section 1 and the two columns.
const HEAD_GAP: f32 = 6.9;
/// Top of section 10.
pub(super) const OPEN_TOP: f32 = 665.0;
/// Side of the QR code with its quiet zone.
const QR: f32 = 84.0;

/// The page being made.
pub(super) struct Sheet<'a, 'b> {
    pub(super) context: &'a Context<'a>,
    pub(super) faces: &'a Faces,
    pub(super) pen: Pen<'b>,
    /// Marks of what was drawn, in reading order.
    pub(super) tree: Vec<Node>,
    pub(super) annex: Vec<AnnexText>,
    /// Top of the two columns.
    columns_top: f32,
}

pub(super) fn render(context: &Context<'_>) -> Result<Rendered, SheetError> {
    let faces = Faces::load()?;
    let mut document = document()?;
    document.set_metadata(metadata(context));
    let mut page = document.start_page_with(a4()?);
    let (tree, annex) = fill_page(context, &faces, Pen::new(page.surface()));
    page.finish();
    let mut tags = TagTree::new().with_lang(Some(context.lang.code().to_owned()));
    tree.into_iter().for_each(|node| tags.push(node));
    document.set_tag_tree(tags);
    let pdf = document.finish().map_err(|e| SheetError::Pdf(format!("{e:?}")))?;
    Ok(Rendered { pdf, annex })
}

fn fill_page(context: &Context<'_>, faces: &Faces, pen: Pen<'_>) -> (Vec<Node>, Vec<AnnexText>) {
    let mut sheet = Sheet { context, faces, pen, tree: Vec::new(), annex: Vec::new(), columns_top: 0.0 };
    sheet.head();
    sheet.columns();
    sheet.open();
    sheet.foot();
    debug_assert!(sheet.pen.smallest >= 8.0, "text of {} points", sheet.pen.smallest);
    sheet.pen.finish();
    (sheet.tree, sheet.annex)
}

fn metadata(c: &Context<'_>) -> Metadata {
    Metadata::new()
        .title(format!("{} · {}", c.words.title, c.period()))
        .language(c.lang.code().to_owned())
        .creator("Dossier".to_owned())
        .authors(c.facts.firm.iter().cloned().collect())
        .document_id(c.report_id())
        .creation_date(moment(c.figures.counted_at))
}

impl Sheet<'_, '_> {
    /// Title, subtitle, sheet number, and section 1 across the page.
    fn head(&mut self) {
        let (w, faces) = (self.context.words, self.faces);
        self.pen.ornament(ACCENT, MARGIN, 40.0, WIDTH, 2.2);
        let title = faces.semibold.shape(w.title);
        let mark = self.pen.line(&title, &faces.semibold, 18.0, ACCENT, MARGIN, 64.0);
        self.tree.push(heading(1, w.title, vec![mark]));
        let id = faces.regular.shape(&format!("{} {}", w.report_id, self.context.report_id()));
        let x = MARGIN + WIDTH - id.width(TEXT);
        let number = self.pen.line(&id, &faces.regular, TEXT, GREY, x, 64.0);
        let subtitle = faces.regular.shape(w.subtitle);
        let mark = self.pen.line(&subtitle, &faces.regular, 9.2, GREY, MARGIN, 78.0);
        self.tree.push(group(Tag::P, vec![mark]));
        self.tree.push(group(Tag::P, vec![number]));
        self.head_rows();
    }

    fn head_rows(&mut self) {
        let section = self.context.head();
        let mut children = self.section_head(section.number, section.title, MARGIN, HEAD_TOP, WIDTH);
        let mut table = Vec::new();
        let (left, right) = section.rows.split_at(section.rows.len() / 2);
        for (rows, x) in [(left, MARGIN), (right, MARGIN + COLUMN + GUTTER)] {
            let column = Column { x, width: COLUMN, label: 92.0, codes: 0.0 };
            let mut y = HEAD_TOP + HEAD_HEIGHT;
            for row in rows {
                let (set, is_cut) = set_row(row, column, row.lines, self.faces, self.context.words.see_annex);
                if is_cut {
                    let (label, text) = (row.label.clone(), row.value.clone());
                    self.annex.push(AnnexText { section: 1, label, text });
                }
                table.push(self.row(&set, column, y));
                y += set.height();
            }
            self.columns_top = self.columns_top.max(y + HEAD_GAP);
        }
        children.push(group(Tag::Table, table));
        self.tree.push(group(Tag::Section, children));
    }

    /// Sections 2 to 9.
    fn columns(&mut self) {
        let hidden = self.context.hidden_models();
        self.annex.extend(hidden.map(|row| AnnexText { section: 4, label: row.label, text: row.value }));
        let left = Column { x: MARGIN, width: COLUMN, label: 76.0, codes: 26.0 };
        let right = Column { x: MARGIN + COLUMN + GUTTER, width: COLUMN, label: 92.0, codes: 26.0 };
        let height = OPEN_TOP - GAP - self.columns_top;
        let sections = self.context.left();
        self.column(&sections, left, height);
        let mut sections = self.context.right();
        let integrity = sections.pop();
        // Section 9 leaves room for the QR code at its right.
        let narrow = Column { width: COLUMN - QR - 2.0, label: 66.0, codes: 16.0, ..right };
        let cut = self.context.words.see_annex;
        let (last, annex) = set_column(integrity.as_slice(), narrow, f32::MAX, self.faces, cut);
        let reserved = last.iter().map(|s| s.height().max(QR + 6.0) + GAP).sum::<f32>();
        let y = self.column(&sections, right, height - reserved);
        self.annex.extend(annex);
        for section in &last {
            self.integrity(section, narrow, right, y);
        }
    }

    /// Draws sections below each other; returns where the next one would begin.
    fn column(&mut self, sections: &[Section], column: Column, height: f32) -> f32 {
        let cut = self.context.words.see_annex;
        let (set, annex) = set_column(sections, column, height, self.faces, cut);
        self.annex.extend(annex);
        let gap = gap(&set, height);
        let mut y = self.columns_top;
        for section in &set {
            let mut children = self.section_head(section.number, section.title, column.x, y, column.width);
            children.push(self.table(&section.rows, column, y + HEAD_HEIGHT));
            self.tree.push(group(Tag::Section, children));
            y += section.height() + gap;
        }
        y
    }

    fn integrity(&mut self, section: &SetSection, narrow: Column, full: Column, y: f32) {
        let mut children = self.section_head(section.number, section.title, full.x, y, full.width);
        children.push(self.table(&section.rows, narrow, y + HEAD_HEIGHT));
        let i = &self.context.figures.integrity;
        let text = format!("{}\n{}\n{}\n", i.origin, i.size, i.root);
        let x = full.x + full.width - QR + 6.0;
        if let Some(mark) = self.pen.qr(&text, x, y + 14.0, QR) {
            let alt = format!("{}: {} {} {}", self.context.words.qr_alt, i.origin, i.size, i.root);
            children.push(group(Tag::Figure(Some(alt)), vec![mark]));
        }
        self.tree.push(group(Tag::Section, children));
    }

    /// Number, title and a hairline.
    pub(super) fn section_head(&mut self, number: u8, title: &str, x: f32, y: f32, width: f32) -> Vec<Node> {
        let face = &self.faces.semibold;
        let text = format!("{number}  {title}");
        let mark = self.pen.line(&face.shape(&text), face, HEAD, ACCENT, x, y + 8.0);
        self.pen.ornament(HAIR, x, y + 11.8, width, 0.6);
        vec![heading(2, title, vec![mark])]
    }

    fn table(&mut self, rows: &[SetRow], column: Column, top: f32) -> Node {
        let mut y = top;
        let mut children = Vec::with_capacity(rows.len());
        for row in rows {
            children.push(self.row(row, column, y));
            y += row.height();
        }
        group(Tag::Table, children)
    }

    fn row(&mut self, row: &SetRow, column: Column, y: f32) -> Node {
        let face = &self.faces.regular;
        let mut label = Vec::with_capacity(row.label.len());
        for (i, line) in row.label.iter().enumerate() {
            label.push(self.pen.line(line, face, TEXT, GREY, column.x, y + i as f32 * LEADING));
        }
        let mut value = Vec::with_capacity(row.value.len() + 1);
        let right = column.x + column.width - column.codes;
        for (i, line) in row.value.iter().enumerate() {
            let x = if row.figure { right - line.width(TEXT) } else { column.x + column.label };
            value.push(self.pen.line(line, face, TEXT, INK, x, y + i as f32 * LEADING));
        }
        if let Some(codes) = &row.queries {
            // Behind a figure in a column of their own, behind text at once.
            let end = row.value.first().map_or(0.0, |line| line.width(TEXT));
            let x = if row.figure { right } else { column.x + column.label + end };
            value.push(self.pen.line(codes, face, 8.0, GREY, x + 5.0, y));
        }
        let head = group(Tag::TH(TableHeaderScope::Row), label);
        group(Tag::TR, vec![head, group(Tag::TD, value)])
    }
}
