//! One order out of both sides, with exact identifiers first.
//!
//! Scores are added, not ranks. What a passage has of the query's words is put in relation to what the words could give
//! at most, so that it is worth little where a question shares only a name with texts of another language; that is how
//! each question decides for itself how far its words can be trusted. Cosines are taken as they are: how far the
//! nearest passage stands out from the rest is what they say, and an order of ranks forgets it.

use std::collections::HashMap;

use ingest::Language;

use super::lexical::LexicalFound;
use crate::catalog::DocumentId;

/// How much each side counts. Chosen by `dossier eval --sets --sweep`; the manual has the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights {
    /// A passage with all of the words.
    pub words: f32,
    /// The power that the share of the words is raised to: more than one lets half of the words count for less than half.
    pub sharpness: f32,
    /// A cosine higher by one. The vectors of today's models differ by hundredths.
    pub cosine: f32,
    /// A passage in another language than the question, where no passage has the words: models favour their own
    /// language.
    pub other_language: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Weights { words: 0.5, sharpness: 1.6, cosine: 10.0, other_language: 0.4 }
    }
}

/// Difference of cosines beyond which more says no more.
const MOST_COSINE: f32 = 0.35;
/// Below the last passage that was found by vector: what one counts that was not.
const UNFOUND_COSINE: f32 = 0.005;
/// A passage with the rare word that a query is about stands above whatever its vector alone could lift.
const RARE: f32 = 4.0;
/// An identifier that is too common to pin (a norm that every page names): a tie-breaker, not a verdict.
const COMMON_IDENTIFIER: f32 = 0.1;
/// An identifier that more chunks than this hold says little about which chunk is meant.
const PINNED_CHUNKS: u64 = 40;

/// Two passages of one document whose sums differ by less are as good as each other.
const NEARLY: f32 = 0.94;

/// A candidate after fusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fused {
    /// The chunk.
    pub id: i64,
    /// What both sides add up to, from 0.
    sum: f32,
    /// 1 and more for a passage that holds a named identifier, else 0.
    pin: f32,
    /// BM25 score, where found by words.
    pub lexical: Option<f32>,
    /// Cosine similarity, where found by vector.
    pub vector: Option<f32>,
}

impl Fused {
    /// Below 1 for every passage without a named identifier; identified ones carry 1 and more on top, so that the order
    /// shows in it.
    pub(crate) fn score(&self) -> f32 {
        self.pin + self.sum / (1.0 + self.sum)
    }
}

/// Everything that was found, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Order {
    /// The candidates, best first.
    pub hits: Vec<Fused>,
    /// What a passage in another language is lifted by.
    lift: f32,
}

impl Order {
    /// Lifts passages that are in another language than the question, as far as its words found nothing.
    pub(crate) fn across(&mut self, question: Option<Language>, of: &HashMap<i64, Language>) {
        let Some(question) = question.filter(|_| self.lift > 0.0) else { return };
        for hit in self.hits.iter_mut().filter(|h| h.vector.is_some()) {
            if of.get(&hit.id).is_some_and(|l| *l != question) {
                hit.sum += self.lift;
            }
        }
        sort(&mut self.hits);
    }
}

/// Puts neighbours that differ by little and are of one document into the document's order: what is said first is
/// mostly what holds for the whole, and later chapters are about parts (the wall of the house, then the hall's). Each
/// moves by one place at most. `places`: document and ordinal of each chunk.
pub(super) fn in_reading_order(hits: &mut [Fused], places: &HashMap<i64, (DocumentId, u32)>) {
    let mut at = 1;
    while let Some([before, behind]) = hits.get_mut(at - 1..=at) {
        let place = |f: &Fused| places.get(&f.id).copied();
        let earlier = matches!((place(before), place(behind)), (Some(a), Some(b)) if a.0 == b.0 && b.1 < a.1);
        let unnamed = before.pin == 0.0 && behind.pin == 0.0;
        if earlier && unnamed && behind.sum >= NEARLY * before.sum {
            // The sums stay in their order, so that scores fall.
            std::mem::swap(&mut before.sum, &mut behind.sum);
            hits.swap(at - 1, at);
            at += 1;
        }
        at += 1;
    }
}

fn sort(hits: &mut [Fused]) {
    let key = |f: &Fused| (f.pin, f.sum);
    hits.sort_by(|a, b| {
        let ((ap, a_sum), (bp, b_sum)) = (key(a), key(b));
        // Pins are compared with the sum, as the score shows it; squashing would lose digits.
        let pinned = (ap >= 1.0, bp >= 1.0);
        let order = if pinned == (true, true) { b.score().total_cmp(&a.score()) } else { bp.total_cmp(&ap) };
        order.then(b_sum.total_cmp(&a_sum)).then(a.id.cmp(&b.id))
    });
}

/// Fuses both sides. `only_identifiers`: the query is nothing but identifiers.
pub(crate) fn fuse(
    lexical: &LexicalFound,
    vectors: &[(i64, f32)],
    only_identifiers: bool,
    weights: &Weights,
) -> Order {
    let full = lexical.full.max(f32::MIN_POSITIVE);
    let share = |score: f32| score / full;
    let floor = vectors.last().map_or(0.0, |(_, cosine)| cosine - UNFOUND_COSINE);
    let mut all: HashMap<i64, Fused> = HashMap::new();
    let new = |id: i64| Fused { id, sum: 0.0, pin: 0.0, lexical: None, vector: None };
    for (id, score) in &lexical.hits {
        let entry = all.entry(*id).or_insert_with(|| new(*id));
        entry.lexical = Some(*score);
        entry.sum += weights.words * share(*score).powf(weights.sharpness);
    }
    for (id, cosine) in vectors {
        let entry = all.entry(*id).or_insert_with(|| new(*id));
        entry.vector = Some(*cosine);
        entry.sum += weights.cosine * (cosine - floor).clamp(0.0, MOST_COSINE);
    }
    for id in &lexical.rare {
        all.entry(*id).or_insert_with(|| new(*id)).sum += RARE;
    }
    let rare = lexical.identifier_chunks.iter().any(|n| (1..=PINNED_CHUNKS).contains(n));
    for (id, score) in &lexical.identified {
        let entry = all.entry(*id).or_insert_with(|| new(*id));
        if only_identifiers || rare {
            // A part of an identifier (a norm without its year) stays a pin.
            entry.pin = 1.0 + score;
        } else {
            entry.sum += COMMON_IDENTIFIER * score;
        }
    }
    let best = lexical.hits.first().map_or(0.0, |(_, score)| share(*score));
    let mut hits: Vec<Fused> = all.into_values().collect();
    sort(&mut hits);
    Order { hits, lift: weights.other_language * (1.0 - best).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(order: &Order) -> Vec<i64> {
        order.hits.iter().map(|f| f.id).collect()
    }

    fn found(hits: &[(i64, f32)], identified: &[(i64, f32)], chunks: &[u64]) -> LexicalFound {
        LexicalFound {
            hits: hits.to_vec(),
            identified: identified.to_vec(),
            total: hits.len(),
            full: 10.0,
            identifier_chunks: chunks.to_vec(),
            ..LexicalFound::default()
        }
    }

    fn fused(lexical: &LexicalFound, vectors: &[(i64, f32)], only: bool) -> Order {
        fuse(lexical, vectors, only, &Weights::default())
    }

    #[test]
    fn shares_and_cosines_add_up() {
        let lexical = found(&[(1, 9.0), (2, 8.0)], &[], &[]);
        let order = fused(&lexical, &[(2, 0.9), (3, 0.8)], false);
        assert_eq!(ids(&order), [2, 1, 3]);
        let by_hand = 0.5 * 0.8_f32.powf(1.6) + 10.0 * (0.9 - 0.795);
        assert!((order.hits[0].sum - by_hand).abs() < 1e-4);
        assert_eq!((order.hits[0].lexical, order.hits[0].vector), (Some(8.0), Some(0.9)));
        assert!(order.hits.iter().all(|h| h.score() < 1.0));
    }

    #[test]
    fn a_name_in_common_does_not_outweigh_the_meaning() {
        // A German question on English texts: one of its words in ten stands there.
        let lexical = found(&[(1, 1.0)], &[], &[]);
        assert_eq!(ids(&fused(&lexical, &[(2, 0.84), (1, 0.80), (3, 0.75)], false))[0], 2);
    }

    #[test]
    fn a_rare_word_is_not_beaten_by_a_near_miss() {
        let mut lexical = found(&[(7, 6.0)], &[], &[]);
        lexical.rare = vec![7];
        assert_eq!(ids(&fused(&lexical, &[(1, 0.99), (2, 0.2)], false))[0], 7);
    }

    #[test]
    fn a_rare_identifier_beats_any_near_miss() {
        let lexical = found(&[(1, 30.0), (7, 2.0)], &[(7, 1.0)], &[2]);
        assert_eq!(ids(&fused(&lexical, &[(1, 0.99)], false))[0], 7);
    }

    #[test]
    fn a_common_identifier_only_helps() {
        let lexical = found(&[(1, 30.0), (7, 2.0)], &[(7, 1.0)], &[400]);
        assert_eq!(ids(&fused(&lexical, &[(1, 0.99)], false))[0], 1);
        assert_eq!(ids(&fused(&lexical, &[(1, 0.99)], true))[0], 7);
    }

    #[test]
    fn what_is_as_good_stands_in_the_order_of_its_document() {
        let in_order = |sums: [f32; 3], documents: [i64; 3]| {
            let vectors: Vec<(i64, f32)> = (1..).zip(sums).collect();
            let mut order = fused(&found(&[], &[], &[]), &vectors, false);
            let places = (1..).zip(documents).map(|(id, d)| (id, (DocumentId(d), 9 - id as u32))).collect();
            let before = ids(&order);
            in_reading_order(&mut order.hits, &places);
            assert!(order.hits.is_sorted_by(|a, b| a.score() >= b.score()));
            (before, ids(&order))
        };
        assert_eq!(in_order([0.9, 0.899, 0.6], [1, 1, 1]), (vec![1, 2, 3], vec![2, 1, 3]));
        assert_eq!(in_order([0.9, 0.899, 0.6], [1, 2, 1]).1, [1, 2, 3], "of another document");
        assert_eq!(in_order([0.9, 0.85, 0.6], [1, 1, 1]).1, [1, 2, 3], "clearly less");
    }

    #[test]
    fn another_language_is_lifted_where_the_words_find_nothing() {
        let german = HashMap::from([(1, Language::De), (2, Language::En)]);
        let near = [(1, 0.82), (2, 0.80), (3, 0.75)];
        let mut order = fused(&found(&[], &[], &[]), &near, false);
        order.across(Some(Language::De), &german);
        assert_eq!(ids(&order)[0], 2);
        let mut order = fused(&found(&[(1, 10.0)], &[], &[]), &near, false);
        order.across(Some(Language::De), &german);
        assert_eq!(ids(&order)[0], 1);
    }
}
