//! What the log asks of a witness: the body of an `add-checkpoint` request of C2SP `tlog-witness`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::log::Hash;

/// Most hashes of a proof.
const MAX_PROOF: usize = 63;

/// A checkpoint, and the proof that the tree only grew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Size that the witness is believed to have seen last; 0 for none.
    pub old: u64,
    /// Consistency proof from there to the checkpoint (RFC 6962, 2.1.2).
    pub proof: Vec<Hash>,
    /// The checkpoint as the log signed it.
    pub checkpoint: String,
}

impl Request {
    /// As it is written into a file.
    pub fn to_text(&self) -> String {
        let hashes: String = self.proof.iter().map(|h| STANDARD.encode(h) + "\n").collect();
        format!("old {}\n{hashes}\n{}", self.old, self.checkpoint)
    }

    /// Size that the checkpoint states.
    pub fn size(&self) -> Option<u64> {
        self.checkpoint.lines().nth(1)?.parse().ok()
    }

    /// Reads what [`to_text`](Self::to_text) wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let (head, checkpoint) = text.split_once("\n\n")?;
        let mut lines = head.lines();
        let old = lines.next()?.strip_prefix("old ")?.parse().ok()?;
        let hash = |line: &str| STANDARD.decode(line).ok()?.try_into().ok();
        let proof: Vec<Hash> = lines.map(hash).collect::<Option<_>>()?;
        (proof.len() <= MAX_PROOF).then(|| Self { old, proof, checkpoint: checkpoint.to_owned() })
    }
}
