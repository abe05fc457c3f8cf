//! What others have confirmed about the log: countersigned checkpoints, time stamps.
//!
//! | file | holds |
//! |---|---|
//! | `anchors/witnesses` | public keys of the witnesses whose signatures were taken in, one a line |
//! | `anchors/SIZE-ID.cosig` | the checkpoint of that size with one countersignature |
//! | `anchors/SIZE.tsq`, `anchors/SIZE.tsr` | a request to a time-stamping authority, and its answer |

use std::collections::HashMap;

use jiff::Timestamp;

use super::note;
use super::{Log, LogError, Verifier, checkpoint_path, sha256};
use crate::event::{Actor, Event};
use crate::storage::Storage;
use crate::timestamp::{self, Stamp};
use crate::witness::{Countersigned, Request, WitnessKey};

/// Public keys of witnesses.
pub(super) const WITNESSES: &str = "anchors/witnesses";

impl Log {
    /// What a witness that last signed the log at `old` events is asked to sign: the present state. Signs a
    /// checkpoint first.
    ///
    /// # Errors
    /// When the checkpoint cannot be written, the log is empty or shorter than `old`.
    pub fn witness_request(&mut self, old: u64) -> Result<Request, LogError> {
        self.checkpoint()?;
        let size = self.size();
        let note = self.storage.read(&checkpoint_path(size))?.unwrap_or_default();
        let checkpoint =
            String::from_utf8(note).map_err(|_| LogError::damaged(checkpoint_path(size), "not UTF-8"))?;
        let proof = if old == 0 || old == size { Vec::new() } else { self.prove_consistency(old)? };
        Ok(Request { old, proof, checkpoint })
    }

    /// Size of the newest checkpoint that `witness` has countersigned; 0 if none.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn witnessed(&self) -> Result<u64, LogError> {
        let sizes = self.storage.list("anchors")?;
        let sizes = sizes.iter().filter_map(|p| p.strip_prefix("anchors/")?.strip_suffix(".cosig"));
        Ok(sizes.filter_map(|name| name.split_once('-')?.0.parse().ok()).max().unwrap_or(0))
    }

    /// Takes in a checkpoint that `witness` countersigned, and records it.
    ///
    /// # Errors
    /// [`LogError::Anchor`] when it is not a checkpoint of this log or not signed by `witness`; else as for
    /// [`append`](Self::append).
    pub fn accept_witness(
        &mut self,
        actor: &Actor,
        note: &[u8],
        witness: &WitnessKey,
    ) -> Result<Countersigned, LogError> {
        let (size, _) = note::read(note).map_err(LogError::Anchor)?;
        let found = Countersigned::read(note, self.chain.at(size), witness).map_err(LogError::Anchor)?;
        if size > self.size() || self.root_at(size)? != found.root {
            return Err(LogError::Anchor("it is not a state of this log".into()));
        }
        let vkey = witness.to_vkey();
        let mut known = self.storage.read(WITNESSES)?.unwrap_or_default();
        if !known.split(|&b| b == b'\n').any(|line| line == vkey.as_bytes()) {
            known.extend(format!("{vkey}\n").bytes());
            self.storage.replace(WITNESSES, &known)?;
        }
        let mut id = hex::encode(sha256(vkey.as_bytes()));
        id.truncate(8);
        self.storage.replace(&format!("anchors/{size:020}-{id}.cosig"), note)?;
        self.append(actor, Event::Witness { vkey, size, time: found.time })?;
        Ok(found)
    }
}

impl Log {
    /// A request to a time-stamping authority over the newest checkpoint, to be carried out of the house: only a
    /// hash is in it. Signs a checkpoint first. Returns the size of the log, and the request (RFC 3161, DER).
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn timestamp_request(&mut self) -> Result<(u64, Vec<u8>), LogError> {
        self.checkpoint()?;
        let size = self.size();
        let path = format!("anchors/{size:020}.tsq");
        if let Some(made) = self.storage.read(&path)? {
            return Ok((size, made));
        }
        let note = self.storage.read(&checkpoint_path(size))?.unwrap_or_default();
        let request =
            timestamp::request(&sha256(&note), super::keys::random()?).map_err(LogError::Prepare)?;
        self.storage.replace(&path, &request)?;
        Ok((size, request))
    }

    /// Takes in the answer of the authority to one of the requests, and records it.
    ///
    /// # Errors
    /// [`LogError::Anchor`] when it answers none of them; else as for [`append`](Self::append).
    pub fn accept_timestamp(&mut self, actor: &Actor, answer: &[u8]) -> Result<(u64, Stamp), LogError> {
        let mut why = "there is no request; make one first".to_owned();
        for path in self.storage.list("anchors")?.iter().rev().filter(|p| p.ends_with(".tsq")) {
            let request = self.storage.read(path)?.unwrap_or_default();
            let size = path.strip_prefix("anchors/").and_then(|p| p.strip_suffix(".tsq"));
            let Some(size) = size.and_then(|s| s.parse::<u64>().ok()) else { continue };
            let stamp = match timestamp::check(answer, &request) {
                Ok(stamp) => stamp,
                Err(what) => {
                    why = what;
                    continue;
                }
            };
            self.storage.replace(&format!("anchors/{size:020}.tsr"), answer)?;
            let event = Event::Timestamp {
                size,
                authority: stamp.authority.clone(),
                time: stamp.time.to_string(),
                sha256: hex::encode(sha256(answer)),
            };
            self.append(actor, event)?;
            return Ok((size, stamp));
        }
        Err(LogError::Anchor(why))
    }
}

impl Log {
    /// What others have confirmed, each file without its folder.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn anchor_files(&self) -> Result<Vec<(String, Vec<u8>)>, LogError> {
        let mut out = Vec::new();
        for path in self.storage.list("anchors")? {
            let bytes = self.storage.read(&path)?.unwrap_or_default();
            out.push((path.trim_start_matches("anchors/").to_owned(), bytes));
        }
        Ok(out)
    }

    /// When a witness, and when an authority last confirmed the log, by their own clocks.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn last_confirmed(&self) -> Result<(Option<Timestamp>, Option<Timestamp>), LogError> {
        let paths = self.storage.list("anchors")?;
        let newest = |ending: &str| paths.iter().rev().find(|p| p.ends_with(ending));
        let mut out = (None, None);
        if let Some(path) = newest(".cosig") {
            let note = self.storage.read(path)?.unwrap_or_default();
            out.0 = Countersigned::time_in(&note).and_then(|s| Timestamp::from_second(s).ok());
        }
        if let Some(path) = newest(".tsr") {
            let answer = self.storage.read(path)?.unwrap_or_default();
            let request = self.storage.read(&path.replace(".tsr", ".tsq"))?.unwrap_or_default();
            out.1 = timestamp::check(&answer, &request).ok().map(|stamp| stamp.time);
        }
        Ok(out)
    }

    /// The newest checkpoint.
    pub(crate) fn newest_note(&self) -> Result<Vec<u8>, LogError> {
        let none = || LogError::NoProof("nothing has been signed yet".into());
        self.storage.read(super::CHECKPOINT)?.ok_or_else(none)
    }

    /// The key that signed it.
    pub(crate) fn verifier_at_newest(&self) -> &Verifier {
        self.chain.at(self.checkpoint.unwrap_or_default())
    }

    /// A signed note (C2SP `signed-note`) of the log's key over `text`, which ends in a newline.
    pub(crate) fn sign_text(&self, text: &str) -> Vec<u8> {
        self.keys.signer.sign_text(text)
    }
}

/// A request must be over the checkpoint of its size, an answer must answer it, and be the one that an event
/// names (`stamped`, by size) if there still is one.
pub(super) fn check_stamps(
    storage: &dyn Storage,
    stamped: &HashMap<u64, String>,
    problem: &mut dyn FnMut(String, String),
) -> Result<(), LogError> {
    for path in storage.list("anchors")?.iter().filter(|p| p.ends_with(".tsq") || p.ends_with(".tsr")) {
        let stem = path.get(..path.len() - 4).unwrap_or_default();
        let size = stem.strip_prefix("anchors/").and_then(|s| s.parse::<u64>().ok()).unwrap_or_default();
        let note = storage.read(&checkpoint_path(size))?.unwrap_or_default();
        let request = storage.read(&format!("{stem}.tsq"))?.unwrap_or_default();
        if timestamp::requested(&request) != Some(sha256(&note)) {
            problem(path.clone(), "it is not over the checkpoint of that size".into());
        } else if path.ends_with(".tsr") {
            let answer = storage.read(path)?.unwrap_or_default();
            if let Err(what) = timestamp::check(&answer, &request) {
                problem(path.clone(), what);
            } else if stamped.get(&size).is_some_and(|sum| *sum != hex::encode(sha256(&answer))) {
                problem(path.clone(), "it is not the answer that was recorded".into());
            }
        }
    }
    Ok(())
}

/// Checks the countersigned checkpoints in `storage`: `root` tells the root of the tree at a size, `key` the key
/// that signs it. Calls `problem` for each that does not hold, and returns all paths that belong there.
pub(super) fn check(
    storage: &dyn Storage,
    key: &dyn Fn(u64) -> Verifier,
    stated: &dyn Fn(u64) -> Option<super::Hash>,
    problem: &mut dyn FnMut(String, String),
) -> Result<Vec<String>, LogError> {
    let paths = storage.list("anchors")?;
    let keys = storage.read(WITNESSES)?.unwrap_or_default();
    let keys = String::from_utf8_lossy(&keys).into_owned();
    let witnesses: Vec<Option<WitnessKey>> = keys.lines().map(WitnessKey::from_vkey).collect();
    if witnesses.iter().any(Option::is_none) || (!keys.is_empty() && !keys.ends_with('\n')) {
        problem(WITNESSES.into(), "not a list of public keys".into());
    }
    let witnesses: Vec<WitnessKey> = witnesses.into_iter().flatten().collect();
    for path in paths.iter().filter(|p| p.ends_with(".cosig")) {
        let note = storage.read(path)?.unwrap_or_default();
        if let Err(what) = countersigned(path, &note, key, stated, &witnesses) {
            problem(path.clone(), what);
        }
    }
    Ok(paths)
}

fn countersigned(
    path: &str,
    note: &[u8],
    key: &dyn Fn(u64) -> Verifier,
    stated: &dyn Fn(u64) -> Option<super::Hash>,
    witnesses: &[WitnessKey],
) -> Result<(), String> {
    let (size, _) = note::read(note)?;
    let read = |w: &WitnessKey| Countersigned::read(note, &key(size), w).ok();
    let found = witnesses.iter().find_map(read).ok_or("no witness of the list has countersigned it")?;
    if stated(size) != Some(found.root) {
        return Err(format!("it is not the signed state of {size} events"));
    }
    if !path.starts_with(&format!("anchors/{size:020}-")) {
        return Err("it is the checkpoint of another size".into());
    }
    Ok(())
}
