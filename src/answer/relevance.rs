//! Whether the passages that were found have anything to do with the question.
//!
//! The nearest passage of an index always exists; this decides whether it is near enough to be
//! shown as an answer. It looks at what a reader would look at: are the identifiers of the question
//! there, are its rare words there (in the passage, its headings or its title), is the meaning close.

use ingest::Language;

use super::sentences::sentences;
use super::wanted::Wanted;
use crate::index::{Found, Hit, QueryTerm, Token, fold, ident, tokenize};

/// Passages looked at; what stands below is not shown as an answer either.
const DEPTH: usize = 8;
/// Hits by their words that are looked at wherever they stand.
const BEST_BY_WORDS: usize = 2;
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
    /// Whether nobody knows which language the passage is in: rows, codes, labels.
    pub no_language: bool,
    /// Whether the question names something that no document does.
    pub unheard: bool,
    /// Of the question's terms of building, the share that the passage says in its own language; 1 without any.
    pub translated: f32,
}

/// Weight from which a word of a question counts as one of its subjects.
const SUBJECT: f32 = 0.9;
/// Share of the terms of building that a passage in another language must say.
const MIN_TRANSLATED: f32 = 0.5;

/// Signals of the first hits, and of those with the best scores by words wherever they stand: what a search by words
/// finds at once must never be missing from an answer. With their places among the hits, in order.
pub(super) fn signals(question: &str, found: &Found, language: Option<Language>) -> Vec<(usize, Signals)> {
    let best = best_by_words(found);
    let looked_at = found.hits.iter().enumerate().filter(|(i, _)| *i < DEPTH || best.contains(i));
    looked_at.map(|(i, h)| (i, signals_of(question, found, h, language))).collect()
}

/// The hits with the best scores by words, wherever they stand: never left out of what an answer is made from.
pub(super) fn best_by_words(found: &Found) -> Vec<usize> {
    let mut by_words: Vec<(usize, f32)> =
        found.hits.iter().enumerate().filter_map(|(i, h)| Some((i, h.lexical?))).collect();
    by_words.sort_by(|a, b| b.1.total_cmp(&a.1));
    by_words.into_iter().take(BEST_BY_WORDS).map(|(i, _)| i).collect()
}

fn signals_of(question: &str, found: &Found, hit: &Hit, language: Option<Language>) -> Signals {
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
    let identified = identified && (!same_language || called_alike(question, found, hit, &context));
    Signals {
        coverage: coverage(question, found, hit, &context),
        no_language: hit.chunk.language.is_none(),
        unheard: unheard(question, found, language),
        translated: translated(found, hit, &context),
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

/// Terms with their rarity and whether any chunk knows them.
fn weighed(found: &Found) -> impl Iterator<Item = (&QueryTerm, f32, bool)> {
    let known = found.known.iter().copied().chain(std::iter::repeat(true));
    found.analysed.terms.iter().zip(&found.rarity).zip(known).map(|((t, r), k)| (t, *r, k))
}

fn coverage(question: &str, found: &Found, hit: &Hit, context: &str) -> f32 {
    let body = tokenize(&hit.chunk.text);
    let above = tokenize(context);
    let wanted = Wanted::of(question);
    let (mut have, mut all) = (0.0, 0.0);
    // Words for the kind of value (`Quadratmeter`) that no document uses are no subject.
    for (term, rarity, known) in
        weighed(found).filter(|(t, _, known)| *known || !wanted.is_kind_word(&t.plain))
    {
        let weight = rarity * term.weight;
        all += weight;
        // Part of a compound that nobody uses is another thing: a `Schwimmhalle` is no `Halle`.
        have += if known { weight * presence(term, &body, &above, hit.chunk.language) } else { 0.0 };
    }
    if all > 0.0 { have / all } else { 1.0 }
}

/// Whether a subject of the question is unheard of. In a German question that is any noun; in an English one a word
/// that qualifies the next (`garage door`); elsewhere words alone do not tell a noun.
fn unheard(question: &str, found: &Found, language: Option<Language>) -> bool {
    let subjects: Vec<&QueryTerm> = weighed(found)
        .filter(|(t, _, known)| !known && t.weight >= SUBJECT && !Wanted::of(question).is_kind_word(&t.plain))
        .map(|(t, _, _)| t)
        .collect();
    let tokens = tokenize(question);
    match language {
        Some(Language::De) => subjects.iter().any(|t| {
            let written = tokens
                .iter()
                .find(|k| k.plain == t.plain)
                .and_then(|k| question.get(k.start..)?.chars().next());
            written.is_some_and(char::is_uppercase)
        }),
        Some(Language::En) => tokens.windows(2).any(|pair| {
            let [first, next] = pair else { return false };
            let adjacent = question.get(first.end..next.start).is_some_and(|gap| gap.trim().is_empty());
            let known =
                weighed(found).any(|(t, _, known)| known && t.weight >= SUBJECT && t.plain == next.plain);
            adjacent && known && subjects.iter().any(|t| t.plain == first.plain)
        }),
        _ => false,
    }
}

/// Of the terms of building in the question, the share that a passage has in any language.
fn translated(found: &Found, hit: &Hit, context: &str) -> f32 {
    let mut tokens = tokenize(&hit.chunk.text);
    tokens.extend(tokenize(context));
    let terms: Vec<&QueryTerm> =
        found.analysed.terms.iter().filter(|t| !t.others.is_empty() && t.weight >= 0.5).collect();
    let said = terms.iter().filter(|t| t.stands_in(&tokens, None)).count();
    if terms.is_empty() { 1.0 } else { said as f32 / terms.len() as f32 }
}

/// Whether the passage calls a numbered room what the question calls it: `Sammlung 2.09` is not answered by a
/// passage on `Musikzimmer 2.09` that speaks of a `Sammlung` elsewhere.
fn called_alike(question: &str, found: &Found, hit: &Hit, context: &str) -> bool {
    let tokens = tokenize(question);
    found.analysed.identifiers.iter().filter(|i| i.keys.iter().any(|k| k.starts_with("no"))).all(|i| {
        let touches = |t: &&Token| question.get(t.end..i.start).is_some_and(|gap| gap.trim().is_empty());
        let Some(name) = tokens.iter().rev().filter(|t| t.end <= i.start).find(touches) else { return true };
        let Some(term) = found.analysed.terms.iter().find(|t| t.plain == name.plain) else { return true };
        let says = |text: &str| presence(term, &tokenize(text), &[], hit.chunk.language) > 0.0;
        says(context)
            || clauses(&hit.chunk.text).any(|c| {
                let rooms = ident::identifiers(c).into_iter().chain(ident::room_numbers(c));
                rooms.flat_map(|r| r.keys).any(|k| i.keys.contains(&k)) && says(c)
            })
    })
}

/// The parts of a passage that speak of one thing: rows, and sentences cut at their commas.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    sentences(text).into_iter().flat_map(|s| s.text.split(", "))
}

/// 1 for a word of the passage, less for one above it or inside a compound, 0 for none.
pub(super) fn presence(term: &QueryTerm, body: &[Token], above: &[Token], language: Option<Language>) -> f32 {
    if term.stands_in(body, language) {
        return 1.0;
    }
    let stem = term.stems.first().map_or(term.plain.as_str(), String::as_str);
    let part = |t: &Token| stem.chars().count() >= 4 && t.plain.contains(stem);
    let whole = |t: &Token| t.plain.chars().count() >= 4 && term.plain.contains(&fold(&t.plain));
    if term.stands_in(above, language) || body.iter().any(part) {
        return INDIRECT;
    }
    if body.iter().any(whole) || above.iter().any(part) { INDIRECT / 2.0 } else { 0.0 }
}

/// Whether the hit is near enough to answer from.
pub(super) fn relevant(s: Signals) -> bool {
    if !s.identified || s.unheard {
        return false;
    }
    if s.no_language {
        let as_if = |same_language| relevant(Signals { no_language: false, same_language, ..s });
        return as_if(true) || as_if(false);
    }
    if !s.same_language && s.translated < MIN_TRANSLATED {
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

    fn plain() -> Signals {
        Signals { same_language: true, translated: 1.0, ..Signals::default() }
    }

    #[test]
    fn a_missing_identifier_decides() {
        let near = Signals { coverage: 0.9, cosine: 0.95, named: true, ..plain() };
        assert!(!relevant(near));
        assert!(relevant(Signals { identified: true, ..near }));
    }

    #[test]
    fn words_and_meaning_make_up_for_each_other() {
        let base = Signals { coverage: 0.1, cosine: 0.81, identified: true, ..plain() };
        assert!(!relevant(base));
        assert!(relevant(Signals { coverage: 0.5, ..base }));
        assert!(relevant(Signals { coverage: 0.3, cosine: 0.86, ..base }));
        assert!(!relevant(Signals { coverage: 0.5, cosine: 0.75, ..base }), "all words, yet another subject");
    }

    #[test]
    fn meaning_alone_decides_across_languages() {
        let base = Signals { cosine: 0.83, identified: true, same_language: false, ..plain() };
        assert!(relevant(base));
        assert!(!relevant(Signals { cosine: 0.80, ..base }));
        assert!(!relevant(Signals { translated: 0.3, ..base }), "most of its terms are missing");
    }

    #[test]
    fn an_unheard_subject_decides() {
        let base = Signals { coverage: 0.9, cosine: 0.9, identified: true, ..plain() };
        assert!(relevant(base));
        assert!(!relevant(Signals { unheard: true, ..base }));
    }

    #[test]
    fn without_vectors_half_of_the_words_must_be_there() {
        let base = Signals { coverage: 0.49, identified: true, ..plain() };
        assert!(!relevant(base));
        assert!(relevant(Signals { coverage: 0.5, ..base }));
    }
}
