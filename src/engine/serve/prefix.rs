//! Keys and values of earlier prompts, kept for the next one that begins alike.
//!
//! Each entry is a sequence of tokens and a share in the pages that hold its keys and values. A prompt takes over the
//! longest beginning that it has in common with any entry, to the token. Where the budget is exceeded, the entries
//! that were used longest ago go. Few entries fit a budget, so looking through all of them costs nothing beside a
//! step of the model.

use std::collections::HashSet;

use kernels::cpu::KvCache;

/// Beginnings shorter than this are not worth keeping an entry for.
const MIN_TOKENS: usize = 16;

/// What the cache of earlier prompts holds and has saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct PrefixStats {
    /// Sequences held.
    pub entries: usize,
    /// Bytes of their pages, shared ones counted once.
    pub bytes: usize,
    /// Prompts so far.
    pub prompts: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Of those, tokens that were not computed again.
    pub reused: u64,
}

#[derive(Debug)]
struct Entry {
    tokens: Vec<u32>,
    cache: KvCache,
    used: u64,
}

/// The entries, within a budget.
#[derive(Debug)]
pub(super) struct PrefixCache {
    entries: Vec<Entry>,
    budget: usize,
    clock: u64,
    stats: PrefixStats,
}

/// How far a prompt was known, and the first token that was not: (expected by the entry, found in the prompt).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) tokens: usize,
    pub(super) differs: Option<(u32, u32)>,
}

/// Tokens that two sequences have in common at their beginning.
pub(super) fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

impl PrefixCache {
    /// An empty cache for at most `budget` bytes.
    pub(super) fn new(budget: usize) -> Self {
        Self { entries: Vec::new(), budget, clock: 0, stats: PrefixStats::default() }
    }

    /// How many of the prompt's tokens are known.
    pub(super) fn look(&self, prompt: &[u32]) -> Match {
        let best = self.entries.iter().map(|e| (common(&e.tokens, prompt), e)).max_by_key(|(n, _)| *n);
        let Some((tokens, entry)) = best else { return Match { tokens: 0, differs: None } };
        let differs = entry.tokens.get(tokens).zip(prompt.get(tokens)).map(|(a, b)| (*a, *b));
        Match { tokens, differs }
    }

    /// A cache that begins with what is known of `prompt`; at least its last token is left to compute, so that there
    /// are logits to go on from.
    pub(super) fn take(&mut self, prompt: &[u32], empty: KvCache) -> KvCache {
        let found = self.look(prompt);
        let n = found.tokens.min(prompt.len().saturating_sub(1));
        self.clock += 1;
        self.stats.prompts += 1;
        self.stats.tokens += prompt.len() as u64;
        self.stats.reused += n as u64;
        // Numbers of tokens, never their text.
        tracing::debug!(
            reused = n,
            of = prompt.len(),
            first_difference = ?found.differs,
            entries = self.entries.len(),
            "beginning of a prompt looked up"
        );
        let clock = self.clock;
        let entry = self.entries.iter_mut().find(|e| n > 0 && common(&e.tokens, prompt) == found.tokens);
        entry.map_or(empty, |entry| {
            entry.used = clock;
            entry.cache.prefix(n)
        })
    }

    /// Keeps the keys and values of `tokens`, which are the first that `cache` holds.
    pub(super) fn keep(&mut self, tokens: &[u32], cache: &KvCache) {
        let n = tokens.len().min(cache.len());
        let Some(tokens) = tokens.get(..n) else { return };
        if n < MIN_TOKENS || cache.shape().bytes(n) > self.budget {
            return;
        }
        self.clock += 1;
        if let Some(entry) = self.entries.iter_mut().find(|e| e.tokens.starts_with(tokens)) {
            entry.used = self.clock;
            return;
        }
        self.entries.retain(|e| !tokens.starts_with(&e.tokens));
        self.entries.push(Entry { tokens: tokens.to_vec(), cache: cache.prefix(n), used: self.clock });
        while self.bytes() > self.budget {
            let Some(oldest) = (0..self.entries.len()).min_by_key(|&i| self.entries[i].used) else { break };
            self.entries.swap_remove(oldest);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Bytes of all pages, shared ones counted once.
    fn bytes(&self) -> usize {
        let pages: HashSet<usize> = self.entries.iter().flat_map(|e| e.cache.page_addresses()).collect();
        pages.len() * self.entries.first().map_or(0, |e| e.cache.shape().page_bytes())
    }

    pub(super) fn stats(&self) -> PrefixStats {
        PrefixStats { entries: self.entries.len(), bytes: self.bytes(), ..self.stats }
    }
}

#[cfg(test)]
mod tests {
    use kernels::cpu::{KvKind, KvShape, PAGE_TOKENS};

    use super::*;

    fn empty() -> KvCache {
        KvCache::new(KvShape { n_layers: 1, n_kv_heads: 1, head_dim: 16, kind: KvKind::F16 }).unwrap()
    }

    fn filled(n: usize) -> KvCache {
        let mut cache = empty();
        cache.grow(n);
        cache
    }

    fn tokens(n: usize, seed: u32) -> Vec<u32> {
        (0..n as u32).map(|i| i * 7 + seed).collect()
    }

    #[test]
    fn the_longest_beginning_is_taken_to_the_token() {
        let mut prefixes = PrefixCache::new(1 << 20);
        assert_eq!(prefixes.look(&tokens(50, 0)), Match { tokens: 0, differs: None });
        prefixes.keep(&tokens(40, 0), &filled(40));
        let mut other = tokens(30, 0);
        other.extend(tokens(100, 5000));
        prefixes.keep(&other, &filled(130));
        let mut prompt = tokens(35, 0);
        prompt.push(1);
        assert_eq!(prefixes.look(&prompt), Match { tokens: 35, differs: Some((35 * 7, 1)) });
        assert_eq!(prefixes.take(&prompt, empty()).len(), 35);
        assert_eq!(prefixes.take(&tokens(40, 0), empty()).len(), 39, "the last token is computed");
        assert_eq!(prefixes.take(&other[..100], empty()).len(), 99);
        assert_eq!(prefixes.take(&tokens(9, 77), empty()).len(), 0);
        let stats = prefixes.stats();
        assert_eq!((stats.prompts, stats.tokens, stats.reused), (4, 36 + 40 + 100 + 9, 35 + 39 + 99));
    }

    /// What is logged while `work` runs.
    fn logged(work: impl FnOnce()) -> String {
        #[derive(Clone, Default)]
        struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
        impl std::io::Write for Log {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.lock().unwrap().extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, work);
        String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn the_log_says_where_a_prompt_went_another_way() {
        let mut prefixes = PrefixCache::new(1 << 20);
        prefixes.keep(&tokens(40, 0), &filled(40));
        let mut prompt = tokens(30, 0);
        prompt.extend([555, 556]);
        let text = logged(|| drop(prefixes.take(&prompt, empty())));
        for part in ["reused=30", "of=32", "first_difference=Some((210, 555))", "entries=1"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let text = logged(|| drop(prefixes.take(&tokens(20, 1), empty())));
        assert!(text.contains("reused=0") && text.contains("first_difference=Some((0, 1))"), "{text}");
    }

    #[test]
    fn a_longer_sequence_replaces_its_beginning() {
        let mut prefixes = PrefixCache::new(1 << 20);
        prefixes.keep(&tokens(40, 0), &filled(40));
        prefixes.keep(&tokens(90, 0), &filled(90));
        prefixes.keep(&tokens(60, 0), &filled(60));
        assert_eq!(prefixes.stats().entries, 1);
        assert_eq!(prefixes.look(&tokens(200, 0)).tokens, 90);
        prefixes.keep(&tokens(15, 3), &filled(15));
        assert_eq!(prefixes.stats().entries, 1, "too short to keep");
    }

    #[test]
    fn the_budget_holds_and_the_oldest_goes() {
        // 64 bytes a token: a page of 4,096.
        let page = empty().shape().page_bytes();
        assert_eq!(page, 64 * PAGE_TOKENS);
        let mut prefixes = PrefixCache::new(5 * page);
        for seed in [1000, 2000] {
            prefixes.keep(&tokens(2 * PAGE_TOKENS, seed), &filled(2 * PAGE_TOKENS));
        }
        prefixes.take(&tokens(2 * PAGE_TOKENS, 1000), empty());
        prefixes.keep(&tokens(2 * PAGE_TOKENS, 3000), &filled(2 * PAGE_TOKENS));
        assert_eq!(prefixes.look(&tokens(90, 1000)).tokens, 90, "used last");
        assert_eq!(prefixes.look(&tokens(90, 2000)).tokens, 0, "gone");
        assert_eq!(prefixes.stats().bytes, 4 * page);
        // Sequences that share pages count them once.
        let whole = filled(2 * PAGE_TOKENS);
        let mut shared = PrefixCache::new(2 * page);
        for last in 0..5 {
            let mut branch = tokens(100, 0);
            branch.push(last);
            shared.keep(&branch, &whole);
        }
        assert_eq!((shared.stats().entries, shared.stats().bytes), (5, 2 * page));
        let mut none = PrefixCache::new(0);
        none.keep(&tokens(100, 0), &filled(100));
        assert_eq!(none.stats().entries, 0);
    }
}
