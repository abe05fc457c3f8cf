//! The key folder: signing key, pseudonym key, and one wrapping key per person and month.
//!
//! Kept apart from the log so that it can stay out of the log's backups: whoever has the log alone can check
//! it but not read payloads or tell who a pseudonym is. An attacker who edits a file here makes payloads of
//! that person and month unreadable, or the log refuse to open; they cannot forge what was signed before.

use std::collections::HashMap;
use std::sync::Arc;

use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::TryRng as _;
use sha2::Sha256;

use super::error::LogError;
use super::note::{NoteSigner, Verifier};
use crate::storage::Storage;

/// The signing key: origin and seed.
const LOG_KEY: &str = "log.key";
/// The key that is to take its place; present only while it is being changed.
const NEXT_KEY: &str = "log.key.next";
/// The key of the pseudonyms.
const PSEUDONYM_KEY: &str = "pseudonym.key";

/// A key of 32 bytes.
pub(crate) type Key = [u8; 32];

/// `N` random bytes from the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], LogError> {
    let mut out = [0; N];
    rand::rngs::SysRng
        .try_fill_bytes(&mut out)
        .map_err(|e| LogError::Prepare(format!("no random numbers from the operating system: {e}")))?;
    Ok(out)
}

/// The keys of one log.
pub(crate) struct Keys {
    storage: Arc<dyn Storage>,
    pub(crate) signer: NoteSigner,
    pseudonym: Key,
    wrapping: HashMap<String, Key>,
}

impl Keys {
    /// Reads the keys; makes them if `fresh` (a log without events) and they are missing.
    pub(crate) fn open(storage: Arc<dyn Storage>, fresh: bool) -> Result<Self, LogError> {
        let pseudonym = match storage.read(PSEUDONYM_KEY)? {
            Some(text) => parse_key(PSEUDONYM_KEY, &text)?,
            None if fresh => {
                let key: Key = random()?;
                storage.replace(PSEUDONYM_KEY, format!("{}\n", hex::encode(key)).as_bytes())?;
                key
            }
            None => return Err(LogError::KeysMissing { path: PSEUDONYM_KEY.into() }),
        };
        let signer = match storage.read(LOG_KEY)? {
            Some(text) => parse_signer(LOG_KEY, &text)?,
            None if fresh => {
                let (name, seed) = (format!("dossier/{}", hex::encode(random::<8>()?)), random::<32>()?);
                storage.replace(LOG_KEY, signer_text(&name, &seed).as_bytes())?;
                NoteSigner::new(name, &seed)
            }
            None => return Err(LogError::KeysMissing { path: LOG_KEY.into() }),
        };
        Ok(Self { storage, signer, pseudonym, wrapping: HashMap::new() })
    }

    /// Pseudonym of `text` within `domain` (`actor`, `session`, `project`, `attempted`): 32 hexadecimal
    /// digits of HMAC-SHA-256.
    pub(crate) fn pseudonym(&self, domain: &str, text: &str) -> String {
        // HMAC takes keys of every length, so this cannot fail; an empty pseudonym would be harmless.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.pseudonym) else { return String::new() };
        mac.update(domain.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        let mut out = hex::encode(mac.finalize().into_bytes());
        out.truncate(32);
        out
    }

    /// The wrapping key with that identifier (`pseudonym/YYYY-MM`), made and durable if it was missing.
    pub(crate) fn wrapping_or_new(&mut self, id: &str) -> Result<Key, LogError> {
        if let Some(key) = self.wrapping(id)? {
            return Ok(key);
        }
        let key: Key = random()?;
        self.storage.replace(&kek_path(id), format!("{}\n", hex::encode(key)).as_bytes())?;
        self.wrapping.insert(id.to_owned(), key);
        Ok(key)
    }

    /// The wrapping key with that identifier, or `None` if it was destroyed.
    pub(crate) fn wrapping(&mut self, id: &str) -> Result<Option<Key>, LogError> {
        if let Some(key) = self.wrapping.get(id) {
            return Ok(Some(*key));
        }
        let path = kek_path(id);
        let Some(text) = self.storage.read(&path)? else { return Ok(None) };
        let key = parse_key(&path, &text)?;
        self.wrapping.insert(id.to_owned(), key);
        Ok(Some(key))
    }

    /// Makes and stores the signing key that is to take the present one's place. Its name stays: it is the
    /// origin of the checkpoints.
    pub(crate) fn make_next(&mut self) -> Result<Verifier, LogError> {
        let (name, seed) = (self.signer.verifier().name().to_owned(), random::<32>()?);
        self.storage.replace(NEXT_KEY, signer_text(&name, &seed).as_bytes())?;
        Ok(NoteSigner::new(name, &seed).verifier().clone())
    }

    /// The key that is to take the present one's place, if it is being changed.
    pub(crate) fn next(&self) -> Result<Option<Verifier>, LogError> {
        let text = self.storage.read(NEXT_KEY)?;
        text.map(|text| Ok(parse_signer(NEXT_KEY, &text)?.verifier().clone())).transpose()
    }

    /// Signs with the next key from now on; the present one is gone.
    pub(crate) fn adopt_next(&mut self) -> Result<(), LogError> {
        let missing = || LogError::KeysMissing { path: NEXT_KEY.into() };
        let text = self.storage.read(NEXT_KEY)?.ok_or_else(missing)?;
        let signer = parse_signer(NEXT_KEY, &text)?;
        self.storage.replace(LOG_KEY, &text)?;
        self.signer = signer;
        self.drop_next()
    }

    /// Destroys the next key.
    pub(crate) fn drop_next(&self) -> Result<(), LogError> {
        Ok(self.storage.remove(NEXT_KEY)?)
    }

    /// Months for which the person with that pseudonym has a wrapping key.
    pub(crate) fn months_of(&self, pid: &str) -> Result<Vec<String>, LogError> {
        let folder = format!("kek/{pid}");
        let paths = self.storage.list(&folder)?;
        let month = |path: &String| {
            path.strip_prefix(&folder)?.strip_prefix('/')?.strip_suffix(".key").map(str::to_owned)
        };
        Ok(paths.iter().filter_map(month).collect())
    }

    /// Destroys a wrapping key.
    pub(crate) fn destroy(&mut self, id: &str) -> Result<(), LogError> {
        self.wrapping.remove(id);
        Ok(self.storage.remove(&kek_path(id))?)
    }
}

fn kek_path(id: &str) -> String {
    format!("kek/{id}.key")
}

fn parse_key(path: &str, text: &[u8]) -> Result<Key, LogError> {
    let digits = std::str::from_utf8(text).ok().and_then(|t| t.strip_suffix('\n'));
    let key = digits.and_then(|d| hex::decode(d).ok()).and_then(|k| Key::try_from(k).ok());
    key.ok_or_else(|| LogError::KeysUnfit { path: path.into(), what: "not a key of 32 bytes".into() })
}

fn signer_text(name: &str, seed: &Key) -> String {
    format!("{name} {}\n", hex::encode(seed))
}

fn parse_signer(path: &str, text: &[u8]) -> Result<NoteSigner, LogError> {
    let unfit = || LogError::KeysUnfit { path: path.into(), what: "not a name and a key of 32 bytes".into() };
    let line = std::str::from_utf8(text).ok().and_then(|t| t.strip_suffix('\n')).ok_or_else(unfit)?;
    let (name, digits) = line.split_once(' ').ok_or_else(unfit)?;
    let seed = hex::decode(digits).ok().and_then(|k| Key::try_from(k).ok()).ok_or_else(unfit)?;
    Ok(NoteSigner::new(name.to_owned(), &seed))
}
