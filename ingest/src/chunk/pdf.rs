//! Passages of a document with pages: page by page, headings carried over, tables row by row with their header.

use std::collections::HashSet;

use super::pack::{self, Passage, Piece};
use super::table;
use super::{ChunkOptions, Sink};
use crate::formats::pdf::names_table;
use crate::hyphens::Vocabulary;
use crate::model::{Document, Heading, Locator, Page, Rect, Table};
use crate::text::{LABEL, starts_item};

/// Characters of a document by which its language is told.
const SAMPLE: usize = 20_000;

pub(super) fn chunk(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    if document.pages.is_empty() {
        return;
    }
    let sample: String = document.pages.iter().flat_map(|p| p.text.chars()).take(SAMPLE).collect();
    let language = super::language::vote(&sample);
    let words = Vocabulary::of(&document.pages, language);
    let mut path: Vec<(u8, String)> = Vec::new();
    for page in &document.pages {
        let pieces = pieces(page, &words, options, &mut path);
        let section: Vec<String> = path.iter().map(|(_, t)| t.clone()).collect();
        let forms = super::forms::fields(page, &section, options);
        let comments = super::forms::comments(page, language, &section, options);
        for pieces in [pieces, forms, comments] {
            for Passage { text, boxes, section, .. } in pack::pack(pieces, options.max_words) {
                sink.push(document.kind, Locator::Pdf { page: page.number, boxes }, section, text);
            }
        }
    }
}

/// The lines of one block.
struct Block {
    index: u32,
    lines: Vec<(String, Rect)>,
}

impl Block {
    fn text(&self, words: &Vocabulary) -> String {
        self.flow(words).0
    }

    /// Running text and, for every line, where it starts in it.
    fn flow(&self, words: &Vocabulary) -> (String, Vec<usize>) {
        let (mut out, mut starts) = (String::new(), Vec::new());
        for (line, _) in &self.lines {
            if starts_item(line) && !out.is_empty() {
                out.push('\n');
            }
            starts.push(out.len());
            words.append(&mut out, line);
        }
        (out, starts)
    }
}

/// The blocks of a page without its furniture.
fn blocks(page: &Page) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut line = None;
    let shown = |line: u32| page.furniture.binary_search(&line).is_err();
    for word in page.words.iter().filter(|w| shown(w.line)) {
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

fn pieces(
    page: &Page,
    words: &Vocabulary,
    options: &ChunkOptions,
    path: &mut Vec<(u8, String)>,
) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut headings = page.headings.iter().peekable();
    let captions: HashSet<String> =
        page.tables.iter().map(|t| letters(&t.caption)).filter(|c| !c.is_empty()).collect();
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
        let text = block.text(words);
        if captions.contains(&letters(&text)) {
            continue;
        }
        // A caption whose table stands on the next page leads on like a heading.
        if is_heading || (names_table(&text) && block.lines.len() == 1) {
            let boxes = block.lines.iter().map(|l| l.1).collect();
            out.push(Piece { text, boxes, section, heading: true, ..Piece::default() });
        } else {
            out.extend(paragraph(&block, words, &section, options));
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

/// Letters and digits alone: hyphens at line ends may have been joined in one of two texts only.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn paragraph(block: &Block, words: &Vocabulary, section: &[String], options: &ChunkOptions) -> Vec<Piece> {
    let (text, starts) = block.flow(words);
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

/// Groups of rows, each with caption and header; a table that goes on from the page before has its header
/// from there.
fn table_pieces(found: &Table, section: &[String], options: &ChunkOptions) -> Vec<Piece> {
    let rows = spread(found);
    let inherited = if found.continued { found.header.as_slice() } else { &[] };
    let own = found.header_rows as usize;
    let header_rows = if own > 0 { own } else { inherited.len() };
    let shift = if own > 0 { 0 } else { inherited.len() };
    let all: Vec<Vec<String>> = inherited.iter().take(shift).cloned().chain(rows).collect();
    table::groups(&all, header_rows, &found.caption, options.table_words)
        .into_iter()
        .flat_map(|group| {
            let header = found.row_boxes.iter().take(own);
            let from = group.rows.start.saturating_sub(shift);
            let body = found.row_boxes.iter().skip(from).take(group.rows.len());
            let boxes: Vec<Rect> = header.chain(body).copied().collect();
            let parts = pack::split(&group.text, options.max_words * 2);
            let piece = move |range: std::ops::Range<usize>| {
                let text = group.text.get(range).unwrap_or("").trim().to_string();
                Piece {
                    text,
                    boxes: boxes.clone(),
                    section: section.to_vec(),
                    alone: true,
                    ..Piece::default()
                }
            };
            parts.into_iter().map(piece).collect::<Vec<_>>()
        })
        .collect()
}

/// The rows with what stands in a cell over several rows or columns in each of them: a row has to be
/// understood, and a column named, on its own. A cell over the whole width stays one, a long one stands once.
fn spread(found: &Table) -> Vec<Vec<String>> {
    let mut rows = found.rows.clone();
    for span in &found.spans {
        let (row, column) = (span.row as usize, span.column as usize);
        let Some(text) = rows.get(row).and_then(|r| r.get(column)).cloned() else { continue };
        if text.chars().nth(LABEL).is_some() {
            continue;
        }
        let width = rows.get(row).map_or(0, Vec::len);
        let header = span.row < found.header_rows;
        let wide = span.columns as usize;
        for (r, cells) in rows.iter_mut().enumerate().skip(row).take(span.rows as usize) {
            // In the body, text over several columns is said once.
            let columns = if header && wide < width { wide } else { 1 };
            // A label over the rows of the header names its column once.
            if header && r > row {
                continue;
            }
            for cell in cells.iter_mut().skip(column).take(columns).filter(|c| c.is_empty()) {
                cell.clone_from(&text);
            }
        }
    }
    rows
}
