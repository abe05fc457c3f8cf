//! `bench compound`: where German words fall apart, against lists of compounds and beside compound-split.

mod lists;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Serialize;

use self::lists::{Entry, Lists, is_half_a};
use crate::cli::{Exit, Failure, Output};
use crate::index::seams;

const PEER: &str = include_str!("peer.py");

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder with the lists (Ghost-NN, DEKOR, jWordSplitter)
    #[arg(long, value_name = "FOLDER")]
    lists: PathBuf,
    /// Split the same words with the Python package compound-split too
    #[arg(long)]
    compare: bool,
    /// Python with the package
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// Name every word that goes wrong
    #[arg(long)]
    show: bool,
}

/// Right ones of a list.
#[derive(Debug, Serialize)]
struct Row {
    list: &'static str,
    /// What is counted.
    counted: &'static str,
    /// True where rules or weights were adjusted on it.
    tuned: bool,
    words: usize,
    right: usize,
    share: f64,
    peer: Option<usize>,
    peer_share: Option<f64>,
    #[serde(skip)]
    wrong: Vec<String>,
}

/// What the other program says of a word.
#[derive(Debug, Clone, Copy)]
struct PeerSplit {
    score: f64,
    head: usize,
}

/// Whether a word counts, by what the other program says of it.
type PeerCounts<'a> = &'a dyn Fn(&Entry, PeerSplit) -> bool;

const SEAM: &str = "best seam is right";
const DECIDED: &str = "taken apart, seam is right";
const SPLIT: &str = "simple words taken apart (less is better)";
const PARTS: &str = "all parts right";

pub(super) fn run(args: &Args, out: &Output) -> Result<Exit, Failure> {
    let lists = Lists::read(&args.lists).map_err(Failure::failed)?;
    let half = |all: &[Entry], a: bool| -> Vec<Entry> {
        all.iter().filter(|e| is_half_a(&e.word) == a).cloned().collect()
    };
    let sets = [
        ("DEKOR train", true, lists.dekor_train.clone()),
        ("DEKOR dev", false, lists.dekor_dev.clone()),
        ("Ghost-NN, half a", true, half(&lists.ghost, true)),
        ("Ghost-NN, half b", false, half(&lists.ghost, false)),
        ("simple words of Ghost-NN, half a", true, half(&lists.simple, true)),
        ("simple words of Ghost-NN, half b", false, half(&lists.simple, false)),
        ("three parts (jWordSplitter), half a", true, half(&lists.three, true)),
        ("three parts (jWordSplitter), half b", false, half(&lists.three, false)),
    ];
    // One process for all words: the other program takes long to start.
    let words: Vec<&str> = sets.iter().flat_map(|(.., all)| all).map(|e| e.word.as_str()).collect();
    let mut peer = if args.compare { Some(peer(&args.python, &words)?.into_iter()) } else { None };
    let mut rows = Vec::new();
    for (list, tuned, entries) in &sets {
        let of_peer: Option<Vec<PeerSplit>> = peer.as_mut().map(|all| all.take(entries.len()).collect());
        rows.extend(rows_of(list, *tuned, entries, of_peer.as_deref()));
    }
    if out.wants_json() {
        out.value(&rows)?;
    } else {
        rows.iter().for_each(|row| show(row, args.show, out));
    }
    Ok(Exit::Done)
}

fn rows_of(list: &'static str, tuned: bool, entries: &[Entry], peer: Option<&[PeerSplit]>) -> Vec<Row> {
    let row = |counted, ours: &dyn Fn(&Entry) -> bool, theirs: Option<PeerCounts<'_>>| {
        let right = entries.iter().filter(|e| ours(e)).count();
        let of_peer = peer
            .zip(theirs)
            .map(|(splits, is)| entries.iter().zip(splits).filter(|(e, s)| is(e, **s)).count());
        let share = |n: usize| n as f64 / entries.len().max(1) as f64;
        let bad = |e: &&Entry| ours(e) == (counted == SPLIT);
        Row {
            list,
            counted,
            tuned,
            words: entries.len(),
            right,
            share: share(right),
            peer: of_peer,
            peer_share: of_peer.map(share),
            wrong: entries.iter().filter(bad).map(|e| seams::leaves(&e.word).join("|")).collect(),
        }
    };
    let head = |e: &Entry| e.parts.last().map_or(0, |h| h.chars().count());
    let is_seam = |e: &Entry, seam: Option<usize>| seam == Some(e.word.chars().count() - head(e));
    let peer_seam = |e: &Entry, s: PeerSplit| s.head == head(e);
    match entries.first().map_or(0, |e| e.parts.len()) {
        1 => {
            let split = |e: &Entry| seams::split(&e.word).is_some();
            vec![row(SPLIT, &split, Some(&|_, s| s.score > 0.0))]
        }
        2 => vec![
            row(SEAM, &|e| is_seam(e, seams::best(&e.word)), Some(&peer_seam)),
            row(
                DECIDED,
                &|e| is_seam(e, seams::split(&e.word)),
                Some(&|e, s| s.score > 0.0 && peer_seam(e, s)),
            ),
        ],
        // The other program knows two parts only.
        _ => vec![row(PARTS, &|e| seams::leaves(&e.word) == e.parts, None)],
    }
}

fn show(row: &Row, words: bool, out: &Output) {
    let peer = row.peer_share.map_or(String::new(), |p| format!("   compound-split {:6.2} %", p * 100.0));
    let tuned = if row.tuned { "  (adjusted on)" } else { "" };
    let share = format!("{:6.2} %  {:>5} of {:<5}", row.share * 100.0, row.right, row.words);
    out.line(format!("{:<36} {:<42} {share}{peer}{tuned}", row.list, row.counted));
    if words {
        row.wrong.iter().for_each(|word| out.line(format!("    {word}")));
    }
}

/// Runs the other program over all words.
fn peer(python: &Path, words: &[&str]) -> Result<Vec<PeerSplit>, Failure> {
    let fail = |what: String| Failure::failed(format!("compound-split: {what}"));
    let mut command = Command::new(python);
    command.args(["-c", PEER]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|e| fail(e.to_string()))?;
    let count = words.len();
    let words: String = words.iter().map(|word| format!("{word}\n")).collect();
    let mut stdin = child.stdin.take().ok_or_else(|| fail("no pipe".into()))?;
    // Written from a thread of its own: both sides would wait for each other once the pipes are full.
    let writer = std::thread::spawn(move || stdin.write_all(words.as_bytes()));
    let output = child.wait_with_output().map_err(|e| fail(e.to_string()))?;
    let written = writer.join().map_err(|_| fail("the writing thread ended".into()))?;
    if !output.status.success() {
        return Err(fail("ended with an error; is the package installed for --python?".into()));
    }
    written.map_err(|e| fail(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let split = |line: &str| {
        let (score, head) = line.split_once('\t')?;
        Some(PeerSplit { score: score.parse().ok()?, head: head.parse().ok()? })
    };
    let splits: Option<Vec<PeerSplit>> = text.lines().map(split).collect();
    splits.filter(|s| s.len() == count).ok_or_else(|| fail("an answer that is none".into()))
}
