//! Prompts to answers.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::engine::chat::{ChatTemplate, Message};
use crate::engine::model::Model;
use crate::engine::options::{ChatMessage, GenerateOptions, Generation, ServeOptions};
use crate::engine::output::Output;
use crate::engine::serve::{Event, PrefixStats, Scheduler};
use crate::engine::session::Session;
use crate::engine::tokenizer::Tokenizer;
use crate::engine::{EngineError, ModelInfo, PreparedModel, available_memory};

/// A text model. May be used from several threads at once: answers that are being written are computed together, and
/// none depends on the others.
#[derive(Debug)]
pub struct Generator {
    model: Arc<Model>,
    template: Option<ChatTemplate>,
    info: ModelInfo,
    scheduler: Scheduler,
}

impl Generator {
    /// Opens a GGUF file of architecture `llama` or `gemma3`, to compute on `threads` threads. Prompt and answer
    /// together have at most `context_tokens` tokens, or what the model was trained for if that is less.
    ///
    /// # Errors
    /// The file cannot be read, lacks something or is of another architecture, or memory does not suffice.
    pub fn open(path: &Path, threads: usize, context_tokens: usize) -> Result<Self, EngineError> {
        Self::open_with(path, &ServeOptions { threads, context_tokens, ..ServeOptions::default() })
    }

    /// As [`Generator::open`], with everything said about how it serves.
    ///
    /// # Errors
    /// As [`Generator::open`].
    pub fn open_with(path: &Path, options: &ServeOptions) -> Result<Self, EngineError> {
        let file = PreparedModel::open(path)?;
        // A file that says too little for a plan is refused when it is opened, by the name of what is missing.
        if let Ok(plan) = file.plan_answers(options) {
            plan.check(available_memory())?;
        }
        Self::open_prepared(&file, options)
    }

    /// As [`Generator::open_with`], for a file whose plan has been looked at.
    ///
    /// # Errors
    /// The file lacks something or is of another architecture.
    pub fn open_prepared(file: &PreparedModel, options: &ServeOptions) -> Result<Self, EngineError> {
        let file = &file.file;
        let model = Model::open(file, options.threads, options.context_tokens)?;
        let template = ChatTemplate::from_gguf(&file.gguf)
            .map_err(|e| file.bad_key("tokenizer.chat_template", e.to_string()))?;
        let info = ModelInfo::read(file, model.decoder.context_length(), &model.tokenizer)?;
        file.map.forget_pages();
        let model = Arc::new(model);
        let scheduler = Scheduler::new(Arc::clone(&model), options)?;
        Ok(Self { model, template, info, scheduler })
    }

    /// Facts about the model.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// Tokens that prompt and answer may have together.
    pub fn context_tokens(&self) -> usize {
        self.model.context
    }

    /// Tokens of a plain text, without begin and end marks.
    pub fn count_tokens(&self, text: &str) -> usize {
        self.model.tokenizer.encode(text, false, false).len()
    }

    /// The model's tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.model.tokenizer
    }

    /// Answers a conversation. Blocks until the answer has ended. `on_text` gets its text as it comes, in whole
    /// characters; where it breaks, the answer ends within a token as [`Finish::Cancelled`](crate::engine::Finish::Cancelled).
    ///
    /// # Errors
    /// The model has no chat template or it refuses the messages; the prompt has too many tokens.
    pub fn generate(
        &self,
        messages: &[ChatMessage],
        o: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError> {
        self.answer(self.prompt(messages)?, o, on_text)
    }

    /// The tokens of a conversation up to where the answer begins.
    ///
    /// # Errors
    /// The model has no chat template or it refuses the messages.
    pub fn prompt(&self, messages: &[ChatMessage]) -> Result<Vec<u32>, EngineError> {
        let Some(template) = &self.template else {
            let problem =
                "the model has none; choose a model that was trained to follow instructions".to_string();
            return Err(EngineError::Template { problem });
        };
        let messages: Vec<Message<'_>> =
            messages.iter().map(|m| Message { role: m.role.name(), content: &m.content }).collect();
        let segments = template
            .render(&messages, true, jiff::ZonedDateTime::now().datetime())
            .map_err(|e| EngineError::Template { problem: e.to_string() })?;
        Ok(self.model.tokenizer.encode_chat(&segments))
    }

    /// Continues a plain text, without a chat template. As [`Generator::generate`] otherwise.
    ///
    /// # Errors
    /// The text has no tokens or too many.
    pub fn complete(
        &self,
        text: &str,
        o: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError> {
        self.answer(self.model.tokenizer.encode(text, true, false), o, on_text)
    }

    /// A computation of its own, token by token, for measurements and tests.
    ///
    /// # Errors
    /// The cache's kind does not fit the model's heads.
    pub fn session(&self) -> Result<Session<'_>, EngineError> {
        Session::new(&self.model, self.scheduler.kv_kind())
    }

    /// Forgets the beginnings of all prompts so far, which hold passages of documents.
    ///
    /// # Errors
    /// The thread that computes has ended.
    pub fn forget_prompts(&self) -> Result<(), EngineError> {
        self.scheduler.forget()
    }

    /// Threads that compute.
    pub fn threads(&self) -> usize {
        self.model.cpu.threads()
    }

    /// Multiplications and additions in the matrices of the layers for one token.
    pub(super) fn operations_per_token(&self) -> usize {
        self.model.decoder.layer_operations()
    }

    /// Bytes of packed weights.
    pub(super) fn weight_bytes(&self) -> usize {
        self.model.decoder.weight_bytes()
    }

    /// What the cache of earlier prompts holds and has saved.
    pub fn prefix_stats(&self) -> PrefixStats {
        self.scheduler.prefix_stats()
    }

    fn answer(
        &self,
        prompt: Vec<u32>,
        o: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError> {
        let start = Instant::now();
        let prompt_tokens = prompt.len();
        let events = self.scheduler.submit(prompt, o)?;
        let mut output = Output::new(&self.model.tokenizer, &o.stop, on_text);
        let (mut cached_tokens, mut completion_tokens, mut first_token_ms) = (0, 0, None);
        let finish = loop {
            match events.recv().map_err(|_| EngineError::Stopped)? {
                Event::Started { cached } => cached_tokens = cached,
                Event::Token(token) => {
                    first_token_ms.get_or_insert_with(|| milliseconds(start));
                    completion_tokens += 1;
                    if let ControlFlow::Break(finish) = output.push(token) {
                        // The scheduler notices that nobody listens any more.
                        break finish;
                    }
                }
                Event::Ended(finish) => {
                    first_token_ms.get_or_insert_with(|| milliseconds(start));
                    break output.end(finish);
                }
                Event::Failed(error) => return Err(error),
            }
        };
        Ok(Generation {
            text: output.text,
            prompt_tokens,
            completion_tokens,
            first_token_ms: first_token_ms.unwrap_or_default(),
            elapsed_ms: milliseconds(start),
            cached_tokens,
            finish,
        })
    }
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
