//! Files and pictures inside an office document: they become documents of their own.

mod odf;
mod ole;
mod ooxml;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use sha2::{Digest, Sha256};

pub(super) use odf::{flat as odf_flat, parts as odf_parts};
pub(super) use ooxml::files;

use super::package::Package;
use super::warn;
use crate::error::ReadError;
use crate::formats::{image, sniff};
use crate::model::{Attachment, Document};
use crate::text::counted;

/// Files and pictures that are taken out of one document.
const MAX_FILES: usize = 200;
/// Bytes of all of them: they wait in memory until they are read one by one.
const MAX_TOTAL: usize = 256 << 20;
/// Names that are listed in a warning.
const NAMED: usize = 10;

/// What is taken out of one document, one by one.
#[derive(Default)]
pub(crate) struct Inside {
    taken: Vec<(String, Vec<u8>)>,
    bytes: usize,
    /// Hashes of the pictures: one that stands in a document ten times is read once.
    pictures: HashSet<[u8; 32]>,
    unread: Unread,
}

/// Names of what was met and not read.
#[derive(Default)]
struct Unread {
    objects: Vec<String>,
    pictures: Vec<String>,
}

impl Inside {
    /// An object under the name of its part; `None` where its bytes cannot be had.
    pub(crate) fn object(&mut self, part: &str, bytes: Option<Vec<u8>>) {
        match bytes.and_then(|bytes| ole::unpacked(part, bytes)) {
            Some((name, bytes)) => self.file(part, name, bytes),
            None => self.unread.objects.push(part.to_string()),
        }
    }

    /// An object with the header that RTF gives it. A link to a file elsewhere is none.
    pub(crate) fn rtf_object(&mut self, part: &str, object: &[u8]) {
        let Some(object) = ole::ole1(part, object) else { return };
        match object.file {
            Some((name, bytes)) => self.file(part, name, bytes),
            None if object.class.is_empty() => self.unread.objects.push(part.to_string()),
            None => self.unread.objects.push(format!("{part} ({})", object.class)),
        }
    }

    /// A file as it is. What is not taken is named by its part.
    fn file(&mut self, part: &str, name: String, bytes: Vec<u8>) {
        if self.has_room(bytes.len()) {
            self.bytes += bytes.len();
            self.taken.push((name, bytes));
        } else {
            self.unread.objects.push(part.to_string());
        }
    }

    /// A picture under the name of its part. One too small to hold text is left out without a word, as is the
    /// second of two that are equal.
    pub(crate) fn picture(&mut self, part: &str, bytes: Option<Vec<u8>>) {
        let read = bytes.and_then(|bytes| image::sniff(&bytes).map(|format| (bytes, format)));
        let Some((bytes, format)) = read else {
            self.unread.pictures.push(part.to_string());
            return;
        };
        if image::is_tiny(&bytes, format) || !self.pictures.insert(Sha256::digest(&bytes).into()) {
            return;
        }
        if self.has_room(bytes.len()) {
            self.bytes += bytes.len();
            let end = format.end();
            let name = if sniff::extension(part).is_empty() { format!("{part}.{end}") } else { part.into() };
            self.taken.push((name, bytes));
        } else {
            self.unread.pictures.push(part.to_string());
        }
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.taken.len() < MAX_FILES && self.bytes + bytes <= MAX_TOTAL
    }

    /// Gives the document what was taken, and warnings that name the rest.
    pub(crate) fn finish(self, document: &mut Document) {
        for (name, bytes) in self.taken {
            let part = u32::try_from(document.attachments.len() + 1).unwrap_or(u32::MAX);
            document.attachments.push(Attachment { name, part, bytes });
        }
        let Unread { objects, pictures } = self.unread;
        let objects_were = counted(objects.len(), "embedded object was", "embedded objects were");
        tell(document, "embedded", &objects, &objects_were, "without a file inside");
        let pictures_were = counted(pictures.len(), "picture was", "pictures were");
        tell(
            document,
            "picture",
            &pictures,
            &pictures_were,
            "of a form without a reader, as EMF, WMF and SVG",
        );
    }
}

fn tell(document: &mut Document, code: &str, unread: &[String], these_were: &str, why: &str) {
    if unread.is_empty() {
        return;
    }
    let shown: Vec<&str> = unread.iter().take(NAMED).map(String::as_str).collect();
    let message = format!("{these_were} not read ({why}, or beyond the limits): {}", shown.join(", "));
    warn(document, code, message);
}

fn file_name(part: &str) -> &str {
    part.rsplit('/').next().unwrap_or(part)
}

/// A part's bytes; `None` where they cannot be had, the package's limits among the reasons.
fn part_bytes(package: &mut Package<'_>, part: &str) -> Result<Option<Vec<u8>>, ReadError> {
    match package.part(part) {
        Err(ReadError::TooLarge { .. }) => Ok(None),
        other => other,
    }
}
