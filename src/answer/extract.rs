//! An answer without a language model: the sentences of the sources that say it.

use ingest::Kind;

use super::building::{Buildings, Says};
use super::lines::{is_answer, is_heading, is_question, names_another, paragraph, shorten};
use super::neighbours::Neighbours;
use super::relevance::{context, presence};
use super::rows;
use super::sentences::{self, Sentence};
use super::verify::one_line;
use super::wanted::Wanted;
use crate::index::{Found, Hit, Token, fold, ident, tokenize};

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
/// What a word counts that stands in the sentence's paragraph, its headings or its table's caption.
const NEAR: f32 = 0.7;
/// What a word counts that stands elsewhere in the passage.
const FAR: f32 = 0.35;
/// Share of the question's subjects that must stand at a value, in its paragraph or above it.
const MIN_SUBJECT: f32 = 0.45;
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

/// The sentences and rows of these hits that hold what is asked for, scored by the question's words; best first
/// within each passage. None where no passage holds such a value beside its subject.
pub(super) fn candidates(
    question: &str,
    found: &Found,
    hits: &[usize],
    joined: &Neighbours,
) -> Vec<Candidate> {
    let asked = Asked { wanted: Wanted::of(question), buildings: Buildings::of(question, found) };
    let wanted = asked.wanted;
    let mut all = Vec::new();
    for (rank, index) in hits.iter().enumerate() {
        let Some(hit) = found.hits.get(*index) else { continue };
        let text = joined.get(index).map_or(hit.chunk.text.as_str(), |j| &j.text);
        let passage = Around::of(hit, text);
        let rows: Vec<(Sentence<'_>, Option<String>)> =
            sentences::sentences(text).into_iter().map(|s| (s, rows::labelled(text, s.start))).collect();
        let named = rows.iter().map(|(s, row)| Sentence { text: row.as_deref().unwrap_or(s.text), ..*s });
        let mut here: Vec<Candidate> = named
            .filter(|s| {
                !is_heading(s.text, hit)
                    && !names_another(question, s.text)
                    && !is_question(s.text, hit.chunk.kind)
                    && wanted.is_in(s.text)
                    && asked.buildings.said_in(s.text, hit) != Says::Another
            })
            .filter_map(|s| candidate(found, hit, *index, s, &asked, rank, &passage))
            .collect();
        here.sort_by(|a, b| b.score.total_cmp(&a.score));
        here.truncate(PER_PASSAGE);
        all.extend(here);
    }
    all
}

/// What a question asks for, and of which building.
struct Asked {
    wanted: Wanted,
    buildings: Buildings,
}

/// What stands around the sentences of a passage.
struct Around<'a> {
    /// The passage with what belongs to it.
    text: &'a str,
    /// Title, headings and the first two lines: the name of an element or record, the caption of a table.
    above: Vec<Token>,
    /// The whole passage.
    passage: Vec<Token>,
}

impl<'a> Around<'a> {
    fn of(hit: &Hit, text: &'a str) -> Self {
        let first: Vec<&str> = hit.chunk.text.lines().take(2).collect();
        Around {
            text,
            above: tokenize(&format!("{}\n{}", context(hit), first.join("\n"))),
            passage: tokenize(text),
        }
    }
}

fn candidate(
    found: &Found,
    hit: &Hit,
    index: usize,
    s: Sentence<'_>,
    asked: &Asked,
    rank: usize,
    around: &Around<'_>,
) -> Option<Candidate> {
    let wanted = asked.wanted;
    // The name of an element or a record is part of each of its lines, and is shown with them.
    let body = tokenize(&named_row(hit, s, s.text));
    let of_building = asked.buildings.said_in(s.text, hit) == Says::This;
    let paragraph = tokenize(paragraph(around.text, s.start));
    let same_language = hit.chunk.language == found.analysed.language;
    let (mut have, mut all) = (0.0f32, 0.0f32);
    let (mut subject, mut subjects) = (0.0f32, 0.0f32);
    let known = found.known.iter().copied().chain(std::iter::repeat(true));
    for ((term, rarity), known) in found.analysed.terms.iter().zip(&found.rarity).zip(known) {
        let weight = rarity * term.weight;
        let near = presence(term, &body, &[], hit.chunk.language);
        let here = near
            .max(NEAR * presence(term, &paragraph, &around.above, hit.chunk.language))
            .max(FAR * presence(term, &around.passage, &[], hit.chunk.language))
            .max(if of_building && asked.buildings.alias.as_ref() == Some(&term.plain) { 1.0 } else { 0.0 });
        all += weight;
        have += weight * here;
        // A word of another language that the glossary does not know is neither there nor missing.
        let tells = same_language || !term.others.is_empty() || known;
        if tells && !wanted.is_kind_word(&term.plain) {
            subjects += weight;
            subject += weight * here;
        }
    }
    let demands = matches!(wanted, Wanted::Measure(_) | Wanted::Date);
    if demands && subjects > 0.0 && subject < MIN_SUBJECT * subjects {
        return None;
    }
    let mut score = if all > 0.0 { have / all } else { 0.0 };
    let keys: Vec<String> = ident::identifiers(s.text).into_iter().flat_map(|i| i.keys).collect();
    let named = found.analysed.identifiers.iter().filter(|i| i.keys.iter().any(|k| keys.contains(k))).count();
    score += 0.3 * named as f32;
    score += if wanted == Wanted::Anything || !wanted.is_stated(s.text) { 0.0 } else { FITTING_KIND };
    score -= RANK * rank as f32;
    // The answer of a record is what a reader of the record looks for.
    score += if is_answer(s.text, hit.chunk.kind) { 0.2 } else { 0.0 };
    let text = shorten(&named_row(hit, s, &view(s.text, found, hit, asked, around.text)));
    Some(Candidate { hit: index, start: s.start, text, score })
}

/// A row by its name and the cells that answer; other text as it is.
fn view(text: &str, found: &Found, hit: &Hit, asked_for: &Asked, passage: &str) -> String {
    let Some(row) = rows::parse(text) else {
        let pair = rows::only_pair(text, |pair| asked_for.wanted.is_stated(pair));
        let pair = pair.filter(|_| asked_for.wanted != Wanted::Anything);
        return pair.map_or_else(|| one_line(text), |p| under_its_title(text, passage, &p));
    };
    let of_building = |c: &rows::Cell<'_>| asked_for.buildings.said(c.label) == Says::This;
    if row.cells.iter().any(of_building) {
        return row.only(of_building);
    }
    let wanted = asked_for.wanted;
    let asked = |t: &str| {
        let tokens = tokenize(t);
        found
            .analysed
            .terms
            .iter()
            .any(|q| q.weight >= 0.5 && presence(q, &tokens, &[], hit.chunk.language) > 0.5)
    };
    match wanted {
        Wanted::Measure(_) => {
            let fitting = |c: &rows::Cell<'_>| wanted.is_in(c.text);
            // Of several prices in a row, those whose head the question takes up; else all of them.
            let close = row.cells.iter().any(|c| fitting(c) && asked(c.label));
            row.short(|c| fitting(c) && (!close || asked(c.label)))
        }
        _ => row.short(|c| asked(c.label)),
    }
}

/// A pair of a title block behind the title that stands above the block.
fn under_its_title(line: &str, passage: &str, pair: &str) -> String {
    let above = passage.split(line).next().unwrap_or_default().lines();
    let title = above.rev().map(str::trim).find(|l| !l.is_empty() && !l.contains(" | "));
    title.map_or_else(|| pair.to_owned(), |t| format!("{} – {pair}", one_line(t)))
}

/// A line of an element or a record says nothing without its name, which is the passage's first
/// line: it goes in front.
fn named_row(hit: &Hit, s: Sentence<'_>, view: &str) -> String {
    let first = hit.chunk.text.lines().next().unwrap_or_default().trim();
    let stands_alone =
        !matches!(hit.chunk.kind, Kind::Ifc | Kind::Rfi) || s.start < first.len() || first.is_empty();
    if stands_alone { view.to_owned() } else { format!("{} – {view}", one_line(first)) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_sentences_join_and_repetitions_go() {
        let c = |text: &str, score: f32| Candidate { hit: 0, start: 0, text: text.into(), score };
        let chosen = choose(vec![c("a b", 1.0), c("A B", 0.99), c("c", 0.9), c("d", 0.1)]);
        let texts: Vec<&str> = chosen.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["a b", "c"]);
    }
}
