//! Finding and checking a mark.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::{MARK, Metadata, SIGNED, content, find, note_length};
use crate::log::{Verifier, sha256};

/// Beginning of the mark that pages carry, which nobody has signed.
const PAGE_MARK: &str = "<meta name=\"ai-generated\" content=\"";

/// What a file says of its origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum Finding {
    /// No mark.
    Nothing,
    /// A page of Dossier that was saved: it says what made the answer on it, and nobody has signed that.
    Unsigned {
        /// `model`, `extractive`, `query` or `none`.
        made_by: String,
    },
    /// A mark that cannot be read, or whose signature is of none of the keys.
    NotOurs {
        /// What is wrong with it.
        why: String,
    },
    /// A signed answer.
    Answer {
        /// What the mark says.
        metadata: Box<Metadata>,
        /// The key that signed it, by its name.
        signed_by: String,
        /// True if the file is as it was written.
        unchanged: bool,
    },
}

impl Finding {
    /// True for a signed answer that is as it was written.
    pub fn is_genuine(&self) -> bool {
        matches!(self, Self::Answer { unchanged: true, .. })
    }
}

/// Looks for a mark in the bytes of a file and checks it with the keys that a log has signed with.
pub fn detect(bytes: &[u8], keys: &[Verifier]) -> Finding {
    let Some(at) = find(bytes, MARK.as_bytes()) else { return page(bytes) };
    let after = bytes.get(at + MARK.len()..).unwrap_or_default();
    let encoded = after.get(..note_length(after)).unwrap_or_default();
    let not_ours = |why: &str| Finding::NotOurs { why: why.to_owned() };
    let Ok(note) = URL_SAFE_NO_PAD.decode(encoded) else { return not_ours("the mark is damaged") };
    let signed = keys.iter().find_map(|key| Some((key, key.open_text(&note)?)));
    let Some((key, text)) = signed else { return not_ours("the signature is of none of the keys") };
    let json = text.strip_prefix(SIGNED).and_then(|rest| rest.strip_prefix('\n'));
    let Some(metadata) = json.and_then(|json| serde_json::from_str::<Metadata>(json).ok()) else {
        return not_ours("what is signed is no answer");
    };
    let same = hex::encode(sha256(&content(bytes, metadata.format))) == metadata.content_sha256;
    let unchanged = same && all_equal(bytes, encoded);
    Finding::Answer { metadata: Box::new(metadata), signed_by: key.name().to_owned(), unchanged }
}

/// Whether every mark in the file is followed by the same note.
fn all_equal(bytes: &[u8], note: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = find(rest, MARK.as_bytes()) {
        rest = rest.get(at + MARK.len()..).unwrap_or_default();
        if rest.get(..note_length(rest)) != Some(note) {
            return false;
        }
    }
    true
}

fn page(bytes: &[u8]) -> Finding {
    let rest = find(bytes, PAGE_MARK.as_bytes()).and_then(|at| bytes.get(at + PAGE_MARK.len()..));
    let word = rest.and_then(|rest| rest.split(|&b| b == b'"').next());
    match word.and_then(|word| std::str::from_utf8(word).ok()) {
        Some(made_by @ ("model" | "extractive" | "query" | "none")) => {
            Finding::Unsigned { made_by: made_by.to_owned() }
        }
        _ => Finding::Nothing,
    }
}
