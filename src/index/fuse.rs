//! One order out of several: reciprocal rank fusion, with exact identifiers first.

use std::collections::{HashMap, HashSet};

use super::lexical::LexicalFound;

/// Rank constant of reciprocal rank fusion. 60 is the value of the paper that introduced it
/// (Cormack, Clarke, Büttcher 2009): the first ranks count most, yet a hit that both sides have in
/// the middle beats one that a single side has first.
const K: f32 = 60.0;
/// Weight of the order by words. Words and vectors are equally good on mixed questions (the
/// measures of the sample and of public question sets lie within two points), so both count the same.
const LEXICAL: f32 = 1.0;
/// Weight of the order by vectors.
const VECTOR: f32 = 1.0;
/// Weight of the order by identifiers where the identifier is too common to pin (a norm that
/// every page names): a tie-breaker, not a verdict.
const COMMON_IDENTIFIER: f32 = 0.5;
/// An identifier that more chunks than this hold says little about which chunk is meant.
const PINNED_CHUNKS: u64 = 40;

/// A candidate after fusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fused {
    /// The chunk.
    pub id: i64,
    /// Fused score; identified hits carry 1 and more on top, so that the order shows in it.
    pub score: f32,
    /// BM25 score, where found by words.
    pub lexical: Option<f32>,
    /// Cosine similarity, where found by vector.
    pub vector: Option<f32>,
}

/// Fuses both sides. `only_identifiers`: the query is nothing but identifiers.
pub(super) fn fuse(lexical: &LexicalFound, vectors: &[(i64, f32)], only_identifiers: bool) -> Vec<Fused> {
    let mut all: HashMap<i64, Fused> = HashMap::new();
    let mut add = |list: &[(i64, f32)], weight: f32, set: fn(&mut Fused, f32)| {
        for (rank, (id, score)) in list.iter().enumerate() {
            let entry = all.entry(*id).or_insert(Fused { id: *id, score: 0.0, lexical: None, vector: None });
            entry.score += weight / (K + rank as f32 + 1.0);
            set(entry, *score);
        }
    };
    add(&lexical.hits, LEXICAL, |f, s| f.lexical = Some(s));
    add(vectors, VECTOR, |f, s| f.vector = Some(s));
    let rare = lexical.identifier_chunks.iter().any(|n| (1..=PINNED_CHUNKS).contains(n));
    let pin = only_identifiers || rare;
    let weight = if pin { 0.0 } else { COMMON_IDENTIFIER };
    add(&lexical.identified, weight, |_, _| {});
    let mut fused: Vec<Fused> = {
        let pinned: HashMap<i64, f32> =
            if pin { lexical.identified.iter().copied().collect() } else { HashMap::new() };
        all.into_values()
            .map(|f| Fused { score: f.score + pinned.get(&f.id).copied().unwrap_or(0.0), ..f })
            .collect()
    };
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
    let mut seen = HashSet::new();
    fused.retain(|f| seen.insert(f.id));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(hits: &[(i64, f32)], identified: &[(i64, f32)], chunks: &[u64]) -> LexicalFound {
        LexicalFound {
            hits: hits.to_vec(),
            identified: identified.to_vec(),
            total: hits.len(),
            rarity: vec![],
            known: vec![],
            identifier_chunks: chunks.to_vec(),
        }
    }

    #[test]
    fn reciprocal_ranks_add_up() {
        let lexical = found(&[(1, 9.0), (2, 8.0)], &[], &[]);
        let fused = fuse(&lexical, &[(2, 0.9), (3, 0.8)], false);
        assert_eq!(fused.iter().map(|f| f.id).collect::<Vec<_>>(), [2, 1, 3]);
        let by_hand = 1.0 / 62.0 + 1.0 / 61.0;
        assert!((fused[0].score - by_hand).abs() < 1e-6);
        assert_eq!((fused[0].lexical, fused[0].vector), (Some(8.0), Some(0.9)));
    }

    #[test]
    fn a_rare_identifier_beats_any_near_miss() {
        let lexical = found(&[(1, 30.0), (7, 2.0)], &[(7, 1.0)], &[2]);
        let fused = fuse(&lexical, &[(1, 0.99)], false);
        assert_eq!(fused[0].id, 7);
    }

    #[test]
    fn a_common_identifier_only_helps() {
        let lexical = found(&[(1, 30.0), (7, 2.0)], &[(7, 1.0)], &[400]);
        assert_eq!(fuse(&lexical, &[(1, 0.99)], false)[0].id, 1);
        assert_eq!(fuse(&lexical, &[(1, 0.99)], true)[0].id, 7);
    }
}
