//! Signatures of witnesses under checkpoints (C2SP `tlog-cosignature`, Ed25519).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};

use crate::merkle::digest;

pub(crate) struct WitnessKey {
    name: String,
    id: Vec<u8>,
    key: VerifyingKey,
}

impl WitnessKey {
    /// A line of the list of witnesses, with its newline.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let line = line.strip_suffix('\n')?;
        let [name, id, key] = line.splitn(3, '+').collect::<Vec<_>>().try_into().ok()?;
        let bytes = STANDARD.decode(key).ok()?;
        let expected = hex::encode(digest(&[name.as_bytes(), b"\n", &bytes]).get(..4)?);
        if bytes.first() != Some(&4) || id != expected || name.is_empty() {
            return None;
        }
        let key = VerifyingKey::try_from(bytes.get(1..)?).ok()?;
        Some(Self { name: name.to_owned(), id: hex::decode(id).ok()?, key })
    }

    /// True if `line` is this witness's signature under the checkpoint that begins with `body`.
    pub(crate) fn signed(&self, body: &str, line: &str) -> bool {
        let prefix = format!("\u{2014} {} ", self.name);
        let Some(bytes) = line.strip_prefix(&prefix).and_then(|b| STANDARD.decode(b).ok()) else {
            return false;
        };
        let (Some(id), Some(time), Some(signature)) = (bytes.get(..4), bytes.get(4..12), bytes.get(12..))
        else {
            return false;
        };
        let seconds = time.iter().fold(0_u64, |n, b| n << 8 | u64::from(*b));
        let text = format!("cosignature/v1\ntime {seconds}\n{body}\n");
        let signature = Signature::from_slice(signature);
        id == self.id && signature.is_ok_and(|s| self.key.verify_strict(text.as_bytes(), &s).is_ok())
    }
}

/// The checkpoint as the log signed it, and the one line that follows.
pub(crate) fn split_countersignature(note: &str) -> Option<(&str, &str)> {
    let rest = note.strip_suffix('\n')?;
    let at = rest.rfind('\n')? + 1;
    Some((rest.get(..at)?, rest.get(at..)?))
}
