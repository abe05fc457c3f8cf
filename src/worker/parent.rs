//! The parent's side: start a child, feed it, bound it, judge its end.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use ingest::{Chunk, Document, Limits, RecordMapping};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

use super::protocol::{self, Answer, ReadingBody, Request, Task};
use super::{Probe, WorkerError};

/// Longest answer that is taken from a child.
const MAX_ANSWER_BYTES: u64 = 1 << 30;
/// What is kept of a child's stderr, for telling how it died.
const MAX_STDERR_BYTES: u64 = 16 << 10;

/// How children are started and bounded.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The program; `None` is the running one.
    pub program: Option<PathBuf>,
    /// Address space of a child in bytes.
    pub memory_bytes: u64,
    /// Seconds after which a child is killed.
    pub seconds: u64,
    /// Children at the same time.
    pub parallel: usize,
    /// Bounds for the readers.
    pub limits: Limits,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        WorkerOptions {
            program: None,
            memory_bytes: 1536 << 20,
            seconds: 60,
            parallel: std::thread::available_parallelism().map_or(2, usize::from),
            limits: Limits::default(),
        }
    }
}

/// What a child read.
#[derive(Debug)]
pub struct Reading {
    /// The document.
    pub document: Document,
    /// Its passages.
    pub chunks: Vec<Chunk>,
}

/// Starts sandboxed children. Cheap to clone; clones share the bound on parallel children.
#[derive(Debug, Clone)]
pub struct Worker {
    options: Arc<WorkerOptions>,
    program: PathBuf,
    slots: Arc<Semaphore>,
}

impl Worker {
    /// A worker that starts the program of the options.
    ///
    /// # Errors
    /// When the running program's own path cannot be found out.
    pub fn new(options: WorkerOptions) -> Result<Self, WorkerError> {
        let program = match &options.program {
            Some(program) => program.clone(),
            None => std::env::current_exe()
                .map_err(|source| WorkerError::Start { program: "dossier".into(), source })?,
        };
        let slots = Arc::new(Semaphore::new(options.parallel.max(1)));
        Ok(Worker { options: Arc::new(options), program, slots })
    }

    /// Reads a file. `name` is its name without any folder.
    ///
    /// # Errors
    /// See [`WorkerError`]; [`WorkerError::is_the_files_fault`] tells whose fault it was.
    pub async fn read(&self, bytes: &[u8], name: &str) -> Result<Reading, WorkerError> {
        self.read_mapped(bytes, name, &RecordMapping::default()).await
    }

    /// As [`Worker::read`], and registers of requests are read as `mapping` says.
    ///
    /// # Errors
    /// As there.
    pub async fn read_mapped(
        &self,
        bytes: &[u8],
        name: &str,
        mapping: &RecordMapping,
    ) -> Result<Reading, WorkerError> {
        let task = Task::Read { name: name.to_owned(), mapping: mapping.clone() };
        let body = self.call(task, bytes).await?;
        let ReadingBody { document, chunks } = serde_json::from_slice(&body)
            .map_err(|e| WorkerError::Died { how: format!("its answer is malformed: {e}") })?;
        Ok(Reading { document, chunks })
    }

    /// Draws a page (from 1) of a PDF as PNG, `scale` pixels per point.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub async fn page_png(&self, bytes: &[u8], page: u32, scale: f32) -> Result<Vec<u8>, WorkerError> {
        self.call(Task::Page { page, scale }, bytes).await
    }

    /// The picture (PNG or JPEG) that lies under a path in a BCF archive.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub async fn picture(&self, bytes: &[u8], member: &str) -> Result<Vec<u8>, WorkerError> {
        self.call(Task::Picture { member: member.to_owned() }, bytes).await
    }

    /// Lets a child try what the sandbox must deny. With `sandboxed` false the same attempts run
    /// without a sandbox: the control that shows the attempts themselves work.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub async fn probe(&self, sandboxed: bool) -> Result<Probe, WorkerError> {
        let body = self.call(Task::Probe { sandboxed }, &[]).await?;
        serde_json::from_slice(&body).map_err(|e| WorkerError::Died { how: e.to_string() })
    }

    async fn call(&self, task: Task, bytes: &[u8]) -> Result<Vec<u8>, WorkerError> {
        let _slot =
            self.slots.acquire().await.map_err(|_| self.start_error(std::io::Error::other("closed")))?;
        let request =
            Request { memory_bytes: self.options.memory_bytes, limits: self.options.limits.clone(), task };
        let mut child = self.spawn()?;
        let talk = self.talk(&mut child, request, bytes);
        match tokio::time::timeout(Duration::from_secs(self.options.seconds), talk).await {
            Ok(answer) => answer,
            Err(_) => {
                // Dropping the child would kill it as well; waiting leaves no zombie behind.
                let _ = child.kill().await;
                Err(WorkerError::TimedOut { seconds: self.options.seconds })
            }
        }
    }

    fn spawn(&self) -> Result<Child, WorkerError> {
        Command::new(&self.program)
            .arg("worker")
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|e| self.start_error(e))
    }

    async fn talk(&self, child: &mut Child, request: Request, bytes: &[u8]) -> Result<Vec<u8>, WorkerError> {
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(self.start_error(std::io::Error::other("no pipes")));
        };
        let head = protocol::encode(&request, &[]).map_err(|e| self.start_error(e))?;
        let feed = async move {
            // A child that dies early closes its end: the write's error says less than its exit does.
            // The empty body's length is left off and the real one sent, so the file is not copied.
            let _ = stdin.write_all(&head[..head.len() - 8]).await;
            let _ = stdin.write_all(&(bytes.len() as u64).to_le_bytes()).await;
            let _ = stdin.write_all(bytes).await;
        };
        let mut answer = Vec::new();
        let mut complaint = Vec::new();
        let mut bounded_out = stdout.take(MAX_ANSWER_BYTES + 1);
        let mut bounded_err = stderr.take(MAX_STDERR_BYTES);
        let (_, out, _) = tokio::join!(feed, bounded_out.read_to_end(&mut answer), async {
            let _ = bounded_err.read_to_end(&mut complaint).await;
            // A child that goes on talking must not block on a full pipe.
            let _ = tokio::io::copy(&mut bounded_err.into_inner(), &mut tokio::io::sink()).await;
        });
        out.map_err(|e| self.start_error(e))?;
        if answer.len() as u64 > MAX_ANSWER_BYTES {
            let _ = child.kill().await;
            return Err(WorkerError::AnswerTooLarge { megabytes: MAX_ANSWER_BYTES >> 20 });
        }
        let status = child.wait().await.map_err(|e| self.start_error(e))?;
        self.judge(status, &answer, &String::from_utf8_lossy(&complaint))
    }

    fn judge(&self, status: ExitStatus, answer: &[u8], complaint: &str) -> Result<Vec<u8>, WorkerError> {
        if let Ok((head, body)) = protocol::read::<Answer>(&mut &answer[..], MAX_ANSWER_BYTES) {
            return match head {
                Answer::Done => Ok(body),
                Answer::Rejected(error) => Err(error.into()),
                Answer::Sandbox { detail } => Err(WorkerError::Sandbox { detail }),
            };
        }
        if complaint.contains("memory allocation of") || complaint.contains("capacity overflow") {
            return Err(WorkerError::OutOfMemory { megabytes: self.options.memory_bytes >> 20 });
        }
        let how = match (status.signal(), status.code()) {
            (Some(signal), _) => format!("signal {signal}"),
            (_, Some(101)) => format!("panic: {}", first_line(complaint)),
            (_, code) => format!("exit code {}", code.unwrap_or(-1)),
        };
        Err(WorkerError::Died { how })
    }

    fn start_error(&self, source: std::io::Error) -> WorkerError {
        WorkerError::Start { program: self.program.display().to_string(), source }
    }
}

/// The place of a panic, without its message: a message may quote the document.
fn first_line(complaint: &str) -> &str {
    complaint
        .lines()
        .find_map(|l| l.split_once("panicked at ").map(|(_, place)| place.trim_end_matches(':')))
        .unwrap_or("unknown place")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panics_place_is_told_and_its_message_is_not() {
        let text = "\nthread 'main' (7) panicked at ingest/src/pdf/words.rs:10:5:\nindex secret\nnote: x";
        assert_eq!(first_line(text), "ingest/src/pdf/words.rs:10:5");
    }
}
