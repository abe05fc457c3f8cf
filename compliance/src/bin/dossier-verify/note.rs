//! Public keys and signed notes (C2SP `signed-note`, `tlog-checkpoint`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};

use crate::merkle::{Digest32, digest};

#[derive(Clone)]
pub(crate) struct PublicKey {
    pub(crate) name: String,
    id: Vec<u8>,
    key: VerifyingKey,
    /// As it was handed over.
    pub(crate) text: String,
}

impl PublicKey {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut parts = text.splitn(3, '+');
        let (name, id, key) = (parts.next()?, parts.next()?, parts.next()?);
        let bytes = STANDARD.decode(key).ok()?;
        let expected = digest(&[name.as_bytes(), b"\n", &bytes]);
        let id = hex::decode(id).ok()?;
        if bytes.first() != Some(&1) || id.as_slice() != expected.get(..4)? {
            return None;
        }
        let key = VerifyingKey::try_from(bytes.get(1..)?).ok()?;
        Some(Self { name: name.to_owned(), id, key, text: text.to_owned() })
    }

    fn body(&self, size: usize, root: &Digest32) -> String {
        format!("{}\n{size}\n{}\n", self.name, STANDARD.encode(root))
    }

    /// True if the signature, in base64, is over the checkpoint of that size and root.
    pub(crate) fn signed(&self, size: usize, root: &Digest32, signature: &str) -> bool {
        let bytes = STANDARD.decode(signature).ok();
        let signature = bytes.and_then(|b| Signature::from_slice(&b).ok());
        signature.is_some_and(|s| self.key.verify_strict(self.body(size, root).as_bytes(), &s).is_ok())
    }

    /// True if `note` is `text` with this key's signature and nothing else.
    pub(crate) fn signed_note(&self, text: &str, note: &str) -> bool {
        let prefix = format!("{text}\n\u{2014} {} ", self.name);
        let line = note.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix('\n'));
        let Some(bytes) = line.and_then(|l| STANDARD.decode(l).ok()) else { return false };
        let Some((id, signature)) = bytes.split_at_checked(4) else { return false };
        let signature = Signature::from_slice(signature);
        id == self.id && signature.is_ok_and(|s| self.key.verify_strict(text.as_bytes(), &s).is_ok())
    }

    /// Size and root that a note signs, or why it does not.
    pub(crate) fn open(&self, note: &str) -> Result<(usize, Digest32), &'static str> {
        let lines: Vec<&str> = note.split('\n').collect();
        let [origin, size, root, "", signature, ""] = lines.as_slice() else {
            return Err("not a checkpoint with one signature");
        };
        let size = size.parse().map_err(|_| "no size")?;
        let root: Digest32 = STANDARD.decode(root).ok().and_then(|r| r.try_into().ok()).ok_or("no root")?;
        if *origin != self.name {
            return Err("the checkpoint of another log");
        }
        let prefix = format!("\u{2014} {} ", self.name);
        let signature = signature.strip_prefix(&prefix).ok_or("signed by another name")?;
        let bytes = STANDARD.decode(signature).map_err(|_| "the signature is not base64")?;
        let (id, signature) = bytes.split_at_checked(4).ok_or("the signature is too short")?;
        // Rebuilding the note leaves no room for a second spelling of the same content.
        let whole = format!("{}\n{prefix}{}\n", self.body(size, &root), STANDARD.encode(&bytes));
        if id == self.id && whole == note && self.signed(size, &root, &STANDARD.encode(signature)) {
            Ok((size, root))
        } else {
            Err("the signature does not fit")
        }
    }
}

/// The size in a note's second line; 0 where there is none, which no key then signs.
pub(crate) fn stated_size(note: &str) -> usize {
    note.split('\n').nth(1).and_then(|line| line.parse().ok()).unwrap_or(0)
}
