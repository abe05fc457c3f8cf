//! Rich Text Format: paragraphs, headings by style or outline level, tables, footnotes, comments.

mod blocks;
mod data;
mod scan;
mod words;

use encoding_rs::{Encoding, WINDOWS_1252};
use std::collections::HashMap;

use super::office::embedded::Inside;
use super::office::{Tables, deletions, warn};
use super::outline::{Note, Outline, one_line};
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};
use data::Data;

/// Nesting of groups.
const MAX_DEPTH: usize = 1_000;

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Body,
    /// Fonts, pictures, unknown destinations.
    Nowhere,
    FontTable,
    StyleSheet,
    Footnote,
    Comment,
    CommentAuthor,
    Title,
    Author,
    /// A picture or an object, in hexadecimal digits.
    Data,
}

/// What a group inherits and gives back.
#[derive(Debug, Clone)]
struct State {
    target: Target,
    /// Deleted under change tracking.
    deleted: bool,
    font: u32,
    /// Pictures belong to the text: not those of headers and lists, nor those that stand in place of something else.
    pictures: bool,
    /// The group is an object of the text, or lies in one.
    object: bool,
    /// Characters that follow a `\u` for programs without Unicode.
    fallback: usize,
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let mut reader = Reader::new(limits);
    reader.run(bytes)?;
    reader.end();
    let mut document = Document::new(Kind::Text, super::stem(name));
    let declared = one_line(&reader.title);
    if !declared.is_empty() {
        document.title = declared;
    }
    let author = one_line(&reader.author);
    if !author.is_empty() {
        document.metadata.insert("author".into(), author);
    }
    if reader.broken {
        warn(
            &mut document,
            "unbalanced",
            "the file breaks off or its groups do not match; the text may lack parts",
        );
    }
    deletions(&mut document, reader.deleted);
    reader.inside.finish(&mut document);
    reader.outline.finish(&mut document);
    Ok(document)
}

struct Reader {
    outline: Outline,
    stack: Vec<State>,
    state: State,
    code_page: &'static Encoding,
    fonts: HashMap<u32, &'static Encoding>,
    /// Heading levels by style number.
    styles: HashMap<i32, u8>,
    style: i32,
    style_name: String,
    data: Data,
    objects: u32,
    pictures: u32,
    inside: Inside,
    /// Bytes that wait for their code page.
    bytes: Vec<u8>,
    /// The first half of a character that `\u` writes in two parts.
    surrogate: Option<u16>,
    skip: usize,
    paragraph: String,
    level: Option<u8>,
    current_style: i32,
    in_table: bool,
    header_row: bool,
    tables: Tables,
    row_open: bool,
    note: String,
    comment_author: String,
    waiting: Vec<Note>,
    footnotes: u32,
    title: String,
    author: String,
    deleted: u32,
    broken: bool,
}

impl Reader {
    fn new(limits: &Limits) -> Self {
        Reader {
            outline: Outline::new(TextUnit::Paragraph, limits),
            stack: Vec::new(),
            state: State {
                target: Target::Body,
                deleted: false,
                font: 0,
                pictures: true,
                object: false,
                fallback: 1,
            },
            code_page: WINDOWS_1252,
            fonts: HashMap::new(),
            styles: HashMap::new(),
            style: 0,
            style_name: String::new(),
            data: Data::default(),
            objects: 0,
            pictures: 0,
            inside: Inside::default(),
            bytes: Vec::new(),
            surrogate: None,
            skip: 0,
            paragraph: String::new(),
            level: None,
            current_style: 0,
            in_table: false,
            header_row: false,
            tables: Tables::default(),
            row_open: false,
            note: String::new(),
            comment_author: String::new(),
            waiting: Vec::new(),
            footnotes: 0,
            title: String::new(),
            author: String::new(),
            deleted: 0,
            broken: false,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::read;

    pub(crate) const RTF: &[u8] = b"{\\rtf1\\ansi\\ansicpg1252\\uc1{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset238 Arial CE;}}\
{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2 heading 2;}}{\\info{\\title Baubeschrieb}{\\author A. Muster}}\
{\\header Kopfzeile}\\pard\\s1 W\\'e4nde\\par\\pard\\s2 Aussenwand\\par\\pard Die D\\u228 ?mmung ist \\f1 \\'e8\\f0{\\deleted weg} fertig.{\\footnote Nach SIA 180.}\\par\
{\\*\\atnauthor B. Beispiel}{\\*\\annotation Bitte pr\\'fcfen}\\par\
\\trowd\\trhdr\\pard\\intbl Code\\cell U-Wert\\cell\\row\\trowd\\pard\\intbl AW-01\\cell 0.15\\cell\\row\\pard Schluss.\\par}";

    #[test]
    fn headings_tables_notes_and_code_pages() {
        let document = read(RTF, "x.rtf", &Limits::default()).unwrap();
        assert_eq!(document.title, "Baubeschrieb");
        assert_eq!(document.metadata["author"], "A. Muster");
        let sections = &document.sections;
        assert_eq!(sections[0].heading, "Wände");
        assert_eq!(
            (sections[1].heading.as_str(), &sections[1].path),
            ("Aussenwand", &vec!["Wände".to_string()])
        );
        // 0xE8 is č in Windows-1250.
        assert!(sections[1].text.starts_with("Die Dämmung ist č fertig."), "{}", sections[1].text);
        assert!(sections[1].text.contains("Fussnote 1: Nach SIA 180."), "{}", sections[1].text);
        assert!(sections[1].text.contains("Kommentar (B. Beispiel): Bitte prüfen"), "{}", sections[1].text);
        assert_eq!(sections[2].rows, [["Code", "U-Wert"], ["AW-01", "0.15"]]);
        assert_eq!(sections[2].header_rows, 1);
        assert_eq!(sections[3].text, "Schluss.");
        assert!(document.warnings.iter().any(|w| w.code == "tracked-deletions"));
        let json = serde_json::to_string(&document).unwrap();
        assert!(!json.contains("Kopfzeile") && !json.contains("weg"), "{json}");
    }

    #[test]
    fn endless_nesting_is_refused() {
        let deep = format!("{{\\rtf1 {}", "{".repeat(2_000));
        assert!(matches!(
            read(deep.as_bytes(), "x.rtf", &Limits::default()),
            Err(ReadError::TooLarge { .. })
        ));
    }
}
