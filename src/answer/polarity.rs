//! Whether a sentence denies what its source states, or states what its source denies.
//!
//! A word of denial belongs to the words beside it. Where these stand in both texts, the denial must too.

use crate::index::{Token, is_stop_word};

/// Words of denial in plain writing.
const DENIALS: [&str; 36] = [
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "ohne", "weder",
    "nichts", "nirgends", "pas", "jamais", "aucun", "aucune", "sans", "ni", "nul", "nulle", "rien", "non",
    "nessun", "nessuna", "nessuno", "senza", "mai", "not", "no", "never", "without", "neither", "nor",
    "none", "cannot",
];
/// Words between a denial and the word that it denies, at most.
const REACH: usize = 4;

/// A text as content words and denials, in order; other small words are left out, marks of clauses stay.
struct Line<'a> {
    words: Vec<Word<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Word<'a> {
    Content(&'a Token),
    Denial,
    Mark,
}

impl<'a> Line<'a> {
    fn of(text: &str, tokens: &'a [Token]) -> Self {
        let mut words = Vec::new();
        let mut end = 0;
        for token in tokens.iter().filter(|t| !is_part(t, tokens)) {
            let gap = text.get(end..token.start).unwrap_or_default();
            if gap.contains([',', ';', ':', '.', '(', ')', '\n']) {
                words.push(Word::Mark);
            }
            let rest = text.get(token.end..).unwrap_or_default();
            let contracted = token.plain.ends_with('n') && (rest.starts_with("'t") || rest.starts_with("’t"));
            end = token.end;
            if DENIALS.contains(&token.plain.as_str()) || contracted {
                words.push(Word::Denial);
            } else if !ingest::Language::ALL.into_iter().any(|l| is_stop_word(&token.lower, l)) {
                words.push(Word::Content(token));
            }
        }
        Line { words }
    }

    /// The content words beside a place: up to two behind it and one before it, within its clause.
    fn beside(&self, at: usize) -> Vec<&'a Token> {
        let content = |w: &Word<'a>| if let Word::Content(t) = w { Some(*t) } else { None };
        let within = |w: &&Word<'a>| **w != Word::Mark;
        let behind = self.words.iter().skip(at + 1).take_while(within).filter_map(content).take(2);
        let before = self.words.iter().take(at).rev().take_while(within).filter_map(content).take(1);
        behind.chain(before).collect()
    }

    fn denials(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().filter(|(_, w)| **w == Word::Denial).map(|(i, _)| i)
    }

    fn places<'b>(&'b self, word: &'b Token) -> impl Iterator<Item = usize> + 'b {
        self.words
            .iter()
            .enumerate()
            .filter(|(_, w)| matches!(w, Word::Content(t) if alike(t, word)))
            .map(|(i, _)| i)
    }

    /// Whether a denial stands within reach of a place.
    fn denied(&self, at: usize) -> bool {
        self.denials().any(|d| d.abs_diff(at) <= REACH)
    }
}

/// Whether two words are forms of one: equal, or alike in all but their endings.
fn alike(a: &Token, b: &Token) -> bool {
    let same = a.plain.chars().zip(b.plain.chars()).take_while(|(x, y)| x == y).count();
    let longer = a.plain.chars().count().max(b.plain.chars().count());
    a.plain == b.plain || same >= 4 && longer - same <= 3
}

fn is_part(token: &Token, all: &[Token]) -> bool {
    all.iter()
        .any(|w| w.start <= token.start && token.end <= w.end && w.end - w.start > token.end - token.start)
}

/// Whether a claim and a sentence of its source agree on what is denied.
pub(super) fn agrees(claim: (&str, &[Token]), source: (&str, &[Token])) -> bool {
    let (claim, source) = (Line::of(claim.0, claim.1), Line::of(source.0, source.1));
    covered(&claim, &source) && covered(&source, &claim) && as_often(&claim, &source)
}

/// Share of the words of a part of the source that make the claim a copy of that part.
const COPIED: f32 = 0.85;

/// Whether a claim that copies a part of its source denies as often as that part.
fn as_often(claim: &Line<'_>, source: &Line<'_>) -> bool {
    let content = |w: &Word<'_>| matches!(w, Word::Content(_));
    let is_in = |w: &Word<'_>| matches!(w, Word::Content(t) if claim.places(t).next().is_some());
    let (Some(first), Some(last)) =
        (source.words.iter().position(is_in), source.words.iter().rposition(is_in))
    else {
        return true;
    };
    // A denial that ends the part belongs to it.
    let end = (last + 1..source.words.len())
        .take_while(|i| source.words.get(*i) == Some(&Word::Denial))
        .last()
        .unwrap_or(last);
    let part = source.words.get(first..=end).unwrap_or_default();
    let (all, shared) =
        (part.iter().filter(|w| content(w)).count(), part.iter().filter(|w| is_in(w)).count());
    let denials = |words: &[Word<'_>]| words.iter().filter(|w| **w == Word::Denial).count();
    let start = source
        .words
        .get(..first)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(|w| **w == Word::Denial)
        .count();
    (shared as f32) < COPIED * all as f32 || denials(&claim.words) == denials(part) + start
}

/// Whether each denial of one text is one of the other too, where the other has the words that it denies.
fn covered(one: &Line<'_>, other: &Line<'_>) -> bool {
    one.denials().all(|at| {
        let beside = one.beside(at);
        let found: Vec<Vec<usize>> =
            beside.iter().map(|w| other.places(w).collect()).filter(|p: &Vec<usize>| !p.is_empty()).collect();
        // The other text does not have the words at all: it says nothing of what is denied.
        let tells = found.len() >= 2.min(beside.len()) && !found.is_empty();
        !tells || found.iter().flatten().any(|p| other.denied(*p))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tokenize;

    fn agree(claim: &str, source: &str) -> bool {
        agrees((claim, &tokenize(claim)), (source, &tokenize(source)))
    }

    #[test]
    fn denials_must_stand_on_both_sides() {
        for (claim, source, same) in [
            ("Die Decke ist nicht gedämmt.", "Die Decke ist nicht gedämmt, die Wand schon.", true),
            ("Die Decke ist gedämmt.", "Die Decke ist nicht gedämmt.", false),
            ("Die Decke ist nicht gedämmt.", "Die Decke ist gedämmt.", false),
            ("La porte n'est pas coupe-feu.", "La porte est coupe-feu.", false),
            ("La porta non è tagliafuoco.", "La porta non è tagliafuoco.", true),
            ("The door must not be locked.", "The door must be locked.", false),
            ("The door isn't locked at night.", "The door is locked at night.", false),
            ("Die Wand ist gedämmt.", "Die Wand ist gedämmt; die Decke ist nicht geprüft.", true),
        ] {
            assert_eq!(agree(claim, source), same, "{claim} / {source}");
        }
    }
}
