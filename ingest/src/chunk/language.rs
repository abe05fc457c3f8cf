//! A cheap vote on a passage's language by its commonest words.

use crate::model::Language;

/// Words that belong to one of the four languages only, or nearly so.
const DE: &[&str] = &[
    "der", "die", "das", "und", "ist", "sind", "nicht", "mit", "für", "von", "den", "dem", "des", "ein",
    "eine", "einer", "eines", "einem", "einen", "auf", "werden", "wird", "wurde", "bei", "aus", "nach",
    "durch", "zur", "zum", "oder", "sich", "auch", "als", "wie", "über", "unter", "gemäss", "sowie", "bis",
    "im", "kann", "muss", "müssen", "keine", "zu", "vom", "beim", "dass", "welche", "welcher",
];
const FR: &[&str] = &[
    "le", "la", "de", "quel", "quelle", "les", "des", "et", "est", "sont", "pas", "avec", "pour", "du",
    "une", "dans", "par", "sur", "aux", "qui", "que", "ne", "ou", "cette", "ces", "être", "selon", "leur",
    "sous", "entre", "doit", "doivent", "sans", "au", "ce", "se", "été", "nous", "vous", "à", "même",
    "ainsi", "il", "elle", "mais",
];
const IT: &[&str] = &[
    "il", "la", "quale", "quali", "lo", "gli", "della", "dello", "delle", "degli", "dei", "del", "di", "è",
    "sono", "non", "con", "per", "una", "uno", "nel", "nella", "nelle", "dal", "dalla", "sul", "sulla",
    "che", "alla", "al", "ai", "anche", "come", "questo", "questa", "deve", "devono", "secondo", "tra", "ed",
    "essere", "più", "si", "sia", "ha",
];
const EN: &[&str] = &[
    "the", "and", "is", "are", "not", "with", "for", "of", "to", "on", "by", "from", "that", "this", "which",
    "be", "shall", "must", "as", "at", "or", "were", "has", "have", "its", "been", "than", "these", "their",
    "should", "would", "what", "how", "does", "each", "between", "within",
];

/// The language in which most of the telling words stand; `None` for short or mixed passages.
pub(crate) fn vote(text: &str) -> Option<Language> {
    let votes = count(text, false);
    let mut ranked: Vec<(u32, Language)> =
        votes.into_iter().zip([Language::De, Language::Fr, Language::It, Language::En]).collect();
    ranked.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    match ranked.as_slice() {
        [(first, language), (second, _), ..] if *first >= 3 && *first * 2 >= *second * 3 => Some(*language),
        _ => None,
    }
}

/// How many words of a text belong to one language alone, for each of [`Language::ALL`].
pub(crate) fn telling(text: &str) -> [u32; 4] {
    count(text, true)
}

fn count(text: &str, alone: bool) -> [u32; 4] {
    let mut votes = [0_u32; 4];
    for raw in text.split(|c: char| {
        c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | '(' | ')' | '"' | '«' | '»' | '|')
    }) {
        let word = raw.to_lowercase();
        // "l'isolation", "dell'edificio": the part before the apostrophe tells.
        let word = match word.split_once(['\'', '’']) {
            Some(("l" | "d" | "qu" | "n" | "s" | "j" | "c", _)) => {
                votes[1] += 1;
                continue;
            }
            Some(("dell" | "nell" | "all" | "dall" | "sull" | "un", _)) => {
                votes[2] += 1;
                continue;
            }
            _ => word,
        };
        let lists = [DE, FR, IT, EN].map(|list| u32::from(list.contains(&word.as_str())));
        if alone && lists.iter().sum::<u32>() != 1 {
            continue;
        }
        votes.iter_mut().zip(lists).for_each(|(slot, is_in)| *slot += is_in);
    }
    votes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_languages_and_none() {
        let cases = [
            (
                "Die Aussenwand wird mit einer Dämmung aus Steinwolle ausgeführt und ist nicht tragend.",
                Some(Language::De),
            ),
            (
                "Le mur extérieur est isolé avec de la laine de pierre et ne doit pas être porteur.",
                Some(Language::Fr),
            ),
            (
                "La parete esterna è isolata con lana di roccia e non deve essere portante secondo il progetto.",
                Some(Language::It),
            ),
            (
                "The external wall is insulated with stone wool and shall not be load-bearing.",
                Some(Language::En),
            ),
            ("AW-01 | 0.17 W/(m2K) | EI 60", None),
            ("Plan 3.2", None),
        ];
        for (text, expected) in cases {
            assert_eq!(vote(text), expected, "{text}");
        }
    }
}
