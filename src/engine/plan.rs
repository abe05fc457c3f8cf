//! How much memory a model will take, worked out from the file's table before anything is set aside.
//!
//! Every part is a bound that is reached: weights and vocabulary when the model is opened, keys and values when all
//! answers are as long as they may become, earlier prompts when their budget is used up.

use std::fmt;
use std::path::Path;

use kernels::cpu::{Activations, BlockKind, KvKind, KvShape, Matrix, PAGE_TOKENS};

use crate::engine::embedder::BATCH_TOKENS;
use crate::engine::gguf::TensorInfo;
use crate::engine::graph::decoder::CHUNK;
use crate::engine::serve::{CHUNK_BESIDE, logit_rows};
use crate::engine::tokenizer::Tokenizer;
use crate::engine::weights::{EMBEDDING, ModelFile, ROWS};
use crate::engine::{EngineError, ServeOptions};

/// A model file whose table was read, and nothing else of it.
#[derive(Debug)]
pub struct PreparedModel {
    pub(super) file: ModelFile,
}

impl PreparedModel {
    /// Reads the table of a file.
    ///
    /// # Errors
    /// It cannot be read or is no GGUF file.
    pub fn open(path: &Path) -> Result<Self, EngineError> {
        Ok(Self { file: ModelFile::open(path)? })
    }

    /// The memory that the model takes to write answers.
    ///
    /// # Errors
    /// The file says too little of its sizes.
    pub fn plan_answers(&self, options: &ServeOptions) -> Result<MemoryPlan, EngineError> {
        MemoryPlan::of_decoder(&self.file, options)
    }

    /// The memory that the model takes to make vectors.
    ///
    /// # Errors
    /// The file says too little of its sizes.
    pub fn plan_vectors(&self) -> Result<MemoryPlan, EngineError> {
        MemoryPlan::of_encoder(&self.file, BATCH_TOKENS)
    }
}

/// What memory is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryUse {
    /// Weights, laid out for the processor.
    Weights,
    /// Texts of tokens and what finds them.
    Vocabulary,
    /// Keys and values of the answers that are being written.
    KeysValues,
    /// Keys and values of earlier prompts.
    EarlierPrompts,
    /// What a step of the model works in.
    Buffers,
    /// Texts of the answers and what guesses at their next tokens.
    Guesses,
}

impl MemoryUse {
    /// The name that tables show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Vocabulary => "vocabulary",
            Self::KeysValues => "keys and values",
            Self::EarlierPrompts => "earlier prompts",
            Self::Buffers => "buffers",
            Self::Guesses => "guesses",
        }
    }
}

/// One part of a plan.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MemoryPart {
    /// The model's name.
    pub model: String,
    /// What for.
    pub what: MemoryUse,
    /// Bytes at most.
    pub bytes: usize,
}

/// The memory that models take.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MemoryPlan {
    /// Its parts.
    pub parts: Vec<MemoryPart>,
    /// Bytes of the files that stay mapped for rows that are looked up; the system takes these back when memory is
    /// short, so that they are in no sum.
    pub mapped_bytes: usize,
}

impl MemoryPlan {
    /// Bytes of all parts.
    pub fn total(&self) -> usize {
        self.parts.iter().map(|p| p.bytes).sum()
    }

    /// Bytes of the parts for one use.
    pub fn bytes(&self, what: MemoryUse) -> usize {
        self.parts.iter().filter(|p| p.what == what).map(|p| p.bytes).sum()
    }

    /// Adds what another model takes.
    pub fn add(&mut self, other: Self) {
        self.parts.extend(other.parts);
        self.mapped_bytes += other.mapped_bytes;
    }

    /// Refuses a plan that does not fit.
    ///
    /// # Errors
    /// The memory available, where the system tells it, is less. The message says what to change.
    pub fn check(&self, available: Option<u64>) -> Result<(), EngineError> {
        match available {
            Some(available) if (self.total() as u64) > available => {
                Err(EngineError::Memory { plan: Box::new(self.clone()), available })
            }
            _ => Ok(()),
        }
    }

    /// What to change so that it takes less, with what that saves.
    pub fn hint(&self) -> String {
        let mut ways = Vec::new();
        let (prefixes, keys) = (self.bytes(MemoryUse::EarlierPrompts), self.bytes(MemoryUse::KeysValues));
        if prefixes > 0 {
            ways.push(format!("engine.prefix_cache_mb = 0 saves {}", mib(prefixes)));
        }
        if keys > 0 {
            ways.push(format!(
                "half of engine.context_tokens, or of engine.kv_tokens, saves {}",
                mib(keys / 2)
            ));
            ways.push(
                "engine.kv_kind = \"q8_0\" takes 47 % less for keys and values than \"f16\"".to_owned(),
            );
        }
        ways.push(format!(
            "the weights alone take {}; a smaller model takes less",
            mib(self.bytes(MemoryUse::Weights))
        ));
        ways.join("; ")
    }

    fn part(&mut self, model: &str, what: MemoryUse, bytes: usize) {
        if bytes > 0 {
            self.parts.push(MemoryPart { model: model.to_owned(), what, bytes });
        }
    }

    /// What the weights and the vocabulary of any model take.
    fn base(file: &ModelFile, writes: bool) -> Result<(Self, String), EngineError> {
        let architecture = file.named(file.gguf.architecture())?;
        let name = file.named(file.gguf.opt_str("general.name"))?.unwrap_or(architecture).to_owned();
        let (mut packed, mut mapped) = (0, 0);
        for tensor in file.gguf.tensors() {
            if ROWS.contains(&tensor.name.as_str()) {
                mapped += tensor.range.len();
            }
            if file.is_packed(&tensor.name, writes) {
                packed += packed_bytes(tensor);
            }
        }
        let mut plan = Self { parts: Vec::new(), mapped_bytes: mapped };
        plan.part(&name, MemoryUse::Weights, packed);
        let vocabulary = Tokenizer::planned_bytes(&file.gguf).map_err(|e| file.bad_tokenizer(e))?;
        plan.part(&name, MemoryUse::Vocabulary, vocabulary);
        Ok((plan, name))
    }

    /// The plan of a model that writes answers.
    fn of_decoder(file: &ModelFile, o: &ServeOptions) -> Result<Self, EngineError> {
        let (mut plan, name) = Self::base(file, true)?;
        let sizes = Sizes::read(file)?;
        let context = o.context_tokens.min(sizes.context);
        let (streams, room) = (o.max_streams.max(1), o.room(context));
        let shape = KvShape {
            n_layers: sizes.layers,
            n_kv_heads: sizes.kv_heads,
            head_dim: sizes.head_dim,
            kind: o.kv_kind,
        };
        // Each answer may have begun a page that it does not fill.
        let pages = room.div_ceil(PAGE_TOKENS) + streams.min(room);
        plan.part(&name, MemoryUse::KeysValues, pages * shape.page_bytes());
        plan.part(&name, MemoryUse::EarlierPrompts, o.prefix_bytes);
        let with_logits = logit_rows(streams);
        let rows = CHUNK.max(CHUNK_BESIDE + with_logits);
        let logits = with_logits * sizes.vocabulary * size_of::<f32>();
        plan.part(&name, MemoryUse::Buffers, sizes.buffers(file, rows) + logits);
        let guesses = if o.drafts { GUESS_BYTES } else { 0 };
        plan.part(&name, MemoryUse::Guesses, room * (guesses + 2 * size_of::<u32>()));
        Ok(plan)
    }

    /// The plan of a model that makes vectors.
    fn of_encoder(file: &ModelFile, batch_tokens: usize) -> Result<Self, EngineError> {
        let (mut plan, name) = Self::base(file, false)?;
        let sizes = Sizes::read(file)?;
        let shape =
            KvShape { n_layers: 1, n_kv_heads: sizes.kv_heads, head_dim: sizes.head_dim, kind: KvKind::F16 };
        let one = sizes.buffers(file, batch_tokens) + SHORT_TEXTS * shape.page_bytes();
        // A run and a reader's question at the same time.
        plan.part(&name, MemoryUse::Buffers, 2 * one);
        Ok(plan)
    }
}

/// Bytes that a noted place takes: 24 and a mark, in a table of which 7 of 16 places may be in use.
const GUESS_BYTES: usize = 25 * 16 / 7;
/// Texts of a batch that take a page each although they fill none.
const SHORT_TEXTS: usize = 32;

/// Bytes of a tensor's weights, laid out for products; vectors are kept as 32-bit numbers.
fn packed_bytes(tensor: &TensorInfo) -> usize {
    match (&*tensor.dims, BlockKind::from_gguf(tensor.kind.id())) {
        ([], _) => 0,
        ([n], _) => n * size_of::<f32>(),
        ([n_in, n_out, rest @ ..], Some(kind)) => {
            Matrix::planned_bytes(kind, *n_out, *n_in) * rest.iter().product::<usize>()
        }
        // What cannot be read is refused when the model is opened.
        (_, None) => tensor.range.len(),
    }
}

/// What the metadata says of a model's sizes.
struct Sizes {
    width: usize,
    layers: usize,
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
    inner: usize,
    context: usize,
    vocabulary: usize,
}

impl Sizes {
    fn read(file: &ModelFile) -> Result<Self, EngineError> {
        let arch = file.named(file.gguf.architecture())?.to_owned();
        let size = |key: &str| file.size(&arch, key);
        let (width, heads) = (size("embedding_length")?, size("attention.head_count")?);
        let embedding = file.gguf.opt_tensor(EMBEDDING);
        Ok(Self {
            width,
            layers: size("block_count")?,
            heads,
            kv_heads: file.opt_size(&arch, "attention.head_count_kv")?.unwrap_or(heads),
            head_dim: file.opt_size(&arch, "attention.key_length")?.unwrap_or(width / heads),
            inner: file.opt_size(&arch, "feed_forward_length")?.unwrap_or(width),
            context: size("context_length")?,
            vocabulary: embedding.and_then(|t| t.dims.get(1).copied()).unwrap_or(0),
        })
    }

    /// Bytes of the buffers for a step of so many rows.
    fn buffers(&self, file: &ModelFile, rows: usize) -> usize {
        let (q, kv) = (self.heads * self.head_dim, self.kv_heads * self.head_dim);
        let values = rows * (3 * self.width + 2 * q + 2 * kv + 2 * self.inner);
        let longest = self.inner.max(self.width).max(q);
        let mut kinds: Vec<BlockKind> = Vec::new();
        for tensor in file.gguf.tensors().iter().filter(|t| t.dims.len() > 1) {
            let kind = BlockKind::from_gguf(tensor.kind.id());
            kinds.extend(kind.filter(|k| kinds.iter().all(|known| known.len() != k.len())));
        }
        let rounded =
            kinds.iter().map(|kind| Activations::planned_bytes(*kind, rows, longest)).sum::<usize>();
        values * size_of::<f32>() + rounded
    }
}

/// Bytes in words.
pub fn mib(bytes: usize) -> String {
    format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20))
}

impl fmt::Display for MemoryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.parts.iter().map(|p| format!("{} {} {}", p.model, p.what.name(), mib(p.bytes))).collect();
        write!(f, "{} ({})", mib(self.total()), parts.join(", "))
    }
}
