//! What parent and child say to each other: one request, one answer, then the child ends. Before its
//! answer, a child may ask the parent to have images of pages read.
//!
//! A message is a JSON head and a body of bytes, each preceded by its length as eight bytes, little
//! endian.

use std::io::{self, Read, Write};

use ingest::{Chunk, Document, Limits, OcrProblem, OcrWish, ReadError, RecordMapping};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::ocr::Program;

/// Longest head that is accepted.
pub(super) const MAX_HEAD_BYTES: u64 = 1 << 20;

/// What the child is asked to do with the body's bytes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Request {
    /// Address space of the child in bytes.
    pub memory_bytes: u64,
    /// The work.
    pub task: Task,
}

/// The work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Task {
    /// Read the file that has this name, registers of requests as the mapping says. Pages that are images can be read in these languages, or not at
    /// all and why.
    Read { name: String, limits: Limits, mapping: RecordMapping, ocr: Result<String, String> },
    /// Go on reading an archive from this member on.
    Rest { from: u32, limits: Limits },
    /// Draw a page, from 1, at this many pixels per point.
    Page { page: u32, scale: f32, limits: Limits },
    /// Take the picture that lies under this path in an archive of topics.
    Picture { member: String, limits: Limits },
    /// Become the program for text recognition: what follows the request on stdin is its input.
    Recognise { program: Program, arguments: Vec<String> },
    /// Try what a sandbox must deny and tell what came of it.
    Probe(Place),
}

/// Where a probe is made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Place {
    /// In no sandbox.
    Open,
    /// Where files are read.
    Reader,
    /// Where the program for text recognition runs.
    Ocr(Program),
}

/// Head of the child's answer; the body is JSON for a reading, PNG for a page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Answer {
    Done,
    /// No answer yet: the body is an image to be read. The parent sends a [`Reply`].
    Asks(OcrWish),
    Rejected(ReadError),
    Sandbox {
        detail: String,
    },
}

/// What became of an image; the body is the program's output.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Reply {
    Read,
    Unread(OcrProblem),
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

/// As [`read`], where waiting must not block.
pub(super) async fn receive<T: DeserializeOwned>(
    input: &mut (impl AsyncRead + Unpin),
    max_body: u64,
) -> io::Result<(T, Vec<u8>)> {
    let head = receive_block(input, MAX_HEAD_BYTES).await?;
    let head = serde_json::from_slice(&head).map_err(io::Error::other)?;
    Ok((head, receive_block(input, max_body).await?))
}

async fn receive_block(input: &mut (impl AsyncRead + Unpin), max: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    input.read_exact(&mut length).await?;
    let length = checked(length, max)?;
    let mut block = Vec::new();
    input.take(length).read_to_end(&mut block).await?;
    whole(block, length)
}

/// Reads a message whose body is at most `max_body` bytes, and nothing of what follows it.
pub(super) fn read<T: DeserializeOwned>(input: &mut impl Read, max_body: u64) -> io::Result<(T, Vec<u8>)> {
    let head = read_block(input, MAX_HEAD_BYTES)?;
    let head = serde_json::from_slice(&head).map_err(io::Error::other)?;
    Ok((head, read_block(input, max_body)?))
}

fn read_block(input: &mut impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = checked(length, max)?;
    // Grows as bytes arrive: a wrong length costs nothing.
    let mut block = Vec::new();
    input.take(length).read_to_end(&mut block)?;
    whole(block, length)
}

fn checked(length: [u8; 8], max: u64) -> io::Result<u64> {
    let length = u64::from_le_bytes(length);
    if length > max {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "message too long"));
    }
    Ok(length)
}

fn whole(block: Vec<u8>, length: u64) -> io::Result<Vec<u8>> {
    if block.len() as u64 == length { Ok(block) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
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
