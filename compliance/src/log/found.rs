//! What a check of the log returns.

use serde::Serialize;

/// What [`Log::verify`](super::Log::verify) found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// True if there are no problems. Gaps are no problems: the log says itself that something may be missing.
    pub ok: bool,
    /// Whole, well-formed events from the start.
    pub size: u64,
    /// Root of the tree over them, hexadecimal.
    pub root: String,
    /// Signed checkpoints that were checked.
    pub checkpoints: u64,
    /// Where the log says that something may be missing or the clock was set back.
    pub gaps: Vec<Gap>,
    /// What is not as it was written.
    pub problems: Vec<Problem>,
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
