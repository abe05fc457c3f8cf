//! Prompts to answers.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use kernels::cpu::{Cpu, KvCache};

use crate::engine::chat::{ChatTemplate, Message};
use crate::engine::graph::decoder::{CHUNK, Decoder, Scratch};
use crate::engine::graph::open_decoder;
use crate::engine::sampler::Sampler;
use crate::engine::stops::{Passed, Stops};
use crate::engine::tokenizer::{StreamDecoder, Tokenizer};
use crate::engine::weights::ModelFile;
use crate::engine::{EngineError, ModelInfo};

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The rules for the answer.
    System,
    /// The person.
    User,
    /// The model, earlier in the conversation.
    Assistant,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a conversation. Its text never becomes a control token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// How an answer is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerateOptions {
    /// Most tokens of the answer.
    pub max_tokens: usize,
    /// 0 takes the likeliest token each time; higher values vary more.
    pub temperature: f32,
    /// Only the so many likeliest tokens are considered; 0 for all.
    pub top_k: usize,
    /// Only the likeliest tokens that together reach this share are considered; 1 for all.
    pub top_p: f32,
    /// Only tokens with at least this share of the likeliest one's probability are considered; 0 for all.
    pub min_p: f32,
    /// Above 1, tokens among the last 64 become less likely; 1 for no effect.
    pub repeat_penalty: f32,
    /// The same seed gives the same answer.
    pub seed: u64,
    /// The answer ends before any of these texts.
    pub stop: Vec<String>,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            max_tokens: 512,
            temperature: 0.0,
            top_k: 40,
            top_p: 0.95,
            min_p: 0.05,
            repeat_penalty: 1.0,
            seed: 0,
            stop: Vec::new(),
        }
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model ended it, or a stop text came.
    Stop,
    /// The most tokens were reached, or the context was full.
    Length,
    /// The reader left.
    Cancelled,
}

/// A finished answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// The text, without stop texts.
    pub text: String,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens of the answer.
    pub completion_tokens: usize,
    /// Until the first token was known.
    pub first_token_ms: u64,
    /// In all.
    pub elapsed_ms: u64,
    /// Why it ended.
    pub finish: Finish,
}

/// A text model. May be used from several threads at once: they share the weights, and each answer has a cache of
/// its own.
#[derive(Debug)]
pub struct Generator {
    cpu: Cpu,
    decoder: Decoder,
    tokenizer: Tokenizer,
    template: Option<ChatTemplate>,
    info: ModelInfo,
    context: usize,
}

impl Generator {
    /// Opens a GGUF file of architecture `llama` or `gemma3`, to compute on `threads` threads. Prompt and answer
    /// together have at most `context_tokens` tokens, or what the model was trained for if that is less.
    ///
    /// # Errors
    /// The file cannot be read, lacks something or is of another architecture.
    pub fn open(path: &Path, threads: usize, context_tokens: usize) -> Result<Self, EngineError> {
        let file = ModelFile::open(path)?;
        let decoder = open_decoder(&file)?;
        let tokenizer = Tokenizer::from_gguf(&file.gguf).map_err(|e| file.bad_tokenizer(e))?;
        if tokenizer.vocab_len() > decoder.vocabulary() {
            let problem =
                format!("{} tokens, but weights for {}", tokenizer.vocab_len(), decoder.vocabulary());
            return Err(file.bad_key("tokenizer.ggml.tokens", problem));
        }
        let template = ChatTemplate::from_gguf(&file.gguf)
            .map_err(|e| file.bad_key("tokenizer.chat_template", e.to_string()))?;
        Ok(Self {
            template,
            cpu: Cpu::new(threads),
            info: ModelInfo::read(&file, decoder.context_length(), &tokenizer)?,
            context: context_tokens.min(decoder.context_length()),
            decoder,
            tokenizer,
        })
    }

    /// Facts about the model.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// Tokens that prompt and answer may have together.
    pub fn context_tokens(&self) -> usize {
        self.context
    }

    /// Tokens of a plain text, without begin and end marks.
    pub fn count_tokens(&self, text: &str) -> usize {
        self.tokenizer.encode(text, false, false).len()
    }

    /// The model's tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Answers a conversation. Blocks until the answer has ended. `on_text` gets its text as it comes, in whole
    /// characters; where it breaks, the answer ends within a token as [`Finish::Cancelled`].
    ///
    /// # Errors
    /// The model has no chat template or it refuses the messages; the prompt has too many tokens.
    pub fn generate(
        &self,
        messages: &[ChatMessage],
        o: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError> {
        self.answer(&self.prompt(messages)?, o, on_text)
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
        Ok(self.tokenizer.encode_chat(&segments))
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
        self.answer(&self.tokenizer.encode(text, true, false), o, on_text)
    }

    /// A computation of its own, token by token, for measurements and tests.
    ///
    /// # Errors
    /// Never for a model that was opened; the cache's shape was checked then.
    pub fn session(&self) -> Result<Session<'_>, EngineError> {
        let cache = self.decoder.new_cache()?;
        Ok(Session { model: self, cache, scratch: Scratch::default(), logits: Vec::new() })
    }

    fn answer(
        &self,
        prompt: &[u32],
        o: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError> {
        let start = Instant::now();
        let mut session = self.session()?;
        session.feed(prompt)?;
        let max_tokens = o.max_tokens.min(self.context - prompt.len());
        let mut history = prompt.to_vec();
        let mut sampler = Sampler::new(o);
        let mut output = Output::new(&self.tokenizer, &o.stop, on_text);
        let mut first_token_ms = 0;
        let finish = loop {
            if history.len() - prompt.len() >= max_tokens {
                break output.end(Finish::Length);
            }
            let token = sampler.next(&mut session.logits, &history).ok_or(EngineError::NoResult)?;
            if history.len() == prompt.len() {
                first_token_ms = milliseconds(start);
            }
            if self.tokenizer.is_end(token) {
                break output.end(Finish::Stop);
            }
            history.push(token);
            if let ControlFlow::Break(finish) = output.push(token) {
                break finish;
            }
            if history.len() - prompt.len() < max_tokens {
                session.feed(&[token])?;
            }
        };
        Ok(Generation {
            text: output.text,
            prompt_tokens: prompt.len(),
            completion_tokens: history.len() - prompt.len(),
            first_token_ms,
            elapsed_ms: milliseconds(start),
            finish,
        })
    }
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The way of an answer's tokens to its reader.
struct Output<'a> {
    decoder: Option<StreamDecoder<'a>>,
    stops: Stops<'a>,
    text: String,
    on_text: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
}

impl<'a> Output<'a> {
    fn new(
        tokenizer: &'a Tokenizer,
        stops: &'a [String],
        on_text: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Self {
        Self {
            decoder: Some(StreamDecoder::new(tokenizer)),
            stops: Stops::new(stops),
            text: String::new(),
            on_text,
        }
    }

    /// Takes a token; breaks with the reason where the answer ends.
    fn push(&mut self, token: u32) -> ControlFlow<Finish> {
        let piece = self.decoder.as_mut().map(|d| d.push(token)).unwrap_or_default();
        match self.stops.push(&piece) {
            Passed::Text(text) => self.show(&text),
            Passed::Stopped(text) => {
                self.show(&text)?;
                ControlFlow::Break(Finish::Stop)
            }
        }
    }

    /// Shows what was held back and says why the answer ended.
    fn end(&mut self, finish: Finish) -> Finish {
        let rest = self.decoder.take().map(StreamDecoder::finish).unwrap_or_default();
        let shown = match self.stops.push(&rest) {
            Passed::Text(text) => text + &std::mem::replace(&mut self.stops, Stops::new(&[])).finish(),
            Passed::Stopped(text) => text,
        };
        match self.show(&shown) {
            ControlFlow::Continue(()) => finish,
            ControlFlow::Break(cancelled) => cancelled,
        }
    }

    fn show(&mut self, text: &str) -> ControlFlow<Finish> {
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        self.text.push_str(text);
        match (self.on_text)(text) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Finish::Cancelled),
        }
    }
}

/// The state of one computation: the tokens so far and their cache.
#[derive(Debug)]
pub struct Session<'m> {
    model: &'m Generator,
    cache: KvCache,
    scratch: Scratch,
    logits: Vec<f32>,
}

impl Session<'_> {
    /// Tokens so far.
    pub fn len(&self) -> usize {
        self.cache.len()
    }

    /// Whether no token was fed yet.
    pub fn is_empty(&self) -> bool {
        self.cache.is_empty()
    }

    /// Forgets all tokens; the memory is kept.
    pub fn clear(&mut self) {
        self.cache.truncate(0);
    }

    /// Computes `tokens` after those before and returns the logits (vocabulary) after the last one.
    ///
    /// # Errors
    /// There are no tokens, more than the context holds, or one outside of the vocabulary. The tokens before
    /// stay.
    pub fn feed(&mut self, tokens: &[u32]) -> Result<&[f32], EngineError> {
        self.compute(tokens, usize::from, |_| ())?;
        Ok(&self.logits)
    }

    /// As [`Session::feed`], with the logits after every token: `each(row)` gets them in order.
    ///
    /// # Errors
    /// As [`Session::feed`].
    pub fn feed_each(&mut self, tokens: &[u32], mut each: impl FnMut(&[f32])) -> Result<(), EngineError> {
        let width = self.model.decoder.output_rows();
        self.compute(tokens, |_| CHUNK, |logits| logits.chunks_exact(width).for_each(&mut each))
    }

    fn compute(
        &mut self,
        tokens: &[u32],
        n_logits: impl Fn(bool) -> usize,
        mut take: impl FnMut(&[f32]),
    ) -> Result<(), EngineError> {
        let before = self.cache.len();
        if tokens.is_empty() {
            return Err(EngineError::EmptyPrompt);
        }
        if before + tokens.len() > self.model.context {
            let (tokens, context) = (before + tokens.len(), self.model.context);
            return Err(EngineError::PromptTooLong { tokens, context });
        }
        let (model, n_chunks) = (self.model, tokens.len().div_ceil(CHUNK));
        for (i, chunk) in tokens.chunks(CHUNK).enumerate() {
            let n = n_logits(i + 1 == n_chunks);
            let step = model.decoder.forward(
                &model.cpu,
                &mut self.cache,
                &mut self.scratch,
                chunk,
                n,
                &mut self.logits,
            );
            if let Err(error) = step {
                self.cache.truncate(before);
                return Err(error);
            }
            take(&self.logits);
        }
        Ok(())
    }
}
