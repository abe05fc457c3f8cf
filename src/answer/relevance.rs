//! Whether the passages that were found have anything to do with the question.
//!
//! The nearest passage of an index always exists; this decides whether it is near enough to be
//! shown as an answer. It looks at what a reader would look at: are the identifiers of the question
//! there, are its rare words there (in the passage, its headings or its title), is the meaning close.

use ingest::Language;

use crate::index::{Found, Hit, QueryTerm, Token, fold, ident, tokenize};

/// Passages looked at; what stands below is not shown as an answer either.
const DEPTH: usize = 8;
/// Share of the question's rarity that a passage must hold where nothing is known of its meaning.
const MIN_COVERAGE: f32 = 0.5;
/// Cosine similarity of unrelated text under multilingual-e5, which squeezes all similarities into
/// the upper quarter: on the sample, questions about other subjects reach 0.75 to 0.83.
const UNRELATED: f32 = 0.80;
/// Similarity taken for a passage that is not among the nearest at all.
const FAR: f32 = 0.75;
/// How much coverage a step of similarity is worth: 0.06 above the unrelated make up for 0.3.
const MEANING: f32 = 5.0;
/// Similarity that must be reached where the languages differ and words cannot tell.
const CLOSE_ACROSS: f32 = 0.82;
/// What must be there beside the very thing that the question names.
const NAMED_COVERAGE: f32 = 0.15;
const NAMED_SIMILARITY: f32 = 0.78;
/// What a word counts that only stands inside a compound or in a heading.
const INDIRECT: f32 = 0.7;

/// What was seen in a hit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Signals {
    /// Share of the question's rarity that the passage holds, 0 to 1.
    pub coverage: f32,
    /// Cosine similarity, 0 where not known.
    pub cosine: f32,
    /// Whether every identifier of the question that names one thing stands in the passage or above it.
    pub identified: bool,
    /// Whether the question has such an identifier.
    pub named: bool,
    /// Whether question and passage are in one language, as far as known.
    pub same_language: bool,
}

/// Signals of the first hits, in their order.
pub(super) fn signals(found: &Found, language: Option<Language>) -> Vec<Signals> {
    found.hits.iter().take(DEPTH).map(|h| signals_of(found, h, language)).collect()
}

fn signals_of(found: &Found, hit: &Hit, language: Option<Language>) -> Signals {
    let context = context(hit);
    let texts = [hit.chunk.text.as_str(), context.as_str()];
    let keys: Vec<String> = texts
        .into_iter()
        .flat_map(|t| ident::identifiers(t).into_iter().chain(ident::room_numbers(t)))
        .flat_map(|i| i.keys)
        .collect();
    let identified = found.analysed.identifiers.iter().zip(&found.identifier_chunks).all(|(i, chunks)| {
        // A norm or class that occurs nowhere is asked about in vain; one that others name is not
        // held against this passage.
        i.keys.iter().any(|k| keys.contains(k)) || !i.names_one && *chunks > 0
    });
    // Tables, labels and codes without a language of their own are German in a Swiss office.
    let of_passage = hit.chunk.language.unwrap_or(Language::De);
    let same_language = language.is_none_or(|l| l == of_passage);
    let named = found.analysed.identifiers.iter().any(|i| i.names_one);
    Signals {
        coverage: coverage(&found.analysed.terms, &found.rarity, hit, &context),
        cosine: hit.vector.unwrap_or(if found.hits.iter().any(|h| h.vector.is_some()) { FAR } else { 0.0 }),
        identified,
        named,
        same_language,
    }
}

/// Title and headings of a passage.
pub(super) fn context(hit: &Hit) -> String {
    format!("{}\n{}", hit.chunk.title, hit.chunk.section.join("\n"))
}

fn coverage(terms: &[QueryTerm], rarity: &[f32], hit: &Hit, context: &str) -> f32 {
    let body = tokenize(&hit.chunk.text);
    let above = tokenize(context);
    let (mut have, mut all) = (0.0, 0.0);
    for (term, rarity) in terms.iter().zip(rarity) {
        let weight = rarity * term.weight;
        all += weight;
        have += weight * presence(term, &body, &above, hit.chunk.language);
    }
    if all > 0.0 { have / all } else { 1.0 }
}

/// 1 for a word of the passage, less for one above it or inside a compound, 0 for none.
pub(super) fn presence(term: &QueryTerm, body: &[Token], above: &[Token], language: Option<Language>) -> f32 {
    if body.iter().any(|t| term.matches(t, language)) {
        return 1.0;
    }
    let stem = term.stems.first().map_or(term.plain.as_str(), String::as_str);
    let part = |t: &Token| stem.chars().count() >= 4 && t.plain.contains(stem);
    let whole = |t: &Token| t.plain.chars().count() >= 4 && term.plain.contains(&fold(&t.plain));
    if above.iter().any(|t| term.matches(t, language)) || body.iter().any(part) {
        return INDIRECT;
    }
    if body.iter().any(whole) || above.iter().any(part) { INDIRECT / 2.0 } else { 0.0 }
}

/// Whether the hit is near enough to answer from.
pub(super) fn relevant(s: Signals) -> bool {
    if !s.identified {
        return false;
    }
    if s.named && (s.coverage >= NAMED_COVERAGE || s.cosine >= NAMED_SIMILARITY) {
        return true;
    }
    if !s.same_language {
        return s.cosine >= CLOSE_ACROSS;
    }
    let meaning = if s.cosine > 0.0 { MEANING * (s.cosine - UNRELATED) } else { 0.0 };
    s.coverage + meaning >= MIN_COVERAGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_identifier_decides() {
        let near =
            Signals { coverage: 0.9, cosine: 0.95, identified: false, named: true, same_language: true };
        assert!(!relevant(near));
        assert!(relevant(Signals { identified: true, ..near }));
    }

    #[test]
    fn words_and_meaning_make_up_for_each_other() {
        let base =
            Signals { coverage: 0.1, cosine: 0.81, identified: true, named: false, same_language: true };
        assert!(!relevant(base));
        assert!(relevant(Signals { coverage: 0.5, ..base }));
        assert!(relevant(Signals { coverage: 0.3, cosine: 0.86, ..base }));
        assert!(!relevant(Signals { coverage: 0.5, cosine: 0.75, ..base }), "all words, yet another subject");
    }

    #[test]
    fn meaning_alone_decides_across_languages() {
        let base =
            Signals { coverage: 0.0, cosine: 0.83, identified: true, named: false, same_language: false };
        assert!(relevant(base));
        assert!(!relevant(Signals { cosine: 0.80, ..base }));
    }

    #[test]
    fn without_vectors_half_of_the_words_must_be_there() {
        let base =
            Signals { coverage: 0.49, cosine: 0.0, identified: true, named: false, same_language: true };
        assert!(!relevant(base));
        assert!(relevant(Signals { coverage: 0.5, ..base }));
    }
}
