//! Files inside an office document: office files as parts of the package, and OLE objects that hold a file.

use std::io::{Cursor, Read};

use cfb::CompoundFile;

use super::package::Package;
use super::warn;
use crate::error::ReadError;
use crate::formats::sniff;
use crate::model::{Attachment, Document};

/// Files that are taken out of one document.
const MAX_FILES: usize = 200;
/// Bytes of all of them: they wait in memory until they are read one by one.
const MAX_TOTAL: usize = 256 << 20;
/// Names that are listed in a warning.
const NAMED: usize = 10;

/// Takes the embedded files out of a package: they become documents of their own. What cannot be read is named in
/// a warning.
///
/// # Errors
/// [`ReadError::Password`] where a part is encrypted.
pub(super) fn files(package: &mut Package<'_>, document: &mut Document) -> Result<(), ReadError> {
    let parts: Vec<String> =
        package.names().filter(|n| n.contains("/embeddings/")).map(String::from).collect();
    let (mut left, mut unread) = (MAX_TOTAL, Vec::new());
    for part in &parts {
        let file = part.rsplit('/').next().unwrap_or(part);
        let bytes = match package.part(part) {
            Ok(bytes) => bytes.filter(|b| document.attachments.len() < MAX_FILES && b.len() <= left),
            Err(ReadError::TooLarge { .. }) => None,
            Err(error) => return Err(error),
        };
        let found = bytes.and_then(|bytes| unpacked(file, bytes));
        match found {
            Some((name, bytes)) => {
                left = left.saturating_sub(bytes.len());
                let part = u32::try_from(document.attachments.len() + 1).unwrap_or(u32::MAX);
                document.attachments.push(Attachment { name, part, bytes });
            }
            None => unread.push(file),
        }
    }
    if !unread.is_empty() {
        let shown: Vec<&str> = unread.iter().take(NAMED).copied().collect();
        let message = format!(
            "{} embedded objects were not read (no file in them, or beyond the limits): {}",
            unread.len(),
            shown.join(", ")
        );
        warn(document, "embedded", message);
    }
    Ok(())
}

/// The file in a part, with a name for it.
fn unpacked(part: &str, bytes: Vec<u8>) -> Option<(String, Vec<u8>)> {
    if !bytes.starts_with(&sniff::COMPOUND) {
        return (!bytes.is_empty()).then(|| (part.to_string(), bytes));
    }
    let mut file = CompoundFile::open(Cursor::new(bytes.as_slice())).ok()?;
    if let Some(native) = stream(&mut file, "/\u{1}Ole10Native", bytes.len()) {
        return packaged(part, &native);
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

/// A file that was dragged into the document: sizes, label, path, then its bytes, then the names in Unicode.
fn packaged(part: &str, native: &[u8]) -> Option<(String, Vec<u8>)> {
    let mut at = Cut(native.get(6..)?);
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
    let narrow = |name: &[u8]| encoding_rs::WINDOWS_1252.decode_without_bom_handling(name).0.into_owned();
    let names = [wide, narrow(path), narrow(label)];
    let mut names = names.iter().map(|n| n.rsplit(['/', '\\']).next().unwrap_or_default().trim());
    let name = names.find(|n| !n.is_empty()).unwrap_or(part).to_string();
    (!bytes.is_empty()).then_some((name, bytes))
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::formats::container::tests::zip;
    use crate::{Limits, read};

    fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
        let mut file = CompoundFile::create(Cursor::new(Vec::new())).unwrap();
        for (name, bytes) in streams {
            file.create_stream(name).unwrap().write_all(bytes).unwrap();
        }
        file.flush().unwrap();
        file.into_inner().into_inner()
    }

    /// As the packager of Windows writes it (MS-OLEDS 2.3.6 and what Office adds after it).
    fn native(name: &str, wide: Option<&str>, bytes: &[u8]) -> Vec<u8> {
        let path = format!("C:\\Ablage\\{name}");
        let mut body = vec![2, 0];
        for text in [name, &path] {
            body.extend(encoding_rs::WINDOWS_1252.encode(text).0.iter());
            body.push(0);
        }
        body.extend([0, 0, 3, 0]);
        body.extend(5_u32.to_le_bytes());
        body.extend(b"temp\0");
        body.extend((bytes.len() as u32).to_le_bytes());
        body.extend(bytes);
        if let Some(wide) = wide {
            for text in ["temp", wide, wide] {
                let units: Vec<u16> = text.encode_utf16().collect();
                body.extend((units.len() as u32).to_le_bytes());
                body.extend(units.iter().flat_map(|u| u.to_le_bytes()));
            }
        }
        [(body.len() as u32).to_le_bytes().to_vec(), body].concat()
    }

    fn docx(embedded: &[(&str, &[u8])]) -> Vec<u8> {
        let body = "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>Bericht</w:t></w:r></w:p></w:body></w:document>";
        let members =
            [("[Content_Types].xml", "<Types/>".as_bytes()), ("word/document.xml", body.as_bytes())];
        zip(&[&members[..], embedded].concat())
    }

    #[test]
    fn embedded_files_are_taken_out_with_their_names() {
        let inner = docx(&[]);
        let package = compound(&[("/Package", &inner)]);
        let pdf = compound(&[("/CONTENTS", b"%PDF-1.7 rest")]);
        let old = compound(&[("/Workbook", b"biff")]);
        let named = compound(&[("/\u{1}Ole10Native", &native("Pr\u{fc}fung.txt", None, b"Haftzug 1.2"))]);
        let wide = native("????.txt", Some("C:\\x\\План.txt"), b"Mass");
        let wide = compound(&[("/\u{1}Ole10Native", &wide)]);
        let equation = compound(&[("/Equation Native", b"x")]);
        let bytes = docx(&[
            ("word/embeddings/Tabelle.xlsx", b"PK\x03\x04 x"),
            ("word/embeddings/oleObject1.bin", &package),
            ("word/embeddings/oleObject2.bin", &pdf),
            ("word/embeddings/oleObject3.bin", &old),
            ("word/embeddings/oleObject4.bin", &named),
            ("word/embeddings/oleObject5.bin", &wide),
            ("word/embeddings/oleObject6.bin", &equation),
        ]);
        let document = read(&bytes, "bericht.docx", &Limits::default()).unwrap();
        let found: Vec<(&str, usize)> =
            document.attachments.iter().map(|a| (a.name.as_str(), a.bytes.len())).collect();
        assert_eq!(
            found,
            [
                ("oleobject1.docx", inner.len()),
                ("oleobject2.pdf", 13),
                ("oleobject3.xls", old.len()),
                ("Prüfung.txt", 11),
                ("План.txt", 4),
                ("tabelle.xlsx", 6),
            ]
        );
        let warning = document.warnings.iter().find(|w| w.code == "embedded").unwrap();
        assert!(
            warning.message.starts_with("1 embedded objects") && warning.message.contains("oleobject6.bin")
        );
    }

    #[test]
    fn a_cut_package_is_named_and_no_more() {
        let whole = native("a.txt", Some("a.txt"), b"text");
        assert_eq!(packaged("x.bin", &whole), Some(("a.txt".into(), b"text".to_vec())));
        let data_end = whole.len() - (4 + 8) - (4 + 10) * 2;
        for cut in 0..whole.len() {
            let found = packaged("x.bin", &whole[..cut]);
            assert_eq!(found.is_some(), cut >= data_end, "cut at {cut}");
        }
    }
}
