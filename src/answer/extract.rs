//! An answer without a language model: the sentences of the sources that say it.

use ingest::Kind;

use super::relevance::{context, presence};
use super::rows;
use super::sentences::{self, Sentence};
use super::verify::one_line;
use super::wanted::Wanted;
use crate::index::{Found, Hit, Token, figures, fold, ident, tokenize};

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
/// A longer sentence is cut on the page: nobody reads it as an answer.
const MAX_CHARS: usize = 400;

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
pub(super) fn candidates(question: &str, found: &Found, hits: &[usize]) -> Vec<Candidate> {
    let wanted = Wanted::of(question);
    let mut all = Vec::new();
    for (rank, index) in hits.iter().enumerate() {
        let Some(hit) = found.hits.get(*index) else { continue };
        let passage = Around::of(hit);
        let mut here: Vec<Candidate> = sentences::sentences(&hit.chunk.text)
            .into_iter()
            .filter(|s| {
                !is_heading(s.text, hit)
                    && !names_another(question, s.text)
                    && !is_question(s.text, hit.chunk.kind)
                    && wanted.is_in(s.text)
            })
            .filter_map(|s| candidate(found, hit, *index, s, wanted, rank, &passage))
            .collect();
        here.sort_by(|a, b| b.score.total_cmp(&a.score));
        here.truncate(PER_PASSAGE);
        all.extend(here);
    }
    all
}

/// What stands around the sentences of a passage.
struct Around {
    /// Title, headings and the first two lines: the name of an element or record, the caption of a table.
    above: Vec<Token>,
    /// The whole passage.
    passage: Vec<Token>,
}

impl Around {
    fn of(hit: &Hit) -> Self {
        let first: Vec<&str> = hit.chunk.text.lines().take(2).collect();
        Around {
            above: tokenize(&format!("{}\n{}", context(hit), first.join("\n"))),
            passage: tokenize(&hit.chunk.text),
        }
    }
}

fn candidate(
    found: &Found,
    hit: &Hit,
    index: usize,
    s: Sentence<'_>,
    wanted: Wanted,
    rank: usize,
    around: &Around,
) -> Option<Candidate> {
    let body = tokenize(s.text);
    let paragraph = tokenize(paragraph(&hit.chunk.text, s.start));
    let same_language = hit.chunk.language == found.analysed.language;
    let (mut have, mut all) = (0.0f32, 0.0f32);
    let (mut subject, mut subjects) = (0.0f32, 0.0f32);
    let known = found.known.iter().copied().chain(std::iter::repeat(true));
    for ((term, rarity), known) in found.analysed.terms.iter().zip(&found.rarity).zip(known) {
        let weight = rarity * term.weight;
        let near = presence(term, &body, &[], hit.chunk.language);
        let here = near
            .max(NEAR * presence(term, &paragraph, &around.above, hit.chunk.language))
            .max(FAR * presence(term, &around.passage, &[], hit.chunk.language));
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
    score += if wanted == Wanted::Anything { 0.0 } else { FITTING_KIND };
    score -= RANK * rank as f32;
    // The answer of a record is what a reader of the record looks for.
    score += if is_answer(s.text, hit.chunk.kind) { 0.2 } else { 0.0 };
    let text = shorten(&named_row(hit, s, &view(s.text, found, hit, wanted)));
    Some(Candidate { hit: index, start: s.start, text, score })
}

/// The paragraph of a passage that a byte lies in, up to that byte's sentence and beyond.
fn paragraph(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
    let end = text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |i| at + i);
    text.get(start..end).unwrap_or_default()
}

/// Whether a text numbers something otherwise than the question does: `Bausitzung 15` where `Bausitzung 14` is asked
/// for, and that one nowhere.
fn names_another(question: &str, text: &str) -> bool {
    let whole = |t: &Token| !t.plain.is_empty() && t.plain.chars().all(|c| c.is_ascii_digit());
    let body = tokenize(text);
    let follows = |a: &Token, b: &Token, of: &str| of.get(a.end..b.start).is_some_and(|gap| gap == " ");
    tokenize(question).windows(2).any(|pair| {
        let [noun, number] = pair else { return false };
        if !whole(number) || whole(noun) || !follows(noun, number, question) {
            return false;
        }
        let numbers: Vec<&str> = body
            .windows(2)
            .filter_map(|p| {
                let [a, b] = p else { return None };
                (a.plain == noun.plain && whole(b) && follows(a, b, text)).then_some(b.plain.as_str())
            })
            .collect();
        !numbers.is_empty() && !numbers.contains(&number.plain.as_str())
    })
}

/// A row by its name and the cells that answer; other text as it is.
fn view(text: &str, found: &Found, hit: &Hit, wanted: Wanted) -> String {
    let Some(row) = rows::parse(text) else { return one_line(text) };
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

/// Whether a line names what follows instead of saying something: a heading, a title, a caption, the heads of a
/// table's columns, the name of an element.
fn is_heading(text: &str, hit: &Hit) -> bool {
    const CAPTIONS: [&str; 9] = [
        "tabelle ",
        "abbildung ",
        "tableau ",
        "figure ",
        "tabella ",
        "figura ",
        "table ",
        "fig. ",
        "illustration ",
    ];
    let line = one_line(text);
    let folded = fold(&line);
    let above = hit.chunk.section.iter().chain(std::iter::once(&hit.chunk.title));
    if above.into_iter().any(|h| fold(&one_line(h)) == folded)
        || CAPTIONS.iter().any(|c| folded.starts_with(c))
    {
        return true;
    }
    let says_a_value = figures(&line).iter().any(|f| f.start > 0) || line.contains(": ");
    let words = line.split_whitespace().count();
    let ends = line.ends_with(['.', '!', ':']);
    let heads = line.contains(" | ") && !line.chars().any(|c| c.is_ascii_digit());
    let name = hit.chunk.kind == Kind::Ifc && hit.chunk.text.trim_start().starts_with(text);
    heads
        || name
        || words <= 2 && !says_a_value
        || !ends && !says_a_value && words <= 8 && !line.contains(['|', ';'])
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
    fn another_number_names_another_thing() {
        assert!(names_another(
            "Wann ist Bausitzung 14?",
            "Nächste Sitzung; Angaben: Bausitzung 15, 02.07.2026"
        ));
        assert!(!names_another("Wann ist Bausitzung 14?", "Protokoll zu Bausitzung 14 vom 18.06.2026"));
        assert!(!names_another("Wann ist Bausitzung 14?", "Index, Datum | -, 18.06.2026"));
    }

    #[test]
    fn near_sentences_join_and_repetitions_go() {
        let c = |text: &str, score: f32| Candidate { hit: 0, start: 0, text: text.into(), score };
        let chosen = choose(vec![c("a b", 1.0), c("A B", 0.99), c("c", 0.9), c("d", 0.1)]);
        let texts: Vec<&str> = chosen.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["a b", "c"]);
    }
}
