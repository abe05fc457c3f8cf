//! Word documents (DOCX): headings, paragraphs, tables, notes, comments, text boxes; tracked changes as accepted.

use std::collections::HashMap;

use super::grid::Tables;
use super::numbering::Numbering;
use super::package::{Package, Relation};
use super::side::{Flat, Side};
use super::styles::Styles;
use super::{deletions, embedded, title, warn};
use crate::error::ReadError;
use crate::formats::outline::{Note, NoteKind, Outline, one_line};
use crate::formats::walk::{Descend, Tag, Visitor};
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};

/// Characters kept of the headers and footers.
const MAX_FURNITURE: usize = 500;

/// Reads a document.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let mut package = Package::open(bytes, limits)?;
    let root = package.relations("")?;
    let main = root.iter().find(|r| r.sort == "officeDocument");
    let main = main.map_or_else(|| "word/document.xml".to_string(), |r| r.target.clone());
    let relations = package.relations(&main)?;
    let mut document = Document::new(Kind::Text, super::super::stem(name));
    let mut body = Body::new(limits);
    for relation in &relations {
        match relation.sort.as_str() {
            "styles" => package.visit(&relation.target, &mut body.styles).map(drop)?,
            "numbering" => package.visit(&relation.target, &mut body.numbering).map(drop)?,
            _ => {}
        }
    }
    for (sort, kind) in
        [("footnotes", NoteKind::Footnote), ("endnotes", NoteKind::Endnote), ("comments", NoteKind::Comment)]
    {
        let mut side = Side::new(kind);
        for relation in relations.iter().filter(|r| r.sort == sort) {
            package.visit(&relation.target, &mut side)?;
        }
        body.notes.extend(side.notes.into_iter().map(|(id, note)| ((sort, id), note)));
    }
    if !package.visit(&main, &mut body)? {
        let detail = format!("its main part '{main}' is missing or broken");
        return Err(ReadError::Damaged { detail });
    }
    body.end();
    furniture(&mut package, &relations, &mut document)?;
    let declared = package.describe(&mut document)?;
    document.title = title(&[&body.title, &declared], name);
    embedded::files(&mut package, &mut document)?;
    body.report(&mut document);
    body.outline.finish(&mut document);
    Ok(document)
}

/// Headers and footers stand on every page: kept as facts about the file, in no passage.
fn furniture(
    package: &mut Package<'_>,
    relations: &[Relation],
    document: &mut Document,
) -> Result<(), ReadError> {
    for sort in ["header", "footer"] {
        let mut lines: Vec<String> = Vec::new();
        for relation in relations.iter().filter(|r| r.sort == sort) {
            let mut flat = Flat::default();
            package.visit(&relation.target, &mut flat)?;
            let line = one_line(&flat.text);
            if !line.is_empty() && !lines.contains(&line) {
                lines.push(line);
            }
        }
        if !lines.is_empty() {
            let text: String = lines.join(" / ").chars().take(MAX_FURNITURE).collect();
            document.metadata.insert(sort.into(), text);
        }
    }
    Ok(())
}

/// A paragraph while it is read.
#[derive(Default)]
struct Paragraph {
    text: String,
    style: String,
    level: Option<u8>,
    list: Option<(u32, u8)>,
    notes: Vec<(&'static str, String)>,
}

/// The body of the document.
struct Body {
    outline: Outline,
    styles: Styles,
    numbering: Numbering,
    notes: HashMap<(&'static str, String), Note>,
    /// The paragraph that is open, and those that it stands in (as a text box).
    open: Vec<Paragraph>,
    tables: Tables,
    /// Notes of the cells of the open table.
    waiting: Vec<Note>,
    title: String,
    in_text: bool,
    in_row_properties: bool,
    footnotes: u32,
    deleted: u32,
}

impl Body {
    fn new(limits: &Limits) -> Self {
        Body {
            outline: Outline::new(TextUnit::Paragraph, limits),
            styles: Styles::default(),
            numbering: Numbering::default(),
            notes: HashMap::new(),
            open: Vec::new(),
            tables: Tables::default(),
            waiting: Vec::new(),
            title: String::new(),
            in_text: false,
            in_row_properties: false,
            footnotes: 0,
            deleted: 0,
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(paragraph) = self.open.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    /// A paragraph is whole.
    fn paragraph(&mut self) {
        let Some(paragraph) = self.open.pop() else { return };
        let style = self.styles.get(&paragraph.style);
        let has_text = !paragraph.text.trim().is_empty();
        let list = match paragraph.list {
            // List 0 takes the paragraph out of its style's list.
            Some((0, _)) => None,
            Some((id, level)) => Some((id, level)),
            None => style.list,
        };
        let mark = match list {
            Some((id, level)) if has_text && id > 0 => self.numbering.next(id, level),
            _ => String::new(),
        };
        let text = if mark.is_empty() { paragraph.text } else { format!("{mark} {}", paragraph.text) };
        let notes: Vec<Note> = paragraph.notes.iter().filter_map(|key| self.note(key)).collect();
        if self.tables.is_open() {
            self.tables.text(&text);
            self.waiting.extend(notes);
            return;
        }
        let level = paragraph.level.or(style.level).filter(|l| (1..=9).contains(l));
        match level {
            Some(level) if has_text => self.outline.heading(level, &text),
            _ => self.outline.paragraph(&text),
        }
        if style.is_title && self.title.is_empty() {
            self.title = one_line(&text);
        }
        notes.into_iter().for_each(|note| self.outline.note(note));
    }

    fn note(&mut self, key: &(&'static str, String)) -> Option<Note> {
        let mut note = self.notes.remove(key)?;
        if note.kind == NoteKind::Footnote {
            self.footnotes += 1;
            note.mark = self.footnotes.to_string();
        }
        Some(note)
    }

    fn end_table(&mut self) {
        if let Some(table) = self.tables.end_table() {
            self.outline.table(table.rows, table.header_rows);
            std::mem::take(&mut self.waiting).into_iter().for_each(|note| self.outline.note(note));
        }
    }

    /// What a damaged file left open, and the notes that nothing in the text refers to.
    fn end(&mut self) {
        while !self.open.is_empty() {
            self.paragraph();
        }
        if let Some(table) = self.tables.end_all() {
            self.outline.table(table.rows, table.header_rows);
        }
        let mut rest: Vec<((&str, String), Note)> = self.notes.drain().collect();
        rest.sort_by(|a, b| a.0.cmp(&b.0));
        std::mem::take(&mut self.waiting)
            .into_iter()
            .chain(rest.into_iter().map(|(_, note)| note))
            .for_each(|note| self.outline.note(note));
    }

    fn report(&self, document: &mut Document) {
        deletions(document, self.deleted);
        if self.tables.cut {
            warn(document, "table-limit", "cells beyond the limit for one document were left out");
        }
    }

    fn table_part(&mut self, name: &str, tag: &Tag<'_>) {
        match name {
            "tbl" => self.tables.start_table(),
            "tr" => self.tables.start_row(),
            "trPr" => self.in_row_properties = true,
            "tblHeader" if tag.is_on() => self.tables.mark_header(),
            "tc" => self.tables.start_cell(),
            "gridSpan" => self.tables.span(tag.number("val").unwrap_or(1)),
            "vMerge" if tag.attribute("val").is_none_or(|v| v != "restart") => self.tables.merge_up(),
            _ => {}
        }
    }

    fn paragraph_property(&mut self, name: &str, tag: &Tag<'_>) {
        let Some(open) = self.open.last_mut() else { return };
        match name {
            "pStyle" => open.style = tag.attribute("val").unwrap_or_default(),
            "outlineLvl" => {
                open.level = tag.number("val").and_then(|n| u8::try_from(n).ok()?.checked_add(1));
            }
            "numId" => open.list = Some((tag.number("val").unwrap_or(0), open.list.map_or(0, |l| l.1))),
            "ilvl" => {
                let level = tag.number("val").and_then(|n| u8::try_from(n).ok()).unwrap_or(0);
                open.list = Some((open.list.map_or(0, |l| l.0), level));
            }
            "footnoteReference" => open.notes.push(("footnotes", tag.attribute("id").unwrap_or_default())),
            "endnoteReference" => open.notes.push(("endnotes", tag.attribute("id").unwrap_or_default())),
            "commentReference" => open.notes.push(("comments", tag.attribute("id").unwrap_or_default())),
            _ => {}
        }
    }
}

impl Visitor for Body {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "p" => self.open.push(Paragraph::default()),
            "t" => self.in_text = true,
            "tab" => self.add("\t"),
            "br" | "cr" => self.add("\n"),
            "noBreakHyphen" => self.add("-"),
            "sym" => self.add(symbol(&tag.attribute("char").unwrap_or_default())),
            "del" if self.in_row_properties => self.tables.leave_row_out(),
            "del" | "moveFrom" => {
                self.deleted += u32::from(tag.attribute("id").is_some());
                return Descend::Skip;
            }
            // Run properties hold a mark of deletion too, without any text.
            "rPr" | "tabs" | "sectPr" | "Fallback" | "rt" | "pPrChange" | "tblPrChange" | "trPrChange"
            | "tcPrChange" | "sdtPr" => return Descend::Skip,
            "tbl" | "tr" | "trPr" | "tblHeader" | "tc" | "gridSpan" | "vMerge" => self.table_part(name, tag),
            _ => self.paragraph_property(name, tag),
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" => self.paragraph(),
            "t" => self.in_text = false,
            "trPr" => self.in_row_properties = false,
            "tc" => self.tables.end_cell(),
            "tr" => self.tables.end_row(),
            "tbl" => self.end_table(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.add(text);
        }
    }
}

/// Ticks and boxes of the Wingdings font, which are the symbols that carry meaning.
fn symbol(code: &str) -> &'static str {
    match code.to_ascii_uppercase().as_str() {
        "F0FE" | "F0FD" | "F053" => "☒",
        "F0A8" | "F06F" | "F071" => "☐",
        "F0FC" => "✓",
        "F0E0" => "→",
        _ => "",
    }
}
