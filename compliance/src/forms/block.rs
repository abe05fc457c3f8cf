//! From the text of a form to its parts.

use crate::report::Lang;

use super::{Values, not_stated};

/// A part of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// The title.
    Title(String),
    /// What it is based on.
    Basis(String),
    /// A heading.
    Heading(String),
    /// A paragraph.
    Paragraph(String),
    /// An item of a list.
    Item(String),
    /// A box to tick, and what it says.
    Tick(String),
    /// A line to fill in, and what belongs there.
    Blank(String),
    /// Label and value; an empty value leaves room to fill it in.
    Row(String, String),
}

/// Reads a text and sets its values.
pub(super) fn read(text: &str, lang: Lang, values: &Values) -> Vec<Block> {
    let mut out = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let set = |text: &str| set(text.trim(), lang, values);
        let after = |mark: &str| line.strip_prefix(mark);
        if let Some(text) = after("## ") {
            out.push(Block::Heading(set(text)));
        } else if let Some(text) = after("# ") {
            out.push(Block::Title(set(text)));
        } else if let Some(text) = after("= ") {
            out.push(Block::Basis(set(text)));
        } else if let Some(text) = after("- ") {
            out.push(Block::Item(set(text)));
        } else if let Some(text) = after("* ") {
            let name = text.trim().trim_matches(['{', '}']);
            let items = values.get(name);
            let none = items.is_empty().then(|| Block::Item(set(text)));
            out.extend(items.iter().cloned().map(Block::Item).chain(none));
        } else if let Some(text) = after("[] ") {
            out.push(Block::Tick(set(text)));
        } else if let Some(text) = after("__ ") {
            out.push(Block::Blank(set(text)));
        } else if let Some(text) = after("| ") {
            let (label, value) = text.split_once('|').unwrap_or((text, ""));
            out.push(Block::Row(set(label), set(value)));
        } else {
            out.push(Block::Paragraph(set(line)));
        }
    }
    out
}

/// Puts values into a text. What a value holds is never searched for further names.
fn set(text: &str, lang: Lang, values: &Values) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        match values.get(name) {
            [] => out.push_str(not_stated(lang)),
            stated => out.push_str(&stated.join("; ")),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
