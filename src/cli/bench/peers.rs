//! The programs that the reader is measured against, each run as its own process.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

const PDFIUM_SCRIPT: &str = include_str!("pdfium.py");

/// What a program made of one file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// The text of each page.
    Pages(Vec<String>),
    /// The program refused the file, or died of it.
    Refused,
    /// The program ran longer than allowed.
    TimedOut,
}

impl Outcome {
    /// The pages, where there are any.
    pub(super) fn pages(&self) -> Option<&[String]> {
        match self {
            Outcome::Pages(pages) => Some(pages),
            Outcome::Refused | Outcome::TimedOut => None,
        }
    }
}

/// A program that prints a file's text, pages parted by form feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// poppler, reading order
    Pdftotext,
    /// MuPDF
    Mutool,
}

impl Tool {
    fn command(self, file: &Path) -> Command {
        let mut command = match self {
            Tool::Pdftotext => Command::new("pdftotext"),
            Tool::Mutool => Command::new("mutool"),
        };
        match self {
            Tool::Pdftotext => command.args(["-enc", "UTF-8"]).arg(file).arg("-"),
            Tool::Mutool => command.args(["draw", "-q", "-F", "txt"]).arg(file),
        };
        command
    }

    /// Reads one file.
    ///
    /// # Errors
    /// When the program cannot be started; [`io::ErrorKind::NotFound`] where it is not installed.
    pub(super) async fn read(self, file: &Path, limit: Duration) -> io::Result<Outcome> {
        let mut command = self.command(file);
        command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let Ok(output) = tokio::time::timeout(limit, command.output()).await else {
            return Ok(Outcome::TimedOut);
        };
        let output = output?;
        let pages = split_pages(&String::from_utf8_lossy(&output.stdout));
        Ok(if output.status.success() || pages.iter().any(|p| !p.trim().is_empty()) {
            Outcome::Pages(pages)
        } else {
            Outcome::Refused
        })
    }
}

/// Form feeds end pages; what follows the last one is no page.
fn split_pages(text: &str) -> Vec<String> {
    let mut pages: Vec<String> = text.split('\u{c}').map(str::to_owned).collect();
    if pages.last().is_some_and(|p| p.trim().is_empty()) {
        pages.pop();
    }
    pages
}

/// pdfium behind a Python script that stays up over many files.
pub(super) struct Pdfium {
    python: PathBuf,
    shown: bool,
    running: Option<(Child, ChildStdin, Lines<BufReader<ChildStdout>>)>,
}

impl Pdfium {
    /// Nothing is started yet. `shown` counts annotations and form fields as part of the page.
    pub(super) fn new(python: &Path, shown: bool) -> Self {
        Pdfium { python: python.to_owned(), shown, running: None }
    }

    /// Reads one file; a process that died of the one before is started anew.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] where Python or pypdfium2 is not installed.
    pub(super) async fn read(&mut self, file: &Path, limit: Duration) -> io::Result<Outcome> {
        let (mut child, mut stdin, mut lines) = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let path = file.as_os_str().as_encoded_bytes();
        let talk = async {
            stdin.write_all(path).await?;
            stdin.write_all(b"\n").await?;
            stdin.flush().await?;
            lines.next_line().await
        };
        match tokio::time::timeout(limit, talk).await {
            Ok(Ok(Some(line))) => {
                self.running = Some((child, stdin, lines));
                Ok(answer(&line))
            }
            Ok(_) => match child.wait().await?.code() {
                // The script's own exit: the library is missing.
                Some(1) => Err(io::ErrorKind::NotFound.into()),
                _ => Ok(Outcome::Refused),
            },
            Err(_) => {
                child.kill().await?;
                Ok(Outcome::TimedOut)
            }
        }
    }

    fn start(&self) -> io::Result<(Child, ChildStdin, Lines<BufReader<ChildStdout>>)> {
        let mut command = Command::new(&self.python);
        command.args(["-c", PDFIUM_SCRIPT]).args(self.shown.then_some("--shown"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        Ok((child, stdin, BufReader::new(stdout).lines()))
    }

    /// Lets the process end by itself and waits for it, so that its cost can be counted.
    pub(super) async fn end(&mut self) -> io::Result<()> {
        if let Some((mut child, stdin, lines)) = self.running.take() {
            drop((stdin, lines));
            child.wait().await?;
        }
        Ok(())
    }
}

fn answer(line: &str) -> Outcome {
    let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    match value.get("pages").and_then(|p| p.as_array()) {
        Some(pages) => {
            Outcome::Pages(pages.iter().map(|p| p.as_str().unwrap_or_default().to_owned()).collect())
        }
        None => Outcome::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_feeds_end_pages() {
        assert_eq!(split_pages("a\u{c}\u{c}b\n\u{c}"), ["a", "", "b\n"]);
        assert!(split_pages("").is_empty());
    }

    #[test]
    fn answers_are_pages_or_a_refusal() {
        assert_eq!(answer(r#"{"pages":["a","\u00e4"]}"#), Outcome::Pages(vec!["a".into(), "ä".into()]));
        assert_eq!(answer(r#"{"error":"x"}"#), Outcome::Refused);
        assert_eq!(answer("Traceback"), Outcome::Refused);
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_told_apart_from_a_file_that_is_refused() {
        let file = Path::new("/nonexistent/plan.pdf");
        let error =
            Pdfium::new(Path::new("/nonexistent/python"), true).read(file, Duration::from_secs(5)).await;
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
