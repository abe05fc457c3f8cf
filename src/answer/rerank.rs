//! The best hits once more, each read together with the question by a model that judges pairs.

use crate::engine::{EngineError, Reranker};
use crate::index::{Found, Hit, passage};

/// Hits that are judged, the best of the search; what follows stays behind them. A cross-encoder reads each with the
/// question, which takes as long as embedding it: on a processor that bounds how many a reader can wait for.
pub(super) const JUDGED: usize = 24;

/// Hits with this score and more hold an identifier that the query names: no judgement moves those.
const PINNED: f32 = 1.0;

/// Orders the hits anew by what the model makes of them. Hits that hold a named identifier stay first in their order,
/// as do equals; a hit keeps the score of the search, which says nothing once a model has judged.
pub(super) fn judged(model: &Reranker, query: &str, mut found: Found) -> Result<Found, EngineError> {
    let rest = found.hits.split_off(found.hits.len().min(JUDGED));
    let texts: Vec<String> = found.hits.iter().map(shown).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scores = model.score(query, &texts)?;
    let mut judged: Vec<(Hit, f32)> = found.hits.into_iter().zip(scores).collect();
    judged.sort_by(|(a, a_score), (b, b_score)| {
        let pinned = (b.score >= PINNED).cmp(&(a.score >= PINNED));
        let both = a.score >= PINNED && b.score >= PINNED;
        pinned.then(if both { std::cmp::Ordering::Equal } else { b_score.total_cmp(a_score) })
    });
    found.hits = judged.into_iter().map(|(hit, _)| hit).chain(rest).collect();
    Ok(found)
}

/// What the model reads: a passage alone often does not say what it is about.
fn shown(hit: &Hit) -> String {
    passage(&hit.chunk.title, &hit.chunk.section, &hit.chunk.text)
}
