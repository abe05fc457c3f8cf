//! What sort of file it is: first bytes first, the name second.

use std::io::{Cursor, Read};

use super::image::{self, ImageFormat};
use crate::error::ReadError;

/// A format with a reader of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Pdf,
    Image(ImageFormat),
    /// IFC as STEP text.
    Step,
    /// IFC as XML.
    IfcXml,
    /// A ZIP archive with one IFC model inside.
    IfcZip,
    /// Any workbook that calamine opens.
    Workbook,
    Bcf,
    /// A ZIP archive of CSV tables, one of them of requests.
    RfiTables,
    Json,
    Csv,
    Mail,
    /// A message of Outlook.
    Msg,
    /// Word.
    Docx,
    /// PowerPoint.
    Pptx,
    /// OpenDocument text or presentation, packed or flat.
    OpenDocument,
    Rtf,
    Html,
    Markdown,
    /// A drawing as text.
    Dxf,
    /// A ZIP archive of files.
    Zip,
    Text,
}

/// How a file in Microsoft's compound form begins.
pub(crate) const COMPOUND: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// The format, or why there is no reader for it.
pub(crate) fn sniff(bytes: &[u8], name: &str) -> Result<Format, ReadError> {
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    let extension = extension(name);
    let unknown = |what: &str| Err(ReadError::Unsupported { found: described(what, name) });
    if let Some(format) = image::sniff(head) {
        return Ok(Format::Image(format));
    }
    // Something may stand before a PDF's mark; a text may speak of the mark.
    if find(head, b"%PDF-").is_some_and(|at| at == 0 || !may_speak_of_formats(&extension)) {
        return Ok(Format::Pdf);
    }
    if image::is_heif(head) {
        return Err(ReadError::Outdated {
            found: described("a HEIC or AVIF photograph", name),
            save_as: "JPEG".into(),
        });
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return archive(bytes, &extension);
    }
    if head.starts_with(&COMPOUND) {
        return compound(bytes, name);
    }
    if find(head, b"ISO-10303-21").is_some() {
        let header = bytes.get(..bytes.len().min(65_536)).unwrap_or_default();
        let is_ifc =
            extension == "ifc" || find(header, b"IFC2X").is_some() || find(header, b"IFC4").is_some();
        return if is_ifc { Ok(Format::Step) } else { unknown("a STEP file that is no IFC model") };
    }
    if head.starts_with(b"{\\rtf") {
        return Ok(Format::Rtf);
    }
    if head.starts_with(b"AutoCAD Binary DXF") {
        return Err(ReadError::Outdated {
            found: "a DXF drawing in binary form".into(),
            save_as: "DXF as text".into(),
        });
    }
    // Parts of a message may be sent as they are.
    if extension == "eml" && !bytes.is_empty() {
        return Ok(Format::Mail);
    }
    if !(is_text(head) || is_named_text(&extension) && is_mostly_text(head)) {
        let sort = infer::get(bytes).map(|t| format!("{} data", t.mime_type()));
        return unknown(sort.as_deref().unwrap_or("binary data"));
    }
    if extension == "ifcx" || find(head, b"\"ifcxVersion\"").is_some() {
        let found =
            "an IFC5 model (.ifcx), whose format is not a standard yet; export it as IFC4 or IFC4X3".into();
        return Err(ReadError::Unsupported { found });
    }
    if extension == "ifcxml" || find(head, b"<ifcXML").is_some() || find(head, b":ifcXML").is_some() {
        return Ok(Format::IfcXml);
    }
    text(bytes, head, &extension)
        .map_or_else(|| unknown(if bytes.is_empty() { "an empty file" } else { "text" }), Ok)
}

/// What a text is, by its first lines, and where they say nothing, by its name.
fn text(bytes: &[u8], head: &[u8], extension: &str) -> Option<Format> {
    let (start, _) = super::charset::decode(head);
    let start = start.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).to_ascii_lowercase();
    if start.starts_with("<!doctype html") || start.starts_with("<html") || is_page(&start) {
        return Some(Format::Html);
    }
    if start.starts_with("<?xml") && start.contains("<office:document") {
        return Some(Format::OpenDocument);
    }
    if is_drawing(&start) {
        return Some(Format::Dxf);
    }
    Some(match extension {
        // Programs write tables as text and call them workbooks.
        "csv" | "tsv" | "xls" => Format::Csv,
        "json" => Format::Json,
        "ifc" => Format::Step,
        "md" | "markdown" => Format::Markdown,
        _ if is_mail(head) => Format::Mail,
        "htm" | "html" | "xhtml" => Format::Html,
        "txt" | "text" | "log" | "asc" | "" => Format::Text,
        _ => return None,
    })
    .filter(|_| {
        !bytes.is_empty()
            || matches!(extension, "csv" | "tsv" | "json" | "ifc" | "txt" | "md" | "markdown" | "text" | "")
    })
}

/// A page behind an XML declaration or a comment.
fn is_page(start: &str) -> bool {
    (start.starts_with("<?xml") || start.starts_with("<!--")) && start.contains("<html")
}

/// A DXF file starts with its first section, or with comments (group 999) before it.
fn is_drawing(start: &str) -> bool {
    let mut lines = start.lines().map(str::trim);
    loop {
        match (lines.next(), lines.next()) {
            (Some("0"), Some("section")) => return true,
            (Some("999"), Some(_)) => {}
            _ => return false,
        }
    }
}

/// A file in Microsoft's compound form: old office formats, messages, and encrypted files of the new ones.
fn compound(bytes: &[u8], name: &str) -> Result<Format, ReadError> {
    let entry = |wanted: &str| {
        let utf16: Vec<u8> = wanted.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memmem(bytes, &utf16)
    };
    let outdated = |found: &str, save_as: &str| {
        Err(ReadError::Outdated { found: described(found, name), save_as: save_as.into() })
    };
    if entry("EncryptedPackage") {
        return Err(ReadError::Password);
    }
    if entry("WordDocument") {
        return outdated("a Word 97-2003 document", "DOCX");
    }
    if entry("PowerPoint Document") {
        return outdated("a PowerPoint 97-2003 presentation", "PPTX");
    }
    if super::mail::is_msg(bytes) {
        return Ok(Format::Msg);
    }
    if entry("Workbook")
        || entry("Book")
        || matches!(extension(name).as_str(), "xls" | "xlsx" | "xlsm" | "xlt")
    {
        return Ok(Format::Workbook);
    }
    Err(ReadError::Unsupported { found: described("a Microsoft compound file", name) })
}

fn memmem(haystack: &[u8], needle: &[u8]) -> bool {
    find(haystack, needle).is_some()
}

/// Lower-case extension of a file name, empty where there is none.
pub(crate) fn extension(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default()
}

fn described(what: &str, name: &str) -> String {
    match extension(name).as_str() {
        "" => what.to_string(),
        other => format!("{what}, named .{other}"),
    }
}

fn archive(bytes: &[u8], extension: &str) -> Result<Format, ReadError> {
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        // The reader says what is wrong with it.
        return Ok(match extension {
            "xlsx" | "xlsm" | "ods" => Format::Workbook,
            "bcf" | "bcfzip" => Format::Bcf,
            "docx" | "docm" | "dotx" => Format::Docx,
            "pptx" | "pptm" | "ppsx" => Format::Pptx,
            "odt" | "odp" | "ott" => Format::OpenDocument,
            _ => Format::Zip,
        });
    };
    if let Some(format) = open_document(&mut archive) {
        return Ok(format);
    }
    let names: Vec<String> = archive.file_names().flatten().map(|n| n.to_ascii_lowercase()).collect();
    let has = |wanted: &dyn Fn(&str) -> bool| names.iter().any(|n| wanted(n));
    // An office package says so at its root; an archive of office files has them as members.
    if has(&|n| n == "[content_types].xml") {
        for (folder, format) in [("xl/", Format::Workbook), ("word/", Format::Docx), ("ppt/", Format::Pptx)] {
            if has(&|n| n.starts_with(folder)) {
                return Ok(format);
            }
        }
    }
    if has(&|n| n == "xl/workbook.xml" || n == "xl/workbook.bin") {
        return Ok(Format::Workbook);
    }
    if has(&|n| n == "bcf.version" || n.ends_with("markup.bcf")) || matches!(extension, "bcf" | "bcfzip") {
        return Ok(Format::Bcf);
    }
    if has(&|n| super::rfi::tables::is_main(n)) {
        return Ok(Format::RfiTables);
    }
    let is_model = |n: &str| n.ends_with(".ifc") || n.ends_with(".ifcxml");
    let files: Vec<&String> = names.iter().filter(|n| !n.ends_with('/')).collect();
    let lone_model = matches!(files.as_slice(), [only] if is_model(only));
    let named_model = extension == "ifczip" && has(&|n| is_model(n) || n.ends_with(".xml"));
    if lone_model || named_model {
        return Ok(Format::IfcZip);
    }
    Ok(Format::Zip)
}

/// OpenDocument files name their type in their first member.
fn open_document(archive: &mut zip::ZipArchive<Cursor<&[u8]>>) -> Option<Format> {
    let mut declared = String::new();
    archive.by_name("mimetype").ok()?.take(200).read_to_string(&mut declared).ok()?;
    let sort = declared.trim().strip_prefix("application/vnd.oasis.opendocument.")?;
    Some(if sort.starts_with("spreadsheet") { Format::Workbook } else { Format::OpenDocument })
}

/// No byte that text never has; UTF-16 is told by its byte order mark.
fn is_text(head: &[u8]) -> bool {
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return true;
    }
    !head.iter().any(|b| matches!(b, 0..=8 | 14..=26 | 28..=31))
}

/// Endings of names that say that a file is text.
fn is_named_text(extension: &str) -> bool {
    matches!(extension, "txt" | "text" | "log" | "asc" | "md" | "markdown" | "csv" | "tsv")
}

/// Files of text in which another format's mark may occur as a word.
fn may_speak_of_formats(extension: &str) -> bool {
    is_named_text(extension) || matches!(extension, "eml" | "htm" | "html" | "xml" | "json" | "rtf")
}

/// Few bytes that text never has: a bell, a shift or a zero that a program left in it. Or two bytes a letter.
fn is_mostly_text(head: &[u8]) -> bool {
    let odd = head.iter().filter(|b| matches!(b, 0..=8 | 14..=26 | 28..=31)).count();
    let in_pairs = |encoding: &'static encoding_rs::Encoding| {
        let text = encoding.decode_without_bom_handling(head).0;
        let odd = text.chars().filter(|c| c.is_control() && !c.is_whitespace() || *c == '\u{fffd}').count();
        odd * 10 <= text.chars().count()
    };
    odd * 10 <= head.len() || super::charset::wide(head).is_some_and(in_pairs)
}

/// A message starts with header fields, one of them a telling one.
fn is_mail(head: &[u8]) -> bool {
    const TELLING: [&str; 8] = [
        "received:",
        "return-path:",
        "message-id:",
        "mime-version:",
        "from:",
        "delivered-to:",
        "x-mailer:",
        "date:",
    ];
    let text = String::from_utf8_lossy(head);
    let mut telling = 0;
    for line in text.lines() {
        if line.trim().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let lower = line.to_ascii_lowercase();
        let Some((field, _)) = lower.split_once(':') else { return false };
        if field.is_empty() || !field.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return false;
        }
        telling += usize::from(TELLING.iter().any(|t| lower.starts_with(t)));
    }
    telling >= 2
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::container::tests::zip;

    #[test]
    fn the_content_tells_whatever_the_name_says() {
        let docx = zip(&[("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<w:document/>")]);
        let odt = zip(&[("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", b"<x/>")]);
        let ods =
            zip(&[("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", b"<x/>")]);
        let cases: [(&[u8], Format); 10] = [
            (&docx, Format::Docx),
            (&odt, Format::OpenDocument),
            (&ods, Format::Workbook),
            (&zip(&[("haus.ifc", b"ISO-10303-21;")]), Format::IfcZip),
            (&zip(&[("haus.ifc", b"ISO-10303-21;"), ("plan.pdf", b"%PDF-")]), Format::Zip),
            (&zip(&[("innen/a.docx", &docx)]), Format::Zip),
            (b"{\\rtf1 x}", Format::Rtf),
            (b"\xef\xbb\xbf\n<!DOCTYPE HTML><p>x", Format::Html),
            (b"999\nvon Hand\n  0\nSECTION\n", Format::Dxf),
            (b"%PDF-1.7", Format::Pdf),
        ];
        for (bytes, expected) in cases {
            for name in ["x.pdf", "x.docx", "x.txt", "x"] {
                assert_eq!(sniff(bytes, name), Ok(expected), "{name}");
            }
        }
    }

    #[test]
    fn a_text_that_speaks_of_a_mark_is_a_text() {
        let text = b"A file begins with %PDF-1.7, else it is damaged.";
        for (name, expected) in [
            ("notiz.txt", Format::Text),
            ("notiz.md", Format::Markdown),
            ("m.eml", Format::Mail),
            ("scan.pdf", Format::Pdf),
            ("scan", Format::Pdf),
        ] {
            assert_eq!(sniff(text, name), Ok(expected), "{name}");
        }
    }

    #[test]
    fn old_office_files_are_named_with_advice() {
        let compound = |entry: &str| {
            let mut bytes = COMPOUND.to_vec();
            bytes.resize(512, 0);
            bytes.extend(entry.encode_utf16().flat_map(u16::to_le_bytes));
            bytes
        };
        let error = sniff(&compound("WordDocument"), "brief.pdf").unwrap_err().to_string();
        assert!(error.contains("Word 97-2003") && error.contains("save it as DOCX"), "{error}");
        assert_eq!(sniff(&compound("EncryptedPackage"), "x.docx"), Err(ReadError::Password));
        assert_eq!(sniff(&compound("Workbook"), "x.doc"), Ok(Format::Workbook));
        assert_eq!(sniff(b"Protokoll \x07 der Sitzung vom Montag", "x.txt"), Ok(Format::Text));
        assert!(sniff(b"Protokoll \x07 der Sitzung vom Montag", "x.bin").is_err());
        assert!(sniff(b"a\0b\x01\x02\x03", "x.txt").is_err());
        assert_eq!(sniff(b"Nr.;Titel;Status\n1;T\0;offen\n", "log.csv"), Ok(Format::Csv));
        let wide: Vec<u8> = "Nr.;Titel\n1;Tür\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(sniff(&wide, "log.csv"), Ok(Format::Csv));
        let numbers: Vec<u8> = (0..500_u16).flat_map(|n| (n % 9).to_le_bytes()).collect();
        assert!(sniff(&numbers, "log.csv").is_err());
        assert_eq!(sniff(b"Raum\tNutzung\n1.02\tBad\n", "export.xls"), Ok(Format::Csv));
        let error = sniff(b"GIF89a\x01\0\x01\0\0\0\0", "foto.docx").unwrap_err().to_string();
        assert!(error.contains("image/gif data, named .docx"), "{error}");
    }
}
