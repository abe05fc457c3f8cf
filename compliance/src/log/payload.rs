//! Payloads: encrypted, each with a key of its own, in files beside the tree.
//!
//! One file per 256 events, one line per event: a short checksum, a space, and JSON. XChaCha20-Poly1305
//! encrypts the payload under a random data key; the data key is encrypted under the wrapping key of the
//! person and month. The envelope commits to the ciphertext, never to the text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};

use super::error::LogError;
use super::hash::{Hash, sha256};
use super::keys::{Key, random};

/// Longest payload in bytes before encryption.
pub(crate) const MAX_PAYLOAD: usize = 4 << 20;

/// A payload as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sealed {
    /// Ciphertext with its tag, base64.
    ct: String,
    /// Identifier of the wrapping key.
    pub(crate) kek: String,
    /// Nonce of the ciphertext, base64 of 24 bytes.
    nonce: String,
    /// The event's position in the log.
    pub(crate) seq: u64,
    /// Nonce (24 bytes) and encrypted data key (32 + 16 bytes), base64; empty once the key was destroyed.
    pub(crate) wrap: String,
}

/// Encrypts `text`; `event_id` binds the ciphertext to its event.
pub(crate) fn seal(
    text: &[u8],
    seq: u64,
    event_id: &str,
    kek_id: &str,
    kek: &Key,
) -> Result<(Sealed, Hash), LogError> {
    if text.len() > MAX_PAYLOAD {
        return Err(LogError::TooLarge { what: "payload", size: text.len(), limit: MAX_PAYLOAD });
    }
    let (dek, nonce, wrap_nonce): (Key, [u8; 24], [u8; 24]) = (random()?, random()?, random()?);
    let ct = encrypt(&dek, &nonce, text, event_id)?;
    let mut wrap = wrap_nonce.to_vec();
    wrap.extend(encrypt(kek, &wrap_nonce, &dek, event_id)?);
    let commit = commitment(&nonce, &ct);
    let sealed = Sealed {
        ct: STANDARD.encode(ct),
        kek: kek_id.into(),
        nonce: STANDARD.encode(nonce),
        seq,
        wrap: STANDARD.encode(wrap),
    };
    Ok((sealed, commit))
}

impl Sealed {
    /// SHA-256 over nonce ‖ ciphertext; `None` if the line does not decode.
    pub(crate) fn commitment(&self) -> Option<Hash> {
        Some(commitment(&STANDARD.decode(&self.nonce).ok()?, &STANDARD.decode(&self.ct).ok()?))
    }

    /// Decrypts the payload; `None` if the key does not open it.
    pub(crate) fn open(&self, event_id: &str, kek: &Key) -> Option<Vec<u8>> {
        let wrap = STANDARD.decode(&self.wrap).ok()?;
        let (wrap_nonce, wrapped) = wrap.split_at_checked(24)?;
        let dek: Key = decrypt(kek, wrap_nonce, wrapped, event_id)?.try_into().ok()?;
        decrypt(&dek, &STANDARD.decode(&self.nonce).ok()?, &STANDARD.decode(&self.ct).ok()?, event_id)
    }

    /// The line in the payload file, with its newline.
    pub(crate) fn to_line(&self) -> Result<Vec<u8>, LogError> {
        let json = serde_json::to_string(self).map_err(|e| LogError::Prepare(e.to_string()))?;
        Ok(format!("{} {json}\n", checksum(json.as_bytes())).into_bytes())
    }

    fn from_line(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (sum, json) = line.split_once(' ')?;
        if sum != checksum(json.as_bytes()) {
            return None;
        }
        serde_json::from_str(json).ok()
    }
}

/// The readable lines at the start of a payload file, and how many bytes they take. A shorter length than the
/// file's means an unfinished or altered line.
pub(crate) fn parse(bytes: &[u8]) -> (Vec<Sealed>, usize) {
    let (mut out, mut good) = (Vec::new(), 0);
    while let Some(rest) = bytes.get(good..)
        && let Some(end) = rest.iter().position(|&b| b == b'\n')
        && let Some(line) = rest.get(..end)
        && let Some(sealed) = Sealed::from_line(line)
    {
        out.push(sealed);
        good += end + 1;
    }
    (out, good)
}

/// First eight bytes of SHA-256: tells an accident in the fields that the envelope does not commit to.
fn checksum(json: &[u8]) -> String {
    let mut sum = hex::encode(sha256(json));
    sum.truncate(16);
    sum
}

fn commitment(nonce: &[u8], ct: &[u8]) -> Hash {
    sha256(&[nonce, ct].concat())
}

fn encrypt(key: &Key, nonce: &[u8; 24], text: &[u8], event_id: &str) -> Result<Vec<u8>, LogError> {
    let payload = Payload { msg: text, aad: event_id.as_bytes() };
    XChaCha20Poly1305::new(&(*key).into())
        .encrypt(&XNonce::from(*nonce), payload)
        .map_err(|_| LogError::Prepare("encryption failed".into()))
}

fn decrypt(key: &Key, nonce: &[u8], ct: &[u8], event_id: &str) -> Option<Vec<u8>> {
    let nonce: [u8; 24] = nonce.try_into().ok()?;
    let payload = Payload { msg: ct, aad: event_id.as_bytes() };
    XChaCha20Poly1305::new(&(*key).into()).decrypt(&XNonce::from(nonce), payload).ok()
}
