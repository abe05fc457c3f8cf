use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::{Content, ListFilter, LogError, check_consistency, check_inclusion, payload};
use super::*;
use crate::event::{AnswerMode, CitationCheck, Finish};
use crate::storage::{FileStorage, Storage};

#[test]
fn events_come_back_as_they_went_in() {
    let (machine, mut log) = filled(3);
    let entries = log.list(&ListFilter::default()).unwrap();
    assert_eq!(entries.len(), 3);
    let Content::Clear(payload) = &entries[1].content else { panic!("{:?}", entries[1].content) };
    assert_eq!(payload["actor"], "anna.beispiel");
    assert_eq!(payload["event"]["text"], format!("{CANARY} 1?"));
    let e = &entries[1].envelope;
    assert_eq!((e.seq, e.kind.as_str(), e.role.as_str()), (1, "question", "reader"));
    assert_eq!(e.ts_utc, "2026-11-30T08:00:01.000000Z");
    assert_eq!(e.target_ids, ["q1"]);
    assert_eq!(e.actor_pid, log.actor_pseudonym("anna.beispiel"));
    assert_eq!(e.project_id.as_deref(), Some(log.project_pseudonym("Schulhaus Kanarienmatt").as_str()));
    drop(log);
    let mut again = machine.open().unwrap();
    assert_eq!(again.list(&ListFilter::default()).unwrap(), entries);
}

#[test]
fn filters() {
    let machine = Machine::new();
    let mut log = machine.open().unwrap();
    log.append(&anna(), question(0)).unwrap();
    log.append(&Actor::user("beat", Role::Reader, None), question(1)).unwrap();
    log.append(&Actor::system(), Event::ServerStop).unwrap();
    log.append(&anna(), answer("q0", &[true, true], false)).unwrap();
    log.append(&anna(), answer("q1", &[true, false], false)).unwrap();
    let mut seqs = |filter: ListFilter| -> Vec<u64> {
        log.list(&filter).unwrap().iter().map(|e| e.envelope.seq).collect()
    };
    let none = ListFilter::default;
    assert_eq!(seqs(ListFilter { kinds: vec!["question".into()], ..none() }), [0, 1]);
    assert_eq!(seqs(ListFilter { actor: Some("anna.beispiel".into()), ..none() }), [0, 3, 4]);
    assert_eq!(seqs(ListFilter { target: Some("q1".into()), ..none() }), [1, 4]);
    assert_eq!(seqs(ListFilter { query: Some("U3".into()), ..none() }), [3]);
    assert_eq!(seqs(ListFilter { project: Some("Schulhaus Kanarienmatt".into()), ..none() }), [0, 1]);
    let from = Some("2026-11-30T08:00:01Z".parse().unwrap());
    let to = Some("2026-11-30T08:00:03Z".parse().unwrap());
    assert_eq!(seqs(ListFilter { from, to, ..none() }), [1, 2]);
    assert_eq!(seqs(ListFilter { first_seq: 2, limit: Some(2), ..none() }), [2, 3]);
    let unknown = log.list(&ListFilter { query: Some("X9".into()), ..none() });
    assert!(matches!(unknown, Err(LogError::NoQuery(_))));
}

fn answer(question: &str, verified: &[bool], abstained: bool) -> Event {
    let citation = |(n, &verified)| CitationCheck { n, document: format!("d{n}"), verified };
    Event::Answer {
        question: question.into(),
        mode: AnswerMode::Extractive,
        model: None,
        model_sha256: None,
        quantisation: None,
        template_sha256: None,
        marking: None,
        device: "CPU".into(),
        sampling: None,
        prompt_tokens: 0,
        completion_tokens: 0,
        finish: Finish::Stop,
        text: "0.17 W/(m²K)".into(),
        citations: (1..).zip(verified).map(citation).collect(),
        abstained,
        first_token_ms: None,
        elapsed_ms: 12,
    }
}

#[test]
fn no_text_no_name_and_no_password_in_the_files() {
    let (machine, mut log) = filled(5);
    let event = Event::LoginFailed { attempted: "hunter2".into(), reason: "wrong_password".into(), ip: None };
    log.append(&Actor::anonymous(), event).unwrap();
    log.checkpoint().unwrap();
    for storage in [&machine.storage, &machine.keys] {
        for path in storage.list("").unwrap() {
            let bytes = storage.read(&path).unwrap().unwrap();
            let text = String::from_utf8_lossy(&bytes);
            for secret in [CANARY, "anna.beispiel", "Kanarienmatt", "session-secret", "hunter2"] {
                assert!(!text.contains(secret), "{secret} in {path}");
            }
        }
    }
    // A typed name stays masked for those who hold the keys, too.
    let entries = log.list(&ListFilter { kinds: vec!["login_failed".into()], ..Default::default() }).unwrap();
    let Content::Clear(payload) = &entries[0].content else { panic!() };
    assert_ne!(payload["event"]["attempted"], "hunter2");
    assert_eq!(payload["event"]["attempted"].as_str().unwrap().len(), 32);
}

#[test]
fn proofs_hold_across_bundles() {
    let (_machine, mut log) = filled(300);
    let (old, root) = (log.size(), log.root());
    let receipts = log.append_all((300..700).map(|i| (anna(), question(i))).collect()).unwrap();
    assert_eq!(receipts.len(), 400);
    assert_eq!(log.size(), 700);
    assert_eq!(log.root_at(old).unwrap(), root);
    let proof = log.prove_consistency(old).unwrap();
    assert!(check_consistency(&proof, (old, &root), (700, &log.root())));
    for receipt in [&receipts[0], &receipts[211], &receipts[212], &receipts[399]] {
        let proof = log.prove_inclusion(receipt.seq).unwrap();
        assert!(check_inclusion(&proof, 700, &log.root(), receipt.seq, &receipt.leaf));
    }
    let found = log.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    assert!(log.prove_inclusion(700).is_err());
    assert!(log.prove_consistency(701).is_err());
}

#[test]
fn checkpoints_at_any_size_stay_true() {
    let (machine, mut log) = filled(0);
    let mut made = 0;
    for i in 0..530 {
        log.append(&anna(), question(i)).unwrap();
        // The event of the checkpoint makes these two full bundles.
        if i % 37 == 0 || log.size() == 255 || log.size() == 511 {
            log.checkpoint().unwrap();
            made += 1;
        }
    }
    for size in ["00000000000000000256", "00000000000000000512"] {
        assert!(machine.storage.read(&format!("checkpoints/{size}")).unwrap().is_some(), "{size}");
    }
    let found = log.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    assert_eq!((found.size, found.checkpoints), (530 + made, made));
    drop(log);
    let again = machine.open().unwrap();
    assert_eq!(again.size(), 530 + made);
    assert!(again.verify().unwrap().ok);
}

#[test]
fn the_clock_set_back_is_recorded() {
    let (machine, mut log) = filled(3);
    machine.clock.store(-3600, Ordering::SeqCst);
    log.append(&anna(), question(3)).unwrap();
    log.append(&anna(), question(4)).unwrap();
    let found = log.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    assert_eq!(found.size, 6);
    assert_eq!((found.gaps[0].seq, found.gaps[0].kind.as_str()), (3, "clock_jump"));
    drop(log);
    // Also when it was set back while the program was off.
    machine.clock.store(-7200, Ordering::SeqCst);
    let mut log = machine.open().unwrap();
    log.append(&anna(), question(5)).unwrap();
    assert_eq!(log.verify().unwrap().gaps.len(), 2);
}

#[test]
fn destroyed_keys_leave_the_log_whole() {
    let (machine, mut log) = filled(4);
    log.append(&Actor::user("beat", Role::Reader, None), question(4)).unwrap();
    log.shred_event(&Actor::system(), 1, "request 7").unwrap();
    let states = |log: &mut Log| -> Vec<bool> {
        let filter = ListFilter { kinds: vec!["question".into()], ..Default::default() };
        log.list(&filter).unwrap().iter().map(|e| e.content == Content::Shredded).collect()
    };
    assert_eq!(states(&mut log), [false, true, false, false, false]);
    let pid = log.actor_pseudonym("anna.beispiel");
    log.shred_month(&Actor::system(), &pid, "2026-11", "left the firm").unwrap();
    assert_eq!(states(&mut log), [true, true, true, true, false]);
    // A later event of the same month is readable under a new key.
    log.append(&anna(), question(5)).unwrap();
    assert_eq!(states(&mut log), [true, true, true, true, false, false]);
    drop(log);
    let mut log = machine.open().unwrap();
    assert_eq!(states(&mut log), [true, true, true, true, false, false]);
    let found = log.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    assert!(log.shred_event(&Actor::system(), 99, "").is_err());
    assert!(log.shred_month(&Actor::system(), "../x", "2026-11", "").is_err());
}

#[test]
fn an_event_that_is_too_large_writes_nothing() {
    let (_machine, mut log) = filled(1);
    let mut large = question(1);
    if let Event::Question { text, .. } = &mut large {
        *text = "x".repeat(payload::MAX_PAYLOAD);
    }
    let many = Event::KeyShred { keys: vec!["seq:1234567890".into(); 5000], basis: String::new() };
    for event in [large, many] {
        let batch = vec![(anna(), question(2)), (anna(), event)];
        assert!(matches!(log.append_all(batch), Err(LogError::TooLarge { .. })));
    }
    assert_eq!(log.size(), 1);
    log.append(&anna(), question(3)).unwrap();
    assert!(log.verify().unwrap().ok);
}

#[test]
fn a_log_without_its_keys_does_not_open() {
    let (machine, log) = filled(2);
    drop(log);
    for path in ["log.key", "pseudonym.key"] {
        let saved = machine.keys.read(path).unwrap().unwrap();
        machine.keys.remove(path).unwrap();
        assert!(matches!(machine.open(), Err(LogError::KeysMissing { .. })), "{path}");
        machine.keys.replace(path, b"nonsense\n").unwrap();
        assert!(matches!(machine.open(), Err(LogError::KeysUnfit { .. })), "{path}");
        machine.keys.replace(path, &saved).unwrap();
    }
    let other = Machine::new();
    drop(other.open().unwrap());
    let swapped = Machine {
        keys: other.keys.clone(),
        ..Machine { storage: machine.storage.clone(), ..Machine::new() }
    };
    assert!(matches!(swapped.open(), Err(LogError::KeysUnfit { .. })));
    assert!(machine.open().is_ok());
}

#[test]
fn on_a_real_file_system() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let storage = Arc::new(FileStorage::new(folder.path().join("audit")).unwrap());
        let keys = Arc::new(FileStorage::new(folder.path().join("keys")).unwrap());
        Log::open(storage, keys, Arc::new(jiff::Timestamp::now), Provenance::default(), None).unwrap()
    };
    let mut log = open();
    log.append_all((0..270).map(|i| (anna(), question(i))).collect()).unwrap();
    log.append(&anna(), question(270)).unwrap();
    log.checkpoint().unwrap();
    drop(log);
    let mut log = open();
    assert_eq!(log.size(), 272);
    let found = log.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    assert_eq!(log.list(&ListFilter::default()).unwrap().len(), 272);
    for (path, mode) in
        [("keys", 0o700), ("keys/log.key", 0o600), ("audit/tail/001", 0o600), ("audit/tile", 0o700)]
    {
        let found = std::fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{path}");
    }
}
