//! Why a model cannot be opened or used.

use std::path::PathBuf;

use crate::engine::gguf::GgufError;
use crate::engine::tokenizer::TokenizerError;

/// Every failure of the engine. Those about a file name it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The file cannot be opened or mapped.
    #[error("the model cannot be opened: {0}; check the path and the file's permissions")]
    Open(#[from] kernels::MapError),
    /// The file is no GGUF file, or a key is missing or of another type.
    #[error("{}: {source}", path.display())]
    Gguf {
        /// The model file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: GgufError,
    },
    /// The architecture is not built in for this use.
    #[error("{}: architecture \"{found}\" is not supported here (supported: {supported})", path.display())]
    Architecture {
        /// The model file.
        path: PathBuf,
        /// What the file says.
        found: String,
        /// What would do.
        supported: &'static str,
    },
    /// A metadata value makes no sense or is not built in.
    #[error("{}: {key}: {problem}", path.display())]
    Metadata {
        /// The model file.
        path: PathBuf,
        /// The key.
        key: String,
        /// What is wrong with its value.
        problem: String,
    },
    /// A tensor that the architecture needs is not in the file.
    #[error("{}: tensor {tensor} is missing: the file is incomplete or of another architecture", path.display())]
    MissingTensor {
        /// The model file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
    },
    /// A tensor has another shape than the metadata demands. Sizes are in the file's order, row length first.
    #[error("{}: tensor {tensor} should have the sizes {expected:?} but has {found:?}", path.display())]
    TensorShape {
        /// The model file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The sizes that the metadata demands.
        expected: Vec<usize>,
        /// The sizes in the file.
        found: Vec<usize>,
    },
    /// A tensor is stored in a way that is not built in.
    #[error("{}: tensor {tensor} is stored as {kind}, which is not supported in this place", path.display())]
    TensorKind {
        /// The model file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The storage type.
        kind: &'static str,
    },
    /// Weights are no numbers.
    #[error(
        "{}: tensor {tensor} holds an infinite number or none at byte {offset} of the file: it is damaged, fetch it again and compare its SHA-256",
        path.display()
    )]
    NotFinite {
        /// The model file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// Where the number begins, in bytes from the start of the file.
        offset: usize,
    },
    /// The vocabulary gives no tokenizer.
    #[error("{}: {source}", path.display())]
    Tokenizer {
        /// The model file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: TokenizerError,
    },
    /// The model has no chat template, or it fails on these messages.
    #[error("the chat template cannot be used: {problem}")]
    Template {
        /// What the template says.
        problem: String,
    },
    /// The prompt leaves no room for an answer.
    #[error(
        "the prompt has {tokens} tokens, but the context is {context}: shorten it or raise the context size"
    )]
    PromptTooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that fit, prompt and answer together.
        context: usize,
    },
    /// There is nothing to compute.
    #[error("the prompt has no tokens")]
    EmptyPrompt,
    /// A token number is outside of the model's vocabulary.
    #[error("token {token} is outside of the vocabulary of {vocabulary}")]
    UnknownToken {
        /// The token.
        token: u32,
        /// Tokens of the model.
        vocabulary: usize,
    },
    /// The logits hold no number: the model's weights are damaged.
    #[error("the model computed no usable result: its weights are damaged, verify the file's SHA-256")]
    NoResult,
    /// The model's thread has ended, or could not be started.
    #[error("the language model has stopped working; start the server again and look at its log")]
    Stopped,
    /// A step of several answers failed.
    #[error("the language model failed: {problem}")]
    Step {
        /// What it said.
        problem: String,
    },
    /// A grammar cannot be understood, or not be followed any further.
    #[error("the form that was asked for cannot be kept: {problem}")]
    Grammar {
        /// What is wrong with it.
        problem: String,
    },
    /// The memory available does not suffice.
    #[error(
        "the models need {}, and {} are available. To make it fit: {}",
        plan, crate::engine::plan::mib(usize::try_from(*available).unwrap_or(usize::MAX)), plan.hint()
    )]
    Memory {
        /// What would be needed.
        plan: Box<crate::engine::MemoryPlan>,
        /// Bytes that there are.
        available: u64,
    },
    /// An operation refused its arguments.
    #[error(transparent)]
    Kernel(#[from] kernels::KernelError),
}
