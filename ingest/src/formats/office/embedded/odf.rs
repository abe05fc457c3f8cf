//! What lies in an OpenDocument file: objects as folders or OLE files, and the pictures of its frames.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Inside, file_name, part_bytes};
use crate::error::ReadError;
use crate::formats::office::package::Package;
use crate::formats::walk::{Descend, Tag, Visitor, walk};
use crate::formats::{archive, image, sniff};
use crate::model::Document;

/// Takes out the objects of a package and the pictures of its text. What stands in place of an object for programs
/// that cannot show it is left out, and so is what only page headers, footers and backgrounds show.
///
/// # Errors
/// [`ReadError::Password`] where a part is encrypted.
pub(in crate::formats::office) fn parts(
    package: &mut Package<'_>,
    content: Option<&[u8]>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let names: Vec<String> = package.names().map(String::from).collect();
    let mut inside = Inside::default();
    for folder in folders(&names) {
        let bytes = sub_document(package, &names, &folder)?;
        match bytes {
            Some((bytes, end)) => inside.file(&folder, format!("{folder}.{end}"), bytes),
            None => inside.unread.objects.push(folder),
        }
    }
    for name in names.iter().filter(|n| !n.contains(['/', '.']) && *n != "mimetype") {
        let bytes = part_bytes(package, name)?;
        if bytes.as_ref().is_none_or(|b| b.starts_with(&sniff::COMPOUND)) {
            inside.object(name, bytes);
        }
    }
    if names.iter().any(|n| n.starts_with("pictures/")) {
        let own = if content.is_none() { package.part("content.xml")? } else { None };
        let mut frames = Frames::default();
        walk(content.or(own.as_deref()).unwrap_or_default(), &mut frames)?;
        for frame in frames.closed {
            picture(frame, &mut inside, |name| part_bytes(package, name))?;
        }
    }
    inside.finish(document);
    Ok(())
}

/// As [`parts`], out of a file that is one XML text.
///
/// # Errors
/// As for reading that text.
pub(in crate::formats::office) fn flat(content: &[u8], document: &mut Document) -> Result<(), ReadError> {
    let mut frames = Frames::default();
    walk(content, &mut frames)?;
    let mut inside = Inside::default();
    for (number, object) in frames.objects.drain(..).enumerate() {
        inside.object(&format!("object {}", number + 1), object);
    }
    for frame in frames.closed {
        picture(frame, &mut inside, |_| Ok(None))?;
    }
    inside.finish(document);
    Ok(())
}

/// Folders that are documents of their own; what lies deeper is found when they are read.
fn folders(names: &[String]) -> BTreeSet<String> {
    let folder =
        |name: &String| name.strip_suffix("/content.xml").filter(|f| !f.contains('/')).map(String::from);
    names.iter().filter_map(folder).collect()
}

/// A folder packed as the file that it would be, and the usual ending of its name. `None` for what holds no text, as
/// formulas.
fn sub_document(
    package: &mut Package<'_>,
    names: &[String],
    folder: &str,
) -> Result<Option<(Vec<u8>, &'static str)>, ReadError> {
    let within = format!("{folder}/");
    let content = part_bytes(package, &format!("{within}content.xml"))?;
    let Some((sort, end)) = content.as_deref().and_then(sort) else { return Ok(None) };
    let mimetype = format!("application/vnd.oasis.opendocument.{sort}");
    let manifest = format!(
        "<?xml version=\"1.0\"?><manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">\
         <manifest:file-entry manifest:full-path=\"/\" manifest:media-type=\"{mimetype}\"/></manifest:manifest>"
    );
    let mut members = vec![
        ("mimetype".to_string(), mimetype.into_bytes()),
        ("META-INF/manifest.xml".to_string(), manifest.into_bytes()),
    ];
    let own = |name: &str| {
        name.strip_prefix(&within).is_some_and(|n| n != "mimetype" && n != "meta-inf/manifest.xml")
    };
    for name in names.iter().filter(|name| own(name)) {
        let Some(bytes) = part_bytes(package, name)? else { return Ok(None) };
        members.push((name.get(within.len()..).unwrap_or_default().to_string(), bytes));
    }
    Ok(archive::pack(&members).ok().map(|bytes| (bytes, end)))
}

/// What sort of document the body says it is.
fn sort(content: &[u8]) -> Option<(&'static str, &'static str)> {
    #[derive(Default)]
    struct Sort {
        in_body: bool,
        found: Option<(&'static str, &'static str)>,
    }
    impl Visitor for Sort {
        fn open(&mut self, name: &str, _: &Tag<'_>) -> Descend {
            match name {
                "body" => self.in_body = true,
                _ if !self.in_body => {
                    return if name.starts_with("document") { Descend::Into } else { Descend::Skip };
                }
                "text" => self.found = Some(("text", "odt")),
                "spreadsheet" => self.found = Some(("spreadsheet", "ods")),
                "presentation" => self.found = Some(("presentation", "odp")),
                "drawing" => self.found = Some(("graphics", "odg")),
                "chart" => self.found = Some(("chart", "odc")),
                _ => {}
            }
            if name == "body" { Descend::Into } else { Descend::Skip }
        }
        fn close(&mut self, _: &str) {}
        fn text(&mut self, _: &str) {}
    }
    let mut found = Sort::default();
    walk(content, &mut found).ok()?;
    found.found
}

/// One form of a picture.
enum Form {
    Part(String),
    /// In the text itself, where the file is one XML text.
    Bytes(Vec<u8>),
}

/// The pictures of a text: each frame has one, in one or several forms.
#[derive(Default)]
struct Frames {
    open: Vec<Frame>,
    /// Base64 while it is read.
    data: Option<String>,
    in_object: bool,
    closed: Vec<Frame>,
    /// OLE objects in the text itself.
    objects: Vec<Option<Vec<u8>>>,
}

#[derive(Default)]
struct Frame {
    forms: Vec<Form>,
    /// The pictures stand in place of it.
    object: bool,
}

impl Visitor for Frames {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "styles" | "automatic-styles" | "master-styles" | "tracked-changes" => return Descend::Skip,
            "frame" => self.open.push(Frame::default()),
            "object" | "object-ole" => {
                self.in_object = name == "object-ole";
                if let Some(frame) = self.open.last_mut() {
                    frame.object = true;
                }
            }
            "image" => {
                let part =
                    tag.attribute("xlink:href").filter(|href| !href.is_empty() && !href.contains("://"));
                if let (Some(frame), Some(part)) = (self.open.last_mut(), part) {
                    frame.forms.push(Form::Part(part.trim_start_matches("./").to_string()));
                }
            }
            "binary-data" => self.data = Some(String::new()),
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        match name {
            "frame" => self.closed.extend(self.open.pop().filter(|f| !f.object && !f.forms.is_empty())),
            "object" | "object-ole" => self.in_object = false,
            "binary-data" => {
                let text = self.data.take().unwrap_or_default();
                let bytes = STANDARD.decode(text).ok();
                if self.in_object {
                    self.objects.push(bytes);
                } else if let Some(frame) = self.open.last_mut() {
                    frame.forms.push(Form::Bytes(bytes.unwrap_or_default()));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(data) = &mut self.data {
            data.extend(text.split_whitespace());
        }
    }
}

/// Takes the form of a frame's picture that can be read; the first is named where none can.
fn picture(
    frame: Frame,
    inside: &mut Inside,
    mut part: impl FnMut(&str) -> Result<Option<Vec<u8>>, ReadError>,
) -> Result<(), ReadError> {
    let mut unread = None;
    for form in frame.forms {
        let (name, bytes) = match form {
            Form::Part(name) => {
                let bytes = part(&name)?;
                (file_name(&name).to_ascii_lowercase(), bytes)
            }
            Form::Bytes(bytes) => (format!("picture{}", inside.pictures.len() + 1), Some(bytes)),
        };
        if bytes.as_ref().is_some_and(|b| image::sniff(b).is_some()) {
            inside.picture(&name, bytes);
            return Ok(());
        }
        unread = unread.or(Some(name));
    }
    inside.unread.pictures.extend(unread);
    Ok(())
}
