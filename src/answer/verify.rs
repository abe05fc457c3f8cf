//! Whether a sentence is borne out by a passage.
//!
//! Numbers with their units must stand in the passage, each in a clause that shares a word with the
//! sentence; identifiers must all stand in the passage; of the other words, enough. Deterministic: no model judges here.

use ingest::Language;

use super::sentences::sentences;
use crate::index::{Figure, QueryTerm, analyse, figures, ident, tokenize};

/// Share of a sentence's words that a passage must have. Half: a paraphrase keeps its subject and
/// its object, an invented statement does not.
const MIN_WORDS: f32 = 0.5;

/// What a passage says, prepared once for many sentences.
pub(super) struct Evidence {
    clauses: Vec<Clause>,
    keys: Vec<String>,
    text: String,
    context: String,
    language: Option<Language>,
}

/// A part of a passage that says one thing, with the numbers that it says it with.
struct Clause {
    text: String,
    figures: Vec<Figure>,
}

/// How well a sentence is supported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Support {
    /// Every number and identifier of the sentence stands in the passage.
    pub exact: bool,
    /// Share of the sentence's words that stand in the passage, 0 to 1.
    pub words: f32,
}

impl Support {
    /// Whether the passage bears the sentence out.
    pub(super) fn holds(self) -> bool {
        self.exact && self.words >= MIN_WORDS
    }
}

impl Evidence {
    /// Prepares a passage. `context` (title, headings) may bear out words and identifiers, never
    /// numbers.
    pub(super) fn of(text: &str, context: &str, language: Option<Language>) -> Self {
        let mut keys: Vec<String> = ident::identifiers(text).into_iter().flat_map(|i| i.keys).collect();
        keys.extend(ident::identifiers(context).into_iter().flat_map(|i| i.keys));
        Evidence {
            clauses: clauses(text),
            keys,
            text: text.to_owned(),
            context: context.to_owned(),
            language,
        }
    }

    /// Compares a sentence with the passage.
    pub(super) fn support(&self, sentence: &str) -> Support {
        let numbers = self.numbers(sentence);
        let named = ident::identifiers(sentence)
            .iter()
            .all(|i| i.keys.first().is_some_and(|k| self.keys.contains(k)));
        Support { exact: numbers && named, words: self.words(sentence) }
    }

    /// Whether every number of the sentence belongs to what the sentence speaks of: it must stand in a
    /// clause that has a word of the sentence, so that a date or a value cannot change its subject.
    fn numbers(&self, sentence: &str) -> bool {
        let wanted = figures(sentence);
        if wanted.is_empty() {
            return true;
        }
        let words = words_of(sentence);
        wanted.iter().all(|figure| {
            let whole = thousands(sentence, figure);
            let figure = whole.as_ref().unwrap_or(figure);
            self.clauses.iter().filter(|c| c.figures.iter().any(|g| same(figure, g))).any(|clause| {
                let tokens = tokenize(&clause.text);
                let bare = words_of(&clause.text).is_empty();
                bare || words.is_empty()
                    || words.iter().any(|w| tokens.iter().any(|t| w.matches(t, self.language)))
            })
        })
    }

    fn words(&self, sentence: &str) -> f32 {
        let wanted = words_of(sentence);
        if wanted.is_empty() {
            return 1.0;
        }
        let mut tokens = tokenize(&self.text);
        tokens.extend(tokenize(&self.context));
        let found = wanted.iter().filter(|w| tokens.iter().any(|t| w.matches(t, self.language))).count();
        found as f32 / wanted.len() as f32
    }

    /// The sentence of the passage that shares most with this one, word for word.
    pub(super) fn quote(&self, sentence: &str) -> String {
        let terms = analyse(sentence).terms;
        let numbers = figures(sentence);
        let score = |candidate: &str| {
            let tokens = tokenize(candidate);
            let words = terms.iter().filter(|w| tokens.iter().any(|t| w.matches(t, self.language))).count();
            let here = figures(candidate);
            let values = numbers.iter().filter(|f| here.iter().any(|g| same(f, g))).count();
            words + 3 * values
        };
        let all = sentences(&self.text);
        let best = all.iter().enumerate().max_by_key(|(i, s)| (score(s.text), usize::MAX - i));
        best.map(|(_, s)| one_line(s.text)).unwrap_or_default()
    }
}

/// The content words of a text; numbers and the months of dates are none.
fn words_of(text: &str) -> Vec<QueryTerm> {
    let terms = analyse(text).terms.into_iter();
    terms
        .filter(|t| !t.plain.starts_with(|c: char| c.is_ascii_digit()) && !MONTHS.contains(&t.plain.as_str()))
        .collect()
}

/// Months in plain writing, in the four languages.
const MONTHS: [&str; 43] = [
    "januar",
    "februar",
    "marz",
    "maerz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
    "janvier",
    "fevrier",
    "mars",
    "avril",
    "juin",
    "juillet",
    "aout",
    "septembre",
    "octobre",
    "novembre",
    "decembre",
    "gennaio",
    "febbraio",
    "marzo",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "agosto",
    "settembre",
    "ottobre",
    "dicembre",
    "january",
    "february",
    "march",
    "may",
    "june",
    "july",
    "october",
    "december",
];

/// A text cut at line ends, semicolons and commas that part clauses. A question states nothing: what an RFI
/// proposes is no evidence for what was decided.
fn clauses(text: &str) -> Vec<Clause> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        if sentence.text.trim_end().ends_with('?') {
            continue;
        }
        for part in sentence.text.split(['\n', ';']).flat_map(|p| p.split(", ")) {
            let figures = figures(part);
            if !figures.is_empty() {
                found.push(Clause { text: part.to_owned(), figures });
            }
        }
    }
    found
}

/// A quote on one line: white space evened out.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number of a sentence read as one with commas between its thousands: a model writes `91,200` for `91’200`.
fn thousands(sentence: &str, figure: &Figure) -> Option<Figure> {
    let written = sentence.get(figure.start..figure.end)?;
    let (first, groups) = written.split_once(',')?;
    let three = |g: &str| g.len() == 3 && g.chars().all(|c| c.is_ascii_digit());
    let grouped = (1..=3).contains(&first.len()) && !first.starts_with('0') && groups.split(',').all(three);
    grouped.then(|| Figure { value: written.replace(',', ""), ..figure.clone() })
}

/// Equal value, and equal unit unless one of them names none.
fn same(a: &Figure, b: &Figure) -> bool {
    a.value == b.value && (a.unit == b.unit || a.unit.is_empty() || b.unit.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn support(passage: &str, sentence: &str) -> bool {
        Evidence::of(passage, "Energienachweis", None).support(sentence).holds()
    }

    const WALL: &str =
        "Die Aussenwand AW-01 hat einen U-Wert von 0.15 W/(m²K). Die Dämmung ist 240 mm stark.";

    #[test]
    fn true_statements_hold() {
        assert!(support(WALL, "Der U-Wert der Aussenwand beträgt 0,150 W/m²K."));
        assert!(support(WALL, "AW-01: Dämmung 240 mm."));
    }

    #[test]
    fn changed_numbers_units_and_identifiers_fail() {
        assert!(!support(WALL, "Der U-Wert der Aussenwand beträgt 0.16 W/(m²K)."));
        assert!(!support(WALL, "Die Dämmung der Aussenwand ist 240 cm stark."));
        assert!(!support(WALL, "Die Aussenwand AW-02 hat einen U-Wert von 0.15 W/(m²K)."));
    }

    #[test]
    fn commas_between_thousands_are_read() {
        let yield_ = "Der erwartete Jahresertrag beträgt 91’200 kWh.";
        assert!(support(yield_, "Der erwartete Jahresertrag ist 91,200 kWh."));
        assert!(!support(yield_, "Der erwartete Jahresertrag ist 91,300 kWh."));
        assert!(!support(yield_, "Der erwartete Jahresertrag ist 91,2 kWh."));
        assert!(!support("Die Dicke ist 15 mm.", "Die Dicke ist 15,000 mm."));
    }

    #[test]
    fn a_number_cannot_change_its_subject() {
        let dates = "Handover of building A is planned for 28 June 2027, of building B for 5 July 2027; \
                     the school moves in on 9 August 2027.";
        assert!(support(dates, "The handover of building A is planned for 28 June 2027."));
        assert!(support(dates, "The school moves in on 9 August 2027."));
        assert!(!support(dates, "Building A will be handed over to the client on 9 August 2027."));
        let row = "AW-01; Bauteil: Aussenwand; Dicke mm: 437; U-Wert W/(m²K): 0.15";
        assert!(support(row, "Der U-Wert von AW-01 ist 0.15 W/(m²K)."));
    }

    #[test]
    fn what_was_only_asked_is_no_evidence() {
        let rfi = "May the tolerance be 15 percent at minimum setting? No, the tolerance is 10 percent.";
        assert!(support(rfi, "The tolerance is 10 percent."));
        assert!(!support(rfi, "The tolerance of 15 percent applies at minimum setting."));
    }

    #[test]
    fn other_subjects_fail() {
        assert!(!support(WALL, "The cafeteria serves lunch at noon every day."));
    }

    #[test]
    fn the_quote_is_the_sentence_that_says_it() {
        let e = Evidence::of(WALL, "", None);
        assert_eq!(e.quote("Dämmstärke 240 mm"), "Die Dämmung ist 240 mm stark.");
    }
}
