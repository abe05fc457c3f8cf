//! When the first text went out and how long it all took.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A stopwatch that a generating thread and the asking task share.
#[derive(Debug)]
pub(super) struct Clock {
    started: Instant,
    first: OnceLock<Duration>,
}

impl Clock {
    /// Starts now.
    pub(super) fn start() -> Self {
        Clock { started: Instant::now(), first: OnceLock::new() }
    }

    /// Notes the first visible text; later calls change nothing.
    pub(super) fn text_goes_out(&self) {
        self.first.get_or_init(|| self.started.elapsed());
    }

    /// Milliseconds to the first text, if there was one.
    pub(super) fn first_ms(&self) -> Option<u64> {
        self.first.get().map(|d| millis(*d))
    }

    /// Milliseconds since the start.
    pub(super) fn elapsed_ms(&self) -> u64 {
        millis(self.started.elapsed())
    }
}

fn millis(d: Duration) -> u64 {
    u64::try_from(d.as_millis()).unwrap_or(u64::MAX)
}
