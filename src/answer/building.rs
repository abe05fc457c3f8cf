//! Which building a question is about, and which one a text speaks of.
//!
//! A project of two buildings has two tables of everything. `Haus B` in a question, in a heading, in the head of a
//! column or in a row must mean the same, and so must what the building is called by its use (`Turnhalle`), which
//! the documents themselves say beside its letter.

use super::relevance::context;
use crate::index::{Found, Hit, QueryTerm, Token, ident, tokenize};

/// Words that call a building by its use, in plain writing.
const USES: [&str; 30] = [
    "schule",
    "schulhaus",
    "schulgebaude",
    "turnhalle",
    "sporthalle",
    "mehrzweckhalle",
    "kindergarten",
    "wohnhaus",
    "burohaus",
    "burogebaude",
    "verwaltungsgebaude",
    "werkhof",
    "spital",
    "pflegeheim",
    "hotel",
    "ecole",
    "gymnase",
    "gymnastique",
    "creche",
    "hopital",
    "mairie",
    "scuola",
    "asilo",
    "palestra",
    "ospedale",
    "municipio",
    "school",
    "gymnasium",
    "hospital",
    "warehouse",
];
/// Words that join a further noun to the one before: `salle de gymnastique`.
const JOINING: [&str; 9] = ["de", "des", "du", "d", "di", "del", "della", "dei", "of"];
/// Share of the places that must agree on which building a use means.
const AGREE: f32 = 0.8;

/// The buildings that a question is about; none where it names none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Buildings {
    /// Keys of their identifiers, see [`ident`].
    keys: Vec<String>,
    /// The word of the question that calls the building by its use.
    pub alias: Option<String>,
}

/// What a text says of buildings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// One that is asked about.
    This,
    /// Only others.
    Another,
    /// None.
    Nothing,
}

impl Buildings {
    /// Read off the question; a use (`Turnhalle`) is looked up in what was found.
    pub(super) fn of(question: &str, found: &Found) -> Self {
        let keys = keys(question);
        if !keys.is_empty() {
            return Buildings { keys, alias: None };
        }
        let uses = found.analysed.terms.iter().filter(|t| is_use(t));
        uses.filter_map(|t| Some(Buildings { keys: vec![meant(t, found)?], alias: Some(t.plain.clone()) }))
            .next()
            .unwrap_or_default()
    }

    /// What a text says of the buildings asked about.
    pub(super) fn said(&self, text: &str) -> Says {
        if self.keys.is_empty() {
            return Says::Nothing;
        }
        let here = keys(text);
        match here.iter().any(|k| self.keys.contains(k)) {
            true => Says::This,
            false if here.is_empty() => Says::Nothing,
            false => Says::Another,
        }
    }

    /// What a sentence says: by itself, else by the nearest thing above it that names a building: the lines that its
    /// passage begins with, its headings from the innermost outwards, its title.
    pub(super) fn said_in(&self, sentence: &str, hit: &Hit) -> Says {
        let first: Vec<&str> = hit.chunk.text.lines().take(2).collect();
        let own = std::iter::once(sentence.to_owned()).chain(std::iter::once(first.join("\n")));
        let headings =
            hit.chunk.section.iter().rev().cloned().chain(std::iter::once(hit.chunk.title.clone()));
        own.chain(headings).map(|t| self.said(&t)).find(|s| *s != Says::Nothing).unwrap_or(Says::Nothing)
    }
}

/// Keys of the buildings that a text names.
fn keys(text: &str) -> Vec<String> {
    let named = ident::identifiers(text).into_iter().flat_map(|i| i.keys);
    named.filter(|k| k.starts_with("building:")).collect()
}

fn is_use(term: &QueryTerm) -> bool {
    let single = term.others.iter().filter_map(|f| f.words.first().filter(|_| f.words.len() == 1));
    USES.contains(&term.plain.as_str()) || single.into_iter().any(|(plain, _)| USES.contains(&plain.as_str()))
}

/// The building that the passages call so: `Haus B, Turnhalle`, `edificio B (palestra)`, `école (bâtiment A)`.
fn meant(term: &QueryTerm, found: &Found) -> Option<String> {
    let mut votes: Vec<(String, usize)> = Vec::new();
    for hit in &found.hits {
        for text in [context(hit), hit.chunk.text.clone()] {
            for key in called(&text, term, found) {
                match votes.iter_mut().find(|(k, _)| *k == key) {
                    Some((_, n)) => *n += 1,
                    None => votes.push((key, 1)),
                }
            }
        }
    }
    let all: usize = votes.iter().map(|(_, n)| n).sum();
    let (key, most) = votes.into_iter().max_by_key(|(_, n)| *n)?;
    (most as f32 >= AGREE * all as f32).then_some(key)
}

fn called(text: &str, term: &QueryTerm, found: &Found) -> Vec<String> {
    let named =
        ident::identifiers(text).into_iter().filter(|i| i.keys.iter().any(|k| k.starts_with("building:")));
    let named: Vec<_> = named.collect();
    if named.is_empty() {
        return Vec::new();
    }
    let tokens = tokenize(text);
    let joins = |gap: Option<&str>| {
        gap.is_some_and(|g| {
            g.chars().count() <= 3 && g.chars().all(|c| matches!(c, ' ' | ',' | '(' | ')' | '–' | '-'))
        })
    };
    let is_it = |t: &Token| term.matches(t, None);
    let mut keys = Vec::new();
    for building in named {
        let behind = tokens.iter().position(|t| t.start >= building.end);
        let behind = behind.filter(|i| {
            let Some(next) = tokens.get(*i) else { return false };
            joins(text.get(building.end..next.start)) && is_it(next) && whole(tokens.get(i + 1..), found)
        });
        let before = tokens.iter().rev().find(|t| t.end <= building.start);
        let before = before.filter(|t| joins(text.get(t.end..building.start)) && is_it(t));
        if behind.is_some() || before.is_some() {
            keys.extend(building.keys.first().cloned());
        }
    }
    keys
}

/// Whether a noun stands alone or with the further noun that the question has too: who asks for the `salle des
/// maîtres` does not mean the `salle de gymnastique`.
fn whole(rest: Option<&[Token]>, found: &Found) -> bool {
    let rest = rest.unwrap_or_default();
    let Some(next) = rest.first().filter(|t| JOINING.contains(&t.plain.as_str())) else { return true };
    let noun = rest.iter().find(|t| t.start >= next.end && !JOINING.contains(&t.plain.as_str()));
    noun.is_none_or(|noun| found.analysed.terms.iter().any(|t| t.matches(noun, None)))
}

/// Whether a sentence speaks of another building than the question, by their letters alone.
pub(super) fn is_another(question: &str, sentence: &str) -> bool {
    let asked = Buildings { keys: keys(question), alias: None };
    asked.said(sentence) == Says::Another
}

#[cfg(test)]
mod tests {
    use ingest::Language;

    use super::*;
    use crate::catalog::{ChunkId, ChunkRow, DocumentId, ProjectId};
    use crate::index::analyse;
    use crate::scope::AclId;

    fn hit(section: &[&str], text: &str) -> Hit {
        let chunk = ChunkRow {
            id: ChunkId(1),
            document: DocumentId(1),
            version: "v".into(),
            ordinal: 0,
            project: ProjectId(1),
            acl: AclId(1),
            project_name: "Rosenmatt".into(),
            kind: ingest::Kind::Pdf,
            title: "Energienachweis".into(),
            source: "server".into(),
            path: "a.pdf".into(),
            locator: ingest::Locator::Pdf { page: 1, boxes: vec![] },
            section: section.iter().map(|s| (*s).to_owned()).collect(),
            text: text.into(),
            language: Some(Language::De),
        };
        Hit {
            chunk,
            score: 1.0,
            lexical: None,
            vector: None,
            snippet: crate::index::Snippet::default(),
            folded: vec![],
        }
    }

    fn asked(question: &str, hits: Vec<Hit>) -> Buildings {
        let found = Found { hits, analysed: analyse(question), ..Found::default() };
        Buildings::of(question, &found)
    }

    #[test]
    fn the_nearest_name_decides() {
        let asked = asked("Welcher U-Wert gilt für die Aussenwand Haus B?", vec![]);
        let of_a = hit(&["3 Bauteile", "3.1 Haus A, Schulhaus"], "AW-01; U-Wert: 0.15");
        assert_eq!(asked.said_in("AW-01; U-Wert: 0.15", &of_a), Says::Another);
        assert_eq!(asked.said_in("Wie Haus B: 0.17", &of_a), Says::This);
        let both = hit(&[], "Grösse | Haus A | Haus B\nQH; Haus A: 22.1; Haus B: 32.5");
        assert_eq!(asked.said_in("QH; Haus A: 22.1; Haus B: 32.5", &both), Says::This);
        assert_eq!(asked.said_in("Der Bedarf ist klein.", &hit(&["1 Übersicht"], "")), Says::Nothing);
    }

    #[test]
    fn a_use_means_the_building_that_the_documents_call_so() {
        let hits =
            || vec![hit(&["8.2 Haus B, Turnhalle"], "Verluste"), hit(&["8.1 Haus A, Schulhaus"], "Verluste")];
        let hall = asked("Wie hoch ist der Heizwärmebedarf der Turnhalle?", hits());
        assert_eq!((hall.keys, hall.alias.as_deref()), (vec!["building:b".to_owned()], Some("turnhalle")));
        let gym = asked("Qual è la superficie della palestra?", hits());
        assert_eq!(gym.keys, ["building:b"], "in another language too");
        let french = || vec![hit(&["3 Bâtiment B, salle de gymnastique"], "débit")];
        assert_eq!(asked("Quelle est la surface de la salle des maîtres ?", french()), Buildings::default());
        assert_eq!(
            asked("Wie dick ist die Aussenwand?", vec![hit(&[], "Aussenwand, Haus B")]),
            Buildings::default()
        );
    }

    #[test]
    fn letters_tell_buildings_apart() {
        assert!(is_another("When is building A handed over?", "Building B is handed over on 5 July."));
        assert!(!is_another("When is building A handed over?", "The handover is on 28 June 2027."));
    }
}
