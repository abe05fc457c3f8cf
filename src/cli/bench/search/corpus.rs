//! A large corpus made of a small real one: passages of sentences drawn from real ones of one language, with vectors that
//! stray from real ones as far as real ones lie from each other.

use std::collections::HashMap;

use ingest::Language;

use crate::engine::SplitMix;

/// Sentences of a passage, about.
const SENTENCES: usize = 5;
/// Vectors whose neighbours are looked at for the distances.
const LOOKED_AT: usize = 400;
/// Rounds of halving in search of the right distance.
const ROUNDS: usize = 12;

/// Makes passages.
pub(super) struct Maker<'a> {
    real: &'a [(Language, String, Vec<f32>)],
    /// Sentences of each language.
    sentences: HashMap<Language, Vec<&'a str>>,
    random: SplitMix,
    /// How far a vector strays from the real one that it begins at.
    stray: f32,
}

impl<'a> Maker<'a> {
    /// From real passages with their vectors.
    pub(super) fn new(real: &'a [(Language, String, Vec<f32>)]) -> Self {
        let mut sentences: HashMap<Language, Vec<&str>> = HashMap::new();
        for (language, text, _) in real {
            let parts = text.split_inclusive(['.', '!', '?', '\n']).map(str::trim).filter(|s| s.len() > 20);
            sentences.entry(*language).or_default().extend(parts);
        }
        let mut maker = Maker { real, sentences, random: SplitMix(1), stray: 0.0 };
        maker.stray = maker.fitting_stray();
        maker
    }

    fn below(&mut self, n: usize) -> usize {
        (self.random.unit() * n as f64) as usize
    }

    /// Language, text and vector of one more passage.
    pub(super) fn next(&mut self) -> (Language, String, Vec<f32>) {
        let at = self.below(self.real.len());
        let (language, vector) = self.real.get(at).map_or((Language::De, Vec::new()), |r| (r.0, r.2.clone()));
        let count = 2 + self.below(2 * SENTENCES - 3);
        let mut text = String::new();
        for _ in 0..count {
            let of = self.sentences.get(&language).map_or(0, Vec::len);
            let pick = self.below(of);
            let sentence =
                self.sentences.get(&language).and_then(|s| s.get(pick)).copied().unwrap_or_default();
            text.push_str(sentence);
            text.push(' ');
        }
        (language, text, self.strayed(&vector, self.stray))
    }

    /// A vector of length one that lies `by` away from another one, in a random direction.
    fn strayed(&mut self, from: &[f32], by: f32) -> Vec<f32> {
        let mut noise: Vec<f32> = from.iter().map(|_| (self.random.unit() - 0.5) as f32).collect();
        let length = norm(&noise).max(f32::MIN_POSITIVE);
        noise.iter_mut().zip(from).for_each(|(n, x)| *n = x + *n / length * by);
        let length = norm(&noise).max(f32::MIN_POSITIVE);
        noise.iter_mut().for_each(|n| *n /= length);
        noise
    }

    /// Mean cosine of real vectors to the nearest other one.
    pub(super) fn real_neighbours(&self) -> f64 {
        let vectors: Vec<&[f32]> = self.real.iter().map(|r| r.2.as_slice()).collect();
        neighbours(&vectors)
    }

    /// Two passages that begin at one real vector are each other's neighbours; they shall be as far apart as real
    /// neighbours are.
    fn fitting_stray(&mut self) -> f32 {
        let wanted = self.real_neighbours();
        let (mut low, mut high) = (0.0f32, 2.0f32);
        for _ in 0..ROUNDS {
            let middle = (low + high) / 2.0;
            // Both stray from one point: 1 / (1 + by²) is what is left of the cosine.
            if 1.0 / (1.0 + f64::from(middle).powi(2)) > wanted { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }
}

/// Mean cosine of some of the vectors to the nearest other one.
pub(super) fn neighbours(vectors: &[&[f32]]) -> f64 {
    let step = (vectors.len() / LOOKED_AT).max(1);
    let looked: Vec<usize> = (0..vectors.len()).step_by(step).collect();
    let nearest = |i: &usize| {
        let own = vectors.get(*i).copied().unwrap_or_default();
        let others = vectors.iter().enumerate().filter(|(j, _)| j != i);
        others.map(|(_, v)| dot(own, v)).fold(-1.0f32, f32::max)
    };
    looked.iter().map(|i| f64::from(nearest(i))).sum::<f64>() / looked.len().max(1) as f64
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(v: &[f32]) -> f32 {
    dot(v, v).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_neighbours_are_as_near_as_real_ones() {
        let mut random = SplitMix(7);
        let real: Vec<(Language, String, Vec<f32>)> = (0..40)
            .map(|_| {
                let v: Vec<f32> = (0..64).map(|_| random.unit() as f32).collect();
                let n = norm(&v);
                (Language::De, "Ein Satz mit vielen Wörtern darin.".into(), v.iter().map(|x| x / n).collect())
            })
            .collect();
        let mut maker = Maker::new(&real);
        let made: Vec<Vec<f32>> = (0..400).map(|_| maker.next().2).collect();
        assert!(made.iter().all(|v| (norm(v) - 1.0).abs() < 1e-4));
        let made: Vec<&[f32]> = made.iter().map(Vec::as_slice).collect();
        let (real, made) = (maker.real_neighbours(), neighbours(&made));
        assert!((real - made).abs() < 0.05, "{real} {made}");
    }
}
