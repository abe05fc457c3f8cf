//! Numbers that Word sets before headings and list items; the text itself does not hold them.

use std::collections::HashMap;

use crate::formats::walk::{Descend, Tag, Visitor};
use crate::text::label;

/// Levels of a list.
const LEVELS: usize = 9;

#[derive(Debug, Clone, Default)]
struct Level {
    start: u32,
    format: String,
    /// `%1.%2` and so on.
    pattern: String,
}

type Levels = Vec<Level>;

/// The lists of a document, and how far each has counted.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    kinds: HashMap<String, Levels>,
    /// List to its kind, with the levels that start anew.
    lists: HashMap<u32, (String, HashMap<usize, u32>)>,
    counts: HashMap<String, [Option<u32>; LEVELS]>,
    begun: std::collections::HashSet<u32>,
    kind: Option<String>,
    list: Option<u32>,
    level: usize,
}

impl Numbering {
    /// The next number of a list at a level, as it is shown; empty for none, `•` for a bullet.
    pub(crate) fn next(&mut self, list: u32, level: u8) -> String {
        let level = usize::from(level).min(LEVELS - 1);
        let Some((kind, overrides)) = self.lists.get(&list) else { return String::new() };
        let Some(levels) = self.kinds.get(kind) else { return String::new() };
        let counts = self.counts.entry(kind.clone()).or_default();
        if self.begun.insert(list) {
            for (at, _) in overrides.iter().filter(|(at, _)| **at < LEVELS) {
                if let Some(count) = counts.get_mut(*at) {
                    *count = None;
                }
            }
        }
        let start =
            |at: usize| overrides.get(&at).copied().or_else(|| levels.get(at).map(|l| l.start)).unwrap_or(1);
        for (at, count) in counts.iter_mut().enumerate() {
            match at.cmp(&level) {
                std::cmp::Ordering::Less => *count = count.or(Some(start(at))),
                std::cmp::Ordering::Equal => {
                    *count = Some(count.map_or_else(|| start(at), |n| n.saturating_add(1)));
                }
                std::cmp::Ordering::Greater => *count = None,
            }
        }
        let Some(this) = levels.get(level) else { return String::new() };
        match this.format.as_str() {
            "bullet" => "•".into(),
            "none" => String::new(),
            _ => shown(&this.pattern, levels, counts),
        }
    }
}

/// The pattern with the counts of its levels.
fn shown(pattern: &str, levels: &[Level], counts: &[Option<u32>; LEVELS]) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        let at = match (c, chars.clone().next().and_then(|d| d.to_digit(10))) {
            ('%', Some(digit @ 1..=9)) => {
                chars.next();
                digit as usize - 1
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        let count = counts.get(at).copied().flatten().unwrap_or(1);
        out.push_str(&formatted(count, levels.get(at).map_or("decimal", |l| l.format.as_str())));
    }
    out.trim().to_string()
}

fn formatted(n: u32, format: &str) -> String {
    match format {
        "lowerLetter" => letters(n),
        "upperLetter" => letters(n).to_uppercase(),
        "lowerRoman" => roman(n),
        "upperRoman" => roman(n).to_uppercase(),
        "decimalZero" => format!("{n:02}"),
        _ => n.to_string(),
    }
}

/// a … z, aa, bb … as Word counts.
fn letters(n: u32) -> String {
    let n = n.clamp(1, 260) - 1;
    let letter = char::from(b'a' + u8::try_from(n % 26).unwrap_or(0));
    std::iter::repeat_n(letter, (n / 26 + 1) as usize).collect()
}

fn roman(n: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let (mut left, mut out) = (n.min(3_999), String::new());
    for (value, sign) in SIGNS {
        while left >= value {
            out.push_str(sign);
            left -= value;
        }
    }
    out
}

impl Visitor for Numbering {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        let value = || tag.attribute("val").unwrap_or_default();
        match name {
            "abstractNum" => {
                let id = tag.attribute("abstractNumId").unwrap_or_default();
                self.kinds.insert(id.clone(), Vec::new());
                self.kind = Some(id);
            }
            "num" => {
                self.list = tag.number("numId");
                if let Some(list) = self.list {
                    self.lists.insert(list, Default::default());
                }
            }
            "abstractNumId" => {
                if let Some((kind, _)) = self.list.and_then(|l| self.lists.get_mut(&l)) {
                    *kind = value();
                }
            }
            "lvl" | "lvlOverride" => {
                self.level = (tag.number("ilvl").unwrap_or(0) as usize).min(LEVELS - 1);
                let size = self.level + 1;
                if name == "lvl"
                    && let Some(levels) = self.levels()
                    && levels.len() < size
                {
                    levels.resize(size, Level { start: 1, ..Level::default() });
                }
            }
            "startOverride" => {
                let (level, start) = (self.level, value().parse().unwrap_or(1));
                if let Some((_, overrides)) = self.list.and_then(|l| self.lists.get_mut(&l)) {
                    overrides.insert(level, start);
                }
            }
            "start" => self.set(|l| l.start = value().parse().unwrap_or(1)),
            "numFmt" => self.set(|l| l.format = label(&value())),
            "lvlText" => self.set(|l| l.pattern = label(&value())),
            "AlternateContent" => return Descend::Skip,
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "abstractNum" => self.kind = None,
            "num" => self.list = None,
            _ => {}
        }
    }

    fn text(&mut self, _: &str) {}
}

impl Numbering {
    fn levels(&mut self) -> Option<&mut Levels> {
        self.kinds.get_mut(self.kind.as_ref()?)
    }

    fn set(&mut self, change: impl FnOnce(&mut Level)) {
        let at = self.level;
        if let Some(level) = self.levels().and_then(|l| l.get_mut(at)) {
            change(level);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::walk::walk;

    #[test]
    fn headings_count_by_level() {
        let level = |at: u8, format: &str, text: &str| {
            format!(
                "<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
            )
        };
        let xml = format!(
            "<w:numbering><w:abstractNum w:abstractNumId='0'>{}{}{}</w:abstractNum>\
             <w:num w:numId='3'><w:abstractNumId w:val='0'/></w:num>\
             <w:num w:numId='4'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='7'/>\
             </w:lvlOverride></w:num></w:numbering>",
            level(0, "decimal", "%1"),
            level(1, "decimal", "%1.%2"),
            level(2, "lowerLetter", "%3)")
        );
        let mut lists = Numbering::default();
        walk(xml.as_bytes(), &mut lists).unwrap();
        let shown: Vec<String> =
            [0, 1, 1, 2, 2, 0, 1].into_iter().map(|level| lists.next(3, level)).collect();
        assert_eq!(shown, ["1", "1.1", "1.2", "a)", "b)", "2", "2.1"]);
        assert_eq!(lists.next(4, 0), "7");
        assert_eq!(lists.next(99, 0), "");
    }

    #[test]
    fn other_counts() {
        assert_eq!((letters(1), letters(26), letters(28)), ("a".into(), "z".into(), "bb".into()));
        assert_eq!((roman(4), roman(1994)), ("iv".into(), "mcmxciv".into()));
    }
}
