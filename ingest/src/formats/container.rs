//! ZIP archives of documents: a list of what is in them, and every member a document of its own.

use super::archive::Archive;
use super::office::warn;
use super::outline::Outline;
use crate::error::ReadError;
use crate::limits::{Limits, MAX_EXPANDED};
use crate::model::{Attachment, Document, Kind, Rest, TextUnit};
use crate::text::counted;

/// Bytes of the members that are read at once: they wait in memory, and go to the parent as one answer.
const PORTION: u64 = 128 << 20;
/// Bytes of one member.
const LARGEST: u64 = 256 << 20;
/// Names of members that are listed in a warning.
const NAMED: usize = 20;

/// Reads an archive. Members are attachments, named by their path in it; those that would be too many bytes at once
/// are its [`Document::rest`].
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let (mut archive, members) = open(bytes, limits)?;
    let all: u64 = members.iter().map(|(index, _)| archive.announced(*index)).sum();
    if all > limits.max_expanded_bytes {
        let limit = format!("expanded bytes ({}; its members have {all})", limits.max_expanded_bytes);
        return Err(ReadError::beyond(limit, MAX_EXPANDED));
    }
    let portion = Portion::read(&mut archive, &members, 0)?;
    let mut document = Document::new(Kind::Text, super::stem(name));
    let mut outline = Outline::new(TextUnit::Line, limits);
    let later = portion.rest.as_ref().map_or(members.len(), |rest| rest.from as usize);
    let later = members.iter().enumerate().skip(later).map(|(at, (_, name))| (part_of(at), name));
    for (part, name) in portion.attachments.iter().map(|a| (a.part, &a.name)).chain(later) {
        outline.at(part);
        outline.paragraph(name);
    }
    document.metadata.insert("members".into(), members.len().to_string());
    let hidden = archive.hidden();
    if hidden > 0 {
        let these = counted(
            hidden,
            "member has a name that a later one has",
            "members have names that later ones have",
        );
        warn(&mut document, "members", format!("{these} too; only the later can be read"));
    }
    portion.finish(&mut document)?;
    outline.finish(&mut document);
    Ok(document)
}

/// Goes on reading an archive from a member on: a document of nothing but attachments, warnings and what is left
/// now.
///
/// # Errors
/// [`ReadError`] where the bytes are no archive, or it expands beyond the limits.
pub fn read_rest(bytes: &[u8], from: u32, limits: &Limits) -> Result<Document, ReadError> {
    let (mut archive, members) = open(bytes, limits)?;
    let portion = Portion::read(&mut archive, &members, from as usize)?;
    let mut document = Document::new(Kind::Text, "");
    // A portion of broken members says so, and the next one may be better.
    let _ = portion.finish(&mut document);
    Ok(document)
}

type Members = Vec<(usize, String)>;

/// An archive and its members that are documents, with their places in it.
fn open<'a>(bytes: &'a [u8], limits: &Limits) -> Result<(Archive<'a>, Members), ReadError> {
    let limits = Limits { max_expanded_bytes: limits.max_expanded_bytes.min(LARGEST), ..limits.clone() };
    let mut archive = Archive::open(bytes, &limits)?;
    let members = archive.names().into_iter().filter(|(_, name)| !is_clutter(name)).collect();
    Ok((archive, members))
}

/// What was read at once.
#[derive(Default)]
struct Portion {
    attachments: Vec<Attachment>,
    faults: Vec<String>,
    /// The last of the faults.
    error: Option<ReadError>,
    rest: Option<Rest>,
}

impl Portion {
    /// Reads members from one on until they are enough, at least one.
    ///
    /// # Errors
    /// Only [`ReadError::TooLarge`]: a bomb. Nothing of such an archive can be trusted to be whole.
    fn read(archive: &mut Archive<'_>, members: &Members, from: usize) -> Result<Self, ReadError> {
        let mut portion = Portion::default();
        let mut taken = 0;
        for (at, (index, name)) in members.iter().enumerate().skip(from) {
            let announced = archive.announced(*index);
            if at > from && taken + announced > PORTION {
                let members = number(members.len() - at);
                portion.rest = Some(Rest { from: number(at), name: name.clone(), members });
                break;
            }
            let read = match announced {
                large if large > LARGEST => Err(ReadError::beyond_fixed(format!(
                    "bytes of an archive's member ({LARGEST}; it has {large}; store it outside of the archive)"
                ))),
                _ => archive.read(*index),
            };
            match read {
                Ok(bytes) => {
                    taken += bytes.len() as u64;
                    portion.attachments.push(Attachment { name: name.clone(), part: part_of(at), bytes });
                }
                Err(error @ ReadError::TooLarge { .. }) if announced <= LARGEST => return Err(error),
                Err(error) => {
                    portion.faults.push(format!("'{name}': {error}"));
                    portion.error = Some(error);
                }
            }
        }
        Ok(portion)
    }

    /// Puts it into the document.
    ///
    /// # Errors
    /// There is nothing but faults.
    fn finish(self, document: &mut Document) -> Result<(), ReadError> {
        if !self.faults.is_empty() {
            let shown: Vec<&str> = self.faults.iter().take(NAMED).map(String::as_str).collect();
            let these = counted(self.faults.len(), "member", "members");
            warn(document, "members", format!("{these} cannot be read: {}", shown.join("; ")));
        }
        let empty = self.attachments.is_empty() && self.rest.is_none();
        document.attachments = self.attachments;
        document.rest = self.rest;
        match self.error {
            Some(error) if empty => Err(error),
            _ => Ok(()),
        }
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Part number of the member at this place.
fn part_of(at: usize) -> u32 {
    number(at + 1)
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
        packed(members, zip::CompressionMethod::Deflated)
    }

    fn packed(members: &[(&str, &[u8])], method: zip::CompressionMethod) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let packed = SimpleFileOptions::default().compression_method(method);
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
    fn a_large_archive_is_read_in_portions_and_a_member_that_is_too_large_is_named() {
        let mib = |n: usize| vec![b'a'; n << 20];
        let (small, large) = (mib(100), mib(257));
        let members: [(&str, &[u8]); 4] = [("a", &small), ("b", &small), ("c", &large), ("d", &small)];
        let bytes = packed(&members, zip::CompressionMethod::Stored);
        let first = read(&bytes, "x.zip", &Limits::default()).unwrap();
        let names = |d: &Document| -> Vec<String> { d.attachments.iter().map(|a| a.name.clone()).collect() };
        assert_eq!(names(&first), ["a"]);
        assert_eq!(first.sections[0].text, "a\nb\nc\nd");
        assert_eq!(first.rest, Some(Rest { from: 1, name: "b".into(), members: 3 }));
        let second = read_rest(&bytes, 1, &Limits::default()).unwrap();
        assert_eq!((names(&second), second.attachments[0].part), (vec!["b".to_owned()], 2));
        let third = read_rest(&bytes, 2, &Limits::default()).unwrap();
        assert!(third.warnings[0].message.contains("'c'"), "{:?}", third.warnings);
        assert_eq!((names(&third), third.rest), (vec!["d".to_owned()], None));
        let below = Limits { max_expanded_bytes: 500 << 20, ..Limits::default() };
        let error = read(&bytes, "x.zip", &below).unwrap_err().to_string();
        assert!(error.contains("raise ingest.limits.max_expanded_mb"), "{error}");
    }

    #[test]
    fn members_of_one_name_are_told() {
        let mut bytes = zip(&[("a.txt", b"eins"), ("b.txt", b"zwei")]);
        let at: Vec<usize> =
            bytes.windows(5).enumerate().filter(|(_, w)| w == b"b.txt").map(|(at, _)| at).collect();
        at.into_iter().for_each(|at| bytes[at] = b'a');
        let document = read(&bytes, "x.zip", &Limits::default()).unwrap();
        assert_eq!(document.attachments.len(), 1);
        assert_eq!(document.attachments[0].bytes, b"zwei");
        assert!(document.warnings[0].message.starts_with("1 member has a name"), "{:?}", document.warnings);
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
