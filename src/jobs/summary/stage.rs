use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::RunSummary;
use crate::jobs::progress::Step;

/// What a stage of a run took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageTime {
    /// The stage.
    pub stage: Step,
    /// Time by the clock, in seconds. Files are read beside the other stages: of `read`, it is the time
    /// that the run waited for its readers.
    pub seconds: f64,
    /// Bytes per second of one reader.
    pub bytes_per_s: Option<f64>,
    /// Pages per second of one reader.
    pub pages_per_s: Option<f64>,
    /// Chunks per second.
    pub chunks_per_s: Option<f64>,
}

impl StageTime {
    /// `reading` is what the readers read, in bytes, and the time that they took together.
    pub fn new(stage: Step, time: Duration, run: &RunSummary, reading: (u64, Duration)) -> Self {
        let rate = |n: u64, time: Duration| {
            (n > 0 && !time.is_zero()).then(|| rounded(n as f64 / time.as_secs_f64()))
        };
        let is_read = stage == Step::Read;
        let of_chunks = [Step::Embed, Step::Stage, Step::Index, Step::Flush, Step::Commit].contains(&stage);
        StageTime {
            stage,
            seconds: rounded(time.as_secs_f64()),
            bytes_per_s: rate(reading.0, reading.1).filter(|_| is_read),
            pages_per_s: rate(run.pages, reading.1).filter(|_| is_read),
            chunks_per_s: rate(run.chunks, time).filter(|_| of_chunks),
        }
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_work_that_a_stage_does() {
        let run = RunSummary { pages: 30, chunks: 200, ..RunSummary::default() };
        let reading = (4_000_000, Duration::from_secs(2));
        let stage = |stage, s| StageTime::new(stage, Duration::from_secs(s), &run, reading);
        let read = stage(Step::Read, 1);
        assert_eq!((read.seconds, read.bytes_per_s, read.pages_per_s), (1.0, Some(2e6), Some(15.0)));
        assert_eq!(read.chunks_per_s, None);
        assert_eq!(stage(Step::Embed, 8).chunks_per_s, Some(25.0));
        assert_eq!(stage(Step::Scan, 8).chunks_per_s, None);
        assert_eq!(stage(Step::Embed, 0).chunks_per_s, None, "no time, no rate");
    }
}
