//! Messages whose parts are not separated as their header says: another line stands between them than it announces, it
//! announces none, or the last one is missing. Cut at the lines that are there.

use std::borrow::Cow;

use mail_parser::{Message, MessageParser, MimeHeaders, PartType};

use super::eml::{decoded, end_of};
use super::tidy;

/// Multiparts in each other.
const MAX_DEPTH: usize = 10;
/// Longest separator (RFC 2046, 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// What was found between the lines.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Texts of the message, in their order; true where it was a page.
    texts: Vec<(String, bool)>,
    /// Declared name, ending for a part without one, contents.
    pub(super) files: Vec<(String, &'static str, Vec<u8>)>,
}

impl Found {
    pub(super) fn text(&self) -> String {
        let texts: Vec<&str> = self.texts.iter().map(|(t, _)| t.as_str()).filter(|t| !t.is_empty()).collect();
        texts.join("\n\n")
    }

    /// Of the forms of one text, the plain one, or the only one.
    fn keep_plain(&mut self, from: usize) {
        let mut forms = self.texts.split_off(from);
        if forms.iter().any(|(text, is_page)| !is_page && !text.is_empty()) {
            forms.retain(|(_, is_page)| !is_page);
        }
        self.texts.append(&mut forms);
    }
}

/// What is wrong with the separation of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The separator does not occur, or none is announced.
    Unsplit,
    /// The last separator is missing.
    Unended,
}

/// What is wrong with the separation of the message, if anything.
pub(super) fn fault(message: &Message<'_>) -> Option<Fault> {
    let raw = message.raw_message();
    let mut unended = None;
    for part in message.parts.iter().filter(|p| is_multipart(*p)) {
        let boundary = boundary(part).filter(|_| matches!(part.body, PartType::Multipart(_)));
        let Some(boundary) = boundary else { return Some(Fault::Unsplit) };
        let last = format!("--{boundary}--");
        let (from, to) = (part.offset_body as usize, part.offset_end as usize + last.len() + 2);
        let body = raw.get(from..to.min(raw.len())).unwrap_or_default();
        // From the end, where it stands.
        if unended.is_none() && !body.windows(last.len()).rev().any(|w| w == last.as_bytes()) {
            unended = Some(Fault::Unended);
        }
    }
    unended
}

fn is_multipart<'x>(headers: &impl MimeHeaders<'x>) -> bool {
    headers.content_type().is_some_and(|c| c.ctype().eq_ignore_ascii_case("multipart"))
}

fn boundary<'a, 'x: 'a>(headers: &'a impl MimeHeaders<'x>) -> Option<&'a str> {
    headers.content_type()?.attribute("boundary").filter(|b| !b.is_empty())
}

/// Takes a message apart. `bytes` are the whole of it.
pub(super) fn parts(bytes: &[u8]) -> Found {
    let mut found = Found::default();
    part(bytes, 0, false, &mut found);
    found
}

/// One part: its header fields, an empty line, its body.
fn part(bytes: &[u8], depth: usize, is_within: bool, found: &mut Found) {
    let head = MessageParser::default().parse_headers(bytes);
    let Some(head) = head.filter(|h| !h.headers().is_empty() && depth < MAX_DEPTH) else {
        found.texts.push((tidy(&decoded(bytes, None)), false));
        return;
    };
    if !is_multipart(&head) {
        leaf(bytes, is_within, found);
        return;
    }
    let body = body_of(bytes);
    let declared = boundary(&head).map(|b| b.as_bytes().to_vec());
    let sections =
        declared.and_then(|b| split(body, &b)).or_else(|| guessed(body).and_then(|b| split(body, b)));
    let Some(sections) = sections else {
        // Without any separator it is one text, perhaps with header fields of its own.
        let charset = head.content_type().and_then(|c| c.attribute("charset")).map(String::from);
        if starts_with_field(body) {
            leaf(body, true, found);
        } else {
            found.texts.push((tidy(&decoded(body, charset.as_deref())), false));
        }
        return;
    };
    let from = found.texts.len();
    for section in sections {
        part(section, depth + 1, true, found);
    }
    if head.content_type().and_then(|c| c.subtype()).is_some_and(|s| s.eq_ignore_ascii_case("alternative")) {
        found.keep_plain(from);
    }
}

/// A part that holds no others. `is_within` where it is one of several.
fn leaf(bytes: &[u8], is_within: bool, found: &mut Found) {
    let Some(message) = MessageParser::default().parse(bytes) else { return };
    let Some(only) = message.parts.first() else { return };
    let is_file = only.content_disposition().is_some_and(|d| d.is_attachment())
        || is_within && only.attachment_name().is_some();
    let is_plain =
        only.content_type().is_none_or(|c| c.subtype().is_some_and(|s| s.eq_ignore_ascii_case("plain")));
    match &only.body {
        PartType::Text(text) if is_plain && !is_file => found.texts.push((tidy(text), false)),
        PartType::Html(_) if !is_file => {
            let text = message.body_text(0).unwrap_or(Cow::Borrowed(""));
            found.texts.push((tidy(&text), true));
        }
        body => {
            let (bytes, end) = end_of(only, body);
            found.files.push((only.attachment_name().unwrap_or_default().to_string(), end, bytes.to_vec()));
        }
    }
}

/// What follows the first empty line.
fn body_of(bytes: &[u8]) -> &[u8] {
    let mut at = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        at += line.len();
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    bytes.get(at..).unwrap_or_default()
}

/// What stands between the separators, the last piece without one behind it among them; `None` where none occurs.
fn split<'a>(body: &'a [u8], boundary: &[u8]) -> Option<Vec<&'a [u8]>> {
    let (mut sections, mut from, mut at) = (Vec::new(), None, 0);
    for line in body.split_inclusive(|b| *b == b'\n') {
        let rest =
            line.strip_prefix(b"--").and_then(|l| l.strip_prefix(boundary)).map(<[u8]>::trim_ascii_end);
        if matches!(rest, Some(b"" | b"--")) {
            sections.extend(from.and_then(|from: usize| body.get(from..at)));
            from = (rest == Some(b"")).then_some(at + line.len());
            // What follows the last separator belongs to no part, unless another one follows.
        }
        at += line.len();
    }
    if sections.is_empty() && from.is_none() {
        return None;
    }
    sections.extend(from.and_then(|from| body.get(from..)).filter(|s| !s.trim_ascii().is_empty()));
    Some(sections)
}

/// The separator that a body uses: a line of its characters after two hyphens, with a header field below it.
fn guessed(body: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    for line in body.split_inclusive(|b| *b == b'\n') {
        at += line.len();
        let token = line.strip_prefix(b"--").map(<[u8]>::trim_ascii_end);
        let is_one = |t: &&[u8]| {
            (1..=MAX_BOUNDARY).contains(&t.len())
                && t.iter().all(|b| b.is_ascii_alphanumeric() || b"'()+_,-./:=?".contains(b))
        };
        if let Some(token) = token.filter(is_one)
            && starts_with_field(body.get(at..).unwrap_or_default())
        {
            return Some(token);
        }
    }
    None
}

fn starts_with_field(text: &[u8]) -> bool {
    text.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"content-"))
}
