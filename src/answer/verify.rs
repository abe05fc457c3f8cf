//! Whether a sentence is borne out by a passage.
//!
//! Numbers with their units must stand in one sentence or row of the passage, each in a clause that shares a word
//! with the claim; identifiers must all stand in the passage; so must names (capitalised words, of German every noun),
//! in the sentence that bears the claim out or, where that begins with a pronoun, in the one before it; what is denied
//! must be denied there; of the other words, enough. Deterministic: no model judges here.

use std::ops::Range;

use ingest::Language;

use super::clauses::{Clause, clauses, counts_alike, names_others, same, thousands, words_of};
use super::polarity::agrees;
use super::rows::parse;
use super::sentences::sentences;
use crate::index::{Figure, QueryTerm, Token, analyse, figures, ident, tokenize};

/// Share of a sentence's words that a passage must have. Three of four: a paraphrase changes its verb; a statement
/// that lends a value of the passage to another subject has words of its own.
const MIN_WORDS: f32 = 0.75;
/// Words at the start of a claim that name its subject.
const SUBJECT_WORDS: usize = 2;
/// A longer first line of a passage is a statement of its own and no name of what follows.
const MAX_HEAD_CHARS: usize = 80;

/// What a passage says, prepared once for many sentences.
pub(super) struct Evidence {
    /// Its sentences and rows. A question states nothing: what an RFI proposes is no evidence for what was decided.
    sources: Vec<Source>,
    /// What holds for all of them: headings, title, the short lines that the passage begins with.
    above: Source,
    text: String,
    language: Option<Language>,
}

/// A sentence or row of a passage.
struct Source {
    text: String,
    tokens: Vec<Token>,
    clauses: Vec<Clause>,
    keys: Vec<String>,
}

impl Source {
    fn of(text: &str) -> Self {
        let keys = ident::identifiers(text).into_iter().flat_map(|i| i.keys).collect();
        Source { text: text.to_owned(), tokens: tokenize(text), clauses: clauses(text), keys }
    }
}

/// A sentence that is to be borne out.
struct Claim<'a> {
    text: &'a str,
    figures: Vec<Figure>,
    words: Vec<QueryTerm>,
    tokens: Vec<Token>,
    /// Capitalised words: names, and German nouns.
    names: Vec<QueryTerm>,
    named: Vec<String>,
}

impl<'a> Claim<'a> {
    fn of(text: &'a str) -> Self {
        let words = words_of(text);
        let tokens = tokenize(text);
        let capital = |t: &Token| text.get(t.start..).is_some_and(|s| s.starts_with(char::is_uppercase));
        let is_name = |w: &&QueryTerm| {
            w.plain.chars().count() >= 3
                && tokens.iter().any(|t| t.plain == w.plain && capital(t) && !is_whole(t, &tokens))
        };
        let named = ident::identifiers(text).into_iter().filter_map(|i| i.keys.into_iter().next()).collect();
        Claim {
            figures: figures(text),
            names: words.iter().filter(is_name).cloned().collect(),
            words,
            tokens,
            named,
            text,
        }
    }
}

/// Whether a token is a hyphenated word whose parts stand beside it.
fn is_whole(token: &Token, all: &[Token]) -> bool {
    all.iter()
        .any(|p| p.start >= token.start && p.end <= token.end && p.end - p.start < token.end - token.start)
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
        let said = sentences(text).into_iter().filter(|s| !s.text.trim_end().ends_with('?'));
        let short = |l: &&str| {
            l.chars().count() <= MAX_HEAD_CHARS && !l.trim_end().ends_with(['.', '?']) && parse(l).is_none()
        };
        let head = text.lines().take(2).filter(short).collect::<Vec<_>>().join("\n");
        let mut above = Source::of(&format!("{context}\n{head}"));
        above.clauses = clauses(&head);
        Evidence {
            sources: said.map(|s| Source::of(s.text)).collect(),
            above,
            text: text.to_owned(),
            language,
        }
    }

    /// Compares a sentence with the passage. It must be borne out by one sentence or row, so that nothing changes its
    /// subject; one without a number, name or identifier by two that follow each other.
    pub(super) fn support(&self, sentence: &str) -> Support {
        let claim = Claim::of(sentence);
        let plain = claim.figures.is_empty() && claim.named.is_empty() && claim.names.is_empty();
        let knows =
            |k: &String| self.above.keys.contains(k) || self.sources.iter().any(|s| s.keys.contains(k));
        let mut best = Support { exact: false, words: 0.0 };
        for (at, source) in self.sources.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|i| self.sources.get(i));
            let leans = begins_with_pronoun(&source.tokens) && !begins_with_pronoun(&claim.tokens);
            let lent = before.filter(|_| plain || leans);
            let exact = claim.named.iter().all(knows)
                && (claim.figures.is_empty() && claim.named.is_empty() || self.says(source, &claim))
                && self.has_names(source, lent, &claim)
                && std::iter::once(source)
                    .chain(lent)
                    .all(|s| agrees((claim.text, &claim.tokens), (&s.text, &s.tokens)));
            let words = self.share(&claim, &mut std::iter::once(source).chain(lent));
            if (exact, words) > (best.exact, best.words) {
                best = Support { exact, words };
            }
        }
        best
    }

    /// Whether every name of the claim stands in a sentence or above it. For a pronoun at its start, the sentence before
    /// lends the name that the claim begins with.
    fn has_names(&self, source: &Source, lent: Option<&Source>, claim: &Claim<'_>) -> bool {
        let here = || source.tokens.iter().chain(&self.above.tokens);
        let first = |w: &QueryTerm| claim.words.iter().take(SUBJECT_WORDS).any(|f| f.plain == w.plain);
        claim.names.iter().all(|w| {
            let stands = here().any(|t| w.matches(t, self.language));
            stands || first(w) && lent.is_some_and(|s| s.tokens.iter().any(|t| w.matches(t, self.language)))
        })
    }

    /// Whether a sentence of the passage has every number of the claim, each in a clause that shares a word with it,
    /// and speaks of the same things.
    fn says(&self, source: &Source, claim: &Claim<'_>) -> bool {
        if names_others(&claim.named, &source.keys) {
            return false;
        }
        if claim.figures.is_empty() {
            return claim.named.iter().all(|k| source.keys.contains(k) || self.above.keys.contains(k));
        }
        claim.figures.iter().all(|figure| {
            let whole = thousands(claim.text, figure);
            let figure = whole.as_ref().unwrap_or(figure);
            source.clauses.iter().chain(&self.above.clauses).any(|clause| self.holds(clause, figure, claim))
        })
    }

    fn holds(&self, clause: &Clause, figure: &Figure, claim: &Claim<'_>) -> bool {
        let tokens = tokenize(&clause.text);
        let alike = |g: &Figure| {
            let whole = thousands(&clause.text, g);
            let either = same(figure, g) || whole.is_some_and(|w| same(figure, &w));
            either && counts_alike(figure, g, &tokens, &claim.words)
        };
        if !clause.figures.iter().any(alike) || names_others(&claim.named, &clause.keys) {
            return false;
        }
        let bare = words_of(&clause.text).is_empty() || claim.words.is_empty();
        bare || claim.words.iter().any(|w| tokens.iter().any(|t| w.matches(t, self.language)))
    }

    /// The share of a claim's words that stand in these sentences or above them.
    fn share(&self, claim: &Claim<'_>, sources: &mut dyn Iterator<Item = &Source>) -> f32 {
        let tokens: Vec<&Token> = sources.flat_map(|s| &s.tokens).chain(&self.above.tokens).collect();
        let found = claim.words.iter().filter(|w| tokens.iter().any(|t| w.matches(t, self.language))).count();
        if claim.words.is_empty() { 1.0 } else { found as f32 / claim.words.len() as f32 }
    }

    /// The place of the sentence of the passage that shares most with this one, in bytes; none in an empty passage.
    pub(super) fn quote(&self, sentence: &str) -> Option<Range<usize>> {
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
        best.map(|(_, s)| s.start..s.start + s.text.len())
    }
}

/// Whether a sentence leans on the one before it: `Sie ist …`, `Il est …`, `It has …`.
fn begins_with_pronoun(tokens: &[Token]) -> bool {
    const PRONOUNS: [&str; 40] = [
        "er", "sie", "es", "dieser", "diese", "dieses", "diesen", "diesem", "dort", "dabei", "dazu", "davon",
        "damit", "il", "elle", "ils", "elles", "ce", "cette", "ces", "cet", "celui", "celle", "egli", "essa",
        "esso", "essi", "esse", "questo", "questa", "questi", "queste", "it", "he", "she", "they", "this",
        "these", "its", "their",
    ];
    tokens.first().is_some_and(|t| PRONOUNS.contains(&t.plain.as_str()))
}

/// A quote on one line: white space evened out.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    fn units_are_compared_however_they_are_written() {
        let duct = "The supply duct is 240 mm wide and 12 m long; it serves 34 rooms.";
        for (sentence, holds) in [
            ("The supply duct is 240 millimetres wide.", true),
            ("The supply duct is 240 metres wide.", false),
            ("The supply duct is 240 per cent wide.", false),
            ("The supply duct is 240 cubits wide.", false),
            ("The supply duct is 240 wide.", true),
            ("The supply duct is twelve metres long.", true),
            ("The supply duct is twelve millimetres long.", false),
            ("The supply duct serves 34 rooms.", true),
            ("The supply duct serves 34 square metres.", false),
        ] {
            assert_eq!(support(duct, sentence), holds, "{sentence}");
        }
        let row = "B0.01; Bezeichnung: Turnhalle; Fläche m²: 448.0; Kosten CHF pro Jahr: 3’400";
        assert!(support(row, "Die Turnhalle hat eine Fläche von 448 Quadratmetern."));
        assert!(!support(row, "Die Turnhalle hat eine Fläche von 448 Metern."));
        assert!(support(row, "Die Turnhalle hat Kosten von 3400 Franken."));
        assert!(!support(row, "Die Turnhalle hat Kosten von 3400 Prozent."));
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
        let tests =
            "Functional tests of building A start on 26 April 2027 and those of building B on 10 May 2027.";
        assert!(support(tests, "The functional tests of building A start on 26 April 2027."));
        assert!(support(tests, "The functional tests of building B start on 10 May 2027."));
        assert!(!support(tests, "The functional tests of building B start on 26 April 2027."));
        let water =
            "Rainwater is collected in a 12 m³ cistern. A swale of 95 m³ lets the remaining water seep away.";
        assert!(support(water, "The rainwater cistern has 12 m³."));
        assert!(
            !support(water, "The volume of the rainwater cistern is 95 m³."),
            "another sentence has that number"
        );
        let doors =
            "The door to the archive must reach EI60. Doors of technical rooms are of the class EI30-RF1.";
        assert!(support(doors, "The door to the archive must reach EI60."));
        assert!(!support(doors, "The door to the archive in the basement needs the class EI30-RF1."));
        let moves =
            "Handover of building A is planned for 28 June 2027; the school moves in on 9 August 2027.";
        assert!(!support(moves, "The school is handed over to the client on 9 August 2027."));
        let rows = "AW-01; Bauteil: Aussenwand; U-Wert: 0.15\nAW-02; Bauteil: Kellerwand; U-Wert: 0.21";
        assert!(support(rows, "AW-02 hat den U-Wert 0.21."));
        assert!(!support(rows, "AW-02 hat den U-Wert 0.15."), "a row cannot lend its value to another");
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
        let place = e.quote("Dämmstärke 240 mm").unwrap();
        assert_eq!(&WALL[place], "Die Dämmung ist 240 mm stark.");
    }
}
