//! Web pages: headings, paragraphs, lists and tables; no scripts, no navigation.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use super::office::{Tables, warn};
use super::outline::{Outline, one_line};
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};
use crate::text::counted;

/// Elements whose text is none of the page's.
const LEFT_OUT: [&[u8]; 6] = [b"script", b"style", b"template", b"svg", b"math", b"iframe"];
/// Elements that start and end a paragraph.
const BLOCKS: [&[u8]; 30] = [
    b"p",
    b"div",
    b"li",
    b"ul",
    b"ol",
    b"dl",
    b"dt",
    b"dd",
    b"section",
    b"article",
    b"main",
    b"header",
    b"footer",
    b"aside",
    b"blockquote",
    b"pre",
    b"figure",
    b"figcaption",
    b"form",
    b"fieldset",
    b"hr",
    b"address",
    b"body",
    b"html",
    b"head",
    b"details",
    b"summary",
    b"center",
    b"caption",
    b"option",
];

/// Reads a page.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let (text, encoding) = super::charset::decode_html(bytes);
    let mut page = Page::new(Outline::new(TextUnit::Paragraph, limits));
    page.run(&text);
    let mut document = Document::new(Kind::Text, super::stem(name));
    let heading = page.outline.first_heading();
    if let Some(title) = [one_line(&page.title), heading].into_iter().find(|t| !t.is_empty()) {
        document.title = title;
    }
    document.metadata.insert("charset".into(), encoding.into());
    if page.navigation > 0 {
        warn(
            &mut document,
            "navigation",
            format!(
                "{} left out",
                counted(page.navigation, "navigation block was", "navigation blocks were")
            ),
        );
    }
    page.outline.finish(&mut document);
    Ok(document)
}

/// Adds a piece of HTML to a text.
pub(crate) fn feed(text: &str, outline: Outline) -> Outline {
    let mut page = Page::new(outline);
    page.run(text);
    page.outline
}

struct Page {
    outline: Outline,
    tables: Tables,
    paragraph: String,
    level: Option<u8>,
    /// Name of the element that is left out, and how many of the name are open.
    skipped: Option<(Vec<u8>, usize)>,
    in_title: bool,
    title: String,
    in_head_rows: bool,
    cell_open: bool,
    row_open: bool,
    only_headers: bool,
    navigation: u32,
}

impl Page {
    fn new(outline: Outline) -> Self {
        Page {
            outline,
            tables: Tables::default(),
            paragraph: String::new(),
            level: None,
            skipped: None,
            in_title: false,
            title: String::new(),
            in_head_rows: false,
            cell_open: false,
            row_open: false,
            only_headers: true,
            navigation: 0,
        }
    }

    fn run(&mut self, text: &str) {
        // Scripts and styles hold what looks like tags.
        let mut emitter = DefaultEmitter::<()>::default();
        emitter.naively_switch_states(true);
        for token in Tokenizer::new_with_emitter(text, emitter).flatten() {
            match token {
                Token::StartTag(tag) => self.start(&tag),
                Token::EndTag(tag) => self.end_tag(&tag.name),
                Token::String(text) if self.skipped.is_none() => {
                    self.push(&String::from_utf8_lossy(&text.value))
                }
                _ => {}
            }
        }
        self.end_all_tables();
        self.flush();
    }

    fn push(&mut self, text: &str) {
        let text = text.replace('\u{ad}', "");
        if self.in_title {
            self.title.push_str(&text)
        } else {
            self.paragraph.push_str(&text.replace(['\n', '\r', '\t'], " "))
        }
    }

    /// Ends the open paragraph.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        if self.tables.is_open() {
            if self.cell_open {
                self.tables.text(&text);
            }
            return;
        }
        match self.level.take() {
            Some(level) => self.outline.heading(level, &text),
            None => self.outline.paragraph(&text),
        }
    }

    fn start(&mut self, tag: &StartTag<()>) {
        let name: &[u8] = &tag.name;
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth += usize::from(skipped.as_slice() == name && !tag.self_closing);
            return;
        }
        if (LEFT_OUT.contains(&name) || name == b"nav") && !tag.self_closing {
            self.navigation += u32::from(name == b"nav");
            self.skipped = Some((name.to_vec(), 1));
            return;
        }
        match name {
            b"title" => self.in_title = true,
            b"br" => self.paragraph.push('\n'),
            b"img" | b"wbr" => {}
            b"table" => {
                self.flush();
                self.tables.start_table();
                (self.cell_open, self.row_open, self.in_head_rows) = (false, false, false);
            }
            b"thead" => self.in_head_rows = true,
            b"tbody" | b"tfoot" => self.in_head_rows = false,
            b"tr" => self.start_row(),
            b"td" | b"th" => self.start_cell(tag),
            _ => match heading(name) {
                Some(level) => {
                    self.flush();
                    self.level = Some(level);
                }
                None if BLOCKS.contains(&name) => self.flush(),
                None => {}
            },
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth -= usize::from(skipped.as_slice() == name);
            if *depth == 0 {
                self.skipped = None;
            }
            return;
        }
        match name {
            b"title" => self.in_title = false,
            b"thead" => {
                self.end_row();
                self.in_head_rows = false;
            }
            b"td" | b"th" => self.end_cell(),
            b"tr" => self.end_row(),
            b"table" => self.end_table(),
            _ if heading(name).is_some() || BLOCKS.contains(&name) => self.flush(),
            _ => {}
        }
    }

    fn start_row(&mut self) {
        self.end_row();
        if self.tables.is_open() {
            self.tables.start_row();
            (self.row_open, self.only_headers) = (true, true);
        }
    }

    fn start_cell(&mut self, tag: &StartTag<()>) {
        self.end_cell();
        if !self.tables.is_open() {
            return;
        }
        if !self.row_open {
            self.start_row();
        }
        self.paragraph.clear();
        self.tables.start_cell();
        self.cell_open = true;
        self.only_headers &= tag.name.as_slice() == b"th";
        let span =
            tag.attributes.get(&b"colspan"[..]).map(|v| String::from_utf8_lossy(&v.value).into_owned());
        self.tables.span(span.and_then(|s| s.trim().parse().ok()).unwrap_or(1));
    }

    fn end_cell(&mut self) {
        if self.cell_open {
            self.flush();
            self.tables.end_cell();
            self.cell_open = false;
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        if self.row_open {
            if self.in_head_rows || self.only_headers {
                self.tables.mark_header();
            }
            self.tables.end_row();
            self.row_open = false;
        }
    }

    fn end_table(&mut self) {
        self.end_row();
        if !self.tables.is_open() {
            return;
        }
        if let Some(table) = self.tables.end_table() {
            self.outline.table(table.rows, table.header_rows);
        }
        // A table in a table: the outer one's cell goes on.
        (self.cell_open, self.row_open) = (self.tables.is_open(), self.tables.is_open());
        self.only_headers = false;
    }

    fn end_all_tables(&mut self) {
        while self.tables.is_open() {
            self.end_table();
        }
    }
}

fn heading(name: &[u8]) -> Option<u8> {
    match name {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::read;

    pub(crate) const PAGE: &str = "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Merkblatt</title>\
        <style>p{color:red}</style></head><body><nav><a>Start</a></nav><h1>Türen</h1><p>Die Tür&shy;blätter\n sind <b>EI30</b>.\
        <script>if (a<b) alert('<p>nein')</script><h2>Liste</h2><table><tr><th>Code<th>U-Wert<tr><td>AW-01<td>0.15\
        <tr><td>AW-02<td>0.17</table><ul><li>eins<li>zwei</ul></body></html>";

    #[test]
    fn tag_soup_becomes_sections() {
        let document = read(PAGE.as_bytes(), "x.html", &Limits::default()).unwrap();
        assert_eq!(document.title, "Merkblatt");
        assert_eq!(document.sections[0].heading, "Türen");
        assert_eq!(document.sections[0].text, "Die Türblätter sind EI30.");
        let table = &document.sections[1];
        assert_eq!((table.heading.as_str(), &table.path), ("Liste", &vec!["Türen".to_string()]));
        assert_eq!(table.rows, [["Code", "U-Wert"], ["AW-01", "0.15"], ["AW-02", "0.17"]]);
        assert_eq!(table.header_rows, 1);
        assert_eq!(document.sections[2].text, "eins\n\nzwei");
        assert!(!serde_json::to_string(&document).unwrap().contains("alert"));
    }

    #[test]
    fn a_page_is_known_by_its_content_and_its_declared_code_page_holds() {
        let page = b"<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1250\"></head>\
            <body><h1>P\xf8\xedklad</h1></body></html>";
        let document = read(page, "seite.pdf", &Limits::default()).unwrap();
        assert_eq!(document.sections[0].heading, "Příklad");
    }
}
