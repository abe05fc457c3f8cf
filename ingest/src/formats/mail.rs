//! E-mail: header, body, attachments.

use std::fmt::Write as _;

use mail_parser::{Address, HeaderValue, Message, MessageParser, MimeHeaders, PartType};
use sha2::{Digest, Sha256};

use super::rfi::bcf::rfi_number;
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Attachment, Document, Kind, Section, Warning};

/// Reads a message.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let message = MessageParser::default()
        .parse(bytes)
        .filter(|m| !m.headers().is_empty())
        .ok_or_else(|| ReadError::Damaged { detail: "no message header was found in it".into() })?;
    let subject = message.subject().map(one_line).unwrap_or_default();
    let title = if subject.is_empty() { super::stem(name) } else { subject.clone() };
    let mut document = Document::new(Kind::Mail, title);
    header(&message, bytes, &subject, &mut document);
    let text = body(&message);
    if text.trim().is_empty() {
        warn(&mut document, "no-text", "the message has no readable text".into());
    } else {
        document.sections.push(Section { heading: subject, line: 1, text, ..Section::default() });
    }
    attachments(&message, limits, &mut document);
    Ok(document)
}

fn warn(document: &mut Document, code: &str, message: String) {
    document.warnings.push(Warning { code: code.into(), message, page: None });
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn people(address: Option<&Address<'_>>) -> String {
    let one = |a: &mail_parser::Addr<'_>| match (a.name(), a.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_string(),
    };
    address.map(|list| list.iter().map(one).collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

fn ids(value: &HeaderValue<'_>) -> String {
    match (value.as_text(), value.as_text_list()) {
        (Some(one), _) => one.to_string(),
        (None, Some(list)) => list.join(" "),
        _ => String::new(),
    }
}

fn header(message: &Message<'_>, bytes: &[u8], subject: &str, document: &mut Document) {
    let id = message
        .message_id()
        .map(|id| id.trim_matches(['<', '>', ' ']).to_string())
        .filter(|id| !id.is_empty());
    let id = id.unwrap_or_else(|| {
        let mut hash = String::new();
        for byte in Sha256::digest(bytes).iter().take(16) {
            let _ = write!(hash, "{byte:02x}");
        }
        hash
    });
    let facts = [
        ("subject", subject.to_string()),
        ("from", people(message.from())),
        ("to", people(message.to())),
        ("cc", people(message.cc())),
        ("date", message.date().map(|d| d.to_rfc3339()).unwrap_or_default()),
        ("message_id", id),
        ("in_reply_to", ids(message.in_reply_to())),
        ("references", ids(message.references())),
        ("rfi", rfi_number(subject).unwrap_or_default()),
    ];
    for (key, value) in facts {
        if !value.is_empty() {
            document.metadata.insert(key.into(), value);
        }
    }
}

/// The plain text parts; where there is none, the HTML ones without their markup.
fn body(message: &Message<'_>) -> String {
    let parts: Vec<String> =
        (0..message.text_body_count()).filter_map(|n| message.body_text(n)).map(|t| tidy(&t)).collect();
    parts.join("\n\n")
}

/// Line ends made plain, at most one empty line in a row.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines().map(str::trim_end) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty <= 1 {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim().to_string()
}

fn attachments(message: &Message<'_>, limits: &Limits, document: &mut Document) {
    let mut left = limits.max_expanded_bytes;
    for (index, part) in message.attachments().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if number > limits.max_members {
            warn(
                document,
                "member-limit",
                format!("only the first {} attachments were read", limits.max_members),
            );
            break;
        }
        let bytes = match &part.body {
            PartType::Message(inner) => inner.raw_message(),
            _ => part.contents(),
        };
        let declared = part.attachment_name().map(one_line).unwrap_or_default();
        let file = declared.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_string();
        let name = match (file.is_empty(), &part.body) {
            (false, _) => file,
            (true, PartType::Message(_)) => format!("message-{number}.eml"),
            (true, PartType::Html(_)) => format!("part-{number}.html"),
            (true, PartType::Text(_)) => format!("part-{number}.txt"),
            (true, _) => format!("part-{number}.bin"),
        };
        if bytes.len() as u64 > left {
            warn(document, "attachment-limit", format!("attachment '{name}' is too large and was left out"));
            continue;
        }
        left -= bytes.len() as u64;
        document.attachments.push(Attachment { name, part: number, bytes: bytes.to_vec() });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::Locator;
    use crate::{ChunkOptions, chunk, read};

    pub(crate) const MAIL: &str = "From: \"A. Muster\" <a.muster@example.ch>\r\nTo: b@example.ch, C <c@example.ch>\r\n\
        Subject: =?utf-8?Q?AW:_RFI-014_T=C3=BCren_Korridor?=\r\nDate: Mon, 02 Mar 2026 10:15:00 +0100\r\n\
        Message-ID: <abc@example.ch>\r\nIn-Reply-To: <vor@example.ch>\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
        <p>Guten Tag</p><p>Die T\u{fc}ren erhalten <b>EI30</b>.</p>\r\n--x\r\n\
        Content-Type: application/pdf; name=\"../plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\
        Content-Disposition: attachment; filename=\"../plan.pdf\"\r\n\r\nSGFsbG8=\r\n--x--\r\n";

    #[test]
    fn header_body_and_attachments() {
        let document = read(MAIL.as_bytes(), "x.eml", &Limits::default()).unwrap();
        assert_eq!(document.kind, Kind::Mail);
        assert_eq!(document.title, "AW: RFI-014 Türen Korridor");
        let value = |key: &str| document.metadata[key].as_str();
        assert_eq!(value("from"), "A. Muster <a.muster@example.ch>");
        assert_eq!(value("to"), "b@example.ch, C <c@example.ch>");
        assert_eq!(value("date"), "2026-03-02T10:15:00+01:00");
        assert_eq!((value("message_id"), value("in_reply_to")), ("abc@example.ch", "vor@example.ch"));
        assert_eq!(value("rfi"), "RFI-014");
        assert!(
            document.sections[0].text.contains("Die Türen erhalten EI30."),
            "{}",
            document.sections[0].text
        );
        assert_eq!(document.attachments[0].name, "plan.pdf");
        assert_eq!(document.attachments[0].bytes, b"Hallo");
        let chunks = chunk(&document, &ChunkOptions::default());
        assert_eq!(chunks[0].locator, Locator::Mail { message_id: "abc@example.ch".into(), part: 0 });
        assert!(
            chunks[0].text.starts_with("AW: RFI-014 Türen Korridor\nVon: A. Muster"),
            "{}",
            chunks[0].text
        );
    }

    #[test]
    fn a_mail_without_an_id_gets_one_from_its_bytes() {
        let bytes = b"From: a@example.ch\nSubject: Hallo\nDate: Mon, 02 Mar 2026 10:15:00 +0100\n\nText\n";
        let document = read(bytes, "mail", &Limits::default()).unwrap();
        assert_eq!(document.metadata["message_id"].len(), 32);
        assert_eq!(document.sections[0].text, "Text");
    }
}
