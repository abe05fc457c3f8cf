//! The verifier against logs written by the library, and against the same attacks.

use std::path::Path;
use std::sync::Arc;

use compliance::annex::{Sources, pack};
use compliance::event::{Actor, Event};
use compliance::log::{Keep, Log, Provenance};
use compliance::storage::FileStorage;
use compliance::witness::Witness;

use crate::check::check;
use crate::folder::{files, number};
use crate::note::PublicKey;

fn open(folder: &Path) -> Log {
    let storage = Arc::new(FileStorage::new(folder.join("audit")).unwrap());
    let keys = Arc::new(FileStorage::new(folder.join("keys")).unwrap());
    let clock = Arc::new(jiff::Timestamp::now);
    Log::open(storage, keys, clock, Provenance::default(), None).unwrap()
}

/// Writes a log of `n` events with a checkpoint after 4 and one 10 events before its end; returns its public key and root.
fn write(folder: &Path, n: usize) -> (PublicKey, String) {
    let mut log = open(folder);
    let events = |count| vec![(Actor::system(), Event::ServerStop); count];
    // A checkpoint is an event, too.
    log.append_all(events(3)).unwrap();
    log.checkpoint().unwrap();
    log.append_all(events(n - 15)).unwrap();
    log.checkpoint().unwrap();
    log.append_all(events(10)).unwrap();
    let found = log.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    (PublicKey::parse(&log.verifier().to_vkey()).unwrap(), found.root)
}

#[test]
fn both_implementations_agree() {
    for n in [16, 256, 266, 300, 600] {
        let folder = tempfile::tempdir().unwrap();
        let (key, root) = write(folder.path(), n);
        let report = check(&folder.path().join("audit"), &key).unwrap();
        assert_eq!(report.problems, [""; 0], "{n}");
        assert_eq!((report.size, report.root, report.checkpoints), (n, root, 2));
    }
}

#[test]
fn every_changed_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (key, _) = write(folder.path(), 300);
    let log = folder.path().join("audit");
    let all = files(&log).unwrap();
    assert!(all.len() >= 10);
    for (name, path) in all {
        let saved = std::fs::read(&path).unwrap();
        let step = (saved.len() / 40).max(1);
        for at in (0..saved.len()).step_by(step) {
            let mut bytes = saved.clone();
            bytes[at] ^= 0x20;
            std::fs::write(&path, &bytes).unwrap();
            assert_ne!(check(&log, &key).unwrap().problems, [""; 0], "{name} byte {at}");
        }
        std::fs::write(&path, &saved[..saved.len() - 1]).unwrap();
        assert_ne!(check(&log, &key).unwrap().problems, [""; 0], "{name} shortened");
        std::fs::remove_file(&path).unwrap();
        assert_ne!(check(&log, &key).unwrap().problems, [""; 0], "{name} removed");
        std::fs::write(&path, &saved).unwrap();
    }
    std::fs::write(log.join("stranger"), b"x").unwrap();
    assert_eq!(check(&log, &key).unwrap().problems.len(), 1);
}

/// A log whose key was changed and of which the oldest bundle was removed.
#[test]
fn changed_keys_and_removed_events_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = write(folder.path(), 300);
    let mut log = open(folder.path());
    log.rotate_key(&Actor::system(), "yearly").unwrap();
    log.append_all(vec![(Actor::system(), Event::ServerStop); 300]).unwrap();
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    let keep = Keep { trail_since: later, case_since: later };
    assert_eq!(log.prune(&Actor::system(), keep, &|_| false, "12 months").unwrap().bundles, 1);
    let (newest, root) = (PublicKey::parse(&log.verifier().to_vkey()).unwrap(), hex::encode(log.root()));
    drop(log);
    let folder = folder.path().join("audit");
    for key in [&first, &newest] {
        let report = check(&folder, key).unwrap();
        assert_eq!(report.problems, [""; 0]);
        assert_eq!(report.root, root);
    }
    for path in ["tile/0/000", "tile/entries/001", "log.rotations", "checkpoints/00000000000000000301"] {
        let saved = std::fs::read(folder.join(path)).unwrap();
        std::fs::remove_file(folder.join(path)).unwrap();
        assert_ne!(check(&folder, &first).unwrap().problems, [""; 0], "{path}");
        std::fs::write(folder.join(path), saved).unwrap();
    }
    assert_eq!(check(&folder, &first).unwrap().problems, [""; 0]);
}

#[test]
fn countersignatures_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let (key, _) = write(folder.path(), 40);
    let mut log = open(folder.path());
    let storage = Arc::new(FileStorage::new(folder.path().join("witness")).unwrap());
    let witness = Witness::open(storage, "example/laptop", Arc::new(jiff::Timestamp::now)).unwrap();
    let request = log.witness_request(0).unwrap().to_text();
    let signed = witness.sign(&request, Some(log.verifier())).unwrap();
    log.accept_witness(&Actor::system(), signed.as_bytes(), witness.key()).unwrap();
    drop(log);
    let folder = folder.path().join("audit");
    assert_eq!(check(&folder, &key).unwrap().problems, [""; 0]);
    let anchors = files(&folder).unwrap();
    let anchors: Vec<_> = anchors.into_iter().filter(|(name, _)| name.starts_with("anchors/")).collect();
    assert_eq!(anchors.len(), 2);
    for (name, path) in anchors {
        let saved = std::fs::read(&path).unwrap();
        for at in 0..saved.len() {
            let mut bytes = saved.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert_ne!(check(&folder, &key).unwrap().problems, [""; 0], "{name} byte {at}");
        }
        std::fs::write(&path, &saved).unwrap();
    }
}

/// Writes the files of an annex over the whole log into `folder`.
fn unpacked(log: &Log, folder: &Path) {
    let from = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(1);
    let to = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    let figures = compliance::report::figures(log, log.verify().unwrap(), from, to).unwrap();
    let facts = compliance::report::CatalogFacts::default();
    let lang = compliance::report::Lang::En;
    let sources = Sources { pdf: b"%PDF", figures: &figures, facts: &facts, lang, extra: Vec::new() };
    let packed = std::io::Cursor::new(pack(log, sources).unwrap());
    zip::ZipArchive::new(packed).unwrap().extract(folder).unwrap();
}

#[test]
fn an_annex_is_checked_offline_and_every_change_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (key, _) = write(folder.path(), 300);
    let mut log = open(folder.path());
    log.checkpoint().unwrap();
    let annex = folder.path().join("annex");
    unpacked(&log, &annex);
    let (events, problems) = crate::annex::check(&annex, &key).unwrap();
    assert_eq!((events as u64, problems), (log.size(), Vec::new()));
    for (name, path) in files(&annex).unwrap() {
        let saved = std::fs::read(&path).unwrap();
        for at in (0..saved.len()).step_by((saved.len() / 25).max(1)) {
            let mut bytes = saved.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let found = crate::annex::check(&annex, &key);
            assert!(found.is_err() || found.is_ok_and(|(_, p)| !p.is_empty()), "{name} byte {at}");
        }
        std::fs::write(&path, &saved).unwrap();
    }
    std::fs::write(annex.join("stranger"), b"x").unwrap();
    assert_eq!(crate::annex::check(&annex, &key).unwrap().1.len(), 1);
}

/// Somebody with the signing key packs an annex without some events, or with other figures: the tree and the
/// recount tell, whatever the list of files says.
#[test]
fn left_out_events_and_wrong_figures_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (key, _) = write(folder.path(), 40);
    let mut log = open(folder.path());
    log.checkpoint().unwrap();
    let annex = folder.path().join("annex");
    unpacked(&log, &annex);
    let problems_of = |name: &str, change: &dyn Fn(String) -> String| {
        let saved = std::fs::read_to_string(annex.join(name)).unwrap();
        std::fs::write(annex.join(name), change(saved.clone())).unwrap();
        let found = crate::annex::check(&annex, &key).unwrap().1;
        std::fs::write(annex.join(name), saved).unwrap();
        found.join("; ")
    };
    let without_third = |text: String| {
        text.lines().enumerate().filter(|(i, _)| *i != 2).map(|(_, l)| format!("{l}\n")).collect::<String>()
    };
    assert!(problems_of("events.jsonl", &without_third).contains("the proofs are of"));
    let renamed = |text: String| text.replacen("server_stop", "server_halt", 1);
    assert!(problems_of("events.jsonl", &renamed).contains("not those of the signed tree"));
    let counted = |text: String| text.replacen("\"count\": 0", "\"count\": 7", 1);
    assert!(problems_of("report.json", &counted).contains("counts 0 events"));
}

#[test]
fn another_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 20);
    let other = tempfile::tempdir().unwrap();
    let (key, _) = write(other.path(), 20);
    assert_ne!(check(&folder.path().join("audit"), &key).unwrap().problems, [""; 0]);
    for text in ["", "a+b+c", "name+00000000+AQ=="] {
        assert!(PublicKey::parse(text).is_none(), "{text}");
    }
}

#[test]
fn numbers_are_spelled_as_in_the_specification() {
    let list = [
        (0, "000"),
        (999, "999"),
        (1234, "x001/234"),
        (1_234_067, "x001/x234/067"),
        (1_000_000, "x001/x000/000"),
    ];
    for (n, path) in list {
        assert_eq!(number(n), path);
    }
}
