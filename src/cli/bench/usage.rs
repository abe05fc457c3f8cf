//! What child processes cost: processor time and peak memory, read from `/proc`.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::engine::proc_field;

/// Clock ticks of `/proc` in a second; a constant of Linux's interface to programs.
const TICKS_PER_SECOND: f64 = 100.0;

/// What a set of child processes cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Usage {
    /// User and system time in seconds, from the processes' start to their end.
    pub(super) cpu_seconds: f64,
    /// Peak of resident memory of each process that was seen, in KiB, and what it was seen to work on; ascending.
    pub(super) peaks_kib: Vec<(u64, String)>,
}

impl Usage {
    /// The largest peak, in MiB; 0 where the kernel does not tell.
    pub(super) fn peak_mib(&self) -> f64 {
        self.peaks_kib.last().map_or(0.0, |peak| mib(peak.0))
    }

    /// The median of the processes' peaks, in MiB.
    pub(super) fn median_mib(&self) -> f64 {
        self.peaks_kib.get(self.peaks_kib.len() / 2).map_or(0.0, |peak| mib(peak.0))
    }

    /// What processes that took more than so many MiB worked on, with those MiB; the largest first.
    pub(super) fn above_mib(&self, limit: u64) -> Vec<(String, f64)> {
        let above = self.peaks_kib.iter().rev().take_while(|(kib, _)| *kib > limit << 10);
        above.map(|(kib, work)| (work.clone(), mib(*kib))).collect()
    }
}

fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

/// Watches this process's children until it is stopped.
pub(super) struct Watch {
    before: f64,
    ended: Arc<AtomicBool>,
    work: Arc<Mutex<String>>,
    sampler: JoinHandle<HashMap<String, (u64, String)>>,
}

impl Watch {
    /// Starts to watch. Only children that start and end during the watch may run.
    pub(super) fn start() -> Watch {
        let ended = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&ended);
        let work = Arc::new(Mutex::new(String::new()));
        let at_hand = Arc::clone(&work);
        let sampler = std::thread::spawn(move || {
            let own = std::fs::read("/proc/self/cmdline").unwrap_or_default();
            let mut peaks: HashMap<String, (u64, String)> = HashMap::new();
            while !stop.load(Ordering::Relaxed) {
                for pid in children() {
                    if let Some(peak) = peak_of(&pid, &own) {
                        let work = || at_hand.lock().map(|work| work.clone()).unwrap_or_default();
                        let highest = peaks.entry(pid).or_insert_with(|| (0, work()));
                        highest.0 = peak.max(highest.0);
                    }
                }
                std::thread::sleep(Duration::from_millis(2));
            }
            peaks
        });
        Watch { before: children_seconds(), ended, work, sampler }
    }

    /// Says what the children that start from now on work on.
    pub(super) fn work_on(&self, what: &str) {
        if let Ok(mut work) = self.work.lock() {
            what.clone_into(&mut work);
        }
    }

    /// The cost since the start, of children that have ended and been waited for.
    pub(super) fn stop(self) -> Usage {
        self.ended.store(true, Ordering::Relaxed);
        let mut peaks_kib: Vec<(u64, String)> =
            self.sampler.join().unwrap_or_default().into_values().collect();
        peaks_kib.sort_unstable();
        Usage { cpu_seconds: children_seconds() - self.before, peaks_kib }
    }
}

/// Children of all threads of this process.
fn children() -> HashSet<String> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return HashSet::new() };
    let lists = tasks.flatten().filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    lists.flat_map(|l| l.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Peak memory of a process in KiB. Before a child becomes its own program it is this one: no sample then.
fn peak_of(pid: &str, own: &[u8]) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let command = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    if command.is_empty() || command == own { None } else { proc_field(&status, "VmHWM:") }
}

/// Processor time of all children that were waited for.
fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    children_ticks(&stat).map_or(0.0, |ticks| ticks as f64 / TICKS_PER_SECOND)
}

/// Fields 16 and 17 of a `stat` line (proc_pid_stat(5)); the name in field 2 may hold anything.
fn children_ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_behind_any_name() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 130 42 20 0";
        assert_eq!(children_ticks(stat), Some(172));
        assert_eq!(children_ticks("7 (a"), None);
        let peaks_kib = [1024, 2048, 60 << 10, 61 << 10, 146 << 10].map(|kib| (kib, format!("{kib}.pdf")));
        let usage = Usage { cpu_seconds: 0.0, peaks_kib: peaks_kib.into() };
        assert_eq!((usage.peak_mib(), usage.median_mib()), (146.0, 60.0));
        assert_eq!(usage.above_mib(60), [("149504.pdf".into(), 146.0), ("62464.pdf".into(), 61.0)]);
        assert_eq!((Usage::default().peak_mib(), Usage::default().above_mib(0).len()), (0.0, 0));
        assert_eq!(proc_field("Name:\tx\nVmHWM:\t  2048 kB\n", "VmHWM:"), Some(2048));
    }
}
