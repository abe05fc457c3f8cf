//! Drawings in DXF, text form: what is written in them, layer by layer.
//!
//! The file is a list of pairs, a group code on one line and its value on the next. Only texts, attributes and dimensions
//! are looked at, so a drawing with faults elsewhere gives its words all the same.

use std::collections::BTreeMap;

use super::office::warn;
use super::outline::Outline;
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, TextUnit};

/// Texts of one drawing.
const MAX_TEXTS: usize = 500_000;

/// An entity with text, while it is read.
#[derive(Debug, Default)]
struct Entity {
    kind: String,
    line: u32,
    layer: String,
    /// Pieces of an MTEXT before its last.
    start: String,
    text: String,
    tag: String,
    measured: Option<f64>,
}

/// Reads a drawing.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let (text, encoding) = super::charset::decode(bytes);
    let mut drawing = Drawing::default();
    let mut lines = text.lines().enumerate();
    while let (Some((at, code)), Some((_, value))) = (lines.next(), lines.next()) {
        let Ok(code) = code.trim().parse::<i32>() else {
            drawing.broken = Some(at + 1);
            break;
        };
        drawing.pair(code, value.trim_end_matches(['\r', '\n']), at + 1);
    }
    drawing.end_entity();
    let mut document = Document::new(Kind::Text, super::stem(name));
    document.metadata.insert("charset".into(), encoding.into());
    if !drawing.version.is_empty() {
        document.metadata.insert("schema".into(), drawing.version.clone());
    }
    if let Some(line) = drawing.broken {
        warn(&mut document, "dxf", format!("line {line} has no group code; what follows was not read"));
    }
    if drawing.cut {
        warn(&mut document, "text-limit", format!("only the first {MAX_TEXTS} texts were read"));
    }
    let mut outline = Outline::new(TextUnit::Line, limits);
    for (layer, texts) in drawing.layers {
        if let Some((line, _)) = texts.first() {
            outline.at(*line);
        }
        outline.heading(1, &layer);
        let mut lines = Vec::new();
        for (_, text) in texts {
            lines.push(text);
        }
        outline.paragraph(&lines.join("\n"));
    }
    outline.finish(&mut document);
    Ok(document)
}

#[derive(Default)]
struct Drawing {
    version: String,
    variable: String,
    open: Entity,
    layers: BTreeMap<String, Vec<(u32, String)>>,
    texts: usize,
    cut: bool,
    broken: Option<usize>,
}

impl Drawing {
    fn pair(&mut self, code: i32, value: &str, line: usize) {
        match code {
            0 => {
                self.end_entity();
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                self.open = Entity { kind: value.trim().to_ascii_uppercase(), line, ..Entity::default() };
            }
            8 => self.open.layer = value.trim().to_string(),
            9 => self.variable = value.trim().to_string(),
            1 if self.variable == "$ACADVER" && self.open.kind == "SECTION" => {
                self.version = value.trim().to_string();
                self.variable.clear();
            }
            1 => self.open.text = value.to_string(),
            3 if self.open.kind == "MTEXT" => self.open.start.push_str(value),
            2 if matches!(self.open.kind.as_str(), "ATTRIB" | "ATTDEF") => {
                self.open.tag = value.trim().to_string()
            }
            42 if self.open.kind.ends_with("DIMENSION") => self.open.measured = value.trim().parse().ok(),
            304 if matches!(self.open.kind.as_str(), "MULTILEADER" | "MLEADER")
                && value != "LEADER_LINE{" =>
            {
                self.open.text = value.to_string();
            }
            _ => {}
        }
    }

    fn end_entity(&mut self) {
        let entity = std::mem::take(&mut self.open);
        let text = match entity.kind.as_str() {
            "TEXT" => special(&entity.text),
            "MTEXT" | "MULTILEADER" | "MLEADER" => unformatted(&format!("{}{}", entity.start, entity.text)),
            "ATTRIB" | "ATTDEF" => {
                let text = unformatted(&format!("{}{}", entity.start, entity.text));
                if entity.tag.is_empty() || text.trim().is_empty() {
                    text
                } else {
                    format!("{}: {text}", entity.tag)
                }
            }
            kind if kind.ends_with("DIMENSION") => dimension(&entity),
            _ => return,
        };
        let text = text.trim().to_string();
        if text.is_empty() {
            return;
        }
        if self.texts >= MAX_TEXTS {
            self.cut = true;
            return;
        }
        self.texts += 1;
        let layer = if entity.layer.is_empty() { "0".to_string() } else { entity.layer };
        self.layers.entry(layer).or_default().push((entity.line, text));
    }
}

/// A dimension's text; `<>` in it stands for what was measured.
fn dimension(entity: &Entity) -> String {
    let measured = entity.measured.map(crate::text::number).unwrap_or_default();
    match entity.text.as_str() {
        "" | "<>" => measured,
        // A single space hides the text.
        " " => String::new(),
        text => unformatted(&text.replace("<>", &measured)),
    }
}

/// `%%d` is a degree sign, `%%c` a diameter, `%%p` plus-minus; `\U+00FC` is a character.
fn special(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['%', '\\']) {
        out.push_str(rest.get(..at).unwrap_or_default());
        let tail = rest.get(at..).unwrap_or_default();
        let (piece, length) = code(tail);
        match piece {
            Some(piece) => out.push_str(&piece),
            None => out.push_str(tail.get(..1).unwrap_or_default()),
        }
        rest = tail.get(length.max(1)..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// What a code at the start of a text stands for, and its length in bytes.
fn code(tail: &str) -> (Option<String>, usize) {
    if let Some(hex) = tail.strip_prefix("\\U+").and_then(|t| t.get(..4)) {
        let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
        return (c.map(|c| c.to_string()), if c.is_some() { 7 } else { 1 });
    }
    match tail.get(..3).map(str::to_ascii_lowercase).as_deref() {
        Some("%%d") => (Some("°".into()), 3),
        Some("%%c") => (Some("⌀".into()), 3),
        Some("%%p") => (Some("±".into()), 3),
        Some("%%%") => (Some("%".into()), 3),
        Some("%%u" | "%%o" | "%%k") => (Some(String::new()), 3),
        _ => (None, 1),
    }
}

/// The words of a text with formatting: `{\fArial|b1;Wand}\PStahlbeton` is two lines.
fn unformatted(text: &str) -> String {
    let text = special(text);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' => {}
            '\\' => match chars.next() {
                Some('P' | 'N') => out.push('\n'),
                Some('~') => out.push(' '),
                Some(c @ ('\\' | '{' | '}')) => out.push(c),
                Some('S') => {
                    // A fraction, its parts above each other.
                    for c in chars.by_ref().take_while(|c| *c != ';') {
                        out.push(if matches!(c, '^' | '#') { '/' } else { c });
                    }
                }
                Some('L' | 'l' | 'O' | 'o' | 'K' | 'k' | 'X') | None => {}
                Some('f' | 'F' | 'H' | 'W' | 'C' | 'c' | 'A' | 'Q' | 'T' | 'p' | 'B') => {
                    chars.by_ref().take_while(|c| *c != ';').for_each(drop);
                }
                Some(other) => out.push(other),
            },
            '^' => match chars.peek() {
                Some('I' | 'J' | 'M') => {
                    chars.next();
                    out.push(' ');
                }
                _ => out.push('^'),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::read;

    pub(crate) const DXF: &str = "  0\nSECTION\n  2\nHEADER\n  9\n$ACADVER\n  1\nAC1027\n  0\nENDSEC\n  0\nSECTION\n  2\nENTITIES\n\
        0\nTEXT\n8\nA-TEXT\n10\n0.0\n1\nT\\U+00FCr EI30, 45%%d\n0\nMTEXT\n8\nA-TEXT\n3\n{\\fArial|b1;Aussen\n1\nwand}\\PStahlbeton \\H0.5x;C30/37\n\
        0\nINSERT\n8\nPLANKOPF\n2\nKOPF\n0\nATTRIB\n8\nPLANKOPF\n1\nRM-2417\n2\nPLANNR\n0\nSEQEND\n\
        0\nDIMENSION\n8\nA-MASS\n42\n3.25\n1\n<> m\n0\nLINE\n8\nA-MASS\n1\nkein Text\n0\nENDSEC\n0\nEOF\n";

    #[test]
    fn texts_by_layer() {
        let document = read(DXF.as_bytes(), "plan.dxf", &Limits::default()).unwrap();
        assert_eq!(document.metadata["schema"], "AC1027");
        let seen: Vec<(&str, &str)> =
            document.sections.iter().map(|s| (s.heading.as_str(), s.text.as_str())).collect();
        assert_eq!(
            seen,
            [
                ("A-MASS", "3.25 m"),
                ("A-TEXT", "Tür EI30, 45°\nAussenwand\nStahlbeton C30/37"),
                ("PLANKOPF", "PLANNR: RM-2417")
            ]
        );
        assert_eq!(document.sections[1].line, 15);
    }

    #[test]
    fn what_stands_before_a_fault_is_kept() {
        let broken = format!("{}rubbish\n1\n0\nTEXT\n1\nspäter\n", DXF.trim_end_matches("0\nEOF\n"));
        let document = read(broken.as_bytes(), "plan.dxf", &Limits::default()).unwrap();
        assert_eq!(document.sections.len(), 3);
        assert_eq!(document.warnings[0].code, "dxf");
    }
}
