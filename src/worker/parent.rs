//! The parent's side: start a child, feed it, bound it, judge its end.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ingest::{ASKS_PER_PAGE, Chunk, Document, GreyImage, Limits, OcrProblem, OcrWish, ReadIn, RecordMapping};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::Semaphore;

use super::protocol::{self, Answer, Place, ReadingBody, Reply, Request, Task};
use super::{OcrOptions, Probe, WorkerError};

/// Longest answer that is taken from a child.
const MAX_ANSWER_BYTES: u64 = 1 << 30;
/// Time that a file gets more for every image of a page: to draw it, to turn it upright, to lay it out.
const SECONDS_PER_IMAGE: u64 = 10;
/// What is kept of a child's stderr, for telling how it died.
const MAX_STDERR_BYTES: u64 = 16 << 10;

/// How children are started and bounded.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The program; `None` is the running one.
    pub program: Option<PathBuf>,
    /// Address space of a child in bytes.
    pub memory_bytes: u64,
    /// Seconds after which a child is killed. The time in which images of pages are read is not counted.
    pub seconds: u64,
    /// Children at the same time.
    pub parallel: usize,
    /// Bounds for the readers.
    pub limits: Limits,
    /// How pages that are images are read.
    pub ocr: OcrOptions,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        WorkerOptions {
            program: None,
            memory_bytes: 1536 << 20,
            seconds: 60,
            parallel: std::thread::available_parallelism().map_or(2, usize::from),
            limits: Limits::default(),
            ocr: OcrOptions::default(),
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

/// Starts the program as a child that knows nothing of this process but its three pipes.
pub(super) fn spawn(program: &Path) -> std::io::Result<Child> {
    Command::new(program)
        .arg("worker")
        .env_clear()
        // The allocator's thread would be there before the sandbox, and outside of it.
        .env("MALLOC_CONF", "background_thread:false")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
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

    /// The same worker, which reads images of pages in these languages.
    #[must_use]
    pub fn with_languages(&self, languages: &str) -> Self {
        let ocr = OcrOptions { languages: languages.to_owned(), ..self.options.ocr.clone() };
        Worker {
            options: Arc::new(WorkerOptions { ocr, ..WorkerOptions::clone(&self.options) }),
            ..self.clone()
        }
    }

    /// Languages in which images of pages can be read.
    ///
    /// # Errors
    /// Why they cannot be read, and what to install.
    pub fn ocr_languages(&self) -> Result<&str, String> {
        self.options.ocr.program().map(|_| self.options.ocr.languages.as_str())
    }

    /// Lets the program for text recognition read an empty image: that it starts in its sandbox and ends.
    ///
    /// # Errors
    /// See [`OcrProblem`].
    pub async fn try_ocr(&self) -> Result<(), OcrProblem> {
        let image = GreyImage::from_fn(64, 64, |_, _| 255).to_pgm();
        self.recognise(OcrWish::Words(ReadIn::All), &image).await.map(|_| ())
    }

    async fn recognise(&self, wish: OcrWish, image: &[u8]) -> Result<Vec<u8>, OcrProblem> {
        self.options.ocr.ask(&self.program, self.options.memory_bytes, wish, image).await
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
        let ocr = self.ocr_languages().map(str::to_owned);
        let limits = self.options.limits.clone();
        self.reading(Task::Read { name: name.to_owned(), limits, mapping: mapping.clone(), ocr }, bytes).await
    }

    /// Goes on reading an archive: see [`ingest::read_rest`].
    ///
    /// # Errors
    /// As [`Worker::read`].
    pub async fn read_rest(&self, bytes: &[u8], from: u32) -> Result<Document, WorkerError> {
        let task = Task::Rest { from, limits: self.options.limits.clone() };
        Ok(self.reading(task, bytes).await?.document)
    }

    async fn reading(&self, task: Task, bytes: &[u8]) -> Result<Reading, WorkerError> {
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
        self.call(Task::Page { page, scale, limits: self.options.limits.clone() }, bytes).await
    }

    /// The picture (PNG or JPEG) that lies under a path in a BCF archive.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub async fn picture(&self, bytes: &[u8], member: &str) -> Result<Vec<u8>, WorkerError> {
        let limits = self.options.limits.clone();
        self.call(Task::Picture { member: member.to_owned(), limits }, bytes).await
    }

    /// Lets a child try what the sandbox must deny. With `sandboxed` false the same attempts run
    /// without a sandbox: the control that shows the attempts themselves work.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub async fn probe(&self, sandboxed: bool) -> Result<Probe, WorkerError> {
        self.probe_in(if sandboxed { Place::Reader } else { Place::Open }).await
    }

    /// As [`Worker::probe`], in the sandbox of the program for text recognition.
    ///
    /// # Errors
    /// See [`WorkerError`]; [`WorkerError::Sandbox`] where there is no such program.
    pub async fn probe_ocr(&self) -> Result<Probe, WorkerError> {
        let program = self.options.ocr.program().map_err(|detail| WorkerError::Sandbox { detail })?;
        self.probe_in(Place::Ocr(program)).await
    }

    async fn probe_in(&self, place: Place) -> Result<Probe, WorkerError> {
        let body = self.call(Task::Probe(place), &[]).await?;
        serde_json::from_slice(&body).map_err(|e| WorkerError::Died { how: e.to_string() })
    }

    async fn call(&self, task: Task, bytes: &[u8]) -> Result<Vec<u8>, WorkerError> {
        let _slot =
            self.slots.acquire().await.map_err(|_| self.start_error(std::io::Error::other("closed")))?;
        let request = Request { memory_bytes: self.options.memory_bytes, task };
        let mut child = spawn(&self.program).map_err(|e| self.start_error(e))?;
        let talk = self.talk(&mut child, &request, bytes).await;
        // It has answered or is given up. Dropping it would kill it as well; waiting leaves no zombie behind.
        let _ = child.kill().await;
        talk
    }

    async fn talk(&self, child: &mut Child, request: &Request, bytes: &[u8]) -> Result<Vec<u8>, WorkerError> {
        let (Some(mut stdin), Some(mut stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(self.start_error(std::io::Error::other("no pipes")));
        };
        let head = protocol::encode(request, &[]).map_err(|e| self.start_error(e))?;
        let complaint = tokio::spawn(complaint(stderr));
        let mut time = Duration::from_secs(self.options.seconds);
        let feed = async {
            // A child that dies early closes its end: the write's error says less than its exit does.
            // The empty body's length is left off and the real one sent, so the file is not copied.
            let _ = stdin.write_all(&head[..head.len() - 8]).await;
            let _ = stdin.write_all(&(bytes.len() as u64).to_le_bytes()).await;
            let _ = stdin.write_all(bytes).await;
        };
        self.within(&mut time, feed).await?;
        let mut images = 0;
        loop {
            let message = protocol::receive::<Answer>(&mut stdout, MAX_ANSWER_BYTES);
            let (answer, body) = match self.within(&mut time, message).await? {
                Ok(message) => message,
                Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                    return Err(WorkerError::AnswerTooLarge { megabytes: MAX_ANSWER_BYTES >> 20 });
                }
                Err(_) => {
                    drop((stdin, stdout));
                    let status = self.within(&mut time, child.wait()).await?;
                    let status = status.map_err(|e| self.start_error(e))?;
                    return Err(self.judge(status, &complaint.await.unwrap_or_default()));
                }
            };
            match answer {
                Answer::Done => return Ok(body),
                Answer::Rejected(error) => return Err(error.into()),
                Answer::Sandbox { detail } => return Err(WorkerError::Sandbox { detail }),
                Answer::Asks(wish) => {
                    images += 1;
                    let reply = self.image(wish, &body, images).await.map_err(|e| self.start_error(e))?;
                    time += Duration::from_secs(SECONDS_PER_IMAGE);
                    self.within(&mut time, stdin.write_all(&reply)).await?.ok();
                }
            }
        }
    }

    /// Waits within the child's time and takes what was needed off it.
    async fn within<T>(&self, time: &mut Duration, work: impl Future<Output = T>) -> Result<T, WorkerError> {
        let begun = Instant::now();
        let done = tokio::time::timeout(*time, work).await;
        *time = time.saturating_sub(begun.elapsed());
        done.map_err(|_| WorkerError::TimedOut { seconds: self.options.seconds })
    }

    /// Has an image read, the `count`th one of its file.
    async fn image(&self, wish: OcrWish, image: &[u8], count: u32) -> std::io::Result<Vec<u8>> {
        // An honest reader asks no more often for a page, and for no more pages than it may.
        let limit = self.options.limits.max_ocr_pages;
        let read = match count > limit.saturating_mul(ASKS_PER_PAGE) {
            true => Err(OcrProblem::Enough { limit }),
            false => self.recognise(wish, image).await,
        };
        match read {
            Ok(output) => protocol::encode(&Reply::Read, &output),
            Err(problem) => protocol::encode(&Reply::Unread(problem), &[]),
        }
    }

    /// Why a child ended without an answer.
    fn judge(&self, status: ExitStatus, complaint: &str) -> WorkerError {
        if complaint.contains("memory allocation of") || complaint.contains("capacity overflow") {
            return WorkerError::OutOfMemory { megabytes: self.options.memory_bytes >> 20 };
        }
        let how = match (status.signal(), status.code()) {
            (Some(signal), _) => format!("signal {signal}"),
            (_, Some(101)) => format!("panic: {}", first_line(complaint)),
            (_, code) => format!("exit code {}", code.unwrap_or(-1)),
        };
        WorkerError::Died { how }
    }

    fn start_error(&self, source: std::io::Error) -> WorkerError {
        WorkerError::Start { program: self.program.display().to_string(), source }
    }
}

/// What a child says on stderr, the beginning of it.
async fn complaint(stderr: ChildStderr) -> String {
    let (mut bounded, mut text) = (stderr.take(MAX_STDERR_BYTES), Vec::new());
    let _ = bounded.read_to_end(&mut text).await;
    // A child that goes on talking must not block on a full pipe.
    let _ = tokio::io::copy(&mut bounded.into_inner(), &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&text).into_owned()
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
