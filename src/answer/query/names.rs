//! Words of a question that only the documents can explain: types, rooms, materials, people, registers.

use crate::index::{QueryTerm, analyse, fold, tokenize};

/// A lighter word of a question is part of a phrase or code, which stands for the whole of it.
const INSIDE: f32 = 0.4;

/// The key of a code however it is written: `AW-01`, `aw 1` and `AW1` are one.
pub(super) fn key(code: &str) -> String {
    let mut out = String::new();
    let mut zeros = true;
    for c in code.chars().flat_map(char::to_lowercase) {
        if !c.is_alphanumeric() {
            // The point of a room number parts two numbers.
            if c == '.' {
                out.push('.');
            }
            zeros = true;
            continue;
        }
        let leading = zeros && c == '0';
        zeros = leading || !c.is_ascii_digit();
        if !leading {
            out.push(c);
        }
    }
    out.trim_matches('.').to_owned()
}

/// Whether a text has a code among its words, or is it.
pub(super) fn has_code(text: &str, wanted: &str) -> bool {
    key(text) == wanted || text.split([' ', ',', ';', ':', '(', ')']).any(|word| key(word) == wanted)
}

/// The words of a question that stand in a part of it: what they are called in other languages depends on the whole.
pub(super) fn terms(question: &str, part: &str) -> Vec<QueryTerm> {
    let here = tokenize(part);
    let mut terms = analyse(question).terms;
    terms.retain(|t| t.weight >= INSIDE && here.iter().any(|h| h.plain == t.plain));
    if terms.is_empty() { analyse(part).terms } else { terms }
}

/// The texts that say all of these words, in other forms or other words too.
pub(super) fn saying<'a>(texts: &'a [String], terms: &[QueryTerm]) -> Vec<&'a String> {
    let says = |text: &&String| {
        let tokens = tokenize(text);
        !terms.is_empty() && terms.iter().all(|t| t.stands_in(&tokens, None))
    };
    texts.iter().filter(says).collect()
}

/// The texts that have this word as it is, or begin a word with it.
pub(super) fn with_word<'a>(texts: &'a [String], word: &str) -> Vec<&'a String> {
    let word = fold(word);
    let has = |text: &&String| {
        text.split(|c: char| !c.is_alphanumeric())
            .map(fold)
            .any(|w| w == word || word.len() >= 5 && w.starts_with(&word))
    };
    texts.iter().filter(has).collect()
}

/// High 2, middle 1, low 0, in the words of four languages.
pub(super) fn priority(word: &str) -> Option<u8> {
    const WORDS: [&[&str]; 3] = [
        &[
            "niedrig",
            "niedrige",
            "niedriger",
            "niedrigen",
            "tief",
            "tiefe",
            "gering",
            "geringe",
            "basse",
            "bas",
            "faible",
            "bassa",
            "basso",
            "low",
        ],
        &[
            "mittel",
            "mittlere",
            "mittlerer",
            "mittleren",
            "normal",
            "normale",
            "moyenne",
            "moyen",
            "media",
            "medio",
            "medium",
        ],
        &[
            "hoch",
            "hohe",
            "hoher",
            "hohen",
            "haute",
            "haut",
            "elevee",
            "eleve",
            "alta",
            "alto",
            "elevata",
            "high",
            "urgent",
            "urgente",
            "dringend",
            "dringende",
            "kritisch",
            "critical",
            "critique",
            "critica",
        ],
    ];
    let folded = fold(word);
    let first = folded.split(|c: char| !c.is_alphanumeric()).find(|w| !w.is_empty())?;
    WORDS.iter().position(|words| words.iter().any(|w| fold(w) == first)).and_then(|at| u8::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_one_however_they_are_written() {
        for (a, b) in [("AW-01", "aw 1"), ("T-1.03", "T 1.03"), ("RFI-0042", "rfi 42"), ("K-03", "K3")] {
            assert_eq!(key(a), key(b));
        }
        assert_ne!(key("1.03"), key("103"));
        assert_ne!(key("FE-01"), key("FE-10"));
        assert!(has_code("FE-01 Kellerfenster", "fe1") && !has_code("FE-011 Fenster", "fe1"));
    }

    #[test]
    fn words_are_found_in_other_forms() {
        let texts = ["TY-03 Stahltür Technikraum", "Klassenzimmer 1a", "Lager"].map(str::to_owned).to_vec();
        let found = |question: &str, part: &str| saying(&texts, &terms(question, part)).len();
        assert_eq!(found("Wie viele Klassenzimmer gibt es?", "Klassenzimmer"), 1);
        assert_eq!(found("How many classrooms are there?", "classrooms"), 1, "in another language");
        assert_eq!(found("Wie viele Schwimmbäder gibt es?", "Schwimmbäder"), 0);
        assert_eq!(priority("élevée"), priority("hoch"));
    }
}
