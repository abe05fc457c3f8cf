//! What parent and child say to each other: one request, one answer, then the child ends.
//!
//! A message is a JSON head and a body of bytes, each preceded by its length as eight bytes, little
//! endian.

use std::io::{self, Read, Write};

use ingest::{Chunk, Document, Limits, ReadError, RecordMapping};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Longest head that is accepted.
pub(super) const MAX_HEAD_BYTES: u64 = 1 << 20;

/// What the child is asked to do with the body's bytes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Request {
    /// Address space of the child in bytes.
    pub memory_bytes: u64,
    /// Bounds for the reader.
    pub limits: Limits,
    /// The work.
    pub task: Task,
}

/// The work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Task {
    /// Read the file that has this name, registers of requests as the mapping says.
    Read { name: String, mapping: RecordMapping },
    /// Draw a page, from 1, at this many pixels per point.
    Page { page: u32, scale: f32 },
    /// Take the picture that lies under this path in an archive of topics.
    Picture { member: String },
    /// Try what the sandbox must deny and tell what came of it.
    Probe { sandboxed: bool },
}

/// Head of the child's answer; the body is JSON for a reading, PNG for a page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Answer {
    Done,
    Rejected(ReadError),
    Sandbox { detail: String },
}

/// Body of the answer to [`Task::Read`].
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ReadingBody {
    pub document: Document,
    pub chunks: Vec<Chunk>,
}

/// A message as bytes.
pub(super) fn encode<T: Serialize>(head: &T, body: &[u8]) -> io::Result<Vec<u8>> {
    let head = serde_json::to_vec(head).map_err(io::Error::other)?;
    let mut out = Vec::with_capacity(16 + head.len() + body.len());
    out.extend_from_slice(&(head.len() as u64).to_le_bytes());
    out.extend_from_slice(&head);
    out.extend_from_slice(&(body.len() as u64).to_le_bytes());
    out.extend_from_slice(body);
    Ok(out)
}

/// Writes a message.
pub(super) fn write<T: Serialize>(out: &mut impl Write, head: &T, body: &[u8]) -> io::Result<()> {
    out.write_all(&encode(head, body)?)?;
    out.flush()
}

/// Reads a message whose body is at most `max_body` bytes.
pub(super) fn read<T: DeserializeOwned>(input: &mut impl Read, max_body: u64) -> io::Result<(T, Vec<u8>)> {
    let head = read_block(input, MAX_HEAD_BYTES)?;
    let head = serde_json::from_slice(&head).map_err(io::Error::other)?;
    Ok((head, read_block(input, max_body)?))
}

fn read_block(input: &mut impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > max {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "message too long"));
    }
    // Grows as bytes arrive: a wrong length costs nothing.
    let mut block = Vec::new();
    input.take(length).read_to_end(&mut block)?;
    if block.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_comes_back_and_a_cut_one_is_an_error() {
        let bytes = encode(&Answer::Sandbox { detail: "x".into() }, b"body").unwrap();
        let (head, body): (Answer, _) = read(&mut &bytes[..], 100).unwrap();
        assert!(matches!(head, Answer::Sandbox { detail } if detail == "x"));
        assert_eq!(body, b"body");
        for cut in 0..bytes.len() {
            assert!(read::<Answer>(&mut &bytes[..cut], 100).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn a_body_beyond_the_limit_is_refused_before_it_is_read() {
        let mut bytes = encode(&Answer::Done, b"").unwrap();
        let end = bytes.len();
        bytes[end - 8..].copy_from_slice(&u64::MAX.to_le_bytes());
        let error = read::<Answer>(&mut &bytes[..], 1 << 30).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
