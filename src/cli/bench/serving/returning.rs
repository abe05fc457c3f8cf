//! The first token of a new question in a long conversation, beside that of the whole conversation read anew.

use super::super::middle;
use super::text::{report, sentence};
use super::{Bench, Failure, Report, complete};
use crate::engine::{GenerateOptions, ServeOptions};

/// Tokens of the answers in between.
const ANSWER: usize = 32;
/// Tokens of the new question.
const QUESTION: usize = 30;

#[derive(serde::Serialize)]
struct Figures {
    conversation_tokens: usize,
    question_tokens: usize,
    /// First token of the conversation when nothing of it is known.
    cold_ms: f64,
    /// First token of the new question.
    returning_ms: f64,
    share: f64,
    /// Tokens that were computed for it.
    computed_tokens: usize,
    /// Other conversations in between.
    others: usize,
    runs: usize,
}

pub(super) fn run(bench: &Bench<'_>, tokens: usize) -> Result<Report, Failure> {
    const OTHERS: usize = 2;
    let context = tokens + 4 * (ANSWER + QUESTION) + 64;
    let model = bench.open(ServeOptions {
        context_tokens: context,
        prefix_bytes: 2 << 30,
        ..ServeOptions::default()
    })?;
    let (mut cold, mut back, mut computed, mut read) = (Vec::new(), Vec::new(), 0, 0);
    for round in 0..bench.runs {
        bench.out.note(format!("round {} of {}", round + 1, bench.runs));
        let mut conversation = report(&model, 1000 + round, tokens);
        let first = timed(&model, &conversation)?;
        cold.push(first.1);
        read = first.0.prompt_tokens;
        conversation.push_str(&first.0.text);
        for other in 0..OTHERS {
            complete(&model, &report(&model, 5000 + 10 * round + other, 512), 4)?;
        }
        let mut question = String::from("\n");
        for i in round.. {
            let next = sentence(i);
            if model.count_tokens(&question) + model.count_tokens(&next) > QUESTION {
                break;
            }
            question.push_str(&next);
        }
        while model.count_tokens(&question) < QUESTION {
            question.push_str(" a");
        }
        conversation.push_str(&question);
        let (again, ms) = timed(&model, &conversation)?;
        back.push(ms);
        computed = again.prompt_tokens - again.cached_tokens;
    }
    let (cold_ms, returning_ms) = (middle(cold), middle(back));
    let figures = Figures {
        conversation_tokens: read,
        question_tokens: QUESTION,
        cold_ms,
        returning_ms,
        share: returning_ms / cold_ms,
        computed_tokens: computed,
        others: OTHERS,
        runs: bench.runs,
    };
    let lines = vec![
        format!("conversation of {read} tokens: first token after {cold_ms:.0} ms"),
        format!(
            "back to it after {OTHERS} others with a question of {QUESTION} tokens: {returning_ms:.1} ms, {:.2} % ({computed} tokens computed)",
            figures.share * 100.0
        ),
    ];
    bench.report(&model, lines, &figures)
}

/// The answer, and the milliseconds until its first token was known.
fn timed(model: &crate::engine::Generator, text: &str) -> Result<(crate::engine::Generation, f64), Failure> {
    let start = std::time::Instant::now();
    let mut first = None;
    let options = GenerateOptions { max_tokens: ANSWER, ..GenerateOptions::default() };
    let done = model.complete(text, &options, &mut |_| {
        first.get_or_insert_with(|| start.elapsed());
        std::ops::ControlFlow::Continue(())
    })?;
    let first = first.unwrap_or_else(|| start.elapsed());
    Ok((done, first.as_secs_f64() * 1000.0))
}
