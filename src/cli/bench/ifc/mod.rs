//! `bench ifc`: the model reader beside IfcOpenShell, and on a very large model.

mod compare;
mod peer;
mod synthetic;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use ingest::Limits;
use serde::{Deserialize, Serialize};

use super::super::{Exit, Failure, Output};
use super::middle;
use compare::{Counts, Difference};
use peer::{Answer, Peer};

/// Differences of one file that are printed; the JSON has [`KEPT`] of them.
const SHOWN: usize = 5;
const KEPT: usize = 2_000;

/// The model reader: agreement with another program and speed on a folder, time and memory on a large model.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Read every model of the folder with IfcOpenShell too, turn about, and list what differs
    #[arg(long)]
    compare: bool,
    /// Folder with IFC, ifcZIP and ifcXML files
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Python interpreter that has ifcopenshell
    #[arg(long, value_name = "PATH", default_value = "python3")]
    python: PathBuf,
    /// Times that each file is read; the median counts
    #[arg(long, default_value_t = 5, value_parser = super::at_least_one)]
    runs: usize,
    /// Size of a model to make and read, in MB (0: none)
    #[arg(long, value_name = "MB", default_value_t = 0)]
    large: u64,
    /// Read this one file and print time and peak memory; the bench calls itself with it
    #[arg(long, hide = true, value_name = "FILE")]
    measure: Option<PathBuf>,
}

/// Everything that was measured.
#[derive(Debug, Default, Serialize)]
pub(in crate::cli) struct Report {
    /// Version of IfcOpenShell.
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<String>,
    files: Vec<FileReport>,
    /// Sums over the files that both read.
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<Totals>,
    #[serde(skip_serializing_if = "Option::is_none")]
    large: Option<Large>,
}

#[derive(Debug, Serialize)]
struct FileReport {
    file: String,
    bytes: u64,
    /// Median, from the path to the whole document; absent where it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer_counts: Option<Counts>,
    #[serde(skip_serializing_if = "String::is_empty")]
    rejected: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    peer_rejected: String,
    warnings: Vec<String>,
    differing: usize,
    differences: Vec<Difference>,
}

#[derive(Debug, Serialize)]
struct Totals {
    files: usize,
    bytes: u64,
    ms: f64,
    peer_ms: f64,
    /// The peer's time over this program's.
    times_faster: f64,
    counts: Counts,
    peer_counts: Counts,
    differing: usize,
}

/// A reading in a process of its own.
#[derive(Debug, Serialize, Deserialize)]
struct Large {
    bytes: u64,
    ms: f64,
    peak_rss_kib: u64,
    elements: usize,
    properties: usize,
    quantities: usize,
    /// What the model was made with; absent where it was not made here.
    #[serde(default)]
    as_made: Option<bool>,
}

/// Runs the bench.
///
/// # Errors
/// A folder or file cannot be read, or the peer program cannot be started.
pub(in crate::cli) fn run(args: &Args, out: &Output) -> Result<serde_json::Value, Failure> {
    if let Some(file) = &args.measure {
        return Ok(serde_json::to_value(measure(file)?)?);
    }
    let mut report = Report::default();
    if let Some(folder) = &args.folder {
        let mut peer = args.compare.then(|| Peer::start(&args.python)).transpose()?;
        report.peer = peer.as_ref().map(|p| p.version.clone());
        for path in models(folder)? {
            let file = one(&path, folder, args.runs, &mut peer)?;
            out.note(file.line());
            report.files.push(file);
        }
        report.totals = totals(&report.files);
    }
    if args.large > 0 {
        report.large = Some(large(args.large)?);
    }
    Ok(serde_json::to_value(report)?)
}

/// Prints what [`run`] gave.
pub(in crate::cli) fn show(report: &serde_json::Value, out: &Output) -> Result<Exit, Failure> {
    if out.wants_json() {
        out.value(report)?;
    } else {
        for part in ["peer", "totals", "large", "bytes", "ms", "peak_rss_kib"] {
            if let Some(value) = report.get(part) {
                out.line(format!("{part:<14} {value}"));
            }
        }
    }
    Ok(Exit::Done)
}

/// The models of a folder and its subfolders by name.
fn models(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |e: std::io::Error| Failure::failed(format!("cannot read {}: {e}", folder.display()));
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if path.is_dir() {
            out.extend(models(&path)?);
        } else if extension.starts_with("ifc") {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

fn name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Reads a file as the product's worker does, in this process.
fn read(path: &Path) -> Result<(f64, Result<ingest::Document, ingest::ReadError>), Failure> {
    let start = Instant::now();
    let bytes = std::fs::read(path).map_err(|e| Failure::failed(format!("{}: {e}", path.display())))?;
    let document = ingest::read(&bytes, &name(path), &Limits::default());
    Ok((start.elapsed().as_secs_f64() * 1e3, document))
}

fn one(path: &Path, folder: &Path, runs: usize, peer: &mut Option<Peer>) -> Result<FileReport, Failure> {
    let shown = path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let bytes = std::fs::metadata(path).map(|m| m.len()).unwrap_or(0);
    let (mut times, mut peer_times) = (Vec::new(), Vec::new());
    let (first, document) = read(path)?;
    times.push(first);
    let answer = peer.as_mut().map(|p| p.ask(path, true)).transpose()?;
    for _ in 1..runs {
        if matches!(&answer, Some(Answer { model: Some(_), .. }))
            && let Some(peer) = peer.as_mut()
        {
            peer_times.extend(peer.ask(path, false)?.ms);
        }
        times.push(read(path)?.0);
    }
    let mut file = FileReport {
        file: shown,
        bytes,
        ms: document.is_ok().then(|| middle(times)),
        peer_ms: answer.as_ref().and_then(|a| a.ms).map(|first| middle(chain(first, peer_times))),
        counts: document.as_ref().ok().map(compare::counts),
        peer_counts: None,
        rejected: document.as_ref().err().map(ToString::to_string).unwrap_or_default(),
        peer_rejected: answer.as_ref().and_then(|a| a.error.clone()).unwrap_or_default(),
        warnings: Vec::new(),
        differing: 0,
        differences: Vec::new(),
    };
    if let Ok(document) = &document {
        file.warnings = document.warnings.iter().map(|w| format!("{}: {}", w.code, w.message)).collect();
        if let Some(theirs) = answer.and_then(|a| a.model) {
            file.peer_counts = Some(compare::their_counts(&theirs));
            file.differences = compare::differences(document, &theirs);
            file.differing = file.differences.len();
            file.differences.truncate(KEPT);
        }
    }
    Ok(file)
}

fn chain(first: f64, mut rest: Vec<f64>) -> Vec<f64> {
    rest.push(first);
    rest
}

fn totals(files: &[FileReport]) -> Option<Totals> {
    let both: Vec<&FileReport> = files.iter().filter(|f| f.ms.is_some() && f.peer_counts.is_some()).collect();
    let sum = |of: &dyn Fn(&FileReport) -> f64| both.iter().map(|f| of(f)).sum::<f64>();
    let (ms, peer_ms) = (sum(&|f| f.ms.unwrap_or(0.0)), sum(&|f| f.peer_ms.unwrap_or(0.0)));
    let all = |counts: &dyn Fn(&FileReport) -> Option<Counts>| {
        both.iter().filter_map(|f| counts(f)).fold(Counts::default(), |a, b| Counts {
            elements: a.elements + b.elements,
            properties: a.properties + b.properties,
            quantities: a.quantities + b.quantities,
            spatial: a.spatial + b.spatial,
        })
    };
    (!both.is_empty()).then(|| Totals {
        files: both.len(),
        bytes: both.iter().map(|f| f.bytes).sum(),
        ms,
        peer_ms,
        times_faster: peer_ms / ms.max(f64::MIN_POSITIVE),
        counts: all(&|f| f.counts),
        peer_counts: all(&|f| f.peer_counts),
        differing: both.iter().map(|f| f.differing).sum(),
    })
}

impl FileReport {
    fn line(&self) -> String {
        let time = |ms: Option<f64>| ms.map_or("-".into(), |ms| format!("{ms:.1} ms"));
        let mut line = format!(
            "{}  {} KB  {}  peer {}  {} differences",
            self.file,
            self.bytes / 1000,
            time(self.ms),
            time(self.peer_ms),
            self.differing
        );
        for text in [&self.rejected, &self.peer_rejected].into_iter().filter(|t| !t.is_empty()) {
            line.push_str(&format!("\n    {text}"));
        }
        for d in self.differences.iter().take(SHOWN) {
            line.push_str(&format!("\n    {} {}: theirs '{}', ours '{}'", d.what, d.at, d.theirs, d.ours));
        }
        line
    }
}

/// Makes a model of so many MB and reads it in a process of its own.
fn large(megabytes: u64) -> Result<Large, Failure> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("gross.ifc");
    let mut file = BufWriter::new(std::fs::File::create(&path)?);
    let made = synthetic::write(&mut file, megabytes * 1_000_000)?;
    file.flush()?;
    drop(file);
    let program = std::env::current_exe()?;
    let output = std::process::Command::new(program)
        .args(["--json", "bench", "ifc", "--measure"])
        .arg(&path)
        .output()?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::failed(format!("the large model could not be read: {words}")));
    }
    let mut found: Large = serde_json::from_slice(&output.stdout)?;
    found.as_made = Some(
        (found.elements, found.properties, found.quantities)
            == (made.elements, made.properties, made.quantities),
    );
    Ok(found)
}

fn measure(path: &Path) -> Result<Large, Failure> {
    let bytes = std::fs::metadata(path)?.len();
    let (ms, document) = read(path)?;
    let document = document.map_err(|e| Failure::failed(e.to_string()))?;
    let counts = compare::counts(&document);
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0);
    Ok(Large {
        bytes,
        ms,
        peak_rss_kib: peak,
        elements: counts.elements,
        properties: counts.properties,
        quantities: counts.quantities,
        as_made: None,
    })
}
