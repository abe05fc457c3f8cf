//! Opening a model beside reading its file; its memory beside the plan.

use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::super::middle;
use super::text::report;
use super::{Bench, Failure, Report, complete};
use crate::engine::{Generator, MemoryPlan, MemoryUse, PreparedModel, ServeOptions, anonymous_memory};

#[derive(serde::Serialize)]
struct Figures {
    file_bytes: u64,
    read_ms: f64,
    open_ms: f64,
    /// Until the first token of a short prompt, the opening included.
    first_token_ms: f64,
    runs: usize,
    plan: MemoryPlan,
    planned_bytes: usize,
    /// Anonymous memory at most, while everything was in use.
    measured_bytes: Option<usize>,
    opened_bytes: Option<usize>,
}

pub(super) fn run(bench: &Bench<'_>, context: usize) -> Result<Report, Failure> {
    let options = ServeOptions { threads: bench.threads, context_tokens: context, ..ServeOptions::default() };
    let (mut read, mut open, mut first) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..bench.runs {
        bench.out.note(format!("round {} of {}", round + 1, bench.runs));
        read.push(read_file(bench)?);
        let start = Instant::now();
        let model = Generator::open_with(bench.model, &options)?;
        open.push(ms(start.elapsed()));
        complete(&model, "The wall", 1)?;
        first.push(ms(start.elapsed()));
    }
    let plan = PreparedModel::open(bench.model)?.plan_answers(&options)?;
    let before = anonymous_memory();
    let model = Generator::open_with(bench.model, &options)?;
    let opened = anonymous_memory();
    bench.out.note("filling everything that was planned");
    let most = peak(|| fill(&model, &plan))?;
    let since = |bytes: Option<usize>| Some(bytes?.saturating_sub(before?));
    let figures = Figures {
        file_bytes: model.info().file_bytes,
        read_ms: middle(read),
        open_ms: middle(open),
        first_token_ms: middle(first),
        runs: bench.runs,
        planned_bytes: plan.total(),
        plan,
        measured_bytes: since(most),
        opened_bytes: since(opened),
    };
    bench.report(&model, lines(&figures), &figures)
}

fn lines(f: &Figures) -> Vec<String> {
    let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
    let mut lines = vec![format!(
        "file of {:.0} MB read in {:.0} ms; opened in {:.0} ms, {:.0} ms more; first token after {:.0} ms",
        f.file_bytes as f64 / 1e6,
        f.read_ms,
        f.open_ms,
        f.open_ms - f.read_ms,
        f.first_token_ms
    )];
    lines.extend(f.plan.parts.iter().map(|p| format!("  {:<16} {:>9.1} MiB", p.what.name(), mib(p.bytes))));
    lines.push(format!("  {:<16} {:>9.1} MiB planned", "all", mib(f.planned_bytes)));
    if let (Some(measured), Some(opened)) = (f.measured_bytes, f.opened_bytes) {
        let off = (measured as f64 / f.planned_bytes as f64 - 1.0) * 100.0;
        lines.push(format!(
            "  {:<16} {:>9.1} MiB held at most ({off:+.1} %), {:.1} MiB when opened",
            "",
            mib(measured),
            mib(opened)
        ));
    }
    lines
}

/// Milliseconds for reading the file once, piece by piece.
fn read_file(bench: &Bench<'_>) -> Result<f64, Failure> {
    let mut piece = vec![1u8; 1 << 20];
    let start = Instant::now();
    let mut file = File::open(bench.model)?;
    while file.read(&mut piece)? > 0 {}
    Ok(ms(start.elapsed()))
}

/// Earlier prompts up to their budget, then answers as long as they may become, as many as there is room for.
fn fill(model: &Generator, plan: &MemoryPlan) -> Result<(), Failure> {
    let context = model.context_tokens();
    let (mut seed, mut kept) = (0, 0);
    while kept < plan.bytes(MemoryUse::EarlierPrompts) {
        complete(model, &report(model, seed, context - 8), 1)?;
        seed += 1;
        // The scheduler counts what it keeps after it has handed out the answer.
        std::thread::sleep(Duration::from_millis(50));
        let now = model.prefix_stats().bytes;
        if now <= kept {
            break;
        }
        kept = now;
    }
    // The room is that of two contexts.
    let streams = ServeOptions::default().max_streams;
    let share = 2 * context / streams;
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..streams)
            .map(|i| {
                let text = format!("{}{}", 100 + i, " a".repeat(share / 2));
                let most = share.saturating_sub(model.count_tokens(&text) + 1).max(1);
                scope.spawn(move || complete(model, &text, most))
            })
            .collect();
        writers.into_iter().try_for_each(|writer| match writer.join() {
            Ok(done) => done.map(drop),
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

/// The most that is held while `work` runs.
fn peak(work: impl FnOnce() -> Result<(), Failure>) -> Result<Option<usize>, Failure> {
    let (most, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                most.fetch_max(anonymous_memory().unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })?;
    Ok(Some(most.into_inner()).filter(|bytes| *bytes > 0))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
