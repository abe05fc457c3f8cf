//! `bench ocr`: pages with known text, made into scans and read again, beside plain Tesseract.
//!
//! The known text is the text layer of digital PDFs. A page of them is drawn, spoilt as scanners and paper
//! do, and put into a PDF as an image and nothing else; that goes through the worker like any file. The
//! other program gets the same image.

mod page;
mod peer;
mod report;
mod spoil;

use std::path::{Path, PathBuf};

use page::{Known, known};
use peer::Peer;
use report::{Report, Row};
use spoil::Condition;

use super::score::{comparable, order_similarity, token_f1};
use super::usage::Watch;
use crate::app;
use crate::cli::{Failure, Output};
use crate::config::Config;
use crate::worker::{Worker, WorkerError};

/// Which pages, and how they are spoilt.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder with digital PDFs, whose own text is the right answer
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Resolutions of the scans, dots per inch
    #[arg(long, value_name = "DPI", value_delimiter = ',', default_values_t = [200, 300])]
    dpi: Vec<u32>,
    /// What befalls the scans
    #[arg(long, value_delimiter = ',', default_values_t = [Condition::Plain])]
    condition: Vec<Condition>,
    /// Most pages of one file, evenly spread over it
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = super::at_least_one)]
    pages: usize,
    /// Only files whose name holds this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Give the same images to Tesseract alone
    #[arg(long)]
    compare: bool,
    /// Name the words that were read wrongly on each page
    #[arg(long)]
    words: bool,
}

pub(super) async fn run(config: &Config, args: &Args, out: &Output) -> Result<Report, Failure> {
    let worker = app::worker(config)?;
    let languages = worker.ocr_languages().map_err(Failure::failed)?.to_owned();
    let mut peer = args.compare.then(|| Peer::new(&config.ingest.ocr_program, &languages));
    let mut report = Report::new(languages);
    for file in files(args)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&file)?;
        let pages = match known(config, &bytes, &name, args.pages).await {
            Ok(pages) => pages,
            Err(error) if error.is_the_files_fault() => {
                out.note(format!("{name} is left out: {error}"));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        for page in pages {
            for dpi in &args.dpi {
                let drawn = worker.page_png(&bytes, page.number, *dpi as f32 / 72.0).await?;
                for condition in &args.condition {
                    let scan = spoil::scan(&drawn, *condition).map_err(Failure::failed)?;
                    let row = measure(&worker, peer.as_mut(), &page, (*condition, *dpi), &scan, &mut report);
                    let row = row.await?.named(&name, args.words);
                    out.note(row.line());
                    report.rows.push(row);
                }
            }
        }
    }
    report.sum_up();
    Ok(report)
}

/// The folder's PDFs by name.
fn files(args: &Args) -> Result<Vec<PathBuf>, Failure> {
    let mut files = super::ingest::pdfs(&args.folder)?;
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.retain(|file| args.only.as_ref().is_none_or(|part| name(file).contains(part.as_str())));
    if files.is_empty() { Err(Failure::usage("no file has such a name".to_owned())) } else { Ok(files) }
}

/// Reads one scan with both programs.
async fn measure(
    worker: &Worker,
    peer: Option<&mut Peer>,
    page: &Known,
    (condition, dpi): (Condition, u32),
    scan: &ingest::GreyImage,
    report: &mut Report,
) -> Result<Row, Failure> {
    let file = spoil::as_pdf(scan, dpi as f32).map_err(|e| Failure::failed(e.to_string()))?;
    let watch = Watch::start();
    let read = worker.read(&file, "scan.pdf").await;
    report.cpu_seconds += watch.stop().cpu_seconds;
    let (text, confidence) = match read {
        Ok(reading) => page::read(&reading.document),
        Err(error @ WorkerError::TimedOut { .. }) => return Err(error.into()),
        Err(error) if error.is_the_files_fault() => (String::new(), None),
        Err(error) => return Err(error.into()),
    };
    let right = [comparable(&page.text)];
    let judged = |text: &str| {
        let read = [comparable(text)];
        (token_f1(&right, &read), order_similarity(&right, &read))
    };
    let (f1, order) = judged(&text);
    let mut row = Row::new(page, condition, dpi, (f1, order, confidence));
    row.wrong = report::differences(&right[0], &comparable(&text));
    if let Some(peer) = peer {
        let watch = Watch::start();
        let theirs = peer.read(scan, dpi).await?;
        report.peer_cpu_seconds += watch.stop().cpu_seconds;
        let (f1, order) = judged(&theirs);
        (row.peer_f1, row.peer_order) = (Some(f1), Some(order));
    }
    Ok(row)
}
