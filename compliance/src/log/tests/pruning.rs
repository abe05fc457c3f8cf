//! Old events are removed, old texts made unreadable.

use jiff::SignedDuration;

use super::super::{Content, Envelope, Keep, ListFilter, LogError, check_inclusion, leaf_hash, verify};
use super::*;
use crate::event::CaseKind;
use crate::storage::Storage;

/// Time of event `n` of a log whose events are a second apart.
fn at(n: i64) -> Timestamp {
    "2026-11-30T08:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_secs(n)
}

fn keep(trail: i64, case: i64) -> Keep {
    Keep { trail_since: at(trail), case_since: at(case) }
}

fn case() -> Event {
    Event::Case { id: "f1".into(), case: CaseKind::Incident, due: None, result: None, days: None }
}

const NONE_HELD: fn(&Envelope) -> bool = |_| false;

/// Five full bundles; the second holds a case.
fn long() -> (Machine, Log) {
    let (machine, mut log) = filled(300);
    log.append(&anna(), case()).unwrap();
    log.checkpoint().unwrap();
    for i in 0..1000 {
        log.append(&anna(), question(i)).unwrap();
    }
    (machine, log)
}

fn problems(machine: &Machine, log: &Log) -> Vec<String> {
    let found = verify(&*machine.storage, log.first_verifier()).unwrap();
    found.problems.into_iter().map(|p| format!("{}: {}", p.path, p.what)).collect()
}

#[test]
fn what_is_old_goes_and_the_tree_stays() {
    let (machine, mut log) = long();
    let leaf = {
        let bundle = machine.storage.read("tile/entries/000").unwrap().unwrap();
        let length = usize::from(u16::from_be_bytes([bundle[0], bundle[1]]));
        leaf_hash(&bundle[2..2 + length])
    };
    let (size, root) = (log.size(), log.root());
    let done = log.prune(&Actor::system(), keep(1100, 0), &NONE_HELD, "12 months").unwrap();
    // Bundles 0, 2, 3: the case keeps its own; bundle 4 is too young in part.
    assert_eq!((done.bundles, done.events), (3, 768));
    for (path, there) in [
        ("tile/entries/000", false),
        ("payload/000", false),
        ("tile/entries/001", true),
        ("payload/001", true),
        ("tile/entries/003", false),
        ("tile/entries/004", true),
        ("tile/0/000", true),
    ] {
        assert_eq!(machine.storage.read(path).unwrap().is_some(), there, "{path}");
    }
    assert_eq!(problems(&machine, &log), [""; 0]);
    assert_eq!(log.root_at(size).unwrap(), root);
    let proof = log.prove_inclusion(0).unwrap();
    assert!(check_inclusion(&proof, log.size(), &log.root(), 0, &leaf));
    let listed = log.list(&ListFilter { limit: Some(2), ..Default::default() }).unwrap();
    assert_eq!(listed[0].envelope.seq, 256);
    assert!(matches!(listed[0].content, Content::Clear(_)));
    drop(log);
    // Once the case is old as well, the holes grow together; then there is nothing more to do.
    let mut log = machine.open().unwrap();
    assert_eq!(log.prune(&Actor::system(), keep(1100, 1100), &NONE_HELD, "").unwrap().bundles, 1);
    assert_eq!(log.pruned.list(), [(0, 3)]);
    assert_eq!(log.prune(&Actor::system(), keep(1100, 1100), &NONE_HELD, "").unwrap().bundles, 0);
    assert_eq!(problems(&machine, &log), [""; 0]);
    let held = |e: &Envelope| e.seq == 1050;
    assert_eq!(log.prune(&Actor::system(), keep(5000, 5000), &held, "").unwrap().bundles, 0);
    log.append_all((0..300).map(|i| (anna(), question(i))).collect()).unwrap();
    assert!(machine.open().unwrap().verify().unwrap().ok);
}

#[test]
fn what_is_removed_without_an_event_shows() {
    let (machine, mut log) = long();
    let remove = |path: &str| {
        let saved = machine.storage.read(path).unwrap().unwrap();
        machine.storage.remove(path).unwrap();
        saved
    };
    for path in ["tile/entries/000", "tile/entries/002"] {
        let saved = remove(path);
        assert!(
            problems(&machine, &log).contains(&format!("{path}: missing; no event says that it was removed"))
        );
        assert!(matches!(machine.open(), Err(LogError::Damaged { .. })), "{path}");
        machine.storage.replace(path, &saved).unwrap();
    }
    log.prune(&Actor::system(), keep(600, 0), &NONE_HELD, "").unwrap();
    assert_eq!(problems(&machine, &log), [""; 0]);
    let saved = remove("tile/entries/001");
    assert_eq!(problems(&machine, &log).len(), 2, "the bundle, and its payloads without events");
    assert!(machine.open().is_err());
    machine.storage.replace("tile/entries/001", &saved).unwrap();
    // The hashes of what was removed are all that is left of it: they count.
    assert!(machine.storage.tamper("tile/0/000", |bytes| bytes[100] ^= 1));
    assert_ne!(problems(&machine, &log), [""; 0]);
}

#[test]
fn a_key_is_never_removed() {
    let (machine, mut log) = filled(100);
    log.rotate_key(&anna(), "").unwrap();
    for i in 0..700 {
        log.append(&anna(), question(i)).unwrap();
    }
    assert_eq!(log.prune(&Actor::system(), keep(5000, 5000), &NONE_HELD, "").unwrap().bundles, 1);
    assert!(machine.storage.read("tile/entries/000").unwrap().is_some());
    assert_eq!(problems(&machine, &log), [""; 0]);
}

#[test]
fn power_cut_at_every_step_of_a_removal() {
    for step in 1.. {
        let (machine, mut log) = long();
        machine.power.cut_at(machine.power.steps() + step, step * 13);
        let done = log.prune(&Actor::system(), keep(1100, 0), &NONE_HELD, "");
        if !machine.power.is_off() {
            assert_eq!(done.unwrap().bundles, 3);
            assert!(step > 8, "{step}");
            return;
        }
        let after = machine.restarted();
        let mut log = after.open().unwrap_or_else(|e| panic!("step {step}: {e}"));
        log.prune(&Actor::system(), keep(1100, 0), &NONE_HELD, "").unwrap();
        assert_eq!(problems(&after, &log), [""; 0], "step {step}");
        let left: Vec<String> = after.storage.list("payload").unwrap();
        assert_eq!(left.len(), 3, "step {step}: {left:?}");
    }
}

#[test]
fn texts_become_unreadable_after_their_time_and_who_did_what_stays() {
    let (machine, mut log) = filled(600);
    log.append(&anna(), Event::Logout).unwrap();
    let held = |e: &Envelope| e.seq == 7;
    let (gone, next) = log.shred_content(&Actor::system(), 0, at(500), &held, "90 days").unwrap();
    assert_eq!((gone, next), (499, 500));
    let entries = log.list(&ListFilter { kinds: vec!["question".into()], ..Default::default() }).unwrap();
    assert_eq!(entries.len(), 600);
    for entry in &entries {
        let readable = entry.envelope.seq == 7 || entry.envelope.seq >= 500;
        assert_eq!(matches!(entry.content, Content::Clear(_)), readable, "{}", entry.envelope.seq);
        // A held event lies within the range that the event names; it is readable all the same.
        assert_eq!(entry.content == Content::Shredded, !readable);
    }
    let (gone, next) = log.shred_content(&Actor::system(), next, at(500), &held, "90 days").unwrap();
    assert_eq!((gone, next), (0, 500));
    assert_eq!(problems(&machine, &log), [""; 0]);
    // Without the wrapped key there is nothing to decrypt, whoever holds the wrapping keys.
    let payloads = machine.storage.read("payload/000").unwrap().unwrap();
    let text = String::from_utf8(payloads).unwrap();
    assert_eq!(text.lines().filter(|l| !l.contains("\"wrap\":\"\"")).count(), 1);
}
