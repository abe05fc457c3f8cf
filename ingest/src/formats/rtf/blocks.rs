//! Ends: of groups, notes, styles, paragraphs, cells, rows and tables.

use super::{Reader, Target};
use crate::formats::outline::{Note, NoteKind, one_line};

impl Reader {
    pub(super) fn close(&mut self) {
        self.decode();
        (self.skip, self.surrogate) = (0, None);
        let Some(before) = self.stack.pop() else {
            self.broken = true;
            return;
        };
        let ended = std::mem::replace(&mut self.state, before);
        if ended.target == Target::StyleSheet {
            self.name_style();
        }
        if ended.target == self.state.target {
            return;
        }
        match ended.target {
            Target::Data => self.end_data(),
            Target::Footnote => {
                self.footnotes += 1;
                let mark = self.footnotes.to_string();
                self.end_note(NoteKind::Footnote, mark);
            }
            Target::Comment => self.end_note(NoteKind::Comment, String::new()),
            _ => {}
        }
    }

    fn end_note(&mut self, kind: NoteKind, mark: String) {
        let text = std::mem::take(&mut self.note);
        let author = if kind == NoteKind::Comment {
            one_line(&std::mem::take(&mut self.comment_author))
        } else {
            String::new()
        };
        self.waiting.push(Note { kind, mark, author, date: String::new(), text });
    }

    /// `heading 2;` in the style sheet.
    fn name_style(&mut self) {
        let name = std::mem::take(&mut self.style_name).to_lowercase();
        let name = name.trim().trim_end_matches(';');
        let level = ["heading", "überschrift", "titre", "titolo"]
            .iter()
            .find_map(|p| name.strip_prefix(p)?.trim().parse::<u8>().ok());
        if let Some(level) = level.filter(|l| (1..=9).contains(l)) {
            self.styles.insert(self.style, level);
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        self.decode();
        if self.in_table {
            self.paragraph.push('\n');
            return;
        }
        self.end_table();
        let text = std::mem::take(&mut self.paragraph);
        let level = self.level.or_else(|| self.styles.get(&self.current_style).copied());
        match level {
            Some(level) => self.outline.heading(level, &text),
            None => self.outline.paragraph(&text),
        }
        self.flush_notes();
    }

    fn flush_notes(&mut self) {
        std::mem::take(&mut self.waiting).into_iter().for_each(|note| self.outline.note(note));
    }

    pub(super) fn end_cell(&mut self) {
        if !self.tables.is_open() {
            self.tables.start_table();
        }
        if !self.row_open {
            self.tables.start_row();
            self.row_open = true;
        }
        self.tables.start_cell();
        let text = std::mem::take(&mut self.paragraph);
        self.tables.text(&text);
        self.tables.end_cell();
    }

    pub(super) fn end_row(&mut self) {
        if self.header_row {
            self.tables.mark_header();
        }
        self.tables.end_row();
        self.row_open = false;
    }

    fn end_table(&mut self) {
        if self.row_open {
            self.end_row();
        }
        if let Some(table) = self.tables.end_table() {
            self.outline.table(table.rows, table.header_rows);
        }
    }

    pub(super) fn end(&mut self) {
        self.decode();
        self.in_table = false;
        self.end_paragraph();
    }
}
