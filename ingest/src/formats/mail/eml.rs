//! Internet messages.

use std::borrow::Cow;

use mail_parser::{
    Address, HeaderName, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders, PartType,
};

use super::split::{self, Fault};
use super::{Letter, attach, one_line, tidy};
use crate::error::ReadError;
use crate::limits::Limits;

/// Bytes of a `Thread-Index` that are the same in every message of a conversation.
const CONVERSATION_BYTES: usize = 22;

/// Reads a message.
pub(super) fn letter(bytes: &[u8], limits: &Limits) -> Result<Letter, ReadError> {
    let bytes = as_bytes(bytes);
    let message = MessageParser::default()
        .parse(bytes.as_ref())
        .filter(|m| !m.headers().is_empty())
        .ok_or_else(|| ReadError::Damaged { detail: "no message header was found in it".into() })?;
    let mut letter = header(&message);
    match split::fault(&message) {
        None => {
            letter.text = body(&message);
            let files = message.attachments().map(|part| {
                let (bytes, end) = end_of(part, &part.body);
                (part.attachment_name().unwrap_or_default(), end, bytes.to_vec())
            });
            attachments(files, limits, &mut letter);
        }
        Some(fault) => {
            let (code, what) = match fault {
                Fault::Unsplit => (
                    "boundary",
                    "its parts are not separated as its header says; they were taken apart at the lines between them",
                ),
                Fault::Unended => (
                    "cut-off",
                    "the line that its header announces as the last one is missing; it may be cut off",
                ),
            };
            letter.warn(code, what.into());
            let found = split::parts(&bytes);
            letter.text = found.text();
            attachments(found.files, limits, &mut letter);
        }
    }
    Ok(letter)
}

/// A text in the character set that it declares; where it declares none that is known, in the one that it shows.
pub(super) fn decoded(bytes: &[u8], charset: Option<&str>) -> String {
    match charset.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes())) {
        Some(encoding) => encoding.decode(bytes).0.into_owned(),
        None => crate::formats::charset::decode(bytes).0.into_owned(),
    }
}

/// Messages are bytes of ASCII and more; one that was saved as UTF-16 is made so.
fn as_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    let (text, encoding) = crate::formats::charset::decode(bytes);
    if encoding.starts_with("UTF-16") {
        Cow::Owned(text.into_owned().into_bytes())
    } else {
        Cow::Borrowed(bytes)
    }
}

/// What the header says.
pub(super) fn header(message: &Message<'_>) -> Letter {
    let mut references = ids(message.references());
    references.retain(|id| !id.is_empty());
    Letter {
        subject: message.subject().map(one_line).unwrap_or_default(),
        from: people(message.from()),
        to: people(message.to()),
        cc: people(message.cc()),
        date: message.date().map(|d| d.to_rfc3339()).unwrap_or_default(),
        message_id: message.message_id().map(plain_id).unwrap_or_default(),
        in_reply_to: ids(message.in_reply_to()),
        references,
        conversation: conversation(message),
        ..Letter::default()
    }
}

/// The conversation that Outlook counts the message to.
fn conversation(message: &Message<'_>) -> String {
    let index = message.header(HeaderName::Other("Thread-Index".into())).and_then(HeaderValue::as_text);
    index.and_then(|text| conversation_of(&base64_bytes(text)?)).unwrap_or_default()
}

fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    use base64::Engine as _;
    let joined: String = text.split_whitespace().collect();
    base64::engine::general_purpose::STANDARD.decode(joined).ok()
}

/// The name of a conversation: the first bytes of its index, in hex.
pub(super) fn conversation_of(index: &[u8]) -> Option<String> {
    let head = index.get(..CONVERSATION_BYTES)?;
    Some(head.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn plain_id(id: &str) -> String {
    id.trim_matches(['<', '>', ' ']).to_string()
}

fn people(address: Option<&Address<'_>>) -> String {
    let one = |a: &mail_parser::Addr<'_>| match (a.name(), a.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_string(),
    };
    address.map(|list| list.iter().map(one).collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    // Of a list, `as_text` gives the last member.
    match (value.as_text_list(), value.as_text()) {
        (Some(list), _) => list.iter().map(|id| plain_id(id)).collect(),
        (None, Some(one)) => vec![plain_id(one)],
        _ => Vec::new(),
    }
}

/// The plain text parts; where there is none, the HTML ones without their markup.
fn body(message: &Message<'_>) -> String {
    let parts: Vec<String> =
        (0..message.text_body_count()).filter_map(|n| message.body_text(n)).map(|t| tidy(&t)).collect();
    parts.join("\n\n")
}

/// Contents of a part that is handed out, and the ending for a name that it does not have.
pub(super) fn end_of<'a>(part: &'a MessagePart<'_>, body: &'a PartType<'_>) -> (&'a [u8], &'static str) {
    match body {
        PartType::Message(inner) => (inner.raw_message(), "eml"),
        PartType::Html(_) => (part.contents(), "html"),
        PartType::Text(_) => (part.contents(), "txt"),
        _ => (part.contents(), "bin"),
    }
}

fn attachments<N: AsRef<str>>(
    files: impl IntoIterator<Item = (N, &'static str, Vec<u8>)>,
    limits: &Limits,
    letter: &mut Letter,
) {
    let mut left = limits.max_expanded_bytes;
    for (name, end, bytes) in files {
        attach(letter, name.as_ref(), end, bytes, &mut left, limits);
    }
}
