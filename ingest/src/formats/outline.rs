//! A text that grows paragraph by paragraph: sections under their headings, tables, notes.

use crate::chunk::language;
use crate::limits::Limits;
use crate::model::{Document, Language, Section, TextUnit, Warning};
use crate::text::LABEL;

/// Headings that are kept above a section.
const MAX_LEVELS: usize = 10;
/// Characters that tell the language of the notes' labels.
const SAMPLE: usize = 20_000;

/// What a section and a cell cost beside their text, in characters: both take memory when they are empty.
const ENTRY: u64 = 16;
const CELL: u64 = 64;

/// Empty lines between two paragraphs that are kept.
const MAX_FILL: u32 = 200;

/// What stands beside the running text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoteKind {
    Footnote,
    Endnote,
    Comment,
    Speaker,
}

/// A note to the paragraph before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Note {
    pub(crate) kind: NoteKind,
    /// Its number or mark, may be empty.
    pub(crate) mark: String,
    /// Who wrote it, may be empty.
    pub(crate) author: String,
    /// When, may be empty.
    pub(crate) date: String,
    pub(crate) text: String,
}

enum Block {
    Text(String),
    Note(Note),
    Table(Vec<Vec<String>>, u32),
}

struct Part {
    heading: String,
    path: Vec<String>,
    line: u32,
    blocks: Vec<(u32, Block)>,
}

/// Takes a document's parts in their order and gives its sections.
pub(crate) struct Outline {
    unit: TextUnit,
    /// Number of what comes next.
    number: u32,
    left: u64,
    cut: bool,
    path: Vec<(u8, String)>,
    parts: Vec<Part>,
}

impl Outline {
    pub(crate) fn new(unit: TextUnit, limits: &Limits) -> Self {
        let first = Part { heading: String::new(), path: Vec::new(), line: 1, blocks: Vec::new() };
        Outline {
            unit,
            number: 0,
            left: limits.max_text_chars,
            cut: false,
            path: Vec::new(),
            parts: vec![first],
        }
    }

    /// Sets the number of what comes next: lines and slides have one of their own.
    pub(crate) fn at(&mut self, number: u32) {
        self.number = number;
    }

    fn next(&mut self) -> u32 {
        if self.unit == TextUnit::Paragraph {
            self.number = self.number.saturating_add(1);
        }
        self.number.max(1)
    }

    /// True where there is room for so many characters; what has none is left out with a warning.
    fn room(&mut self, length: u64) -> bool {
        let fits = length <= self.left;
        self.cut |= !fits;
        self.left = if fits { self.left - length } else { 0 };
        fits
    }

    /// Starts anew without a heading: a slide that has none belongs to none before it.
    pub(crate) fn start(&mut self) {
        self.path.clear();
        let line = self.number.max(1);
        self.parts.push(Part { heading: String::new(), path: Vec::new(), line, blocks: Vec::new() });
    }

    /// A heading; levels count from 1. One too long to stand over others is a paragraph that looks like one.
    pub(crate) fn heading(&mut self, level: u8, text: &str) {
        let text = one_line(text);
        if text.is_empty() {
            return;
        }
        if text.chars().nth(LABEL).is_some() {
            return self.paragraph(&text);
        }
        self.path.retain(|(l, _)| *l < level);
        let above: u64 = self.path.iter().map(|(_, h)| h.len() as u64 + ENTRY).sum();
        if !self.room(text.len() as u64 + above + ENTRY) {
            return;
        }
        let path = self.path.iter().map(|(_, h)| h.clone()).collect();
        if self.path.len() < MAX_LEVELS {
            self.path.push((level, text.clone()));
        }
        let line = self.next();
        self.parts.push(Part { heading: text, path, line, blocks: Vec::new() });
    }

    /// A paragraph of running text or an item of a list.
    pub(crate) fn paragraph(&mut self, text: &str) {
        let text = tidy(text);
        if !text.is_empty() && self.room(text.len() as u64) {
            let at = self.next();
            self.push(at, Block::Text(text));
        }
    }

    /// A note to what came last.
    pub(crate) fn note(&mut self, note: Note) {
        let text = tidy(&note.text);
        if !text.is_empty() && self.room(text.len() as u64) {
            let at = self.next();
            self.push(at, Block::Note(Note { text, ..note }));
        }
    }

    /// A table with its header rows first. One of a single cell is a paragraph.
    pub(crate) fn table(&mut self, mut rows: Vec<Vec<String>>, header_rows: u32) {
        rows.retain(|r| r.iter().any(|c| !c.is_empty()));
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        if rows.len() * columns <= 1 || columns == 1 {
            rows.into_iter().flatten().for_each(|cell| self.paragraph(&cell));
            return;
        }
        let above: u64 = self.path.iter().map(|(_, h)| h.len() as u64 + ENTRY).sum();
        let length: u64 = rows.iter().flatten().map(|c| c.len() as u64).sum();
        // Short rows are filled up to the widest.
        if !self.room(length + above + rows.len() as u64 * columns as u64 * CELL) {
            return;
        }
        rows.iter_mut().for_each(|r| r.resize(columns, String::new()));
        let header = header_rows.min(u32::try_from(rows.len() - 1).unwrap_or(0));
        let header = if header == 0 { guess_header(&rows) } else { header };
        let at = self.next();
        self.push(at, Block::Table(rows, header));
    }

    fn push(&mut self, at: u32, block: Block) {
        if let Some(part) = self.parts.last_mut() {
            part.blocks.push((at, block));
        }
    }

    /// The first heading, empty where there is none.
    pub(crate) fn first_heading(&self) -> String {
        self.parts.iter().map(|p| p.heading.clone()).find(|h| !h.is_empty()).unwrap_or_default()
    }

    /// Puts the sections into the document.
    pub(crate) fn finish(self, document: &mut Document) {
        let words = Labels::of(self.language());
        for part in self.parts {
            sections(part, self.unit, &words, &mut document.sections);
        }
        if self.cut {
            let message = "text beyond the limit for one document was left out".to_string();
            document.warnings.push(Warning { code: "text-limit".into(), message, page: None });
        }
    }

    fn language(&self) -> Option<Language> {
        let mut sample = String::new();
        for block in self.parts.iter().flat_map(|p| &p.blocks) {
            if let (_, Block::Text(text)) = block {
                sample.push_str(text);
                sample.push('\n');
            }
            if sample.len() > SAMPLE {
                break;
            }
        }
        language::vote(&sample)
    }
}

/// A part's text blocks joined, its tables apart.
fn sections(part: Part, unit: TextUnit, words: &Labels, out: &mut Vec<Section>) {
    let open = |line: u32| Section {
        heading: part.heading.clone(),
        path: part.path.clone(),
        line,
        unit,
        ..Section::default()
    };
    // A section's text starts after its heading, which a section that goes on only repeats.
    let own = u32::from(!part.heading.is_empty() && unit != TextUnit::Slide);
    let mut text: Option<Section> = (!part.heading.is_empty()).then(|| open(part.line));
    // Line of the file that the end of the text stands on.
    let mut line = part.line.saturating_add(own);
    for (at, block) in part.blocks {
        let piece = match block {
            Block::Table(rows, header_rows) => {
                // The heading goes with its table: alone it would be found for nothing.
                out.extend(text.take().filter(|t| !t.text.is_empty()));
                out.push(Section { rows, header_rows, ..open(at) });
                continue;
            }
            Block::Text(text) => text,
            Block::Note(note) => words.line(&note),
        };
        let section = text.get_or_insert_with(|| {
            line = at;
            open(at.saturating_sub(own).max(1))
        });
        if !section.text.is_empty() {
            section.text.push('\n');
            line = line.saturating_add(1);
            if unit != TextUnit::Line {
                section.text.push('\n');
            }
        }
        if unit == TextUnit::Line {
            // Empty lines, so that what follows stands on its line of the file.
            let missing = at.saturating_sub(line).min(MAX_FILL);
            section.text.extend(std::iter::repeat_n('\n', missing as usize));
            let within = piece.matches('\n').count();
            line = line.saturating_add(missing).saturating_add(u32::try_from(within).unwrap_or(u32::MAX));
        }
        section.text.push_str(&piece);
    }
    out.extend(text);
}

/// Names of the notes in one language.
struct Labels([&'static str; 4]);

impl Labels {
    fn of(language: Option<Language>) -> Labels {
        Labels(match language {
            Some(Language::Fr) => ["Note de bas de page", "Note de fin", "Commentaire", "Notes"],
            Some(Language::It) => ["Nota a piè di pagina", "Nota di chiusura", "Commento", "Note"],
            Some(Language::En) => ["Footnote", "Endnote", "Comment", "Notes"],
            Some(Language::De) | None => ["Fussnote", "Endnote", "Kommentar", "Notizen"],
        })
    }

    /// `Kommentar (A. Muster, 2026-03-02): Text`
    fn line(&self, note: &Note) -> String {
        let [foot, end, comment, speaker] = self.0;
        let name = match note.kind {
            NoteKind::Footnote => foot,
            NoteKind::Endnote => end,
            NoteKind::Comment => comment,
            NoteKind::Speaker => speaker,
        };
        let mark = if note.mark.is_empty() { String::new() } else { format!(" {}", note.mark) };
        let who: Vec<&str> =
            [note.author.as_str(), note.date.as_str()].into_iter().filter(|s| !s.is_empty()).collect();
        let who = if who.is_empty() { String::new() } else { format!(" ({})", who.join(", ")) };
        format!("{name}{mark}{who}: {}", note.text)
    }
}

/// Words with one space between.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines with one space between their words, no empty one among them: those part paragraphs.
fn tidy(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(one_line).filter(|l| !l.is_empty()).collect();
    lines.join("\n")
}

/// One header row where the first row names every column and a later row has numbers, or where it has three names
/// or more.
fn guess_header(rows: &[Vec<String>]) -> u32 {
    let Some((first, rest)) = rows.split_first() else { return 0 };
    let numeric = |c: &String| {
        c.chars().any(|c| c.is_ascii_digit()) && c.chars().filter(|c| c.is_alphabetic()).count() <= 4
    };
    let named = first.iter().all(|c| !c.is_empty() && !numeric(c));
    let numbers = rest.iter().any(|r| r.iter().skip(1).any(numeric));
    u32::from(named && !rest.is_empty() && (numbers || first.len() >= 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    fn cells(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|l| l.split('|').map(str::to_string).collect()).collect()
    }

    #[test]
    fn headings_make_paths_and_tables_stand_apart() {
        let mut outline = Outline::new(TextUnit::Paragraph, &Limits::default());
        outline.paragraph("Vorwort");
        outline.heading(1, "Wände");
        outline.heading(2, "Aussen  wand");
        outline.paragraph("Die Dämmung der Wand ist aus\nSteinwolle.");
        outline.table(cells("Code|U-Wert\nAW-01|0.15"), 0);
        outline.note(Note {
            kind: NoteKind::Comment,
            mark: String::new(),
            author: "A. Muster".into(),
            date: "2026-03-02".into(),
            text: "Wert ist zu prüfen".into(),
        });
        outline.heading(1, "Dach");
        let mut document = Document::new(Kind::Text, "x");
        outline.finish(&mut document);
        let seen: Vec<(&str, Vec<String>, u32, &str)> = document
            .sections
            .iter()
            .map(|s| (s.heading.as_str(), s.path.clone(), s.line, s.text.as_str()))
            .collect();
        assert_eq!(seen[0], ("", vec![], 1, "Vorwort"));
        assert_eq!(seen[1], ("Wände", vec![], 2, ""));
        assert_eq!(
            seen[2],
            ("Aussen wand", vec!["Wände".into()], 3, "Die Dämmung der Wand ist aus\nSteinwolle.")
        );
        assert_eq!((document.sections[3].rows.len(), document.sections[3].header_rows), (2, 1));
        assert_eq!(seen[4].3, "Kommentar (A. Muster, 2026-03-02): Wert ist zu prüfen");
        assert_eq!(seen[5], ("Dach", vec![], 7, ""));
    }

    #[test]
    fn text_beyond_the_limit_is_told() {
        let mut outline =
            Outline::new(TextUnit::Paragraph, &Limits { max_text_chars: 8, ..Limits::default() });
        outline.paragraph("eins");
        outline.paragraph("zwei und drei");
        let mut document = Document::new(Kind::Text, "x");
        outline.finish(&mut document);
        assert_eq!(document.sections[0].text, "eins");
        assert_eq!(document.warnings[0].code, "text-limit");
    }

    #[test]
    fn a_header_is_guessed_where_it_shows() {
        assert_eq!(guess_header(&cells("Code|U-Wert\nAW-01|0.15")), 1);
        assert_eq!(guess_header(&cells("Projekt|Schulhaus\nBauherr|Gemeinde")), 0);
        assert_eq!(guess_header(&cells("Wer|Was|Wann\nA|B|C")), 1);
        assert_eq!(guess_header(&cells("AW-01|0.15\nAW-02|0.17")), 0);
    }
}
