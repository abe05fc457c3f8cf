//! What somebody with the files can do beyond changing them: go on after a cut, put in events of his own, swap keys,
//! fill the disk. Each test is a row of the table on the manual's page about security.

use super::super::{Content, ListFilter, LogError, check_consistency, verify};
use super::*;
use crate::storage::Storage;

fn problems(machine: &Machine, key: &super::super::Verifier) -> Vec<String> {
    let found = verify(&*machine.storage, key).unwrap();
    found.problems.into_iter().map(|p| format!("{}: {}", p.path, p.what)).collect()
}

/// Keeps the first `n` lines of a text file.
fn keep_lines(machine: &Machine, path: &str, n: usize) {
    let bytes = machine.storage.read(path).unwrap().unwrap();
    let kept: Vec<u8> = bytes.split_inclusive(|&b| b == b'\n').take(n).flatten().copied().collect();
    assert!(kept.len() < bytes.len());
    machine.storage.replace(path, &kept).unwrap();
}

/// Events behind the newest checkpoint are cut off and the log goes on: its own files show nothing, whoever kept a
/// later root finds it.
#[test]
fn a_log_that_was_cut_and_went_on_is_found_by_a_root_kept_elsewhere() {
    let (machine, mut log) = filled(20);
    log.checkpoint().unwrap();
    log.append_all((0..6).map(|i| (anna(), question(100 + i))).collect()).unwrap();
    let kept = (log.size(), log.root());
    drop(log);
    for path in ["tail/000", "payload/000"] {
        keep_lines(&machine, path, 23);
    }
    let mut log = machine.open().unwrap();
    assert_eq!(log.size(), 23);
    log.append_all((0..9).map(|i| (anna(), question(200 + i))).collect()).unwrap();
    log.checkpoint().unwrap();
    assert_eq!(problems(&machine, log.verifier()), [""; 0], "by itself it looks whole");
    let proof = log.prove_consistency(kept.0).unwrap();
    assert!(!check_consistency(&proof, (kept.0, &kept.1), (log.size(), &log.root())));
}

/// An event of another log, and a copy of an own one under another number, are put in: below the newest checkpoint and
/// behind it.
#[test]
fn events_that_are_put_in_are_found_or_set_aside() {
    let (other, other_log) = filled(30);
    drop(other_log);
    let foreign = other.storage.read("tail/000").unwrap().unwrap();
    let foreign: Vec<&[u8]> = foreign.split_inclusive(|&b| b == b'\n').collect();
    for (at, behind) in [(4, false), (20, false), (26, true)] {
        let (machine, mut log) = filled(20);
        log.checkpoint().unwrap();
        log.append_all((0..5).map(|i| (anna(), question(100 + i))).collect()).unwrap();
        let saved = machine.storage.read("tail/000").unwrap().unwrap();
        let mut lines: Vec<&[u8]> = saved.split_inclusive(|&b| b == b'\n').collect();
        assert_eq!(lines.len(), 26);
        lines.insert(at, foreign[27]);
        machine.storage.replace("tail/000", &lines.concat()).unwrap();
        assert_ne!(problems(&machine, log.verifier()), [""; 0], "at {at}");
        drop(log);
        match machine.open() {
            Err(LogError::Damaged { .. }) => assert!(!behind, "at {at}"),
            Err(e) => panic!("at {at}: {e}"),
            Ok(log) => {
                let found = log.verify().unwrap();
                assert!(found.ok, "at {at}: {:?}", found.problems);
                assert!(!machine.storage.list("quarantine").unwrap().is_empty(), "at {at}");
                assert_eq!(found.gaps.len(), 1, "at {at}: a gap tells of it");
            }
        }
    }
}

/// Keys of another log, keys of two persons exchanged, and a log signed anew with a key of the attacker's own.
#[test]
fn swapped_keys_open_nothing_and_prove_nothing() {
    let (machine, mut log) = filled(6);
    log.append(&Actor::user("beat", Role::Reader, None), question(6)).unwrap();
    log.checkpoint().unwrap();
    let first = log.verifier().clone();
    let (a, b) = (log.actor_pseudonym("anna.beispiel"), log.actor_pseudonym("beat"));
    drop(log);
    // Two persons' wrapping keys.
    let month = |pid: &str| machine.keys.list(&format!("kek/{pid}")).unwrap().remove(0);
    let (one, two) = (month(&a), month(&b));
    let key = |path: &str| machine.keys.read(path).unwrap().unwrap();
    let (first_key, second_key) = (key(&one), key(&two));
    machine.keys.replace(&one, &second_key).unwrap();
    machine.keys.replace(&two, &first_key).unwrap();
    let mut log = machine.open().unwrap();
    let filter = ListFilter { kinds: vec!["question".into()], ..ListFilter::default() };
    let read = log.list(&filter).unwrap();
    assert!(
        read.iter().all(|e| e.content == Content::Unreadable),
        "no text of one under the key of the other"
    );
    assert_eq!(problems(&machine, &first), [""; 0], "the tree does not depend on them");
    drop(log);
    machine.keys.replace(&one, &first_key).unwrap();
    machine.keys.replace(&two, &second_key).unwrap();
    // The whole folder of keys of another log.
    let (other, other_log) = filled(3);
    drop(other_log);
    for path in ["log.key", "pseudonym.key"] {
        let saved = key(path);
        machine.keys.replace(path, &other.keys.read(path).unwrap().unwrap()).unwrap();
        match machine.open() {
            Err(_) => {}
            // Pseudonyms are no part of what is signed: the texts of known persons are not found under new ones.
            Ok(log) => assert_ne!(log.actor_pseudonym("beat"), b, "{path}"),
        }
        machine.keys.replace(path, &saved).unwrap();
    }
    machine.open().unwrap();
    // A log made anew with the attacker's key does not pass with the key that was handed out.
    let (forged, forged_log) = filled(7);
    assert!(problems(&forged, forged_log.verifier()).is_empty());
    assert_ne!(problems(&forged, &first), [""; 0]);
}

/// The disk is full from any step on and stays so; then there is room again.
#[test]
fn a_full_disk_refuses_work_and_the_refusals_are_told() {
    let mut refusals = 0;
    for step in 1..=24 {
        let machine = Machine::new();
        let mut log = machine.open().unwrap();
        log.append(&anna(), question(0)).unwrap();
        machine.power.full_from(machine.power.steps() + step);
        let acknowledged = (1..8).filter(|&i| log.append(&anna(), question(i)).is_ok()).count() as u64;
        let failure = log.failure().cloned();
        if acknowledged == 7 {
            continue;
        }
        // Opening anew does not help while the disk is full.
        drop(log);
        if let Ok(mut log) = machine.open_after(failure.clone()) {
            assert!(log.append(&anna(), question(90)).is_err(), "step {step}");
        }
        machine.power.make_room();
        let mut log = machine.open_after(failure.clone()).unwrap_or_else(|e| panic!("step {step}: {e}"));
        let filter = ListFilter { kinds: vec!["question".into()], ..ListFilter::default() };
        let kept = log.list(&filter).unwrap().len() as u64;
        assert!(
            (acknowledged + 1..=acknowledged + 2).contains(&kept),
            "step {step}: {kept} of {acknowledged}"
        );
        let gaps = ListFilter { kinds: vec!["gap".into()], ..ListFilter::default() };
        let gaps = log.list(&gaps).unwrap();
        let Content::Clear(payload) = &gaps[0].content else { panic!("step {step}") };
        assert_eq!(payload["event"]["refused"], failure.unwrap().refused, "step {step}");
        refusals += 1;
        assert!(log.append(&anna(), question(91)).is_ok());
        assert!(log.verify().unwrap().ok, "step {step}");
    }
    assert!(refusals > 15, "{refusals}");
}

/// What is tested stands in the manual, and the other way round.
#[test]
fn the_manual_has_a_row_for_every_attack() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../src/manual/security.md")).unwrap();
    for row in [
        "a byte of any file is changed",
        "a file is removed, cut, lengthened or added",
        "events are removed, doubled or change places",
        "events are put in",
        "events are cut off and the log goes on",
        "the folder is put back to an older copy, or goes two ways",
        "the clock is set back",
        "power fails, the program is killed",
        "the disk is full, a write fails",
        "keys are exchanged",
        "the signing key is changed",
    ] {
        assert!(page.contains(&format!("| {row} |")), "{row}");
    }
}
