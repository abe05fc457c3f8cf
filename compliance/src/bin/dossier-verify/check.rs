//! The checks, file by file.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::cosignature::{WitnessKey, split_countersignature};
use crate::folder::{files, number};
use crate::keys::Keys;
use crate::merkle::{Tree, digest, leaf};
use crate::note::{PublicKey, stated_size};

/// Entries per bundle and hashes per tile.
const WIDTH: usize = 256;

pub(crate) struct Report {
    pub(crate) size: usize,
    pub(crate) root: String,
    pub(crate) checkpoints: usize,
    pub(crate) gaps: Vec<String>,
    pub(crate) problems: Vec<String>,
}

impl Report {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "ok": self.problems.is_empty(),
            "size": self.size,
            "root": self.root,
            "checkpoints": self.checkpoints,
            "gaps": self.gaps,
            "problems": self.problems,
        })
    }
}

struct Check<'a> {
    files: BTreeMap<String, PathBuf>,
    seen: HashSet<String>,
    key: &'a PublicKey,
    keys: Keys,
    tree: Tree,
    /// Entries since the last full bundle.
    tail: Vec<Vec<u8>>,
    last_time: String,
    /// Checkpoints that events name, by their size.
    named: Vec<u64>,
    /// Bundles that are not there, and those that the newest event about it says were removed.
    missing: Vec<usize>,
    removed: Vec<(usize, usize)>,
    /// Size and SHA-256 of time stamps that events name.
    stamped: Vec<(usize, String)>,
    gaps: Vec<String>,
    problems: Vec<String>,
}

/// Checks the log in `root` against `key`.
pub(crate) fn check(root: &Path, key: &PublicKey) -> Result<Report, String> {
    let mut c = Check {
        files: files(root)?,
        seen: HashSet::new(),
        key,
        keys: Keys::starting_with(key.clone()),
        tree: Tree::default(),
        tail: Vec::new(),
        last_time: String::new(),
        named: Vec::new(),
        missing: Vec::new(),
        removed: Vec::new(),
        stamped: Vec::new(),
        gaps: Vec::new(),
        problems: Vec::new(),
    };
    c.first_key()?;
    c.bundles()?;
    c.tail()?;
    let (checkpoints, newest) = c.checkpoints()?;
    c.tiles(newest)?;
    c.missing();
    c.rotations()?;
    c.anchors()?;
    c.strangers();
    let size = c.tree.size();
    Ok(Report { size, root: hex::encode(c.tree.root(size)), checkpoints, gaps: c.gaps, problems: c.problems })
}

impl Check<'_> {
    fn problem(&mut self, text: impl Into<String>) {
        self.problems.push(text.into());
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.seen.insert(path.to_owned());
        let Some(full) = self.files.get(path) else { return Ok(None) };
        std::fs::read(full).map(Some).map_err(|e| format!("cannot read {}: {e}", full.display()))
    }

    /// The key that the log says it began with; whether it leads to the one handed over shows later.
    fn first_key(&mut self) -> Result<(), String> {
        let text = String::from_utf8(self.read("log.vkey")?.unwrap_or_default()).unwrap_or_default();
        match PublicKey::parse(&text).filter(|key| format!("{}\n", key.text) == text) {
            Some(key) => self.keys = Keys::starting_with(key),
            None => self.problem("log.vkey: not a public key"),
        }
        Ok(())
    }

    fn bundles(&mut self) -> Result<(), String> {
        let full = self.files.keys().filter_map(|p| p.strip_prefix("tile/entries/"));
        let digits = full.filter(|p| !p.contains('.')).map(|p| p.replace(['x', '/'], ""));
        let count = digits.filter_map(|d| d.parse::<usize>().ok()).max().map_or(0, |n| n.saturating_add(1));
        for n in 0..count {
            let path = format!("tile/entries/{}", number(n));
            let Some(bytes) = self.read(&path)? else {
                if !self.without_entries(n)? {
                    self.problem(format!("{path}: missing, and so are its hashes"));
                    return Ok(());
                }
                continue;
            };
            let Some(entries) = split_bundle(&bytes) else {
                self.problem(format!("{path}: not {WIDTH} entries"));
                return Ok(());
            };
            let commits = entries.iter().map(|e| self.entry(&path, e)).collect();
            self.payloads(n, commits)?;
        }
        Ok(())
    }

    /// Goes on with the hashes of a bundle that is not there. False if they are not there either.
    fn without_entries(&mut self, n: usize) -> Result<bool, String> {
        let bytes = self.read(&format!("tile/0/{}", number(n)))?.unwrap_or_default();
        if bytes.len() != WIDTH * 32 {
            return Ok(false);
        }
        let (hashes, _) = bytes.as_chunks::<32>();
        hashes.iter().for_each(|hash| self.tree.push(*hash));
        self.missing.push(n);
        Ok(true)
    }

    fn missing(&mut self) {
        for n in std::mem::take(&mut self.missing) {
            if !self.removed.iter().any(|(first, last)| (*first..=*last).contains(&n)) {
                self.problem(format!("tile/entries/{}: missing, and no event says why", number(n)));
            }
        }
    }

    /// The list of later keys is the one that the events give.
    fn rotations(&mut self) -> Result<(), String> {
        let listed = self.keys.listed();
        let there = self.files.contains_key("log.rotations");
        if there && listed.is_empty() {
            return Ok(());
        }
        if self.read("log.rotations")?.unwrap_or_default() != listed.as_bytes() {
            self.problem("log.rotations: not the keys that the events name");
        }
        Ok(())
    }

    /// Adds an entry to the tree; returns the payload it commits to.
    fn entry(&mut self, path: &str, entry: &[u8]) -> Option<String> {
        let seq = self.tree.size();
        self.tree.push(leaf(entry));
        let value: Value = serde_json::from_slice(entry).unwrap_or_default();
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (kind, time) = (text("kind"), text("ts_utc"));
        if value.get("seq").and_then(Value::as_u64) != Some(seq as u64) || value.get("v") != Some(&json!(1)) {
            self.problem(format!("{path}: event {seq} does not say so of itself"));
        }
        if time < self.last_time && kind != "clock_jump" {
            self.problem(format!("{path}: event {seq} is older than the one before it"));
        }
        if kind == "gap" || kind == "clock_jump" {
            self.gaps.push(format!("event {seq}, {time}: {kind}"));
        }
        let targets = value.get("target_ids").and_then(Value::as_array).into_iter().flatten();
        let targets: Vec<&str> = targets.filter_map(Value::as_str).collect();
        self.targets(path, &kind, seq, &targets);
        self.last_time = time;
        value.get("payload_commit").and_then(Value::as_str).map(str::to_owned)
    }

    /// What the events about the log itself name.
    fn targets(&mut self, path: &str, kind: &str, seq: usize, targets: &[&str]) {
        if kind == "checkpoint" || kind == "key_rotation" {
            let sizes = targets.iter().filter_map(|t| t.strip_prefix("checkpoint:")?.parse::<u64>().ok());
            self.named.extend(sizes);
        }
        if kind == "key_rotation" {
            self.named.push(seq as u64 + 1);
            let next = targets.iter().find_map(|t| PublicKey::parse(t.strip_prefix("vkey:")?));
            if !next.is_some_and(|key| self.keys.follow(seq, key)) {
                self.problem(format!("{path}: event {seq} names no key of this log"));
            }
        }
        if let ("timestamp", [size, sum]) = (kind, targets) {
            let size = size.strip_prefix("checkpoint:").and_then(|s| s.parse().ok());
            self.stamped.extend(size.map(|size| (size, (*sum).to_owned())));
        }
        if kind == "prune" {
            let ends = targets.iter().filter_map(|t| t.strip_prefix("bundles:")?.split_once('-'));
            self.removed = ends.filter_map(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?))).collect();
        }
    }

    fn payloads(&mut self, n: usize, commits: Vec<Option<String>>) -> Result<(), String> {
        let path = format!("payload/{}", number(n));
        let bytes = self.read(&path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut lines = text.split_inclusive('\n');
        for (i, commit) in commits.into_iter().enumerate() {
            let seq = n * WIDTH + i;
            if commit.is_none() || lines.next().and_then(|line| payload_hash(line, seq)) != commit {
                self.problem(format!("{path}: the payload of event {seq} is not the recorded one"));
            }
        }
        if lines.next().is_some() {
            self.problem(format!("{path}: more payloads than events"));
        }
        Ok(())
    }

    fn tail(&mut self) -> Result<(), String> {
        let n = self.tree.size() / WIDTH;
        let path = format!("tail/{}", number(n));
        let bytes = self.read(&path)?.unwrap_or_default();
        let mut commits = Vec::new();
        for line in bytes.split_inclusive(|&b| b == b'\n') {
            let seq = self.tree.size();
            let Some((signature, entry)) = split_line(line) else {
                self.problem(format!("{path}: event {seq} is not finished"));
                break;
            };
            commits.push(self.entry(&path, entry));
            self.tail.push(entry.to_vec());
            let root = self.tree.root(seq + 1);
            // A change of the key counts from the event after it on.
            if !self.keys.at(seq + 1).signed(seq + 1, &root, signature) {
                self.problem(format!("{path}: the signature of event {seq} does not fit"));
            }
        }
        self.payloads(n, commits)
    }

    /// Returns how many there are and the size of the newest.
    fn checkpoints(&mut self) -> Result<(usize, Option<usize>), String> {
        let paths: Vec<String> =
            self.files.keys().filter(|p| p.starts_with("checkpoints/")).cloned().collect();
        let mut newest: Option<(usize, Vec<u8>)> = None;
        let mut known = self.keys.at(0).text == self.key.text;
        for path in &paths {
            let bytes = self.read(path)?.unwrap_or_default();
            let note = String::from_utf8_lossy(&bytes).into_owned();
            let signer = self.keys.at(stated_size(&note)).clone();
            match signer.open(&note) {
                Err(why) => self.problem(format!("{path}: {why}")),
                Ok((size, _)) if *path != format!("checkpoints/{size:020}") => {
                    self.problem(format!("{path}: the checkpoint of {size} events"));
                }
                Ok((size, _)) if size > self.tree.size() => {
                    let there = self.tree.size();
                    self.problem(format!("{path}: {size} events were signed, {there} are here"));
                }
                Ok((size, root)) => {
                    if self.tree.root(size) != root {
                        self.problem(format!("{path}: the tree of {size} events is another one"));
                    }
                    known |= signer.text == self.key.text;
                    newest = newest.filter(|(n, _)| *n > size).or(Some((size, bytes)));
                }
            }
        }
        if !known {
            self.problem("log.vkey: the key that was handed over signed no checkpoint here");
        }
        for size in std::mem::take(&mut self.named) {
            let path = format!("checkpoints/{size:020}");
            if !self.files.contains_key(&path) {
                self.problem(format!("{path}: missing, though an event says that it was signed"));
            }
        }
        let current = self.read("checkpoint")?;
        if current.as_ref() != newest.as_ref().map(|(_, bytes)| bytes) {
            self.problem("checkpoint: not the newest under checkpoints/");
        }
        Ok((paths.len(), newest.map(|(size, _)| size)))
    }

    /// Hash tiles: full ones of the whole tree, partial ones of the newest checkpoint.
    fn tiles(&mut self, newest: Option<usize>) -> Result<(), String> {
        let full_bundles = self.tree.size() / WIDTH;
        for level in 0..8 {
            let row = self.tree.row(8 * level).to_vec();
            // Events in the tail are in no full tile, not even above the lowest level.
            let count = full_bundles >> (8 * level);
            for n in 0..count {
                self.tile(format!("tile/{level}/{}", number(n)), row.get(n * WIDTH..(n + 1) * WIDTH))?;
            }
            let hashes = newest.unwrap_or(0) >> (8 * level);
            let (n, width) = (hashes / WIDTH, hashes % WIDTH);
            if width > 0 {
                let path = format!("tile/{level}/{}.p/{width}", number(n));
                self.tile(path, row.get(n * WIDTH..n * WIDTH + width))?;
                if level == 0 {
                    self.partial_bundle(n, width)?;
                }
            }
        }
        Ok(())
    }

    fn tile(&mut self, path: String, expected: Option<&[[u8; 32]]>) -> Result<(), String> {
        let expected = expected.map(<[[u8; 32]]>::concat);
        if self.read(&path)?.is_none_or(|bytes| Some(bytes) != expected) {
            self.problem(format!("{path}: the hashes do not follow from the events"));
        }
        Ok(())
    }

    fn partial_bundle(&mut self, n: usize, width: usize) -> Result<(), String> {
        let full = self.read(&format!("tile/entries/{}", number(n)))?;
        let entries = match &full {
            Some(bytes) => split_bundle(bytes).unwrap_or_default().into_iter().map(<[u8]>::to_vec).collect(),
            None => self.tail.clone(),
        };
        let mut expected = Vec::new();
        for entry in entries.iter().take(width) {
            expected.extend(u16::try_from(entry.len()).unwrap_or_default().to_be_bytes());
            expected.extend(entry);
        }
        let path = format!("tile/entries/{}.p/{width}", number(n));
        if self.read(&path)? != Some(expected) {
            self.problem(format!("{path}: not the events of the log"));
        }
        Ok(())
    }

    /// Countersigned checkpoints: by the log's key, by a witness of the list, and of a tree that is this one.
    fn anchors(&mut self) -> Result<(), String> {
        let list = String::from_utf8(self.read("anchors/witnesses")?.unwrap_or_default()).unwrap_or_default();
        let witnesses: Vec<Option<WitnessKey>> = list.split_inclusive('\n').map(WitnessKey::parse).collect();
        if witnesses.iter().any(Option::is_none) {
            self.problem("anchors/witnesses: not a list of public keys");
        }
        let paths: Vec<String> = self.files.keys().filter(|p| p.starts_with("anchors/")).cloned().collect();
        for path in paths {
            let bytes = self.read(&path)?.unwrap_or_default();
            if path.ends_with(".tsq") || path.ends_with(".tsr") {
                self.stamp(&path, &bytes)?;
            }
            if !path.ends_with(".cosig") {
                continue;
            }
            let note = String::from_utf8(bytes).unwrap_or_default();
            let size = stated_size(&note);
            let signed = split_countersignature(&note).filter(|(own, line)| {
                let of_tree = self.keys.at(size).open(own) == Ok((size, self.tree.root(size)));
                let body = own.split("\n\n").next().unwrap_or_default();
                of_tree && witnesses.iter().flatten().any(|w| w.signed(body, line))
            });
            let named = path.starts_with(&format!("anchors/{size:020}-"));
            if size > self.tree.size() || signed.is_none() || !named {
                self.problem(format!("{path}: not a countersigned state of this log"));
            }
        }
        Ok(())
    }

    /// A request for a time stamp is over the checkpoint of its size; an answer is the one that an event names.
    /// Signatures of authorities are for `openssl ts -verify`.
    fn stamp(&mut self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let size = path.get(8..28).and_then(|s| s.parse::<usize>().ok()).unwrap_or_default();
        let named = self.stamped.iter().find(|(s, _)| *s == size).map(|(_, sum)| sum);
        let good = if path.ends_with(".tsr") {
            named.is_none_or(|sum| *sum == hex::encode(digest(&[bytes])))
        } else {
            let note = self.read(&format!("checkpoints/{size:020}"))?.unwrap_or_default();
            // The hash has a fixed place in a request with SHA-256 and without a policy.
            bytes.get(24..56) == Some(digest(&[&note]).as_slice()) && bytes.len() == 69
        };
        if !good {
            self.problem(format!("{path}: not the one that was recorded"));
        }
        Ok(())
    }

    fn strangers(&mut self) {
        let known = |p: &str| self.seen.contains(p) || p.starts_with("quarantine/") || p.ends_with(".tmp");
        let strange: Vec<String> = self.files.keys().filter(|p| !known(p)).cloned().collect();
        for path in strange {
            self.problem(format!("{path}: not a file of the log"));
        }
    }
}

/// Entries of a full bundle: two bytes of length before each.
fn split_bundle(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (mut out, mut rest) = (Vec::new(), bytes);
    while let [high, low, after @ ..] = rest {
        let (entry, after) = after.split_at_checked(usize::from(*high) * 256 + usize::from(*low))?;
        out.push(entry);
        rest = after;
    }
    (rest.is_empty() && out.len() == WIDTH).then_some(out)
}

/// Signature and entry of a whole line of the tail.
fn split_line(line: &[u8]) -> Option<(&str, &[u8])> {
    let line = line.strip_suffix(b"\n")?;
    let space = line.iter().position(|&b| b == b' ')?;
    Some((std::str::from_utf8(line.get(..space)?).ok()?, line.get(space + 1..)?))
}

/// SHA-256 over nonce and ciphertext of a payload line, hexadecimal, if the line is whole and of event `seq`.
fn payload_hash(line: &str, seq: usize) -> Option<String> {
    let (sum, json) = line.strip_suffix('\n')?.split_once(' ')?;
    if hex::encode(digest(&[json.as_bytes()])).get(..16) != Some(sum) {
        return None;
    }
    let value: Value = serde_json::from_str(json).ok()?;
    let bytes = |name: &str| STANDARD.decode(value.get(name)?.as_str()?).ok();
    let hash = hex::encode(digest(&[&bytes("nonce")?, &bytes("ct")?]));
    (value.get("seq")?.as_u64() == Some(seq as u64)).then_some(hash)
}
