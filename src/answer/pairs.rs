//! The verifier measured: answers with known faults beside right ones.

use serde::{Deserialize, Serialize};

use super::check::without_opening;
use super::error::AnswerError;
use super::stream::Assembler;
use super::verify::Evidence;

/// An answer with its sources, and whether it is wrong.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Pair {
    /// Language code.
    pub language: String,
    /// The passages, numbered from 1 in their order.
    pub sources: Vec<String>,
    /// Sentences with their citations: `The wall is 0.4 m thick [2].`
    pub answer: String,
    /// Whether it says something that the passages it cites do not.
    pub wrong: bool,
    /// What sort of fault was planted, or how the right answer was written.
    pub kind: String,
    /// `a` or `b`: rules are adjusted on a alone. Empty where nobody adjusts anything on it.
    #[serde(default)]
    pub half: String,
}

/// What the verifier makes of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Finding {
    /// Every sentence is borne out by a passage that it cites.
    Holds,
    /// Every sentence is borne out, some by other passages than those cited: these are cited instead.
    Recited,
    /// At least one sentence is borne out by no passage.
    Withheld,
}

/// A longer beginning is no title.
const MAX_TITLE: usize = 90;

/// Reads a file of pairs: JSON Lines.
///
/// # Errors
/// A line is no pair; its number is named.
pub fn parse(text: &str) -> Result<Vec<Pair>, AnswerError> {
    let lines = (1..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty());
    let pair = |(line, text): (usize, &str)| {
        serde_json::from_str(text).map_err(|e| AnswerError::QuestionFile { line, message: e.to_string() })
    };
    lines.map(pair).collect()
}

impl Pair {
    /// Runs the verifier over the answer, sentence by sentence.
    pub fn verify(&self) -> Finding {
        let evidence: Vec<Evidence> = self.sources.iter().map(|s| titled(s)).collect();
        let mut assembler = Assembler::default();
        let mut sentences = assembler.push(&self.answer);
        sentences.extend(assembler.finish());
        let mut finding = if sentences.is_empty() { Finding::Withheld } else { Finding::Holds };
        for sentence in sentences {
            let text = without_opening(&sentence.text);
            let holds = |n: usize| evidence.get(n).is_some_and(|e| e.support(text).holds());
            let cited = sentence.cites.iter().any(|n| n.checked_sub(1).is_some_and(|at| holds(at as usize)));
            // A sentence without a citation of its own gets the passage that bears it out.
            if cited || sentence.cites.is_empty() && (0..evidence.len()).any(holds) {
                continue;
            }
            if !(0..evidence.len()).any(holds) {
                return Finding::Withheld;
            }
            finding = Finding::Recited;
        }
        finding
    }
}

/// A source as a passage; what stands before a colon at its beginning is the title of its document, which passages of
/// the index have apart.
fn titled(source: &str) -> Evidence {
    match source.split_once(": ") {
        Some((title, text)) if title.chars().count() <= MAX_TITLE && !title.contains(". ") => {
            Evidence::of(text, title, None)
        }
        _ => Evidence::of(source, "", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(answer: &str) -> Pair {
        Pair {
            language: "de".into(),
            sources: vec![
                "Die Decke ist 240 mm dick. Sie ist nicht gedämmt.".into(),
                "Das Dach ist begrünt.".into(),
            ],
            answer: answer.into(),
            wrong: false,
            kind: String::new(),
            half: String::new(),
        }
    }

    #[test]
    fn answers_are_held_against_what_they_cite() {
        assert_eq!(pair("Die Decke ist 24 cm dick [1].").verify(), Finding::Holds);
        assert_eq!(pair("Die Decke ist 240 mm dick [2].").verify(), Finding::Recited);
        for wrong in [
            "Die Decke ist 250 mm dick [1].",
            "Die Decke ist 240 cm dick [1].",
            "Das Dach ist begrünt [2]. Das Dach ist nicht begrünt [2].",
        ] {
            assert_eq!(pair(wrong).verify(), Finding::Withheld, "{wrong}");
        }
    }

    /// 100 pairs by somebody who had not read the verifier. It finds the faults, and withholds nearly all right answers too
    /// that are worded freely: at first 45 and 49 of 50.
    #[test]
    fn faults_in_free_wording_are_found() {
        let pairs = parse(include_str!("../../tests/testdata/pairs.jsonl")).unwrap();
        let count =
            |wrong: bool| pairs.iter().filter(|p| p.wrong == wrong && p.verify() != Finding::Holds).count();
        let (found, withheld) = (count(true), count(false));
        assert_eq!(pairs.len(), 100);
        assert!(found >= 45, "{found} of 50 wrong answers are found");
        assert!(withheld <= 49, "{withheld} of 50 right answers are withheld");
    }

    #[test]
    fn a_file_of_pairs_names_the_line_that_is_none() {
        let good = r#"{"language":"de","sources":["a"],"answer":"b [1].","wrong":true,"kind":"digit"}"#;
        assert_eq!(parse(&format!("{good}\n\n{good}")).unwrap().len(), 2);
        assert!(parse(&format!("{good}\n{{}}")).unwrap_err().to_string().contains("line 2"));
    }
}
