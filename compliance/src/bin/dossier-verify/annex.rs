//! The annex of a sheet, unpacked into a folder: its files, their signature, the events of the period and the
//! figures that follow from them.

use std::collections::HashMap;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::folder::files;
use crate::merkle::{Digest32, digest, leaf};
use crate::note::PublicKey;

/// Checks the annex in `folder`; returns how many events it has and what is wrong with it.
pub(crate) fn check(folder: &Path, key: &PublicKey) -> Result<(usize, Vec<String>), String> {
    let mut problems = Vec::new();
    let read = |name: &str| std::fs::read(folder.join(name)).map_err(|e| format!("cannot read {name}: {e}"));
    let text = |name: &str| String::from_utf8(read(name)?).map_err(|_| format!("{name} is not UTF-8"));
    let sums = text("SHA256SUMS")?;
    let stated = format!("dossier annex\n{}\n", hex::encode(digest(&[sums.as_bytes()])));
    if !key.signed_note(&stated, &text("SHA256SUMS.note")?) {
        problems
            .push("SHA256SUMS.note: the list of files is not signed by the key that was handed over".into());
    }
    listed(folder, &sums, &mut problems)?;
    let (size, root) = match key.open(&text("checkpoint")?) {
        Ok(found) => found,
        Err(why) => {
            problems.push(format!("checkpoint: {why}"));
            return Ok((0, problems));
        }
    };
    let events = text("events.jsonl")?;
    let lines: Vec<&str> = events.lines().collect();
    if !lines.is_empty() {
        let proofs = (text("first.tlog-proof")?, text("last.tlog-proof")?);
        if let Err(why) = in_tree(&lines, (&proofs.0, &proofs.1), size, &root) {
            problems.push(format!("events.jsonl: {why}"));
        }
    }
    recount(&lines, &text("report.json")?, &mut problems)?;
    Ok((lines.len(), problems))
}

/// Every file is listed with its hash, and every listed file is there.
fn listed(folder: &Path, sums: &str, problems: &mut Vec<String>) -> Result<(), String> {
    let mut there = files(folder)?;
    for name in ["SHA256SUMS", "SHA256SUMS.note"] {
        there.remove(name);
    }
    for line in sums.lines() {
        let Some((sum, name)) = line.split_once("  ") else {
            problems.push(format!("SHA256SUMS: not a line of it: {line}"));
            continue;
        };
        let bytes = there.remove(name).map(std::fs::read);
        match bytes.transpose().map_err(|e| format!("cannot read {name}: {e}"))? {
            Some(bytes) if hex::encode(digest(&[&bytes])) == sum => {}
            Some(_) => problems.push(format!("{name}: not the file that was packed")),
            None => problems.push(format!("{name}: missing")),
        }
    }
    problems.extend(there.into_keys().map(|name| format!("{name}: not a file of the annex")));
    Ok(())
}

/// A proof file: the event's number and the hashes beside its way up.
fn parse_proof(text: &str) -> Option<(usize, Vec<Digest32>)> {
    let mut lines = text.lines();
    (lines.next()? == "c2sp.org/tlog-proof@v1").then_some(())?;
    let index = lines.next()?.strip_prefix("index ")?.parse().ok()?;
    let hashes = lines.take_while(|line| !line.is_empty());
    let hashes: Option<Vec<Digest32>> = hashes.map(|l| STANDARD.decode(l).ok()?.try_into().ok()).collect();
    Some((index, hashes?))
}

/// Hashes of subtrees by their first leaf and their size.
type Known = HashMap<(usize, usize), Digest32>;

/// The events are the leaves from the first proof's number to the last one's, and give the root.
fn in_tree(lines: &[&str], proofs: (&str, &str), size: usize, root: &Digest32) -> Result<(), String> {
    let (first, before) = parse_proof(proofs.0).ok_or("first.tlog-proof is damaged")?;
    let (last, after) = parse_proof(proofs.1).ok_or("last.tlog-proof is damaged")?;
    if last < first || last - first + 1 != lines.len() || last >= size {
        return Err(format!("{} events, but the proofs are of {first} to {last}", lines.len()));
    }
    let mut leaves = Vec::with_capacity(lines.len());
    for (seq, line) in (first..).zip(lines) {
        let value: Value = serde_json::from_str(line).map_err(|_| format!("event {seq} cannot be read"))?;
        if value.get("seq").and_then(Value::as_u64) != Some(seq as u64) {
            return Err(format!("event {seq} does not say so of itself"));
        }
        leaves.push(match value.get("leaf_hash").and_then(Value::as_str) {
            Some(hash) => hex::decode(hash).ok().and_then(|h| h.try_into().ok()).ok_or("not a hash")?,
            None => leaf(line.as_bytes()),
        });
    }
    let mut known = Known::new();
    beside(&mut known, first, before, size).ok_or("first.tlog-proof has the wrong length")?;
    beside(&mut known, last, after, size).ok_or("last.tlog-proof has the wrong length")?;
    let found = subtree(0, size, first, &leaves, &known);
    if found.as_ref() == Some(root) {
        Ok(())
    } else {
        Err("the events are not those of the signed tree".into())
    }
}

/// Notes the hashes of a proof under the subtrees that they are of.
fn beside(known: &mut Known, seq: usize, mut hashes: Vec<Digest32>, size: usize) -> Option<()> {
    let (mut start, mut n) = (0, size);
    while n > 1 {
        let left = 1 << (n - 1).ilog2();
        // The last hash of the proof is the one nearest to the root.
        let hash = hashes.pop()?;
        if seq < start + left {
            known.insert((start + left, n - left), hash);
            n = left;
        } else {
            known.insert((start, left), hash);
            (start, n) = (start + left, n - left);
        }
    }
    hashes.is_empty().then_some(())
}

/// Hash of the subtree of `n` leaves from `start` on.
fn subtree(start: usize, n: usize, first: usize, leaves: &[Digest32], known: &Known) -> Option<Digest32> {
    let end = first + leaves.len();
    if start >= end || start + n <= first {
        return known.get(&(start, n)).copied();
    }
    if n == 1 {
        return leaves.get(start - first).copied();
    }
    let left = 1 << (n - 1).ilog2();
    let (a, b) =
        (subtree(start, left, first, leaves, known)?, subtree(start + left, n - left, first, leaves, known)?);
    Some(digest(&[&[1], &a, &b]))
}

/// The figures of the report are what its own queries count.
fn recount(lines: &[&str], report: &str, problems: &mut Vec<String>) -> Result<(), String> {
    let report: Value = serde_json::from_str(report).map_err(|e| format!("report.json: {e}"))?;
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (from, to) = (text(&report, "from"), text(&report, "to"));
    let events: Vec<(String, String)> = lines
        .iter()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|e| (from.as_str()..to.as_str()).contains(&text(e, "ts_utc").as_str()))
        .map(|e| (text(&e, "kind"), text(&e, "outcome")))
        .collect();
    for query in report.get("queries").and_then(Value::as_array).into_iter().flatten() {
        let list = |name: &str| -> Vec<&str> {
            query
                .get(name)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect()
        };
        let (kinds, outcomes) = (list("kinds"), list("outcomes"));
        let fits = |pattern: &&str, outcome: &str| match pattern.strip_suffix('*') {
            Some(start) => outcome.starts_with(start),
            None => outcome == *pattern,
        };
        let counts = |(kind, outcome): &&(String, String)| {
            kinds.contains(&kind.as_str())
                && (outcomes.is_empty() || outcomes.iter().any(|p| fits(p, outcome)))
        };
        let found = events.iter().filter(counts).count() as u64;
        if query.get("count").and_then(Value::as_u64) != Some(found) {
            problems
                .push(format!("report.json: {} counts {found} events, not what it says", text(query, "id")));
        }
    }
    Ok(())
}
