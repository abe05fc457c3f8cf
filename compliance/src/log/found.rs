//! What a check of the log returns.

use serde::{Deserialize, Serialize};

use super::hash::{Frontier, Hash};
use super::tiles::WIDTH;

/// What [`Log::verify`](super::Log::verify) found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// True if there are no problems. Gaps are no problems: the log says itself that something may be missing.
    pub ok: bool,
    /// Whole, well-formed events from the start.
    pub size: u64,
    /// Root of the tree over them, hexadecimal.
    pub root: String,
    /// The tree of the full bundles among them, from which a later check can go on.
    pub full: Checked,
    /// Signed checkpoints that were checked.
    pub checkpoints: u64,
    /// Where the log says that something may be missing or the clock was set back.
    pub gaps: Vec<Gap>,
    /// What is not as it was written.
    pub problems: Vec<Problem>,
}

/// A tree of full bundles that was found whole. Whoever keeps it must keep it from being edited, or check
/// everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Events, a multiple of 256.
    pub size: u64,
    /// Root of the tree over them, hexadecimal.
    pub root: String,
}

impl Checked {
    /// The tree of bundles whose roots are `bundles`.
    pub(super) fn of(bundles: &[Hash]) -> Self {
        let mut frontier = Frontier::default();
        bundles.iter().for_each(|root| frontier.push_subtree(WIDTH.trailing_zeros(), *root));
        Self { size: frontier.size(), root: hex::encode(frontier.root()) }
    }
}

/// A `gap` or `clock_jump` event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// Position in the log.
    pub seq: u64,
    /// `gap` or `clock_jump`.
    pub kind: String,
    /// Time, UTC.
    pub ts_utc: String,
}

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, relative to the log's folder.
    pub path: String,
    /// What is wrong.
    pub what: String,
}
