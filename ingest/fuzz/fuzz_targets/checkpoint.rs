//! The log's small formats: public keys, signed checkpoints, envelopes, events, proofs.
#![no_main]

use compliance::event::Event;
use compliance::log::{Envelope, Hash, Verifier, check_consistency, check_inclusion, leaf_hash, node_hash};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, rest)) = bytes.split_first() else { return };
    match which % 4 {
        0 => note(rest),
        1 => envelope(rest),
        2 => event(rest),
        _ => proofs(rest),
    }
});

/// The key, an empty line, the note.
fn note(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (key, note) = text.split_once("\n\n").unwrap_or((&text, ""));
    let Some(verifier) = Verifier::from_vkey(key) else { return };
    assert_eq!(Verifier::from_vkey(&verifier.to_vkey()), Some(verifier.clone()));
    if let Ok((size, root)) = verifier.open(note.as_bytes()) {
        assert!(note.contains(&size.to_string()) && root.len() == 32);
    }
}

fn envelope(bytes: &[u8]) {
    let Ok(envelope) = serde_json::from_slice::<Envelope>(bytes) else { return };
    let canonical = serde_json::to_vec(&envelope).expect("an envelope is JSON");
    let again: Envelope = serde_json::from_slice(&canonical).expect("and comes back");
    assert_eq!(again, envelope);
    assert_eq!(serde_json::to_vec(&again).expect("as before"), canonical);
}

fn event(bytes: &[u8]) {
    let Ok(event) = serde_json::from_slice::<Event>(bytes) else { return };
    let json = serde_json::to_vec(&event).expect("an event is JSON");
    assert_eq!(serde_json::from_slice::<Event>(&json).expect("and comes back"), event);
    assert!(compliance::event::KINDS.contains(&event.kind()));
}

/// Sizes of two trees and a position, then hashes. A proof that holds says the right root.
fn proofs(bytes: &[u8]) {
    let Some((numbers, hashes)) = bytes.split_first_chunk::<24>() else { return };
    let (numbers, _) = numbers.as_chunks::<8>();
    let number = |at: usize| numbers.get(at).map_or(0, |n| u64::from_le_bytes(*n));
    let (hashes, _) = hashes.as_chunks::<32>();
    let proof: &[Hash] = hashes.get(2..).unwrap_or_default();
    let (root, leaf) =
        (hashes.first().copied().unwrap_or_default(), hashes.get(1).copied().unwrap_or_default());
    let (size, old, seq) = (number(0), number(1), number(2));
    if check_inclusion(proof, size, &root, seq, &leaf) {
        assert!(seq < size);
        let mut other = leaf;
        other[0] ^= 1;
        assert!(!check_inclusion(proof, size, &root, seq, &other), "a proof of two leaves");
    }
    let _ = check_consistency(proof, (old, &leaf), (size, &root));
    let pair = node_hash(&leaf, &leaf_hash(bytes));
    assert!(check_inclusion(&[leaf_hash(bytes)], 2, &pair, 0, &leaf), "a tree of two leaves");
}
