//! Files inside a PDF: those of its name tree, and those pinned to pages.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as Text};

use super::info::{name_tree, one_line};
use crate::limits::Limits;
use crate::model::{Attachment, Warning};

/// Annotations looked at per page.
const MAX_PER_PAGE: usize = 5_000;

/// The embedded files, each once. What cannot be unpacked or lies beyond the limits is a warning.
pub(super) fn files(pdf: &Pdf, limits: &Limits, warnings: &mut Vec<Warning>) -> Vec<Attachment> {
    let mut taken = Taken { seen: HashSet::new(), left: limits.max_expanded_bytes, out: Vec::new() };
    for (spec, page) in specs(pdf, limits.max_members as usize) {
        if taken.out.len() >= limits.max_members as usize {
            let message = format!("only the first {} embedded files were read", limits.max_members);
            warnings.push(Warning { code: "member-limit".into(), message, page: None });
            break;
        }
        if let Err(message) = taken.file(&spec) {
            warnings.push(Warning { code: "embedded-file".into(), message, page });
        }
    }
    taken.out
}

/// File specifications with the page that they are pinned to.
fn specs(pdf: &Pdf, limit: usize) -> Vec<(Dict<'_>, Option<u32>)> {
    let mut out = Vec::new();
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else { return out };
    if let Some(tree) = catalog.get::<Dict<'_>>("Names").and_then(|n| n.get::<Dict<'_>>("EmbeddedFiles")) {
        name_tree(&tree, limit.saturating_add(1), &mut |_, item: Object<'_>| {
            out.extend(item.into_dict().map(|d| (d, None)));
        });
    }
    if let Some(list) = catalog.get::<Array<'_>>("AF") {
        out.extend(list.iter::<Dict<'_>>().take(limit).map(|d| (d, None)));
    }
    for (index, page) in pdf.pages().iter().enumerate() {
        let Some(list) = page.raw().get::<Array<'_>>("Annots") else { continue };
        for annotation in list.iter::<Dict<'_>>().take(MAX_PER_PAGE) {
            let pinned =
                annotation.get::<Name<'_>>("Subtype").is_some_and(|s| s.as_str() == "FileAttachment");
            if let Some(spec) = annotation.get::<Dict<'_>>("FS").filter(|_| pinned) {
                out.push((spec, u32::try_from(index + 1).ok()));
            }
        }
    }
    out
}

struct Taken {
    /// Where each stream's bytes lie: a file may be named in several places.
    seen: HashSet<(usize, usize)>,
    left: u64,
    out: Vec<Attachment>,
}

impl Taken {
    fn file(&mut self, spec: &Dict<'_>) -> Result<(), String> {
        let string = |key: &str| spec.get::<Text<'_>>(key).map(|t| one_line(&t)).filter(|t| !t.is_empty());
        let declared = string("UF").or_else(|| string("F")).unwrap_or_default();
        let file = declared.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_string();
        let Some(streams) = spec.get::<Dict<'_>>("EF") else { return Ok(()) };
        let stream = ["UF", "F", "Unix", "Mac", "DOS"].iter().find_map(|k| streams.get::<Stream<'_>>(*k));
        let shown = if file.is_empty() { "an embedded file" } else { &file };
        let Some(stream) = stream else { return Err(format!("{shown} cannot be read: it has no contents")) };
        let id = stream.obj_id();
        let key = (id.obj_number as usize, usize::try_from(id.gen_number).unwrap_or(0));
        if !self.seen.insert(key) {
            return Ok(());
        }
        let size = super::bombs::expanded(&stream, self.left)
            .ok_or_else(|| format!("{shown} expands beyond the limit and was not read"))?;
        let bytes = stream
            .decoded()
            .map_err(|_| format!("{shown} cannot be unpacked; it may be protected"))?
            .into_owned();
        self.left = self.left.saturating_sub(size.max(bytes.len() as u64));
        let part = u32::try_from(self.out.len() + 1).unwrap_or(u32::MAX);
        let name = if file.is_empty() { format!("file-{part}") } else { file };
        self.out.push(Attachment { name, part, bytes });
        Ok(())
    }
}
