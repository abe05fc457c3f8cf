//! Making payloads unreadable for good.

use super::append::payload_path;
use super::tiles::WIDTH;
use super::{Log, LogError, payload};
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
        let path = payload_path(seq / WIDTH as u64);
        let bytes = self.storage.read(&path)?.unwrap_or_default();
        let (mut lines, readable) = payload::parse(&bytes);
        if readable < bytes.len() {
            return Err(LogError::damaged(path, "a line cannot be read"));
        }
        let mut out = Vec::with_capacity(bytes.len());
        for line in &mut lines {
            if line.seq == seq {
                line.wrap.clear();
            }
            out.extend(line.to_line()?);
        }
        Ok(self.storage.replace(&path, &out)?)
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
