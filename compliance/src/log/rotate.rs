//! Changing the key that signs.
//!
//! Order, and what a crash after each step leaves: the next key is stored beside the present one (thrown away
//! at the next opening), the event is appended (opening goes on from here), the present key signs a checkpoint
//! of exactly that tree, the list of keys is written, the next key takes the present one's place.

use super::chain::{ROTATIONS, rotation};
use super::{Log, LogError, Verifier};
use crate::event::{Actor, Event};

impl Log {
    /// Signs with a new key from now on and destroys the present one. Returns the new public key, to be handed
    /// to whoever checks the log; with the first key alone it can be checked too.
    ///
    /// # Errors
    /// When a file cannot be written, or the log has refused events since an earlier failure. The log then
    /// refuses events until it is opened again, which finishes the change or leaves the present key in place.
    pub fn rotate_key(&mut self, actor: &Actor, reason: &str) -> Result<Verifier, LogError> {
        if let Some(p) = &self.poison {
            return Err(LogError::Poisoned { reason: p.reason.clone() });
        }
        let next = self.keys.make_next()?;
        let event = Event::KeyRotation {
            previous_vkey: self.verifier().to_vkey(),
            next_vkey: next.to_vkey(),
            checkpoint: self.checkpoint,
            reason: reason.to_owned(),
        };
        self.append(actor, event)?;
        let done = self.finish_rotation(&next);
        self.poisoning(done)?;
        Ok(next)
    }

    /// The steps after the event.
    fn finish_rotation(&mut self, next: &Verifier) -> Result<(), LogError> {
        if self.verifier() != next {
            self.write_checkpoint()?;
            self.checkpoint = Some(self.size());
        }
        self.chain.push(self.size() + 1, next.clone());
        self.storage.replace(ROTATIONS, &self.chain.to_file())?;
        self.keys.adopt_next()
    }

    /// At opening: finishes a change whose event is in the log, or throws the unused key away.
    pub(super) fn resume_rotation(&mut self) -> Result<(), LogError> {
        let Some(next) = self.keys.next()? else { return Ok(()) };
        let last = self.last_envelope()?;
        let named = last.as_ref().and_then(rotation).flatten();
        if named.as_ref() == Some(&next) && self.verifier() != &next {
            return self.finish_rotation(&next);
        }
        self.keys.drop_next()
    }
}
