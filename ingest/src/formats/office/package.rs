//! An office package: parts in a ZIP archive, tied together by relationship files.

use std::collections::BTreeMap;

use crate::error::ReadError;
use crate::formats::archive::Archive;
use crate::formats::walk::{Descend, Tag, Visitor, walk};
use crate::limits::Limits;
use crate::model::{Document, Warning};

/// A package whose parts are read by name.
pub(crate) struct Package<'a> {
    archive: Archive<'a>,
    names: BTreeMap<String, usize>,
    /// Parts that are there and cannot be read.
    pub(crate) faults: Vec<String>,
}

/// One relationship of a part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Relation {
    pub(crate) id: String,
    /// Last word of its type: `officeDocument`, `styles`, `slide`.
    pub(crate) sort: String,
    /// Name of the part that it points to, from the package's root.
    pub(crate) target: String,
}

impl<'a> Package<'a> {
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, ReadError> {
        let mut archive = Archive::open(bytes, limits)?;
        let names = archive.names().into_iter().map(|(index, name)| (key(&name), index)).collect();
        Ok(Package { archive, names, faults: Vec::new() })
    }

    /// Names of all parts, lower case.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// A part's bytes; `None` where there is none of the name, or where it is broken (then named among the faults).
    ///
    /// # Errors
    /// [`ReadError::TooLarge`] and [`ReadError::Password`] end the reading of the whole file.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(index) = self.names.get(&key(name)) else { return Ok(None) };
        match self.archive.read(*index) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ReadError::Damaged { detail }) => {
                self.faults.push(format!("part '{name}': {detail}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Lets a visitor see a part; false where there is none.
    pub(crate) fn visit(&mut self, name: &str, visitor: &mut impl Visitor) -> Result<bool, ReadError> {
        let Some(bytes) = self.part(name)? else { return Ok(false) };
        if let Some(fault) = walk(&bytes, visitor)? {
            self.faults.push(format!("part '{name}' is damaged, what follows the fault is lost: {fault}"));
        }
        Ok(true)
    }

    /// The relationships of a part; of the package itself for an empty name.
    pub(crate) fn relations(&mut self, part: &str) -> Result<Vec<Relation>, ReadError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let mut relations = Relations { folder: folder.to_string(), list: Vec::new() };
        self.visit(&format!("{folder}{separator}_rels/{file}.rels"), &mut relations)?;
        Ok(relations.list)
    }

    /// Puts author, dates and what was lost into the document; gives the title of its properties.
    pub(crate) fn describe(&mut self, document: &mut Document) -> Result<String, ReadError> {
        let mut properties = Properties::default();
        self.visit("docProps/core.xml", &mut properties)?;
        self.visit("docProps/app.xml", &mut properties)?;
        self.visit("meta.xml", &mut properties)?;
        document.metadata.append(&mut properties.found);
        for message in std::mem::take(&mut self.faults) {
            document.warnings.push(Warning { code: "part".into(), message, page: None });
        }
        Ok(document.metadata.remove("title").unwrap_or_default())
    }
}

fn key(name: &str) -> String {
    name.trim_start_matches('/').to_ascii_lowercase()
}

/// `../media/a.png` seen from `ppt/slides` is `ppt/media/a.png`.
fn joined(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_string();
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            other => parts.push(other),
        }
    }
    parts.join("/")
}

struct Relations {
    folder: String,
    list: Vec<Relation>,
}

impl Visitor for Relations {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        if name == "Relationship"
            && tag.attribute("TargetMode").is_none_or(|m| m != "External")
            && let (Some(id), Some(sort), Some(target)) =
                (tag.attribute("Id"), tag.attribute("Type"), tag.attribute("Target"))
        {
            let sort = sort.rsplit('/').next().unwrap_or_default().to_string();
            self.list.push(Relation { id, sort, target: joined(&self.folder, &target) });
        }
        Descend::Into
    }
    fn close(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}
}

/// Properties of a package or an OpenDocument file.
#[derive(Default)]
struct Properties {
    key: Option<&'static str>,
    found: BTreeMap<String, String>,
}

impl Visitor for Properties {
    fn open(&mut self, name: &str, _: &Tag<'_>) -> Descend {
        self.key = match name {
            "title" => Some("title"),
            "subject" => Some("subject"),
            "creator" | "initial-creator" => Some("author"),
            "created" | "creation-date" => Some("created"),
            "modified" | "date" => Some("modified"),
            "keywords" | "keyword" => Some("keywords"),
            "Application" | "generator" => Some("producer"),
            _ => None,
        };
        Descend::Into
    }

    fn close(&mut self, _: &str) {
        self.key = None;
    }

    fn text(&mut self, text: &str) {
        if let Some(key) = self.key
            && !text.trim().is_empty()
        {
            self.found.entry(key.into()).or_default().push_str(text.trim());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn targets_are_relative_to_their_part() {
        assert_eq!(joined("ppt/slides", "../notesSlides/n1.xml"), "ppt/notesSlides/n1.xml");
        assert_eq!(joined("word", "styles.xml"), "word/styles.xml");
        assert_eq!(joined("word", "/word/document.xml"), "word/document.xml");
        assert_eq!(joined("", "../../etc/passwd"), "etc/passwd");
    }
}
