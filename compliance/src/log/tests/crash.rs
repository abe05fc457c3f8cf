//! The power fails, or a write fails, at every step.

use std::collections::BTreeMap;

use super::super::{ListFilter, LogError};
use super::*;

/// Appends events one after another, with a checkpoint now and then, until something fails. Returns the
/// identifiers of the acknowledged ones.
fn work(log: &mut Log, events: usize, seed: u64) -> Vec<String> {
    let mut done = Vec::new();
    let mut i = 0;
    while i < events {
        let batch = 1 + (seed as usize + i * 7) % 3;
        let list = (i..i + batch).map(|n| (anna(), question(n))).collect();
        match log.append_all(list) {
            Ok(receipts) => done.extend(receipts.into_iter().map(|r| r.event_id)),
            Err(_) => break,
        }
        if i % 11 == 3 && log.checkpoint().is_err() {
            break;
        }
        i += batch;
    }
    done
}

fn ids(log: &mut Log) -> Vec<String> {
    let filter = ListFilter { kinds: vec!["question".into()], ..Default::default() };
    log.list(&filter)
        .unwrap()
        .into_iter()
        .map(|e| {
            assert!(matches!(e.content, super::super::Content::Clear(_)), "unreadable: {e:?}");
            e.envelope.event_id
        })
        .collect()
}

/// True if every acknowledged event is in the log, in order.
fn holds(found: &[String], acknowledged: &[String]) -> bool {
    let mut rest = found.iter();
    acknowledged.iter().all(|id| rest.any(|f| f == id))
}

/// Events in the log at the start of most tests.
const BASE: usize = 60;

/// A log that already has `base` events and a checkpoint. Made once for each `base`; every start is a copy.
fn start_with(base: usize) -> Machine {
    static MADE: Mutex<BTreeMap<usize, Machine>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    let first = made.entry(base).or_insert_with(|| {
        let machine = Machine::new();
        let mut log = machine.open().unwrap();
        log.append_all((0..base).map(|n| (anna(), question(1000 + n))).collect()).unwrap();
        log.checkpoint().unwrap();
        machine
    });
    Machine { clock: Arc::new(AtomicI64::new(1000)), ..first.restarted() }
}

fn start() -> Machine {
    start_with(BASE)
}

/// A thousand cuts, together with the next test: at every step of eight ways to write 40 events.
#[test]
fn power_cut_at_every_step_of_appends_and_checkpoints() {
    let cuts: u64 = (1..=8).map(|seed| power_cuts(10, 40, seed)).sum();
    assert!(cuts >= 900, "{cuts}");
}

/// The same where a bundle becomes full and its files take the place of the tail.
#[test]
fn power_cut_at_every_step_around_the_end_of_a_bundle() {
    let cuts: u64 = (1..=3).map(|seed| power_cuts(245, 12, seed)).sum();
    assert!(cuts >= 100, "{cuts}");
}

/// Cuts the power at every step of the work. Returns how many there were.
fn power_cuts(base: usize, events: usize, seed: u64) -> u64 {
    for step in 1.. {
        let machine = start_with(base);
        machine.power.cut_at(step, step * 31 + seed);
        let acknowledged = match machine.open() {
            Ok(mut log) => work(&mut log, events, seed),
            Err(_) => Vec::new(),
        };
        if !machine.power.is_off() {
            return step - 1;
        }
        let after = machine.restarted();
        let mut log = after.open().unwrap_or_else(|e| panic!("step {step}: {e}"));
        let found = ids(&mut log);
        assert!(holds(&found, &acknowledged), "step {step}: {} of {}", found.len(), acknowledged.len());
        log.append(&anna(), question(9999)).unwrap();
        log.checkpoint().unwrap();
        let result = log.verify().unwrap();
        assert!(result.ok, "step {step}: {:?}", result.problems);
    }
    0
}

#[test]
fn power_cut_at_every_step_of_a_new_log() {
    for step in 1..=40 {
        let machine = Machine::new();
        machine.power.cut_at(step, step);
        let acknowledged = machine.open().map(|mut log| work(&mut log, 12, 2)).unwrap_or_default();
        let after = machine.restarted();
        let mut log = after.open().unwrap_or_else(|e| panic!("step {step}: {e}"));
        assert!(holds(&ids(&mut log), &acknowledged), "step {step}");
        log.append(&anna(), question(1)).unwrap();
        let result = log.verify().unwrap();
        assert!(result.ok, "step {step}: {:?}", result.problems);
    }
}

#[test]
fn a_failed_write_closes_the_log_until_it_is_opened_again() {
    for step in 1..=120 {
        let machine = start();
        let mut log = machine.open().unwrap();
        machine.power.fail_at(machine.power.steps() + step, step);
        let acknowledged = work(&mut log, 60, 3);
        let Some(failure) = log.failure().cloned() else { continue };
        let refused = log.append(&anna(), question(5000));
        assert!(matches!(refused, Err(LogError::Poisoned { .. })), "step {step}");
        assert!(log.checkpoint().is_err());
        let refused = log.failure().map(|f| f.refused).unwrap();
        assert!(refused > failure.refused);
        let prior = log.failure().cloned();
        drop(log);
        let mut log = machine.open_after(prior).unwrap_or_else(|e| panic!("step {step}: {e}"));
        assert!(holds(&ids(&mut log), &acknowledged), "step {step}");
        let gaps = log.list(&ListFilter { kinds: vec!["gap".into()], ..Default::default() }).unwrap();
        let super::super::Content::Clear(payload) = &gaps[0].content else { panic!() };
        assert_eq!(payload["event"]["refused"], refused);
        log.append(&anna(), question(1)).unwrap();
        let result = log.verify().unwrap();
        assert!(result.ok, "step {step}: {:?}", result.problems);
        assert_eq!(result.gaps.len(), 1);
    }
}

/// The event whose write failed may be in the log all the same; opening shows one or the other, never half.
#[test]
fn failed_but_written() {
    let mut both = [false, false];
    for seed in 0..8 {
        let machine = start();
        let mut log = machine.open().unwrap();
        // Payload append, payload sync, tail append, tail sync: the fourth step fails.
        log.append(&anna(), question(0)).unwrap();
        machine.power.fail_at(machine.power.steps() + 4, seed);
        assert!(log.append(&anna(), question(1)).is_err());
        let prior = log.failure().cloned();
        let mut log = machine.restarted().open_after(prior).unwrap();
        let found = ids(&mut log).len();
        assert!(found == BASE + 1 || found == BASE + 2, "{found}");
        both[found - BASE - 1] = true;
        assert!(log.verify().unwrap().ok);
    }
    assert_eq!(both, [true, true], "both outcomes must have been tried");
}
