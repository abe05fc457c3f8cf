//! Measured speed, with the device named.

use std::path::Path;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::engine::{EmbedKind, Embedder, EngineError, Generator, ModelInfo, Session, Together};

/// A text model on the bench.
#[derive(Debug)]
pub struct LlmBench {
    model: Generator,
    tokens: Vec<u32>,
}

impl LlmBench {
    /// Opens a model for computations of at most `context` tokens.
    ///
    /// # Errors
    /// The model cannot be opened.
    pub fn open(path: &Path, threads: usize, context: usize) -> Result<Self, EngineError> {
        let model = Generator::open(path, threads, context)?;
        // Any tokens cost the same; these are spread over the vocabulary.
        let vocabulary = model.info().vocabulary.max(1);
        let tokens = (0..context).map(|i| (i * 7919 % vocabulary) as u32).collect();
        Ok(Self { model, tokens })
    }

    /// The model.
    pub fn model(&self) -> &Generator {
        &self.model
    }

    /// A computation that has read `depth` tokens.
    ///
    /// # Errors
    /// The context is too short.
    pub fn at_depth(&self, depth: usize) -> Result<Session<'_>, EngineError> {
        let mut session = self.model.session()?;
        if depth > 0 {
            session.feed(&self.tokens[..depth.min(self.tokens.len())])?;
        }
        Ok(session)
    }

    /// Reads `n` more tokens and forgets them again.
    ///
    /// # Errors
    /// The context is too short.
    pub fn prefill(&self, session: &mut Session<'_>, n: usize) -> Result<Duration, EngineError> {
        let depth = session.len();
        let start = Instant::now();
        session.feed(&self.tokens[..n.min(self.tokens.len())])?;
        let elapsed = start.elapsed();
        session.truncate(depth);
        Ok(elapsed)
    }

    /// Writes `n` more tokens one by one and forgets them again.
    ///
    /// # Errors
    /// The context is too short.
    pub fn decode(&self, session: &mut Session<'_>, n: usize) -> Result<Duration, EngineError> {
        let depth = session.len();
        let start = Instant::now();
        for token in &self.tokens[..n.min(self.tokens.len())] {
            session.feed(std::slice::from_ref(token))?;
        }
        let elapsed = start.elapsed();
        session.truncate(depth);
        Ok(elapsed)
    }

    /// Takes `n` steps of `streams` answers together, each at a depth of its own near `depth`.
    ///
    /// # Errors
    /// The context is too short.
    pub fn steps(&self, streams: usize, depth: usize, n: usize) -> Result<Duration, EngineError> {
        let whole = self.at_depth(depth.max(1))?;
        let mut sessions: Vec<Session<'_>> =
            (0..streams).map(|i| whole.branch(depth.max(1).saturating_sub(i % 8))).collect();
        // The first step takes the memory that the others use again.
        let mut together = Together::default();
        let mut start = Instant::now();
        for i in 0..=n {
            if i == 1 {
                start = Instant::now();
            }
            let tokens: Vec<&[u32]> = (0..streams)
                .map(|s| std::slice::from_ref(&self.tokens[(i + s) % self.tokens.len()]))
                .collect();
            let _logits = together.feed(&mut sessions, &tokens)?;
        }
        Ok(start.elapsed())
    }

    /// Hashes over what the model makes of fixed prompts: the greedy continuations, and the bits of the logits. They
    /// change with any change of the arithmetic.
    ///
    /// # Errors
    /// The context is too short.
    pub fn hashes(&self) -> Result<Hashes, EngineError> {
        const PROMPTS: [&str; 3] = [
            "The external wall consists of the following layers, from the outside to the inside:",
            "Die Brandschutzklappe im Geschoss 2 ist",
            "1, 2, 3, 5, 8, 13,",
        ];
        let (mut tokens, mut bits) = (Sha256::new(), Sha256::new());
        for prompt in PROMPTS {
            let mut session = self.model.session()?;
            let prompt = self.model.tokenizer().encode(prompt, true, false);
            let mut next = self.greedy(session.feed(&prompt)?, &mut bits)?;
            for _ in 0..32 {
                tokens.update(next.to_le_bytes());
                next = self.greedy(session.feed(&[next])?, &mut bits)?;
            }
        }
        let short = |hash: Sha256| hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
        Ok(Hashes { continuations: short(tokens), logits: short(bits) })
    }

    fn greedy(&self, logits: &[f32], bits: &mut Sha256) -> Result<u32, EngineError> {
        logits.iter().for_each(|l| bits.update(l.to_bits().to_le_bytes()));
        kernels::cpu::argmax(logits).map(|i| i as u32).ok_or(EngineError::NoResult)
    }

    /// Multiplications and additions in the matrices of the layers for one token of a prompt.
    pub fn operations_per_token(&self) -> usize {
        self.model.operations_per_token()
    }

    /// Bytes of weights that are read for each token of an answer.
    pub fn bytes_per_token(&self) -> usize {
        self.model.weight_bytes()
    }
}

/// See [`LlmBench::hashes`].
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Hashes {
    /// Over the tokens of the greedy continuations.
    pub continuations: String,
    /// Over the bits of the logits that they were chosen from.
    pub logits: String,
}

/// What the processor can do at best.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Peaks {
    /// 8-bit multiplications and additions per second and thread, in thousand millions.
    pub integer_gops_per_thread: f64,
    /// Bytes read from memory per second by all threads, in thousand millions.
    pub read_gb_per_s: f64,
}

/// Measures the processor.
pub fn peaks(threads: usize) -> Peaks {
    let cpu = kernels::cpu::Cpu::new(threads);
    Peaks {
        integer_gops_per_thread: kernels::cpu::integer_peak(&cpu) / 1e9 / threads.max(1) as f64,
        read_gb_per_s: kernels::cpu::read_bandwidth(&cpu, 1 << 30) / 1e9,
    }
}

/// An embedding model and the passages that it is measured with.
#[derive(Debug)]
pub struct EmbedBench {
    model: Embedder,
    texts: Vec<String>,
    tokens: usize,
}

impl EmbedBench {
    /// Opens the model and makes `passages` texts of about `tokens` tokens each.
    ///
    /// # Errors
    /// The model cannot be opened.
    pub fn open(path: &Path, threads: usize, passages: usize, tokens: usize) -> Result<Self, EngineError> {
        const WORDS: [&str; 8] = ["Wand", "mur", "muro", "wall", "Beton", "isolation", "finestra", "door"];
        let model = Embedder::open(path, threads)?;
        let goal = tokens.clamp(1, model.max_tokens());
        let text = |i: usize| {
            let mut text = String::new();
            let mut word = i;
            while model.count_tokens(&text) < goal {
                text.push_str(WORDS[word * word % 13 % WORDS.len()]);
                text.push(' ');
                word += 1;
            }
            text
        };
        let texts: Vec<String> = (0..passages.max(1)).map(text).collect();
        let tokens = texts.iter().map(|t| model.count_tokens(t).min(model.max_tokens())).sum();
        Ok(Self { model, texts, tokens })
    }

    /// Passages, and the tokens of all together.
    pub fn size(&self) -> (usize, usize) {
        (self.texts.len(), self.tokens)
    }

    /// What the file says of itself.
    pub fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    /// How long all passages take.
    ///
    /// # Errors
    /// The model fails.
    pub fn passages(&self) -> Result<Duration, EngineError> {
        let texts: Vec<&str> = self.texts.iter().map(String::as_str).collect();
        let start = Instant::now();
        self.model.embed(EmbedKind::Passage, &texts)?;
        Ok(start.elapsed())
    }

    /// How long a reader's question takes.
    ///
    /// # Errors
    /// The model fails.
    pub fn question(&self) -> Result<Duration, EngineError> {
        let start = Instant::now();
        self.model.embed(EmbedKind::Query, &["Welcher U-Wert gilt für die Aussenwand?"])?;
        Ok(start.elapsed())
    }
}

/// The median in seconds, never 0.
pub fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    middle.max(Duration::from_nanos(1)).as_secs_f64()
}
