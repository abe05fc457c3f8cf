//! What a plain program finds by words, to stand beside: BM25 over Snowball stems, with nothing left out.

use std::collections::HashMap;

use ingest::Language;

use super::corpus::Paragraph;
use crate::index::{stem, tokenize};

/// Saturation of repeated words.
const K1: f32 = 1.5;
/// How much the length of a passage counts.
const B: f32 = 0.75;

/// Passages by their stems.
pub(super) struct Plain {
    documents: Vec<String>,
    lengths: Vec<f32>,
    average: f32,
    /// For each stem the passages that have it, with how often.
    postings: HashMap<String, Vec<(usize, f32)>>,
    /// The language of all passages, where it is one: a plain program stems questions as it stemmed these.
    language: Option<Language>,
}

impl Plain {
    /// Reads the passages.
    pub(super) fn of(paragraphs: &[Paragraph]) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f32)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(paragraphs.len());
        for (n, paragraph) in paragraphs.iter().enumerate() {
            let stems = stems(&paragraph.text, paragraph.language);
            lengths.push(stems.len() as f32);
            let mut counts: HashMap<String, f32> = HashMap::new();
            stems.into_iter().for_each(|s| *counts.entry(s).or_default() += 1.0);
            counts.into_iter().for_each(|(s, count)| postings.entry(s).or_default().push((n, count)));
        }
        let first = paragraphs.first().map(|p| p.language);
        Plain {
            documents: paragraphs.iter().map(|p| p.document.clone()).collect(),
            average: lengths.iter().sum::<f32>() / lengths.len().max(1) as f32,
            lengths,
            postings,
            language: first.filter(|l| paragraphs.iter().all(|p| p.language == *l)),
        }
    }

    /// Documents of the best passages, best first.
    pub(super) fn search(&self, question: &str, language: Language, limit: usize) -> Vec<String> {
        let mut scores: HashMap<usize, f32> = HashMap::new();
        let all = self.documents.len() as f32;
        for stem in stems(question, self.language.unwrap_or(language)) {
            let Some(found) = self.postings.get(&stem) else { continue };
            let having = found.len() as f32;
            let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            for (n, count) in found {
                let length = self.lengths.get(*n).copied().unwrap_or_default() / self.average.max(1.0);
                let weight = count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length));
                *scores.entry(*n).or_default() += rarity * weight;
            }
        }
        let mut best: Vec<(usize, f32)> = scores.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(limit);
        best.into_iter().filter_map(|(n, _)| self.documents.get(n).cloned()).collect()
    }
}

fn stems(text: &str, language: Language) -> Vec<String> {
    tokenize(text).iter().map(|t| stem(t, language)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarer_words_and_shorter_passages_win() {
        let paragraph =
            |d: &str, t: &str| Paragraph { document: d.into(), language: Language::En, text: t.into() };
        let plain = Plain::of(&[
            paragraph("a", "the wall and the door and the wall of the house"),
            paragraph("b", "the door"),
            paragraph("c", "the roof and the gutter"),
        ]);
        assert_eq!(plain.search("doors", Language::En, 10), ["b", "a"]);
        assert_eq!(plain.search("the gutter", Language::En, 1), ["c"]);
    }
}
