//! How far the programs agree on one half of the files.

use std::collections::BTreeMap;

use ingest::counted;
use serde::Serialize;

use super::ingest::Measured;
use super::report::Program;
use super::score::{order_similarity, token_f1, tokens};
use crate::cli::Output;

/// Words that a reference must have for a document to count: shorter ones swing by a whole word.
const MIN_TOKENS: usize = 15;

/// Agreement with a reference, in per cent: means over documents.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Scores {
    documents: usize,
    token_f1: f64,
    order: f64,
    /// Documents with a token F1 of at least 90.
    at_least_90: f64,
}

/// Agreement on one half of the files.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Half {
    files: usize,
    /// Pages without usable glyphs; they are left out of the scores.
    pages_for_text_recognition: usize,
    /// Of these, pages on which pdfium has words.
    of_them_with_words_in_pdfium: usize,
    /// By reference, then by program.
    against: BTreeMap<Program, BTreeMap<Program, Scores>>,
    /// Against the expected texts beside the files, the document taken as one page.
    against_expected: BTreeMap<Program, Scores>,
}

/// A document of the tuning half that agrees badly.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Bad {
    pub(super) name: String,
    pub(super) against: Program,
    pub(super) token_f1: f64,
    pub(super) order: f64,
}

impl Half {
    /// A table for people.
    pub(super) fn show(&self, title: &str, out: &Output) {
        out.line("");
        out.line(format!(
            "{title}: {}; {} for text recognition apart ({} with words in pdfium)",
            counted(self.files, "file", "files"),
            counted(self.pages_for_text_recognition, "page", "pages"),
            self.of_them_with_words_in_pdfium
        ));
        out.line(format!(
            "{:<22} {:<20} {:>5} {:>9} {:>7} {:>6}",
            "reference", "program", "docs", "token F1", "order", ">= 90"
        ));
        let expected = self.against_expected.iter().map(|(side, s)| ("expected texts".to_owned(), side, s));
        let peers = self.against.iter().flat_map(|(reference, sides)| {
            sides.iter().map(move |(side, s)| (reference.to_string(), side, s))
        });
        for (reference, side, s) in peers.chain(expected) {
            let Scores { documents, token_f1, order, at_least_90 } = s;
            out.line(format!(
                "{reference:<22} {side:<20} {documents:>5} {token_f1:>9.2} {order:>7.2} {at_least_90:>5.0}%"
            ));
        }
    }
}

const REFERENCES: [Program; 2] = [Program::Pdfium, Program::Poppler];
const SIDES: [Program; 4] = [Program::Own, Program::Pdfium, Program::Poppler, Program::Mupdf];

/// Compares the programs on a half of the files.
pub(super) fn half(files: &[&Measured]) -> Half {
    let mut half = Half { files: files.len(), ..Half::default() };
    for file in files {
        half.pages_for_text_recognition += file.without_glyphs.len();
        let pdfium = file.pages.get(&Program::Pdfium).map(Vec::as_slice).unwrap_or_default();
        let has_words = |page: &&usize| pdfium.get(**page).is_some_and(|t| !t.trim().is_empty());
        half.of_them_with_words_in_pdfium += file.without_glyphs.iter().filter(has_words).count();
    }
    for reference in REFERENCES {
        for side in SIDES.into_iter().filter(|s| *s != reference) {
            let pairs = files.iter().filter_map(|f| f.pair(reference, side));
            if let Some(scores) = mean(pairs) {
                half.against.entry(reference).or_default().insert(side, scores);
            }
        }
    }
    for side in SIDES {
        if let Some(scores) = mean(files.iter().filter_map(|f| f.pair_with_expected(side))) {
            half.against_expected.insert(side, scores);
        }
    }
    half
}

/// The page texts of a program and of its reference.
type Pair = (Vec<String>, Vec<String>);

impl Measured {
    /// A program's pages and the reference's, without those that need text recognition; `None` where the
    /// reference has too few words or some program is not installed. A file that only the program
    /// refuses counts as read without any text.
    fn pair(&self, reference: Program, side: Program) -> Option<Pair> {
        let reference = self.scored(reference)?;
        (tokens(&reference) >= MIN_TOKENS).then(|| (self.scored(side).unwrap_or_default(), reference))
    }

    fn scored(&self, program: Program) -> Option<Vec<String>> {
        let pages = self.pages.get(&program)?;
        let keep = |(index, page): (usize, &String)| match self.without_glyphs.contains(&index) {
            true => String::new(),
            false => page.clone(),
        };
        Some(pages.iter().enumerate().map(keep).collect())
    }

    fn pair_with_expected(&self, side: Program) -> Option<Pair> {
        let expected = self.expected.clone().filter(|e| tokens(e) >= MIN_TOKENS)?;
        let pages = self.pages.get(&side).map(|p| p.join("\n")).unwrap_or_default();
        Some((vec![pages], expected))
    }
}

fn mean(pairs: impl Iterator<Item = Pair>) -> Option<Scores> {
    let mut sums = Scores::default();
    for (side, reference) in pairs {
        let f1 = 100.0 * token_f1(&side, &reference);
        sums.documents += 1;
        sums.token_f1 += f1;
        sums.order += 100.0 * order_similarity(&side, &reference);
        sums.at_least_90 += if f1 >= 90.0 { 100.0 } else { 0.0 };
    }
    let n = sums.documents as f64;
    (sums.documents > 0).then(|| Scores {
        documents: sums.documents,
        token_f1: sums.token_f1 / n,
        order: sums.order / n,
        at_least_90: sums.at_least_90 / n,
    })
}

/// The tuning half, worst first.
pub(super) fn bad(files: &[&Measured]) -> Vec<Bad> {
    let mut all: Vec<Bad> = Vec::new();
    for file in files {
        for against in REFERENCES {
            let Some(scores) = mean(file.pair(against, Program::Own).into_iter()) else { continue };
            let (token_f1, order) = (scores.token_f1, scores.order);
            all.push(Bad { name: file.name.clone(), against, token_f1, order });
        }
    }
    all.sort_by(|a, b| a.token_f1.total_cmp(&b.token_f1));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, tuning: bool, texts: &[(Program, &[&str])]) -> Measured {
        let pages = |t: &[&str]| t.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        Measured {
            name: name.into(),
            tuning,
            without_glyphs: Vec::new(),
            pages: texts.iter().map(|(p, t)| (*p, pages(t))).collect(),
            expected: None,
        }
    }

    const LONG: &str = "a b c d e f g h i j k l m n o";

    #[test]
    fn documents_count_alike_and_short_ones_do_not() {
        let files = [
            file("1", true, &[(Program::Own, &[LONG]), (Program::Pdfium, &[LONG])]),
            // Refused by our reader: 0.
            file("2", true, &[(Program::Pdfium, &[LONG])]),
            file("3", true, &[(Program::Own, &["x"]), (Program::Pdfium, &["y"])]),
            file("4", false, &[(Program::Own, &["y"]), (Program::Pdfium, &[LONG])]),
        ];
        let (tuning, reported): (Vec<&Measured>, Vec<_>) = files.iter().partition(|m| m.tuning);
        let agreement = half(&tuning);
        let scores = &agreement.against[&Program::Pdfium][&Program::Own];
        assert_eq!((scores.documents, scores.token_f1, scores.at_least_90), (2, 50.0, 50.0));
        assert_eq!(half(&reported).against[&Program::Pdfium][&Program::Own].token_f1, 0.0);
        assert!(!agreement.against.contains_key(&Program::Poppler));
        assert_eq!(bad(&tuning)[0].name, "2");
    }

    #[test]
    fn pages_for_text_recognition_stand_apart_on_both_sides() {
        let mut scanned =
            file("1", true, &[(Program::Own, &[LONG, ""]), (Program::Pdfium, &[LONG, "% $ ("])]);
        scanned.without_glyphs = vec![1];
        let half = half(&[&scanned]);
        assert_eq!(half.against[&Program::Pdfium][&Program::Own].token_f1, 100.0);
        assert_eq!((half.pages_for_text_recognition, half.of_them_with_words_in_pdfium), (1, 1));
    }
}
