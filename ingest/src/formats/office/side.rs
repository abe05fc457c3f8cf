//! Notes and comments of a Word document, which stand in parts of their own; headers and footers.

use std::collections::HashMap;

use super::day;
use crate::formats::outline::{Note, NoteKind};
use crate::formats::walk::{Descend, Tag, Visitor};

/// The notes of one part, by the identifier with which the text refers to them.
pub(crate) struct Side {
    kind: NoteKind,
    pub(crate) notes: HashMap<String, Note>,
    open: Option<(String, Note)>,
    in_text: bool,
}

impl Side {
    pub(crate) fn new(kind: NoteKind) -> Self {
        Side { kind, notes: HashMap::new(), open: None, in_text: false }
    }

    fn add(&mut self, text: &str) {
        if let Some((_, note)) = &mut self.open {
            note.text.push_str(text);
        }
    }
}

impl Visitor for Side {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "footnote" | "endnote" | "comment" => {
                // The lines that part notes from the text are notes of a type of their own.
                if tag.attribute("type").is_some_and(|t| t != "normal") {
                    return Descend::Skip;
                }
                let note = Note {
                    kind: self.kind,
                    mark: String::new(),
                    author: tag.attribute("author").unwrap_or_default(),
                    date: day(&tag.attribute("date").unwrap_or_default()),
                    text: String::new(),
                };
                self.open = Some((tag.attribute("id").unwrap_or_default(), note));
            }
            "t" => self.in_text = true,
            "tab" | "br" | "cr" => self.add(" "),
            "noBreakHyphen" => self.add("-"),
            "del" | "moveFrom" | "Fallback" | "pPr" | "rPr" => return Descend::Skip,
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" | "tc" => self.add("\n"),
            "footnote" | "endnote" | "comment" => {
                if let Some((id, note)) = self.open.take() {
                    self.notes.insert(id, note);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.add(text);
        }
    }
}

/// All text of a part in one line: a header, a footer, a diagram.
#[derive(Default)]
pub(crate) struct Flat {
    pub(crate) text: String,
    in_text: bool,
}

impl Visitor for Flat {
    fn open(&mut self, name: &str, _: &Tag<'_>) -> Descend {
        match name {
            "t" => self.in_text = true,
            "tab" | "br" | "cr" => self.text.push(' '),
            "del" | "moveFrom" | "Fallback" => return Descend::Skip,
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" | "tc" => self.text.push('\n'),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.text.push_str(text);
        }
    }
}
