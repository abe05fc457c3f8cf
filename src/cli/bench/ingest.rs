//! `bench ingest`: the PDF reader beside pdfium, poppler and MuPDF on a folder of files.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ingest::{Document, Warning, counted};
use sha2::{Digest, Sha256};

use super::peers::{Outcome, Pdfium, Tool};
use super::report::{Program, Report};
use super::score::comparable;
use super::usage::Watch;
use crate::app;
use crate::cli::{Failure, Output};
use crate::config::Config;
use crate::worker::WorkerError;

/// Which files, and beside what.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder with the PDFs; expected texts, if any, lie in its folder `ref` as NAME.pdf.txt
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Measure pdfium, pdftotext and mutool in the same run
    #[arg(long)]
    compare: bool,
    /// Python that has pypdfium2
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// Seconds by the clock that a program may take for a file; a busy machine needs more
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
    /// Name this many of the worst files of the tuning half
    #[arg(long, value_name = "N", default_value_t = 0)]
    worst: usize,
}

/// One file and what each program made of it, ready to be compared.
pub(super) struct Measured {
    pub(super) name: String,
    /// Halves are drawn by name, so that a file stays in its half.
    pub(super) tuning: bool,
    /// Pages, counted from 0, on which our reader found no usable glyphs.
    pub(super) without_glyphs: Vec<usize>,
    pub(super) pages: BTreeMap<Program, Vec<String>>,
    pub(super) expected: Option<Vec<String>>,
}

pub(super) async fn run(config: &Config, args: &Args, out: &Output) -> Result<Report, Failure> {
    let files = pdfs(&args.folder)?;
    let mut measured = Vec::new();
    for file in &files {
        measured.push(Measured {
            name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            tuning: is_for_tuning(file),
            without_glyphs: Vec::new(),
            pages: BTreeMap::new(),
            expected: expected(&args.folder, file),
        });
    }
    let mut report = Report::default();
    read_own(config, args.seconds, &files, &mut measured, &mut report).await?;
    if args.compare {
        let limit = Duration::from_secs(args.seconds);
        for program in [Program::Poppler, Program::Mupdf, Program::Pdfium, Program::PdfiumOneProcess] {
            out.note(format!("reading {} with {program}", counted(files.len(), "file", "files")));
            read_peer(program, args, limit, &files, &mut measured, &mut report).await?;
        }
        shown_by_pdfium(args, limit, &files, &mut measured).await?;
    }
    report.score(&measured, args.worst);
    Ok(report)
}

/// The folder's PDFs by name, without its sub-folders.
pub(super) fn pdfs(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |e: io::Error| Failure::failed(format!("cannot list {}: {e}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pdf")) && path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::usage(format!("{} holds no PDF", folder.display())));
    }
    files.sort();
    Ok(files)
}

/// One half of all files, by the first bit of the name's SHA-256.
fn is_for_tuning(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    Sha256::digest(name.as_encoded_bytes()).first().is_some_and(|byte| byte & 1 == 0)
}

fn expected(folder: &Path, file: &Path) -> Option<Vec<String>> {
    let name = format!("{}.txt", file.file_name()?.to_string_lossy());
    let text = std::fs::read(folder.join("ref").join(name)).ok()?;
    // The file says nothing of pages: the whole document is compared as one.
    Some(vec![comparable(&String::from_utf8_lossy(&text))])
}

async fn read_own(
    config: &Config,
    seconds: u64,
    files: &[PathBuf],
    measured: &mut [Measured],
    report: &mut Report,
) -> Result<(), Failure> {
    let mut config = config.clone();
    config.ingest.worker_seconds = seconds;
    // The other programs recognise no text either: what needs it is counted, not read.
    config.ingest.limits.max_ocr_pages = 0;
    let worker = app::worker(&config)?;
    let watch = Watch::start();
    for (file, into) in files.iter().zip(measured) {
        watch.work_on(&into.name);
        let bytes = std::fs::read(file)?;
        match worker.read(&bytes, &into.name).await {
            Ok(reading) => {
                let (pages, without) = raw_pages(&reading.document);
                report.opened(Program::Own, pages.len());
                into.pages.insert(Program::Own, pages);
                into.without_glyphs = without;
            }
            Err(WorkerError::Rejected(_)) => report.refused(Program::Own),
            Err(WorkerError::TimedOut { .. }) => report.timed_out(Program::Own, &into.name),
            Err(error) if error.is_the_files_fault() => {
                report.died(Program::Own, &into.name, &error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
    }
    report.cost(Program::Own, &watch.stop());
    Ok(())
}

/// The words as printed, in reading order, and the pages (from 0) that have no usable glyphs.
fn raw_pages(document: &Document) -> (Vec<String>, Vec<usize>) {
    let mut pages: Vec<String> = Vec::new();
    let mut without = Vec::new();
    for page in &document.pages {
        let index = (page.number.max(1) - 1) as usize;
        pages.resize(pages.len().max(index + 1), String::new());
        let words: Vec<&str> = page.words.iter().map(|w| w.text.as_str()).collect();
        let asks = |w: &Warning| w.page == Some(page.number) && w.code.starts_with("ocr-");
        if document.warnings.iter().any(asks) && is_unreadable(&words) {
            without.push(index);
        }
        if let Some(text) = pages.get_mut(index) {
            *text = comparable(&words.join(" "));
        }
    }
    (pages, without)
}

/// True where there is no text, or much of it is signs that say nothing.
fn is_unreadable(words: &[&str]) -> bool {
    let chars = || words.iter().flat_map(|w| w.chars());
    let lost = chars().filter(|c| matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}')).count();
    lost * 10 >= chars().count() * 3
}

async fn read_peer(
    program: Program,
    args: &Args,
    limit: Duration,
    files: &[PathBuf],
    measured: &mut [Measured],
    report: &mut Report,
) -> Result<(), Failure> {
    let watch = Watch::start();
    let mut pdfium = Pdfium::new(&args.python, false);
    for (file, into) in files.iter().zip(measured) {
        watch.work_on(&into.name);
        let outcome = match program {
            Program::Poppler => Tool::Pdftotext.read(file, limit).await,
            Program::Mupdf => Tool::Mutool.read(file, limit).await,
            Program::Pdfium | Program::PdfiumOneProcess | Program::Own => pdfium.read(file, limit).await,
        };
        if program == Program::Pdfium {
            pdfium.end().await?;
        }
        match outcome {
            Ok(Outcome::Pages(pages)) => {
                report.opened(program, pages.len());
                into.pages.insert(program, pages.iter().map(|p| comparable(p)).collect());
            }
            Ok(Outcome::Refused) => report.refused(program),
            Ok(Outcome::TimedOut) => report.timed_out(program, &into.name),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                watch.stop();
                report.missing(program);
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        }
    }
    pdfium.end().await?;
    report.cost(program, &watch.stop());
    Ok(())
}

/// What is compared with pdfium counts annotations and form fields; that run's time does not count.
async fn shown_by_pdfium(
    args: &Args,
    limit: Duration,
    files: &[PathBuf],
    measured: &mut [Measured],
) -> Result<(), Failure> {
    let mut pdfium = Pdfium::new(&args.python, true);
    for (file, into) in files.iter().zip(measured) {
        into.pages.remove(&Program::PdfiumOneProcess);
        if !into.pages.contains_key(&Program::Pdfium) {
            continue;
        }
        if let Some(pages) = pdfium.read(file, limit).await?.pages() {
            into.pages.insert(Program::Pdfium, pages.iter().map(|p| comparable(p)).collect());
        }
    }
    Ok(pdfium.end().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_half_wherever_it_lies() {
        // SHA-256 of "abc" begins with ba (FIPS 180-2, appendix B.1): even.
        assert!(is_for_tuning(Path::new("/x/abc")) && is_for_tuning(Path::new("/y/z/abc")));
        let tuning = (0..200).filter(|i| is_for_tuning(Path::new(&format!("{i}.pdf")))).count();
        assert!((70..130).contains(&tuning), "{tuning}");
    }

    #[test]
    fn words_are_compared_as_printed_and_pages_for_text_recognition_are_named() {
        let mut document = Document::new(ingest::Kind::Pdf, "plan");
        let word = |text: &str| ingest::Word { text: text.into(), rect: [0.0; 4], block: 0, line: 0 };
        document.pages = vec![
            ingest::Page { number: 1, words: vec![word("Aussen-"), word("wand")], ..Default::default() },
            ingest::Page { number: 3, ..Default::default() },
        ];
        let warning = |page| Warning { code: "ocr-limit".into(), message: String::new(), page: Some(page) };
        // Page 1 is a scan with a few words of its own: they count.
        document.warnings = vec![warning(1), warning(3)];
        let (pages, without) = raw_pages(&document);
        assert_eq!(pages, ["Aussen- wand", "", ""]);
        assert_eq!(without, [2]);
        assert!(is_unreadable(&["a\u{fffd}", "b"]) && !is_unreadable(&["abc", "\u{fffd}"]));
    }
}
