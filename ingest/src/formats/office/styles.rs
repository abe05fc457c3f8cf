//! Paragraph styles of a Word document: which of them are headings, and of which level.

use std::collections::HashMap;

use crate::formats::walk::{Descend, Tag, Visitor};

/// What a paragraph style says of its paragraphs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Style {
    /// Level of a heading, from 1.
    pub(crate) level: Option<u8>,
    /// The document's title.
    pub(crate) is_title: bool,
    /// Number and level of the list that its paragraphs belong to.
    pub(crate) list: Option<(u32, u8)>,
    based_on: String,
}

/// All paragraph styles, by their identifier.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    styles: HashMap<String, Style>,
    open: Option<(String, Style)>,
}

impl Styles {
    /// A style with what it has from those that it is based on.
    pub(crate) fn get(&self, id: &str) -> Style {
        let mut out = Style::default();
        let mut next = id;
        // Styles that are based on each other in a ring end here.
        for _ in 0..20 {
            let Some(style) = self.styles.get(next) else { break };
            out.level = out.level.or(style.level);
            out.is_title |= style.is_title;
            out.list = out.list.or(style.list);
            next = &style.based_on;
        }
        out
    }
}

/// Level of a built-in heading style. Word keeps the English names in every language.
fn heading_level(name: &str) -> Option<u8> {
    let lower = name.trim().to_lowercase();
    let rest = ["heading", "überschrift", "titre", "titolo"].iter().find_map(|p| lower.strip_prefix(p))?;
    rest.trim().parse().ok().filter(|n| (1..=9).contains(n))
}

impl Visitor for Styles {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        let value = || tag.attribute("val").unwrap_or_default();
        match (name, &mut self.open) {
            ("style", _) => {
                if tag.attribute("type").is_none_or(|t| t == "paragraph") {
                    self.open = Some((tag.attribute("styleId").unwrap_or_default(), Style::default()));
                }
            }
            ("name", Some((_, style))) => {
                style.level = style.level.or_else(|| heading_level(&value()));
                style.is_title = value().eq_ignore_ascii_case("title");
            }
            ("basedOn", Some((_, style))) => style.based_on = value(),
            ("outlineLvl", Some((_, style))) => {
                style.level = value().parse::<u8>().ok().filter(|n| *n < 9).map(|n| n + 1);
            }
            ("numId", Some((_, style))) => {
                let level = style.list.map_or(0, |l| l.1);
                style.list = value().parse().ok().map(|id| (id, level));
            }
            ("ilvl", Some((_, style))) => {
                let id = style.list.map_or(0, |l| l.0);
                style.list = value().parse().ok().map(|level| (id, level));
            }
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        if name == "style"
            && let Some((id, style)) = self.open.take()
        {
            self.styles.insert(id, style);
        }
    }

    fn text(&mut self, _: &str) {}
}
