//! Marks of answers that leave as files.

pub use compliance::marking::{AnswerFile, Finding, Format, Origin, Source};

use compliance::log::{Log, LogError, Verifier};

use super::{Audit, AuditError};

impl Audit {
    /// Writes an answer as a file with its signed mark.
    ///
    /// # Errors
    /// When the file cannot be made, or the log has to be opened again and cannot.
    pub fn answer_file(&self, answer: &AnswerFile, format: Format) -> Result<Vec<u8>, AuditError> {
        self.queue.with(|log| Ok(compliance::marking::file(log, answer, format)?))
    }

    /// What a file says of its origin, by all keys that the log has signed with.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn detect(&self, bytes: &[u8]) -> Result<Finding, AuditError> {
        let keys = self.queue.with(|log| Ok(keys(log)?))?;
        Ok(compliance::marking::detect(bytes, &keys))
    }
}

/// The first key and those that it leads to.
fn keys(log: &Log) -> Result<Vec<Verifier>, LogError> {
    let mut keys = vec![log.first_verifier().clone(), log.verifier().clone()];
    log.envelopes(0, |envelope| {
        if envelope.kind == "key_rotation" {
            let named = envelope.target_ids.iter().filter_map(|target| target.strip_prefix("vkey:"));
            keys.extend(named.filter_map(Verifier::from_vkey));
        }
        Ok(true)
    })?;
    Ok(keys)
}

/// What a file says of its origin, by one public key (`name+id+key`); none where that is no key.
pub fn detect_with(bytes: &[u8], vkey: &str) -> Option<Finding> {
    Some(compliance::marking::detect(bytes, &[Verifier::from_vkey(vkey.trim())?]))
}
