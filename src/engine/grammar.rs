//! Answers of a given form: tokens that would leave it are not chosen.

use std::sync::{Arc, Mutex, PoisonError};

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};

use crate::engine::EngineError;
use crate::engine::tokenizer::Tokenizer;

/// A form that an answer must have from its first character to its last.
#[derive(Debug, Clone, PartialEq)]
pub enum Grammar {
    /// Rules in llguidance's variant of Lark.
    Lark(String),
    /// JSON that a schema describes.
    JsonSchema(serde_json::Value),
    /// Text that a regular expression describes whole.
    Regex(String),
}

/// Sentences of an answer that must cite.
const MAX_SENTENCES: usize = 3;
/// Characters of such a sentence before its citation. With the one before, that is less than an answer may have even
/// where a token is a character or two.
const MAX_CHARS: usize = 160;

impl Grammar {
    /// One to three sentences, each of which ends in ` [n].` (or several such numbers) with `n` among `sources`, or
    /// else `NOT FOUND.`.
    ///
    /// A point within a sentence stands before a lower-case letter or a digit, as in `0.15`, `ca. 5` or `Nr. 3`.
    /// Sentences are short, so that an answer comes to its end before its tokens do.
    pub fn citations(sources: impl IntoIterator<Item = u32>) -> Self {
        const NONE: &str = "NOT FOUND\\.";
        let numbers: Vec<String> = sources.into_iter().map(|n| n.to_string()).collect();
        if numbers.is_empty() {
            return Self::Regex(NONE.to_owned());
        }
        let mark = format!(r"\[({})\]", numbers.join("|"));
        let first = r"[\p{L}\p{N}(]";
        let next = r"([^\[\]\n\r.!?]|[.!?][^\s\[\]]|\. [\p{Ll}\p{N}])";
        let last = r"[^\s\[\].!?]";
        let sentence = format!(r"{first}{next}{{1,{MAX_CHARS}}}{last} {mark}( ?{mark}){{0,2}}\.");
        let more = MAX_SENTENCES - 1;
        Self::Regex(format!("({NONE}|{sentence}( {sentence}){{0,{more}}})"))
    }

    fn parsed(&self) -> TopLevelGrammar {
        match self {
            Self::Lark(rules) => TopLevelGrammar::from_lark(rules.clone()),
            Self::JsonSchema(schema) => TopLevelGrammar::from_json_schema(schema.clone()),
            Self::Regex(pattern) => TopLevelGrammar::from_regex(pattern),
        }
    }
}

/// Makes constraints for one model. What it needs of the vocabulary is worked out when it is first asked.
#[derive(Default)]
pub(super) struct Grammars {
    factory: Mutex<Option<Arc<ParserFactory>>>,
}

impl std::fmt::Debug for Grammars {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grammars").finish_non_exhaustive()
    }
}

impl Grammars {
    /// A constraint for one answer.
    ///
    /// # Errors
    /// The grammar cannot be understood.
    pub(super) fn constraint(
        &self,
        grammar: &Grammar,
        tokenizer: &Tokenizer,
    ) -> Result<Constraint, EngineError> {
        let factory = self.factory(tokenizer)?;
        let parser = factory.create_parser(grammar.parsed()).map_err(|e| problem(&e))?;
        Ok(Constraint { matcher: Matcher::new(Ok(parser)) })
    }

    fn factory(&self, tokenizer: &Tokenizer) -> Result<Arc<ParserFactory>, EngineError> {
        let mut kept = self.factory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(factory) = &*kept {
            return Ok(Arc::clone(factory));
        }
        let mut factory = ParserFactory::new_simple(&token_bytes(tokenizer)).map_err(|e| problem(&e))?;
        factory.quiet();
        Ok(Arc::clone(kept.insert(Arc::new(factory))))
    }
}

fn problem(error: &impl std::fmt::Display) -> EngineError {
    EngineError::Grammar { problem: error.to_string() }
}

/// The bytes that every token writes. Control tokens write nothing and are never chosen.
fn token_bytes(tokenizer: &Tokenizer) -> TokEnv {
    let count = tokenizer.vocab_len() as u32;
    let end = tokenizer.eos().or(tokenizer.eot()).unwrap_or(0);
    let mut words: Vec<Vec<u8>> = (0..count).map(|id| tokenizer.decode_piece(id).to_vec()).collect();
    if let Some(word) = words.get_mut(end as usize) {
        // The library knows control tokens by a byte that no text has.
        *word = b"\xff<end>".to_vec();
    }
    Arc::new(ApproximateTokEnv::new(TokTrie::from(&TokRxInfo::new(count, end), &words)))
}

/// How far an answer has come within its form.
pub(super) struct Constraint {
    matcher: Matcher,
}

impl std::fmt::Debug for Constraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Constraint").finish_non_exhaustive()
    }
}

impl Constraint {
    /// Takes away all tokens that would leave the form; the tokens that end an answer stay where it may end.
    ///
    /// # Errors
    /// The grammar has become too large to go on with.
    pub(super) fn mask(&mut self, logits: &mut [f32], tokenizer: &Tokenizer) -> Result<(), EngineError> {
        let allowed = self.matcher.compute_mask_or_eos().map_err(|e| problem(&e))?;
        let may_end = self.matcher.is_stopped() || self.matcher.is_accepting().map_err(|e| problem(&e))?;
        for (id, logit) in (0..).zip(logits.iter_mut()) {
            let stays = if tokenizer.is_end(id) {
                may_end
            } else {
                (id as usize) < allowed.len() && allowed.is_allowed(id)
            };
            if !stays {
                *logit = f32::NEG_INFINITY;
            }
        }
        Ok(())
    }

    /// Takes a token that was chosen. False where nothing can follow it.
    ///
    /// # Errors
    /// It leaves the form.
    pub(super) fn take(&mut self, token: u32) -> Result<bool, EngineError> {
        self.matcher.consume_token(token).map_err(|e| problem(&e))?;
        Ok(!self.matcher.is_stopped())
    }

    /// How many of these tokens, from the first on, keep to the form.
    pub(super) fn holds(&mut self, tokens: &[u32]) -> usize {
        // Guesses that cannot be judged are no guesses.
        self.matcher.validate_tokens(tokens).unwrap_or(0)
    }
}
