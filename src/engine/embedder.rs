//! Texts to vectors.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use kernels::cpu::{Cpu, l2_normalise};

use crate::engine::graph::encoder::Text;
use crate::engine::graph::open_pooled;
use crate::engine::graph::pooled::{Pooled, Scratch};
use crate::engine::tokenizer::Tokenizer;
use crate::engine::{EngineError, ModelInfo, PreparedModel, available_memory};

/// Tokens that are computed together: enough to use each unpacked weight often, few enough for the cache.
pub(super) const BATCH_TOKENS: usize = 512;

/// What the models of an architecture were trained to see before a question and before a passage, where the file does
/// not say (`dossier.embedding.query_prefix` and `dossier.embedding.passage_prefix`).
const PREFIXES: &[(&str, &str, &str)] = &[
    ("nomic-bert", "search_query: ", "search_document: "),
    (
        "qwen3",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
        "",
    ),
];

/// What a text is embedded as; some models put different words in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedKind {
    /// A question.
    Query,
    /// A piece of a document.
    Passage,
}

/// An embedding model. May be used from several threads at once.
#[derive(Debug)]
pub struct Embedder {
    cpu: Cpu,
    model: Pooled,
    tokenizer: Tokenizer,
    info: ModelInfo,
    query_prefix: String,
    passage_prefix: String,
    /// Buffers that no call uses at the moment.
    scratch: Mutex<Vec<Scratch>>,
}

impl Embedder {
    /// Opens the GGUF file of an embedding model, to compute on `threads` threads.
    ///
    /// # Errors
    /// The file cannot be read, lacks something or is of another architecture, or memory does not suffice.
    pub fn open(path: &Path, threads: usize) -> Result<Self, EngineError> {
        let file = PreparedModel::open(path)?;
        // A file that says too little for a plan is refused when it is opened, by the name of what is missing.
        if let Ok(plan) = file.plan_vectors() {
            plan.check(available_memory())?;
        }
        Self::open_prepared(&file, threads)
    }

    /// As [`Embedder::open`], for a file whose plan has been looked at.
    ///
    /// # Errors
    /// The file lacks something or is of another architecture.
    pub fn open_prepared(file: &PreparedModel, threads: usize) -> Result<Self, EngineError> {
        let file = &file.file;
        let tokenizer = file.pack_ahead(threads, false, || Tokenizer::from_gguf(&file.gguf));
        let tokenizer = tokenizer.map_err(|e| file.bad_tokenizer(e))?;
        let model = open_pooled(file)?;
        file.map.forget_pages();
        let info = ModelInfo::read(file, model.context_length(), &tokenizer)?;
        let known = PREFIXES.iter().find(|(arch, ..)| *arch == info.architecture);
        let (_, query, passage) = known.unwrap_or(&("", "", ""));
        let prefix = |kind: &str, default: &str| {
            let key = format!("dossier.embedding.{kind}_prefix");
            file.named(file.gguf.opt_str(&key)).map(|p| p.unwrap_or(default).to_string())
        };
        Ok(Self {
            query_prefix: prefix("query", query)?,
            passage_prefix: prefix("passage", passage)?,
            cpu: Cpu::new(threads),
            model,
            info,
            tokenizer,
            scratch: Mutex::default(),
        })
    }

    /// Length of the vectors.
    pub fn dim(&self) -> usize {
        self.model.width()
    }

    /// Tokens of a text that are looked at, prefix and end marks included; the rest is cut off.
    pub fn max_tokens(&self) -> usize {
        self.model.context_length()
    }

    /// Facts about the model.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// The model's tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Tokens of a text as a passage, before anything is cut off.
    pub fn count_tokens(&self, text: &str) -> usize {
        self.tokenize(EmbedKind::Passage, text).len()
    }

    /// The vectors (n_texts, dim) of length 1, in the order of the texts. A text's vector does not depend on the
    /// others.
    ///
    /// # Errors
    /// The vocabulary names tokens that the model has no weights for.
    pub fn embed(&self, kind: EmbedKind, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        let tokens: Vec<Vec<u32>> = texts.iter().map(|text| self.cut(self.tokenize(kind, text))).collect();
        let mut scratch = self.idle().pop().unwrap_or_default();
        let mut out = Vec::with_capacity(texts.len());
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(batch_len(rest.iter().map(Vec::len)));
            let batch: Vec<Text<'_>> = batch.iter().map(|t| Text { tokens: t, second: t.len() }).collect();
            out.extend(self.model.forward(&self.cpu, &mut scratch, &batch)?);
            rest = after;
        }
        self.idle().push(scratch);
        out.iter_mut().for_each(|vector| l2_normalise(&self.cpu, vector));
        Ok(out)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tokenize(&self, kind: EmbedKind, text: &str) -> Vec<u32> {
        let prefix = match kind {
            EmbedKind::Query => &self.query_prefix,
            EmbedKind::Passage => &self.passage_prefix,
        };
        self.tokenizer.encode(&format!("{prefix}{text}"), true, false)
    }

    /// Shortens to what the model can see. The end mark stays last.
    fn cut(&self, mut tokens: Vec<u32>) -> Vec<u32> {
        let max = self.max_tokens();
        if tokens.len() > max {
            let end = tokens.last().copied().filter(|&t| Some(t) == self.tokenizer.eos());
            tokens.truncate(max);
            if let (Some(end), Some(last)) = (end, tokens.last_mut()) {
                *last = end;
            }
        }
        if tokens.is_empty() {
            // A tokenizer without marks has nothing for an empty text; the model needs one token.
            tokens.push(self.tokenizer.pad().or(self.tokenizer.eos()).unwrap_or(0));
        }
        tokens
    }
}

/// How many of the first texts, of so many tokens each, are computed together: at least one.
pub(super) fn batch_len(lengths: impl Iterator<Item = usize>) -> usize {
    let mut sum = 0;
    let fits = lengths.take_while(|n| {
        sum += n;
        sum <= BATCH_TOKENS
    });
    fits.count().max(1)
}
