//! Notes and threaded comments on the cells of a workbook (XLSX), annotations of one in OpenDocument form (ODS).

use std::collections::{HashMap, HashSet};

use super::package::Package;
use crate::error::ReadError;
use crate::formats::outline::one_line;
use crate::formats::walk::{Descend, Tag, Visitor};
use crate::model::CellNote;
use crate::text::label;

/// The notes of an XLSX or ODS file in the order of its sheets, rows and columns; none for other workbooks.
///
/// # Errors
/// As for reading a part.
pub(super) fn read(package: &mut Package<'_>) -> Result<Vec<CellNote>, ReadError> {
    if package.names().any(|n| n == "content.xml") {
        let mut annotations = Annotations::default();
        package.visit("content.xml", &mut annotations)?;
        annotations.list.retain(|n| !n.text.is_empty());
        return Ok(annotations.list);
    }
    let with_notes = package.names().any(|n| n.contains("comments"));
    if !with_notes {
        return Ok(Vec::new());
    }
    let book = package.relations("xl/workbook.xml")?;
    let mut people = People::default();
    for relation in book.iter().filter(|r| r.sort == "person") {
        package.visit(&relation.target, &mut people)?;
    }
    let mut out = Vec::new();
    for (sheet, part) in &super::workbook::sheets(package)? {
        let relations = package.relations(part)?;
        let mut plain = Notes::new(sheet, &people.0);
        let mut threads = Notes::new(sheet, &people.0);
        for relation in relations {
            match relation.sort.as_str() {
                "comments" => package.visit(&relation.target, &mut plain).map(drop)?,
                "threadedComment" => package.visit(&relation.target, &mut threads).map(drop)?,
                _ => {}
            }
        }
        // A thread leaves a note for programs that know no threads: the thread itself is better.
        let threaded: HashSet<String> = threads.list.iter().map(|n| n.cell.clone()).collect();
        let mut notes: Vec<CellNote> =
            plain.list.into_iter().filter(|n| !threaded.contains(&n.cell)).chain(threads.list).collect();
        notes.sort_by(|a, b| (a.row, a.cell.len(), &a.cell).cmp(&(b.row, b.cell.len(), &b.cell)));
        out.extend(notes);
    }
    out.retain(|n| !n.text.is_empty());
    Ok(out)
}

/// The name of a cell: column 0 of row 1 is `A1`.
pub(crate) fn cell_name(column: usize, row: u32) -> String {
    let (mut left, mut letters) = (column.saturating_add(1), Vec::new());
    while left > 0 {
        left -= 1;
        letters.push(char::from(b'A' + u8::try_from(left % 26).unwrap_or(0)));
        left /= 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{row}")
}

/// Annotations of an OpenDocument workbook.
#[derive(Default)]
struct Annotations {
    list: Vec<CellNote>,
    sheet: String,
    row: u32,
    /// Rows that the open one stands for beyond itself.
    more_rows: u32,
    column: u32,
    more_columns: u32,
    open: Option<CellNote>,
    in_author: bool,
    in_date: bool,
}

impl Visitor for Annotations {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "table" => {
                self.sheet = label(&tag.attribute("table:name").unwrap_or_default());
                (self.row, self.more_rows) = (0, 0);
            }
            "table-row" => {
                self.row = self.row.saturating_add(1).saturating_add(self.more_rows);
                self.more_rows = tag.number("number-rows-repeated").unwrap_or(1).saturating_sub(1);
                (self.column, self.more_columns) = (0, 0);
            }
            "table-cell" | "covered-table-cell" => {
                self.column = self.column.saturating_add(1).saturating_add(self.more_columns);
                self.more_columns = tag.number("number-columns-repeated").unwrap_or(1).saturating_sub(1);
            }
            "annotation" => {
                self.open = Some(CellNote {
                    sheet: self.sheet.clone(),
                    cell: cell_name(self.column.saturating_sub(1) as usize, self.row),
                    row: self.row,
                    ..CellNote::default()
                });
            }
            "creator" => self.in_author = true,
            "date" => self.in_date = true,
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "annotation" => self.list.extend(self.open.take().map(|mut note| {
                let lines: Vec<String> = note.text.lines().map(one_line).filter(|l| !l.is_empty()).collect();
                note.text = lines.join("\n");
                note
            })),
            "p" => {
                if let Some(note) = &mut self.open {
                    note.text.push('\n');
                }
            }
            "creator" => self.in_author = false,
            "date" => self.in_date = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let Some(note) = &mut self.open else { return };
        match (self.in_author, self.in_date) {
            (true, _) => note.author.push_str(text.trim()),
            (_, true) => {}
            _ => note.text.push_str(text),
        }
    }
}

#[derive(Default)]
struct People(HashMap<String, String>);

impl Visitor for People {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        if name == "person" {
            self.0.insert(
                tag.attribute("id").unwrap_or_default(),
                tag.attribute("displayName").unwrap_or_default(),
            );
        }
        Descend::Into
    }
    fn close(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}
}

struct Notes<'a> {
    sheet: &'a str,
    people: &'a HashMap<String, String>,
    authors: Vec<String>,
    list: Vec<CellNote>,
    open: Option<CellNote>,
    in_author: bool,
    in_text: bool,
}

impl<'a> Notes<'a> {
    fn new(sheet: &'a str, people: &'a HashMap<String, String>) -> Self {
        Notes {
            sheet,
            people,
            authors: Vec::new(),
            list: Vec::new(),
            open: None,
            in_author: false,
            in_text: false,
        }
    }

    fn end(&mut self) {
        let Some(mut note) = self.open.take() else { return };
        let lines: Vec<String> = note.text.lines().map(one_line).filter(|l| !l.is_empty()).collect();
        note.text = lines.join("\n");
        // Excel writes the author's name above the note, in bold.
        if let Some(rest) = note.text.strip_prefix(&format!("{}:", note.author)) {
            note.text = rest.trim().to_string();
        }
        match self.list.last_mut() {
            // An answer in a thread.
            Some(last) if last.cell == note.cell => {
                last.text.push_str(&format!("\n{}: {}", note.author, note.text));
            }
            _ => self.list.push(note),
        }
    }
}

impl Visitor for Notes<'_> {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "author" => {
                self.in_author = true;
                self.authors.push(String::new());
            }
            "comment" | "threadedComment" => {
                let cell = tag.attribute("ref").unwrap_or_default();
                let by_number = tag.number("authorId").and_then(|n| self.authors.get(n as usize)).cloned();
                let by_person = tag.attribute("personId").and_then(|id| self.people.get(&id).cloned());
                self.open = Some(CellNote {
                    sheet: self.sheet.to_string(),
                    row: cell.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap_or(1),
                    cell,
                    author: label(&by_person.or(by_number).unwrap_or_default()),
                    text: String::new(),
                });
            }
            "t" | "text" if self.open.is_some() => {
                self.in_text = name == "t" || tag.attribute("xml:space").is_none()
            }
            "rPh" => return Descend::Skip,
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "author" => self.in_author = false,
            "comment" | "threadedComment" => self.end(),
            "t" | "text" => self.in_text = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_author {
            if let Some(author) = self.authors.last_mut() {
                author.push_str(text);
            }
        } else if let (true, Some(note)) = (self.in_text, &mut self.open) {
            note.text.push_str(text);
        }
    }
}
