//! What the words after a backslash do.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::data::Data;
use super::{Reader, Target};

impl Reader {
    pub(super) fn word(&mut self, word: &str, number: Option<i32>, starred: bool) {
        if self.destination(word, starred) {
            return;
        }
        match (self.state.target, word) {
            (_, "uc") => self.state.fallback = usize::try_from(number.unwrap_or(1)).unwrap_or(1).min(8),
            (Target::Data, _) => self.data.word(word),
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
            "pict" | "objdata" | "object" | "shppict" | "sv" => self.inside_word(word),
            "info" | "colortbl" | "header" | "headerl" | "headerr" | "headerf" | "footer" | "footerl"
            | "footerr" | "footerf" | "themedata" | "datastore" | "xmlnstbl" | "listtable" | "fldinst"
            | "listoverridetable" | "rsidtbl" | "generator" | "revtbl" | "nonesttables" | "nonshppict"
            | "sn" => Target::Nowhere,
            // Known ones that hold text although readers may leave them out.
            "shpinst" | "shp" | "ud" | "upr" => return false,
            _ if starred => Target::Nowhere,
            _ => return false,
        };
        self.state.target = target;
        self.state.pictures &= target != Target::Nowhere || matches!(word, "shppict" | "sv");
        true
    }

    /// Words for what lies in the text. `shppict` and `sv` may hold a picture that belongs to it; an object's own
    /// picture stands in place of it.
    fn inside_word(&mut self, word: &str) -> Target {
        match word {
            "pict" if self.state.pictures && !self.state.deleted => self.data = Data::default(),
            "objdata" if self.state.object && !self.state.deleted => self.data = Data::object(),
            "object" => {
                self.state.object = self.state.pictures;
                return Target::Nowhere;
            }
            _ => return Target::Nowhere,
        }
        Target::Data
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
