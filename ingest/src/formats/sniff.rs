//! What sort of file it is: first bytes first, the name second.

use std::io::Cursor;

/// A format with a reader of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Pdf,
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
    Text,
}

/// The format, or a description of what was found instead.
pub(crate) fn sniff(bytes: &[u8], name: &str) -> Result<Format, String> {
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    let extension = extension(name);
    if find(head, b"%PDF-").is_some() {
        return Ok(Format::Pdf);
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return archive(bytes, &extension);
    }
    if head.starts_with(&[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) {
        return match extension.as_str() {
            "xls" | "xlsx" | "xlsm" | "xlt" => Ok(Format::Workbook),
            _ if super::mail::is_msg(bytes) => Ok(Format::Msg),
            _ => Err(described("a Microsoft compound file", name)),
        };
    }
    if find(head, b"ISO-10303-21").is_some() {
        let header = bytes.get(..bytes.len().min(65_536)).unwrap_or_default();
        let is_ifc =
            extension == "ifc" || find(header, b"IFC2X").is_some() || find(header, b"IFC4").is_some();
        return if is_ifc {
            Ok(Format::Step)
        } else {
            Err(described("a STEP file that is no IFC model", name))
        };
    }
    // Parts of a message may be sent as they are.
    if extension == "eml" && !bytes.is_empty() {
        return Ok(Format::Mail);
    }
    if !is_text(head) {
        return Err(described("binary data", name));
    }
    if extension == "ifcx" || find(head, b"\"ifcxVersion\"").is_some() {
        return Err(
            "an IFC5 model (.ifcx), whose format is not a standard yet; export it as IFC4 or IFC4X3".into()
        );
    }
    if extension == "ifcxml" || find(head, b"<ifcXML").is_some() || find(head, b":ifcXML").is_some() {
        return Ok(Format::IfcXml);
    }
    match extension.as_str() {
        "csv" | "tsv" => Ok(Format::Csv),
        "json" => Ok(Format::Json),
        "ifc" => Ok(Format::Step),
        _ if is_mail(head) => Ok(Format::Mail),
        "txt" | "md" | "markdown" | "text" | "" => Ok(Format::Text),
        _ if bytes.is_empty() => Err(described("an empty file", name)),
        _ => Err(described("text", name)),
    }
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

fn archive(bytes: &[u8], extension: &str) -> Result<Format, String> {
    let Ok(archive) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return match extension {
            // The reader says what is wrong with it.
            "xlsx" | "xlsm" | "ods" => Ok(Format::Workbook),
            "bcf" | "bcfzip" => Ok(Format::Bcf),
            _ => Err("a damaged ZIP archive".into()),
        };
    };
    let mut found = None;
    for name in archive.file_names().flatten() {
        let name = name.to_ascii_lowercase();
        let format = match name.as_str() {
            "xl/workbook.xml" | "xl/workbook.bin" => Format::Workbook,
            "bcf.version" => Format::Bcf,
            n if n.ends_with("markup.bcf") => Format::Bcf,
            n if super::rfi::tables::is_main(n) => Format::RfiTables,
            n if n.ends_with(".ifc") || n.ends_with(".ifcxml") => Format::IfcZip,
            n if n.ends_with(".xml") && extension == "ifczip" => Format::IfcZip,
            "content.xml" if extension == "ods" => Format::Workbook,
            _ => continue,
        };
        found = Some(format);
        if format != Format::IfcZip {
            break;
        }
    }
    match (found, extension) {
        (Some(format), _) => Ok(format),
        (None, "bcf" | "bcfzip") => Ok(Format::Bcf),
        (None, _) => Err(described("a ZIP archive", &format!("x.{extension}"))),
    }
}

/// No byte that text never has; UTF-16 is told by its byte order mark.
fn is_text(head: &[u8]) -> bool {
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return true;
    }
    !head.iter().any(|b| matches!(b, 0..=8 | 14..=26 | 28..=31))
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
