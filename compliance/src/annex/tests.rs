use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

use super::*;
use crate::event::{Actor, Event, Role};
use crate::log::{Keep, Log, Provenance};
use crate::storage::{MemoryStorage, PowerSwitch};

const CANARY: &str = "Kanarienvogel";

fn start() -> Timestamp {
    "2026-11-30T08:00:00Z".parse().unwrap()
}

fn log(events: usize) -> Log {
    let power = PowerSwitch::default();
    let (storage, keys) = (MemoryStorage::new(power.clone()), MemoryStorage::new(power));
    let ticks = AtomicI64::new(0);
    let clock = Arc::new(move || start() + SignedDuration::from_secs(ticks.fetch_add(1, Ordering::SeqCst)));
    let mut log = Log::open(Arc::new(storage), Arc::new(keys), clock, Provenance::default(), None).unwrap();
    for i in 0..events {
        let event = Event::Question {
            id: format!("q{i}"),
            text: format!("{CANARY}?"),
            language: "de".into(),
            project: Some(CANARY.into()),
            filter: None,
        };
        log.append(&Actor::user(format!("{CANARY}-person"), Role::Reader, None), event).unwrap();
    }
    log.checkpoint().unwrap();
    log
}

fn packed(log: &Log, from: i64, to: i64) -> Vec<(String, Vec<u8>)> {
    let at = |s| start() + SignedDuration::from_secs(s);
    let found = log.verify().unwrap();
    let figures = crate::report::figures(log, found, at(from), at(to)).unwrap();
    let facts = CatalogFacts::default();
    let extra = vec![("config.json".to_owned(), b"{}".to_vec())];
    let sources = Sources { pdf: b"%PDF", figures: &figures, facts: &facts, lang: Lang::De, extra };
    let bytes = pack(log, sources).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut out = Vec::new();
    for i in 0..archive.len() {
        let mut file = archive.by_index(i).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        out.push((file.name().unwrap().to_string(), bytes));
    }
    out
}

fn text<'a>(files: &'a [(String, Vec<u8>)], name: &str) -> &'a str {
    let found = files.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no {name}"));
    std::str::from_utf8(&found.1).unwrap()
}

#[test]
fn everything_is_inside_and_nobody_is_named() {
    let files = packed(&log(400), 100, 200);
    for name in [
        "README.txt",
        "SHA256SUMS",
        "SHA256SUMS.note",
        "checkpoint",
        "config.json",
        "events.csv",
        "events.jsonl",
        "first.tlog-proof",
        "last.tlog-proof",
        "log.vkey",
        "record_art12.csv",
        "report.json",
        "report.pdf",
    ] {
        assert!(files.iter().any(|(n, _)| n == name), "{name}");
    }
    assert_eq!(text(&files, "events.jsonl").lines().count(), 100);
    assert_eq!(text(&files, "events.csv").lines().count(), 101);
    assert!(text(&files, "README.txt").contains("sha256sum -c SHA256SUMS"));
    assert!(text(&files, "README.txt").contains("Beilage zum Bericht"));
    for (name, bytes) in &files {
        assert!(!String::from_utf8_lossy(bytes).contains(CANARY), "{name}");
    }
    let report: serde_json::Value = serde_json::from_str(text(&files, "report.json")).unwrap();
    let questions = report["queries"].as_array().unwrap().iter().find(|q| q["id"] == "U1").unwrap();
    assert_eq!(questions["count"], 100);
}

#[test]
fn an_empty_period_and_removed_events_are_packed_too() {
    let files = packed(&log(5), 5000, 6000);
    assert_eq!(text(&files, "events.jsonl"), "");
    let mut log = log(600);
    let later = start() + SignedDuration::from_hours(1);
    let keep = Keep { trail_since: later, case_since: later };
    assert_eq!(log.prune(&Actor::system(), keep, &|_| false, "").unwrap().bundles, 1);
    let files = packed(&log, 0, 10_000);
    let events = text(&files, "events.jsonl");
    assert!(events.starts_with("{\"actor_pid\"") && events.contains("\"seq\":256,"), "{}", &events[..200]);
}

/// What `cargo metadata` and the specification call them; checked with the schema of CycloneDX 1.6 by hand.
#[test]
fn bills_of_materials_name_every_package_and_model() {
    let lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"b 2.0.0\",\n \"c\",\n]\n\n\
        [[package]]\nname = \"b\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"b\"\nversion = \"2.0.0\"\nchecksum = \"ab\"\n\n\
        [[package]]\nname = \"c\"\nversion = \"3.0.0\"\n";
    let licences = "b 2.0.0 MIT/Apache-2.0\nc 3.0.0 see LICENSE.txt in the package\nd 1.0.0 MIT\n";
    let bom = program_sbom(lock, licences, "app", "0.1.0", start()).unwrap();
    assert_eq!((&bom["bomFormat"], &bom["specVersion"]), (&"CycloneDX".into(), &"1.6".into()));
    let names: Vec<_> =
        bom["components"].as_array().unwrap().iter().map(|c| c["purl"].as_str().unwrap()).collect();
    assert_eq!(names, ["pkg:cargo/b@1.0.0", "pkg:cargo/b@2.0.0", "pkg:cargo/c@3.0.0"]);
    assert_eq!(bom["components"][1]["hashes"][0]["content"], "ab");
    assert_eq!(
        bom["dependencies"][0]["dependsOn"],
        serde_json::json!(["pkg:cargo/b@2.0.0", "pkg:cargo/c@3.0.0"])
    );
    let licence = |n: usize| bom["components"][n]["licenses"].clone();
    assert_eq!(licence(0), serde_json::Value::Null, "another version's licence is not its own");
    assert_eq!(licence(1), serde_json::json!([{ "expression": "MIT OR Apache-2.0" }]));
    assert_eq!(licence(2), serde_json::json!([{ "license": { "name": "see LICENSE.txt in the package" } }]));
    assert_eq!(bom["metadata"]["timestamp"], "2026-11-30T08:00:00Z");
    assert!(program_sbom("not a lock [", "", "app", "0", start()).is_err());
    let model = crate::report::ModelFact {
        id: "e5-small".into(),
        task: "embed".into(),
        quantisation: "Q4_0".into(),
        licence: "MIT".into(),
        revision: Some("1.1".into()),
        card: Some("https://models.example/e5".into()),
        training: None,
        sha256: "cd".repeat(32),
    };
    let bom = models_sbom(&[model], "app", "0.1.0", start());
    let component = &bom["components"][0];
    assert_eq!(component["type"], "machine-learning-model");
    assert_eq!(component["modelCard"]["modelParameters"]["task"], "feature-extraction");
    assert_eq!(component["licenses"][0]["license"]["name"], "MIT");
    assert_eq!(
        (&component["version"], &component["externalReferences"][0]["type"]),
        (&"1.1".into(), &"model-card".into())
    );
}
