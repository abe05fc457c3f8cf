//! Writing events.
//!
//! Order of a write, and what a crash after each step leaves: the wrapping key (an unused key), the payload
//! line, flushed (a payload without an event: cut off at the next opening), the tail line, flushed (the event
//! is in the log). Then the caller is told. When a tail has 256 events its tiles are written, then the
//! bundle, then the tail is removed; each step can be done again from the one before.

use jiff::Timestamp;

use super::entry::Receipt;
use super::envelope::Envelope;
use super::hash::{Frontier, leaf_hash};
use super::open::PriorFailure;
use super::tail::tail_path;
use super::tiles::{WIDTH, bundle_path, encode_bundle, index_path};
use super::{Log, LogError, keys, payload, tail};
use crate::event::{Actor, Event};

/// Path of the payloads of bundle `n`.
pub(crate) fn payload_path(n: u64) -> String {
    format!("payload/{}", index_path(n))
}

/// Time as it stands in envelopes.
pub(crate) fn format_time(t: Timestamp) -> String {
    format!("{t:.6}")
}

/// Lines ready to be written, and the tree after them.
#[derive(Default)]
struct Batch {
    payloads: Vec<u8>,
    lines: Vec<u8>,
    leaves: Vec<Vec<u8>>,
    frontier: Frontier,
    receipts: Vec<Receipt>,
}

impl Log {
    /// Appends one event. See [`append_all`](Self::append_all).
    ///
    /// # Errors
    /// As there.
    pub fn append(&mut self, actor: &Actor, event: Event) -> Result<Receipt, LogError> {
        let mut receipts = self.append_all(vec![(actor.clone(), event)])?;
        receipts.pop().ok_or_else(|| LogError::Prepare("no event".into()))
    }

    /// Appends events in order with one flush per file, and returns when all are durable.
    ///
    /// Each event is atomic, the batch is not: after a crash a beginning of it may be in the log.
    ///
    /// # Errors
    /// [`LogError::TooLarge`] and [`LogError::Prepare`] when an event cannot be taken; nothing of the batch
    /// was written. Any other error means that it is unknown whether the events are in the log; it refuses
    /// everything until it is opened again, and records a `gap` then.
    pub fn append_all(&mut self, events: Vec<(Actor, Event)>) -> Result<Vec<Receipt>, LogError> {
        if let Some(p) = &mut self.poison {
            p.refused += events.len() as u64;
            return Err(LogError::Poisoned { reason: p.reason.clone() });
        }
        let count = events.len();
        let done = self.write_all(events);
        if let Err(e) = &done
            && !matches!(e, LogError::TooLarge { .. } | LogError::Prepare(_))
        {
            self.poison = Some(PriorFailure { reason: e.to_string(), refused: count as u64 });
        }
        done
    }

    fn write_all(&mut self, events: Vec<(Actor, Event)>) -> Result<Vec<Receipt>, LogError> {
        let now = (self.clock)();
        let jump = self.last.filter(|last| now < *last).map(|last| {
            let event = Event::ClockJump { before: format_time(last), now: format_time(now) };
            (Actor::system(), event)
        });
        let skip = usize::from(jump.is_some());
        let all: Vec<(Actor, Event)> = jump.into_iter().chain(events).collect();
        // Refuse an event that is too large before anything of the batch is written.
        for (actor, event) in &all {
            check_size(actor, event)?;
        }
        let mut receipts = Vec::with_capacity(all.len());
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let room = WIDTH - self.tail.len();
            let (now_fit, later) = rest.split_at(room.min(rest.len()));
            let batch = self.prepare(now_fit, now)?;
            receipts.extend(self.write(batch, now)?);
            rest = later;
            if let Some(p) = self.poison.as_ref().filter(|_| !rest.is_empty()) {
                return Err(LogError::Poisoned { reason: p.reason.clone() });
            }
        }
        Ok(receipts.split_off(skip))
    }

    /// Builds the lines of events that fit into the present bundle.
    fn prepare(&mut self, events: &[(Actor, Event)], now: Timestamp) -> Result<Batch, LogError> {
        let mut batch = Batch { frontier: self.frontier.clone(), ..Batch::default() };
        for (actor, event) in events {
            let seq = batch.frontier.size();
            let mut envelope = self.envelope(actor, event, seq, now)?;
            let kek_id = format!("{}/{}", envelope.actor_pid, now.strftime("%Y-%m"));
            let kek = self.keys.wrapping_or_new(&kek_id)?;
            let text = self.payload_text(actor, event)?;
            let (sealed, commit) = payload::seal(&text, seq, &envelope.event_id, &kek_id, &kek)?;
            envelope.payload_commit = hex::encode(commit);
            let leaf = envelope.to_leaf()?;
            let hash = leaf_hash(&leaf);
            batch.frontier.push(hash);
            let signature = self.keys.signer.sign(batch.frontier.size(), &batch.frontier.root());
            batch.payloads.extend(sealed.to_line()?);
            batch.lines.extend(tail::to_line(&leaf, &signature));
            batch.leaves.push(leaf);
            batch.receipts.push(Receipt { seq, event_id: envelope.event_id, leaf: hash });
        }
        Ok(batch)
    }

    fn envelope(&self, actor: &Actor, event: &Event, seq: u64, now: Timestamp) -> Result<Envelope, LogError> {
        Ok(Envelope {
            actor_pid: self.keys.pseudonym("actor", &actor.name),
            boot_id: self.provenance.boot_id.clone(),
            clock_src: "system".into(),
            config_sha256: self.provenance.config_sha256.clone(),
            event_id: hex::encode(keys::random::<16>()?),
            kind: event.kind().into(),
            nonce: hex::encode(keys::random::<16>()?),
            outcome: event.outcome(),
            payload_commit: String::new(),
            project_id: event.project().map(|p| self.keys.pseudonym("project", p)),
            purpose: event.purpose().into(),
            retention_class: event.retention_class().into(),
            role: actor.role.code().into(),
            seq,
            session_id: actor.session.as_ref().map(|s| self.keys.pseudonym("session", s)),
            sw_build_sha256: self.provenance.build_sha256.clone(),
            target_ids: event.targets(),
            ts_utc: format_time(now),
            v: 1,
        })
    }

    /// The payload before encryption. The name typed at a failed sign-in may be a password and is replaced
    /// by its keyed hash; session identifiers likewise, since they open sessions.
    fn payload_text(&self, actor: &Actor, event: &Event) -> Result<Vec<u8>, LogError> {
        let masked = match event {
            Event::LoginFailed { attempted, reason, ip } => Event::LoginFailed {
                attempted: self.keys.pseudonym("attempted", attempted),
                reason: reason.clone(),
                ip: *ip,
            },
            other => other.clone(),
        };
        payload_json(&actor.name, &masked)
    }

    fn write(&mut self, batch: Batch, now: Timestamp) -> Result<Vec<Receipt>, LogError> {
        let n = self.bundles();
        let (payloads, tail) = (payload_path(n), tail_path(n));
        self.storage.append(&payloads, &batch.payloads)?;
        self.storage.sync(&payloads)?;
        self.storage.append(&tail, &batch.lines)?;
        self.storage.sync(&tail)?;
        self.frontier = batch.frontier;
        for receipt in &batch.receipts {
            self.edge.push(receipt.leaf);
        }
        self.tail.extend(batch.leaves);
        self.last = Some(now);
        if self.tail.len() == WIDTH
            && let Err(e) = self.close_bundle(n)
        {
            // The events are durable in the tail, so they count; the next ones do not.
            self.poison = Some(PriorFailure { reason: e.to_string(), refused: 0 });
        }
        Ok(batch.receipts)
    }

    /// Turns the full tail `n` into tiles and a bundle.
    pub(super) fn close_bundle(&mut self, n: u64) -> Result<(), LogError> {
        let mut edge = self.edge.clone();
        for (path, bytes) in edge.close(n) {
            self.storage.replace(&path, &bytes)?;
        }
        let bundle = encode_bundle(self.tail.iter().map(Vec::as_slice));
        self.storage.replace(&bundle_path(n, WIDTH), &bundle)?;
        self.storage.remove(&tail_path(n))?;
        self.edge = edge;
        self.tail.clear();
        Ok(())
    }
}

fn payload_json(actor: &str, event: &Event) -> Result<Vec<u8>, LogError> {
    #[derive(serde::Serialize)]
    struct Text<'a> {
        actor: &'a str,
        event: &'a Event,
    }
    serde_json::to_vec(&Text { actor, event }).map_err(|e| LogError::Prepare(e.to_string()))
}

fn check_size(actor: &Actor, event: &Event) -> Result<(), LogError> {
    let size = payload_json(&actor.name, event)?.len();
    if size > payload::MAX_PAYLOAD {
        return Err(LogError::TooLarge { what: "payload", size, limit: payload::MAX_PAYLOAD });
    }
    // The other fields of an envelope take well under 2 KiB.
    let targets = serde_json::to_vec(&event.targets()).map_err(|e| LogError::Prepare(e.to_string()))?;
    let size = 2048 + targets.len();
    if size > super::envelope::MAX_LEAF {
        return Err(LogError::TooLarge { what: "envelope", size, limit: super::envelope::MAX_LEAF });
    }
    Ok(())
}
