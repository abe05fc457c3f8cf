//! Somebody changes files.

use super::super::{Checked, LogError, verify, verify_since};
use super::*;
use crate::storage::Storage;

/// A log with a full bundle, a tail, and two checkpoints (one of them with a partial bundle).
fn victim() -> (Machine, Log) {
    // A checkpoint is an event, too.
    let (machine, mut log) = filled(100);
    log.checkpoint().unwrap();
    for i in 101..299 {
        log.append(&anna(), question(i)).unwrap();
    }
    log.checkpoint().unwrap();
    assert_eq!(log.size(), 300);
    for i in 300..310 {
        log.append(&anna(), question(i)).unwrap();
    }
    (machine, log)
}

fn problems(machine: &Machine, log: &Log) -> Vec<String> {
    let found = verify(&*machine.storage, log.verifier()).unwrap();
    assert_eq!(found.ok, found.problems.is_empty());
    found.problems.into_iter().map(|p| format!("{}: {}", p.path, p.what)).collect()
}

#[test]
fn a_changed_byte_in_any_file_is_found() {
    let (machine, log) = victim();
    assert_eq!(problems(&machine, &log), [""; 0]);
    let files = machine.storage.list("").unwrap();
    for class in [
        "log.vkey",
        "checkpoint",
        "checkpoints/",
        "tail/",
        "tile/0/000",
        "tile/0/001.p/",
        "tile/1/000.p/1",
        "tile/entries/000",
        "tile/entries/001.p/",
        "payload/000",
        "payload/001",
    ] {
        assert!(files.iter().any(|f| f.starts_with(class)), "no file {class} in {files:?}");
    }
    for path in files {
        let size = machine.storage.read(&path).unwrap().unwrap().len();
        // Every byte of small files, a spread of the large ones.
        let stride = (size / 50).max(1);
        for at in (0..size).step_by(stride).chain([size - 1]) {
            for bit in [0, 5] {
                let flip = |bytes: &mut Vec<u8>| bytes[at] ^= 1 << bit;
                assert!(machine.storage.tamper(&path, flip));
                assert_ne!(problems(&machine, &log), [""; 0], "{path} byte {at} bit {bit}");
                machine.storage.tamper(&path, flip);
            }
        }
    }
    assert_eq!(problems(&machine, &log), [""; 0]);
}

#[test]
fn a_missing_shortened_or_added_file_is_found() {
    let (machine, log) = victim();
    for path in machine.storage.list("").unwrap() {
        let saved = machine.storage.read(&path).unwrap().unwrap();
        machine.storage.remove(&path).unwrap();
        assert_ne!(problems(&machine, &log), [""; 0], "{path} removed");
        for length in [0, saved.len() / 2, saved.len() - 1] {
            machine.storage.replace(&path, &saved[..length]).unwrap();
            assert_ne!(problems(&machine, &log), [""; 0], "{path} cut to {length}");
        }
        machine.storage.replace(&path, &[&saved[..], b"x"].concat()).unwrap();
        assert_ne!(problems(&machine, &log), [""; 0], "{path} lengthened");
        machine.storage.replace(&path, &saved).unwrap();
    }
    for path in
        ["note.txt", "tile/0/001", "tile/0/000.p/3", "tile/entries/000.p/3", "payload/002", "tail/000"]
    {
        machine.storage.replace(path, b"x").unwrap();
        assert_ne!(problems(&machine, &log), [""; 0], "{path} added");
        machine.storage.remove(path).unwrap();
    }
    assert_eq!(problems(&machine, &log), [""; 0]);
}

/// Swaps, doubles or drops lines of a text file.
fn lines(machine: &Machine, path: &str, change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Vec<u8> {
    let saved = machine.storage.read(path).unwrap().unwrap();
    let mut all: Vec<Vec<u8>> = saved.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    change(&mut all);
    machine.storage.replace(path, &all.concat()).unwrap();
    saved
}

#[test]
fn reordered_doubled_and_dropped_events_are_found() {
    let (machine, log) = victim();
    for path in ["tail/001", "payload/001", "payload/000"] {
        let changes: [fn(&mut Vec<Vec<u8>>); 4] =
            [|l| l.swap(2, 3), |l| l.insert(5, l[4].clone()), |l| drop(l.remove(1)), |l| drop(l.remove(0))];
        for (i, change) in changes.into_iter().enumerate() {
            let saved = lines(&machine, path, change);
            assert_ne!(problems(&machine, &log), [""; 0], "{path} change {i}");
            machine.storage.replace(path, &saved).unwrap();
        }
    }
    assert_eq!(problems(&machine, &log), [""; 0]);
}

/// Whole events cut off the end: found as far as the newest checkpoint reaches, not beyond. This is the limit
/// that the manual states.
#[test]
fn cutting_whole_events_shows_below_the_newest_checkpoint() {
    let (machine, log) = victim();
    let saved = lines(&machine, "tail/001", |l| l.truncate(43));
    assert!(problems(&machine, &log).iter().any(|p| p.contains("300 events were signed, but 299 are here")));
    assert!(matches!(machine.open(), Err(LogError::Damaged { .. })));
    machine.storage.replace("tail/001", &saved).unwrap();
    lines(&machine, "tail/001", |l| l.truncate(44));
    lines(&machine, "payload/001", |l| l.truncate(44));
    assert_eq!(problems(&machine, &log), [""; 0]);
}

/// No tile depends on an old checkpoint any more: only the events tell that it is missing.
#[test]
fn a_lost_old_checkpoint_is_named() {
    let (machine, log) = victim();
    machine.storage.remove("checkpoints/00000000000000000101").unwrap();
    let what = "the checkpoint is missing; event 299 says that it was signed";
    assert_eq!(problems(&machine, &log), [format!("checkpoints/00000000000000000101: {what}")]);
}

#[test]
fn opening_refuses_what_was_signed_and_changed() {
    let (machine, log) = victim();
    drop(log);
    for (path, at) in [("tile/0/000", 5), ("tail/001", 120), ("checkpoint", 3), ("log.vkey", 3)] {
        let flip = |bytes: &mut Vec<u8>| bytes[at] ^= 1;
        machine.storage.tamper(path, flip);
        assert!(machine.open().is_err(), "{path}");
        machine.storage.tamper(path, flip);
    }
    machine.open().unwrap();
}

/// An event beyond the newest checkpoint is altered: nothing is lost in silence.
#[test]
fn an_altered_newest_event_is_set_aside_and_recorded() {
    let (machine, log) = victim();
    drop(log);
    let size = machine.storage.read("tail/001").unwrap().unwrap().len();
    machine.storage.tamper("tail/001", |bytes| bytes[size - 10] ^= 1);
    let log = machine.open().unwrap();
    let found = log.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    assert_eq!(found.gaps.len(), 1);
    assert_eq!(machine.storage.list("quarantine").unwrap().len(), 1);
}

#[test]
fn an_older_copy_and_a_fork_are_found_by_whoever_kept_a_checkpoint() {
    let (machine, mut log) = victim();
    log.checkpoint().unwrap();
    let (size, root) = (log.size(), log.root());
    let older = {
        let (older, _) = filled(300);
        older.open().unwrap()
    };
    assert!(older.prove_consistency(size).is_err(), "the copy is shorter than the kept checkpoint");
    log.append(&anna(), question(310)).unwrap();
    let proof = log.prove_consistency(size).unwrap();
    assert!(super::super::check_consistency(&proof, (size, &root), (log.size(), &log.root())));
    let (_machine, mut fork) = filled(300);
    fork.append_all((0..20).map(|i| (anna(), question(i))).collect()).unwrap();
    let proof = fork.prove_consistency(size).unwrap();
    assert!(!super::super::check_consistency(&proof, (size, &root), (fork.size(), &fork.root())));
    drop(machine);
}

/// A check that goes on from an earlier one finds what is wrong in the newer events and in the tree, says the
/// same root, and reads no older bundle.
#[test]
fn a_check_goes_on_from_the_last_one() {
    let (machine, mut log) = filled(700);
    log.checkpoint().unwrap();
    let whole = verify(&*machine.storage, log.verifier()).unwrap();
    assert!(whole.ok && whole.full.size == 512, "{whole:?}");
    log.append_all((0..200).map(|i| (anna(), question(i))).collect()).unwrap();
    log.checkpoint().unwrap();
    let since = |checked: &Checked| verify_since(&*machine.storage, log.verifier(), Some(checked)).unwrap();
    let found = since(&whole.full);
    assert!(found.ok, "{:?}", found.problems);
    let all = verify(&*machine.storage, log.verifier()).unwrap();
    assert_eq!((&found.root, found.size, &found.full), (&all.root, all.size, &all.full));
    for (path, expected) in [
        ("tile/entries/000", true), // an old event: the whole check finds it
        ("payload/001", true),
        ("tile/entries/002", false),
        ("payload/002", false),
        ("payload/003", false),
        ("tile/0/002", false),
        ("checkpoint", false),
    ] {
        let flip = |bytes: &mut Vec<u8>| bytes[40] ^= 1;
        assert!(machine.storage.tamper(path, flip));
        assert_eq!(since(&whole.full).ok, expected, "{path}");
        assert!(!verify(&*machine.storage, log.verifier()).unwrap().ok, "{path}");
        machine.storage.tamper(path, flip);
    }
    // Another tree than the kept one: everything is looked at.
    let forged = Checked { root: "00".repeat(32), ..whole.full.clone() };
    assert!(since(&forged).ok);
    assert!(machine.storage.tamper("tile/entries/000", |bytes| bytes[40] ^= 1));
    assert!(!since(&forged).ok);
}
