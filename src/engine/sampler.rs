//! The next token out of the logits.

use kernels::cpu::{argmax, top_k};

use crate::engine::GenerateOptions;

/// How many of the last tokens penalties look at.
const PENALTY_WINDOW: usize = 64;

/// Draws tokens; the same seed and the same logits give the same tokens.
#[derive(Debug)]
pub(super) struct Sampler {
    temperature: f32,
    top_k: usize,
    top_p: f32,
    min_p: f32,
    repeat_penalty: f32,
    frequency_penalty: f32,
    presence_penalty: f32,
    random: SplitMix,
}

impl Sampler {
    pub(super) fn new(o: &GenerateOptions) -> Self {
        Self {
            temperature: o.temperature,
            top_k: o.top_k,
            top_p: o.top_p,
            min_p: o.min_p,
            repeat_penalty: o.repeat_penalty,
            frequency_penalty: o.frequency_penalty,
            presence_penalty: o.presence_penalty,
            random: SplitMix(o.seed),
        }
    }

    /// The next token after `history`; `None` where no logit is a number. Changes the logits.
    ///
    /// The steps and their order are those of llama.cpp: penalties, top-k, top-p, min-p, temperature, draw.
    pub(super) fn next(&mut self, logits: &mut [f32], history: &[u32]) -> Option<u32> {
        self.penalise(logits, history);
        if self.temperature <= 0.0 || self.temperature.is_nan() {
            return argmax(logits).map(|i| i as u32);
        }
        let k = if self.top_k == 0 { logits.len() } else { self.top_k };
        let mut candidates = top_k(logits, k);
        let top = candidates.first()?.1;
        if !top.is_finite() {
            return argmax(logits).map(|i| i as u32);
        }
        let weights: Vec<f64> = candidates.iter().map(|(_, l)| f64::from(l - top).exp()).collect();
        candidates.truncate(self.nucleus(&weights));
        self.draw(&candidates, top)
    }

    fn penalise(&self, logits: &mut [f32], history: &[u32]) {
        let usable = |penalty: f32| if penalty.is_finite() { penalty } else { 0.0 };
        let (frequency, presence) = (usable(self.frequency_penalty), usable(self.presence_penalty));
        let repeat = Some(self.repeat_penalty).filter(|p| p.is_finite() && *p > 0.0).unwrap_or(1.0);
        if repeat == 1.0 && frequency == 0.0 && presence == 0.0 {
            return;
        }
        let mut seen = history[history.len().saturating_sub(PENALTY_WINDOW)..].to_vec();
        seen.sort_unstable();
        for same in seen.chunk_by(|a, b| a == b) {
            if let Some(l) = same.first().and_then(|token| logits.get_mut(*token as usize)) {
                *l = if *l > 0.0 { *l / repeat } else { *l * repeat };
                *l -= same.len() as f32 * frequency + presence;
            }
        }
    }

    /// How many of the candidates, best first, stay after top-p and min-p: at least one.
    fn nucleus(&self, weights: &[f64]) -> usize {
        let mut keep = weights.len();
        if self.top_p < 1.0 {
            let target = f64::from(self.top_p) * weights.iter().sum::<f64>();
            let mut sum = 0.0;
            let below = weights.iter().take_while(|w| {
                let before = sum;
                sum += **w;
                before < target
            });
            keep = below.count();
        }
        if self.min_p > 0.0 {
            // The best candidate has weight 1.
            let floor = f64::from(self.min_p);
            keep = keep.min(weights.iter().take_while(|w| **w >= floor).count());
        }
        keep.max(1)
    }

    fn draw(&mut self, candidates: &[(usize, f32)], top: f32) -> Option<u32> {
        let temperature = f64::from(self.temperature);
        let weights: Vec<f64> =
            candidates.iter().map(|(_, l)| (f64::from(l - top) / temperature).exp()).collect();
        let mut left = self.random.unit() * weights.iter().sum::<f64>();
        for ((id, _), weight) in candidates.iter().zip(&weights) {
            left -= weight;
            if left < 0.0 {
                return Some(*id as u32);
            }
        }
        candidates.first().map(|(id, _)| *id as u32)
    }
}

/// Sebastiano Vigna's SplitMix64: small, and the same on every machine and in every version.
#[derive(Debug)]
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    /// Uniform in 0 to 1, 1 excluded.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> GenerateOptions {
        GenerateOptions { temperature: 1.0, top_k: 0, top_p: 1.0, min_p: 0.0, ..GenerateOptions::default() }
    }

    fn shares(o: GenerateOptions, logits: &[f32]) -> Vec<f64> {
        let mut sampler = Sampler::new(&o);
        let mut counts = vec![0.0; logits.len()];
        for _ in 0..20_000 {
            counts[sampler.next(&mut logits.to_vec(), &[]).unwrap() as usize] += 1.0 / 20_000.0;
        }
        counts
    }

    fn near(found: &[f64], expected: &[f64]) {
        // Four standard deviations of a share out of 20,000 draws.
        assert!(
            found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 0.015),
            "{found:?} instead of {expected:?}"
        );
    }

    #[test]
    fn draws_in_proportion() {
        let logits = [0.5f32, 0.2, 0.2, 0.1].map(f32::ln);
        near(&shares(options(), &logits), &[0.5, 0.2, 0.2, 0.1]);
        // At temperature 0.5 the weights are squared: 25, 4, 4, 1 of 34.
        let squared = [25.0, 4.0, 4.0, 1.0].map(|w| w / 34.0);
        near(&shares(GenerateOptions { temperature: 0.5, ..options() }, &logits), &squared);
        let two = [5.0 / 7.0, 2.0 / 7.0, 0.0, 0.0];
        near(&shares(GenerateOptions { top_k: 2, ..options() }, &logits), &two);
        near(&shares(GenerateOptions { top_p: 0.6, ..options() }, &logits), &two);
        near(&shares(GenerateOptions { min_p: 0.9, ..options() }, &logits), &[1.0, 0.0, 0.0, 0.0]);
        near(
            &shares(GenerateOptions { min_p: 0.3, ..options() }, &logits),
            &[5.0 / 9.0, 2.0 / 9.0, 2.0 / 9.0, 0.0],
        );
        near(&shares(GenerateOptions { top_p: 0.0, ..options() }, &logits), &[1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn the_seed_decides() {
        let logits: Vec<f32> = (0..50).map(|i| (i % 7) as f32).collect();
        let run = |seed| {
            let mut sampler = Sampler::new(&GenerateOptions { seed, ..options() });
            (0..20).map(|_| sampler.next(&mut logits.clone(), &[]).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(run(5), run(5));
        assert_ne!(run(5), run(6));
    }

    #[test]
    fn repeats_are_penalised_on_both_sides_of_zero() {
        let o = GenerateOptions { temperature: 0.0, repeat_penalty: 2.0, ..options() };
        let mut sampler = Sampler::new(&o);
        assert_eq!(sampler.next(&mut [3.0, 2.0, 1.0], &[]), Some(0));
        assert_eq!(sampler.next(&mut [3.0, 2.0, 1.0], &[0, 0]), Some(1));
        assert_eq!(sampler.next(&mut [-1.0, -1.5, -9.0], &[0, 99]), Some(1));
        let mut old = vec![0; 1];
        old.extend([2; PENALTY_WINDOW]);
        assert_eq!(sampler.next(&mut [3.0, 2.0, 1.0], &old), Some(0), "long ago");
    }

    #[test]
    fn frequency_counts_and_presence_does_not() {
        let greedy = GenerateOptions { temperature: 0.0, ..options() };
        // Token 0 stands three times, token 1 once: 5 - 3 × 0.5 = 3.5 and 4 - 0.5 = 3.5, 3.6 is more.
        let often = GenerateOptions { frequency_penalty: 0.5, ..greedy.clone() };
        let history = [0, 1, 0, 0];
        let mut logits = [5.0, 4.0, 3.6];
        assert_eq!(Sampler::new(&often).next(&mut logits, &history), Some(2));
        assert_eq!(logits, [3.5, 3.5, 3.6]);
        // 5 - 1.5 = 3.5 and 4 - 1.5 = 2.5.
        let once = GenerateOptions { presence_penalty: 1.5, ..greedy.clone() };
        let mut logits = [5.0, 4.0, 3.4];
        assert_eq!(Sampler::new(&once).next(&mut logits, &history), Some(0));
        assert_eq!(logits, [3.5, 2.5, 3.4]);
        // All together: 5 / 2 - 3 × 0.5 - 0.25 = 0.75, -4 × 2 - 0.5 - 0.25 = -8.75.
        let all =
            GenerateOptions { repeat_penalty: 2.0, frequency_penalty: 0.5, presence_penalty: 0.25, ..greedy };
        let mut logits = [5.0, -4.0, 0.0];
        assert_eq!(Sampler::new(&all).next(&mut logits, &history), Some(0));
        assert_eq!(logits, [0.75, -8.75, 0.0]);
        let negative = GenerateOptions { presence_penalty: -2.0, ..options() };
        let mut logits = [0.0, 1.0];
        Sampler::new(&negative).next(&mut logits, &[0]);
        assert_eq!(logits, [2.0, 1.0], "below 0, what was said becomes likelier");
    }

    #[test]
    fn no_number_no_token() {
        let mut sampler = Sampler::new(&options());
        assert_eq!(sampler.next(&mut [f32::NAN, f32::NAN], &[]), None);
        assert_eq!(sampler.next(&mut [], &[]), None);
        assert_eq!(sampler.next(&mut [f32::NAN, 1.0], &[]), Some(1));
        assert_eq!(sampler.next(&mut [0.0, f32::INFINITY], &[]), Some(1));
    }
}
