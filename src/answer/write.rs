//! An answer by the language model, checked sentence by sentence before anyone sees it.

use std::ops::ControlFlow;

use tokio::sync::mpsc::Sender;

use super::AnswerError;
use super::check::Checker;
use super::clock::Clock;
use super::prompt::{Excerpt, MAX_ANSWER_TOKENS, MAX_LINES, MAX_PASSAGES};
use super::rows;
use super::stream::Assembler;
use super::types::{AnswerEvent, Passage};
use crate::engine::{ChatMessage, Finish, GenerateOptions, Generation, Generator};

/// A sentence that was shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shown {
    /// The sentence without marks.
    pub text: String,
    /// Passages that bear it out; none for a sentence that is marked as not verified.
    pub cites: Vec<u32>,
}

/// What the model made of a question.
#[derive(Debug)]
pub(super) struct Composition {
    /// Sentences that were sent to the reader.
    pub shown: Vec<Shown>,
    /// Sentences that no passage bears out.
    pub withheld: Vec<String>,
    /// The model's figures.
    pub generation: Generation,
    /// True where the reader left.
    pub left: bool,
}

/// How the model is asked to write: greedy, so that the same question gives the same answer, and without a penalty
/// on repetition, which would keep it from copying the numbers and names of the passages.
pub(super) fn options() -> GenerateOptions {
    GenerateOptions {
        max_tokens: MAX_ANSWER_TOKENS,
        temperature: 0.0,
        top_k: 0,
        top_p: 1.0,
        min_p: 0.0,
        repeat_penalty: 1.0,
        stop: vec!["\nQuestion:".into(), "\nPassages:".into()],
        ..GenerateOptions::default()
    }
}

/// What the model is shown of the passages, best first, as far as it fits its context: of each the sentences and rows
/// that may answer. Short passages leave a small model less to go astray in, and are read sooner.
pub(super) fn excerpts(
    generator: &Generator,
    question: &str,
    passages: &[Passage],
    lines: &[Line],
    best: &[u32],
) -> Vec<Excerpt> {
    let room = generator.context_tokens().saturating_sub(MAX_ANSWER_TOKENS + 256);
    let room = room.saturating_sub(generator.count_tokens(question));
    let excerpts = passages.iter().map(|p| excerpt(p, lines)).filter(|e| !e.lines.is_empty()).collect();
    let tokens =
        |e: &Excerpt| generator.count_tokens(&e.lines.join("\n")) + generator.count_tokens(&e.place) + 16;
    fitting(excerpts, best, room, tokens)
}

/// The excerpts that fit: those of the best hits by words first, whatever their rank, then the others; in their order.
/// One that does not fit leaves room for a shorter one behind it, and the best one goes in with its best line alone.
fn fitting(
    excerpts: Vec<Excerpt>,
    best: &[u32],
    room: usize,
    tokens: impl Fn(&Excerpt) -> usize,
) -> Vec<Excerpt> {
    let (first, others): (Vec<Excerpt>, Vec<Excerpt>) =
        excerpts.into_iter().partition(|e| best.contains(&e.n));
    let mut used = 0;
    let mut chosen: Vec<Excerpt> = Vec::new();
    for mut excerpt in first.into_iter().chain(others) {
        let must = best.contains(&excerpt.n);
        if must && used + tokens(&excerpt) > room {
            excerpt.lines.truncate(1);
        }
        let needed = tokens(&excerpt);
        if chosen.len() < MAX_PASSAGES && used + needed <= room {
            used += needed;
            chosen.push(excerpt);
        }
    }
    chosen.sort_by_key(|e| e.n);
    chosen
}

/// A line of a passage that may answer.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Number of the passage.
    pub n: u32,
    /// First byte in the passage.
    pub start: usize,
    /// How well it fits.
    pub score: f32,
    /// Its text.
    pub text: String,
}

fn excerpt(passage: &Passage, lines: &[Line]) -> Excerpt {
    let mut best: Vec<&Line> = lines.iter().filter(|l| l.n == passage.n).collect();
    best.sort_by(|a, b| b.score.total_cmp(&a.score));
    best.truncate(MAX_LINES);
    best.sort_by_key(|l| l.start);
    let heading = passage.section.last().map(|h| format!(", {h}")).unwrap_or_default();
    // What a table is about often stands in its caption alone.
    let caption = best.iter().find_map(|l| rows::caption(&passage.text, l.start));
    let caption = caption.filter(|c| passage.section.last().is_none_or(|h| h != c));
    let caption = caption.map(|c| format!(", {c}")).unwrap_or_default();
    Excerpt {
        n: passage.n,
        place: format!("{}{heading}{caption}", passage.title),
        lines: best.into_iter().map(|l| l.text.clone()).collect(),
    }
}

/// What stands behind a sentence that no passage bears out.
pub(super) const DOUBT: &str = "[?]";

/// Lets the model answer. Blocking. Sends each sentence as soon as it is checked.
pub(super) fn compose(
    generator: &Generator,
    conversation: &[ChatMessage],
    options: &GenerateOptions,
    mut checker: Checker<'_>,
    events: &Sender<AnswerEvent>,
    clock: &Clock,
) -> Result<Composition, AnswerError> {
    let mut assembler = Assembler::default();
    let mut left = false;
    let mut generation = generator.generate(conversation, options, &mut |piece| {
        if events.is_closed() {
            left = true;
            return ControlFlow::Break(());
        }
        for sentence in assembler.push(piece) {
            if !checker.take(sentence, events, clock) {
                left = true;
                return ControlFlow::Break(());
            }
        }
        if checker.enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if !left
        && !checker.enough()
        && generation.finish == Finish::Stop
        && let Some(last) = assembler.finish()
    {
        left = !checker.take(last, events, clock);
    }
    left = left || events.is_closed();
    if !left && generation.finish == Finish::Cancelled {
        // Stopped here because enough was said, not because the reader left.
        generation.finish = Finish::Stop;
    }
    Ok(Composition { shown: checker.shown, withheld: checker.withheld, generation, left })
}

/// A sentence with its citation marks before the closing point.
pub(super) fn marked(sentence: &str, cites: &[u32]) -> String {
    let marks: String = match cites {
        [] => DOUBT.to_owned(),
        _ => cites.iter().map(|n| format!("[{n}]")).collect(),
    };
    match sentence.strip_suffix(['.', '!']) {
        Some(body) => format!("{body} {marks}{}", sentence.get(body.len()..).unwrap_or_default()),
        None => format!("{sentence} {marks}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_by_words_are_always_read() {
        let excerpt = |n: u32, lines: usize| Excerpt {
            n,
            place: String::new(),
            lines: (0..lines).map(|i| format!("{i}")).collect(),
        };
        let numbers = |room: usize, best: &[u32]| {
            let all = vec![excerpt(1, 2), excerpt(2, 2), excerpt(3, 2), excerpt(4, 2), excerpt(5, 1)];
            let chosen = fitting(all, best, room, |e| 10 * e.lines.len());
            chosen.iter().map(|e| (e.n, e.lines.len())).collect::<Vec<_>>()
        };
        assert_eq!(numbers(100, &[]), [(1, 2), (2, 2), (3, 2)]);
        assert_eq!(numbers(100, &[4]), [(1, 2), (2, 2), (4, 2)]);
        assert_eq!(numbers(30, &[4, 5]), [(4, 2), (5, 1)]);
        assert_eq!(numbers(10, &[4]), [(4, 1)], "its best line, where no more fits");
        assert_eq!(numbers(30, &[]), [(1, 2), (5, 1)], "a shorter one behind it");
    }

    #[test]
    fn marks_stand_before_the_point() {
        assert_eq!(marked("It is 5 m.", &[1, 3]), "It is 5 m [1][3].");
        assert_eq!(marked("AW-01 | 0.15", &[2]), "AW-01 | 0.15 [2]");
    }
}
