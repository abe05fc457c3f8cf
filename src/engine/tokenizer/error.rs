//! Why a tokenizer cannot be built.

use crate::engine::gguf::GgufError;

/// Why the vocabulary in a GGUF file gives no tokenizer.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// A key is missing or has the wrong type.
    #[error("the tokenizer cannot be read: {0}")]
    Gguf(#[from] GgufError),
    /// `tokenizer.ggml.model` names a kind that is not built in.
    #[error("tokenizer model \"{model}\" is not supported (supported: gpt2, llama, t5, bert)")]
    UnknownModel {
        /// The name in the file.
        model: String,
    },
    /// `tokenizer.ggml.pre` names a way of splitting that is not built in. Splitting some other way would
    /// give wrong tokens without a sign of it, so this is never replaced by a default.
    #[error("pre-tokenizer \"{pre}\" is not supported: this model would get wrong tokens, so it is refused")]
    UnknownPre {
        /// The name in the file.
        pre: String,
    },
    /// The vocabulary contradicts itself.
    #[error("the vocabulary is damaged: {problem}")]
    Vocabulary {
        /// What is wrong, with the token's number.
        problem: String,
    },
    /// The splitting pattern of a pre-tokenizer does not compile.
    #[error("pre-tokenizer \"{pre}\": {problem}")]
    Pattern {
        /// The name of the pre-tokenizer.
        pre: String,
        /// What the pattern compiler says.
        problem: String,
    },
}
