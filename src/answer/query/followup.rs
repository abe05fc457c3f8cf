//! Follow-up questions, made into ones that stand alone: `Und im 1. OG?` behind `Wie viele Türen hat das 2. OG?`.

use ingest::Language;

use super::lexicon::Mark;
use super::words::{Item, What, read};
use crate::index::fold;

/// Words that begin a follow-up, in plain writing; longer ones first where one begins another.
const OPENINGS: [&str; 22] = [
    "und wie ist es mit",
    "und was ist mit",
    "was ist mit",
    "und wie viele davon",
    "und",
    "sowie",
    "et qu'en est-il de",
    "et pour",
    "et pour ce qui est de",
    "et",
    "e per quanto riguarda",
    "e per",
    "e invece",
    "ed",
    "e",
    "what about",
    "how about",
    "and what about",
    "and how about",
    "and",
    "und fur",
    "und bei",
];
/// A longer question is one of its own.
const MAX_WORDS: usize = 9;

/// The question that a follow-up means, by the one before it; `None` where it stands alone.
pub(in crate::answer) fn standing(
    question: &str,
    before: &str,
    language: Option<Language>,
) -> Option<String> {
    let rest = opened(question)?;
    if before.trim().is_empty() || rest.split_whitespace().count() > MAX_WORDS {
        return None;
    }
    let (old, new) = (read(before, language), read(rest, language));
    let mut standing = before.trim().to_owned();
    let mut replaced = false;
    for item in new.iter().filter(|i| sort(i).is_some()) {
        // What was said last is what a follow-up turns to.
        let other = old.iter().rev().find(|o| sort(o) == sort(item));
        let place = other.and_then(|o| standing.rfind(o.text.as_str()).map(|at| (at, o.text.len())));
        match place {
            Some((at, length)) => standing.replace_range(at..at + length, &item.text),
            None => standing = added(&standing, &led(rest, &item.text)),
        }
        replaced = true;
    }
    let standing = if replaced { standing } else { added(&standing, rest) };
    (standing != before.trim()).then_some(standing)
}

/// What follows the opening of a follow-up; `None` where a question has none.
fn opened(question: &str) -> Option<&str> {
    let question = question.trim().trim_end_matches(['?', '.', '!']).trim_end();
    let mut openings = OPENINGS.to_vec();
    openings.sort_by_key(|o| std::cmp::Reverse(o.len()));
    let words: Vec<(usize, &str)> =
        question.split_whitespace().map(|w| (w.as_ptr() as usize - question.as_ptr() as usize, w)).collect();
    openings.into_iter().find_map(|opening| {
        let n = opening.split(' ').count();
        let head: Vec<String> = words.get(..n)?.iter().map(|(_, w)| fold(w)).collect();
        let (at, _) = words.get(n)?;
        (head.join(" ") == fold(opening)).then(|| question.get(*at..)).flatten()
    })
}

/// What can take the place of another: storeys of storeys, things of things.
fn sort(item: &Item) -> Option<u8> {
    Some(match &item.what {
        What::Level(_) => 0,
        What::Building(_) => 1,
        What::Fire(..) => 2,
        What::Number(..) => 3,
        What::Day(_) | What::Year(_) => 4,
        What::Code => 5,
        What::Word => 6,
        What::Known(all) => {
            let has = |wanted: fn(&Mark) -> bool| all.iter().flatten().any(wanted);
            if has(|m| matches!(m, Mark::Thing(_))) {
                6
            } else if has(|m| matches!(m, Mark::State(_) | Mark::Answered(_) | Mark::Overdue)) {
                7
            } else if has(|m| matches!(m, Mark::Month(_) | Mark::Span(_))) {
                8
            } else if has(|m| matches!(m, Mark::Attr(_))) {
                9
            } else {
                return None;
            }
        }
        What::Sign(_) => return None,
    })
}

/// A piece with the small words before it: `im 1. OG`.
fn led(rest: &str, piece: &str) -> String {
    let before = rest.split(piece).next().unwrap_or_default().split_whitespace().last().unwrap_or_default();
    format!("{before} {piece}").trim().to_owned()
}

fn added(question: &str, piece: &str) -> String {
    let mark = if question.ends_with('?') { "?" } else { "" };
    format!("{} {piece}{mark}", question.trim_end_matches(['?', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follow_ups_take_the_place_of_what_they_turn_to() {
        for (language, before, question, expected) in [
            (
                Language::De,
                "Wie viele Türen hat das 2. OG?",
                "Und im 1. OG?",
                "Wie viele Türen hat das 1. OG?",
            ),
            (
                Language::De,
                "Wie viele Türen hat das 2. OG?",
                "Und Fenster?",
                "Wie viele Fenster hat das 2. OG?",
            ),
            (
                Language::De,
                "Wie viele RFIs sind offen?",
                "und geschlossen?",
                "Wie viele RFIs sind geschlossen?",
            ),
            (Language::De, "Welchen U-Wert hat AW-01?", "Und AW-02?", "Welchen U-Wert hat AW-02?"),
            (
                Language::De,
                "Liste alle Türen im 2. OG",
                "Und was ist mit EI30?",
                "Liste alle Türen im 2. OG EI30",
            ),
            (
                Language::Fr,
                "Combien de portes y a-t-il au 2e étage ?",
                "Et au 1er étage ?",
                "Combien de portes y a-t-il au 1er étage ?",
            ),
            (
                Language::It,
                "Quante porte ha l'edificio A?",
                "E l'edificio B?",
                "Quante porte ha l'edificio B?",
            ),
            (
                Language::En,
                "How many doors are on the first floor?",
                "And on the second floor?",
                "How many doors are on the second floor?",
            ),
            (
                Language::En,
                "Which rooms are larger than 60 m2?",
                "What about 80 m2?",
                "Which rooms are larger than 80 m2?",
            ),
        ] {
            assert_eq!(standing(question, before, Some(language)).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn other_questions_stand_alone() {
        for question in ["Wie viele Fenster hat das 1. OG?", "Und", "", "Understorey?", "Europa?"] {
            assert_eq!(
                standing(question, "Wie viele Türen hat das 2. OG?", Some(Language::De)),
                None,
                "{question}"
            );
        }
        assert_eq!(standing("Und im 1. OG?", "", Some(Language::De)), None, "nothing was asked before");
    }
}
