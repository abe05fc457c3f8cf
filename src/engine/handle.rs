use std::sync::Arc;

use std::ops::ControlFlow;

use super::{
    ChatMessage, DeviceReport, Embedder, EngineError, GenerateOptions, Generation, Generator, Reranker,
};

/// What writes answers: a language model, or what a test puts in its place.
pub trait Writer: Send + Sync {
    /// Tokens that prompt and answer may have together.
    fn context_tokens(&self) -> usize;

    /// Tokens of a plain text.
    fn count_tokens(&self, text: &str) -> usize;

    /// Answers a conversation; see [`Generator::generate`].
    ///
    /// # Errors
    /// As there.
    fn generate(
        &self,
        messages: &[ChatMessage],
        options: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError>;

    /// Forgets the beginnings of all prompts so far, which hold passages of documents.
    ///
    /// # Errors
    /// The thread that computes has ended.
    fn forget_prompts(&self) -> Result<(), EngineError>;
}

impl Writer for Generator {
    fn context_tokens(&self) -> usize {
        Generator::context_tokens(self)
    }

    fn count_tokens(&self, text: &str) -> usize {
        Generator::count_tokens(self, text)
    }

    fn generate(
        &self,
        messages: &[ChatMessage],
        options: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError> {
        Generator::generate(self, messages, options, on_text)
    }

    fn forget_prompts(&self) -> Result<(), EngineError> {
        Generator::forget_prompts(self)
    }
}

/// The models in use and the device that computes.
pub struct Engine {
    /// The embedding model; without one, search goes by words alone.
    pub embedder: Option<Arc<Embedder>>,
    /// The answer model; without one, answers are taken from the sources.
    pub generator: Option<Arc<dyn Writer>>,
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
