//! BCF 2.0, 2.1 and 3.0: topics with comments, the views of the model with the elements selected in them,
//! and the files that go with them. Tolerant: field archives lack `bcf.version`, extensions, even titles.

mod topic;
mod views;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;

use crate::error::ReadError;
use crate::formats::archive::Archive;
use crate::formats::xml::{self, Node};
use crate::limits::Limits;
use crate::model::{Attachment, Document, Kind, RecordCounts, Register, RejectedRecord, Warning};

/// A member of the archive: its number and its file name.
type Member = (usize, String);

/// Reads an archive.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let mut archive = Archive::open(bytes, limits)?;
    let mut document = Document::new(Kind::Rfi, crate::formats::stem(name));
    let members: Vec<(usize, String)> =
        archive.names().into_iter().filter(|(_, path)| !is_litter(path)).collect();
    let mut by_folder: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    let mut documents = BTreeMap::new();
    for (index, path) in &members {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        match file.to_ascii_lowercase().as_str() {
            "bcf.version" => version(&mut archive, *index, &mut document)?,
            "project.bcfp" => project(&mut archive, *index, &mut document)?,
            "documents.xml" => documents = listed_documents(&mut archive, *index, &mut document)?,
            _ => by_folder.entry(folder.to_string()).or_default().push((*index, file.to_string())),
        }
    }
    let mut register = Register { name: document.title.clone(), unit: "topic".into(), ..Register::default() };
    let context = Context { members: &members, documents: &documents };
    for (folder, markup, files) in folders(&by_folder) {
        let outcome = match markup {
            Some(markup) => {
                topic::read(&mut archive, markup, (folder, files), &context, &mut document.warnings)?
            }
            None => Err("its folder has views but no markup.bcf".into()),
        };
        match outcome {
            Ok(record) => document.records.push(record),
            Err(reason) => {
                register.rejected.push(RejectedRecord { place: format!("topic {folder}"), reason })
            }
        }
    }
    topic::number_by_titles(&mut document.records);
    let (stored, rejected) = (document.records.len() as u64, register.rejected.len() as u64);
    register.counts = RecordCounts { found: stored + rejected, stored, merged: 0, rejected };
    document.take_register(register);
    if document.records.is_empty() {
        warn(&mut document.warnings, "empty", "the archive has no topic".into());
    }
    attachments(&mut archive, &members, &documents, &mut document);
    Ok(document)
}

/// Largest picture that is taken out of an archive.
const MAX_PICTURE_BYTES: u64 = 32 << 20;

/// The picture that lies under a path.
pub(crate) fn picture(bytes: &[u8], member: &str, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let most = limits.max_expanded_bytes.min(MAX_PICTURE_BYTES);
    let mut archive = Archive::open(bytes, &Limits { max_expanded_bytes: most, ..limits.clone() })?;
    let found = archive.names().into_iter().find(|(_, path)| path == member);
    let Some((index, _)) = found else {
        return Err(ReadError::Damaged { detail: "the archive has no such picture".into() });
    };
    let picture = archive.read(index)?;
    if picture.starts_with(b"\x89PNG\r\n\x1a\n") || picture.starts_with(&[0xff, 0xd8, 0xff]) {
        Ok(picture)
    } else {
        Err(ReadError::Unsupported { found: "a member of the archive that is no PNG or JPEG".into() })
    }
}

/// What topics refer to.
struct Context<'a> {
    members: &'a [Member],
    /// File names of documents by GUID (3.0).
    documents: &'a BTreeMap<String, String>,
}

/// What file managers leave in archives.
fn is_litter(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    path.starts_with("__MACOSX/") || file.starts_with("._") || matches!(file, ".DS_Store" | "Thumbs.db")
}

/// Folders of topics in the order of the archive, not of their names, which are random.
fn folders(by_folder: &BTreeMap<String, Vec<Member>>) -> Vec<(&str, Option<usize>, &[Member])> {
    let ends = |file: &str, end: &str| file.to_ascii_lowercase().ends_with(end);
    let mut out: Vec<(&str, Option<usize>, &[Member])> = by_folder
        .iter()
        .filter(|(_, files)| files.iter().any(|f| ends(&f.1, "markup.bcf") || ends(&f.1, ".bcfv")))
        .map(|(folder, files)| {
            let markup = files.iter().find(|f| f.1.eq_ignore_ascii_case("markup.bcf")).map(|f| f.0);
            (folder.as_str(), markup, files.as_slice())
        })
        .collect();
    out.sort_by_key(|(_, markup, files)| markup.or(files.first().map(|f| f.0)));
    out
}

fn warn(warnings: &mut Vec<Warning>, code: &str, message: String) {
    warnings.push(Warning { code: code.into(), message, page: None });
}

/// Parses a member; what is broken is a warning, what exceeds the limits an error.
fn member(
    archive: &mut Archive<'_>,
    index: usize,
    file: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Node>, ReadError> {
    match archive.read(index) {
        Ok(bytes) => {
            let (root, fault) = xml::parse(&bytes);
            if let Some(fault) = fault {
                warn(warnings, "xml", format!("{file}: {fault}; what came before it was read"));
            }
            Ok(root.children.into_iter().next())
        }
        Err(error @ (ReadError::TooLarge { .. } | ReadError::Password)) => Err(error),
        Err(error) => {
            warn(warnings, "member", format!("{file}: {error}"));
            Ok(None)
        }
    }
}

fn version(archive: &mut Archive<'_>, index: usize, document: &mut Document) -> Result<(), ReadError> {
    let root = member(archive, index, "bcf.version", &mut document.warnings)?;
    if let Some(version) = root.as_ref().and_then(|r| r.attribute("VersionId")) {
        document.metadata.insert("schema".into(), format!("BCF {version}"));
    }
    Ok(())
}

fn project(archive: &mut Archive<'_>, index: usize, document: &mut Document) -> Result<(), ReadError> {
    let root = member(archive, index, "project.bcfp", &mut document.warnings)?;
    let name = root.as_ref().and_then(|r| r.child("Project")).map(|p| p.text_of("Name")).unwrap_or_default();
    if !name.is_empty() {
        document.metadata.insert("project".into(), name);
    }
    Ok(())
}

/// The list of documents inside a 3.0 archive: they lie in `Documents` under their GUID.
fn listed_documents(
    archive: &mut Archive<'_>,
    index: usize,
    document: &mut Document,
) -> Result<BTreeMap<String, String>, ReadError> {
    let root = member(archive, index, "documents.xml", &mut document.warnings)?;
    let lists = root.iter().flat_map(|r| r.all("Documents")).flat_map(|d| d.all("Document"));
    Ok(lists
        .filter_map(|d| Some((d.attribute("Guid")?.to_ascii_lowercase(), d.text_of("Filename"))))
        .collect())
}

/// Files in the archive that are no part of the format itself: documents of their own.
fn attachments(
    archive: &mut Archive<'_>,
    members: &[Member],
    documents: &BTreeMap<String, String>,
    document: &mut Document,
) {
    const OWN: [&str; 8] = ["bcf", "bcfv", "bcfp", "version", "xsd", "png", "jpg", "jpeg"];
    let mut part = 0;
    for (index, path) in members {
        let file = path.rsplit('/').next().unwrap_or(path);
        let lower = file.to_ascii_lowercase();
        let end = lower.rsplit('.').next().unwrap_or_default();
        if OWN.contains(&end) || matches!(lower.as_str(), "documents.xml" | "extensions.xml") {
            continue;
        }
        part += 1;
        let name = documents.get(&lower).filter(|n| !n.is_empty()).map_or(file, String::as_str);
        match archive.read(*index) {
            Ok(bytes) => document.attachments.push(Attachment { name: name.into(), part, bytes }),
            Err(error) => {
                warn(
                    &mut document.warnings,
                    "attachment",
                    format!("attachment '{name}' was left out: {error}"),
                );
            }
        }
    }
}
