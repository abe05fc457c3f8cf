//! Where a subcommand's words go: the terminal, or the other end of the control socket.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How a subcommand ended, when nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// Everything was done.
    Done,
    /// The command line was wrong; clap has said how.
    Usage,
    /// Done, with rejected files or failed checks.
    WithRejects,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Usage => 2,
            Exit::WithRejects => 3,
        }
    }
}

/// Why a subcommand failed, with its exit code.
#[derive(Debug, Clone, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Failure {
    /// What happened, to what, what to do.
    pub message: String,
    /// 1 failed, 2 wrong use.
    pub code: u8,
}

impl Failure {
    /// The work failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Failure { message: message.into(), code: 1 }
    }

    /// The line for stderr; a JSON object with `--json`.
    pub fn line(&self, json: bool) -> String {
        if json {
            return serde_json::json!({ "error": self.message, "code": self.code }).to_string();
        }
        // Messages of several lines, as of a configuration file, keep them.
        format!("dossier: {}", harmless(&self.message))
    }

    /// The command line or the configuration asks for something that does not exist.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure { message: message.into(), code: 2 }
    }
}

macro_rules! failures {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                let code = if asks_for_nothing(&error) { 2 } else { 1 };
                Failure { message: with_causes(&error), code }
            }
        }
    )*};
}

failures!(
    crate::answer::AnswerError,
    crate::app::AppError,
    crate::audit::AuditError,
    crate::audit::CustodyError,
    crate::auth::AuthError,
    crate::catalog::CatalogError,
    crate::engine::EngineError,
    crate::engine::gguf::GgufError,
    crate::engine::tokenizer::TokenizerError,
    crate::index::IndexError,
    crate::jobs::JobError,
    crate::worker::WorkerError,
    std::io::Error,
    serde_json::Error,
);

/// Names that do not exist are wrong use wherever they are noticed.
fn asks_for_nothing(error: &(dyn std::error::Error + 'static)) -> bool {
    use crate::{answer::AnswerError, app::AppError, audit::AuditError, auth::AuthError, jobs::JobError};
    match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(AppError::NoUser(_) | AppError::NoProject(_)), ..) => return true,
        (_, Some(AnswerError::Length { .. }), ..) => return true,
        (_, _, Some(JobError::UnknownSource { .. } | JobError::Mapping { .. }), _) => return true,
        (Some(AppError::Jobs(JobError::Mapping { .. })), ..) => return true,
        (.., Some(AuthError::BadName | AuthError::BadPassword)) => return true,
        (.., Some(AuthError::NameTaken { .. } | AuthError::UnknownRole { .. })) => return true,
        (.., Some(AuthError::UnknownUser { .. })) => return true,
        _ => {}
    }
    error.downcast_ref::<AuditError>().is_some_and(|e| matches!(e.code(), "no_such_query" | "no_such_kind"))
}

impl From<crate::config::ConfigError> for Failure {
    fn from(error: crate::config::ConfigError) -> Self {
        Failure::usage(with_causes(&error))
    }
}

/// The message with those of its causes that it does not already contain.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.contains(&text) {
            message.push_str(": ");
            message.push_str(&text);
        }
        cause = error.source();
    }
    message
}

/// One piece of output. Frames cross the control socket as JSON Lines.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Frame {
    /// Text for stdout, without a line end added.
    Out(String),
    /// A line for stderr.
    Note(String),
    /// A step of long work; shown as a bar, a line or a JSON line.
    Progress(serde_json::Value),
    /// A file to be written by the caller, contents in base64.
    File {
        /// Where, as the caller named it.
        path: PathBuf,
        /// Contents.
        base64: String,
    },
    /// The end.
    Exit(Result<Exit, Failure>),
}

/// The task that prints; it ends with what it could not write.
type Printer = JoinHandle<Result<(), Failure>>;

/// Takes a subcommand's output. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Output {
    json: bool,
    frames: mpsc::UnboundedSender<Frame>,
    printer: std::sync::Arc<std::sync::Mutex<Option<Printer>>>,
}

impl Output {
    /// Prints on this process's terminal. Needs a tokio runtime.
    pub fn terminal(json: bool) -> Self {
        let (frames, receiver) = mpsc::unbounded_channel();
        let printer = tokio::spawn(print(receiver, json));
        Output { json, frames, printer: std::sync::Arc::new(std::sync::Mutex::new(Some(printer))) }
    }

    /// Hands the frames to somebody else.
    pub fn channel(json: bool, frames: mpsc::UnboundedSender<Frame>) -> Self {
        Output { json, frames, printer: std::sync::Arc::default() }
    }

    /// Whether one JSON object is wanted.
    pub fn wants_json(&self) -> bool {
        self.json
    }

    /// A line on stdout. Line ends within it, as a file's name may have them, do not end it.
    pub fn line(&self, text: impl std::fmt::Display) {
        self.frame(Frame::Out(format!("{}\n", one_line(&text.to_string()))));
    }

    /// Lines on stdout that may hold further line ends.
    pub fn lines(&self, text: impl std::fmt::Display) {
        self.frame(Frame::Out(format!("{text}\n")));
    }

    /// Text on stdout as it comes, for streams.
    pub fn piece(&self, text: &str) {
        self.frame(Frame::Out(text.to_owned()));
    }

    /// A value as one line of JSON on stdout.
    pub fn value(&self, value: &impl Serialize) -> Result<(), Failure> {
        self.lines(serde_json::to_string(value)?);
        Ok(())
    }

    /// A line on stderr, as [`line`](Self::line).
    pub fn note(&self, text: impl std::fmt::Display) {
        self.frame(Frame::Note(one_line(&text.to_string())));
    }

    /// A step of long work.
    pub fn progress(&self, step: &impl Serialize) {
        if let Ok(value) = serde_json::to_value(step) {
            self.frame(Frame::Progress(value));
        }
    }

    /// A file at the caller's side.
    pub fn file(&self, path: PathBuf, bytes: &[u8]) {
        self.frame(Frame::File { path, base64: STANDARD.encode(bytes) });
    }

    /// Any frame. Nobody listening is no error: the reader of a pipe may have gone.
    pub fn frame(&self, frame: Frame) {
        let _ = self.frames.send(frame);
    }

    /// A JSON object for a command that has nothing to say but that it is done; nothing without `--json`.
    pub fn done(&self) -> Result<(), Failure> {
        if self.json { self.value(&serde_json::json!({ "done": true })) } else { Ok(()) }
    }

    /// Waits until everything said so far is on the terminal.
    ///
    /// # Errors
    /// When an output file could not be written.
    pub async fn finish(self) -> Result<(), Failure> {
        let printer = self.printer.lock().ok().and_then(|mut p| p.take());
        drop(self.frames);
        if let Some(printer) = printer {
            // Clones of this output may live on in tasks; what they say later may be lost.
            if let Ok(Ok(printed)) = tokio::time::timeout(Duration::from_secs(2), printer).await {
                return printed;
            }
        }
        Ok(())
    }
}

/// Writes a file the way every output file is written: complete or not at all.
pub(crate) fn write_file(path: &std::path::Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."));
    let fail = |e: &dyn std::fmt::Display| Failure::failed(format!("cannot write {}: {e}", path.display()));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| fail(&e))?;
    file.write_all(bytes).map_err(|e| fail(&e))?;
    file.persist(path).map_err(|e| fail(&e))?;
    Ok(())
}

/// Whether [`write_file`] can write there: before work that leaves a trace is done for a file.
pub(crate) fn can_write(path: &std::path::Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."));
    let fail = |e: &dyn std::fmt::Display| Failure::failed(format!("cannot write {}: {e}", path.display()));
    if path.is_dir() {
        return Err(fail(&"it is a folder"));
    }
    tempfile::NamedTempFile::new_in(folder).map(drop).map_err(|e| fail(&e))
}

/// The text without control characters: names and contents of files must not steer the terminal.
fn harmless(text: &str) -> String {
    let wrong = |c: char| c.is_control() && c != '\n' && c != '\t';
    text.chars().map(|c| if wrong(c) { '\u{fffd}' } else { c }).collect()
}

/// As [`harmless`], on one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

/// Controls, line and paragraph separators, and marks that turn the direction of what follows.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Prints frames until the last sender is gone. The first output file that cannot be written is the result.
async fn print(mut frames: mpsc::UnboundedReceiver<Frame>, json: bool) -> Result<(), Failure> {
    let mut bar = Bar::new(json);
    let mut files = Ok(());
    while let Some(frame) = frames.recv().await {
        let mut stdout = std::io::stdout().lock();
        let mut stderr = std::io::stderr().lock();
        // A closed pipe on the other side ends nothing: the work goes on.
        let _ = match frame {
            Frame::Out(text) => {
                bar.pause();
                stdout.write_all(harmless(&text).as_bytes()).and_then(|()| stdout.flush())
            }
            Frame::Note(text) => {
                bar.pause();
                if json {
                    writeln!(stderr, "{}", serde_json::json!({ "note": text }))
                } else {
                    writeln!(stderr, "{}", harmless(&text))
                }
            }
            Frame::Progress(step) => {
                drop(stderr);
                bar.show(&step);
                Ok(())
            }
            Frame::File { path, base64 } => {
                let written = STANDARD
                    .decode(base64)
                    .map_err(|e| Failure::failed(e.to_string()))
                    .and_then(|bytes| write_file(&path, &bytes));
                files = files.and(written);
                Ok(())
            }
            Frame::Exit(_) => Ok(()),
        };
    }
    bar.pause();
    files
}

/// Progress on stderr: JSON Lines, a bar on a terminal, or now and then a line.
struct Bar {
    json: bool,
    bar: Option<ProgressBar>,
    last_line: Option<std::time::Instant>,
}

impl Bar {
    fn new(json: bool) -> Self {
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template("{bar:28} {pos}/{len}  {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Bar { json, bar, last_line: None }
    }

    fn show(&mut self, step: &serde_json::Value) {
        if self.json {
            let _ = writeln!(std::io::stderr().lock(), "{step}");
            return;
        }
        let number = |key: &str| step.get(key).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let text = |key: &str| step.get(key).and_then(serde_json::Value::as_str).unwrap_or("");
        let eta = step.get("eta_s").and_then(serde_json::Value::as_f64);
        let rest = eta
            .map(|s| {
                if s < 120.0 {
                    format!("  about {s:.0} s left")
                } else {
                    format!("  about {:.0} min left", s / 60.0)
                }
            })
            .unwrap_or_default();
        let part = |key: &str, what: &str| {
            let (done, all) = (step.get(key)?.get(0)?.as_u64()?, step.get(key)?.get(1)?.as_u64()?);
            Some(format!(" {done} of {all} {what}"))
        };
        let parts = part("passages", "passages").or_else(|| part("inside", "inside")).unwrap_or_default();
        let message = one_line(&format!("{}{parts} {}{rest}", text("step"), text("path")));
        if let Some(bar) = &self.bar {
            bar.set_length(number("total"));
            bar.set_position(number("done"));
            bar.set_message(message);
        } else if self.last_line.is_none_or(|t| t.elapsed() > Duration::from_secs(5)) {
            self.last_line = Some(std::time::Instant::now());
            let _ = writeln!(std::io::stderr().lock(), "{}/{} {message}", number("done"), number("total"));
        }
    }

    fn pause(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            bar.reset();
        }
    }
}

/// Logs go to stderr: readable lines, or JSON Lines with `--json`. `filter` narrows or widens them, in
/// the syntax of `tracing`'s filters.
pub(crate) fn start_logging(json: bool, filter: &str) {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::new(filter);
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start in one process keeps the first one's settings.
    let _ = if json { builder.json().try_init() } else { builder.with_target(false).try_init() };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_do_not_steer_the_terminal() {
        assert_eq!(
            one_line("a\n5 hits\r\tb\u{2028}c\u{202e}fdp"),
            "a\u{fffd}5 hits\u{fffd}\u{fffd}b\u{fffd}c\u{fffd}fdp"
        );
        assert_eq!(harmless("a\u{1b}[31mb\r\u{9b}2J\tc\nÜ"), "a\u{fffd}[31mb\u{fffd}\u{fffd}2J\tc\nÜ");
    }

    #[tokio::test]
    async fn an_output_file_that_cannot_be_written_is_told() {
        let out = Output::terminal(true);
        out.file(PathBuf::from("/nonexistent/folder/report.pdf"), b"x");
        assert_eq!(out.finish().await.unwrap_err().code, 1);
    }
}
