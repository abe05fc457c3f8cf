//! A witness and what it remembers.

use std::sync::Arc;

use super::key::{WitnessKey, WitnessSigner, is_name};
use super::request::Request;
use crate::log::{Clock, LogError, Verifier, check_consistency, random_seed, sha256};
use crate::storage::{Storage, StorageError};

const KEY: &str = "witness.key";
const VKEY: &str = "witness.vkey";

/// Why a witness does not sign.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// The witness's folder cannot be read or written.
    #[error("the witness's folder cannot be used: {0}")]
    Storage(#[from] StorageError),
    /// A file in the witness's folder is not of the expected form.
    #[error("{path} in the witness's folder is damaged: {what}; restore it from a copy")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// A name that cannot stand in a signature line.
    #[error("{0:?} cannot be a witness's name: it must have 1 to 200 characters, no spaces and no plus sign")]
    Name(String),
    /// No random numbers for a key.
    #[error("{0}")]
    Key(LogError),
    /// The request is none.
    #[error("this is no request to a witness, or its checkpoint is not signed by the log's key: {0}")]
    Request(String),
    /// The log is not known yet.
    #[error(
        "this witness has never seen the log {0}; give its public key with --log-key, as it was handed over by the firm"
    )]
    Unknown(String),
    /// The request begins at another size than the witness saw last.
    #[error("the witness has seen {seen} events, the request begins at {old}; make one with --old {seen}")]
    Begins {
        /// Size that the witness saw.
        seen: u64,
        /// Size at which the request begins.
        old: u64,
    },
    /// The log is shorter than it was.
    #[error(
        "ALARM: the log has {now} events, but this witness has already signed {seen}: an older copy was put back. \
         Do not go on; keep this witness's folder and ask who restored the log"
    )]
    Shorter {
        /// Size that the witness saw.
        seen: u64,
        /// Size now.
        now: u64,
    },
    /// The log is another than it was.
    #[error(
        "ALARM: the log is not the one of which this witness has signed {0} events: earlier events were changed. Do \
         not go on; keep this witness's folder and the request"
    )]
    Forked(u64),
}

/// A witness: a key, and the newest state of each log that it has signed.
pub struct Witness {
    storage: Arc<dyn Storage>,
    signer: WitnessSigner,
    clock: Clock,
}

impl std::fmt::Debug for Witness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Witness").field("key", self.signer.public()).finish_non_exhaustive()
    }
}

/// What is remembered of a log.
struct Seen {
    key: Verifier,
    note: String,
    size: u64,
    root: [u8; 32],
}

impl Witness {
    /// The witness in `storage`; a new one called `name` where there is none yet.
    ///
    /// # Errors
    /// When the folder cannot be used, or `name` is needed and cannot be one.
    pub fn open(storage: Arc<dyn Storage>, name: &str, clock: Clock) -> Result<Self, WitnessError> {
        let signer = match storage.read(KEY)? {
            Some(text) => parse_key(&text)
                .ok_or_else(|| WitnessError::Damaged { path: KEY.into(), what: "not a key".into() })?,
            None => {
                if !is_name(name) {
                    return Err(WitnessError::Name(name.to_owned()));
                }
                let seed = random_seed().map_err(WitnessError::Key)?;
                storage.replace(KEY, format!("{name} {}\n", hex::encode(seed)).as_bytes())?;
                WitnessSigner::new(name.to_owned(), &seed)
            }
        };
        let vkey = format!("{}\n", signer.public().to_vkey());
        if storage.read(VKEY)?.as_deref() != Some(vkey.as_bytes()) {
            storage.replace(VKEY, vkey.as_bytes())?;
        }
        Ok(Self { storage, signer, clock })
    }

    /// The public key.
    pub fn key(&self) -> &WitnessKey {
        self.signer.public()
    }

    /// Countersigns the checkpoint of `request` if the log only grew since this witness last signed. `log` is the
    /// log's public key, needed the first time and after the log changed its key. Returns the checkpoint with
    /// the countersignature; what was signed is remembered before.
    ///
    /// # Errors
    /// See [`WitnessError`]; nothing was signed.
    pub fn sign(&self, request: &str, log: Option<&Verifier>) -> Result<String, WitnessError> {
        let request = Request::parse(request).ok_or_else(|| WitnessError::Request("another form".into()))?;
        let origin = request.checkpoint.lines().next().unwrap_or_default();
        let seen = self.seen(origin)?;
        let key = match (log, &seen) {
            (Some(key), _) => key,
            (None, Some(seen)) => &seen.key,
            (None, None) => return Err(WitnessError::Unknown(origin.to_owned())),
        };
        let now = key.open(request.checkpoint.as_bytes()).map_err(WitnessError::Request)?;
        if let Some(seen) = &seen {
            only_grew(&request, seen, now)?;
        } else if request.old != 0 {
            return Err(WitnessError::Begins { seen: 0, old: request.old });
        }
        let time = u64::try_from((self.clock)().as_second()).unwrap_or_default();
        let signed = self.signer.countersign(&request.checkpoint, time);
        let signed = signed.ok_or_else(|| WitnessError::Request("no checkpoint".into()))?;
        let memory = format!("{}\n{}", key.to_vkey(), request.checkpoint);
        self.storage.replace(&path(origin), memory.as_bytes())?;
        Ok(signed)
    }

    /// Size of the log of that origin that was signed last.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn seen_size(&self, origin: &str) -> Result<u64, WitnessError> {
        Ok(self.seen(origin)?.map_or(0, |seen| seen.size))
    }

    fn seen(&self, origin: &str) -> Result<Option<Seen>, WitnessError> {
        let path = path(origin);
        let Some(bytes) = self.storage.read(&path)? else { return Ok(None) };
        let damaged = |what: &str| WitnessError::Damaged { path: path.clone(), what: what.to_owned() };
        let text = String::from_utf8(bytes).map_err(|_| damaged("not UTF-8"))?;
        let (key, note) = text.split_once('\n').ok_or_else(|| damaged("no checkpoint"))?;
        let key = Verifier::from_vkey(key).ok_or_else(|| damaged("no public key"))?;
        let (size, root) = key.open(note.as_bytes()).map_err(|what| damaged(&what))?;
        let note = note.to_owned();
        Ok(Some(Seen { key, note, size, root }))
    }
}

/// True where the tree of the request holds the one that was seen.
fn only_grew(request: &Request, seen: &Seen, now: (u64, [u8; 32])) -> Result<(), WitnessError> {
    let (size, root) = now;
    if size < seen.size {
        return Err(WitnessError::Shorter { seen: seen.size, now: size });
    }
    if size == seen.size {
        let same = root == seen.root && (request.checkpoint == seen.note || request.proof.is_empty());
        return if same { Ok(()) } else { Err(WitnessError::Forked(seen.size)) };
    }
    if request.old != seen.size {
        return Err(WitnessError::Begins { seen: seen.size, old: request.old });
    }
    if check_consistency(&request.proof, (seen.size, &seen.root), (size, &root)) {
        Ok(())
    } else {
        Err(WitnessError::Forked(seen.size))
    }
}

fn path(origin: &str) -> String {
    let mut id = hex::encode(sha256(origin.as_bytes()));
    id.truncate(32);
    format!("seen/{id}")
}

fn parse_key(text: &[u8]) -> Option<WitnessSigner> {
    let line = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
    let (name, seed) = line.split_once(' ')?;
    let seed = hex::decode(seed).ok()?.try_into().ok()?;
    is_name(name).then(|| WitnessSigner::new(name.to_owned(), &seed))
}
