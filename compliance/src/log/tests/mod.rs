mod attacks;
mod basics;
mod crash;
mod kill;
mod merkle;
mod pruning;
mod rotation;
mod tamper;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};

use super::{Log, LogError, PriorFailure, Provenance};
use crate::event::{Actor, Event, Role};
use crate::storage::{MemoryStorage, PowerSwitch};

/// A text that must never be found in a file.
pub(crate) const CANARY: &str = "Aussenwand-Kanarienvogel";

/// A machine with two storages on one power switch, and a clock that a test can set.
pub(crate) struct Machine {
    pub(crate) storage: Arc<MemoryStorage>,
    pub(crate) keys: Arc<MemoryStorage>,
    pub(crate) power: PowerSwitch,
    pub(crate) clock: Arc<AtomicI64>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let power = PowerSwitch::default();
        Self {
            storage: Arc::new(MemoryStorage::new(power.clone())),
            keys: Arc::new(MemoryStorage::new(power.clone())),
            power,
            clock: Arc::new(AtomicI64::new(0)),
        }
    }

    /// What is there after the power came back.
    pub(crate) fn restarted(&self) -> Self {
        let power = PowerSwitch::default();
        Self {
            storage: Arc::new(self.storage.after_restart(power.clone())),
            keys: Arc::new(self.keys.after_restart(power.clone())),
            power,
            clock: self.clock.clone(),
        }
    }

    pub(crate) fn open(&self) -> Result<Log, LogError> {
        self.open_after(None)
    }

    pub(crate) fn open_after(&self, prior: Option<PriorFailure>) -> Result<Log, LogError> {
        let start: Timestamp = "2026-11-30T08:00:00Z".parse().unwrap();
        let seconds = self.clock.clone();
        let last = Arc::new(Mutex::new(0));
        let clock = Arc::new(move || {
            // One second per event unless the test set the clock.
            let now = seconds.fetch_add(1, Ordering::SeqCst);
            *last.lock().unwrap() = now;
            start + SignedDuration::from_secs(now)
        });
        let provenance =
            Provenance { build_sha256: "b0".repeat(32), config_sha256: None, boot_id: "boot".into() };
        Log::open(self.storage.clone(), self.keys.clone(), clock, provenance, prior)
    }
}

pub(crate) fn anna() -> Actor {
    Actor::user("anna.beispiel", Role::Reader, Some("session-secret".into()))
}

pub(crate) fn question(n: usize) -> Event {
    Event::Question {
        id: format!("q{n}"),
        text: format!("{CANARY} {n}?"),
        language: "de".into(),
        project: Some("Schulhaus Kanarienmatt".into()),
        filter: None,
    }
}

/// A log with `n` questions on a fresh machine.
pub(crate) fn filled(n: usize) -> (Machine, Log) {
    let machine = Machine::new();
    let mut log = machine.open().unwrap();
    for i in 0..n {
        log.append(&anna(), question(i)).unwrap();
    }
    (machine, log)
}
