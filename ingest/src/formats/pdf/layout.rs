//! A page's glyphs and rules become a [`Page`]: words, blocks and tables in reading order.

use super::glyphs::PageContent;
use super::lines::segments;
use super::order::{Entry, Item, Line, order};
use super::structure::in_tagged_order;
use super::tables::{CellSpan, FoundTable, cell_text, ruled};
use super::words::{Frame, PlacedWord, words_by_direction};
use crate::model::{Page, Rect, Span, Table, Word};

/// What heading detection needs to know of a block of lines.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockInfo {
    pub(super) block: u32,
    pub(super) text: String,
    pub(super) lines: u32,
    pub(super) size: f32,
    pub(super) bold: bool,
    /// Top of the block on the page.
    pub(super) top: f32,
    /// Neither a table nor rotated text.
    pub(super) is_text: bool,
}

/// A page with what the rest of the document needs to judge it.
#[derive(Debug, Clone, Default)]
pub(in crate::formats) struct LaidPage {
    pub(in crate::formats) page: Page,
    pub(super) blocks: Vec<BlockInfo>,
    pub(super) cut_off: bool,
    pub(super) too_large: bool,
}

/// Lays out page `number` (from 1).
pub(super) fn lay_out(content: PageContent, number: u32) -> LaidPage {
    let mut out = LaidPage {
        page: Page { number, width_pt: content.width, height_pt: content.height, ..Page::default() },
        cut_off: content.cut_off,
        too_large: content.too_large,
        ..LaidPage::default()
    };
    let mut writer = Writer { out: &mut out, frame: Frame::new(0), block: 0, line: 0 };
    for (angle, mut words) in words_by_direction(&content.glyphs) {
        writer.frame = Frame::new(angle);
        let mut tables = ruled::tables(&content.rules, angle, &mut words);
        let mut items: Vec<Item> = segments(words).into_iter().map(Item::Text).collect();
        items.extend(tables.iter().enumerate().map(|(i, t)| Item::Table(i, t.rect)));
        let mut entries = order(items, &mut tables);
        if angle == 0 {
            entries = in_tagged_order(entries, &tables);
        }
        writer.entries(entries, &tables, angle == 0);
    }
    out
}

struct Writer<'a> {
    out: &'a mut LaidPage,
    frame: Frame,
    block: u32,
    line: u32,
}

impl Writer<'_> {
    fn entries(&mut self, entries: Vec<Entry>, tables: &[FoundTable], level: bool) {
        let pitch = line_gap(&entries);
        let mut open: Vec<Line> = Vec::new();
        for entry in entries {
            match entry {
                Entry::Line(line) => {
                    if open.last().is_some_and(|last| parts(last, &line, pitch)) {
                        self.text_block(std::mem::take(&mut open), level);
                    }
                    open.push(line);
                }
                Entry::Break => self.text_block(std::mem::take(&mut open), level),
                Entry::Table(index) => {
                    self.text_block(std::mem::take(&mut open), level);
                    if let Some(table) = tables.get(index) {
                        self.table(table);
                    }
                }
            }
        }
        self.text_block(open, level);
    }

    fn text_block(&mut self, lines: Vec<Line>, is_text: bool) {
        let Some(first) = lines.first() else { return };
        let mut info = BlockInfo {
            block: self.block,
            lines: lines.len() as u32,
            size: lines.iter().map(|l| l.size).fold(0.0, f32::max),
            bold: lines.iter().all(|l| l.bold),
            top: first.rect[1],
            is_text,
            ..BlockInfo::default()
        };
        self.start_block();
        for line in &lines {
            crate::text::append_line(&mut info.text, &line.text());
            self.out.page.text.push_str(&line.text());
            self.out.page.text.push('\n');
            self.words(&line.words);
            self.line += 1;
        }
        self.block += 1;
        self.out.blocks.push(info);
    }

    fn table(&mut self, found: &FoundTable) {
        let mut table = Table {
            rect: self.frame.page_rect(found.rect[0], found.rect[1], found.rect[2], found.rect[3]),
            header_rows: found.header_rows,
            block: self.block,
            spans: found.spans.iter().filter_map(span).collect(),
            ..Table::default()
        };
        self.start_block();
        for row in &found.rows {
            let texts: Vec<String> = row.cells.iter().map(cell_text).collect();
            let shown: Vec<&str> = texts.iter().map(String::as_str).filter(|t| !t.is_empty()).collect();
            self.out.page.text.push_str(&shown.join("\t"));
            self.out.page.text.push('\n');
            let rect = row.rect().unwrap_or(found.rect);
            table.row_boxes.push(self.frame.page_rect(rect[0], rect[1], rect[2], rect[3]));
            table.rows.push(texts);
            for cell in &row.cells {
                self.words(cell);
            }
            self.line += 1;
        }
        let info = BlockInfo { block: self.block, top: found.rect[1], ..BlockInfo::default() };
        self.block += 1;
        self.out.blocks.push(info);
        self.out.page.tables.push(table);
    }

    fn start_block(&mut self) {
        if !self.out.page.text.is_empty() {
            self.out.page.text.push('\n');
        }
    }

    fn words(&mut self, words: &[PlacedWord]) {
        let (width, height) = (self.out.page.width_pt, self.out.page.height_pt);
        for word in words {
            let rect = self.frame.page_rect(word.x0, word.y0, word.x1, word.y1);
            self.out.page.words.push(Word {
                text: word.text.clone(),
                rect: cut(rect, width, height),
                block: self.block,
                line: self.line,
            });
        }
    }
}

fn span(found: &CellSpan) -> Option<Span> {
    let number = |v: usize| u32::try_from(v).ok();
    Some(Span {
        row: number(found.row)?,
        column: number(found.column)?,
        rows: number(found.rows)?,
        columns: number(found.columns)?,
    })
}

/// The part of a box that lies on the page, with sane corners in any case.
fn cut(rect: Rect, width: f32, height: f32) -> Rect {
    let round = |v: f32| (v * 100.0).round() / 100.0;
    let x = |v: f32| round(v.clamp(0.0, width.max(0.0)));
    let y = |v: f32| round(v.clamp(0.0, height.max(0.0)));
    [x(rect[0]), y(rect[1]), x(rect[2]), y(rect[3])]
}

/// The usual white space between two lines of a paragraph, in em.
fn line_gap(entries: &[Entry]) -> f32 {
    let mut gaps: Vec<f32> = entries
        .windows(2)
        .filter_map(|pair| match pair {
            [Entry::Line(a), Entry::Line(b)] => {
                let gap = (b.rect[1] - a.rect[3]) / a.size.max(1.0);
                (gap > -0.5 && gap < 1.5 && (a.size - b.size).abs() < 0.1 * a.size).then_some(gap)
            }
            _ => None,
        })
        .collect();
    gaps.sort_by(f32::total_cmp);
    gaps.get(gaps.len() / 3).copied().unwrap_or(0.3).clamp(0.0, 1.0)
}

/// True where `next` starts a new block.
fn parts(last: &Line, next: &Line, pitch: f32) -> bool {
    let size = last.size.max(next.size);
    let gap = next.rect[1] - last.rect[3];
    gap > (pitch + 0.3) * size
        || gap < -0.8 * size
        || (last.size - next.size).abs() > 0.08 * size
        || last.bold != next.bold
}
