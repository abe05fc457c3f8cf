//! One writer at a time; threads that wait meanwhile have their events written together.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use compliance::event::{Actor, Event};
use compliance::log::{Log, LogError, Provenance, Receipt, Verification, sha256};
use compliance::storage::{FileStorage, Storage as _};
use jiff::Timestamp;

use super::AuditError;

/// After a failure the log is opened again at most this often.
const RETRY: Duration = Duration::from_secs(2);

/// File in the data folder: how far the log was found whole. Who edits it makes `doctor` look at too little;
/// `audit verify` never trusts it.
const CHECKED: &str = "audit.checked.json";

/// An event that waits to be written, and where its result goes.
type Waiting = (Actor, Event, Sender<Result<Receipt, AuditError>>);

/// The log and the events that wait for it.
pub(super) struct Queue {
    data: PathBuf,
    waiting: Mutex<Vec<Waiting>>,
    writer: Mutex<Writer>,
    /// Held while the list of cases is changed.
    cases: Mutex<()>,
}

struct Writer {
    log: Log,
    provenance: Provenance,
    /// When opening again was last tried.
    retried: Option<Instant>,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("data", &self.data).finish_non_exhaustive()
    }
}

impl Queue {
    pub(super) fn open(data: &Path, build: &str) -> Result<Self, AuditError> {
        let provenance =
            Provenance { build_sha256: build_id(build), config_sha256: None, boot_id: boot_id() };
        let log = open_log(data, &provenance, None)?;
        Ok(Self {
            data: data.to_owned(),
            waiting: Mutex::default(),
            writer: Mutex::new(Writer { log, provenance, retried: None }),
            cases: Mutex::default(),
        })
    }

    /// Writes `event`, together with what other threads have queued by the time the log is free.
    pub(super) fn record(&self, actor: Actor, event: Event) -> Result<Receipt, AuditError> {
        self.record_all([(actor, event)])?.pop().ok_or(AuditError::WriterLost)
    }

    /// Writes events in their order, as [`Queue::record`] does one.
    pub(super) fn record_all(
        &self,
        events: impl IntoIterator<Item = (Actor, Event)>,
    ) -> Result<Vec<Receipt>, AuditError> {
        let (sender, receiver): (_, Receiver<Result<Receipt, AuditError>>) = channel();
        let mut waiting = lock(&self.waiting);
        let before = waiting.len();
        waiting.extend(events.into_iter().map(|(actor, event)| (actor, event, sender.clone())));
        let count = waiting.len() - before;
        drop((waiting, sender));
        let mut writer = lock(&self.writer);
        // Another thread may have written them while this one waited: then nothing of them waits any more.
        let batch = std::mem::take(&mut *lock(&self.waiting));
        if !batch.is_empty() {
            self.write(&mut writer, batch);
        }
        drop(writer);
        let receipts = receiver.iter().collect::<Result<Vec<_>, _>>()?;
        if receipts.len() == count { Ok(receipts) } else { Err(AuditError::WriterLost) }
    }

    fn write(&self, writer: &mut Writer, batch: Vec<Waiting>) {
        self.reopen_if_due(writer);
        let (events, senders): (Vec<_>, Vec<_>) = batch.into_iter().map(|(a, e, s)| ((a, e), s)).unzip();
        match writer.log.append_all(events.clone()) {
            Ok(receipts) => {
                note_config(writer, &events);
                for (sender, receipt) in senders.iter().zip(receipts) {
                    // The receiver waits in `record`; it cannot be gone.
                    let _ = sender.send(Ok(receipt));
                }
            }
            // One event that cannot be taken must not spoil the others: nothing was written, so go one by one.
            Err(LogError::TooLarge { .. } | LogError::Prepare(_)) => {
                for ((actor, event), sender) in events.into_iter().zip(&senders) {
                    let _ = sender.send(writer.log.append(&actor, event).map_err(AuditError::from));
                }
            }
            Err(e) => {
                let reason = e.to_string();
                tracing::error!(cause = %reason, refused = senders.len(), "audit log refuses events");
                for sender in &senders {
                    let _ = sender.send(Err(LogError::Poisoned { reason: reason.clone() }.into()));
                }
            }
        }
    }

    /// After a failed write: opens the log again, which repairs it and records the gap.
    fn reopen_if_due(&self, writer: &mut Writer) {
        let Some(failure) = writer.log.failure().cloned() else { return };
        if writer.retried.is_some_and(|at| at.elapsed() < RETRY) {
            return;
        }
        writer.retried = Some(Instant::now());
        match open_log(&self.data, &writer.provenance, Some(failure)) {
            Ok(log) => {
                tracing::warn!(size = log.size(), "audit log opened again after a failure");
                writer.log = log;
            }
            Err(e) => tracing::error!(cause = %e, "audit log cannot be opened again"),
        }
    }

    /// Runs `work` on the log.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Log) -> Result<T, AuditError>,
    ) -> Result<T, AuditError> {
        let mut writer = lock(&self.writer);
        self.reopen_if_due(&mut writer);
        work(&mut writer.log)
    }

    /// Checks the log without holding up the writer. Only if that finds something is it done again with the
    /// writer held, since the first pass may have seen a write half done.
    pub(super) fn verify(&self) -> Result<Verification, AuditError> {
        let (storage, verifier) = self.with(|log| Ok(log.files()))?;
        let found = match compliance::log::verify(&*storage, &verifier) {
            Ok(found) if found.ok => found,
            _ => self.with(|log| Ok(log.verify()?))?,
        };
        self.remember(&found)?;
        Ok(found)
    }

    /// Checks what came since the last check; all of it where that finds something.
    pub(super) fn verify_recent(&self) -> Result<Verification, AuditError> {
        let kept = self.folder()?.read(CHECKED).map_err(LogError::from)?.unwrap_or_default();
        let Ok(checked) = serde_json::from_slice(&kept) else { return self.verify() };
        let (storage, verifier) = self.with(|log| Ok(log.files()))?;
        match compliance::log::verify_since(&*storage, &verifier, Some(&checked)) {
            Ok(found) if found.ok => {
                self.remember(&found)?;
                Ok(found)
            }
            _ => self.verify(),
        }
    }

    /// Keeps how far the log was found whole.
    fn remember(&self, found: &Verification) -> Result<(), AuditError> {
        if !found.ok {
            return Ok(());
        }
        let bytes = serde_json::to_vec(&found.full).map_err(|e| LogError::Prepare(e.to_string()))?;
        Ok(self.folder()?.replace(CHECKED, &bytes).map_err(LogError::from)?)
    }

    fn folder(&self) -> Result<FileStorage, AuditError> {
        Ok(FileStorage::new(&self.data).map_err(LogError::from)?)
    }

    /// One at a time changes the list of cases.
    pub(super) fn case_lock(&self) -> MutexGuard<'_, ()> {
        lock(&self.cases)
    }

    /// The data folder.
    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    /// Sets the configuration hash of later envelopes, also after the log was opened again.
    pub(super) fn set_config(&self, sha256: &str) {
        let mut writer = lock(&self.writer);
        writer.provenance.config_sha256 = Some(sha256.to_owned());
        writer.log.set_config(Some(sha256.to_owned()));
    }
}

/// A change of configuration that was recorded is in force from then on.
fn note_config(writer: &mut Writer, events: &[(Actor, Event)]) {
    for (_, event) in events {
        if let Event::ConfigChange { after_sha256, .. } = event {
            writer.provenance.config_sha256 = Some(after_sha256.clone());
            writer.log.set_config(Some(after_sha256.clone()));
        }
    }
}

/// A thread that panicked while it held the lock has either written its events or left the log refusing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open_log(
    data: &Path,
    provenance: &Provenance,
    prior: Option<compliance::log::PriorFailure>,
) -> Result<Log, AuditError> {
    let storage = FileStorage::new(data.join("audit")).map_err(LogError::from)?;
    let keys = FileStorage::new(data.join("keys")).map_err(LogError::from)?;
    let clock = Arc::new(Timestamp::now);
    Ok(Log::open(Arc::new(storage), Arc::new(keys), clock, provenance.clone(), prior)?)
}

/// `build` itself if it is a SHA-256, else the SHA-256 of the text.
fn build_id(build: &str) -> String {
    let is_hash = build.len() == 64 && build.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if is_hash {
        build.to_owned()
    } else {
        sha256(build.as_bytes()).iter().map(|b| format!("{b:02x}")).collect()
    }
}

/// Identifier of the machine's start, which tells an orderly restart of the program from one of the machine.
fn boot_id() -> String {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    text.trim().chars().take(64).collect()
}
