//! The program for text recognition: whether it is there, what it is asked, and how it is bounded.
//!
//! The reader process starts no program. It hands the image of a page back to the parent, which starts
//! one more child for it: that one closes a sandbox of its own, in which nothing but this program can
//! be executed, and becomes it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ingest::{OcrProblem, OcrWish};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;

use super::parent;
use super::protocol::{self, Request, Task};

/// Where distributions put Tesseract's language data.
const DATA: &[&str] = &[
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
];
/// Longest table of words that is taken; a dense page has 100 kB.
const MAX_ANSWER_BYTES: u64 = 32 << 20;
/// What is kept of the program's complaints.
const MAX_STDERR_BYTES: u64 = 4 << 10;

/// How pages that are images are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OcrOptions {
    /// The program: Tesseract 4 or newer.
    pub program: PathBuf,
    /// Languages, as `deu+fra`; empty where such pages are not to be read.
    pub languages: String,
    /// Seconds for one image.
    pub seconds: u64,
}

impl Default for OcrOptions {
    fn default() -> Self {
        OcrOptions {
            program: PathBuf::from("/usr/bin/tesseract"),
            languages: "deu+fra+ita+eng".to_owned(),
            seconds: 60,
        }
    }
}

/// What the sandbox of the program has to let through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Program {
    /// The only file that may be executed.
    pub path: PathBuf,
    /// Folder with its language data, for reading only.
    pub data: PathBuf,
    /// Seconds of processor time.
    pub seconds: u64,
}

impl OcrOptions {
    /// The program and its data.
    ///
    /// # Errors
    /// What is missing, and the packages that bring it.
    /// Folders with the program's language data that are there.
    pub fn data(&self) -> Vec<PathBuf> {
        DATA.iter().map(PathBuf::from).filter(|folder| folder.is_dir()).collect()
    }

    pub(super) fn program(&self) -> Result<Program, String> {
        if self.languages.is_empty() {
            return Err("text recognition is switched off: ingest.ocr_languages is empty".to_owned());
        }
        let languages: Vec<&str> = self.languages.split('+').collect();
        let package = |language: &str| format!("tesseract-ocr-{}", language.replace('_', "-"));
        let install = |packages: &[String]| format!("install the packages {}", packages.join(" "));
        if !self.program.is_file() {
            let mut packages = vec!["tesseract-ocr".to_owned()];
            packages.extend(languages.iter().map(|l| package(l)));
            let program = self.program.display();
            return Err(format!("{program} is not there; {}", install(&packages)));
        }
        let holds = |folder: &Path, language: &str| folder.join(format!("{language}.traineddata")).is_file();
        let known = |folder: &&Path| languages.iter().filter(|l| holds(folder, l)).count();
        let data = DATA.iter().map(Path::new).max_by_key(known).unwrap_or(Path::new("/"));
        let lacking: Vec<String> = languages.iter().filter(|l| !holds(data, l)).map(|l| package(l)).collect();
        if !lacking.is_empty() {
            return Err(format!("language data are missing; {}", install(&lacking)));
        }
        Ok(Program { path: self.program.clone(), data: data.to_owned(), seconds: self.seconds })
    }

    fn arguments(&self, wish: OcrWish, program: &Program) -> Vec<String> {
        let data = program.data.display().to_string();
        let common = ["stdin", "stdout", "--tessdata-dir", &data, "--dpi", "300"];
        // Of what the reader asks for, only languages that are configured reach the command line.
        let languages = match wish {
            OcrWish::Words(tongue) | OcrWish::Scattered(tongue) => tongue.codes(&self.languages),
            OcrWish::Orientation => String::new(),
        };
        let wish: &[&str] = match wish {
            OcrWish::Words(_) => &["-l", &languages, "--psm", "3", "-c", "tessedit_create_tsv=1"],
            OcrWish::Scattered(_) => &["-l", &languages, "--psm", "11", "-c", "tessedit_create_tsv=1"],
            OcrWish::Orientation => &["-l", "osd", "--psm", "0"],
        };
        common.iter().chain(wish).map(|a| (*a).to_owned()).collect()
    }

    /// Lets the program read an image.
    pub(super) async fn ask(
        &self,
        dossier: &Path,
        memory_bytes: u64,
        wish: OcrWish,
        image: &[u8],
    ) -> Result<Vec<u8>, OcrProblem> {
        let program = self.program().map_err(|why| OcrProblem::Missing { why })?;
        let arguments = self.arguments(wish, &program);
        let request = Request { memory_bytes, task: Task::Recognise { program, arguments } };
        let failed = |e: std::io::Error| OcrProblem::Failed { how: e.to_string() };
        let head = protocol::encode(&request, &[]).map_err(failed)?;
        let mut child = parent::spawn(dossier).map_err(failed)?;
        let time = Duration::from_secs(self.seconds);
        match tokio::time::timeout(time, talk(&mut child, &head, image)).await {
            Ok(answer) => answer,
            Err(_) => {
                let _ = child.kill().await;
                Err(OcrProblem::TimedOut { seconds: self.seconds })
            }
        }
    }
}

async fn talk(child: &mut Child, head: &[u8], image: &[u8]) -> Result<Vec<u8>, OcrProblem> {
    let failed = |how: String| OcrProblem::Failed { how };
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(failed("no pipes".to_owned()));
    };
    let feed = async move {
        // A program that dies early closes its end: how it died says more than the error of this.
        let _ = stdin.write_all(head).await;
        let _ = stdin.write_all(image).await;
    };
    let (mut answer, mut complaint) = (Vec::new(), Vec::new());
    let mut out = stdout.take(MAX_ANSWER_BYTES);
    let mut err = stderr.take(MAX_STDERR_BYTES);
    let (_, read, _) = tokio::join!(feed, out.read_to_end(&mut answer), async {
        let _ = err.read_to_end(&mut complaint).await;
        let _ = tokio::io::copy(&mut err.into_inner(), &mut tokio::io::sink()).await;
    });
    read.map_err(|e| failed(e.to_string()))?;
    let status = child.wait().await.map_err(|e| failed(e.to_string()))?;
    if status.success() {
        return Ok(answer);
    }
    let complaint = String::from_utf8_lossy(&complaint);
    let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(failed(format!("{status}; {}", last.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_packages() {
        let options = OcrOptions { program: "/nowhere/tesseract".into(), ..OcrOptions::default() };
        let why = options.program().unwrap_err();
        assert!(
            why.ends_with(
                "packages tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra tesseract-ocr-ita tesseract-ocr-eng"
            ),
            "{why}"
        );
        let itself = std::env::current_exe().unwrap();
        let options = OcrOptions { program: itself.clone(), languages: "xxx_yy".into(), seconds: 1 };
        assert!(options.program().unwrap_err().ends_with("packages tesseract-ocr-xxx-yy"));
        let off = OcrOptions { program: itself, languages: String::new(), seconds: 1 };
        assert!(off.program().unwrap_err().contains("ingest.ocr_languages"));
    }
}
