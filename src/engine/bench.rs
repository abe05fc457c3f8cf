//! Measured speed, with the device named.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::engine::device::cpu_name;
use crate::engine::{EmbedKind, Embedder, EngineError, Generator};

/// Speed of a text model.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LlmFigures {
    /// Processor, threads and instruction set.
    pub device: String,
    /// The model's name.
    pub model: String,
    /// How its weights are stored.
    pub quantisation: String,
    /// Threads that computed.
    pub threads: usize,
    /// Tokens of the prompt.
    pub prefill_tokens: usize,
    /// Median speed of reading the prompt.
    pub prefill_tokens_per_s: f64,
    /// Tokens that were then written one by one.
    pub decode_tokens: usize,
    /// Median speed of writing.
    pub decode_tokens_per_s: f64,
    /// Times that each was measured.
    pub runs: usize,
}

/// Speed of an embedding model.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct EmbedFigures {
    /// Processor, threads and instruction set.
    pub device: String,
    /// The model's name.
    pub model: String,
    /// How its weights are stored.
    pub quantisation: String,
    /// Threads that computed.
    pub threads: usize,
    /// Passages in a measurement.
    pub passages: usize,
    /// Tokens of each passage.
    pub tokens_per_passage: usize,
    /// Median speed.
    pub passages_per_s: f64,
    /// The same in tokens.
    pub tokens_per_s: f64,
    /// Median time of one short question in milliseconds.
    pub query_ms: f64,
    /// Times that each was measured.
    pub runs: usize,
}

/// Measures reading a prompt of `prefill` tokens and then writing `decode` tokens, `runs` times.
///
/// # Errors
/// The model cannot be opened, or its context is too short.
pub fn llm(
    path: &Path,
    threads: usize,
    prefill: usize,
    decode: usize,
    runs: usize,
) -> Result<LlmFigures, EngineError> {
    let (prefill, decode, runs) = (prefill.max(1), decode.max(1), runs.max(1));
    let model = Generator::open(path, threads, prefill + decode)?;
    // Any tokens cost the same; these are spread over the vocabulary.
    let vocabulary = model.info().vocabulary.max(1);
    let tokens: Vec<u32> = (0..prefill + decode).map(|i| (i * 7919 % vocabulary) as u32).collect();
    let (prompt, answer) = tokens.split_at(prefill);
    let mut session = model.session()?;
    let (mut reading, mut writing) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        session.clear();
        let start = Instant::now();
        session.feed(prompt)?;
        reading.push(start.elapsed());
        let start = Instant::now();
        for token in answer {
            session.feed(std::slice::from_ref(token))?;
        }
        writing.push(start.elapsed());
    }
    Ok(LlmFigures {
        device: cpu_name(threads),
        model: model.info().name.clone(),
        quantisation: model.info().quantisation.clone(),
        threads,
        prefill_tokens: prefill,
        prefill_tokens_per_s: prefill as f64 / median(&mut reading),
        decode_tokens: decode,
        decode_tokens_per_s: decode as f64 / median(&mut writing),
        runs,
    })
}

/// Measures embedding `passages` passages of about `tokens` tokens each, `runs` times.
///
/// # Errors
/// The model cannot be opened.
pub fn embed(
    path: &Path,
    threads: usize,
    passages: usize,
    tokens: usize,
    runs: usize,
) -> Result<EmbedFigures, EngineError> {
    const WORDS: [&str; 8] = ["Wand", "mur", "muro", "wall", "Beton", "isolation", "finestra", "door"];
    let (passages, runs) = (passages.max(1), runs.max(1));
    let model = Embedder::open(path, threads)?;
    let goal = tokens.clamp(1, model.max_tokens());
    let texts: Vec<String> = (0..passages)
        .map(|i| {
            let mut text = String::new();
            let mut word = i;
            while model.count_tokens(&text) < goal {
                text.push_str(WORDS[word * word % 13 % WORDS.len()]);
                text.push(' ');
                word += 1;
            }
            text
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let total: usize = texts.iter().map(|t| model.count_tokens(t).min(model.max_tokens())).sum();
    let (mut all, mut single) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let start = Instant::now();
        model.embed(EmbedKind::Passage, &texts)?;
        all.push(start.elapsed());
        let start = Instant::now();
        model.embed(EmbedKind::Query, &["Welcher U-Wert gilt für die Aussenwand?"])?;
        single.push(start.elapsed());
    }
    let seconds = median(&mut all);
    Ok(EmbedFigures {
        device: cpu_name(threads),
        model: model.info().name.clone(),
        quantisation: model.info().quantisation.clone(),
        threads,
        passages,
        tokens_per_passage: total / passages,
        passages_per_s: passages as f64 / seconds,
        tokens_per_s: total as f64 / seconds,
        query_ms: median(&mut single) * 1000.0,
        runs,
    })
}

/// The median in seconds, never 0.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    middle.max(Duration::from_nanos(1)).as_secs_f64()
}
