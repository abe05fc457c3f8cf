//! OpenDocument texts and presentations (ODT, ODP, and the flat form of one XML file).

use super::grid::Tables;
use super::package::Package;
use super::{day, deletions, embedded, title, warn};
use crate::error::ReadError;
use crate::formats::outline::{Note, NoteKind, Outline, one_line};
use crate::formats::walk::{Descend, Tag, Visitor, walk};
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};

/// Spaces that one element may stand for.
const MAX_SPACES: u32 = 100;
/// Times that a cell or row is repeated with its text; empty ones beyond are not kept.
const MAX_REPEATS: u32 = 1_000;

/// Reads a document or presentation of any of the forms.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let mut document = Document::new(Kind::Text, super::super::stem(name));
    let (content, mut package) = match bytes.starts_with(b"PK") {
        true => {
            let mut package = Package::open(bytes, limits)?;
            let Some(content) = package.part("content.xml")? else {
                return Err(ReadError::Damaged {
                    detail: "its part 'content.xml' is missing or broken".into(),
                });
            };
            if package.part("META-INF/manifest.xml")?.is_some_and(|m| contains(&m, b"encryption-data")) {
                return Err(ReadError::Password);
            }
            (content, Some(package))
        }
        false => (bytes.to_vec(), None),
    };
    let unit =
        if contains(&content, b"<office:presentation") { TextUnit::Slide } else { TextUnit::Paragraph };
    let mut body = Body::new(unit, limits);
    if let Some(fault) = walk(&content, &mut body)? {
        warn(&mut document, "part", format!("the text is damaged, what follows the fault is lost: {fault}"));
    }
    body.end();
    let declared = match &mut package {
        Some(package) => {
            embedded::odf_parts(package, Some(&content), &mut document)?;
            package.describe(&mut document)?
        }
        None if contains(&content, b":binary-data") => {
            embedded::odf_flat(&content, &mut document)?;
            String::new()
        }
        None => String::new(),
    };
    document.title = title(&[&body.title, &declared, &body.slide_title], name);
    deletions(&mut document, body.changes);
    if body.tables.cut {
        warn(&mut document, "table-limit", "cells beyond the limit for one document were left out");
    }
    body.outline.finish(&mut document);
    Ok(document)
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|w| w == needle)
}

/// A note or comment while it is read.
struct OpenNote {
    note: Note,
    /// What the text goes to.
    field: Field,
}

#[derive(Clone, Copy, PartialEq)]
enum Field {
    Text,
    Author,
    Date,
    Mark,
}

struct Body {
    outline: Outline,
    unit: TextUnit,
    slide: u32,
    /// Text of the paragraphs that are open, the innermost last, with the level of headings.
    open: Vec<(String, Option<u8>)>,
    notes: Vec<OpenNote>,
    /// Notes of the open paragraph or table.
    waiting: Vec<Note>,
    tables: Tables,
    /// How often the open cell and row stand in the file.
    repeat: u32,
    in_header: bool,
    in_title: bool,
    in_speaker: bool,
    title: String,
    slide_title: String,
    changes: u32,
}

impl Body {
    fn new(unit: TextUnit, limits: &Limits) -> Self {
        Body {
            outline: Outline::new(unit, limits),
            unit,
            slide: 0,
            open: Vec::new(),
            notes: Vec::new(),
            waiting: Vec::new(),
            tables: Tables::default(),
            repeat: 1,
            in_header: false,
            in_title: false,
            in_speaker: false,
            title: String::new(),
            slide_title: String::new(),
            changes: 0,
        }
    }

    fn add(&mut self, text: &str) {
        match self.notes.last_mut() {
            Some(open) => match open.field {
                Field::Text => open.note.text.push_str(text),
                Field::Author => open.note.author.push_str(text),
                Field::Date => open.note.date.push_str(text),
                Field::Mark => open.note.mark.push_str(text),
            },
            None => {
                if let Some((open, _)) = self.open.last_mut() {
                    open.push_str(text);
                }
            }
        }
    }

    fn start_note(&mut self, kind: NoteKind) {
        let note = Note {
            kind,
            mark: String::new(),
            author: String::new(),
            date: String::new(),
            text: String::new(),
        };
        self.notes.push(OpenNote { note, field: Field::Text });
    }

    fn field(&mut self, field: Field) {
        if let Some(open) = self.notes.last_mut() {
            open.field = field;
        }
    }

    fn end_note(&mut self) {
        let Some(OpenNote { mut note, .. }) = self.notes.pop() else { return };
        note.date = day(&note.date);
        self.waiting.push(note);
        if self.open.is_empty() && !self.tables.is_open() {
            self.flush_notes();
        }
    }

    fn flush_notes(&mut self) {
        std::mem::take(&mut self.waiting).into_iter().for_each(|note| self.outline.note(note));
    }

    fn end_paragraph(&mut self) {
        if let Some(open) = self.notes.last_mut() {
            open.note.text.push('\n');
            return;
        }
        let Some((text, level)) = self.open.pop() else { return };
        if self.tables.is_open() {
            self.tables.text(&text);
            return;
        }
        match level {
            Some(level) => self.outline.heading(level, &text),
            None if self.in_title => {
                self.outline.heading(1, &text);
                if self.slide_title.is_empty() {
                    self.slide_title = one_line(&text);
                }
            }
            None if self.in_speaker => {
                self.start_note(NoteKind::Speaker);
                self.add(&text);
                self.end_note();
            }
            None => self.outline.paragraph(&text),
        }
        self.flush_notes();
    }

    fn end_cell(&mut self) {
        // A repeated cell has the same text; its repeats matter for the columns only.
        let repeats = self.repeat.min(MAX_REPEATS);
        self.tables.end_cell();
        for _ in 1..repeats {
            self.tables.start_cell();
            self.tables.end_cell();
        }
        self.repeat = 1;
    }

    fn end_table(&mut self) {
        if let Some(table) = self.tables.end_table() {
            self.outline.table(table.rows, table.header_rows);
            self.flush_notes();
        }
    }

    fn end(&mut self) {
        while !self.notes.is_empty() {
            self.end_note();
        }
        while !self.open.is_empty() {
            self.end_paragraph();
        }
        if let Some(table) = self.tables.end_all() {
            self.outline.table(table.rows, table.header_rows);
        }
        self.flush_notes();
    }

    fn table_part(&mut self, name: &str, tag: &Tag<'_>) {
        match name {
            "table" => self.tables.start_table(),
            "table-header-rows" => self.in_header = true,
            "table-row" => {
                self.tables.start_row();
                if self.in_header {
                    self.tables.mark_header();
                }
            }
            _ => {
                self.tables.start_cell();
                self.repeat = tag.number("number-columns-repeated").unwrap_or(1);
            }
        }
    }

    fn draw_page(&mut self) {
        self.slide = self.slide.saturating_add(1);
        if self.unit == TextUnit::Slide {
            self.outline.at(self.slide);
            self.outline.start();
        }
    }
}

/// Level and place of a text in a presentation.
fn class(tag: &Tag<'_>) -> String {
    tag.attribute("presentation:class").unwrap_or_default()
}

impl Visitor for Body {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            // The ranges that were deleted stand here, apart from the text.
            "tracked-changes" => {
                self.changes += 1;
                return Descend::Skip;
            }
            "automatic-styles"
            | "styles"
            | "master-styles"
            | "font-face-decls"
            | "settings"
            | "scripts"
            | "meta"
            | "sequence-decls"
            | "table-of-content-source"
            | "page-number"
            | "ruby-text"
            | "forms"
            | "desc"
            | "binary-data"
            | "annotation-end" => {
                return Descend::Skip;
            }
            "p" if self.notes.is_empty() => self.open.push((String::new(), None)),
            "h" if self.notes.is_empty() => {
                let level = tag.number("outline-level").unwrap_or(1).clamp(1, 9);
                self.open.push((String::new(), u8::try_from(level).ok()));
            }
            "s" => {
                let count = tag.number("c").unwrap_or(1).min(MAX_SPACES);
                self.add(&" ".repeat(count as usize));
            }
            "tab" => self.add(" "),
            "line-break" => self.add("\n"),
            "note" => {
                let end = tag.attribute("note-class").is_some_and(|c| c == "endnote");
                self.start_note(if end { NoteKind::Endnote } else { NoteKind::Footnote });
            }
            "note-citation" => self.field(Field::Mark),
            "annotation" => self.start_note(NoteKind::Comment),
            "creator" => self.field(Field::Author),
            "date" if !self.notes.is_empty() => self.field(Field::Date),
            "frame" => self.in_title = class(tag) == "title",
            "page" => self.draw_page(),
            "notes" => self.in_speaker = true,
            "table" | "table-header-rows" | "table-row" | "table-cell" | "covered-table-cell" => {
                self.table_part(name, tag);
            }
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" | "h" => self.end_paragraph(),
            "note" | "annotation" => self.end_note(),
            "note-citation" | "creator" => self.field(Field::Text),
            "date" if !self.notes.is_empty() => self.field(Field::Text),
            "frame" => self.in_title = false,
            "notes" => self.in_speaker = false,
            "table-header-rows" => self.in_header = false,
            "table-cell" | "covered-table-cell" => self.end_cell(),
            "table-row" => self.tables.end_row(),
            "table" => self.end_table(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        // White space in the file is what its writer indented with.
        self.add(&text.replace(['\n', '\t', '\r'], " "));
    }
}
