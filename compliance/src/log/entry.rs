//! What callers get back.

use serde::Serialize;

use super::envelope::Envelope;
use super::hash::Hash;

/// Proof that an event was written; it is durable when this is returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// Position in the log, counted from 0.
    pub seq: u64,
    /// Identifier of the event.
    pub event_id: String,
    /// Hash of the leaf.
    #[serde(serialize_with = "as_hex")]
    pub leaf: Hash,
}

fn as_hex<S: serde::Serializer>(hash: &Hash, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&hex::encode(hash))
}

/// One event as read back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The envelope.
    pub envelope: Envelope,
    /// The payload, as far as it can be read.
    pub content: Content,
}

/// The payload of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", content = "payload", rename_all = "snake_case")]
pub enum Content {
    /// Decrypted: `actor`, `session` and the fields of the event.
    Clear(serde_json::Value),
    /// Not asked for.
    Sealed,
    /// Its key was destroyed on purpose; a `key_shred` event says why.
    Shredded,
    /// It cannot be read although nobody destroyed its key.
    Unreadable,
}
