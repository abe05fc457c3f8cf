//! Making payloads unreadable for good.

use std::collections::HashSet;

use jiff::Timestamp;

use super::append::{format_time, payload_path};
use super::payload::{self, Sealed};
use super::tiles::WIDTH;
use super::{Envelope, Log, LogError};
use crate::event::{Actor, Event};

impl Log {
    /// Destroys the data key of event `seq`. The `key_shred` event is recorded first; the ciphertext stays,
    /// so that the log can still be verified.
    ///
    /// # Errors
    /// When the event cannot be recorded (nothing was destroyed), or the payload file cannot be rewritten
    /// (call again).
    pub fn shred_event(&mut self, actor: &Actor, seq: u64, basis: &str) -> Result<(), LogError> {
        if seq >= self.size() {
            return Err(LogError::NoProof(format!("there is no event {seq}")));
        }
        let event = Event::KeyShred { keys: vec![format!("seq:{seq}")], basis: basis.into() };
        self.append(actor, event)?;
        self.forget_keys(seq / WIDTH as u64, |line| line.seq == seq)
    }

    /// Destroys the data keys of all events of the class `content` before `before`, from position `from` on,
    /// except those that `held` keeps: what persons wrote cannot be read any more, who did what and when still
    /// can. One `key_shred` event for all is recorded first. Returns how many there were, and the position
    /// from which a later call has to look.
    ///
    /// # Errors
    /// As for [`shred_event`](Self::shred_event).
    pub fn shred_content(
        &mut self,
        actor: &Actor,
        from: u64,
        before: Timestamp,
        held: &dyn Fn(&Envelope) -> bool,
        basis: &str,
    ) -> Result<(u64, u64), LogError> {
        let (before, mut due, mut next) = (format_time(before), Vec::new(), from);
        self.envelopes(from, |envelope| {
            if envelope.ts_utc >= before {
                return Ok(false);
            }
            next = envelope.seq + 1;
            if envelope.retention_class == "content" && !held(&envelope) {
                due.push(envelope.seq);
            }
            Ok(true)
        })?;
        let (Some(first), Some(last)) = (due.first(), due.last()) else { return Ok((0, next)) };
        let keys = vec![format!("content:{first}-{last}")];
        self.append(actor, Event::KeyShred { keys, basis: basis.into() })?;
        for bundle in due.chunk_by(|a, b| a / WIDTH as u64 == b / WIDTH as u64) {
            let Some(n) = bundle.first().map(|seq| seq / WIDTH as u64) else { continue };
            self.forget_keys(n, |line| bundle.binary_search(&line.seq).is_ok())?;
        }
        Ok((due.len() as u64, next))
    }

    /// Empties the wrapped data keys of the payloads of bundle `n` that `which` picks.
    fn forget_keys(&self, n: u64, which: impl Fn(&Sealed) -> bool) -> Result<(), LogError> {
        let path = payload_path(n);
        let bytes = self.storage.read(&path)?.unwrap_or_default();
        let (mut lines, readable) = payload::parse(&bytes);
        if readable < bytes.len() {
            return Err(LogError::damaged(path, "a line cannot be read"));
        }
        let mut out = Vec::with_capacity(bytes.len());
        for line in &mut lines {
            if which(line) {
                line.wrap.clear();
            }
            out.extend(line.to_line()?);
        }
        if out != bytes {
            self.storage.replace(&path, &out)?;
        }
        Ok(())
    }

    /// Months (`YYYY-MM`) for which the person with that pseudonym has a wrapping key.
    ///
    /// # Errors
    /// When the key folder cannot be read.
    pub fn months_of(&self, pid: &str) -> Result<Vec<String>, LogError> {
        self.keys.months_of(pid)
    }

    /// Destroys the wrapping key of the person with that pseudonym for a month (`YYYY-MM`), and with it every
    /// payload of theirs from that month. The `key_shred` event is recorded first.
    ///
    /// # Errors
    /// As for [`shred_event`](Self::shred_event).
    pub fn shred_month(
        &mut self,
        actor: &Actor,
        pid: &str,
        month: &str,
        basis: &str,
    ) -> Result<(), LogError> {
        let plain = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !plain(pid) || !plain(month) {
            return Err(LogError::Prepare("not a pseudonym and a month".into()));
        }
        let id = format!("{pid}/{month}");
        self.append(actor, Event::KeyShred { keys: vec![format!("kek:{id}")], basis: basis.into() })?;
        self.keys.destroy(&id)
    }
}

/// What `key_shred` events name.
#[derive(Debug, Default)]
pub(super) struct Shredded {
    single: HashSet<String>,
    /// First and last position of ranges of which the texts of persons were made unreadable.
    content: Vec<(u64, u64)>,
}

impl Shredded {
    pub(super) fn read(log: &Log) -> Result<Self, LogError> {
        let mut out = Self::default();
        log.envelopes(0, |envelope| {
            if envelope.kind == "key_shred" {
                envelope.target_ids.into_iter().for_each(|target| out.add(target));
            }
            Ok(true)
        })?;
        Ok(out)
    }

    fn add(&mut self, target: String) {
        let ends = target.strip_prefix("content:").and_then(|range| range.split_once('-'));
        match ends.map(|(a, b)| (a.parse(), b.parse())) {
            Some((Ok(a), Ok(b))) => self.content.push((a, b)),
            _ => drop(self.single.insert(target)),
        }
    }

    /// True if the payload of `envelope`, wrapped with `kek`, was made unreadable on purpose.
    pub(super) fn has(&self, envelope: &Envelope, kek: &str) -> bool {
        let seq = envelope.seq;
        self.single.contains(&format!("seq:{seq}"))
            || self.single.contains(&format!("kek:{kek}"))
            || (envelope.retention_class == "content"
                && self.content.iter().any(|(a, b)| (*a..=*b).contains(&seq)))
    }
}
