//! A query taken apart: terms, phrases, identifiers, language.

use std::sync::LazyLock;

use ingest::Language;

use super::super::strict::Wildcard;
use super::compound::{self, Remembered, Splitter};
use super::fold::strip_accents;
use super::glossary::{Form, Named, named};
use super::grammar::Parsed;
use super::ident::{Identifier, asked_for};
use super::{Token, guess, is_stop_word, measures, stem, tokenize};

/// A query longer than this is cut: nobody types more words, and each costs time.
const MAX_TERMS: usize = 48;
/// Weight of a small-letter word in a German question that has capitals: its nouns carry the
/// subject, its verbs and adjectives are often the asker's own.
const GERMAN_SMALL_LETTER: f32 = 0.5;
/// Weight of a hyphenated word as a whole, and of all its parts together: one subject, not three.
const WHOLE_COMPOUND: f32 = 0.6;
const ALL_PARTS: f32 = 0.9;
/// Weight of a word inside an identifier: the identifier counts, its digits alone say little.
const INSIDE_IDENTIFIER: f32 = 0.3;
/// Weight of a further word of a phrase that is one term of building.
const INSIDE_PHRASE: f32 = 0.3;

/// The shortest stem that is looked for in compounds.
const MIN_PART_BYTES: usize = 3;

/// The shortest part of a queried compound that is marked by itself.
const MIN_SHARED_BYTES: usize = 4;

/// Words of passages with their parts: the same ones stand in most.
static TAKEN_APART: LazyLock<Remembered> = LazyLock::new(Remembered::default);

/// A word that a query searches for.
#[derive(Debug, Clone)]
pub(crate) struct QueryTerm {
    /// The plain form.
    pub plain: String,
    /// The stem in each language, in the order of [`Language::ALL`].
    pub stems: [String; 4],
    /// 1 for a word, less for a part of an identifier.
    pub weight: f32,
    /// Other ways of saying it, in all four languages.
    pub others: Vec<&'static Form>,
    /// True for a part of a hyphenated word (`Wert` of `U-Wert`).
    pub is_part: bool,
    /// What it is made of, where it is a German compound.
    pub parts: Vec<compound::Form>,
    /// True within a date or a quantity, which is looked for as a whole beside it.
    pub measured: bool,
}

impl QueryTerm {
    fn of(token: &Token, weight: f32, named: &[Named], is_part: bool) -> Self {
        let stems = Language::ALL.map(|l| stem(token, l));
        let concept = named.iter().find(|n| n.start <= token.start && token.end <= n.end);
        // The first word of a phrase stands for the whole of it, the others only for themselves.
        let first = concept.filter(|n| n.start == token.start && !is_part);
        let others = first.map(|n| n.others.clone()).unwrap_or_default();
        let weight = match (concept, first) {
            // A hyphenated term of building is one word of full weight.
            (Some(_), Some(_)) if weight == WHOLE_COMPOUND => 1.0,
            (Some(_), None) => weight * INSIDE_PHRASE,
            _ => weight,
        };
        let lower = strip_accents(&token.lower);
        let parts = Splitter::new(None).parts(&lower).into_iter().flatten().collect();
        QueryTerm { plain: token.plain.clone(), stems, weight, others, is_part, parts, measured: false }
    }

    /// A word by itself, without compounds and other ways of saying it.
    fn bare(token: Token) -> Self {
        QueryTerm::of(&token, 1.0, &[], false)
    }

    /// The stem in German.
    pub(crate) fn german(&self) -> &str {
        self.stems.first().map_or("", String::as_str)
    }

    /// Whether a token of a German text is a compound with this word in it, a part of this word, or shares a part with
    /// it.
    pub(crate) fn shares_part(&self, token: &Token) -> bool {
        let own = self.parts.iter().map(|f| f.stem.as_str());
        let mut own = own.filter(|s| s.len() >= MIN_SHARED_BYTES).chain([self.german()]);
        let word = token.plain.as_str();
        // Most words have none of the letters; only the others are taken apart.
        let mut inside = None;
        own.any(|stem| {
            let short = stem.len() < MIN_PART_BYTES || word.len() < stem.len();
            let begins = stem.strip_suffix("ung").unwrap_or(stem);
            if short && !stem.ends_with("ung") || !word.contains(begins) {
                return false;
            }
            let (parts, own) = inside.get_or_insert_with(|| (TAKEN_APART.stems(word), stem_of(token)));
            own == stem || parts.iter().any(|s| s == stem)
        })
    }

    /// Whether a token of a text in `language` (any where unknown) is this word.
    pub(crate) fn matches(&self, token: &Token, language: Option<Language>) -> bool {
        if token.plain == self.plain {
            return true;
        }
        Language::ALL
            .into_iter()
            .zip(&self.stems)
            .filter(|(l, _)| language.is_none_or(|of_text| of_text == *l))
            .any(|(l, s)| stem(token, l) == *s)
            || self.others.iter().any(|f| f.is_token(token))
    }

    /// Whether a token of a text in `language`, whose stem there is `stem`, is this word: as [`QueryTerm::matches`],
    /// for whoever looks for several terms.
    pub(crate) fn is_stem(&self, token: &Token, language: Language, stem: &str) -> bool {
        let own = Language::ALL.iter().position(|l| *l == language).and_then(|i| self.stems.get(i));
        token.plain == self.plain
            || own.is_some_and(|s| s == stem)
            || self.others.iter().any(|f| f.is_token(token))
    }

    /// Whether a text says this word, as another word or a phrase of any language too.
    pub(crate) fn stands_in(&self, tokens: &[Token], language: Option<Language>) -> bool {
        tokens.iter().any(|t| self.matches(t, language)) || self.others.iter().any(|f| f.stands_in(tokens))
    }
}

fn stem_of(token: &Token) -> String {
    stem(token, Language::De)
}

/// What a query asks for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Analysed {
    /// Words, each once, stop words left out unless there is nothing else.
    pub terms: Vec<QueryTerm>,
    /// Quoted phrases: plain forms with their positions.
    pub phrases: Vec<Vec<(usize, String)>>,
    /// Identifiers.
    pub identifiers: Vec<Identifier>,
    /// Dates and quantities.
    pub measures: Vec<Identifier>,
    /// The language, where it can be told.
    pub language: Option<Language>,
    /// True where the query is nothing but identifiers, dates and quantities.
    pub only_identifiers: bool,
    /// Words with stars; a passage must have one that fits each.
    pub wildcards: Vec<Wildcard>,
    /// Words that a passage must not have.
    pub excluded: Vec<QueryTerm>,
    /// Words that the title or a heading must have.
    pub headings: Vec<QueryTerm>,
    /// True where nothing is searched for: everything within the filters fits.
    pub everything: bool,
}

impl Analysed {
    /// True where there is no word that a vector could stand for.
    pub(crate) fn is_wordless(&self) -> bool {
        self.terms.is_empty() && self.identifiers.is_empty() && self.phrases.is_empty()
    }

    /// A query as its grammar was understood.
    pub(crate) fn of(parsed: &Parsed) -> Self {
        let terms = |words: &[String]| words.iter().flat_map(|w| tokenize(w)).map(QueryTerm::bare).collect();
        Analysed {
            wildcards: parsed.wildcards.iter().map(|w| Wildcard::of(w)).collect(),
            excluded: terms(&parsed.excluded),
            headings: terms(&parsed.headings),
            everything: parsed.only_filters(),
            ..analyse(&parsed.text)
        }
    }
}

/// Takes a query apart.
pub(crate) fn analyse(text: &str) -> Analysed {
    let identifiers = asked_for(text);
    let language = guess(text);
    let tokens = tokenize(text);
    let mut measures = measures(text, &tokens);
    measures.retain(|m| !identifiers.iter().any(|i| i.start < m.end && m.start < i.end));
    let named = named(text, language);
    let among = |all: &[Identifier], t: &Token| all.iter().any(|i| i.start <= t.start && t.end <= i.end);
    let inside = |t: &Token| among(&identifiers, t);
    let is_stop = |word: &str| match language {
        Some(l) => is_stop_word(word, l),
        None => Language::ALL.into_iter().any(|l| is_stop_word(word, l)),
    };
    // "faut-il" and "peut-elle" are as empty as their parts.
    let stop = |t: &Token| {
        is_stop(&t.lower)
            || parts_of(t, &tokens).next().is_some() && parts_of(t, &tokens).all(|p| is_stop(&p.lower))
    };
    let capitals = language == Some(Language::De) && tokens.iter().skip(1).any(|t| starts_capital(text, t));
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut outside = 0;
    for keep_stop_words in [false, true] {
        for token in &tokens {
            let within = inside(token);
            let short =
                token.plain.chars().count() < 2 && !token.plain.starts_with(|c: char| c.is_ascii_digit());
            if (short || stop(token)) && !keep_stop_words || within && token.plain.chars().count() < 2 {
                continue;
            }
            let measured = among(&measures, token);
            outside += usize::from(!within && !measured);
            if terms.len() < MAX_TERMS && !terms.iter().any(|t| t.plain == token.plain) {
                let small = capitals && !within && starts_small(text, token);
                let alone = if within { INSIDE_IDENTIFIER } else { weight_in_compound(token, &tokens) };
                let weight = if small { alone * GERMAN_SMALL_LETTER } else { alone };
                let is_part = tokens.iter().any(|w| parts_of(w, &tokens).any(|p| p == token));
                terms.push(QueryTerm { measured, ..QueryTerm::of(token, weight, &named, is_part) });
            }
        }
        if !terms.is_empty() || !identifiers.is_empty() {
            break;
        }
    }
    let only_identifiers = outside == 0 && !(identifiers.is_empty() && measures.is_empty());
    let phrases = phrases(text);
    Analysed { terms, phrases, identifiers, measures, language, only_identifiers, ..Analysed::default() }
}

/// The tokens that a joined token was made of; none for a simple word.
fn parts_of<'a>(whole: &'a Token, all: &'a [Token]) -> impl Iterator<Item = &'a Token> {
    all.iter().filter(move |t| {
        t.start >= whole.start && t.end <= whole.end && t.end - t.start < whole.end - whole.start
    })
}

fn weight_in_compound(token: &Token, all: &[Token]) -> f32 {
    if parts_of(token, all).next().is_some() {
        return WHOLE_COMPOUND;
    }
    let whole = all.iter().find(|w| parts_of(w, all).any(|p| p == token));
    whole.map_or(1.0, |w| (ALL_PARTS / parts_of(w, all).count() as f32).min(WHOLE_COMPOUND))
}

fn starts_capital(text: &str, token: &Token) -> bool {
    text.get(token.start..).and_then(|s| s.chars().next()).is_some_and(char::is_uppercase)
}

fn starts_small(text: &str, token: &Token) -> bool {
    text.get(token.start..).and_then(|s| s.chars().next()).is_some_and(char::is_lowercase)
}

/// The quoted parts of two words and more; straight, typographic and French quotes.
fn phrases(text: &str) -> Vec<Vec<(usize, String)>> {
    let quote = |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '«' | '»');
    let parts: Vec<&str> = text.split(quote).collect();
    let closed = if parts.len() % 2 == 1 { parts.len() } else { parts.len() - 1 };
    parts
        .iter()
        .take(closed)
        .skip(1)
        .step_by(2)
        .map(|p| tokenize(p).into_iter().map(|t| (t.position, t.plain)).collect::<Vec<_>>())
        .filter(|p| !p.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        analyse(text).terms.into_iter().map(|t| t.plain).collect()
    }

    #[test]
    fn function_words_go() {
        assert_eq!(terms("Welcher U-Wert gilt für die Aussenwand?"), ["uwert", "wert", "aussenwand"]);
        assert_eq!(terms("Quelle est l'épaisseur de l'isolation ?"), ["epaisseur", "isolation"]);
    }

    #[test]
    fn subjects_weigh_more_than_the_askers_verbs() {
        let weight =
            |q: &str, word: &str| analyse(q).terms.iter().find(|t| t.plain == word).map(|t| t.weight);
        assert_eq!(weight("Was kommt im Raum auf den Boden?", "boden"), Some(1.0));
        assert_eq!(weight("Was kommt im Raum auf den Boden?", "kommt"), Some(0.5));
        assert_eq!(weight("boden raum belag", "boden"), Some(1.0));
        let parts: f32 = analyse("Blower-Door-Test").terms.iter().map(|t| t.weight).sum();
        assert!((parts - 1.5).abs() < 1e-6, "one subject: {parts}");
    }

    #[test]
    fn nothing_but_function_words_stays() {
        assert_eq!(terms("die und der"), ["die", "und", "der"]);
    }

    #[test]
    fn identifiers_alone_are_noticed() {
        assert!(analyse("RFI-0042").only_identifiers);
        assert!(analyse("T-1.03").only_identifiers);
        assert!(analyse("200 mm").only_identifiers);
        assert!(analyse("3. April 2026").only_identifiers);
        assert!(!analyse("200 mm Dämmung").only_identifiers);
        assert!(!analyse("Türe T-1.03 Farbe").only_identifiers);
        assert!(!analyse("Aussenwand").only_identifiers);
    }

    #[test]
    fn phrases_are_what_stands_between_quotes() {
        let phrases = analyse("«Wand gegen Erdreich» und \"offen").phrases;
        let words: Vec<&str> = phrases[0].iter().map(|(_, w)| w.as_str()).collect();
        assert_eq!(words, ["wand", "gegen", "erdreich"]);
        assert_eq!(phrases.len(), 1);
    }

    #[test]
    fn a_term_matches_its_inflections() {
        let query = analyse("Aussenwände");
        let token = tokenize("Aussenwand").remove(0);
        assert!(query.terms[0].matches(&token, Some(Language::De)));
        assert!(!query.terms[0].matches(&tokenize("Innenwand")[0], None));
    }
}
