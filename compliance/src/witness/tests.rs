use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

use super::key::WitnessSigner;
use super::*;
use crate::event::{Actor, Event};
use crate::log::{Log, LogError, Provenance, Verifier, verify};
use crate::storage::{MemoryStorage, PowerSwitch, Storage};

fn memory() -> Arc<MemoryStorage> {
    Arc::new(MemoryStorage::new(PowerSwitch::default()))
}

fn log() -> (Arc<MemoryStorage>, Log) {
    let (storage, ticks) = (memory(), AtomicI64::new(1_800_000_000));
    let clock = Arc::new(move || Timestamp::from_second(ticks.fetch_add(1, Ordering::SeqCst)).unwrap());
    let log = Log::open(storage.clone(), memory(), clock, Provenance::default(), None).unwrap();
    (storage, log)
}

fn events(log: &mut Log, n: usize) {
    log.append_all(vec![(Actor::system(), Event::ServerStop); n]).unwrap();
}

fn witness(storage: &Arc<MemoryStorage>) -> Witness {
    let clock = Arc::new(|| Timestamp::from_second(1_800_000_500).unwrap());
    Witness::open(storage.clone(), "example/laptop", clock).unwrap()
}

/// Key, time and signature were made with Python's `cryptography` (`testdata/cosignature.py`).
#[test]
fn a_countersignature_is_the_one_another_program_makes() {
    let note = include_str!("../../testdata/checkpoint.note");
    let expected = include_str!("../../testdata/cosignature.note");
    let vkey = include_str!("../../testdata/cosignature.vkey");
    let signer = WitnessSigner::new("example/witness".into(), &std::array::from_fn(|i| 32 + i as u8));
    assert_eq!(signer.public().to_vkey(), vkey.trim_end());
    assert_eq!(signer.countersign(note, 1_796_032_800).unwrap(), expected);
    let log = Verifier::from_vkey(include_str!("../../testdata/checkpoint.vkey")).unwrap();
    let witness = WitnessKey::from_vkey(vkey).unwrap();
    let found = Countersigned::read(expected.as_bytes(), &log, &witness).unwrap();
    assert_eq!((found.size, found.time), (8, 1_796_032_800));
    for at in 0..expected.len() {
        let mut spoiled = expected.as_bytes().to_vec();
        spoiled[at] ^= 1;
        assert!(Countersigned::read(&spoiled, &log, &witness).is_err(), "byte {at}");
    }
    for text in ["", "a+b+c", &vkey.replace("example", "exemple"), &vkey.replace("+B", "+A")] {
        assert!(WitnessKey::from_vkey(text).is_none(), "{text}");
    }
}

#[test]
fn a_witness_signs_a_log_that_grows_and_the_log_takes_it_in() {
    let (storage, mut log) = log();
    events(&mut log, 300);
    let folder = memory();
    let key = log.first_verifier().clone();
    let request = log.witness_request(0).unwrap().to_text();
    let unknown = witness(&folder).sign(&request, None);
    assert!(matches!(unknown, Err(WitnessError::Unknown(_))));
    let signed = witness(&folder).sign(&request, Some(&key)).unwrap();
    // The same state again is no harm.
    assert_eq!(witness(&folder).sign(&request, None).unwrap(), signed);
    let name = witness(&folder).key().clone();
    let found = log.accept_witness(&Actor::system(), signed.as_bytes(), &name).unwrap();
    assert_eq!((found.size, found.time, log.witnessed().unwrap()), (301, 1_800_000_500, 301));
    events(&mut log, 300);
    let wrong = log.witness_request(7).unwrap().to_text();
    assert!(matches!(witness(&folder).sign(&wrong, None), Err(WitnessError::Begins { seen: 301, old: 7 })));
    let request = log.witness_request(301).unwrap().to_text();
    let signed = witness(&folder).sign(&request, None).unwrap();
    log.accept_witness(&Actor::system(), signed.as_bytes(), &name).unwrap();
    let result = log.verify().unwrap();
    assert!(result.ok, "{:?}", result.problems);
    // A countersignature that was changed, put under another size, or of a stranger's shows.
    for path in storage.list("anchors").unwrap() {
        for at in 0..storage.read(&path).unwrap().unwrap().len() {
            storage.tamper(&path, |bytes| bytes[at] ^= 1);
            assert!(!verify(&*storage, &key).unwrap().ok, "{path} byte {at}");
            storage.tamper(&path, |bytes| bytes[at] ^= 1);
        }
    }
    let other = witness_of("example/other");
    let taken = log.accept_witness(&Actor::system(), signed.as_bytes(), &other);
    assert!(matches!(taken, Err(LogError::Anchor(_))));
}

fn witness_of(name: &str) -> WitnessKey {
    let clock = Arc::new(|| Timestamp::from_second(1_800_000_500).unwrap());
    Witness::open(memory(), name, clock).unwrap().key().clone()
}

#[test]
fn an_older_copy_a_fork_and_a_stranger_are_not_signed() {
    let (_, mut log) = log();
    events(&mut log, 20);
    let (folder, key) = (memory(), log.first_verifier().clone());
    let older = log.witness_request(0).unwrap().to_text();
    events(&mut log, 20);
    let request = log.witness_request(0).unwrap().to_text();
    witness(&folder).sign(&request, Some(&key)).unwrap();
    let seen = witness(&folder).seen_size(key.name()).unwrap();
    assert_eq!(seen, log.size());
    assert!(matches!(witness(&folder).sign(&older, None), Err(WitnessError::Shorter { .. })));
    // The same key, other events: a copy of the log's folder from before, with which somebody went on.
    let (copy, keys) = (memory(), memory());
    let clock = Arc::new(|| Timestamp::from_second(1_800_000_000).unwrap());
    let open = |files: &Arc<MemoryStorage>, keys: &Arc<MemoryStorage>| {
        Log::open(files.clone(), keys.clone(), clock.clone(), Provenance::default(), None).unwrap()
    };
    let mut first = open(&copy, &keys);
    events(&mut first, 10);
    let (fork, fork_keys) = (
        Arc::new(copy.after_restart(PowerSwitch::default())),
        Arc::new(keys.after_restart(PowerSwitch::default())),
    );
    events(&mut first, 10);
    let key = first.first_verifier().clone();
    let honest = first.witness_request(0).unwrap();
    witness(&folder).sign(&honest.to_text(), Some(&key)).unwrap();
    let mut forked = open(&fork, &fork_keys);
    events(&mut forked, 10);
    let same_size = forked.witness_request(0).unwrap().to_text();
    assert!(matches!(witness(&folder).sign(&same_size, None), Err(WitnessError::Forked(21))));
    events(&mut forked, 10);
    let longer = forked.witness_request(21).unwrap().to_text();
    assert!(matches!(witness(&folder).sign(&longer, None), Err(WitnessError::Forked(21))));
    let (_, mut stranger) = self::log();
    events(&mut stranger, 50);
    let request = stranger.witness_request(0).unwrap().to_text();
    assert!(matches!(witness(&folder).sign(&request, Some(&key)), Err(WitnessError::Request(_))));
    for text in ["", "old x\n\n", "old 1\nAA==\n\nx", &"old 1\n".repeat(1000)] {
        assert!(witness(&folder).sign(text, Some(&key)).is_err());
    }
}

/// After the log has changed its key, the witness wants to be told the new one by a person.
#[test]
fn a_new_key_of_the_log_has_to_be_handed_over() {
    let (_, mut log) = log();
    events(&mut log, 5);
    let folder = memory();
    let first = log.first_verifier().clone();
    let request = log.witness_request(0).unwrap().to_text();
    witness(&folder).sign(&request, Some(&first)).unwrap();
    let seen = log.size();
    log.rotate_key(&Actor::system(), "yearly").unwrap();
    events(&mut log, 1);
    let request = log.witness_request(seen).unwrap().to_text();
    assert!(matches!(witness(&folder).sign(&request, None), Err(WitnessError::Request(_))));
    let signed = witness(&folder).sign(&request, Some(log.verifier())).unwrap();
    let key = witness(&folder).key().clone();
    log.accept_witness(&Actor::system(), signed.as_bytes(), &key).unwrap();
    assert!(log.verify().unwrap().ok);
    assert!(Witness::open(memory(), "two words", Arc::new(Timestamp::now)).is_err());
}
