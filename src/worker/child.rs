//! The child's side: close the sandbox, do the one task, answer, end.

use std::io;

use super::protocol::{self, Answer, ReadingBody, Request, Task};
use super::sandbox;

/// Largest file that a child accepts.
const MAX_FILE_BYTES: u64 = 4 << 30;

/// Runs as the child process: request on stdin, answer on stdout.
///
/// # Errors
/// When the pipes fail. Everything else is an answer.
pub fn main() -> io::Result<()> {
    let (request, bytes): (Request, Vec<u8>) = protocol::read(&mut io::stdin().lock(), MAX_FILE_BYTES)?;
    let bare = matches!(request.task, Task::Probe { sandboxed: false });
    let landlock =
        match if bare { Ok("not asked for".to_owned()) } else { sandbox::close(request.memory_bytes) } {
            Ok(landlock) => landlock,
            Err(detail) => {
                return protocol::write(&mut io::stdout().lock(), &Answer::Sandbox { detail }, &[]);
            }
        };
    let (answer, body) = work(&request, &bytes, landlock)?;
    protocol::write(&mut io::stdout().lock(), &answer, &body)
}

fn work(request: &Request, bytes: &[u8], landlock: String) -> io::Result<(Answer, Vec<u8>)> {
    let outcome = match &request.task {
        Task::Read { name, mapping } => match ingest::read_mapped(bytes, name, &request.limits, mapping) {
            Ok(document) => {
                let chunks = ingest::chunk(&document, &ingest::ChunkOptions::default());
                Ok(serde_json::to_vec(&ReadingBody { document, chunks }).map_err(io::Error::other)?)
            }
            Err(error) => Err(error),
        },
        Task::Picture { member } => ingest::render::topic_picture(bytes, member, &request.limits),
        Task::Page { page, scale } => ingest::render::page_png(bytes, *page, *scale, &request.limits),
        Task::Probe { .. } => Ok(serde_json::to_vec(&sandbox::probe(landlock)).map_err(io::Error::other)?),
    };
    Ok(match outcome {
        Ok(body) => (Answer::Done, body),
        Err(error) => (Answer::Rejected(error), Vec::new()),
    })
}
