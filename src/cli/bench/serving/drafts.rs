//! Tokens per second with guesses and without, in turn.

use std::ops::ControlFlow;

use super::super::middle;
use super::text::sentence;
use super::{Bench, Failure, Report};
use crate::engine::{GenerateOptions, Generation, Generator, ServeOptions};

/// Tokens of an answer.
const ANSWER: usize = 200;

#[derive(serde::Serialize)]
struct Row {
    what: &'static str,
    with_per_s: f64,
    without_per_s: f64,
    ratio: f64,
    completion_tokens: usize,
}

#[derive(serde::Serialize)]
struct Figures {
    rows: Vec<Row>,
    runs: usize,
}

pub(super) fn run(bench: &Bench<'_>) -> Result<Report, Failure> {
    let open = |drafts| {
        bench.open(ServeOptions {
            context_tokens: 2048,
            prefix_bytes: 256 << 20,
            drafts,
            ..ServeOptions::default()
        })
    };
    let (with, without) = (open(true)?, open(false)?);
    let sources: String = (0..24).map(|i| sentence(i * 7)).collect();
    let begun: String = sentence(0) + &sentence(7);
    let prompts = [
        ("quotes its sources", format!("Sources:\n{sources}\n\nThe sources, word for word:\n{begun}")),
        (
            "does not quote",
            format!(
                "Sources:\n{sources}\n\nA letter to the town council, in other words:\nDear Sir or Madam, I am writing to"
            ),
        ),
    ];
    let greedy = GenerateOptions { max_tokens: ANSWER, ..GenerateOptions::default() };
    // A small model that always takes the likeliest word soon repeats itself, which is quoting too.
    let drawn = GenerateOptions { temperature: 1.0, seed: 7, ..greedy.clone() };
    let mut rows = Vec::new();
    for ((what, prompt), options) in prompts.iter().zip([greedy, drawn]) {
        rows.push(row(bench, what, (prompt, &options), &with, &without)?);
    }
    let lines = rows
        .iter()
        .map(|r| {
            format!(
                "{:<20} {:>8.1} tokens/s with guesses, {:>8.1} without: {:.2} times ({} tokens)",
                r.what, r.with_per_s, r.without_per_s, r.ratio, r.completion_tokens
            )
        })
        .collect();
    bench.report(&with, lines, &Figures { rows, runs: bench.runs })
}

fn row(
    bench: &Bench<'_>,
    what: &'static str,
    (prompt, options): (&str, &GenerateOptions),
    with: &Generator,
    without: &Generator,
) -> Result<Row, Failure> {
    let (mut fast, mut slow, mut tokens) = (Vec::new(), Vec::new(), 0);
    // The first round reads the prompt; later ones take it over.
    for round in 0..=bench.runs {
        bench.out.note(format!("{what}: round {round} of {}", bench.runs));
        let (a, b) = (answer(with, prompt, options)?, answer(without, prompt, options)?);
        if a.text != b.text {
            return Err(Failure::failed("the answers differ with and without guesses"));
        }
        if round > 0 {
            fast.push(rate(&a));
            slow.push(rate(&b));
        }
        tokens = a.completion_tokens;
    }
    let (with_per_s, without_per_s) = (middle(fast), middle(slow));
    Ok(Row { what, with_per_s, without_per_s, ratio: with_per_s / without_per_s, completion_tokens: tokens })
}

fn answer(model: &Generator, prompt: &str, options: &GenerateOptions) -> Result<Generation, Failure> {
    Ok(model.complete(prompt, options, &mut |_| ControlFlow::Continue(()))?)
}

/// Tokens per second after the first.
fn rate(done: &Generation) -> f64 {
    let ms = done.elapsed_ms.saturating_sub(done.first_token_ms).max(1);
    done.completion_tokens.saturating_sub(1) as f64 * 1000.0 / ms as f64
}
