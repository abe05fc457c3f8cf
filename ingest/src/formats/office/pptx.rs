//! Presentations (PPTX): one section for each slide, with its tables, diagrams, comments and the speaker's notes.

use std::collections::HashMap;

use super::grid::{Table, Tables};
use super::package::{Package, Relation};
use super::side::Flat;
use super::{day, embedded, title, warn};
use crate::error::ReadError;
use crate::formats::outline::{Note, NoteKind, Outline, one_line};
use crate::formats::walk::{Descend, Tag, Visitor};
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};

/// Reads a presentation.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let mut package = Package::open(bytes, limits)?;
    let root = package.relations("")?;
    let main = root.iter().find(|r| r.sort == "officeDocument");
    let main = main.map_or_else(|| "ppt/presentation.xml".to_string(), |r| r.target.clone());
    let relations = package.relations(&main)?;
    let mut order = Order::default();
    if !package.visit(&main, &mut order)? {
        return Err(ReadError::Damaged { detail: format!("its main part '{main}' is missing or broken") });
    }
    let authors = authors(&mut package, &relations)?;
    let mut document = Document::new(Kind::Text, super::super::stem(name));
    let mut outline = Outline::new(TextUnit::Slide, limits);
    let by_id: HashMap<&str, &Relation> = relations.iter().map(|r| (r.id.as_str(), r)).collect();
    let mut first_title = String::new();
    let (mut number, mut hidden) = (0_u32, 0_u32);
    for id in &order.slides {
        number += 1;
        let Some(relation) = by_id.get(id.as_str()) else {
            warn(&mut document, "slide", format!("slide {number} is missing in the file"));
            continue;
        };
        outline.at(number);
        outline.start();
        let slide = slide(&mut package, &relation.target, &authors, &mut outline)?;
        hidden += u32::from(slide.hidden);
        if first_title.is_empty() {
            first_title = slide.title;
        }
        if slide.cut {
            warn(
                &mut document,
                "table-limit",
                format!("slide {number}: cells beyond the limit were left out"),
            );
        }
    }
    document.metadata.insert("slides".into(), number.to_string());
    if hidden > 0 {
        document.metadata.insert("hidden_slides".into(), hidden.to_string());
    }
    let declared = package.describe(&mut document)?;
    document.title = title(&[meaningful(&declared), &first_title], name);
    embedded::files(&mut package, &mut document)?;
    outline.finish(&mut document);
    Ok(document)
}

/// The title that PowerPoint writes where nobody gave one says nothing.
fn meaningful(title: &str) -> &str {
    let given = ["PowerPoint", "Präsentation", "Présentation", "Presentazione", "Presentation"];
    if given.iter().any(|g| title.starts_with(g)) { "" } else { title }
}

#[derive(Default)]
struct Order {
    slides: Vec<String>,
}

impl Visitor for Order {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        if name == "sldId"
            && let Some(id) = tag.attribute("r:id").or_else(|| tag.attribute("id"))
        {
            self.slides.push(id);
        }
        Descend::Into
    }
    fn close(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}
}

/// Who wrote comments, by the number or identifier that these use.
fn authors(package: &mut Package<'_>, relations: &[Relation]) -> Result<HashMap<String, String>, ReadError> {
    #[derive(Default)]
    struct Authors(HashMap<String, String>);
    impl Visitor for Authors {
        fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
            if matches!(name, "cmAuthor" | "author") {
                self.0.insert(
                    tag.attribute("id").unwrap_or_default(),
                    tag.attribute("name").unwrap_or_default(),
                );
            }
            Descend::Into
        }
        fn close(&mut self, _: &str) {}
        fn text(&mut self, _: &str) {}
    }
    let mut authors = Authors::default();
    for relation in relations.iter().filter(|r| matches!(r.sort.as_str(), "commentAuthors" | "authors")) {
        package.visit(&relation.target, &mut authors)?;
    }
    Ok(authors.0)
}

/// What a slide's place in the presentation needs.
struct Read {
    title: String,
    hidden: bool,
    cut: bool,
}

fn slide(
    package: &mut Package<'_>,
    part: &str,
    authors: &HashMap<String, String>,
    outline: &mut Outline,
) -> Result<Read, ReadError> {
    let mut slide = Slide::default();
    package.visit(part, &mut slide)?;
    slide.end();
    outline.heading(1, &slide.title);
    for part in slide.parts {
        match part {
            Part::Text(text) => outline.paragraph(&text),
            Part::Table(table) => outline.table(table.rows, table.header_rows),
        }
    }
    for relation in package.relations(part)? {
        match relation.sort.as_str() {
            "diagramData" => {
                let mut flat = Flat::default();
                package.visit(&relation.target, &mut flat)?;
                outline.paragraph(&flat.text);
            }
            "notesSlide" => {
                let mut notes = Slide { notes: true, ..Slide::default() };
                package.visit(&relation.target, &mut notes)?;
                outline.note(Note { text: notes.texts(), ..plain(NoteKind::Speaker) });
            }
            "comments" => {
                let mut comments = Comments { authors, open: None, list: Vec::new(), in_text: false };
                package.visit(&relation.target, &mut comments)?;
                comments.list.into_iter().for_each(|note| outline.note(note));
            }
            _ => {}
        }
    }
    Ok(Read { title: one_line(&slide.title), hidden: slide.hidden, cut: slide.tables.cut })
}

fn plain(kind: NoteKind) -> Note {
    Note { kind, mark: String::new(), author: String::new(), date: String::new(), text: String::new() }
}

enum Part {
    Text(String),
    Table(Table),
}

/// A slide, or the page with its notes.
#[derive(Default)]
struct Slide {
    /// Only the notes' own text is wanted.
    notes: bool,
    title: String,
    hidden: bool,
    parts: Vec<Part>,
    tables: Tables,
    /// Type of the placeholder that the open shape fills.
    holder: String,
    paragraph: String,
    in_text: bool,
}

impl Slide {
    fn texts(&self) -> String {
        let texts: Vec<&str> = self
            .parts
            .iter()
            .filter_map(|p| if let Part::Text(t) = p { Some(t.as_str()) } else { None })
            .collect();
        texts.join("\n")
    }

    fn paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        if self.tables.is_open() {
            self.tables.text(&text);
            return;
        }
        let furniture = matches!(self.holder.as_str(), "sldNum" | "dt" | "ftr" | "hdr");
        if text.trim().is_empty() || furniture || (self.notes && self.holder != "body") {
            return;
        }
        match self.holder.as_str() {
            "title" | "ctrTitle" => {
                self.title.push(' ');
                self.title.push_str(&text);
            }
            _ => self.parts.push(Part::Text(text)),
        }
    }

    fn end(&mut self) {
        self.paragraph();
        self.parts.extend(self.tables.end_all().map(Part::Table));
    }
}

impl Visitor for Slide {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "sld" => self.hidden = tag.attribute("show").is_some_and(|s| s == "0" || s == "false"),
            "sp" | "graphicFrame" => self.holder.clear(),
            "ph" => self.holder = tag.attribute("type").unwrap_or_else(|| "body".into()),
            "t" => self.in_text = true,
            "br" => self.paragraph.push('\n'),
            "tab" => self.paragraph.push(' '),
            "fld" if tag.attribute("type").is_some_and(|t| t.starts_with("slidenum")) => {
                return Descend::Skip;
            }
            "Fallback" => return Descend::Skip,
            "tbl" => self.tables.start_table(),
            "tblPr" if tag.attribute("firstRow").is_some_and(|v| v == "1" || v == "true") => {
                self.tables.header_first();
            }
            "tr" => self.tables.start_row(),
            "tc" => {
                self.tables.start_cell();
                // Covered cells are there, empty; the cell above fills those below it.
                if tag.attribute("vMerge").is_some() {
                    self.tables.merge_up();
                }
            }
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" => self.paragraph(),
            "t" => self.in_text = false,
            "sp" => self.holder.clear(),
            "tc" => self.tables.end_cell(),
            "tr" => self.tables.end_row(),
            "tbl" => self.parts.extend(self.tables.end_table().map(Part::Table)),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.paragraph.push_str(text);
        }
    }
}

/// The comments of a slide, of the older and the newer form.
struct Comments<'a> {
    authors: &'a HashMap<String, String>,
    open: Option<Note>,
    list: Vec<Note>,
    in_text: bool,
}

impl Visitor for Comments<'_> {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "cm" | "reply" => {
                self.list.extend(self.open.take());
                let author = tag.attribute("authorId").unwrap_or_default();
                let date = tag.attribute("dt").or_else(|| tag.attribute("created")).unwrap_or_default();
                self.open = Some(Note {
                    author: self.authors.get(&author).cloned().unwrap_or_default(),
                    date: day(&date),
                    ..plain(NoteKind::Comment)
                });
            }
            "text" | "t" => self.in_text = true,
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "cm" | "reply" => self.list.extend(self.open.take()),
            "text" | "t" => self.in_text = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let (true, Some(note)) = (self.in_text, &mut self.open) {
            note.text.push_str(text);
        }
    }
}
