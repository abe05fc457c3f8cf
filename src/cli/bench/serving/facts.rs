//! What keys and values of 8 bits cost: facts found in a full context, and how far they move the distribution.

use super::text::sentence;
use super::{Bench, Failure, Report, complete};
use crate::engine::{Generator, KvKind, ServeOptions};

/// Tokens that are compared at a time.
const PIECE: usize = 64;

#[derive(serde::Serialize)]
struct Figures {
    facts: usize,
    context_tokens: usize,
    found_f16: usize,
    found_q8_0: usize,
    /// Answers that are the same, found or not.
    same_answers: usize,
    /// Kullback-Leibler divergence of q8_0 from f16 over the context, in nats.
    mean_divergence: f64,
    largest_divergence: f64,
    /// Share of the tokens after which the likeliest next one is the same.
    same_next: f64,
}

pub(super) fn run(bench: &Bench<'_>, facts: usize, context: usize) -> Result<Report, Failure> {
    let open = |kv_kind| {
        bench.open(ServeOptions {
            context_tokens: context,
            prefix_bytes: 1 << 30,
            max_streams: 1,
            kv_kind,
            ..ServeOptions::default()
        })
    };
    let (half, bytes) = (open(KvKind::F16)?, open(KvKind::Q8_0)?);
    let (text, questions) = haystack(&half, facts, half.context_tokens() - 96);
    let (mut found, mut same) = ([0, 0], 0);
    for (i, (question, answer)) in questions.iter().enumerate() {
        bench.out.note(format!("fact {} of {facts}", i + 1));
        let prompt = format!("{text}{question}");
        let answers = [&half, &bytes].map(|model| complete(model, &prompt, 8).map(|g| g.text));
        let [a, b] = answers;
        let (a, b) = (a?, b?);
        same += usize::from(a == b);
        found[0] += usize::from(a.contains(answer));
        found[1] += usize::from(b.contains(answer));
    }
    bench.out.note("comparing the distributions");
    let tokens = half.tokenizer().encode(&text, true, false);
    let divergence = Divergence::measure(&half, &bytes, &tokens)?;
    let figures = Figures {
        facts,
        context_tokens: tokens.len(),
        found_f16: found[0],
        found_q8_0: found[1],
        same_answers: same,
        mean_divergence: divergence.sum / divergence.n.max(1) as f64,
        largest_divergence: divergence.largest,
        same_next: divergence.same as f64 / divergence.n.max(1) as f64,
    };
    let lines = vec![
        format!(
            "facts found in {} tokens: {} of {facts} with f16, {} with q8_0; {same} answers the same",
            tokens.len(),
            found[0],
            found[1]
        ),
        format!(
            "q8_0 from f16 over these tokens: {:.6} nats on average, {:.4} at most, the likeliest next token the same after {:.2} %",
            figures.mean_divergence,
            figures.largest_divergence,
            figures.same_next * 100.0
        ),
    ];
    bench.report(&half, lines, &figures)
}

/// A report of so many tokens with facts spread over it, and the beginnings of sentences that ask for them with what
/// has to follow.
fn haystack(model: &Generator, facts: usize, tokens: usize) -> (String, Vec<(String, String)>) {
    const NAMES: [&str; 12] = [
        "Amber", "Birch", "Cedar", "Dahlia", "Elder", "Fern", "Ginger", "Hazel", "Iris", "Juniper", "Lotus",
        "Maple",
    ];
    let name = |i: usize| format!("room {} {}", NAMES[i % 12], i / 12 + 1);
    let code = |i: usize| format!("{}", 1000 + (i * 7919 + 137) % 9000);
    let mut text = String::new();
    let (mut count, mut placed) = (2, 0);
    for i in 0.. {
        let mut next = sentence(i % 997);
        if placed < facts && count * facts >= placed * tokens {
            next.push_str(&format!("The key of {} has the number {}. ", name(placed), code(placed)));
            placed += 1;
        }
        count += model.count_tokens(&next) + 1;
        if count > tokens {
            break;
        }
        text.push_str(&next);
    }
    let ask = |i| (format!("\nThe key of {} has the number", name(i)), code(i));
    (text, (0..placed).map(ask).collect())
}

#[derive(Default)]
struct Divergence {
    n: usize,
    sum: f64,
    largest: f64,
    same: usize,
}

impl Divergence {
    fn measure(half: &Generator, bytes: &Generator, tokens: &[u32]) -> Result<Self, Failure> {
        let (mut a, mut b) = (half.session()?, bytes.session()?);
        let mut all = Self::default();
        for piece in tokens.chunks(PIECE) {
            let mut rows: Vec<Vec<f32>> = Vec::with_capacity(PIECE);
            a.feed_each(piece, |row| rows.push(row.to_vec()))?;
            let mut rows = rows.iter();
            b.feed_each(piece, |q| {
                if let Some(p) = rows.next() {
                    all.add(p, q);
                }
            })?;
        }
        Ok(all)
    }

    fn add(&mut self, p: &[f32], q: &[f32]) {
        let (sum_p, sum_q) = (log_sum(p), log_sum(q));
        let each = p.iter().zip(q).map(|(p, q)| {
            let (p, q) = (f64::from(*p) - sum_p, f64::from(*q) - sum_q);
            p.exp() * (p - q)
        });
        let divergence: f64 = each.sum();
        let best = |row: &[f32]| row.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i);
        self.n += 1;
        self.sum += divergence;
        self.largest = self.largest.max(divergence);
        self.same += usize::from(best(p) == best(q));
    }
}

/// The logarithm of the sum of the exponentials.
fn log_sum(row: &[f32]) -> f64 {
    let top = f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    top + row.iter().map(|l| (f64::from(*l) - top).exp()).sum::<f64>().ln()
}
