//! Each sentence of the language model held against the question and the passages before anyone sees it.

use ingest::Language;
use tokio::sync::mpsc::Sender;

use super::building::is_another;
use super::clock::Clock;
use super::stream::Written;
use super::types::{AnswerEvent, Passage};
use super::verify::Evidence;
use super::wanted::Wanted;
use super::write::{Shown, marked};
use crate::index::{QueryTerm, Token, analyse, is_stop_word, tokenize};

/// Checked sentences after which the model is stopped: more is not asked for.
const MAX_SENTENCES: usize = 4;

/// Holds sentences against the passages.
pub(super) struct Checker<'a> {
    question: String,
    wanted: Wanted,
    terms: Vec<QueryTerm>,
    passages: &'a [Passage],
    evidence: Vec<Evidence>,
    /// Sentences that went out.
    pub shown: Vec<Shown>,
    /// Sentences that were kept back.
    pub withheld: Vec<String>,
    gave_up: bool,
    strict: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn new(question: &str, passages: &'a [Passage]) -> Self {
        let evidence = passages
            .iter()
            .map(|p| Evidence::of(&p.text, &format!("{}\n{}", p.title, p.section.join("\n")), None))
            .collect();
        Checker {
            question: question.to_owned(),
            wanted: Wanted::of(question),
            terms: analyse(question).terms,
            passages,
            evidence,
            shown: Vec::new(),
            withheld: Vec::new(),
            gave_up: false,
            strict: true,
        }
    }

    /// Whether sentences that nothing bears out are left out, or marked in their place.
    pub(super) fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether the model can be stopped.
    pub(super) fn enough(&self) -> bool {
        // A model that begins with two unsupported sentences does not find the answer any more.
        let lost = self.shown.is_empty() && self.withheld.len() >= 2;
        self.gave_up || lost || self.shown.len() >= MAX_SENTENCES || self.withheld.len() > 2 * MAX_SENTENCES
    }

    /// Checks a sentence and sends it, or keeps it back. False where nobody listens any more.
    pub(super) fn take(
        &mut self,
        mut sentence: Written,
        events: &Sender<AnswerEvent>,
        clock: &Clock,
    ) -> bool {
        sentence.text = without_opening(&sentence.text).to_owned();
        if sentence.text.to_uppercase().contains("NOT FOUND") {
            self.gave_up = true;
            return true;
        }
        if self.shown.iter().any(|s| s.text == sentence.text) {
            return true;
        }
        let cites = self.cites(&sentence);
        if cites.is_empty() {
            self.withheld.push(sentence.text.clone());
            // An answer never begins with what nothing bears out.
            let speaks = self.on_subject(&sentence.text) && !of_itself(&sentence.text);
            if self.strict || self.shown.is_empty() || !speaks {
                return true;
            }
        }
        let piece = marked(&sentence.text, &cites);
        let piece = if self.shown.is_empty() { piece } else { format!(" {piece}") };
        self.shown.push(Shown { text: sentence.text, cites });
        clock.text_goes_out();
        events.blocking_send(AnswerEvent::Text(piece)).is_ok()
    }

    /// Whether a sentence speaks of what was asked. The first one has to take up half of the question's
    /// words, since a small model likes to begin with whatever stands in a passage, and hold the kind of value that
    /// is asked for; later ones one word.
    fn on_subject(&self, sentence: &str) -> bool {
        let tokens = tokenize(sentence);
        let taken_up = self.terms.iter().filter(|t| tokens.iter().any(|k| t.matches(k, None))).count();
        let wanted = if self.shown.is_empty() { self.terms.len().div_ceil(2) } else { 1 };
        let answers = !self.shown.is_empty() || self.wanted.is_told(sentence);
        answers
            && taken_up >= wanted.min(self.terms.len())
            && self.says_more(sentence)
            && !is_another(&self.question, sentence)
    }

    /// Whether a sentence says more than the question did: a word, number or name of its own.
    fn says_more(&self, sentence: &str) -> bool {
        let asked = tokenize(&self.question);
        analyse(sentence).terms.iter().any(|t| !asked.iter().any(|k| t.matches(k, None)))
    }

    /// The passages that bear a sentence out: of those it cites, else of all. Empty for a sentence
    /// that nothing bears out or that has nothing to do with the question.
    fn cites(&self, sentence: &Written) -> Vec<u32> {
        if !self.on_subject(&sentence.text) || sentence.text.ends_with('?') || of_itself(&sentence.text) {
            return Vec::new();
        }
        let holds = |n: u32| {
            let at = self.passages.iter().position(|p| p.n == n);
            at.and_then(|i| self.evidence.get(i)).is_some_and(|e| e.support(&sentence.text).holds())
        };
        let cited: Vec<u32> = sentence.cites.iter().copied().filter(|n| holds(*n)).collect();
        if !cited.is_empty() {
            return cited;
        }
        let supports =
            self.passages.iter().zip(&self.evidence).map(|(p, e)| (p.n, e.support(&sentence.text)));
        let best = supports.filter(|(_, s)| s.holds()).max_by(|a, b| a.1.words.total_cmp(&b.1.words));
        best.map(|(n, _)| n).into_iter().collect()
    }
}

/// A sentence that speaks of the passages or the prompt instead of the project.
fn of_itself(sentence: &str) -> bool {
    const OPENINGS: [&str; 8] =
        ["the passage", "this passage", "passage ", "passage:", "question:", "(from", "from:", "it provides"];
    let lower = sentence.to_lowercase();
    OPENINGS.iter().any(|o| lower.starts_with(o))
}

/// Words of openings that speak of the answer or the document and not of the project.
const OF_ITSELF: [&str; 40] = [
    "answer",
    "document",
    "documents",
    "text",
    "states",
    "state",
    "according",
    "passage",
    "source",
    "sources",
    "says",
    "follows",
    "report",
    "antwort",
    "lautet",
    "dokument",
    "unterlage",
    "unterlagen",
    "laut",
    "gemass",
    "gilt",
    "steht",
    "quelle",
    "folgt",
    "reponse",
    "texte",
    "indique",
    "selon",
    "suivante",
    "risposta",
    "documento",
    "testo",
    "indica",
    "secondo",
    "seguente",
    "fonte",
    "note",
    "hinweis",
    "remarque",
    "nota",
];
/// Words of an opening, at most.
const MAX_OPENING_WORDS: usize = 6;

/// A sentence without `Answer:` or `According to the document:`, and without the number of a list: `1. The wall …`.
pub(super) fn without_opening(sentence: &str) -> &str {
    let sentence = ["A:"].iter().find_map(|o| sentence.strip_prefix(o)).map_or(sentence, str::trim_start);
    let sentence = match sentence.split_once(':') {
        Some((opening, rest)) if rest.starts_with(char::is_whitespace) && is_opening(opening) => {
            rest.trim_start()
        }
        _ => sentence,
    };
    let rest = sentence.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(". ") {
        Some(text) if rest.len() < sentence.len() => text.trim_start(),
        _ => sentence,
    }
}

fn is_opening(text: &str) -> bool {
    let tokens = tokenize(text);
    let small = |t: &Token| Language::ALL.into_iter().any(|l| is_stop_word(&t.lower, l));
    let own = |t: &Token| OF_ITSELF.contains(&t.plain.as_str());
    tokens.len() <= MAX_OPENING_WORDS && tokens.iter().any(own) && tokens.iter().all(|t| own(t) || small(t))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn what_nothing_bears_out_is_marked_in_its_place_or_left_out() {
        let passages = [passage(1, "The external wall AW-01 has a U-value of 0.15 W/(m2K).")];
        let text = |strict: bool| {
            let mut checker =
                Checker::new("Which U-value does the external wall have?", &passages).strict(strict);
            let (events, mut receiver) = tokio::sync::mpsc::channel(8);
            for sentence in [
                "The U-value of the external wall is 0.99.",
                "The external wall has a U-value of 0.15 W/(m2K).",
                "The external wall has a U-value of 0.16 W/(m2K) in winter.",
            ] {
                let written = Written { text: sentence.into(), cites: vec![1] };
                assert!(checker.take(written, &events, &Clock::start()));
            }
            drop(events);
            let mut sent = String::new();
            while let Some(AnswerEvent::Text(piece)) = receiver.blocking_recv() {
                sent.push_str(&piece);
            }
            sent
        };
        let first = "The external wall has a U-value of 0.15 W/(m2K) [1].";
        assert_eq!(text(true), first);
        assert_eq!(
            text(false),
            format!("{first} The external wall has a U-value of 0.16 W/(m2K) in winter [?].")
        );
    }

    /// A passage of an energy report.
    pub(in crate::answer) fn passage(n: u32, text: &str) -> Passage {
        Passage {
            n,
            chunk: crate::catalog::ChunkId(n.into()),
            document: crate::catalog::DocumentId(n.into()),
            title: "Energy report".into(),
            project: "Rosenmatt".into(),
            kind: ingest::Kind::Pdf,
            path: "a.pdf".into(),
            locator: ingest::Locator::Pdf { page: 1, boxes: vec![] },
            section: vec![],
            text: text.into(),
            parts: Vec::new(),
            snippet: crate::index::Snippet::default(),
        }
    }

    fn taken(sentence: &str, cites: &[u32]) -> (Vec<Shown>, Vec<String>, Vec<String>) {
        let passages = [
            passage(1, "The external wall AW-01 has a U-value of 0.15 W/(m2K)."),
            passage(2, "The roof is green."),
        ];
        let mut checker = Checker::new("Which U-value does the external wall have?", &passages);
        let (events, mut receiver) = tokio::sync::mpsc::channel(8);
        let written = Written { text: sentence.into(), cites: cites.to_vec() };
        assert!(checker.take(written, &events, &Clock::start()));
        drop(events);
        let mut sent = Vec::new();
        while let Some(AnswerEvent::Text(piece)) = receiver.blocking_recv() {
            sent.push(piece);
        }
        (checker.shown, checker.withheld, sent)
    }

    #[test]
    fn a_citation_that_was_not_given_out_is_dropped() {
        let (shown, withheld, sent) = taken("The external wall has a U-value of 0.15 W/(m2K).", &[7, 1]);
        assert_eq!(shown[0].cites, [1]);
        assert!(withheld.is_empty());
        assert_eq!(sent, ["The external wall has a U-value of 0.15 W/(m2K) [1]."]);
    }

    #[test]
    fn a_wrong_citation_is_put_right_or_the_sentence_withheld() {
        assert_eq!(taken("The U-value of the external wall is 0.15.", &[2]).0[0].cites, [1]);
        for invented in [
            "The U-value of the external wall is 0.19 W/(m2K).",
            "The external wall AW-02 has a U-value of 0.15.",
        ] {
            let (shown, withheld, sent) = taken(invented, &[1]);
            assert!(shown.is_empty() && sent.is_empty(), "{invented}");
            assert_eq!(withheld, [invented]);
        }
    }

    #[test]
    fn a_true_sentence_about_something_else_is_no_answer() {
        let (shown, withheld, _) = taken("The external roof is green.", &[2]);
        assert!(shown.is_empty());
        assert_eq!(withheld, ["The external roof is green."]);
    }

    #[test]
    fn a_sentence_that_only_repeats_the_question_is_no_answer() {
        assert!(taken("The external wall has the U-value that the external wall has.", &[1]).0.is_empty());
    }

    #[test]
    fn a_sentence_without_the_value_that_is_asked_for_is_no_answer() {
        let handover = "Handover of building A to the client is planned for 28 June 2027, of building B for 5 July 2027. \
                        The client takes the building over from the contractor.";
        let passages = [passage(1, handover)];
        let take = |question: &str, sentence: &str| {
            let mut checker = Checker::new(question, &passages);
            let (events, receiver) = tokio::sync::mpsc::channel(8);
            assert!(checker.take(
                Written { text: sentence.into(), cites: vec![1] },
                &events,
                &Clock::start()
            ));
            drop(receiver);
            checker.shown.len()
        };
        let when = "When is building A handed over to the client?";
        assert_eq!(take(when, "The client is the one who has taken the building over to the client."), 0);
        assert_eq!(take(when, "The answer is: When building A is handed over to the client."), 0);
        assert_eq!(
            take(when, "The passage is about the handover of building A to the client on 28 June 2027."),
            0
        );
        assert_eq!(take(when, "The handover of building B to the client is planned for 5 July 2027."), 0);
        assert_eq!(take(when, "The handover of building A to the client is planned for 28 June 2027."), 1);
    }

    #[test]
    fn the_number_of_a_list_is_no_number_of_the_answer() {
        assert_eq!(
            taken("1. The external wall has a U-value of 0.15.", &[1]).0[0].text,
            "The external wall has a U-value of 0.15."
        );
        assert_eq!(without_opening("0.15 W/(m2K) is the U-value."), "0.15 W/(m2K) is the U-value.");
        assert_eq!(without_opening("Answer: The wall is 0.4 m thick."), "The wall is 0.4 m thick.");
    }

    #[test]
    fn nothing_goes_out_once_the_reader_has_left() {
        let passages = [passage(1, "The external wall has a U-value of 0.15 W/(m2K).")];
        let mut checker = Checker::new("U-value of the external wall?", &passages);
        let (events, receiver) = tokio::sync::mpsc::channel(1);
        drop(receiver);
        let written =
            Written { text: "The external wall has a U-value of 0.15 W/(m2K).".into(), cites: vec![1] };
        assert!(!checker.take(written, &events, &Clock::start()));
    }
}
