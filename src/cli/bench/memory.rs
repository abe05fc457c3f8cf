//! Memory of a process over its work, read from `/proc`.
//!
//! Resident memory falls into two parts. *Anonymous* memory is what the program asked for: buffers, caches, the
//! allocator's spare room. *Mapped files* are pages of the program, of models and of index files that the kernel holds
//! for it and takes back when anybody needs the room; they grow with the files and say nothing about a leak.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Serialize;

use crate::engine::proc_field;

/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Memory of the process after so many passages.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sample {
    chunks: u64,
    anonymous_kib: u64,
    mapped_kib: u64,
}

impl Sample {
    fn of(status: &str, chunks: u64) -> Option<Self> {
        let anonymous_kib = proc_field(status, "RssAnon:")?;
        let mapped_kib = proc_field(status, "RssFile:")? + proc_field(status, "RssShmem:")?;
        Some(Sample { chunks, anonymous_kib, mapped_kib })
    }
}

/// Memory over a run. The passages of its first third are not counted for the slope: in them caches fill and the
/// allocator finds its size.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Memory {
    /// Rise of anonymous memory over the last two thirds of the passages, by a straight line through the samples, in
    /// percent of its mean over them.
    pub(super) slope_percent: f64,
    /// The same line's rise per passage, in bytes.
    pub(super) growth_bytes_per_chunk: f64,
    /// Mean of anonymous memory over the last two thirds.
    pub(super) anonymous_mean_mib: f64,
    /// Peak of anonymous memory while passages are taken in.
    pub(super) anonymous_peak_mib: f64,
    /// Peak of anonymous memory at the end: joining, building the vector index, comparing.
    pub(super) anonymous_peak_at_end_mib: f64,
    /// Peak of mapped files.
    pub(super) mapped_peak_mib: f64,
    /// Peak of both together.
    pub(super) resident_peak_mib: f64,
}

impl Memory {
    fn of(taking_in: &[Sample], ending: &[Sample]) -> Self {
        let mib = |kib: u64| kib as f64 / 1024.0;
        let peak = |samples: &[Sample], part: fn(&Sample) -> u64| {
            mib(samples.iter().map(part).max().unwrap_or_default())
        };
        let all: Vec<Sample> = taking_in.iter().chain(ending).copied().collect();
        let line = Line::through(taking_in);
        Memory {
            slope_percent: line.rise_percent(),
            growth_bytes_per_chunk: line.slope * 1024.0,
            anonymous_mean_mib: line.mean / 1024.0,
            anonymous_peak_mib: peak(taking_in, |s| s.anonymous_kib),
            anonymous_peak_at_end_mib: peak(ending, |s| s.anonymous_kib),
            mapped_peak_mib: peak(&all, |s| s.mapped_kib),
            resident_peak_mib: peak(&all, |s| s.anonymous_kib + s.mapped_kib),
        }
    }
}

/// The line of least squares through anonymous memory over passages, in KiB; flat where there are too few samples.
#[derive(Debug, Default)]
struct Line {
    slope: f64,
    mean: f64,
    length: f64,
}

impl Line {
    fn through(samples: &[Sample]) -> Self {
        let end = samples.last().map_or(0, |s| s.chunks);
        let late: Vec<(f64, f64)> = samples
            .iter()
            .filter(|s| s.chunks * 3 >= end)
            .map(|s| (s.chunks as f64, s.anonymous_kib as f64))
            .collect();
        let n = late.len() as f64;
        let (x, y) = late.iter().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
        let spread: f64 = late.iter().map(|(a, _)| (a - x) * (a - x)).sum();
        if late.len() < 3 || spread == 0.0 {
            return Line { mean: y, ..Line::default() };
        }
        let together: f64 = late.iter().map(|(a, b)| (a - x) * (b - y)).sum();
        let length = end as f64 - late.first().map_or(0.0, |(a, _)| *a);
        Line { slope: together / spread, mean: y, length }
    }

    fn rise_percent(&self) -> f64 {
        if self.mean <= 0.0 { 0.0 } else { self.slope * self.length / self.mean * 100.0 }
    }
}

/// Looks at a process until it is stopped or ends.
pub(super) struct Watch {
    shared: Arc<Shared>,
    looker: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    chunks: AtomicU64,
    at_end: AtomicBool,
    stopped: AtomicBool,
    samples: Mutex<(Vec<Sample>, Vec<Sample>)>,
}

impl Watch {
    /// Starts to look at the process of this id.
    pub(super) fn start(pid: u32) -> Watch {
        let shared = Arc::new(Shared::default());
        let (seen, status) = (Arc::clone(&shared), PathBuf::from(format!("/proc/{pid}/status")));
        let looker = std::thread::spawn(move || {
            while !seen.stopped.load(Ordering::Relaxed) {
                let Ok(text) = std::fs::read_to_string(&status) else { break };
                // A process that has ended and was not waited for has no memory.
                let Some(sample) = Sample::of(&text, seen.chunks.load(Ordering::Relaxed)) else { break };
                let mut samples = seen.samples.lock().unwrap_or_else(PoisonError::into_inner);
                let at_end = seen.at_end.load(Ordering::Relaxed);
                if at_end {
                    samples.1.push(sample)
                } else {
                    samples.0.push(sample)
                }
                drop(samples);
                std::thread::sleep(PAUSE);
            }
        });
        Watch { shared, looker }
    }

    /// So many passages are in.
    pub(super) fn chunks(&self, chunks: u64) {
        self.shared.chunks.store(chunks, Ordering::Relaxed);
    }

    /// All passages are in; what follows is the end of the run.
    pub(super) fn at_end(&self) {
        self.shared.at_end.store(true, Ordering::Relaxed);
    }

    /// What was seen.
    pub(super) fn stop(self) -> Memory {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // A thread that panicked leaves what it had seen.
        let _ = self.looker.join();
        let samples = self.shared.samples.lock().unwrap_or_else(PoisonError::into_inner);
        Memory::of(&samples.0, &samples.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(chunks: u64, anonymous_kib: u64) -> Sample {
        Sample { chunks, anonymous_kib, mapped_kib: 0 }
    }

    #[test]
    fn the_slope_is_that_of_anonymous_memory_over_the_last_two_thirds() {
        let steady: Vec<Sample> = (0..=9).map(|n| sample(n * 10, if n < 3 { 50 } else { 1000 })).collect();
        assert_eq!(
            Memory::of(&steady, &[]).slope_percent,
            0.0,
            "what is loaded at the beginning is no slope"
        );
        // 970 KiB at 30 passages, 10 more for each ten: 1030 at 90, a rise of 60 about a mean of 1000.
        let rising: Vec<Sample> = (3..=9).map(|n| sample(n * 10, 940 + n * 10)).collect();
        let memory = Memory::of(&rising, &[]);
        assert!((memory.slope_percent - 6.0).abs() < 1e-9, "{memory:?}");
        assert!((memory.growth_bytes_per_chunk - 1024.0).abs() < 1e-9, "{memory:?}");
        assert_eq!(Memory::of(&rising[..2], &[]).slope_percent, 0.0, "two samples tell nothing");
    }

    #[test]
    fn the_end_has_a_peak_of_its_own_and_no_part_in_the_slope() {
        let status = "VmRSS:\t 9 kB\nRssAnon:\t    2048 kB\nRssFile:\t    1024 kB\nRssShmem:\t    1024 kB\n";
        let one = Sample::of(status, 5).unwrap();
        assert_eq!(one, Sample { chunks: 5, anonymous_kib: 2048, mapped_kib: 2048 });
        assert_eq!(Sample::of("State:\tZ (zombie)\n", 5), None);
        let memory = Memory::of(&[one, one, one], &[Sample { anonymous_kib: 8192, ..one }]);
        assert_eq!((memory.slope_percent, memory.anonymous_mean_mib), (0.0, 2.0));
        assert_eq!((memory.anonymous_peak_mib, memory.anonymous_peak_at_end_mib), (2.0, 8.0));
        assert_eq!((memory.mapped_peak_mib, memory.resident_peak_mib), (2.0, 10.0));
    }
}
