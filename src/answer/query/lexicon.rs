//! What the words of counting questions mean. The list lies beside this file.

mod marks;

use std::collections::HashMap;
use std::sync::LazyLock;

use ingest::{Kind, Language};

use self::marks::mark;
use super::words::folded;
use crate::catalog::{DateField, Measure, PersonField};

const LIST: &str = include_str!("lexicon.txt");

/// What one word or phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    Form(Form),
    /// A word for which ones: asks for a list where a thing follows it.
    Which,
    Thing(Thing),
    State(&'static str),
    Answered(bool),
    Official(bool),
    Overdue,
    Person(PersonField),
    About,
    Elements,
    Bearing(bool),
    External(bool),
    FireWord,
    AnyFire,
    /// Sound ratings are spoken of.
    Sound,
    /// A revision of a plan; which one may stand behind it.
    Revision,
    /// The newest one.
    Latest,
    Attr(Measure),
    Compare(Compare),
    /// `and more`, `or less` behind a number.
    OrMore(bool),
    By,
    Key(Key),
    Date(DateField),
    Since,
    Until,
    Span(Span),
    Month(i8),
    Not,
    Filler,
}

/// What is wanted of the things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    Count,
    List,
    Sum,
    Mean,
    Max,
    Min,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Thing {
    Record,
    Document(Option<Kind>),
    /// Plans, by what lists and file names say of them.
    Plan,
    Project,
    Storey,
    Building,
    Material,
    Type,
    /// Elements of some classes; the place in [`CLASSES`].
    Element(usize),
}

/// By what things are grouped, where no thing says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    State,
    Discipline,
    Priority,
    Document,
    Month,
    Class,
    Kind,
}

/// How a number is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Compare {
    Above,
    Below,
    AtLeast,
    AtMost,
    Equal,
    Between,
}

/// A stretch of time around today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Span {
    ThisWeek,
    LastWeek,
    ThisMonth,
    LastMonth,
    ThisYear,
    LastYear,
}

/// Things of models: the word of the list, the classes of the standard, and what they are called in four languages.
pub(super) const CLASSES: [(&str, &[&str], [&str; 4]); 18] = [
    ("door", &["IfcDoor", "IfcDoorStandardCase"], ["Türen", "Portes", "Porte", "Doors"]),
    ("window", &["IfcWindow", "IfcWindowStandardCase"], ["Fenster", "Fenêtres", "Finestre", "Windows"]),
    (
        "wall",
        &["IfcWall", "IfcWallStandardCase", "IfcWallElementedCase"],
        ["Wände", "Murs", "Pareti", "Walls"],
    ),
    (
        "slab",
        &["IfcSlab", "IfcSlabStandardCase", "IfcSlabElementedCase"],
        ["Decken und Bodenplatten", "Dalles", "Solette", "Slabs"],
    ),
    ("roof", &["IfcRoof"], ["Dächer", "Toitures", "Tetti", "Roofs"]),
    ("column", &["IfcColumn", "IfcColumnStandardCase"], ["Stützen", "Poteaux", "Pilastri", "Columns"]),
    ("beam", &["IfcBeam", "IfcBeamStandardCase"], ["Träger", "Poutres", "Travi", "Beams"]),
    ("stair", &["IfcStair"], ["Treppen", "Escaliers", "Scale", "Stairs"]),
    ("railing", &["IfcRailing"], ["Geländer", "Garde-corps", "Parapetti", "Railings"]),
    ("ramp", &["IfcRamp"], ["Rampen", "Rampes", "Rampe", "Ramps"]),
    ("covering", &["IfcCovering"], ["Bekleidungen", "Revêtements", "Rivestimenti", "Coverings"]),
    (
        "curtainwall",
        &["IfcCurtainWall"],
        ["Vorhangfassaden", "Murs-rideaux", "Facciate continue", "Curtain walls"],
    ),
    ("space", &["IfcSpace"], ["Räume", "Locaux", "Locali", "Rooms"]),
    (
        "furniture",
        &["IfcFurniture", "IfcFurnishingElement", "IfcSystemFurnitureElement"],
        ["Möbel", "Meubles", "Arredi", "Furniture"],
    ),
    ("lift", &["IfcTransportElement"], ["Aufzüge", "Ascenseurs", "Ascensori", "Lifts"]),
    ("footing", &["IfcFooting"], ["Fundamente", "Fondations", "Fondazioni", "Footings"]),
    (
        "opening",
        &["IfcOpeningElement", "IfcOpeningStandardCase"],
        ["Öffnungen", "Ouvertures", "Aperture", "Openings"],
    ),
    ("element", &[], ["Bauteile", "Éléments", "Elementi", "Elements"]),
];

/// A form of the list: the languages that have it, by their place in [`Language::ALL`], and what it says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub language: usize,
    pub marks: Vec<Mark>,
}

/// Every form, by its folded words.
pub(super) struct Lexicon {
    forms: HashMap<String, Vec<Entry>>,
    longest: usize,
}

pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { forms: HashMap::new(), longest: 1 };
    let lines = LIST.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines.for_each(|line| lexicon.take(line));
    lexicon
});

impl Lexicon {
    fn take(&mut self, line: &str) {
        let Some((marks, forms)) = line.split_once(" = ") else { return };
        let marks: Vec<Mark> = marks.split('+').filter_map(|m| mark(m.trim())).collect();
        for (language, column) in forms.split('|').enumerate() {
            for form in column.split(',') {
                let words = folded(form);
                self.longest = self.longest.max(words.len());
                let entries = self.forms.entry(words.join(" ")).or_default();
                let entry = Entry { language, marks: marks.clone() };
                if !words.is_empty() && !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
        }
    }

    /// The longest form at the start of these words: how many words it takes, and all that it can mean. The
    /// question's own language comes before the others.
    pub(super) fn longest(
        &self,
        words: &[&str],
        language: Option<Language>,
    ) -> Option<(usize, Vec<Vec<Mark>>)> {
        let own = language.and_then(|l| Language::ALL.iter().position(|a| *a == l));
        let meanings = |length: usize, own: Option<usize>| {
            let entries = self.forms.get(&words.get(..length)?.join(" "))?;
            let fits = |e: &&Entry| own.is_none_or(|l| e.language == l);
            let mut all: Vec<Vec<Mark>> = Vec::new();
            for entry in entries.iter().filter(fits) {
                if !all.contains(&entry.marks) {
                    all.push(entry.marks.clone());
                }
            }
            (!all.is_empty()).then_some((length, all))
        };
        let lengths = || (1..=self.longest.min(words.len())).rev();
        let in_own = own.and_then(|l| lengths().find_map(|n| meanings(n, Some(l))));
        in_own.or_else(|| lengths().find_map(|n| meanings(n, None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_list_is_read() {
        for line in LIST.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
            let (marks, forms) = line.split_once(" = ").unwrap_or_else(|| panic!("no forms: {line}"));
            for name in marks.split('+') {
                assert!(mark(name.trim()).is_some(), "{name} in {line}");
            }
            assert_eq!(forms.split('|').count(), 4, "four languages: {marks}");
            assert!(forms.split(['|', ',']).all(|f| !folded(f).is_empty()), "an empty form: {marks}");
        }
    }

    #[test]
    fn the_longest_form_counts_and_the_own_language_first() {
        let read = |text: &str, l| {
            let words = folded(text);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            LEXICON.longest(&words, Some(l))
        };
        assert_eq!(read("nicht tragende Wände", Language::De), Some((2, vec![vec![Mark::Bearing(false)]])));
        assert_eq!(read("valeur U", Language::Fr), Some((2, vec![vec![Mark::Attr(Measure::UValue)]])));
        let (n, all) = read("an", Language::En).unwrap();
        assert_eq!((n, all), (1, vec![vec![Mark::Filler]]), "German `an` is no English article");
    }
}
