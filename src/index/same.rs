//! Hits that say the same: one is shown, the others are named below it.
//!
//! The same passage of several files (a mail and its attachment, a copy in another folder) is one hit. A passage of a
//! plan that a newer revision replaced stands below the newer one's, if that says nearly the same. Numbers decide: a
//! row of a table with another figure is another row.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use ingest::Locator;
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::analysis::tokenize;
use crate::catalog::{ChunkId, ChunkRow, DocumentId};

/// Hits beyond those shown that are compared, so that what was folded makes room.
pub(super) const BEYOND: usize = 20;
/// Words that a shingle has.
const SHINGLE: usize = 4;
/// A shorter passage is the same only where it is equal.
const MIN_WORDS: usize = 12;
/// Share of the shingles of both that two passages have in common, to be one.
const SAME: f32 = 0.9;
/// The same for a replaced revision, whose figures may have changed.
const REVISED: f32 = 0.5;

/// A hit that is shown below another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Folded {
    /// Its document.
    pub document: DocumentId,
    /// The passage.
    pub chunk: ChunkId,
    /// Title of the document.
    pub title: String,
    /// Path of the document, relative to its source.
    pub path: String,
    /// What it opens.
    pub locator: Locator,
    /// Why it is not shown by itself.
    pub why: Why,
}

/// Why a hit is shown below another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It says the same.
    Same,
    /// It is of a revision that was replaced.
    Superseded,
}

/// What a passage is compared by.
struct Print {
    words: usize,
    shingles: HashSet<u64>,
    numbers: Vec<String>,
    plan: Option<Revision>,
}

/// A plan and its revision, by the file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Revision {
    project: i64,
    plan: String,
    /// Number or letter; later ones are greater.
    number: u32,
}

/// The rows in order with those folded under each, at most `limit` of them. A revision that was replaced gives its place
/// to the newer one that it is folded under.
pub(super) fn fold(rows: Vec<ChunkRow>, limit: usize) -> Vec<(ChunkRow, Vec<Folded>)> {
    let mut kept: Vec<(ChunkRow, Print, Vec<Folded>)> = Vec::new();
    let beyond = limit.saturating_add(BEYOND);
    for (n, row) in rows.into_iter().enumerate() {
        // What lies further down is neither shown nor worth comparing.
        if n >= beyond {
            break;
        }
        let print = Print::of(&row);
        let other = kept.iter_mut().find_map(|k| relation(&k.1, &print, &k.0, &row).map(|r| (k, r)));
        match other {
            None => kept.push((row, print, Vec::new())),
            Some((shown, Relation::Below(why))) => shown.2.push(folded(row, why)),
            Some((shown, Relation::Above)) => {
                let older = std::mem::replace(&mut shown.0, row);
                shown.1 = print;
                shown.2.push(folded(older, Why::Superseded));
            }
        }
    }
    kept.into_iter().take(limit).map(|(row, _, below)| (row, below)).collect()
}

enum Relation {
    /// The later row belongs below the earlier one.
    Below(Why),
    /// The later row is of a newer revision.
    Above,
}

fn relation(shown: &Print, new: &Print, shown_row: &ChunkRow, new_row: &ChunkRow) -> Option<Relation> {
    if let (Some(a), Some(b)) = (&shown.plan, &new.plan)
        && (a.project, &a.plan) == (b.project, &b.plan)
        && a.number != b.number
        && shown.likeness(new) >= REVISED
    {
        return Some(if a.number > b.number { Relation::Below(Why::Superseded) } else { Relation::Above });
    }
    // Elements and records have pages of their own.
    let places = |r: &ChunkRow| matches!(r.locator, Locator::Ifc { .. } | Locator::Rfi { .. });
    if places(shown_row) || places(new_row) || shown.numbers != new.numbers {
        return None;
    }
    let short = shown.words.min(new.words) < MIN_WORDS;
    let least = if short { 1.0 } else { SAME };
    (shown.words > 0 && shown.likeness(new) >= least).then_some(Relation::Below(Why::Same))
}

fn folded(row: ChunkRow, why: Why) -> Folded {
    Folded {
        document: row.document,
        chunk: row.id,
        title: row.title,
        path: row.path,
        locator: row.locator,
        why,
    }
}

impl Print {
    fn of(row: &ChunkRow) -> Self {
        let words: Vec<String> = tokenize(&row.text).into_iter().map(|t| t.plain).collect();
        let wide = SHINGLE.min(words.len()).max(1);
        let mut numbers: BTreeMap<&String, usize> = BTreeMap::new();
        for word in words.iter().filter(|w| w.contains(|c: char| c.is_ascii_digit())) {
            *numbers.entry(word).or_default() += 1;
        }
        Print {
            words: words.len(),
            shingles: words.windows(wide).map(hash).collect(),
            numbers: numbers.into_iter().map(|(w, n)| format!("{n} {w}")).collect(),
            plan: Revision::of(row),
        }
    }

    /// Share of the shingles that both have.
    fn likeness(&self, other: &Print) -> f32 {
        let common = self.shingles.intersection(&other.shingles).count();
        let all = self.shingles.len() + other.shingles.len() - common;
        common as f32 / all.max(1) as f32
    }
}

fn hash(words: &[String]) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}

impl Revision {
    fn of(row: &ChunkRow) -> Option<Self> {
        let (plan, revision) = revision_of(&row.path)?;
        let revision = revision.to_lowercase();
        let number = match revision.parse::<u32>() {
            Ok(number) => number,
            Err(_) => revision.chars().next().map(u32::from)?,
        };
        Some(Revision { project: row.project.0, plan: super::fold(&plan), number })
    }
}

/// The plan and its revision that a file's name states: `A-201-C`, `A-201_Rev.2`, `Plan 201 Index B` have a name with a
/// number in it, then the revision.
pub(crate) fn revision_of(path: &str) -> Option<(String, String)> {
    #[allow(clippy::expect_used)] // a constant, built by a test
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^(.*\d.*?)(?:[ _\-.]+(?:rev(?:ision)?|index|idx|ind|indice|v)[ _\-.]*([a-z]|\d{1,2})|[_\-]([a-z]))$",
        )
        .expect("constant pattern")
    });
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let found = NAME.captures(stem)?;
    let revision = found.get(2).or_else(|| found.get(3))?;
    Some((found.get(1)?.as_str().to_owned(), revision.as_str().to_owned()))
}

#[cfg(test)]
mod tests {
    use ingest::Kind;

    use super::*;
    use crate::catalog::ProjectId;
    use crate::scope::AclId;

    fn row(id: i64, path: &str, text: &str) -> ChunkRow {
        ChunkRow {
            id: ChunkId(id),
            document: DocumentId(id),
            version: String::new(),
            ordinal: 0,
            kind: Kind::Pdf,
            locator: Locator::Pdf { page: 1, boxes: vec![] },
            section: vec![],
            text: text.into(),
            language: None,
            project: ProjectId(1),
            acl: AclId(1),
            title: path.into(),
            project_name: String::new(),
            source: String::new(),
            path: path.into(),
        }
    }

    fn shown(rows: Vec<ChunkRow>) -> Vec<(i64, Vec<(i64, Why)>)> {
        let below = |f: Vec<Folded>| f.into_iter().map(|f| (f.chunk.0, f.why)).collect();
        fold(rows, 10).into_iter().map(|(r, f)| (r.id.0, below(f))).collect()
    }

    const TEXT: &str = "Die Aussenwand AW-01 besteht aus 240 mm Mineralwolle, einer Hinterlüftung und einer Fassade aus \
                        Holz, die auf der Baustelle montiert wird.";

    #[test]
    fn copies_are_one_hit_and_other_figures_another() {
        let other = TEXT.replace("240", "200");
        let rows = vec![row(1, "a.pdf", TEXT), row(2, "kopie/a.pdf", TEXT), row(3, "b.pdf", &other)];
        assert_eq!(shown(rows), [(1, vec![(2, Why::Same)]), (3, vec![])]);
        let rows = vec![row(1, "t.pdf", "Türe T-1.03 EI30"), row(2, "u.pdf", "Türe T-1.04 EI30")];
        assert_eq!(shown(rows).len(), 2);
    }

    #[test]
    fn a_replaced_revision_stands_below_the_newest() {
        let newer = TEXT.replace("240", "260");
        let rows = vec![row(1, "plan/A-201-B.pdf", TEXT), row(2, "plan/A-201-C.pdf", &newer)];
        assert_eq!(shown(rows), [(2, vec![(1, Why::Superseded)])]);
        let rows = vec![row(1, "A-201_Rev.2.pdf", TEXT), row(2, "A-201_Rev.1.pdf", &newer)];
        assert_eq!(shown(rows), [(1, vec![(2, Why::Superseded)])]);
        let rows = vec![row(1, "A-201-B.pdf", TEXT), row(2, "A-202-C.pdf", &newer)];
        assert_eq!(shown(rows).len(), 2);
        // Something else altogether on the newer sheet leaves the older hit alone.
        let rows =
            vec![row(1, "A-201-B.pdf", TEXT), row(2, "A-201-C.pdf", "Legende der Achsen und Höhenkoten")];
        assert_eq!(shown(rows).len(), 2);
    }

    #[test]
    fn names_without_a_revision_are_no_plans() {
        for path in ["RM-2417-BS-01_Brandschutzkonzept.pdf", "Protokoll.pdf", "2417-101.pdf", "Haus-B.pdf"] {
            assert_eq!(Revision::of(&row(1, path, "")), None, "{path}");
        }
    }
}
