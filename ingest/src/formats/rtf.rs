//! Rich Text Format: paragraphs, headings by style or outline level, tables, footnotes, comments.

use encoding_rs::{Encoding, WINDOWS_1252};
use std::collections::HashMap;

use super::office::{Tables, warn};
use super::outline::{Note, NoteKind, Outline, one_line};
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};

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
}

/// What a group inherits and gives back.
#[derive(Debug, Clone)]
struct State {
    target: Target,
    /// Deleted under change tracking.
    deleted: bool,
    font: u32,
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
    if reader.deleted > 0 {
        let message = format!("{} tracked deletions were left out, as if they were accepted", reader.deleted);
        warn(&mut document, "tracked-deletions", message);
    }
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
            state: State { target: Target::Body, deleted: false, font: 0, fallback: 1 },
            code_page: WINDOWS_1252,
            fonts: HashMap::new(),
            styles: HashMap::new(),
            style: 0,
            style_name: String::new(),
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

    fn run(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let mut at = 0;
        // `{\*\word`: the word is a destination that old readers leave out.
        let mut starred = false;
        while let Some(byte) = bytes.get(at).copied() {
            at += 1;
            match byte {
                b'{' => {
                    self.decode();
                    if self.stack.len() >= MAX_DEPTH {
                        return Err(ReadError::TooLarge { limit: format!("nested groups ({MAX_DEPTH})") });
                    }
                    self.stack.push(self.state.clone());
                    starred = false;
                }
                b'}' => self.close(),
                b'\\' => at = self.control(bytes, at, &mut starred),
                b'\r' | b'\n' => {}
                _ if self.skip > 0 => self.skip -= 1,
                _ => self.bytes.push(byte),
            }
        }
        self.broken |= !self.stack.is_empty();
        Ok(())
    }

    /// What follows a backslash; gives where to go on.
    fn control(&mut self, bytes: &[u8], at: usize, starred: &mut bool) -> usize {
        let Some(first) = bytes.get(at).copied() else { return at };
        if !first.is_ascii_alphabetic() {
            return self.symbol(bytes, at, first, starred);
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let letters = rest.iter().take(32).take_while(|b| b.is_ascii_alphabetic()).count();
        let word = std::str::from_utf8(rest.get(..letters).unwrap_or_default()).unwrap_or_default();
        let tail = rest.get(letters..).unwrap_or_default();
        let sign = usize::from(tail.first() == Some(&b'-'));
        let digits = tail.iter().skip(sign).take(10).take_while(|b| b.is_ascii_digit()).count();
        let length = if digits > 0 { sign + digits } else { 0 };
        let number = std::str::from_utf8(tail.get(..length).unwrap_or_default()).ok();
        let number: Option<i32> = number.and_then(|n| n.parse().ok());
        let mut next = at + letters + length;
        if bytes.get(next) == Some(&b' ') {
            next += 1;
        }
        if word == "bin" {
            return next.saturating_add(usize::try_from(number.unwrap_or(0)).unwrap_or(0)).min(bytes.len());
        }
        if word == "u" {
            self.unicode(number.unwrap_or(0));
        } else if self.skip > 0 {
            self.skip -= 1;
        } else {
            self.decode();
            self.word(word, number, *starred);
        }
        *starred = false;
        next
    }

    fn symbol(&mut self, bytes: &[u8], at: usize, symbol: u8, starred: &mut bool) -> usize {
        match symbol {
            b'\'' => {
                let hex = bytes.get(at + 1..at + 3).and_then(|h| std::str::from_utf8(h).ok());
                if self.skip > 0 {
                    self.skip -= 1;
                } else if let Some(byte) = hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
                    self.bytes.push(byte);
                }
                return (at + 3).min(bytes.len());
            }
            b'*' => *starred = true,
            b'~' => self.bytes.push(b' '),
            b'_' => self.bytes.push(b'-'),
            b'\\' | b'{' | b'}' => self.bytes.push(symbol),
            b'\r' | b'\n' => self.end_paragraph(),
            _ => {}
        }
        at + 1
    }

    /// `\uN`: a UTF-16 unit, followed by characters for programs that do not know it.
    fn unicode(&mut self, number: i32) {
        self.decode();
        self.skip = self.state.fallback;
        let unit = (number & 0xffff) as u16;
        let before = self.surrogate.take();
        let units: Vec<u16> = before.into_iter().chain([unit]).collect();
        match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(c)) => self.push(c.encode_utf8(&mut [0; 4])),
            _ if (0xd800..0xdc00).contains(&unit) => self.surrogate = Some(unit),
            _ => {}
        }
    }

    /// Turns the waiting bytes into text by the code page of their font.
    fn decode(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let encoding = self.fonts.get(&self.state.font).copied().unwrap_or(self.code_page);
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        self.push(&text);
    }

    fn push(&mut self, text: &str) {
        if self.state.deleted {
            return;
        }
        match self.state.target {
            Target::Body => self.paragraph.push_str(text),
            Target::Footnote | Target::Comment => self.note.push_str(text),
            Target::CommentAuthor => self.comment_author.push_str(text),
            Target::Title => self.title.push_str(text),
            Target::Author => self.author.push_str(text),
            Target::StyleSheet => self.style_name.push_str(text),
            Target::FontTable | Target::Nowhere => {}
        }
    }

    fn close(&mut self) {
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

    fn word(&mut self, word: &str, number: Option<i32>, starred: bool) {
        if self.destination(word, starred) {
            return;
        }
        match (self.state.target, word) {
            (_, "uc") => self.state.fallback = usize::try_from(number.unwrap_or(1)).unwrap_or(1).min(8),
            (_, "f") => self.state.font = u32::try_from(number.unwrap_or(0)).unwrap_or(0),
            (Target::FontTable, "fcharset") => {
                if let Some(encoding) = charset(number.unwrap_or(0)) {
                    self.fonts.insert(self.state.font, encoding);
                }
            }
            (Target::StyleSheet, "s") => self.style = number.unwrap_or(0),
            (_, "ansicpg") => {
                let label = format!("windows-{}", number.unwrap_or(1252));
                self.code_page = Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252);
            }
            (_, "deleted") => {
                self.state.deleted = number != Some(0);
                self.deleted += u32::from(self.state.deleted);
            }
            (Target::Body, _) => self.body_word(word, number),
            (Target::Footnote | Target::Comment, "par" | "line" | "tab") => self.note.push(' '),
            _ => self.character(word),
        }
    }

    /// Words that send the rest of their group elsewhere; true where this was one.
    fn destination(&mut self, word: &str, starred: bool) -> bool {
        let target = match word {
            "fonttbl" => Target::FontTable,
            "stylesheet" => Target::StyleSheet,
            "footnote" => Target::Footnote,
            "annotation" => Target::Comment,
            "atnauthor" => Target::CommentAuthor,
            "title" if self.state.target == Target::Nowhere => Target::Title,
            "author" if self.state.target == Target::Nowhere => Target::Author,
            "info" | "pict" | "colortbl" | "header" | "headerl" | "headerr" | "headerf" | "footer"
            | "footerl" | "footerr" | "footerf" | "object" | "themedata" | "datastore" | "xmlnstbl"
            | "listtable" | "fldinst" | "listoverridetable" | "rsidtbl" | "generator" | "revtbl"
            | "nonesttables" => Target::Nowhere,
            // Known ones that hold text although readers may leave them out.
            "shpinst" | "shp" | "ud" | "upr" => return false,
            _ if starred => Target::Nowhere,
            _ => return false,
        };
        self.state.target = target;
        true
    }

    fn body_word(&mut self, word: &str, number: Option<i32>) {
        match word {
            "par" | "sect" | "page" => self.end_paragraph(),
            "line" => self.paragraph.push('\n'),
            "pard" => {
                (self.in_table, self.level, self.current_style) = (false, None, 0);
            }
            "s" => self.current_style = number.unwrap_or(0),
            "outlinelevel" => {
                self.level = number.and_then(|n| u8::try_from(n).ok()).filter(|n| *n < 9).map(|n| n + 1);
            }
            "intbl" => self.in_table = true,
            "trowd" => self.header_row = false,
            "trhdr" => self.header_row = true,
            "cell" | "nestcell" => self.end_cell(),
            "row" | "nestrow" => self.end_row(),
            _ => self.character(word),
        }
    }

    /// Words that stand for a character.
    fn character(&mut self, word: &str) {
        let text = match word {
            "tab" | "emspace" | "enspace" | "qmspace" => " ",
            "emdash" => "—",
            "endash" => "–",
            "lquote" => "‘",
            "rquote" => "’",
            "ldblquote" => "“",
            "rdblquote" => "”",
            "bullet" => "•",
            _ => return,
        };
        self.push(text);
    }

    fn end_paragraph(&mut self) {
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

    fn end_cell(&mut self) {
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

    fn end_row(&mut self) {
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

    fn end(&mut self) {
        self.decode();
        self.in_table = false;
        self.end_paragraph();
    }
}

/// The code page of a font's character set.
fn charset(number: i32) -> Option<&'static Encoding> {
    let label = match number {
        0 => "windows-1252",
        77 => "macintosh",
        128 => "shift_jis",
        129 => "euc-kr",
        134 => "gbk",
        136 => "big5",
        161 => "windows-1253",
        162 => "windows-1254",
        163 => "windows-1258",
        177 => "windows-1255",
        178 => "windows-1256",
        186 => "windows-1257",
        204 => "windows-1251",
        222 => "windows-874",
        238 => "windows-1250",
        _ => return None,
    };
    Encoding::for_label(label.as_bytes())
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
