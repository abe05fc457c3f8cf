//! Public question sets: both sides of the search measured beside what is fused of them, and weights chosen on one half
//! of the questions.

mod corpus;
mod plain;
mod report;
mod run;

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

pub use self::report::{Chosen, Report, Row};
use self::run::{SetOutcome, Vectors};
use super::super::AnswerError;
use crate::engine::Embedder;

/// What is evaluated, and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folder with the sets.
    pub folder: PathBuf,
    /// GGUF file of the embedding model.
    pub model: PathBuf,
    /// File that keeps the vectors.
    pub vectors: Option<PathBuf>,
    /// Also choose weights on halves.
    pub sweep: bool,
    /// File for each question's candidates, JSON Lines.
    pub candidates: Option<PathBuf>,
}

/// Runs all sets.
///
/// # Errors
/// A file is missing or no question set, or the model cannot be opened.
pub async fn evaluate(
    options: &Options,
    threads: usize,
    progress: &(dyn Fn(&str, usize, usize) + Sync),
) -> Result<Report, AnswerError> {
    let sets = corpus::read(&options.folder).map_err(AnswerError::Sets)?;
    let embedder = Embedder::open(&options.model, threads)?;
    let mut vectors = Vectors::open(&embedder, options.vectors.as_deref())?;
    let mut file = options.candidates.as_ref().map(std::fs::File::create).transpose()?;
    let mut outcomes = Vec::new();
    for set in sets {
        let outcome = run::run(set, &mut vectors, progress).await?;
        if let Some(file) = &mut file {
            write_candidates(file, &outcome)?;
        }
        outcomes.push(outcome);
    }
    Ok(Report::of(&outcomes, options.sweep))
}

/// Passages of the sets with their vectors, and questions about them: real text for measuring with.
#[derive(Debug)]
pub struct Real {
    /// The model that made the vectors.
    pub embedder: Embedder,
    /// Language, text and vector of each passage.
    pub passages: Vec<(ingest::Language, String, Vec<f32>)>,
    /// Questions in all languages.
    pub questions: Vec<String>,
}

/// Reads the passages and questions of all sets.
///
/// # Errors
/// A file is missing or no question set, or the model cannot be opened.
pub fn real(
    options: &Options,
    threads: usize,
    progress: &dyn Fn(&str, usize, usize),
) -> Result<Real, AnswerError> {
    let mut sets = corpus::read(&options.folder).map_err(AnswerError::Sets)?;
    // The sets that join others bring nothing new.
    sets.retain(|s| {
        !s.name.contains(" in all") && !["xquad-de-on-en", "xquad-de, all twins"].contains(&s.name.as_str())
    });
    let embedder = Embedder::open(&options.model, threads)?;
    let mut vectors = Vectors::open(&embedder, options.vectors.as_deref())?;
    let paragraphs: Vec<_> = sets.iter().flat_map(|s| &s.paragraphs).collect();
    let texts: Vec<&str> = paragraphs.iter().map(|p| p.text.as_str()).collect();
    let made =
        vectors.of(crate::engine::EmbedKind::Passage, &texts, &|n, all| progress("passages", n, all))?;
    let passages = paragraphs.iter().zip(made).map(|(p, v)| (p.language, p.text.clone(), v)).collect();
    let questions = sets.iter().flat_map(|s| &s.questions).map(|q| q.text.clone()).collect();
    drop(vectors);
    Ok(Real { embedder, passages, questions })
}

fn write_candidates(file: &mut std::fs::File, set: &SetOutcome) -> Result<(), AnswerError> {
    for q in &set.questions {
        let named = |hits: &[(i64, f32)]| -> Vec<_> {
            hits.iter().filter_map(|(id, s)| Some(json!([id, set.documents.get(id)?, s]))).collect()
        };
        let terms = q.sides.analysed.terms.iter().zip(&q.sides.lexical.rarity);
        let terms: Vec<_> = terms.map(|(t, r)| json!([t.plain, t.weight, r])).collect();
        let line = json!({
            "set": set.name,
            "id": q.asked.id,
            "question": q.asked.text,
            "language": q.asked.language.as_str(),
            "guessed": q.sides.analysed.language.map(ingest::Language::as_str),
            "half": if q.asked.half_a { "a" } else { "b" },
            "relevant": q.asked.relevant,
            "terms": terms,
            "known": q.sides.lexical.known,
            "lexical": named(&q.sides.lexical.hits),
            "vector": named(&q.sides.near),
        });
        writeln!(file, "{line}")?;
    }
    Ok(())
}
