//! What lies in a DOCX, PPTX or XLSX file: embedded files, and the pictures of text, slides and sheets.

use std::collections::HashSet;

use super::{Inside, file_name, part_bytes};
use crate::error::ReadError;
use crate::formats::office::package::Package;
use crate::formats::walk::{Descend, Tag, Visitor};
use crate::model::Document;

/// Takes embedded files and pictures out. Pictures of page headers, layouts and masters, and those that stand in place
/// of an object, are left out.
///
/// # Errors
/// [`ReadError::Password`] where a part is encrypted.
pub(in crate::formats::office) fn files(
    package: &mut Package<'_>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let mut inside = Inside::default();
    let parts: Vec<String> =
        package.names().filter(|n| n.contains("/embeddings/")).map(String::from).collect();
    for part in &parts {
        let bytes = part_bytes(package, part)?;
        inside.object(file_name(part), bytes);
    }
    let mut seen = HashSet::new();
    let holders: Vec<String> = package.names().filter_map(holder).collect();
    for holder in holders {
        let relations = package.relations(&holder)?;
        let mut previews = Previews::default();
        if relations.iter().any(|r| matches!(r.sort.as_str(), "oleObject" | "package")) {
            package.visit(&holder, &mut previews)?;
        }
        let pictures = relations.iter().filter(|r| r.sort == "image" && !previews.ids.contains(&r.id));
        for target in pictures.map(|r| r.target.to_ascii_lowercase()) {
            // A drawing of this form has the same picture in pixels beside it.
            if !target.ends_with(".svg") && seen.insert(target.clone()) {
                let bytes = part_bytes(package, &target)?;
                inside.picture(file_name(&target), bytes);
            }
        }
    }
    inside.finish(document);
    Ok(())
}

/// The part whose relationships are in the part of this name, where its pictures belong to the text.
fn holder(name: &str) -> Option<String> {
    let (folder, file) = name.strip_suffix(".rels")?.split_once("/_rels/")?;
    let start = match folder {
        "word" => "document",
        "ppt/slides" => "slide",
        "xl/drawings" => "drawing",
        _ => return None,
    };
    (file.starts_with(start) && file.ends_with(".xml")).then(|| format!("{folder}/{file}"))
}

/// Identifiers of the pictures that stand in place of objects.
#[derive(Default)]
struct Previews {
    depth: u32,
    ids: HashSet<String>,
}

impl Visitor for Previews {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "object" | "oleObj" => self.depth += 1,
            "imagedata" | "blip" if self.depth > 0 => {
                self.ids.extend(tag.attribute("r:id").or_else(|| tag.attribute("r:embed")));
            }
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        if matches!(name, "object" | "oleObj") {
            self.depth = self.depth.saturating_sub(1);
        }
    }

    fn text(&mut self, _: &str) {}
}
