//! The leaf of the tree: an envelope in canonical JSON.

use serde::{Deserialize, Serialize};

use super::error::LogError;

/// Longest leaf: entry bundles store lengths in 16 bits.
pub(crate) const MAX_LEAF: usize = u16::MAX as usize;

/// What is hashed into the tree for one event. No field holds text that a person wrote; persons, sessions and
/// projects appear as keyed hashes.
///
/// The fields stand in alphabetical order and there are no fractions, so that the JSON is canonical
/// (RFC 8785) as it comes out of the serializer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// Pseudonym of who acted: 32 hexadecimal digits.
    pub actor_pid: String,
    /// Identifier of the machine's start, or of this opening of the log.
    pub boot_id: String,
    /// Where the time comes from, such as `system`.
    pub clock_src: String,
    /// SHA-256 of the configuration in force.
    pub config_sha256: Option<String>,
    /// Random identifier of the event: 32 hexadecimal digits.
    pub event_id: String,
    /// Kind, see [`Event::kind`](crate::event::Event::kind).
    pub kind: String,
    /// Random, so that the leaf hash of a guessable envelope cannot be guessed.
    pub nonce: String,
    /// How it went, see [`Event::outcome`](crate::event::Event::outcome).
    pub outcome: String,
    /// SHA-256 over nonce ‖ ciphertext of the payload, hexadecimal.
    pub payload_commit: String,
    /// Pseudonym of the project.
    pub project_id: Option<String>,
    /// Why the data is processed, as a short code.
    pub purpose: String,
    /// Class that the retention rules name.
    pub retention_class: String,
    /// Role of who acted.
    pub role: String,
    /// Position in the log, counted from 0; equals the leaf's index.
    pub seq: u64,
    /// Pseudonym of the session.
    pub session_id: Option<String>,
    /// SHA-256 that identifies the program.
    pub sw_build_sha256: String,
    /// Identifiers of what the event is about.
    pub target_ids: Vec<String>,
    /// Time, RFC 3339 in UTC with microseconds.
    pub ts_utc: String,
    /// Version of this format: 1.
    pub v: u32,
}

impl Envelope {
    /// The bytes that go into the tree.
    pub(crate) fn to_leaf(&self) -> Result<Vec<u8>, LogError> {
        let leaf = serde_json::to_vec(self).map_err(|e| LogError::Prepare(e.to_string()))?;
        if leaf.len() > MAX_LEAF {
            return Err(LogError::TooLarge { what: "envelope", size: leaf.len(), limit: MAX_LEAF });
        }
        Ok(leaf)
    }

    /// Reads a leaf.
    pub(crate) fn read(leaf: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(leaf).map_err(|e| format!("not an envelope: {e}"))
    }

    /// Reads a leaf and insists on the canonical form.
    pub(crate) fn from_leaf(leaf: &[u8]) -> Result<Self, String> {
        let envelope = Self::read(leaf)?;
        match serde_json::to_vec(&envelope) {
            Ok(again) if again == leaf => Ok(envelope),
            _ => Err("the envelope is not in canonical form".into()),
        }
    }
}
