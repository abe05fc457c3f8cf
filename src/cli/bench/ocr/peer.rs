//! Tesseract by itself, as somebody would call it on an image.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use ingest::GreyImage;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::cli::Failure;

/// The program and its languages.
pub(super) struct Peer {
    program: PathBuf,
    languages: String,
}

impl Peer {
    pub(super) fn new(program: &Path, languages: &str) -> Self {
        Peer { program: program.to_owned(), languages: languages.to_owned() }
    }

    /// The text of an image; empty where the program finds none.
    pub(super) async fn read(&mut self, scan: &GreyImage, dpi: u32) -> Result<String, Failure> {
        let mut command = Command::new(&self.program);
        command.args(["stdin", "stdout", "-l", &self.languages, "--dpi", &dpi.to_string()]);
        // One thread, as here.
        command.env("OMP_THREAD_LIMIT", "1").kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().ok_or_else(|| io::Error::other("no pipe"))?;
        let image = scan.to_pgm();
        let feed = async move {
            let _ = stdin.write_all(&image).await;
        };
        let (_, output) = tokio::join!(feed, child.wait_with_output());
        Ok(String::from_utf8_lossy(&output?.stdout).into_owned())
    }
}
