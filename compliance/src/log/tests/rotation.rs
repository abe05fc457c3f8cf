//! The signing key is changed.

use super::super::{LogError, verify};
use super::*;
use crate::storage::Storage;

fn check(machine: &Machine, key: &super::super::Verifier) -> Vec<String> {
    let found = verify(&*machine.storage, key).unwrap();
    found.problems.into_iter().map(|p| format!("{}: {}", p.path, p.what)).collect()
}

/// Two changes, one of them in a bundle that became full since.
fn rotated() -> (Machine, Log) {
    let (machine, mut log) = filled(100);
    log.rotate_key(&anna(), "yearly").unwrap();
    log.append_all((0..200).map(|i| (anna(), question(i))).collect()).unwrap();
    log.checkpoint().unwrap();
    log.rotate_key(&anna(), "yearly").unwrap();
    log.append_all((0..5).map(|i| (anna(), question(i))).collect()).unwrap();
    (machine, log)
}

#[test]
fn every_key_of_the_log_checks_it_and_no_other() {
    let (machine, mut log) = rotated();
    assert_ne!(log.first_verifier(), log.verifier());
    for key in [log.first_verifier(), log.chain.at(300)] {
        assert_eq!(check(&machine, key), [""; 0]);
    }
    // The newest key has signed no checkpoint yet.
    let newest = log.verifier().clone();
    assert!(check(&machine, &newest)[0].contains("signed no checkpoint"));
    log.checkpoint().unwrap();
    assert_eq!(check(&machine, &newest), [""; 0]);
    let (_other, stranger) = filled(1);
    assert!(check(&machine, stranger.verifier())[0].contains("signed no checkpoint"));
    drop(log);
    let log = machine.open().unwrap();
    assert_eq!(log.verifier(), &newest);
    assert!(log.verify().unwrap().ok);
}

#[test]
fn the_old_key_is_destroyed_and_signs_nothing_more() {
    let (machine, mut log) = filled(10);
    let old = machine.keys.read("log.key").unwrap().unwrap();
    log.rotate_key(&anna(), "lost laptop").unwrap();
    log.append(&anna(), question(1)).unwrap();
    for path in machine.keys.list("").unwrap() {
        assert_ne!(machine.keys.read(&path).unwrap().unwrap(), old, "{path}");
    }
    drop(log);
    // Who kept the old key cannot go on with it, and what it signs after the change does not count.
    machine.keys.replace("log.key", &old).unwrap();
    assert!(matches!(machine.open(), Err(LogError::KeysUnfit { .. })));
}

#[test]
fn a_changed_list_of_keys_is_found() {
    let (machine, mut log) = rotated();
    log.checkpoint().unwrap();
    let first = log.first_verifier().clone();
    let saved = machine.storage.read("log.rotations").unwrap().unwrap();
    for changed in [&b""[..], &saved[..saved.len() / 2], &saved[3..], b"7 nonsense\n"] {
        machine.storage.replace("log.rotations", changed).unwrap();
        assert_ne!(check(&machine, &first), [""; 0]);
        assert!(machine.open().is_err());
    }
    machine.storage.remove("log.rotations").unwrap();
    assert_ne!(check(&machine, &first), [""; 0]);
    assert!(machine.open().is_err());
    machine.storage.replace("log.rotations", &saved).unwrap();
    // The checkpoint that hands over from one key to the next.
    machine.storage.remove("checkpoints/00000000000000000101").unwrap();
    assert!(check(&machine, &first).iter().any(|p| p.contains("checkpoint is missing")));
}

/// Whatever step the power fails at, the log opens with one of the two keys and goes on.
#[test]
fn power_cut_at_every_step_of_a_change() {
    let mut both = [false, false];
    for events in [10, 254, 255] {
        for step in 1.. {
            let (machine, mut log) = filled(events);
            let before = log.verifier().clone();
            machine.power.cut_at(machine.power.steps() + step, step * 7);
            let done = log.rotate_key(&anna(), "yearly").is_ok();
            if !machine.power.is_off() {
                assert!(done);
                break;
            }
            let after = machine.restarted();
            let mut log = after.open().unwrap_or_else(|e| panic!("{events}, step {step}: {e}"));
            both[usize::from(log.verifier() == &before)] = true;
            log.append(&anna(), question(1)).unwrap();
            log.checkpoint().unwrap();
            log.rotate_key(&anna(), "again").unwrap();
            log.append(&anna(), question(1)).unwrap();
            let found = log.verify().unwrap();
            assert!(found.ok, "{events}, step {step}: {:?}", found.problems);
            assert_eq!(check(&after, &before), [""; 0]);
            assert_eq!(after.keys.read("log.key.next").unwrap(), None);
            assert!(after.open().is_ok());
        }
    }
    assert_eq!(both, [true, true]);
}
