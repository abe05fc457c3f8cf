//! E-mail out of `.eml` and `.msg` files: header, own text, repeated text apart, attachments.

mod eml;
mod msg;
mod quotes;
mod split;
#[cfg(test)]
pub(crate) mod tests;
mod threads;

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::rfi::number::rfi_number;
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Attachment, Document, Kind, Section, Warning};
use crate::text::LABEL;

/// A message, whatever file it came in.
#[derive(Debug, Default)]
struct Letter {
    subject: String,
    from: String,
    to: String,
    cc: String,
    /// RFC 3339.
    date: String,
    /// Without angle brackets.
    message_id: String,
    in_reply_to: Vec<String>,
    references: Vec<String>,
    /// What a mail program calls the conversation, the same in every message of it.
    conversation: String,
    text: String,
    attachments: Vec<Attachment>,
    warnings: Vec<Warning>,
}

impl Letter {
    fn warn(&mut self, code: &str, message: String) {
        self.warnings.push(Warning { code: code.into(), message, page: None });
    }
}

/// Reads an internet message.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    Ok(document(eml::letter(bytes, limits)?, bytes, name, limits))
}

/// Reads a message of Outlook.
pub(crate) fn read_msg(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    Ok(document(msg::letter(bytes, limits)?, bytes, name, limits))
}

/// True where a compound file is a message.
pub(crate) fn is_msg(bytes: &[u8]) -> bool {
    msg::is_msg(bytes)
}

fn document(mut letter: Letter, bytes: &[u8], name: &str, limits: &Limits) -> Document {
    let title = if letter.subject.is_empty() { super::stem(name) } else { letter.subject.clone() };
    let mut document = Document::new(Kind::Mail, title);
    header(&letter, bytes, &mut document);
    let text = within(&mut letter, limits);
    document.warnings = letter.warnings;
    document.attachments = letter.attachments;
    if text.trim().is_empty() {
        let message = "the message has no readable text".into();
        document.warnings.push(Warning { code: "no-text".into(), message, page: None });
        return document;
    }
    let folded = quotes::fold(&text);
    if !folded.own.is_empty() {
        document.sections.push(Section {
            heading: letter.subject,
            line: 1,
            text: folded.own,
            ..Section::default()
        });
    }
    document.quoted = folded.quoted;
    document
}

/// The text as far as the limit goes.
fn within(letter: &mut Letter, limits: &Limits) -> String {
    let most = usize::try_from(limits.max_text_chars).unwrap_or(usize::MAX);
    let text = std::mem::take(&mut letter.text);
    match text.char_indices().nth(most) {
        None => text,
        Some((at, _)) => {
            letter.warn("text-limit", format!("only the first {most} characters were read"));
            text.get(..at).unwrap_or_default().to_string()
        }
    }
}

fn header(letter: &Letter, bytes: &[u8], document: &mut Document) {
    // One that is longer than a line of a header is none.
    let own = Some(&letter.message_id).filter(|id| !id.is_empty() && id.chars().nth(LABEL).is_none());
    let id = own.cloned().unwrap_or_else(|| digest(bytes));
    let facts = [
        ("subject", letter.subject.clone()),
        ("from", letter.from.clone()),
        ("to", letter.to.clone()),
        ("cc", letter.cc.clone()),
        ("date", letter.date.clone()),
        ("message_id", id),
        ("in_reply_to", letter.in_reply_to.join(" ")),
        ("references", letter.references.join(" ")),
        ("conversation", letter.conversation.clone()),
        ("thread", threads::subject(&letter.subject)),
        ("rfi", rfi_number(&letter.subject).unwrap_or_default()),
    ];
    for (key, value) in facts {
        if !value.is_empty() {
            document.metadata.insert(key.into(), value);
        }
    }
}

/// The identifier of a message that has none.
fn digest(bytes: &[u8]) -> String {
    let mut hash = String::new();
    for byte in Sha256::digest(bytes).iter().take(16) {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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

/// Adds a file to the attachments as far as the limits go. `end` is the extension of a file without a name.
fn attach(letter: &mut Letter, declared: &str, end: &str, bytes: Vec<u8>, left: &mut u64, limits: &Limits) {
    let number = u32::try_from(letter.attachments.len() + 1).unwrap_or(u32::MAX);
    if number > limits.max_members {
        if !letter.warnings.iter().any(|w| w.code == "member-limit") {
            letter
                .warn("member-limit", format!("only the first {} attachments were read", limits.max_members));
        }
        return;
    }
    let file = declared.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = match one_line(file) {
        file if !file.is_empty() => file,
        _ if end == "eml" || end == "msg" => format!("message-{number}.{end}"),
        _ => format!("part-{number}.{end}"),
    };
    if bytes.len() as u64 > *left {
        letter.warn("attachment-limit", format!("attachment '{name}' is too large and was left out"));
        return;
    }
    *left -= bytes.len() as u64;
    letter.attachments.push(Attachment { name, part: number, bytes });
}
