//! What a model file says of itself.

use crate::engine::tokenizer::Tokenizer;
use crate::engine::weights::ModelFile;
use crate::engine::{EngineError, graph};

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// It writes.
    Answer,
    /// It makes vectors.
    Embed,
    /// It scores how well passages answer a query.
    Rerank,
}

/// Facts about an open model.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelInfo {
    /// As in `llama`.
    pub architecture: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The name in the file, or the architecture where it has none.
    pub name: String,
    /// The storage of most weights, as in `Q4_K_M`.
    pub quantisation: String,
    /// Numbers in all tensors.
    pub parameters: u64,
    /// Size of the file.
    pub file_bytes: u64,
    /// Tokens that the model was trained to see at once.
    pub context_length: usize,
    /// The tokenizer's family, as in `gpt2/smollm`.
    pub tokenizer: String,
    /// Tokens in the vocabulary.
    pub vocabulary: usize,
    /// The licence that the file names.
    pub licence: Option<String>,
}

impl ModelInfo {
    pub(super) fn read(
        file: &ModelFile,
        context_length: usize,
        tokenizer: &Tokenizer,
    ) -> Result<Self, EngineError> {
        let gguf = &file.gguf;
        let architecture = file.named(gguf.architecture())?.to_string();
        let name = file.named(gguf.opt_str("general.name"))?.unwrap_or(&architecture).to_string();
        Ok(Self {
            name,
            purpose: graph::purpose(file)?,
            quantisation: quantisation(file)?,
            parameters: gguf.tensors().iter().map(|t| t.elements() as u64).sum(),
            file_bytes: file.map.len() as u64,
            context_length,
            tokenizer: tokenizer.name().to_string(),
            vocabulary: tokenizer.vocab_len(),
            licence: file.named(gguf.opt_str("general.license"))?.map(str::to_string),
            architecture,
        })
    }
}

/// The name that belongs to the file's own number, else the type that most weights have.
fn quantisation(file: &ModelFile) -> Result<String, EngineError> {
    let named = match file.named(file.gguf.opt_u32("general.file_type"))? {
        Some(0) => "F32",
        Some(1) => "F16",
        Some(2) => "Q4_0",
        Some(3) => "Q4_1",
        Some(7) => "Q8_0",
        Some(8) => "Q5_0",
        Some(9) => "Q5_1",
        Some(14) => "Q4_K_S",
        Some(15) => "Q4_K_M",
        Some(16) => "Q5_K_S",
        Some(17) => "Q5_K_M",
        Some(18) => "Q6_K",
        Some(32) => "BF16",
        _ => "",
    };
    if !named.is_empty() {
        return Ok(named.to_string());
    }
    let mut sums: Vec<(&'static str, usize)> = Vec::new();
    for tensor in file.gguf.tensors() {
        let name = tensor.kind.name();
        match sums.iter_mut().find(|(n, _)| *n == name) {
            Some((_, sum)) => *sum = sum.saturating_add(tensor.elements()),
            None => sums.push((name, tensor.elements())),
        }
    }
    Ok(sums.into_iter().max_by_key(|(_, sum)| *sum).map_or("none", |(name, _)| name).to_string())
}
