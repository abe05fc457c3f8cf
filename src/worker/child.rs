//! The child's side: close the sandbox, do the one task, answer, end.

use std::fs::File;
use std::io::{self, Stdout};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use ingest::{GreyImage, OcrProblem, OcrWish, Recogniser};

use super::ocr::Program;
use super::protocol::{self, Answer, Place, ReadingBody, Reply, Request, Task};
use super::sandbox;

/// Largest file that a child accepts.
const MAX_FILE_BYTES: u64 = 4 << 30;
/// Largest answer about an image.
const MAX_REPLY_BYTES: u64 = 64 << 20;

/// Runs as the child process: request on stdin, answer on stdout.
///
/// # Errors
/// When the pipes fail, or text recognition cannot be started. Everything else is an answer.
pub fn main() -> io::Result<()> {
    // Not through a buffer, which would take more than the request: the rest may be another program's.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let (request, bytes): (Request, Vec<u8>) = protocol::read(&mut input, MAX_FILE_BYTES)?;
    if let Task::Recognise { program, arguments } = &request.task {
        return Err(become_recogniser(program, arguments, request.memory_bytes));
    }
    let closed = match &request.task {
        Task::Probe(Place::Open) => Ok("not asked for".to_owned()),
        Task::Probe(Place::Ocr(program)) => sandbox::close_for(program, request.memory_bytes),
        _ => sandbox::close(request.memory_bytes),
    };
    let (answer, body) = match closed {
        Ok(landlock) => work(request.task, &bytes, landlock, input)?,
        Err(detail) => (Answer::Sandbox { detail }, Vec::new()),
    };
    protocol::write(&mut io::stdout(), &answer, &body)
}

/// Comes back only where that failed.
fn become_recogniser(program: &Program, arguments: &[String], memory_bytes: u64) -> io::Error {
    match sandbox::close_for(program, memory_bytes) {
        // One page, one thread: pages and files are what is done side by side.
        Ok(_) => Command::new(&program.path).args(arguments).env_clear().env("OMP_THREAD_LIMIT", "1").exec(),
        Err(detail) => io::Error::other(format!("its sandbox could not be set up ({detail})")),
    }
}

fn work(task: Task, bytes: &[u8], landlock: String, input: File) -> io::Result<(Answer, Vec<u8>)> {
    let outcome = match task {
        Task::Read { name, limits, mapping, ocr } => {
            let mut recogniser = AskParent { ocr, input, output: io::stdout() };
            match ingest::read_with(bytes, &name, &limits, &mapping, &mut recogniser) {
                Ok(document) => {
                    let chunks = ingest::chunk(&document, &ingest::ChunkOptions::default());
                    Ok(serde_json::to_vec(&ReadingBody { document, chunks }).map_err(io::Error::other)?)
                }
                Err(error) => Err(error),
            }
        }
        Task::Rest { from, limits } => match ingest::read_rest(bytes, from, &limits) {
            Ok(document) => {
                Ok(serde_json::to_vec(&ReadingBody { document, chunks: vec![] }).map_err(io::Error::other)?)
            }
            Err(error) => Err(error),
        },
        Task::Picture { member, limits } => ingest::render::topic_picture(bytes, &member, &limits),
        Task::Page { page, scale, limits } => ingest::render::page_png(bytes, page, scale, &limits),
        Task::Probe(place) => {
            let in_sandbox = !matches!(place, Place::Open);
            Ok(serde_json::to_vec(&sandbox::probe(landlock, in_sandbox)).map_err(io::Error::other)?)
        }
        Task::Recognise { .. } => return Err(io::ErrorKind::Unsupported.into()),
    };
    Ok(match outcome {
        Ok(body) => (Answer::Done, body),
        Err(error) => (Answer::Rejected(error), Vec::new()),
    })
}

/// Text recognition as the reader sees it: the parent has it done elsewhere.
struct AskParent {
    ocr: Result<String, String>,
    input: File,
    output: Stdout,
}

impl Recogniser for AskParent {
    fn languages(&self) -> Result<&str, OcrProblem> {
        self.ocr.as_deref().map_err(|why| OcrProblem::Missing { why: why.clone() })
    }

    fn ask(&mut self, wish: OcrWish, image: &GreyImage) -> Result<Vec<u8>, OcrProblem> {
        let failed = |e: io::Error| OcrProblem::Failed { how: e.to_string() };
        protocol::write(&mut self.output, &Answer::Asks(wish), &image.to_pgm()).map_err(failed)?;
        match protocol::read(&mut self.input, MAX_REPLY_BYTES).map_err(failed)? {
            (Reply::Read, output) => Ok(output),
            (Reply::Unread(problem), _) => Err(problem),
        }
    }
}
