//! The events of a period, and the proof that they are in the signed tree, all of them and in this order.
//!
//! The inclusion proofs of the first and of the last event hold the hashes of everything before and after; with
//! the events between, the root follows. An event that was removed by the rules of retention is represented by
//! its hash.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{AnnexError, Extra, csv};
use crate::log::{Envelope, Log, LogError};
use crate::report::Figures;

pub(super) fn files(log: &Log, figures: &Figures) -> Result<Vec<Extra>, AnnexError> {
    let mut files = log.anchor_files()?;
    let note = log.newest_note()?;
    let (size, _) = log.verifier_at_newest().open(&note).map_err(LogError::Anchor)?;
    let counted = size.min(figures.integrity.size);
    let (from, to) = (crate::log::format_time(figures.from), crate::log::format_time(figures.to));
    let mut events = String::new();
    let mut envelopes: Vec<Envelope> = Vec::new();
    let (mut first, mut next) = (0, 0);
    log.envelopes(0, |envelope| {
        if envelope.ts_utc >= to || envelope.seq >= counted {
            // A clock that was set back may bring more of the period.
            return Ok(envelope.seq < counted);
        }
        if envelope.ts_utc >= from {
            if envelopes.is_empty() {
                (first, next) = (envelope.seq, envelope.seq);
            }
            fill(log, &mut events, next..envelope.seq)?;
            events.push_str(&leaf(&envelope)?);
            next = envelope.seq + 1;
            envelopes.push(envelope);
        }
        Ok(true)
    })?;
    files.push(("events.csv".into(), csv(&envelopes).into_bytes()));
    files.push(("events.jsonl".into(), events.into_bytes()));
    if !envelopes.is_empty() {
        let proof = |seq| proof(log, seq, size, &note);
        files.push(("first.tlog-proof".into(), proof(first)?));
        files.push(("last.tlog-proof".into(), proof(next - 1)?));
    }
    files.push(("checkpoint".into(), note));
    Ok(files)
}

/// Lines for events that are not of the period or not there any more: their hashes.
fn fill(log: &Log, events: &mut String, gap: std::ops::Range<u64>) -> Result<(), LogError> {
    for seq in gap {
        let hash = hex::encode(log.leaf_hash_of(seq)?);
        events.push_str(&format!("{{\"seq\":{seq},\"leaf_hash\":\"{hash}\"}}\n"));
    }
    Ok(())
}

fn leaf(envelope: &Envelope) -> Result<String, LogError> {
    // The canonical form is what the serializer writes: these are the bytes of the leaf.
    serde_json::to_string(envelope).map(|line| line + "\n").map_err(|e| LogError::Prepare(e.to_string()))
}

/// A proof in the form of C2SP `tlog-proof`.
fn proof(log: &Log, seq: u64, size: u64, note: &[u8]) -> Result<Vec<u8>, LogError> {
    let hashes = log.prove_inclusion_in(size, seq)?;
    let lines: String = hashes.iter().map(|h| STANDARD.encode(h) + "\n").collect();
    let mut out = format!("c2sp.org/tlog-proof@v1\nindex {seq}\n{lines}\n").into_bytes();
    out.extend(note);
    Ok(out)
}
