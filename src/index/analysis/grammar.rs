//! What a reader may type beside words: filters (`typ:rfi status:offen projekt:"Neubau"`), wildcards (`dämm*`), words
//! that must not stand there (`-Turnhalle`). In four languages. What looks like one of these and cannot be followed
//! becomes a [`Note`], never silence.

use std::sync::LazyLock;

use ingest::{Kind, Language};
use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};

use super::fold;

/// Filters and wildcards of a query, at most.
const MAX_EACH: usize = 8;
/// Letters and digits that a wildcard has beside its stars.
const MIN_WILDCARD_CHARS: usize = 2;

/// Something in a query that was not done as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What is the matter.
    pub about: NoteKind,
    /// The part of the query.
    pub text: String,
}

/// What is the matter with a part of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// There is no filter of this name; it is searched for as words.
    UnknownFilter,
    /// The filter is known, its value is not; it was not applied.
    UnknownValue,
    /// No project of this name is visible, or several are; the filter was not applied.
    UnknownProject,
    /// The wildcard has too few letters; it is searched for as a word.
    ShortWildcard,
    /// `AND`, `OR` and `NOT` mean nothing special.
    Operator,
    /// A quotation mark without a second one; no phrase is searched for.
    OpenQuote,
}

/// What limits a search, as it was written and as it is understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filters {
    pub kind: Option<Kind>,
    /// The project's name as it was written.
    pub project: Option<String>,
    /// State of a record: `open`, `answered`, `closed` or `void`.
    pub state: Option<&'static str>,
    pub language: Option<Language>,
}

/// A query taken apart as far as its grammar goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parsed {
    /// The words, for analysis and for the embedding model.
    pub text: String,
    pub filters: Filters,
    /// Words with `*` or `?`, in plain writing.
    pub wildcards: Vec<String>,
    /// Words that a passage must not have.
    pub excluded: Vec<String>,
    /// Words that the title or a heading must have.
    pub headings: Vec<String>,
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Kind,
    Project,
    State,
    Language,
    Heading,
}

/// Names of the filters in plain writing.
const FIELDS: &[(&str, Field)] = &[
    ("typ type tipo art kind genre sorte quelle", Field::Kind),
    ("projekt projet progetto project", Field::Project),
    ("status statut stato state zustand etat", Field::State),
    ("sprache langue lingua language lang", Field::Language),
    ("titel titre titolo title kapitel chapitre capitolo heading", Field::Heading),
];

/// Kinds of source in plain writing.
const KINDS: &[(&str, Kind)] = &[
    ("pdf plan plane piano plans", Kind::Pdf),
    ("bild bilder scan foto image images photo immagine immagini", Kind::Image),
    ("ifc modell modelle model models modele modeles modello modelli bim", Kind::Ifc),
    ("rfi rfis bcf anfrage anfragen question domanda", Kind::Rfi),
    ("sheet tabelle tabellen tableau tableaux tabella tabelle table tables excel xlsx csv", Kind::Sheet),
    ("mail mails email emails e-mail courriel courriels", Kind::Mail),
    ("text texte texts testo testi word docx", Kind::Text),
];

/// States of a record in plain writing.
const STATES: &[(&str, &str)] = &[
    ("offen offene open ouvert ouverte ouverts aperto aperta aperti pendent hangig pending", "open"),
    ("beantwortet answered repondu repondue risposto risposta", "answered"),
    ("geschlossen erledigt abgeschlossen closed done ferme fermee clos close chiuso chiusa evaso", "closed"),
    ("storniert ungultig void cancelled annule annulee annullato annullata", "void"),
];

/// Languages in plain writing.
const LANGUAGES: &[(&str, Language)] = &[
    ("de deutsch german allemand tedesco", Language::De),
    ("fr franzosisch french francais francese", Language::Fr),
    ("it italienisch italian italien italiano", Language::It),
    ("en englisch english anglais inglese", Language::En),
];

fn named<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(names, _)| names.split(' ').any(|n| n == word)).map(|(_, value)| *value)
}

#[allow(clippy::expect_used)] // constants, built by a test
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("constant pattern")
}

/// `name:value` and `name:"several words"`, at a start of a word; the value begins directly behind the colon.
static FILTER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(^|[\s(])(\p{L}{2,12}):(?:["«„“]([^"»“”]+)["»“”]|([^\s"«»/)][^\s)]*))"#));
/// A word with a star, or with a question mark inside.
static WILDCARD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(^|\s)([\p{L}\p{N}._\-]*(?:\*|[\p{L}\p{N}]\?[\p{L}\p{N}])[\p{L}\p{N}._\-*?]*)")
});
/// A word behind a minus sign, which is no hyphen and no negative number.
static EXCLUDED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(^|\s)-(\p{L}[\p{L}\p{N}\-]*)"));
/// Operators of other programs.
static OPERATOR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|\s)(AND|OR|NOT|UND|ODER|NICHT|ET|OU|OPPURE)(?:\s)"));

/// Takes a query apart.
pub(crate) fn parse(query: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let text = FILTER.replace_all(query, |c: &Captures<'_>| parsed.filter(c));
    let text = parsed.outside_quotes(&text);
    parsed.text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    parsed
}

impl Parsed {
    /// True where there is nothing to search for, only what to limit the list to.
    pub(crate) fn only_filters(&self) -> bool {
        self.text.is_empty() && self.wildcards.is_empty() && self.headings.is_empty()
    }

    fn note(&mut self, about: NoteKind, text: &str) {
        if self.notes.len() < MAX_EACH {
            self.notes.push(Note { about, text: text.trim().to_owned() });
        }
    }

    /// Takes up one filter; gives what stays of it among the words.
    fn filter(&mut self, c: &Captures<'_>) -> String {
        let group = |n: usize| c.get(n).map_or("", |m| m.as_str());
        let (before, name) = (group(1), group(2));
        let value = if group(3).is_empty() { group(4) } else { group(3) };
        let written = group(0).trim();
        let (plain, filters) = (fold(value), &mut self.filters);
        let done = match named(FIELDS, &fold(name)) {
            None => {
                self.note(NoteKind::UnknownFilter, written);
                return format!("{before}{name} {value}");
            }
            Some(Field::Project) => {
                filters.project = Some(value.to_owned());
                true
            }
            Some(Field::Heading) => {
                self.headings.extend(value.split_whitespace().take(MAX_EACH).map(str::to_owned));
                true
            }
            Some(Field::Kind) => set(&mut filters.kind, Kind::parse(&plain).or_else(|| named(KINDS, &plain))),
            Some(Field::State) => set(&mut filters.state, named(STATES, &plain)),
            Some(Field::Language) => set(&mut filters.language, named(LANGUAGES, &plain)),
        };
        if !done {
            self.note(NoteKind::UnknownValue, written);
        }
        before.to_owned()
    }

    /// Wildcards, exclusions and operators, which mean nothing inside quotation marks.
    fn outside_quotes(&mut self, text: &str) -> String {
        let quote = |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '«' | '»');
        let parts: Vec<&str> = text.split_inclusive(quote).collect();
        let open = text.chars().filter(|c| quote(*c)).count() % 2 == 1;
        if open && let Some(last) = text.rfind(quote) {
            self.note(NoteKind::OpenQuote, &text[last..]);
        }
        let mut out = String::new();
        for (i, part) in parts.iter().enumerate() {
            out.push_str(&if i % 2 == 0 || open { self.words(part) } else { (*part).to_owned() });
        }
        out
    }

    fn words(&mut self, part: &str) -> String {
        if let Some(c) = OPERATOR.captures(part) {
            self.note(NoteKind::Operator, c.get(1).map_or("", |m| m.as_str()));
        }
        let part = EXCLUDED.replace_all(part, |c: &Captures<'_>| {
            if self.excluded.len() < MAX_EACH {
                self.excluded.push(c[2].to_owned());
            }
            c[1].to_owned()
        });
        WILDCARD
            .replace_all(&part, |c: &Captures<'_>| {
                let (before, word) = (&c[1], &c[2]);
                let letters = word.chars().filter(|c| c.is_alphanumeric()).count();
                if letters < MIN_WILDCARD_CHARS || self.wildcards.len() == MAX_EACH {
                    self.note(NoteKind::ShortWildcard, word);
                    return format!("{before}{}", word.replace(['*', '?'], " "));
                }
                self.wildcards.push(word.to_owned());
                before.to_owned()
            })
            .into_owned()
    }
}

fn set<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let known = value.is_some();
    if known {
        *place = value;
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_in_four_languages() {
        for query in [
            "typ:rfi status:offen projekt:rosenmatt Türe",
            "type:rfi statut:ouvert projet:rosenmatt Türe",
            "tipo:rfi stato:aperto progetto:rosenmatt Türe",
            "kind:rfi status:open project:rosenmatt Türe",
        ] {
            let p = parse(query);
            assert_eq!(p.filters.kind, Some(Kind::Rfi), "{query}");
            assert_eq!(p.filters.state, Some("open"), "{query}");
            assert_eq!(p.filters.project.as_deref(), Some("rosenmatt"), "{query}");
            assert_eq!((p.text.as_str(), p.notes.len()), ("Türe", 0), "{query}");
        }
        let p = parse("projekt:\"Neubau Lagerhalle\" sprache:französisch titel:Bericht");
        assert_eq!(p.filters.project.as_deref(), Some("Neubau Lagerhalle"));
        assert_eq!(p.filters.language, Some(Language::Fr));
        assert_eq!(p.headings, ["Bericht"]);
        assert!(!p.only_filters() && parse("typ:rfi").only_filters());
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let notes = |q: &str| parse(q).notes.into_iter().map(|n| (n.about, n.text)).collect::<Vec<_>>();
        assert_eq!(notes("farbe:rot Türe"), [(NoteKind::UnknownFilter, "farbe:rot".to_owned())]);
        assert_eq!(parse("farbe:rot Türe").text, "farbe rot Türe");
        assert_eq!(notes("status:gelb"), [(NoteKind::UnknownValue, "status:gelb".to_owned())]);
        assert_eq!(notes("a* Wand"), [(NoteKind::ShortWildcard, "a*".to_owned())]);
        assert_eq!(notes("Wand OR Dach"), [(NoteKind::Operator, "OR".to_owned())]);
        assert_eq!(notes("die \"Wand"), [(NoteKind::OpenQuote, "\"Wand".to_owned())]);
    }

    #[test]
    fn prose_is_no_grammar() {
        for query in [
            "Achtung: Welche Türe?",
            "SIA 380/1:2016",
            "https://beispiel.invalid/x",
            "um 10:30 Uhr",
            "Was kostet das?",
            "T-1.03 - Farbe",
            "U-Wert -5 °C",
            "«Wand gegen Erdreich»",
        ] {
            let p = parse(query);
            assert_eq!((p.text.as_str(), p.notes), (query, vec![]), "{query}");
            assert_eq!(
                (p.wildcards.len(), p.excluded.len(), p.filters),
                (0, 0, Filters::default()),
                "{query}"
            );
        }
    }

    #[test]
    fn wildcards_and_exclusions() {
        let p = parse("dämm* fen?ter T-1.* -Turnhalle \"ganz * so -hier\"");
        assert_eq!(p.wildcards, ["dämm*", "fen?ter", "T-1.*"]);
        assert_eq!(p.excluded, ["Turnhalle"]);
        assert_eq!(p.text, "\"ganz * so -hier\"");
    }

    proptest::proptest! {
        #[test]
        fn anything_may_be_typed(query in "\\PC{0,200}") {
            parse(&query);
        }
    }
}
