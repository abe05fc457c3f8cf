//! The process is killed at each step of a document's way in. The old version must stay findable (of a
//! new document: nothing, or all of it), and the next run must repair.
//!
//! The step is known from the progress that `ingest --json` tells on stderr; the product has no hooks.
//! Progress is told before a step begins, and a kill comes a moment later: it hits the step or one soon
//! after it. A second pass therefore kills by time alone, over the whole length of a run.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
    process::Stdio,
};

use serde_json::Value;

use crate::support::{self, Appliance};

/// The steps of a document, in order, and those around it.
const STEPS: [&str; 13] = [
    "clean",
    "scan",
    "read",
    "embed",
    "stage",
    "index",
    "flush",
    "commit",
    "forget",
    "log",
    "purge",
    "reconcile",
    "compact",
];

/// An appliance with vectors, one document that is never touched and one that changes in every round,
/// in which another one is new.
struct Bench {
    appliance: Appliance,
    version: u32,
}

/// Words that share no part: a search by word finds exactly one version of one file.
fn word(name: &str, version: u32) -> String {
    let syllables = ["quax", "brel", "wolk", "zorn", "irrw", "fenn", "mulp", "grob", "tasp", "dryk"];
    let digits = version.to_string();
    let tail: String = digits.bytes().map(|d| syllables[usize::from(d - b'0')]).collect();
    format!("{name}{tail}end")
}

fn text(name: &str, version: u32) -> String {
    format!("Das Bauteil {} wurde am Montag geprüft und ist in Ordnung.\n", word(name, version))
}

impl Bench {
    fn new() -> Self {
        let appliance = Appliance::new();
        let model = support::model("e5-small-q4.bin");
        let import = ["model", "import", model.to_str().unwrap()];
        appliance.json(&import);
        appliance.write("bleibt.txt", text("bleibt", 0));
        appliance.write("alt.txt", text("alt", 0));
        appliance.json(&["ingest"]);
        Bench { appliance, version: 0 }
    }

    /// Which of the words a search finds. A hit near a word does not count, the word itself must be shown.
    fn finds<const N: usize>(&self, words: [&str; N]) -> [bool; N] {
        let result = self.appliance.json(&["search", &words.join(" "), "--limit", "50"]);
        let shown: Vec<String> =
            result["hits"].as_array().unwrap().iter().map(|hit| hit["snippet"].to_string()).collect();
        words.map(|word| shown.iter().any(|snippet| snippet.contains(word)))
    }

    /// Changes one file and adds another; gives the words of both.
    fn prepare(&mut self) -> (String, String, String) {
        let old = word("alt", self.version);
        self.version += 1;
        self.appliance.write("alt.txt", text("alt", self.version));
        self.appliance.write(&format!("neu{}.txt", self.version), text("neu", self.version));
        (old, word("alt", self.version), word("neu", self.version))
    }

    /// After a kill: each document whole, in one version. After the next run: the new ones, and the
    /// indexes hold what the catalog says.
    fn check(&self, (old, changed, new): &(String, String, String), when: &str) {
        let [sees_old, sees_changed, sees_kept] = self.finds([old, changed, &word("bleibt", 0)]);
        assert!(sees_kept, "{when}: an untouched document is lost");
        assert!(sees_old != sees_changed, "{when}: old version found: {sees_old}, new: {sees_changed}");
        let summary = self.appliance.json(&["ingest"]);
        assert_eq!(summary["rejected"], Value::Array(Vec::new()), "{when}");
        assert_eq!(self.finds([old, changed, new]), [false, true, true], "{when}: old, changed, added");
        let again = self.appliance.json(&["ingest"]);
        assert_eq!(
            (&again["added"], &again["modified"], &again["deleted"], &again["repaired"]),
            (&0.into(), &0.into(), &0.into(), &0.into()),
            "{when}: catalog and indexes agree and nothing is left to do: {again}"
        );
    }

    /// Starts a run and kills it as soon as it tells of a step, or lets it end where it tells of none.
    fn kill_at(&self, step: &str) -> bool {
        let mut child = self
            .appliance
            .command(&["--json", "ingest"])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut killed = false;
        for line in BufReader::new(child.stderr.take().unwrap()).lines() {
            let told = serde_json::from_str::<Value>(&line.unwrap()).unwrap_or_default();
            if told["step"] == step {
                child.kill().unwrap();
                killed = true;
                break;
            }
        }
        child.wait().unwrap();
        killed
    }
}

#[test]
fn a_kill_at_any_step_loses_nothing_and_the_next_run_repairs() {
    let mut bench = Bench::new();
    for step in STEPS {
        let words = bench.prepare();
        assert!(bench.kill_at(step), "the run never told of the step `{step}`");
        bench.check(&words, step);
    }
    assert_eq!(bench.appliance.json(&["audit", "verify"])["ok"], true);
}

#[test]
fn a_kill_at_any_time_loses_nothing_and_the_next_run_repairs() {
    let mut bench = Bench::new();
    let words = bench.prepare();
    let started = std::time::Instant::now();
    bench.appliance.json(&["ingest"]);
    let whole = started.elapsed();
    bench.check(&words, "no kill");
    for part in [1, 3, 4, 5, 6, 7, 9] {
        let words = bench.prepare();
        let mut child = bench.appliance.command(&["--json", "ingest"]);
        let mut child = child.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * part / 10);
        child.kill().unwrap();
        child.wait().unwrap();
        bench.check(&words, &format!("killed after {part}0 % of {whole:?}"));
    }
}

#[test]
fn every_step_of_the_run_is_told_in_order() {
    let mut bench = Bench::new();
    bench.prepare();
    let output = bench.appliance.command(&["--json", "ingest"]).output().unwrap();
    let mut told: Vec<String> = Vec::new();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let value = serde_json::from_str::<Value>(line).unwrap_or_default();
        if let Some(step) = value["step"].as_str()
            && told.last().is_none_or(|last| last != step)
        {
            assert!(value["done"].as_u64() <= value["total"].as_u64(), "{value}");
            told.push(step.to_owned());
        }
    }
    let expected: BTreeSet<&str> = STEPS.into_iter().chain(["done"]).collect();
    let seen: BTreeSet<&str> = told.iter().map(String::as_str).collect();
    assert!(expected.is_subset(&seen), "told {told:?}");
    let place = |step: &str| told.iter().position(|t| t == step).unwrap();
    let way: Vec<usize> =
        ["read", "embed", "stage", "index", "flush", "commit", "forget"].map(place).to_vec();
    assert!(way.is_sorted(), "told {told:?}");
}
