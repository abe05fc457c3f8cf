//! The events since the last full bundle.
//!
//! One line per event: an Ed25519 signature in base64, a space, the envelope. The signature is over the
//! checkpoint of the tree that ends with this event, so that every event is signed the moment it is written
//! and an auditor with the public key can check the newest ones too.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::chain::KeyChain;
use super::envelope::Envelope;
use super::hash::{Frontier, leaf_hash};
use super::tiles::index_path;

/// Path of the tail that becomes bundle `n`.
pub(crate) fn tail_path(n: u64) -> String {
    format!("tail/{}", index_path(n))
}

/// A line of the tail, with its newline.
pub(crate) fn to_line(leaf: &[u8], signature: &[u8; 64]) -> Vec<u8> {
    let mut line = STANDARD.encode(signature).into_bytes();
    line.push(b' ');
    line.extend(leaf);
    line.push(b'\n');
    line
}

/// The good part of a tail.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// The leaves, in order.
    pub(crate) leaves: Vec<Vec<u8>>,
    /// The same, read.
    pub(crate) envelopes: Vec<Envelope>,
    /// Bytes that the good lines take.
    pub(crate) good: usize,
    /// What is wrong with the line after them, if there is one.
    pub(crate) problem: Option<String>,
}

/// Reads `bytes` as the continuation of `frontier` until the first line that is not whole, not signed or not
/// in sequence. A change of the signing key among the events is followed. `each` is told the tree after every good line.
pub(crate) fn parse(
    bytes: &[u8],
    frontier: &mut Frontier,
    chain: &mut KeyChain,
    mut each: impl FnMut(&Frontier),
) -> Tail {
    let mut tail = Tail::default();
    while let Some(rest) = bytes.get(tail.good..).filter(|r| !r.is_empty()) {
        let Some(end) = rest.iter().position(|&b| b == b'\n') else {
            tail.problem = Some("the last line is not finished".into());
            break;
        };
        match parse_line(rest.get(..end).unwrap_or_default(), frontier, chain) {
            Ok((leaf, envelope)) => {
                each(frontier);
                tail.leaves.push(leaf.to_vec());
                tail.envelopes.push(envelope);
                tail.good += end + 1;
            }
            Err(problem) => {
                tail.problem = Some(format!("event {}: {problem}", frontier.size()));
                break;
            }
        }
    }
    tail
}

fn parse_line<'a>(
    line: &'a [u8],
    frontier: &mut Frontier,
    chain: &mut KeyChain,
) -> Result<(&'a [u8], Envelope), String> {
    let space = line.iter().position(|&b| b == b' ').ok_or("no signature")?;
    let (signature, leaf) = line.split_at(space);
    let leaf = leaf.get(1..).unwrap_or_default();
    let signature = STANDARD.decode(signature).map_err(|_| "the signature is not base64")?;
    let mut next = frontier.clone();
    next.push(leaf_hash(leaf));
    if !chain.at(next.size()).checks(next.size(), &next.root(), &signature) {
        return Err("the signature does not fit".into());
    }
    let envelope = Envelope::from_leaf(leaf)?;
    if envelope.seq != frontier.size() {
        return Err(format!("it says that it is event {}", envelope.seq));
    }
    if !chain.follow(&envelope) {
        return Err("it names no key of this log".into());
    }
    *frontier = next;
    Ok((leaf, envelope))
}
