//! How well passages answer a query, as a model judges that reads both together.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kernels::cpu::Cpu;

use crate::engine::embedder::batch_len;
use crate::engine::graph::encoder::Text;
use crate::engine::graph::head::Head;
use crate::engine::graph::open_reranker;
use crate::engine::graph::pooled::{Pooled, Scratch};
use crate::engine::tokenizer::{Pair, Prompt, Tokenizer};
use crate::engine::{EngineError, ModelInfo, PreparedModel, available_memory};

/// The prompt of a text model that judges, in files that carry one.
const PROMPT: &str = "tokenizer.chat_template.rerank";

/// A reranker. May be used from several threads at once.
#[derive(Debug)]
pub struct Reranker {
    cpu: Cpu,
    model: Pooled,
    head: Head,
    tokenizer: Tokenizer,
    prompt: Option<Prompt>,
    info: ModelInfo,
    /// Buffers that no call uses at the moment.
    scratch: Mutex<Vec<Scratch>>,
}

impl Reranker {
    /// Opens the GGUF file of a cross-encoder with a classification head (`bert`, which XLM-RoBERTa files are too) or
    /// of a text model that says yes or no (`qwen3`), to compute on `threads` threads.
    ///
    /// # Errors
    /// The file cannot be read, lacks something or is of another architecture.
    pub fn open(path: &Path, threads: usize) -> Result<Self, EngineError> {
        let file = PreparedModel::open(path)?;
        // A file that says too little for a plan is refused when it is opened, by the name of what is missing.
        if let Ok(plan) = file.plan_vectors() {
            plan.check(available_memory())?;
        }
        Self::open_prepared(&file, threads)
    }

    /// As [`Reranker::open`], for a file whose plan has been looked at.
    ///
    /// # Errors
    /// The file lacks something or is of another architecture.
    pub fn open_prepared(file: &PreparedModel, threads: usize) -> Result<Self, EngineError> {
        let file = &file.file;
        let (model, head) = open_reranker(file)?;
        let tokenizer = Tokenizer::from_gguf(&file.gguf).map_err(|e| file.bad_tokenizer(e))?;
        file.map.forget_pages();
        let prompt = match (&model, file.named(file.gguf.opt_str(PROMPT))?) {
            (Pooled::Encoder(_), _) => None,
            (Pooled::LastToken(_), Some(text)) => Some(
                Prompt::parse(text)
                    .ok_or_else(|| file.bad_key(PROMPT, "it has no place for {query} and {document}"))?,
            ),
            (Pooled::LastToken(_), None) => {
                return Err(file.bad_key(PROMPT, "it is missing: nothing says how this model is asked"));
            }
        };
        let info = ModelInfo::read(file, model.context_length(), &tokenizer)?;
        Ok(Self { cpu: Cpu::new(threads), model, head, tokenizer, prompt, info, scratch: Mutex::default() })
    }

    /// Tokens of a query and a passage together, marks included; a passage that is too long for them is cut.
    pub fn max_tokens(&self) -> usize {
        self.model.context_length()
    }

    /// Facts about the model.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// A score for each passage, in their order: higher is better. Those of a cross-encoder have no bounds, those of
    /// a model that says yes or no lie between 0 and 1. A passage's score does not depend on the others.
    ///
    /// # Errors
    /// The query leaves no room for a passage, or the vocabulary names tokens that the model has no weights for.
    pub fn score(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, EngineError> {
        let pairs = passages.iter().map(|passage| self.pair(query, passage));
        let pairs: Vec<Pair> = pairs.collect::<Result<_, _>>()?;
        // Those of similar length together, so that threads are busy alike.
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&i| pairs[i].tokens.len());
        let mut scores = vec![0.0; pairs.len()];
        let mut scratch = self.idle().pop().unwrap_or_default();
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(batch_len(rest.iter().map(|&i| pairs[i].tokens.len())));
            let text = |&i: &usize| Text { tokens: &pairs[i].tokens, second: pairs[i].second };
            let texts: Vec<Text<'_>> = batch.iter().map(text).collect();
            let vectors = self.model.forward(&self.cpu, &mut scratch, &texts)?;
            for (&i, score) in batch.iter().zip(self.head.scores(&self.cpu, &vectors)?) {
                scores[i] = score;
            }
            rest = after;
        }
        self.idle().push(scratch);
        Ok(scores)
    }

    fn pair(&self, query: &str, passage: &str) -> Result<Pair, EngineError> {
        let max = self.max_tokens();
        let pair = match &self.prompt {
            Some(prompt) => self.tokenizer.encode_prompt(prompt, query, passage, max),
            None => self.tokenizer.encode_pair(query, passage, max),
        };
        pair.map_err(|tokens| EngineError::PromptTooLong { tokens, context: max })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
