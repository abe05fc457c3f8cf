//! One answer while it is being written.

use std::sync::mpsc::Sender;

use kernels::cpu::KvCache;

use super::drafts::Drafts;
use crate::engine::grammar::Constraint;
use crate::engine::sampler::Sampler;
use crate::engine::tokenizer::Tokenizer;
use crate::engine::{EngineError, Finish, GenerateOptions};

/// What the scheduler tells the thread that waits for an answer.
#[derive(Debug)]
pub(in crate::engine) enum Event {
    /// The prompt is being read; so many of its tokens were known.
    Started { cached: usize },
    /// The next token of the answer.
    Token(u32),
    /// The answer has ended.
    Ended(Finish),
    /// It cannot be computed.
    Failed(EngineError),
}

/// A prompt that waits for its turn.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) prompt: Vec<u32>,
    pub(super) options: GenerateOptions,
    /// The form of the answer.
    pub(super) form: Option<Constraint>,
    pub(super) events: Sender<Event>,
    /// Tokens that prompt and answer will have at most.
    pub(super) most: usize,
}

/// A prompt that is read, or an answer that is written.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) request: Request,
    pub(super) cache: KvCache,
    /// Prompt and answer. The last token is always still to be computed.
    pub(super) history: Vec<u32>,
    sampler: Sampler,
    drafts: Option<Drafts>,
    /// What is computed in the step at hand: tokens of the history, then guesses.
    pub(super) fed: Vec<u32>,
    guessed: usize,
    /// The prompt has been read to its end.
    pub(super) is_writing: bool,
    /// Its keys and values may serve later prompts.
    pub(super) is_kept: bool,
}

impl Stream {
    pub(super) fn new(request: Request, cache: KvCache, drafts: bool) -> Self {
        Self {
            history: request.prompt.clone(),
            sampler: Sampler::new(&request.options),
            drafts: drafts.then(Drafts::new),
            is_kept: true,
            fed: Vec::new(),
            guessed: 0,
            is_writing: false,
            request,
            cache,
        }
    }

    /// Chooses what to compute in this step: at most `rows` tokens of the prompt, or the next token with at most
    /// `guesses` guesses.
    pub(super) fn prepare(&mut self, rows: usize, guesses: usize) {
        let known = self.cache.len();
        let open = self.history.get(known..).unwrap_or_default();
        self.fed.clear();
        self.guessed = 0;
        self.fed.extend(open.iter().take(rows.max(1)));
        if self.is_writing
            && let Some(drafts) = &mut self.drafts
        {
            let room = self.request.most.saturating_sub(self.history.len() + 1);
            let guesses = drafts.guess(&self.history, guesses.min(room));
            // What leaves the form will not be chosen.
            let n = self.request.form.as_mut().map_or(guesses.len(), |form| form.holds(guesses));
            self.fed.extend(guesses.iter().take(n));
            self.guessed = self.fed.len() - 1;
        }
    }

    /// Of how many of the tokens in `fed` the logits are wanted.
    pub(super) fn n_logits(&self) -> usize {
        if self.cache.len() + self.fed.len() >= self.history.len() { 1 + self.guessed } else { 0 }
    }

    /// Takes the logits of the step (`n_logits` rows), after the cache has grown by `fed`. False when it is over.
    pub(super) fn advance<'l>(
        &mut self,
        logits: impl Iterator<Item = &'l mut [f32]>,
        tokenizer: &Tokenizer,
    ) -> bool {
        let mut held = 0;
        let goes_on = self.choose(logits, tokenizer, &mut held);
        // Keys and values of guesses that did not hold are forgotten.
        self.cache.truncate(self.cache.len() - self.guessed + held);
        if let Some(drafts) = &mut self.drafts {
            drafts.learn(self.guessed, held);
        }
        goes_on
    }

    /// Chooses a token from each row of logits as long as the guesses hold, and counts those.
    fn choose<'l>(
        &mut self,
        logits: impl Iterator<Item = &'l mut [f32]>,
        tokenizer: &Tokenizer,
        held: &mut usize,
    ) -> bool {
        let first_guess = self.fed.len() - self.guessed;
        for logits in logits {
            if self.history.len() >= self.request.most {
                return self.end(Event::Ended(Finish::Length));
            }
            let token = match self.next(logits, tokenizer) {
                Ok(token) => token,
                Err(error) => return self.end(Event::Failed(error)),
            };
            self.is_writing = true;
            if tokenizer.is_end(token) {
                return self.end(Event::Ended(Finish::Stop));
            }
            self.history.push(token);
            if self.request.events.send(Event::Token(token)).is_err() {
                return false;
            }
            match self.request.form.as_mut().map_or(Ok(true), |form| form.take(token)) {
                Ok(true) => {}
                Ok(false) => return self.end(Event::Ended(Finish::Stop)),
                Err(error) => return self.end(Event::Failed(error)),
            }
            if self.history.len() >= self.request.most {
                return self.end(Event::Ended(Finish::Length));
            }
            if self.fed.get(first_guess + *held) != Some(&token) {
                return true;
            }
            *held += 1;
        }
        true
    }

    /// The next token out of these logits.
    fn next(&mut self, logits: &mut [f32], tokenizer: &Tokenizer) -> Result<u32, EngineError> {
        if let Some(form) = &mut self.request.form {
            form.mask(logits, tokenizer)?;
        }
        self.sampler.next(logits, &self.history).ok_or(EngineError::NoResult)
    }

    fn end(&mut self, event: Event) -> bool {
        // Nobody may be listening any more; then there is nobody to tell.
        let _ = self.request.events.send(event);
        false
    }
}
