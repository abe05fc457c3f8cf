//! Which languages a page is read in. Tesseract takes three times as long in four languages as in one, and
//! writes `Warmeleitfahigkeit` where Italian is among them: so a page is read in one language first, and again
//! where its words turn out to be another's.

use serde::{Deserialize, Serialize};

use crate::chunk::language;
use crate::model::Language;

/// Telling words from which on a page's language is known.
const ENOUGH: u32 = 4;
/// Share of the telling words from which on a second language is one of the page's.
const SECOND: f32 = 0.25;

/// Languages that a page is to be read in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadIn {
    /// Every language that pages are read in.
    #[default]
    All,
    /// This one.
    One(Language),
    /// These two, the first being that of most words.
    Two(Language, Language),
}

impl ReadIn {
    /// The languages as Tesseract calls them, of those in `all` (as `deu+fra`); all where one is not among them.
    pub fn codes(self, all: &str) -> String {
        let wanted: Vec<Language> = match self {
            ReadIn::All => Vec::new(),
            ReadIn::One(language) => vec![language],
            ReadIn::Two(first, second) => vec![first, second],
        };
        let known = |language: &Language| all.split('+').any(|c| c == code(*language));
        if wanted.is_empty() || !wanted.iter().all(known) {
            return all.to_owned();
        }
        wanted.into_iter().map(code).collect::<Vec<_>>().join("+")
    }

    /// What a page is read in first: what those before it in the document were, or the first language of all.
    pub(super) fn first(before: Option<ReadIn>, all: &str) -> ReadIn {
        let named = |name: &str| Language::ALL.into_iter().find(|l| code(*l) == name);
        before.or_else(|| all.split('+').next().and_then(named).map(ReadIn::One)).unwrap_or_default()
    }

    /// What a text is in, where its words tell.
    pub(super) fn of(text: &str) -> Option<ReadIn> {
        let mut ranked: Vec<(u32, Language)> =
            language::telling(text).into_iter().zip(Language::ALL).collect();
        ranked.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let all: u32 = ranked.iter().map(|(count, _)| count).sum();
        match ranked.as_slice() {
            [(_, first), (count, second), ..] if all >= ENOUGH => {
                let mixed = *count >= 2 && *count as f32 >= SECOND * all as f32;
                Some(if mixed { ReadIn::Two(*first, *second) } else { ReadIn::One(*first) })
            }
            _ => None,
        }
    }
}

fn code(language: Language) -> &'static str {
    match language {
        Language::De => "deu",
        Language::Fr => "fra",
        Language::It => "ita",
        Language::En => "eng",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_tell_the_languages() {
        let german = "Die Aussenwand wird mit einer Dämmung ausgeführt und ist nicht tragend.";
        assert_eq!(ReadIn::of(german), Some(ReadIn::One(Language::De)));
        let french =
            "Le mur est isole avec de la laine dans les locaux et ne doit pas etre porteur, sur une dalle.";
        assert_eq!(ReadIn::of(french), Some(ReadIn::One(Language::Fr)), "also without its accents");
        let both = format!("{german} {french}");
        assert!(matches!(ReadIn::of(&both), Some(ReadIn::Two(..))));
        assert_eq!(ReadIn::of("AW-01 0.17 EI 60"), None);
    }

    #[test]
    fn languages_that_are_not_there_are_not_asked_for() {
        let of = |wish: ReadIn| wish.codes("deu+fra+spa");
        assert_eq!(of(ReadIn::One(Language::Fr)), "fra");
        assert_eq!(of(ReadIn::Two(Language::Fr, Language::De)), "fra+deu");
        assert_eq!(of(ReadIn::One(Language::It)), "deu+fra+spa");
        assert_eq!(ReadIn::first(None, "spa+deu"), ReadIn::All);
        assert_eq!(ReadIn::first(None, "deu+spa"), ReadIn::One(Language::De));
    }
}
