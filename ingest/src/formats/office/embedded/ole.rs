//! OLE objects that hold a file: a compound file (OLE 2) or what the packager wrote; in RTF with a header of
//! OLE 1 before it.

use std::io::{Cursor, Read};

use cfb::CompoundFile;

use crate::formats::sniff;

/// What the header of an OLE 1 object says an embedded object is; a linked one has its file elsewhere.
const EMBEDDED: usize = 2;

/// An object as RTF has it (MS-OLEDS 2.2): a header with the name of its class, then the object itself.
#[derive(Debug, PartialEq)]
pub(super) struct Ole1 {
    /// Name of the program's class, as `Excel.Sheet.12`; may be empty.
    pub(super) class: String,
    /// The file in it with its name, and `None` where there is none.
    pub(super) file: Option<(String, Vec<u8>)>,
}

/// Reads such an object, `None` for a mere link. A file without a name of its own is called `part`.
pub(super) fn ole1(part: &str, object: &[u8]) -> Option<Ole1> {
    let mut at = Cut(object);
    let mut head = || -> Option<(String, usize)> {
        at.take(4)?;
        let format = at.number()?;
        let class = narrow(at.counted()?);
        at.counted()?;
        at.counted()?;
        Some((class, format))
    };
    let Some((class, format)) = head() else { return Some(Ole1 { class: String::new(), file: None }) };
    if format != EMBEDDED {
        return None;
    }
    let native = at.number().and_then(|length| at.take(length));
    let file = native.and_then(|native| {
        if class == "Package" && !native.starts_with(&sniff::COMPOUND) {
            return packaged(part, native);
        }
        unpacked(part, native.to_vec())
    });
    Some(Ole1 { class, file })
}

/// The file in a part, with a name for it.
pub(super) fn unpacked(part: &str, bytes: Vec<u8>) -> Option<(String, Vec<u8>)> {
    if !bytes.starts_with(&sniff::COMPOUND) {
        return (!bytes.is_empty()).then(|| (part.to_string(), bytes));
    }
    let mut file = CompoundFile::open(Cursor::new(bytes.as_slice())).ok()?;
    if let Some(native) = stream(&mut file, "/\u{1}Ole10Native", bytes.len()) {
        return packaged(part, native.get(4..)?);
    }
    let stem = crate::formats::stem(part);
    for (name, end) in [("/Package", ""), ("/CONTENTS", ""), ("/EmbeddedOdf", ".odt")] {
        // A stream of one of these names may hold anything: only what starts as a file does is one.
        let Some(held) =
            stream(&mut file, name, bytes.len()).filter(|b| b.starts_with(b"PK\x03\x04") || is_pdf(b))
        else {
            continue;
        };
        let end = if is_pdf(&held) { ".pdf" } else { office_end(&held).unwrap_or(end) };
        return Some((format!("{stem}{end}"), held));
    }
    let old =
        [("/WordDocument", "doc"), ("/Workbook", "xls"), ("/Book", "xls"), ("/PowerPoint Document", "ppt")];
    let (_, end) = old.into_iter().find(|(name, _)| file.is_stream(name))?;
    drop(file);
    Some((format!("{stem}.{end}"), bytes))
}

fn is_pdf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-")
}

/// The usual ending of an office file's name.
fn office_end(bytes: &[u8]) -> Option<&'static str> {
    match sniff::sniff(bytes, "").ok()? {
        sniff::Format::Docx => Some(".docx"),
        sniff::Format::Pptx => Some(".pptx"),
        sniff::Format::Workbook => Some(".xlsx"),
        sniff::Format::OpenDocument => Some(".odt"),
        _ => None,
    }
}

/// A stream of the file, whose size is `most`: no stream is longer than what it lies in.
fn stream(file: &mut CompoundFile<Cursor<&[u8]>>, name: &str, most: usize) -> Option<Vec<u8>> {
    let length = file.entry(name).ok().filter(|e| e.is_stream())?.len();
    if length > most as u64 {
        return None;
    }
    let mut out = Vec::new();
    file.open_stream(name).ok()?.take(length).read_to_end(&mut out).ok()?;
    Some(out)
}

/// A file that was dragged into the document: label, path, then its bytes, then the names in Unicode.
pub(super) fn packaged(part: &str, native: &[u8]) -> Option<(String, Vec<u8>)> {
    let mut at = Cut(native.get(2..)?);
    let label = at.zero_ended()?;
    let path = at.zero_ended()?;
    at.take(4)?;
    let length = at.number()?;
    at.take(length)?;
    let length = at.number()?;
    let bytes = at.take(length)?.to_vec();
    // Temporary path, label, path: each as a count of characters and UTF-16.
    let unicode: Option<Vec<String>> = (0..3).map(|_| at.wide()).collect();
    let wide = unicode.and_then(|names| names.into_iter().nth(2)).unwrap_or_default();
    let names = [wide, narrow(path), narrow(label)];
    let mut names = names.iter().map(|n| n.rsplit(['/', '\\']).next().unwrap_or_default().trim());
    let name = names.find(|n| !n.is_empty()).unwrap_or(part).to_string();
    (!bytes.is_empty()).then_some((name, bytes))
}

fn narrow(text: &[u8]) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(text).0.trim_end_matches('\0').to_string()
}

/// Bytes that are cut off piece by piece.
struct Cut<'a>(&'a [u8]);

impl<'a> Cut<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (piece, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(piece)
    }

    fn number(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.take(4)?.try_into().ok()?)).ok()
    }

    /// A text after its length.
    fn counted(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(length)
    }

    fn zero_ended(&mut self) -> Option<&'a [u8]> {
        let length = self.0.iter().position(|b| *b == 0)?;
        let piece = self.take(length);
        self.take(1);
        piece
    }

    fn wide(&mut self) -> Option<String> {
        let length = self.number()?.checked_mul(2)?;
        let piece = self.take(length)?;
        Some(encoding_rs::UTF_16LE.decode_without_bom_handling(piece).0.trim_end_matches('\0').to_string())
    }
}
