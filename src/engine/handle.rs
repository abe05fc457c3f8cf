use std::sync::Arc;

use super::{DeviceReport, Embedder, Generator, Reranker};

/// The models in use and the device that computes.
pub struct Engine {
    /// The embedding model; without one, search goes by words alone.
    pub embedder: Option<Arc<Embedder>>,
    /// The answer model; without one, answers are taken from the sources.
    pub generator: Option<Arc<Generator>>,
    /// The model that judges hits; without one, they stay in the order of the search.
    pub reranker: Option<Arc<Reranker>>,
    /// The answer model's entry in the register.
    pub answer_model: Option<AnswerModel>,
    /// SHA-256 of the embedding model's file.
    pub embed_sha256: Option<String>,
    /// SHA-256 of the file of the model that judges hits.
    pub rerank_sha256: Option<String>,
    /// What computes.
    pub device: DeviceReport,
}

/// What the model register says about the answer model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerModel {
    /// Name shown to readers.
    pub name: String,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    /// How its numbers are rounded, such as `Q4_1`.
    pub quantisation: String,
    /// Codes of the languages that it writes; it answers in no other.
    pub languages: Vec<String>,
}
