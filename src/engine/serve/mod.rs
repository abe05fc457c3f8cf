//! Many answers at once.
//!
//! One thread computes for all readers. A step takes the next token of every answer that is being written and a piece
//! of the prompts that are being read, so that a long prompt holds nobody up for longer than a step. As a row's
//! result does not depend on the other rows, no answer depends on who else is asking.

mod drafts;
mod prefix;
mod stream;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use kernels::cpu::{KvCache, KvKind};

use self::drafts::MAX_DRAFT;
pub use self::prefix::PrefixStats;
use self::prefix::{PrefixCache, common};
pub(super) use self::stream::Event;
use self::stream::{Request, Stream};
use super::graph::decoder::{CHUNK, Part, Scratch};
use super::model::Model;
use super::{EngineError, GenerateOptions, ServeOptions};

/// Tokens of prompts in a step while answers are being written.
pub(super) const CHUNK_BESIDE: usize = 64;

/// Rows of a step with guesses in it: two tiles of the matrix product.
const ROWS_WITH_GUESSES: usize = 16;

/// A prompt waits for another one that is being read if it can then take over more tokens than this.
const WORTH_WAITING: usize = 64;

/// Rows of logits that a step has at most with so many answers.
pub(super) fn logit_rows(streams: usize) -> usize {
    streams.max(ROWS_WITH_GUESSES.min(streams * (1 + MAX_DRAFT)))
}

/// What the thread is asked to do.
enum Order {
    /// Read a prompt and answer it.
    Answer(Box<Request>),
    /// Forget all beginnings of prompts, and say so.
    Forget(Sender<()>),
}

/// The way to the thread that computes.
#[derive(Debug)]
pub(super) struct Scheduler {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    stats: Arc<Mutex<PrefixStats>>,
    model: Arc<Model>,
    kv_kind: KvKind,
}

impl Scheduler {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses a thread, or the cache's kind does not fit the model's heads.
    pub(super) fn new(model: Arc<Model>, options: &ServeOptions) -> Result<Self, EngineError> {
        let empty = KvCache::new(model.decoder.cache_shape(options.kv_kind))?;
        let (orders, receiver) = channel();
        let stats = Arc::new(Mutex::new(PrefixStats::default()));
        let max_streams = options.max_streams.max(1);
        let logits = Vec::with_capacity(logit_rows(max_streams) * model.decoder.output_rows());
        let worker = Worker {
            model: Arc::clone(&model),
            receiver,
            empty,
            prefixes: PrefixCache::new(options.prefix_bytes),
            stats: Arc::clone(&stats),
            max_streams,
            room: options.room(model.context),
            drafts: options.drafts,
            waiting: VecDeque::new(),
            streams: Vec::new(),
            scratch: Scratch::default(),
            logits,
        };
        let thread = std::thread::Builder::new().name("answers".into()).spawn(move || worker.run());
        let thread = Some(thread.map_err(|_| EngineError::Stopped)?);
        Ok(Self { orders: Some(orders), thread, stats, model, kv_kind: options.kv_kind })
    }

    /// Queues a prompt; what comes of it arrives at the receiver. Dropping that ends the answer.
    ///
    /// # Errors
    /// The prompt is empty, too long or has unknown tokens, the grammar makes no sense, or the thread has ended.
    pub(super) fn submit(
        &self,
        prompt: Vec<u32>,
        o: &GenerateOptions,
    ) -> Result<Receiver<Event>, EngineError> {
        self.model.check_tokens(&prompt, 0)?;
        let (events, receiver) = channel();
        let most = self.model.context.min(prompt.len().saturating_add(o.max_tokens));
        let model = &self.model;
        let form = o.grammar.as_ref().map(|g| model.grammars.constraint(g, &model.tokenizer)).transpose()?;
        let request = Request { prompt, options: o.clone(), form, events, most };
        self.order(Order::Answer(Box::new(request)))?;
        Ok(receiver)
    }

    /// Forgets the beginnings of all prompts; those of answers that are being written are not kept either. Waits for
    /// the step at hand.
    ///
    /// # Errors
    /// The thread has ended.
    pub(super) fn forget(&self) -> Result<(), EngineError> {
        let (told, done) = channel();
        self.order(Order::Forget(told))?;
        done.recv().map_err(|_| EngineError::Stopped)
    }

    fn order(&self, order: Order) -> Result<(), EngineError> {
        let orders = self.orders.as_ref().ok_or(EngineError::Stopped)?;
        orders.send(order).map_err(|_| EngineError::Stopped)
    }

    pub(super) fn kv_kind(&self) -> KvKind {
        self.kv_kind
    }

    pub(super) fn prefix_stats(&self) -> PrefixStats {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic there has already been reported to whoever waited.
            let _ = thread.join();
        }
    }
}

/// What the thread owns.
struct Worker {
    model: Arc<Model>,
    receiver: Receiver<Order>,
    empty: KvCache,
    prefixes: PrefixCache,
    stats: Arc<Mutex<PrefixStats>>,
    max_streams: usize,
    /// Tokens that all streams may come to hold.
    room: usize,
    drafts: bool,
    waiting: VecDeque<Request>,
    streams: Vec<Stream>,
    scratch: Scratch,
    logits: Vec<f32>,
}

impl Worker {
    /// Works until nobody can ask any more.
    fn run(mut self) {
        while self.receive() {
            self.admit();
            self.step();
        }
    }

    /// Takes new requests, and waits for one where there is nothing to do. False at the end.
    fn receive(&mut self) -> bool {
        while self.streams.is_empty() && self.waiting.is_empty() {
            let Ok(order) = self.receiver.recv() else { return false };
            self.take(order);
        }
        loop {
            match self.receiver.try_recv() {
                Ok(order) => self.take(order),
                Err(TryRecvError::Empty) => return true,
                // The last asker has gone, and with it everybody who could be listening.
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Answer(request) => self.waiting.push_back(*request),
            Order::Forget(told) => {
                self.prefixes.clear();
                self.streams.iter_mut().for_each(|stream| stream.is_kept = false);
                self.tell_stats();
                // Whoever does not wait any more need not know.
                let _ = told.send(());
            }
        }
    }

    /// Starts waiting requests, in their order, as far as there is room.
    fn admit(&mut self) {
        while self.streams.len() < self.max_streams {
            let Some(request) = self.waiting.front() else { return };
            let held: usize = self.streams.iter().map(|s| s.request.most).sum();
            let fits = self.streams.is_empty() || held + request.most <= self.room;
            if !fits || self.should_wait(&request.prompt) {
                return;
            }
            let Some(request) = self.waiting.pop_front() else { return };
            let cache = self.prefixes.take(&request.prompt, self.empty.clone());
            self.tell_stats();
            if request.events.send(Event::Started { cached: cache.len() }).is_ok() {
                self.streams.push(Stream::new(request, cache, self.drafts));
            }
        }
    }

    /// Whether a prompt that is being read right now begins so much like this one that its keys and values are
    /// better waited for than computed twice.
    fn should_wait(&self, prompt: &[u32]) -> bool {
        let known = self.prefixes.look(prompt).tokens;
        let reading = self.streams.iter().filter(|s| !s.is_writing);
        reading.map(|s| common(&s.request.prompt, prompt)).any(|n| n > known + WORTH_WAITING)
    }

    fn step(&mut self) {
        let writing = self.streams.iter().filter(|s| s.is_writing).count();
        let mut rows = if writing > 0 { CHUNK_BESIDE } else { CHUNK };
        let guesses = (ROWS_WITH_GUESSES / writing.max(1)).saturating_sub(1).min(MAX_DRAFT);
        let mut parts = Vec::with_capacity(self.streams.len());
        let mut at = Vec::new();
        for (i, stream) in self.streams.iter_mut().enumerate() {
            if !stream.is_writing && rows == 0 {
                continue;
            }
            stream.prepare(rows, guesses);
            if !stream.is_writing {
                rows -= stream.fed.len();
            }
            let n_logits = stream.n_logits();
            at.push((i, n_logits));
            parts.push(Part { cache: &mut stream.cache, tokens: &stream.fed, n_logits });
        }
        if parts.is_empty() {
            return;
        }
        let model = &*self.model;
        let done = model.decoder.forward(&model.cpu, &mut self.scratch, &mut parts, &mut self.logits);
        match done {
            Ok(()) => self.advance(&at),
            Err(error) => self.fail(&error),
        }
    }

    /// Hands each stream that was computed its logits, and removes those that are over.
    fn advance(&mut self, at: &[(usize, usize)]) {
        let width = self.model.decoder.output_rows();
        let mut rest = self.logits.as_mut_slice();
        let (mut over, mut kept) = (Vec::new(), false);
        for &(i, n_logits) in at {
            let (own, after) = rest.split_at_mut(n_logits * width);
            rest = after;
            let Some(stream) = self.streams.get_mut(i) else { continue };
            let was_writing = stream.is_writing;
            if !stream.advance(own.chunks_exact_mut(width), &self.model.tokenizer) {
                over.push(i);
            }
            if n_logits > 0 && !was_writing && stream.is_kept {
                self.prefixes.keep(&stream.request.prompt, &stream.cache);
                kept = true;
            }
        }
        kept |= !over.is_empty();
        for i in over.into_iter().rev() {
            let stream = self.streams.remove(i);
            if !stream.is_kept {
                continue;
            }
            self.prefixes.keep(&stream.history, &stream.cache);
        }
        if kept {
            self.tell_stats();
        }
    }

    /// Counts pages, which is not for every step.
    fn tell_stats(&self) {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner) = self.prefixes.stats();
    }

    fn fail(&mut self, error: &EngineError) {
        tracing::error!(%error, answers = self.streams.len(), "a step of the language model failed");
        for stream in self.streams.drain(..) {
            let failed = EngineError::Step { problem: error.to_string() };
            // Whoever does not listen any more need not know.
            let _ = stream.request.events.send(Event::Failed(failed));
        }
    }
}
