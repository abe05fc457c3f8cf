//! What belongs to a passage and stands in the chunk beside it: the rest of a sentence or of a section that a border
//! of chunks cuts, and the head of a table whose rows begin in the middle.
//!
//! Each stretch of the joined text keeps the chunk and the place that it comes from, so that a citation opens the page
//! on which the quoted sentence stands.

use std::collections::HashMap;

use ingest::Locator;

use super::rows;
use super::sentences::sentences;
use super::types::Part;
use crate::catalog::{Catalog, CatalogError, ChunkId, ChunkRow};
use crate::index::{Found, fold};
use crate::scope::Scope;

/// Chunks before a hit in which the head of its table is looked for.
const BACK: u32 = 8;
/// Words of a neighbour that are joined, to the next end of a sentence: a model's context is short, and what stands
/// further away has a passage of its own.
const MAX_WORDS: usize = 60;
/// A shorter line without a full stop is a heading or an item, no sentence that goes on.
const MIN_LINE_WORDS: usize = 6;

/// A passage with what belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Joined {
    /// The text.
    pub text: String,
    /// Where its stretches come from.
    pub parts: Vec<Part>,
    /// The chunks that were joined, for the log.
    pub from: Vec<ChunkRow>,
}

/// The passages of some hits that something was joined to, by the place of the hit.
pub(super) type Neighbours = HashMap<usize, Joined>;

/// Looks up what belongs to these hits, within the reader's scope.
pub(super) fn neighbours(
    catalog: &Catalog,
    scope: &Scope,
    found: &Found,
    used: &[usize],
) -> Result<Neighbours, CatalogError> {
    let hits: Vec<(usize, &ChunkRow)> =
        used.iter().filter_map(|i| Some((*i, &found.hits.get(*i)?.chunk))).collect();
    let ids: Vec<ChunkId> = hits.iter().map(|(_, c)| c.id).collect();
    let around = catalog.chunks_around(scope, &ids, (BACK, 1))?;
    let joined = hits.iter().filter_map(|(at, hit)| {
        let own: Vec<&ChunkRow> =
            around.iter().filter(|c| c.document == hit.document && c.version == hit.version).collect();
        Some((*at, join(hit, &own, &ids)?))
    });
    Ok(joined.collect())
}

/// A hit with what belongs to it of the chunks around it, in their order; `None` where nothing does. Of a chunk that
/// is itself among the passages only the rest of a broken sentence is taken.
fn join<'a>(hit: &'a ChunkRow, around: &[&'a ChunkRow], passages: &[ChunkId]) -> Option<Joined> {
    let beside = |ordinal: Option<u32>| around.iter().copied().find(|c| Some(c.ordinal) == ordinal);
    let before = beside(hit.ordinal.checked_sub(1)).filter(|c| goes_on(c, hit));
    let after = beside(hit.ordinal.checked_add(1)).filter(|c| goes_on(hit, c));
    let head = before.map_or("", |c| shared_head(&c.text, &hit.text));
    let own = hit.text.get(head.len()..).unwrap_or_default();
    let mut text = Text::default();
    if let Some((from, lines)) = head_of_table(hit, around) {
        text.add(from, &lines, "");
    }
    text.add(hit, head.trim_end(), "\n");
    let body = |c: &'a ChunkRow| c.text.get(shared_head(&hit.text, &c.text).len()..).unwrap_or_default();
    let words = |c: &ChunkRow| if passages.contains(&c.id) { 0 } else { MAX_WORDS };
    let mut joint = "\n";
    if let Some(c) = before {
        let border = joint_of(body(c), own);
        let more = tail(body(c), border != "\n", words(c));
        if !more.is_empty() {
            joint = border;
            text.add(c, more, "\n");
        }
    }
    text.add(hit, own, joint);
    if let Some(c) = after {
        let border = joint_of(own, body(c));
        text.add(c, beginning(body(c), border != "\n", words(c)), border);
    }
    text.joined(hit)
}

/// Whether one chunk goes on in the next: the same section of the same place, or the next page of it.
fn goes_on(a: &ChunkRow, b: &ChunkRow) -> bool {
    let same_place = match (&a.locator, &b.locator) {
        (Locator::Pdf { page: a, .. }, Locator::Pdf { page: b, .. }) => b == a || *b == a.saturating_add(1),
        (Locator::Text { section: a, unit: u, .. }, Locator::Text { section: b, unit: v, .. }) => {
            a == b && u == v
        }
        (Locator::Sheet { .. }, _) | (_, Locator::Sheet { .. }) => false,
        (a, b) => a == b,
    };
    let heading = b.section.last().map(|h| fold(h)).unwrap_or_default();
    let begins = b.text.lines().next().is_some_and(|l| !heading.is_empty() && fold(l) == heading);
    // What leads on from a title page or a drawing's labels has no section: there a page is a thing of its own.
    let one_page = !a.section.is_empty() || a.locator == b.locator || cut(&a.text, &b.text);
    same_place && a.kind == b.kind && a.section == b.section && !begins && one_page
}

/// The lines that two chunks both begin with: the head of a mail, the name of an element.
fn shared_head<'a>(other: &str, text: &'a str) -> &'a str {
    let mut end = 0;
    for (line, same) in text.split_inclusive('\n').zip(other.split_inclusive('\n')) {
        if line.trim_end() != same.trim_end() || !line.ends_with('\n') {
            break;
        }
        end += line.len();
    }
    text.get(..end).unwrap_or_default()
}

/// Whether the border between two texts cuts a sentence.
fn cut(before: &str, after: &str) -> bool {
    let last = before.trim_end().lines().next_back().unwrap_or_default();
    let first = after.trim_start();
    let ends = last.ends_with(['.', '!', '?', ':', ';', '»', '”', '"']);
    let prose = !is_row(last) && !is_row(first.lines().next().unwrap_or_default());
    prose
        && !ends
        && (first.starts_with(char::is_lowercase) || last.split_whitespace().count() >= MIN_LINE_WORDS)
        && first.starts_with(char::is_alphanumeric)
}

/// What joins two texts: nothing where a word is cut, a space where a sentence is, a new line elsewhere.
fn joint_of(before: &str, after: &str) -> &'static str {
    if !cut(before, after) {
        return "\n";
    }
    let hyphen = before.trim_end().ends_with('-') && after.trim_start().starts_with(char::is_lowercase);
    if hyphen { "" } else { " " }
}

fn is_row(line: &str) -> bool {
    line.contains(" | ") || rows::parse(line).is_some()
}

/// The last sentences of a text: the one that is cut, and others up to some words. Rows of a table are things of
/// their own and end it.
fn tail(text: &str, is_cut: bool, words: usize) -> &str {
    let all = sentences(text);
    let (mut count, mut start) = (0, text.len());
    for (i, s) in all.iter().rev().enumerate() {
        count += s.text.split_whitespace().count();
        let needed = i == 0 && is_cut && count <= 2 * MAX_WORDS;
        if is_row(s.text) || !needed && count > words {
            break;
        }
        start = s.start;
    }
    text.get(start..).unwrap_or_default().trim_end()
}

/// The first sentences of a text, by the same rules.
fn beginning(text: &str, is_cut: bool, words: usize) -> &str {
    let (mut count, mut end) = (0, 0);
    for (i, s) in sentences(text).iter().enumerate() {
        count += s.text.split_whitespace().count();
        let needed = i == 0 && is_cut && count <= 2 * MAX_WORDS;
        if is_row(s.text) || !needed && count > words {
            break;
        }
        end = s.start + s.text.len();
    }
    text.get(..end).unwrap_or_default().trim()
}

/// The head of a table (caption and names of the columns) whose rows a hit begins with, from the chunk before it that
/// has it; `None` where the hit has it itself.
fn head_of_table<'a>(hit: &ChunkRow, around: &[&'a ChunkRow]) -> Option<(&'a ChunkRow, String)> {
    let first = hit.text.lines().next()?;
    let row = rows::parse(first)?;
    let earlier =
        around.iter().copied().rev().filter(|c| c.ordinal < hit.ordinal && c.section == hit.section);
    earlier.take_while(|c| c.kind == hit.kind).find_map(|c| {
        let lines: Vec<&str> = c.text.lines().collect();
        let at = lines.iter().position(|l| rows::heads(l, &row))?;
        let caption = at.checked_sub(1).and_then(|i| lines.get(i)).filter(|l| !is_row(l));
        let head: Vec<&str> = caption.into_iter().chain(lines.get(at)).copied().collect();
        Some((c, head.join("\n")))
    })
}

/// A text that is put together.
#[derive(Default)]
struct Text<'a> {
    text: String,
    parts: Vec<Part>,
    from: Vec<&'a ChunkRow>,
}

impl<'a> Text<'a> {
    fn add(&mut self, from: &'a ChunkRow, text: &str, joint: &str) {
        if text.trim().is_empty() {
            return;
        }
        if joint.is_empty() && self.text.ends_with('-') {
            // The hyphen of a word that goes on.
            self.text.pop();
            self.parts.iter_mut().rev().take(1).for_each(|p| p.end -= 1);
        } else if !self.text.is_empty() {
            self.text.push_str(joint);
        }
        self.text.push_str(text);
        match self.parts.last_mut() {
            Some(last) if last.chunk == from.id => last.end = self.text.len(),
            _ => {
                let end = self.text.len();
                self.parts.push(Part { end, chunk: from.id, locator: from.locator.clone() });
                self.from.push(from);
            }
        }
    }

    fn joined(self, hit: &ChunkRow) -> Option<Joined> {
        let from: Vec<ChunkRow> = self.from.into_iter().filter(|c| c.id != hit.id).cloned().collect();
        (!from.is_empty()).then_some(Joined { text: self.text, parts: self.parts, from })
    }
}

/// Where a stretch of a passage stands: the place and chunk of its first byte, and the place of its last one, where
/// that is another page.
pub(super) fn place(parts: &[Part], start: usize, end: usize) -> Option<(&Part, Option<&Part>)> {
    let holds = |byte: usize| parts.iter().find(|p| byte < p.end);
    let first = holds(start)?;
    let last = holds(end.saturating_sub(1).max(start));
    let page = |p: &Part| match p.locator {
        Locator::Pdf { page, .. } => Some(page),
        _ => None,
    };
    Some((first, last.filter(|l| page(l) != page(first))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{DocumentId, ProjectId};
    use crate::scope::AclId;
    use ingest::Kind;

    fn chunk(ordinal: u32, page: u32, section: &str, text: &str) -> ChunkRow {
        ChunkRow {
            id: ChunkId(i64::from(ordinal) + 100),
            document: DocumentId(1),
            version: "v".into(),
            ordinal,
            kind: Kind::Pdf,
            locator: Locator::Pdf { page, boxes: vec![] },
            section: if section.is_empty() { vec![] } else { vec![section.into()] },
            text: text.into(),
            language: None,
            project: ProjectId(1),
            acl: AclId(1),
            title: "Baubeschrieb".into(),
            project_name: "Rosenmatt".into(),
            source: "server".into(),
            path: "a.pdf".into(),
        }
    }

    fn joined(all: &[ChunkRow], hit: usize, passages: &[usize]) -> Option<Joined> {
        let ids: Vec<ChunkId> = passages.iter().map(|i| all[*i].id).collect();
        join(&all[hit], &all.iter().collect::<Vec<_>>(), &ids)
    }

    fn page_of(part: &Part) -> u32 {
        match part.locator {
            Locator::Pdf { page, .. } => page,
            _ => 0,
        }
    }

    #[test]
    fn a_sentence_that_a_page_cuts_is_whole_again_and_names_both_pages() {
        let all = [
            chunk(
                0,
                3,
                "Wände",
                "Sie wird hinterlüftet. Die Dämmung der Aussenwand hat eine Dicke von Mineral-",
            ),
            chunk(1, 4, "Wände", "wolle zu 240 mm und 60 mm. Sie ist nicht brennbar."),
        ];
        let whole = "Die Dämmung der Aussenwand hat eine Dicke von Mineralwolle zu 240 mm und 60 mm.";
        for hit in [0, 1] {
            for passages in [vec![hit], vec![0, 1]] {
                let j = joined(&all, hit, &passages).unwrap();
                let start = j.text.find(whole).unwrap_or_else(|| panic!("{}", j.text));
                let (first, last) = place(&j.parts, start, start + whole.len()).unwrap();
                assert_eq!((page_of(first), last.map(page_of)), (3, Some(4)));
                let end = j.text.find("Sie ist nicht").map_or(j.text.len(), |at| at);
                if let Some((only, last)) = place(&j.parts, end, end + 5) {
                    assert_eq!((page_of(only), last), (4, None));
                }
            }
        }
    }

    #[test]
    fn a_section_goes_on_and_ends_at_its_heading() {
        let all = [
            chunk(0, 1, "Dach", "Dach\nDas Dach ist begrünt."),
            chunk(1, 1, "Wand", "Wand\nDie Aussenwand AW-01 ist aus Holz."),
            chunk(2, 1, "Wand", "Sie hat einen U-Wert von 0.15 W/(m²K)."),
            chunk(3, 2, "Wand", "Die Fugen sind dicht."),
        ];
        let j = joined(&all, 2, &[2]).unwrap();
        assert_eq!(
            j.text,
            "Wand\nDie Aussenwand AW-01 ist aus Holz.\nSie hat einen U-Wert von 0.15 W/(m²K).\nDie Fugen sind dicht."
        );
        assert_eq!(j.parts.iter().map(|p| p.chunk.0).collect::<Vec<_>>(), [101, 102, 103]);
        assert_eq!(j.from.len(), 2, "both are in the log");
        let j = joined(&all, 1, &[1]).unwrap();
        assert!(j.text.starts_with("Wand\n"), "nothing of the section before it: {}", j.text);
        assert_eq!(joined(&all, 0, &[0]), None);
        assert_eq!(joined(&all, 2, &[1, 2, 3]), None, "they are passages themselves");
    }

    #[test]
    fn only_so_much_is_joined() {
        let long = "Der Unternehmer prüft die Unterlagen vor dem Beginn der Arbeiten. ".repeat(30);
        let all = [
            chunk(0, 1, "Wand", &long),
            chunk(1, 1, "Wand", "Die Wand ist weiss."),
            chunk(2, 1, "Wand", &long),
        ];
        let j = joined(&all, 1, &[1]).unwrap();
        let words = j.text.split_whitespace().count();
        assert!((80..=2 * MAX_WORDS + 4).contains(&words), "{words}");
    }

    #[test]
    fn rows_are_things_of_their_own_but_get_the_head_of_their_table() {
        let head = "Tabelle 3: Bauteile Haus B\nCode | Bauteil | U-Wert";
        let all = [
            chunk(0, 5, "Hülle", &format!("{head}\nAW-01; Bauteil: Aussenwand; U-Wert: 0.15")),
            chunk(
                1,
                6,
                "Hülle",
                "AW-02; Bauteil: Kellerwand; U-Wert: 0.21\nDA-01; Bauteil: Dach; U-Wert: 0.14",
            ),
            chunk(2, 6, "Hülle", "FE-01; Bauteil: Fenster; U-Wert: 0.90"),
        ];
        let j = joined(&all, 1, &[1]).unwrap();
        assert_eq!(j.text, format!("{head}\n{}", all[1].text));
        let row = j.text.find("AW-02").unwrap();
        assert_eq!(page_of(place(&j.parts, row, row + 5).unwrap().0), 6, "the row's own page");
        assert_eq!(joined(&all, 0, &[0]), None, "it has its head");
        let other = [chunk(0, 5, "Hülle", "Raum | Fläche\n1.01; Fläche: 20"), all[1].clone()];
        assert_eq!(joined(&other, 1, &[1]), None, "another table's head");
    }

    #[test]
    fn the_head_of_a_mail_is_not_repeated() {
        let mail = |ordinal: u32, text: &str| ChunkRow {
            kind: Kind::Mail,
            locator: Locator::Mail { message_id: "m".into(), part: 0 },
            section: vec![],
            ..chunk(ordinal, 0, "", text)
        };
        let all = [
            mail(0, "Baustart\nVon: a@example.org\nWir beginnen am 4. Mai."),
            mail(1, "Baustart\nVon: a@example.org\nDer Kran kommt am 6. Mai."),
        ];
        let j = joined(&all, 1, &[1]).unwrap();
        assert_eq!(
            j.text,
            "Baustart\nVon: a@example.org\nWir beginnen am 4. Mai.\nDer Kran kommt am 6. Mai."
        );
    }
}
