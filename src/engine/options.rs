//! What is asked of a text model, and what comes back.

use kernels::cpu::KvKind;

use crate::engine::Grammar;

/// How a model serves its readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeOptions {
    /// Threads that compute.
    pub threads: usize,
    /// Tokens that prompt and answer of one reader may have together.
    pub context_tokens: usize,
    /// Answers that are written at the same time; more wait.
    pub max_streams: usize,
    /// Tokens that all running answers may hold together; 0 for twice the context.
    pub kv_tokens: usize,
    /// How keys and values are stored.
    pub kv_kind: KvKind,
    /// Bytes for the keys and values of earlier prompts.
    pub prefix_bytes: usize,
    /// Whether tokens are guessed from what was read and written before. The answer is the same without.
    pub drafts: bool,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            context_tokens: 4096,
            max_streams: 16,
            kv_tokens: 0,
            kv_kind: KvKind::F16,
            prefix_bytes: 256 << 20,
            drafts: true,
        }
    }
}

impl ServeOptions {
    /// Tokens that all running answers may hold together, with this context for each.
    pub(super) fn room(&self, context: usize) -> usize {
        let tokens = if self.kv_tokens == 0 { 2 * context } else { self.kv_tokens };
        tokens.max(context)
    }
}

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
    pub(super) fn name(self) -> &'static str {
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
    /// Above 1, tokens among the last 64 of prompt and answer become less likely; 1 for no effect.
    pub repeat_penalty: f32,
    /// Taken from a token's logit for each time that it stands among those 64; 0 for no effect.
    pub frequency_penalty: f32,
    /// Taken from a token's logit once if it stands among those 64; 0 for no effect.
    pub presence_penalty: f32,
    /// The same seed gives the same answer.
    pub seed: u64,
    /// The answer ends before any of these texts.
    pub stop: Vec<String>,
    /// The form that the answer must have.
    pub grammar: Option<Grammar>,
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
            frequency_penalty: 0.0,
            presence_penalty: 0.0,
            seed: 0,
            stop: Vec::new(),
            grammar: None,
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
    /// Tokens of the prompt whose keys and values were still there from earlier prompts.
    pub cached_tokens: usize,
    /// Why it ended.
    pub finish: Finish,
}
