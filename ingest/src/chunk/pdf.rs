//! Passages of a PDF: page by page, headings carried over, tables row by row with their header.

use std::collections::{HashMap, HashSet};

use super::pack::{self, Passage, Piece};
use super::table;
use super::{ChunkOptions, Sink};
use crate::formats::pdf::{names_table, pattern};
use crate::model::{Document, Heading, Kind, Locator, Page, Rect, Table};
use crate::text::{append_line, starts_item};

pub(super) fn chunk(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    let furniture = furniture(&document.pages);
    let mut path: Vec<(u8, String)> = Vec::new();
    for page in &document.pages {
        let pieces = pieces(page, &furniture, options, &mut path);
        for Passage { text, boxes, section, .. } in pack::pack(pieces, options.max_words) {
            sink.push(Kind::Pdf, Locator::Pdf { page: page.number, boxes }, section, text);
        }
    }
}

/// The lines of one block.
struct Block {
    index: u32,
    lines: Vec<(String, Rect)>,
}

impl Block {
    fn text(&self) -> String {
        self.flow().0
    }

    /// Running text and, for every line, where it starts in it.
    fn flow(&self) -> (String, Vec<usize>) {
        let (mut out, mut starts) = (String::new(), Vec::new());
        for (line, _) in &self.lines {
            if starts_item(line) && !out.is_empty() {
                out.push('\n');
            }
            starts.push(out.len());
            append_line(&mut out, line);
        }
        (out, starts)
    }
}

fn blocks(page: &Page) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut line = None;
    for word in &page.words {
        let [x0, y0, x1, y1] = word.rect;
        match out.last_mut() {
            Some(block) if block.index == word.block => match block.lines.last_mut() {
                Some((text, rect)) if line == Some(word.line) => {
                    text.push(' ');
                    text.push_str(&word.text);
                    *rect = [rect[0].min(x0), rect[1].min(y0), rect[2].max(x1), rect[3].max(y1)];
                }
                _ => block.lines.push((word.text.clone(), word.rect)),
            },
            _ => out.push(Block { index: word.block, lines: vec![(word.text.clone(), word.rect)] }),
        }
        line = Some(word.line);
    }
    out
}

/// Page headers and footers: short blocks in the outer eighth of the page that repeat, figures apart, on
/// at least half of the pages, and on two at least.
fn furniture(pages: &[Page]) -> HashSet<String> {
    let mut count: HashMap<String, usize> = HashMap::new();
    for page in pages {
        let outer: HashSet<String> =
            blocks(page).iter().filter(|b| is_outer(page, b)).map(|b| pattern(&b.text())).collect();
        for text in outer {
            *count.entry(text).or_default() += 1;
        }
    }
    let many = pages.len().div_ceil(2).max(2);
    count.into_iter().filter(|(_, n)| *n >= many).map(|(text, _)| text).collect()
}

fn is_outer(page: &Page, block: &Block) -> bool {
    let top = block.lines.first().map_or(0.0, |l| l.1[1]);
    let bottom = block.lines.last().map_or(0.0, |l| l.1[3]);
    block.lines.len() <= 3 && (bottom < 0.12 * page.height_pt || top > 0.88 * page.height_pt)
}

fn pieces(
    page: &Page,
    furniture: &HashSet<String>,
    options: &ChunkOptions,
    path: &mut Vec<(u8, String)>,
) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut headings = page.headings.iter().peekable();
    let captions: HashSet<&str> =
        page.tables.iter().map(|t| t.caption.as_str()).filter(|c| !c.is_empty()).collect();
    for block in blocks(page) {
        let mut is_heading = false;
        while let Some(heading) = headings.next_if(|h| h.block <= block.index) {
            enter(path, heading);
            is_heading |= heading.block == block.index && !heading.outline_only;
        }
        let section: Vec<String> = path.iter().map(|(_, t)| t.clone()).collect();
        if let Some(table) = page.tables.iter().find(|t| t.block == block.index) {
            out.extend(table_pieces(table, &section, options));
            continue;
        }
        let text = block.text();
        let is_caption = captions.contains(text.as_str());
        if is_caption || (is_outer(page, &block) && furniture.contains(&pattern(&text))) {
            continue;
        }
        // A caption whose table stands on the next page leads on like a heading.
        if is_heading || (names_table(&text) && block.lines.len() == 1) {
            let boxes = block.lines.iter().map(|l| l.1).collect();
            out.push(Piece { text, boxes, section, heading: true, ..Piece::default() });
        } else {
            out.extend(paragraph(&block, &section, options));
        }
    }
    for heading in headings {
        enter(path, heading);
    }
    out
}

/// Makes a heading the last of the path.
fn enter(path: &mut Vec<(u8, String)>, heading: &Heading) {
    while path.last().is_some_and(|(level, _)| *level >= heading.level) {
        path.pop();
    }
    path.push((heading.level, heading.text.clone()));
}

fn paragraph(block: &Block, section: &[String], options: &ChunkOptions) -> Vec<Piece> {
    let (text, starts) = block.flow();
    let piece = |range: std::ops::Range<usize>| {
        let boxes = block
            .lines
            .iter()
            .enumerate()
            .filter(|(i, _)| {
                let from = starts.get(*i).copied().unwrap_or(0);
                let to = starts.get(i + 1).copied().unwrap_or(text.len());
                from < range.end && to > range.start
            })
            .map(|(_, (_, rect))| *rect)
            .collect();
        let text = text.get(range).unwrap_or("").trim().to_string();
        Piece { text, boxes, section: section.to_vec(), ..Piece::default() }
    };
    pack::split(&text, options.max_words).into_iter().map(piece).filter(|p| !p.text.is_empty()).collect()
}

fn table_pieces(found: &Table, section: &[String], options: &ChunkOptions) -> Vec<Piece> {
    table::groups(&found.rows, found.header_rows as usize, &found.caption, options.table_words)
        .into_iter()
        .map(|group| {
            let header = found.row_boxes.iter().take(found.header_rows as usize);
            let body = found.row_boxes.iter().skip(group.rows.start).take(group.rows.len());
            let boxes = header.chain(body).copied().collect();
            Piece { text: group.text, boxes, section: section.to_vec(), alone: true, ..Piece::default() }
        })
        .collect()
}
