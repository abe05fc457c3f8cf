//! Helper threads that wait for short jobs.
//!
//! A decoding step has some hundreds of parallel sections of a few microseconds each, so helpers spin for a
//! while before they sleep, and the caller never waits for a helper that has not begun: it works through the
//! tasks itself and then waits only for helpers that are inside one. On a busy machine a job is therefore never
//! slower than on one thread.

use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;

/// How often a helper looks for work before it sleeps; some 50 microseconds.
const SPINS: usize = 2_000;

/// A parallel section: tasks 0 to `count`, each run once by some thread.
#[derive(Clone, Copy)]
struct Job {
    run: *const (dyn Fn(usize) + Sync),
    count: usize,
}

struct Shared {
    /// Written only by the caller that holds `Pool::turn`, while `open` is false and `inside` is 0.
    job: UnsafeCell<Option<Job>>,
    /// Whether helpers may enter the job.
    open: AtomicBool,
    /// Helpers that are, or are about to find out whether they may be, in the job.
    inside: AtomicUsize,
    /// The next task to take.
    next: AtomicUsize,
    /// Counts jobs, so that a helper enters each once.
    epoch: AtomicUsize,
    /// Helpers that sleep.
    asleep: AtomicUsize,
    panicked: AtomicBool,
    stop: AtomicBool,
    lock: Mutex<()>,
    wake: Condvar,
}

// SAFETY: `job` is the only field that is not already Sync. It is written while no helper can read it (`open` is
// false and `inside` is 0, see `Pool::run`), read only by helpers that raised `inside` and then saw `open`, and
// the closure that it points to is Sync.
unsafe impl Sync for Shared {}
// SAFETY: the raw pointer in `job` is only followed under the rules above, from whichever thread.
unsafe impl Send for Shared {}

/// The helper threads of one [`super::Cpu`].
pub(crate) struct Pool {
    shared: Arc<Shared>,
    turn: Mutex<()>,
    helpers: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({} threads)", self.threads())
    }
}

impl Pool {
    /// `threads - 1` helpers; fewer where the system refuses to start them.
    pub(crate) fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared {
            job: UnsafeCell::new(None),
            open: AtomicBool::new(false),
            inside: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            epoch: AtomicUsize::new(0),
            asleep: AtomicUsize::new(0),
            panicked: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            lock: Mutex::new(()),
            wake: Condvar::new(),
        });
        let helpers = (1..threads.max(1)).map_while(|i| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name(format!("kernels-{i}")).spawn(move || shared.help()).ok()
        });
        let helpers = helpers.collect();
        Self { shared, turn: Mutex::new(()), helpers }
    }

    pub(crate) fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// The right to use the helpers for `count` tasks, unless another caller has it.
    fn turn(&self, count: usize) -> Option<MutexGuard<'_, ()>> {
        if count < 2 || self.helpers.is_empty() {
            return None;
        }
        match self.turn.try_lock() {
            Ok(turn) => Some(turn),
            // A task panicked on the caller's thread. `Close` has put the state in order.
            Err(TryLockError::Poisoned(turn)) => Some(turn.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Runs `task(0)` to `task(count - 1)`, each once, and returns when all are done. Panics where a task does.
    pub(crate) fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let Some(_turn) = self.turn(count) else {
            (0..count).for_each(task);
            return;
        };
        let shared = &*self.shared;
        // SAFETY: only the lifetime is erased. Helpers follow the pointer only while they count as `inside` a
        // job that is `open`, and `Close` ends the job and waits for `inside` = 0 before `task` goes out of scope,
        // on return as on panic.
        let run =
            unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), *const (dyn Fn(usize) + Sync)>(task) };
        // SAFETY: we hold `turn`, `open` is false and no helper is past its look at `open` (the last job's `Close`
        // waited for that), so nobody reads the cell.
        unsafe { *shared.job.get() = Some(Job { run, count }) };
        shared.next.store(0, SeqCst);
        {
            let _close = Close(shared);
            shared.open.store(true, SeqCst);
            shared.epoch.fetch_add(1, SeqCst);
            if shared.asleep.load(SeqCst) > 0 {
                drop(shared.guard());
                shared.wake.notify_all();
            }
            loop {
                let i = shared.next.fetch_add(1, SeqCst);
                if i >= count {
                    break;
                }
                task(i);
            }
        }
        assert!(!shared.panicked.swap(false, SeqCst), "a task of a parallel section panicked");
    }
}

/// Ends a job: no helper enters any more, and those inside are waited for.
struct Close<'a>(&'a Shared);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.open.store(false, SeqCst);
        let mut spins = 0usize;
        while self.0.inside.load(SeqCst) > 0 {
            spins += 1;
            if spins.is_multiple_of(SPINS) {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }
}

impl Shared {
    fn guard(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn help(&self) {
        let mut seen = 0;
        while self.wait(&mut seen) {
            self.inside.fetch_add(1, SeqCst);
            if self.open.load(SeqCst) {
                // SAFETY: `inside` was raised before `open` was seen true, so the caller waits for us in `Close`
                // before it changes the cell again.
                if let Some(job) = unsafe { *self.job.get() } {
                    self.work(job);
                }
            }
            self.inside.fetch_sub(1, SeqCst);
        }
    }

    fn work(&self, job: Job) {
        // SAFETY: as in `help`: the closure outlives our stay inside the job.
        let task = unsafe { &*job.run };
        let done = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let i = self.next.fetch_add(1, SeqCst);
                if i >= job.count {
                    return;
                }
                task(i);
            }
        }));
        if done.is_err() {
            self.panicked.store(true, SeqCst);
        }
    }

    /// Waits for a job that was not seen yet; false when the pool ends.
    fn wait(&self, seen: &mut usize) -> bool {
        for _ in 0..SPINS {
            if self.news(seen) {
                return !self.stop.load(SeqCst);
            }
            std::hint::spin_loop();
        }
        self.asleep.fetch_add(1, SeqCst);
        let mut guard = self.guard();
        while !self.news(seen) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        drop(guard);
        self.asleep.fetch_sub(1, SeqCst);
        !self.stop.load(SeqCst)
    }

    fn news(&self, seen: &mut usize) -> bool {
        let epoch = self.epoch.load(SeqCst);
        let news = epoch != *seen;
        *seen = epoch;
        news
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, SeqCst);
        self.shared.epoch.fetch_add(1, SeqCst);
        drop(self.shared.guard());
        self.shared.wake.notify_all();
        for helper in self.helpers.drain(..) {
            // A helper catches the panics of its tasks, so it ends in order.
            let _ = helper.join();
        }
    }
}

/// A slice that several tasks write to, each at its own places.
pub(crate) struct Shares<'a, T> {
    start: *mut T,
    len: usize,
    _borrow: std::marker::PhantomData<&'a mut [T]>,
}

// SAFETY: only `part` gives access, and its caller promises that parts do not overlap, so sharing it sends `T`s.
unsafe impl<T: Send> Sync for Shares<'_, T> {}

impl<'a, T> Shares<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), _borrow: std::marker::PhantomData }
    }

    /// The part of `len` values from `offset`. Panics where it would leave the slice.
    ///
    /// # Safety
    /// No two parts that are alive at the same time may overlap.
    #[allow(clippy::mut_from_ref, reason = "the parts are disjoint, as the caller promises")]
    pub(crate) unsafe fn part(&self, offset: usize, len: usize) -> &mut [T] {
        assert!(offset <= self.len && len <= self.len - offset, "a part outside of its slice");
        // SAFETY: the range lies inside of the borrowed slice (checked above), which outlives `self`; that nobody
        // else has it is the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(offset), len) }
    }
}

impl Pool {
    /// Cuts `data` into chunks of `width` values (the last may be shorter) and runs `f(index, chunk)` for each;
    /// `grain` chunks make a task.
    pub(crate) fn chunks<T: Send>(
        &self,
        data: &mut [T],
        width: usize,
        grain: usize,
        f: impl Fn(usize, &mut [T]) + Sync,
    ) {
        if data.is_empty() || width == 0 {
            return;
        }
        let (len, grain) = (data.len(), grain.max(1));
        let count = len.div_ceil(width);
        let shares = Shares::new(data);
        self.run(count.div_ceil(grain), &|task| {
            for i in task * grain..count.min((task + 1) * grain) {
                let offset = i * width;
                // SAFETY: each chunk index belongs to one task and each task runs once.
                f(i, unsafe { shares.part(offset, width.min(len - offset)) });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_each_task_once() {
        for threads in [1, 2, 5] {
            let pool = Pool::new(threads);
            for count in [0, 1, 2, 3, 100] {
                let hits: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                pool.run(count, &|i| {
                    hits[i].fetch_add(1, SeqCst);
                });
                assert!(hits.iter().all(|h| h.load(SeqCst) == 1), "{threads} threads, {count} tasks");
            }
        }
    }

    #[test]
    fn many_short_jobs_from_several_callers() {
        let pool = Pool::new(3);
        std::thread::scope(|scope| {
            for caller in 0..3 {
                let pool = &pool;
                scope.spawn(move || {
                    for round in 0..2_000 {
                        let mut out = vec![0usize; 37];
                        pool.chunks(&mut out, 5, 1, |i, c| {
                            c.iter_mut().for_each(|v| *v = i + caller + round)
                        });
                        let right = out.iter().enumerate().all(|(j, &v)| v == j / 5 + caller + round);
                        assert!(right, "caller {caller}, round {round}");
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_survives() {
        let pool = Pool::new(2);
        let result = catch_unwind(AssertUnwindSafe(|| pool.run(50, &|i| assert!(i != 7, "seven"))));
        assert!(result.is_err());
        let sum = AtomicUsize::new(0);
        pool.run(10, &|i| {
            sum.fetch_add(i, SeqCst);
        });
        assert_eq!(sum.load(SeqCst), 45);
    }
}
