//! The part of `bench night` that runs the program as at night.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::memory::{Memory, Watch};
use super::night::{Again, Args, Figures, Stored};
use crate::app::App;
use crate::cli::{Failure, Output};
use crate::config::{Config, Overrides};
use crate::engine::EmbedKind;
use crate::jobs::RunSummary;

/// Steps that begin once everything is taken in.
const AT_THE_END: [&str; 2] = ["reconcile", "compact"];
/// Questions whose nearest passages are looked for.
const QUERIES: u64 = 100;
const QUESTIONS: [&str; 4] = [
    "Welche Dicke hat die Dämmung der Wand {n} im Geschoss {m}?",
    "Quelle est la largeur libre de la porte {n} au niveau {m} ?",
    "Qual è la resistenza al fuoco della porta {n} al piano {m}?",
    "What is the load on slab {n} of storey {m}?",
];

pub(super) async fn run(
    config: &Config,
    folder: &Path,
    args: &Args,
    out: &Output,
) -> Result<Figures, Failure> {
    let (files, data) = (folder.join("files"), folder.join("data"));
    std::fs::create_dir_all(&files)?;
    write_registers(&files, args, 0..args.files())?;
    prepare(config, &files, &data)?;
    let started = Instant::now();
    let (summary, memory) = ingest(&data, args.per_file, out)?;
    let mut figures = Figures::new(args, started.elapsed(), summary.stages, memory);
    figures.index = look(&data, args).await?;
    figures.again = again(&files, &data, args, out)?;
    Ok(figures)
}

/// Plainly fictional RFIs, all different, in four languages.
fn write_registers(folder: &Path, args: &Args, files: Range<u64>) -> Result<(), Failure> {
    for file in files {
        let mut text = String::from("RFI-Nr;Betreff;Frage;Antwort;Status\n");
        for n in file * args.per_file..(file + 1) * args.per_file {
            let (question, answer) = (question(n), n % 400);
            let _ =
                writeln!(text, "RFI-{n:07};Bauteil {n};{question};{answer} mm, siehe Plan {};offen", n / 7);
        }
        std::fs::write(register(folder, file), text)?;
    }
    Ok(())
}

fn register(folder: &Path, file: u64) -> PathBuf {
    folder.join(format!("register-{file:07}.csv"))
}

fn question(n: u64) -> String {
    let [a, b, c, d] = QUESTIONS;
    let question = [a, b, c, d].into_iter().cycle().nth((n % 4) as usize).unwrap_or(a);
    question.replace("{n}", &n.to_string()).replace("{m}", &(n % 9).to_string())
}

/// A data folder over the registers, with the embedding model where there is one.
fn prepare(config: &Config, files: &Path, data: &Path) -> Result<(), Failure> {
    call(data, &["init"])?;
    let text = format!("[[source]]\nname = \"bench\"\npath = {:?}\n", files.display().to_string());
    std::fs::write(data.join("dossier.toml"), text)?;
    let model = config.models_dir.join("e5-small-q4.bin");
    if model.is_file() {
        call(data, &["model", "import", &model.display().to_string()])?;
    }
    Ok(())
}

fn program(data: &Path, arguments: &[&str]) -> Result<Command, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--data").arg(data).arg("--json").args(arguments).stdin(Stdio::null());
    Ok(command)
}

fn call(data: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let output = program(data, arguments)?.output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::failed(format!("`{}` failed: {said}", arguments.join(" "))))
}

/// One run in a process of its own, whose memory is looked at meanwhile; that of its readers is not part of it.
fn ingest(data: &Path, per_file: u64, out: &Output) -> Result<(RunSummary, Memory), Failure> {
    let mut child = program(data, &["ingest"])?.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let watch = Watch::start(child.id());
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).lines() {
            let Ok(step) = serde_json::from_str::<serde_json::Value>(&line?) else { continue };
            if let Some(files) = step.get("done").and_then(serde_json::Value::as_u64) {
                watch.chunks(files * per_file);
            }
            if step.get("step").and_then(|s| s.as_str()).is_some_and(|s| AT_THE_END.contains(&s)) {
                watch.at_end();
            }
            out.progress(&step);
        }
    }
    let output = child.wait_with_output()?;
    let memory = watch.stop();
    let summary = serde_json::from_slice(&output.stdout)
        .map_err(|e| Failure::failed(format!("the run failed ({}): {e}", output.status)))?;
    Ok((summary, memory))
}

/// What the run left, and how well its vectors are found by questions.
async fn look(data: &Path, args: &Args) -> Result<Stored, Failure> {
    let of_folder = Overrides { data: Some(data.to_path_buf()), config: Some(data.join("dossier.toml")) };
    let app = App::open(Config::load(&of_folder)?).await?;
    let step = (args.chunks / QUERIES).max(1) as usize;
    let questions: Vec<String> = (0..args.chunks).step_by(step).map(question).collect();
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let queries = match &app.engine.embedder {
        Some(embedder) => embedder.embed(EmbedKind::Query, &questions)?,
        None => Vec::new(),
    };
    let scope = app.catalog.all_scope()?;
    Stored::of(&app.index, &data.join("catalog.sqlite"), args.chunks, &scope, &queries).await
}

/// Takes one register in a hundred away, runs, puts them back and runs again.
fn again(files: &Path, data: &Path, args: &Args, out: &Output) -> Result<Again, Failure> {
    let few = 0..args.hundredth();
    let chunks = args.hundredth() * args.per_file;
    for file in few.clone() {
        std::fs::remove_file(register(files, file))?;
    }
    let timed = || -> Result<(RunSummary, Duration), Failure> {
        let started = Instant::now();
        let (summary, _) = ingest(data, args.per_file, out)?;
        Ok((summary, started.elapsed()))
    };
    let (gone, delete) = timed()?;
    write_registers(files, args, few)?;
    let (back, take_in) = timed()?;
    if (gone.changes.deleted, back.changes.added) != (args.hundredth(), args.hundredth()) {
        return Err(Failure::failed(format!("the runs did something else: {gone}; {back}")));
    }
    Ok(Again { chunks, delete_seconds: delete.as_secs_f64(), take_in_seconds: take_in.as_secs_f64() })
}
