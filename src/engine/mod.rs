//! Language and embedding models from GGUF files, computed on this machine.
//!
//! [`Generator`] writes answers, [`Embedder`] turns texts into vectors, [`Reranker`] scores passages for a query; the
//! manual's chapter on operations has the table of architectures. All map the file, check every tensor that they need
//! when they are opened, and then cannot fail on account of the file any more. Results do not depend on the number of threads or on how many tokens or texts
//! are computed together.
//!
//! | module | does |
//! |---|---|
//! | [`gguf`] | the file format |
//! | [`tokenizer`] | text to tokens and back |
//! | `weights` | tensors by name, with their shapes checked |
//! | `graph` | the models' layers |
//! | `plan`, `available` | how much memory a model will take, and how much there is |
//! | `grammar` | answers of a given form |
//! | `sampler` | the next token out of the logits |
//! | `serve` | many answers at once, earlier prompts remembered, tokens guessed |
//! | [`mod@bench`] | measured speed |
//!
//! It never downloads, never writes a model file and knows nothing of documents or users.

mod available;
pub mod bench;
pub mod chat;
mod device;
mod embedder;
mod error;
mod generator;
pub mod gguf;
mod grammar;
mod graph;
mod handle;
pub mod import;
mod info;
mod inspect;
mod model;
mod options;
mod output;
mod plan;
mod reranker;
mod sampler;
mod serve;
mod session;
mod stops;
pub mod tokenizer;
mod weights;

pub use available::{anonymous_memory, available_memory, proc_field};
pub use device::{DeviceReport, device_name, device_report};
pub use embedder::{EmbedKind, Embedder};
pub use error::EngineError;
pub use generator::Generator;
pub use grammar::Grammar;
pub use handle::{AnswerModel, Engine, Writer};
pub use info::{ModelInfo, Purpose};
pub use inspect::inspect;
pub use kernels::cpu::KvKind;
pub use options::{ChatMessage, Finish, GenerateOptions, Generation, Role, ServeOptions};
pub use plan::{MemoryPart, MemoryPlan, MemoryUse, PreparedModel, mib};
pub use reranker::Reranker;
pub(crate) use sampler::SplitMix;
pub use serve::PrefixStats;
pub use session::{Session, Together};
