//! ZIP archives of documents: a list of what is in them, and every member a document of its own.

use super::archive::Archive;
use super::office::warn;
use super::outline::Outline;
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Attachment, Document, Kind, TextUnit};
use crate::text::counted;

/// Bytes of all members together: they wait in memory until they are read one by one.
const MAX_TOTAL: u64 = 256 << 20;
/// Names of members that are listed in a warning.
const NAMED: usize = 20;

/// Reads an archive. Members are attachments, named by their path in it.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let limits = Limits { max_expanded_bytes: limits.max_expanded_bytes.min(MAX_TOTAL), ..limits.clone() };
    let mut archive = Archive::open(bytes, &limits)?;
    let mut document = Document::new(Kind::Text, super::stem(name));
    let mut outline = Outline::new(TextUnit::Line, &limits);
    let mut faults: Vec<String> = Vec::new();
    let mut refuse = None;
    let names: Vec<(usize, String)> = archive.names().into_iter().filter(|(_, n)| !is_clutter(n)).collect();
    for (index, member) in &names {
        match archive.read(*index) {
            Ok(bytes) => {
                let part = u32::try_from(document.attachments.len() + 1).unwrap_or(u32::MAX);
                outline.at(part);
                outline.paragraph(member);
                document.attachments.push(Attachment { name: member.clone(), part, bytes });
            }
            // A bomb, or more than fits: nothing of the archive can be trusted to be whole.
            Err(error @ ReadError::TooLarge { .. }) => return Err(error),
            Err(error) => {
                faults.push(format!("'{member}': {error}"));
                refuse = Some(error);
            }
        }
    }
    match refuse {
        Some(error) if document.attachments.is_empty() => return Err(error),
        _ => {}
    }
    document.metadata.insert("members".into(), names.len().to_string());
    if !faults.is_empty() {
        let shown: Vec<&str> = faults.iter().take(NAMED).map(String::as_str).collect();
        let message =
            format!("{} cannot be read: {}", counted(faults.len(), "member", "members"), shown.join("; "));
        warn(&mut document, "members", message);
    }
    outline.finish(&mut document);
    Ok(document)
}

/// What archiving programs and file managers leave behind.
fn is_clutter(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX/")
        || file.starts_with("~$")
        || file.starts_with("._")
        || matches!(file, ".DS_Store" | "Thumbs.db" | "desktop.ini")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::read;

    /// An archive of these members.
    pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let packed = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        for (name, bytes) in members {
            zip.start_file(*name, packed).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn members_keep_their_path() {
        let bytes = zip(&[
            ("Pläne/EG/liste.txt", b"eins"),
            ("__MACOSX/._x", b"?"),
            ("a.md", b"# A"),
            ("Pläne/.DS_Store", b"?"),
        ]);
        let document = read(&bytes, "abgabe.zip", &Limits::default()).unwrap();
        let names: Vec<&str> = document.attachments.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["Pläne/EG/liste.txt", "a.md"]);
        assert_eq!(document.attachments[0].bytes, b"eins");
        assert_eq!((document.title.as_str(), document.metadata["members"].as_str()), ("abgabe", "2"));
        assert_eq!(document.sections[0].text, "Pläne/EG/liste.txt\na.md");
    }

    #[test]
    fn bombs_are_refused_by_size_ratio_and_count() {
        let zeros = vec![0_u8; 40 << 20];
        let ratio = zip(&[("x.txt", &zeros)]);
        assert!(matches!(read(&ratio, "x.zip", &Limits::default()), Err(ReadError::TooLarge { .. })));
        let small = Limits { max_expanded_bytes: 100, max_members: 3, ..Limits::default() };
        let size = zip(&[("a.txt", &[b'a'; 60]), ("b.txt", &[b'b'; 60])]);
        assert!(matches!(read(&size, "x.zip", &small), Err(ReadError::TooLarge { .. })));
        let many = zip(&[("a", b""), ("b", b""), ("c", b""), ("d", b"")]);
        assert!(matches!(read(&many, "x.zip", &small), Err(ReadError::TooLarge { .. })));
    }
}
