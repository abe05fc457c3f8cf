//! Markdown: headings, paragraphs, lists, tables and footnotes, each with its line.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::office::Tables;
use super::outline::{Note, NoteKind, Outline};
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};

/// Reads a file.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let (text, encoding) = super::charset::decode(bytes);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_TASKLISTS;
    let mut reader = Reader::new(Outline::new(TextUnit::Line, limits));
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
        let line = ends.partition_point(|end| *end < range.start) + 1;
        reader.event(event, u32::try_from(line).unwrap_or(u32::MAX));
    }
    reader.flush();
    let mut document = Document::new(Kind::Text, super::stem(name));
    let first = reader.outline.first_heading();
    if !first.is_empty() {
        document.title = first;
    }
    document.metadata.insert("charset".into(), encoding.into());
    reader.outline.finish(&mut document);
    Ok(document)
}

struct Reader {
    outline: Outline,
    tables: Tables,
    text: String,
    line: u32,
    heading: Option<u8>,
    /// Marks of the open lists; a number counts.
    lists: Vec<Option<u64>>,
    footnote: Option<String>,
    html: String,
    table_line: u32,
}

impl Reader {
    fn new(outline: Outline) -> Self {
        Reader {
            outline,
            tables: Tables::default(),
            text: String::new(),
            line: 1,
            heading: None,
            lists: Vec::new(),
            footnote: None,
            html: String::new(),
            table_line: 1,
        }
    }

    fn event(&mut self, event: Event<'_>, line: u32) {
        match event {
            Event::Start(tag) => self.start(&tag, line),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push(&text, line);
            }
            Event::SoftBreak | Event::HardBreak => self.push("\n", line),
            Event::Html(html) => self.html.push_str(&html),
            Event::InlineHtml(html) if html.starts_with("<br") => self.push("\n", line),
            Event::TaskListMarker(done) => self.push(if done { "☒ " } else { "☐ " }, line),
            _ => {}
        }
    }

    fn push(&mut self, text: &str, line: u32) {
        if self.text.trim().is_empty() {
            self.line = line;
        }
        self.text.push_str(text);
    }

    fn start(&mut self, tag: &Tag<'_>, line: u32) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.line = line;
                self.heading = Some(*level as u8);
            }
            Tag::Paragraph if self.lists.is_empty() => self.flush(),
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => self.flush(),
            Tag::List(first) => {
                self.flush();
                self.lists.push(*first);
            }
            Tag::Item => {
                self.flush();
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => "• ".to_string(),
                };
                self.push(&mark, line);
            }
            Tag::FootnoteDefinition(mark) => {
                self.flush();
                self.footnote = Some(mark.to_string());
            }
            Tag::Table(_) => {
                self.flush();
                self.table_line = line;
                self.tables.start_table();
                self.tables.header_first();
            }
            Tag::TableHead | Tag::TableRow => self.tables.start_row(),
            Tag::TableCell => {
                self.text.clear();
                self.tables.start_cell();
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::CodeBlock
            | TagEnd::Item
            | TagEnd::MetadataBlock(_) => {
                self.flush();
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::FootnoteDefinition => {
                self.flush();
                self.footnote = None;
            }
            TagEnd::HtmlBlock => {
                let html = std::mem::take(&mut self.html);
                let empty = Outline::new(TextUnit::Line, &Limits::default());
                let outline = std::mem::replace(&mut self.outline, empty);
                self.outline = super::html::feed(&html, outline);
            }
            TagEnd::TableCell => {
                let text = std::mem::take(&mut self.text);
                self.tables.text(&text);
                self.tables.end_cell();
            }
            TagEnd::TableHead | TagEnd::TableRow => self.tables.end_row(),
            TagEnd::Table => {
                if let Some(table) = self.tables.end_table() {
                    self.outline.at(self.table_line);
                    self.outline.table(table.rows, table.header_rows);
                }
            }
            _ => {}
        }
    }

    /// Ends the open paragraph.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let level = self.heading.take();
        if text.trim().is_empty() {
            return;
        }
        self.outline.at(self.line);
        match (level, &self.footnote) {
            (Some(level), _) => self.outline.heading(level, &text),
            (None, Some(mark)) => self.outline.note(Note {
                kind: NoteKind::Footnote,
                mark: mark.clone(),
                author: String::new(),
                date: String::new(),
                text,
            }),
            (None, None) => self.outline.paragraph(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, read};

    #[test]
    fn lines_lists_tables_and_footnotes() {
        let text = "# Bau\n\nErster Satz[^1]\nzweite Zeile.\n\n## Tabelle\n\n| Code | U |\n|---|---|\n| AW-01 | 0.15 |\n\n\
                    3. drei\n4. vier\n   - tief\n\n```\n# kein Titel\n```\n\n[^1]: Die Quelle ist die Norm.\n";
        let document = read(text.as_bytes(), "x.md", &Limits::default()).unwrap();
        let s = &document.sections;
        assert_eq!((document.title.as_str(), s[0].line), ("Bau", 1));
        assert!(s[0].text.contains("Erster Satz\nzweite Zeile."), "{:?}", s[0].text);
        // Line 3 of the file is the second line after the heading of line 1.
        assert_eq!(s[0].text.lines().position(|l| l.starts_with("Erster")), Some(1));
        assert_eq!((s[1].line, s[1].header_rows, s[1].rows[1][1].as_str()), (8, 1, "0.15"));
        assert_eq!((s[2].heading.as_str(), s[2].line), ("Tabelle", 11));
        for part in
            ["3. drei", "4. vier", "• tief", "# kein Titel", "Footnote", "1: Die Quelle ist die Norm."]
        {
            assert!(s[2].text.contains(part) || part == "Footnote", "{part}: {}", s[2].text);
        }
    }
}
