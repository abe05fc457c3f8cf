//! Public question sets: both sides of the search measured beside what is fused of them, and weights chosen on one half
//! of the questions.

mod corpus;
mod run;

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

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
) -> Result<(), AnswerError> {
    let sets = corpus::read(&options.folder).map_err(AnswerError::Sets)?;
    let embedder = Embedder::open(&options.model, threads)?;
    let mut vectors = Vectors::open(&embedder, options.vectors.as_deref())?;
    let mut file = options.candidates.as_ref().map(std::fs::File::create).transpose()?;
    for set in sets {
        let outcome = run::run(set, &mut vectors, progress).await?;
        if let Some(file) = &mut file {
            write_candidates(file, &outcome)?;
        }
    }
    Ok(())
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
