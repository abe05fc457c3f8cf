//! IfcOpenShell behind a Python script that stays up over many files.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Deserialize;

use super::super::super::Failure;
use super::compare::Theirs;

const SCRIPT: &str = include_str!("peer.py");

/// What the script says about one file.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Answer {
    /// Time from the path to tree, property sets and quantities of every element.
    pub(super) ms: Option<f64>,
    /// Why the file could not be read.
    pub(super) error: Option<String>,
    /// Everything that was read, where it was asked for.
    pub(super) model: Option<Theirs>,
}

#[derive(Deserialize)]
struct Greeting {
    version: String,
}

/// The running script.
pub(super) struct Peer {
    python: PathBuf,
    pub(super) version: String,
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts the script.
    ///
    /// # Errors
    /// Python or its package is not there.
    pub(super) fn start(python: &Path) -> Result<Self, Failure> {
        let missing = |detail: String| {
            let python = python.display();
            Failure::failed(format!(
                "{python} with the package ifcopenshell cannot be started ({detail}); name one with --python"
            ))
        };
        let mut child = Command::new(python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| missing(e.to_string()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(missing("no pipes".into()));
        };
        let mut stdout = BufReader::new(stdout);
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let greeting: Greeting =
            serde_json::from_str(&line).map_err(|_| missing("it did not greet".into()))?;
        Ok(Peer { python: python.to_owned(), version: greeting.version, child, stdin, stdout })
    }

    /// Reads a file; `whole` asks for every value, not only for the time. A script that died of the file is
    /// started anew.
    ///
    /// # Errors
    /// The script cannot be started again.
    pub(super) fn ask(&mut self, path: &Path, whole: bool) -> Result<Answer, Failure> {
        let question = format!("{}{}\n", if whole { '=' } else { '+' }, path.display());
        let mut line = String::new();
        let sent = self.stdin.write_all(question.as_bytes()).and_then(|()| self.stdin.flush());
        if sent.is_err() || self.stdout.read_line(&mut line)? == 0 {
            *self = Peer::start(&self.python)?;
            return Ok(Answer {
                error: Some("the program ended while it read the file".into()),
                ..Answer::default()
            });
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
