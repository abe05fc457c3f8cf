//! An answer without a language model: the sentences of the sources that say it.

use ingest::Kind;

use super::relevance::{context, presence};
use super::sentences::{self, Sentence};
use super::verify::one_line;
use crate::index::{Found, Hit, figures, fold, ident, tokenize};

/// Sentences shown at most.
const MAX_SENTENCES: usize = 3;
/// A further sentence must reach this share of the best one's score.
const NEXT_SHARE: f32 = 0.8;
/// Sentences per passage that are compared by meaning; the others cannot win.
const PER_PASSAGE: usize = 6;
/// Weight of the meaning (cosine between question and sentence, spread over 0 to 1).
const MEANING: f32 = 0.5;
/// What one step down the list of hits costs.
const RANK: f32 = 0.04;
/// Bonus where the question asks for a quantity and the sentence has one; the same for dates.
const FITTING_KIND: f32 = 0.15;
/// A longer sentence is cut on the page: nobody reads it as an answer.
const MAX_CHARS: usize = 600;

/// A sentence that may answer.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Index of its hit.
    pub hit: usize,
    /// First byte in the passage.
    pub start: usize,
    /// The sentence on one line.
    pub text: String,
    /// How well it fits.
    pub score: f32,
}

/// What a question asks for, as far as its first words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Quantity,
    Date,
    Anything,
}

/// The sentences of these hits, scored by the question's words; best first within each passage.
pub(super) fn candidates(question: &str, found: &Found, hits: &[usize]) -> Vec<Candidate> {
    let wanted = wanted(question);
    let mut all = Vec::new();
    for (rank, index) in hits.iter().enumerate() {
        let Some(hit) = found.hits.get(*index) else { continue };
        let mut here: Vec<Candidate> = sentences::sentences(&hit.chunk.text)
            .into_iter()
            .filter(|s| s.text.chars().count() > 3 && !is_question(s.text, hit.chunk.kind))
            .map(|s| candidate(found, hit, *index, s, wanted, rank))
            .collect();
        here.sort_by(|a, b| b.score.total_cmp(&a.score));
        here.truncate(PER_PASSAGE);
        all.extend(here);
    }
    all
}

fn candidate(
    found: &Found,
    hit: &Hit,
    index: usize,
    s: Sentence<'_>,
    wanted: Wanted,
    rank: usize,
) -> Candidate {
    let body = tokenize(s.text);
    let passage = tokenize(&hit.chunk.text);
    let above = tokenize(&context(hit));
    let (mut have, mut all) = (0.0f32, 0.0f32);
    for (term, rarity) in found.analysed.terms.iter().zip(&found.rarity) {
        let weight = rarity * term.weight;
        all += weight;
        let here = presence(term, &body, &[], hit.chunk.language);
        let around = presence(term, &passage, &above, hit.chunk.language);
        have += weight * here.max(around * 0.35);
    }
    let mut score = if all > 0.0 { have / all } else { 0.0 };
    let keys: Vec<String> = ident::identifiers(s.text).into_iter().flat_map(|i| i.keys).collect();
    let named = found.analysed.identifiers.iter().filter(|i| i.keys.iter().any(|k| keys.contains(k))).count();
    score += 0.3 * named as f32;
    let numbers = figures(s.text);
    let fits = match wanted {
        Wanted::Quantity => numbers.iter().any(|f| !is_date(&f.value)),
        Wanted::Date => numbers.iter().any(|f| is_date(&f.value)),
        Wanted::Anything => false,
    };
    score += if fits { FITTING_KIND } else { 0.0 };
    score -= RANK * rank as f32;
    // The answer of a record is what a reader of the record looks for.
    score += if is_answer(s.text, hit.chunk.kind) { 0.2 } else { 0.0 };
    Candidate { hit: index, start: s.start, text: shorten(&named_row(hit, s)), score }
}

/// A line of an element or a record says nothing without its name, which is the passage's first
/// line: it goes in front.
fn named_row(hit: &Hit, s: Sentence<'_>) -> String {
    let first = hit.chunk.text.lines().next().unwrap_or_default().trim();
    let stands_alone =
        !matches!(hit.chunk.kind, Kind::Ifc | Kind::Rfi) || s.start < first.len() || first.is_empty();
    if stands_alone { one_line(s.text) } else { format!("{} – {}", one_line(first), one_line(s.text)) }
}

/// Adds the meaning of each sentence. `cosines` are in the order of `candidates`.
pub(super) fn add_meaning(candidates: &mut [Candidate], cosines: &[f32]) {
    let (low, high) = cosines.iter().fold((f32::MAX, f32::MIN), |(l, h), c| (l.min(*c), h.max(*c)));
    if high - low < 1e-6 {
        return;
    }
    for (candidate, cosine) in candidates.iter_mut().zip(cosines) {
        candidate.score += MEANING * (cosine - low) / (high - low);
    }
}

/// The sentences to show: the best, and those that come close to it, in the order of their places.
pub(super) fn choose(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates
        .sort_by(|a, b| b.score.total_cmp(&a.score).then(a.hit.cmp(&b.hit)).then(a.start.cmp(&b.start)));
    let Some(best) = candidates.first().map(|c| c.score) else { return Vec::new() };
    let mut chosen: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let near = chosen.is_empty() || candidate.score >= best * NEXT_SHARE;
        let new = chosen.iter().all(|c| fold(&c.text) != fold(&candidate.text));
        if near && new && chosen.len() < MAX_SENTENCES {
            chosen.push(candidate);
        }
    }
    chosen
}

/// The question of a record repeats the reader's words but answers nothing.
fn is_question(sentence: &str, kind: Kind) -> bool {
    const LABELS: [&str; 6] = ["frage:", "question:", "domanda:", "betreff:", "subject:", "objet:"];
    let lower = sentence.to_lowercase();
    matches!(kind, Kind::Rfi | Kind::Mail)
        && (LABELS.iter().any(|l| lower.starts_with(l)) || sentence.ends_with('?'))
}

fn is_answer(sentence: &str, kind: Kind) -> bool {
    const LABELS: [&str; 6] = ["antwort", "réponse", "risposta", "answer", "response", "kommentar"];
    let lower = sentence.to_lowercase();
    matches!(kind, Kind::Rfi | Kind::Mail) && LABELS.iter().any(|l| lower.starts_with(l))
}

/// Openings of questions for a quantity.
const QUANTITY: [&str; 34] = [
    "wie viel",
    "wie gross",
    "wie hoch",
    "wie dick",
    "wie lang",
    "wie breit",
    "wie tief",
    "wie weit",
    "wie schwer",
    "wie stark",
    "wie warm",
    "wie laut",
    "welcher u-wert",
    "welchen u-wert",
    "welche flache",
    "welche dicke",
    "welche hohe",
    "combien",
    "quelle epaisseur",
    "quelle est l'epaisseur",
    "quelle surface",
    "quelle hauteur",
    "quelle est la surface",
    "quanto",
    "quanta",
    "quale spessore",
    "how much",
    "how thick",
    "how high",
    "how large",
    "how big",
    "how long",
    "how wide",
    "what is the area",
];
/// Openings of questions for a date.
const DATE: [&str; 9] =
    ["wann", "bis wann", "ab wann", "an welchem", "quand", "a quelle date", "quando", "when", "what date"];

fn wanted(question: &str) -> Wanted {
    let text: String = question.split_whitespace().map(fold_word).collect::<Vec<_>>().join(" ");
    let starts = |list: &[&str]| {
        list.iter().any(|p| text.contains(&p.split(' ').map(fold_word).collect::<Vec<_>>().join(" ")))
    };
    if starts(&DATE) {
        Wanted::Date
    } else if starts(&QUANTITY) {
        Wanted::Quantity
    } else {
        Wanted::Anything
    }
}

fn fold_word(word: &str) -> String {
    fold(word.trim_matches(|c: char| !c.is_alphanumeric()))
}

fn is_date(value: &str) -> bool {
    value.matches('.').count() == 2 || value.len() == 4 && value.starts_with("20")
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_CHARS).collect();
    let end = cut.rfind(char::is_whitespace).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for() {
        assert_eq!(wanted("Wie dick ist die Dämmung?"), Wanted::Quantity);
        assert_eq!(wanted("Bis wann muss RFI-012 beantwortet sein?"), Wanted::Date);
        assert_eq!(wanted("Quelle est l'épaisseur ?"), Wanted::Quantity);
        assert_eq!(wanted("Wer liefert die Fenster?"), Wanted::Anything);
    }

    #[test]
    fn near_sentences_join_and_repetitions_go() {
        let c = |text: &str, score: f32| Candidate { hit: 0, start: 0, text: text.into(), score };
        let chosen = choose(vec![c("a b", 1.0), c("A B", 0.99), c("c", 0.9), c("d", 0.1)]);
        let texts: Vec<&str> = chosen.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["a b", "c"]);
    }
}
