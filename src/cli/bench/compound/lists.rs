//! Lists of compounds with their parts, and of words that have none.

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest, Sha256};

/// Which half of a list a word falls into, by the SHA-256 of its letters: an even first byte is half a.
pub(super) fn is_half_a(word: &str) -> bool {
    Sha256::digest(word.as_bytes()).first().is_some_and(|b| b % 2 == 0)
}

/// A word with its parts as they are spelt in it; one part for a simple word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub word: String,
    pub parts: Vec<String>,
}

/// The lists of a folder.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Ghost-NN: noun compounds of two parts.
    pub ghost: Vec<Entry>,
    /// The modifiers and heads of Ghost-NN: simple words.
    pub simple: Vec<Entry>,
    /// DEKOR's training list.
    pub dekor_train: Vec<Entry>,
    /// DEKOR's development list.
    pub dekor_dev: Vec<Entry>,
    /// Compounds of three parts from jWordSplitter's regression list.
    pub three: Vec<Entry>,
}

impl Lists {
    /// Reads the lists.
    ///
    /// # Errors
    /// A file is missing.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let text = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
        };
        let (ghost, simple) = ghost(&text("ghost_nn.dev.txt")?);
        let silver = text("jwordsplitter_test_de_large.dev.txt")?;
        Ok(Lists {
            ghost,
            simple,
            dekor_train: dekor(&text("DEKOR__train_5000.tsv")?),
            dekor_dev: dekor(&text("DEKOR__dev_1000.tsv")?),
            three: silver.lines().filter_map(comma_list).filter(|e| e.parts.len() == 3).collect(),
        })
    }
}

/// `Compound TAB Modifier TAB Head …` below a line of titles. The head ends the compound; what is before it, linking
/// letters included, is the left part.
fn ghost(text: &str) -> (Vec<Entry>, Vec<Entry>) {
    let mut simple = BTreeSet::new();
    let mut compounds = Vec::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [word, modifier, head, ..] = columns.as_slice() else { continue };
        simple.extend([(*modifier).to_owned(), (*head).to_owned()]);
        let lower = head.to_lowercase();
        let Some(left) = word.strip_suffix(lower.as_str()) else { continue };
        compounds.push(Entry { word: (*word).to_owned(), parts: vec![left.to_lowercase(), lower] });
    }
    let simple = simple.into_iter().map(|w| Entry { parts: vec![w.to_lowercase()], word: w }).collect();
    (compounds, simple)
}

/// `modifier_link_head TAB …`, the link as `+s` (letters added), `-e` (taken away) or `+=er` (umlaut and letters).
fn dekor(text: &str) -> Vec<Entry> {
    text.lines().filter_map(|line| linked(line.split('\t').next()?.trim())).collect()
}

fn linked(written: &str) -> Option<Entry> {
    let parts: Vec<&str> = written.split('_').collect();
    let (left, head) = match parts.as_slice() {
        [modifier, head] => ((*modifier).to_owned(), *head),
        [modifier, link, head] => {
            let left = match (link.strip_prefix("+="), link.strip_prefix('+'), link.strip_prefix('-')) {
                (Some(added), _, _) => format!("{}{added}", with_umlaut(modifier)),
                (None, Some(added), _) => format!("{modifier}{added}"),
                (None, None, Some(gone)) => modifier.strip_suffix(gone)?.to_owned(),
                (None, None, None) => return None,
            };
            (left, *head)
        }
        _ => return None,
    };
    Some(Entry { word: format!("{left}{head}"), parts: vec![left, head.to_owned()] })
}

/// The last vowel that has an umlaut, with it.
fn with_umlaut(word: &str) -> String {
    let Some(at) = word.rfind(['a', 'o', 'u']) else { return word.to_owned() };
    let (before, rest) = word.split_at(at);
    let (before, from, to) = match (before.strip_suffix('a'), rest.chars().next()) {
        (Some(shorter), Some('u')) => (shorter, "u", "äu"),
        (_, Some('a')) => (before, "a", "ä"),
        (_, Some('o')) => (before, "o", "ö"),
        _ => (before, "u", "ü"),
    };
    format!("{before}{to}{}", rest.strip_prefix(from).unwrap_or_default())
}

/// `Winter, sport, verein`.
fn comma_list(line: &str) -> Option<Entry> {
    let parts: Vec<String> = line.split(',').map(|p| p.trim().to_lowercase()).collect();
    let letters = parts.iter().all(|p| !p.is_empty() && p.chars().all(char::is_alphabetic));
    letters.then(|| Entry { word: parts.concat(), parts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_spelt_out() {
        let word = |w: &str| linked(w).map(|e| e.word);
        assert_eq!(word("beschriftung_+s_datei").as_deref(), Some("beschriftungsdatei"));
        assert_eq!(word("erdbeere_-e_ananas").as_deref(), Some("erdbeerananas"));
        assert_eq!(word("haus_+=er_front").as_deref(), Some("häuserfront"));
        assert_eq!(word("buch_+=er_regal").as_deref(), Some("bücherregal"));
        assert_eq!(word("organ_strom").as_deref(), Some("organstrom"));
        assert_eq!(word("a_b_c_d"), None);
    }

    #[test]
    fn lists_are_read() {
        let (compounds, simple) = ghost("Compound\tModifier\tHead\nBewegungsachse\tBewegung\tAchse\t1\n");
        assert_eq!(compounds[0].parts, ["bewegungs", "achse"]);
        assert_eq!(simple.iter().map(|e| e.word.as_str()).collect::<Vec<_>>(), ["Achse", "Bewegung"]);
        assert_eq!(comma_list("Rund, strecken, meisterschaft").map(|e| e.parts.len()), Some(3));
        assert_eq!(comma_list("DFB-Damen"), None);
    }
}
