//! Checkpoints as signed notes (C2SP `signed-note` and `tlog-checkpoint`), with Ed25519.
//!
//! The crate `signed_note` does the same, but brings an older Ed25519 and random-number stack beside the one
//! used here; what is needed of the format is short.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use tlog_tiles::Checkpoint;

use super::hash::{Hash, sha256};

/// Algorithm byte of Ed25519 in verifier keys.
const ED25519: u8 = 1;

/// What stands before a signature of this key: the first four bytes of SHA-256(name ‖ 0x0A ‖ algorithm ‖ key).
pub(crate) fn key_id(algorithm: u8, name: &str, key: &VerifyingKey) -> [u8; 4] {
    let [a, b, c, d, ..] = sha256(&[name.as_bytes(), &[b'\n', algorithm], key.as_bytes()].concat());
    [a, b, c, d]
}

/// `name+id+key`.
pub(crate) fn write_vkey(algorithm: u8, name: &str, key: &VerifyingKey) -> String {
    let bytes = [&[algorithm][..], key.as_bytes()].concat();
    format!("{name}+{}+{}", hex::encode(key_id(algorithm, name, key)), STANDARD.encode(bytes))
}

/// Reads `name+id+key` of this algorithm, whose identifier fits the name and the key.
pub(crate) fn read_vkey(algorithm: u8, text: &str) -> Option<(&str, VerifyingKey)> {
    let (name, rest) = text.trim_end().split_once('+')?;
    let (id, key) = rest.split_once('+')?;
    let key = STANDARD.decode(key).ok()?;
    let (&found, key) = key.split_first()?;
    let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
    (found == algorithm && hex::encode(key_id(algorithm, name, &key)) == id).then_some((name, key))
}

/// A name and a public key: what an auditor needs to check signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verifier {
    name: String,
    key: VerifyingKey,
}

impl Verifier {
    /// The key's name, which is also the origin line of its checkpoints.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> [u8; 4] {
        key_id(ED25519, &self.name, &self.key)
    }

    /// `name+id+key`, the form in which the key is handed to an auditor.
    pub fn to_vkey(&self) -> String {
        write_vkey(ED25519, &self.name, &self.key)
    }

    /// Reads `name+id+key`.
    pub fn from_vkey(text: &str) -> Option<Self> {
        let (name, key) = read_vkey(ED25519, text)?;
        (!name.is_empty()).then(|| Self { name: name.into(), key })
    }

    /// True if `signature` is this key's over the checkpoint of that size and root.
    pub(crate) fn checks(&self, size: u64, root: &Hash, signature: &[u8]) -> bool {
        let Ok(signature) = Signature::from_slice(signature) else { return false };
        self.key.verify_strict(&checkpoint_text(&self.name, size, root), &signature).is_ok()
    }

    /// The text of a signed note that this key has signed; none where it has not.
    pub fn open_text<'a>(&self, note: &'a [u8]) -> Option<&'a str> {
        let whole = std::str::from_utf8(note).ok()?;
        let (text, line) = whole.strip_suffix('\n')?.rsplit_once("\n\u{2014} ")?;
        let encoded = line.strip_prefix(self.name.as_str())?.strip_prefix(' ')?;
        let bytes = STANDARD.decode(encoded).ok()?;
        let (id, signature) = bytes.split_at_checked(4)?;
        let signature = Signature::from_slice(signature).ok().filter(|_| id == self.id())?;
        self.key.verify_strict(text.as_bytes(), &signature).ok()?;
        Some(text)
    }

    /// Reads a signed note and checks it: origin, form and signature. Returns size and root.
    pub fn open(&self, note: &[u8]) -> Result<(u64, Hash), String> {
        let text = std::str::from_utf8(note).map_err(|_| "not UTF-8")?;
        let (checkpoint, signatures) = parse(text)?;
        if checkpoint.origin() != self.name || !checkpoint.extension().is_empty() {
            return Err("another log's checkpoint".into());
        }
        let (size, root) = (checkpoint.size(), checkpoint.hash().0);
        // One signature, ours, spelled the one way there is: nothing in the file may vary unnoticed.
        let line = signatures.strip_suffix('\n').ok_or("no newline at the end")?;
        let encoded = line.strip_prefix("\u{2014} ").and_then(|l| l.strip_prefix(self.name.as_str()));
        let encoded = encoded.and_then(|l| l.strip_prefix(' ')).ok_or("no signature of this log")?;
        let bytes = STANDARD.decode(encoded).map_err(|_| "the signature is not base64")?;
        let (id, signature) = bytes.split_at_checked(4).ok_or("the signature is too short")?;
        if id != self.id() || !self.checks(size, &root, signature) {
            return Err("the signature does not fit".into());
        }
        Ok((size, root))
    }
}

/// The body of a checkpoint and what follows the blank line.
fn parse(text: &str) -> Result<(Checkpoint, &str), String> {
    let (body, signatures) = text.split_once("\n\n").ok_or("no blank line before the signatures")?;
    let body = format!("{body}\n");
    let checkpoint = Checkpoint::from_bytes(body.as_bytes()).map_err(|e| e.to_string())?;
    Ok((checkpoint, signatures))
}

/// Size and root that a checkpoint states, before anything about them is known to be true.
pub(crate) fn read(note: &[u8]) -> Result<(u64, Hash), String> {
    let text = std::str::from_utf8(note).map_err(|_| "not UTF-8")?;
    let (checkpoint, _) = parse(text)?;
    Ok((checkpoint.size(), checkpoint.hash().0))
}

/// The secret half.
pub(crate) struct NoteSigner {
    key: SigningKey,
    verifier: Verifier,
}

impl NoteSigner {
    /// From the 32-byte Ed25519 seed.
    pub(crate) fn new(name: String, seed: &[u8; 32]) -> Self {
        let key = SigningKey::from_bytes(seed);
        let verifier = Verifier { name, key: key.verifying_key() };
        Self { key, verifier }
    }

    pub(crate) fn verifier(&self) -> &Verifier {
        &self.verifier
    }

    /// Signature over the checkpoint of that size and root.
    pub(crate) fn sign(&self, size: u64, root: &Hash) -> [u8; 64] {
        self.key.sign(&checkpoint_text(&self.verifier.name, size, root)).to_bytes()
    }

    /// The checkpoint as a signed note.
    pub(crate) fn note(&self, size: u64, root: &Hash) -> Vec<u8> {
        self.signed(checkpoint_text(&self.verifier.name, size, root))
    }

    /// A signed note over any text that ends in a newline. No checkpoint begins with a line that is not the
    /// log's name, so this cannot be taken for one.
    pub(crate) fn sign_text(&self, text: &str) -> Vec<u8> {
        self.signed(text.as_bytes().to_vec())
    }

    fn signed(&self, text: Vec<u8>) -> Vec<u8> {
        let mut signature = self.verifier.id().to_vec();
        signature.extend(self.key.sign(&text).to_bytes());
        let mut out = text;
        out.extend(format!("\n\u{2014} {} {}\n", self.verifier.name, STANDARD.encode(signature)).bytes());
        out
    }
}

fn checkpoint_text(origin: &str, size: u64, root: &Hash) -> Vec<u8> {
    format!("{origin}\n{size}\n{}\n", STANDARD.encode(root)).into_bytes()
}
