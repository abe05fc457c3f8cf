//! What a question asks for, without having looked at any document.

use super::lexicon::{CLASSES, Form, Key, Thing};
use super::period::Period;
use super::storey::Level;
use crate::catalog::{DateField, Measure, PersonField, Range};

/// What a question asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Request {
    pub forms: Vec<Form>,
    pub things: Vec<Thing>,
    /// The question begins with a word for which ones, right before the thing.
    pub which: bool,
    /// A word for which one stands before something else: a statement is asked for.
    pub which_other: bool,
    /// Fire ratings are spoken of, by whatever class.
    pub fire_word: bool,
    pub levels: Vec<(Level, String)>,
    pub buildings: Vec<(String, String)>,
    pub fires: Vec<Fire>,
    pub any_fire: bool,
    /// Without any fire rating.
    pub no_fire: bool,
    /// A bound with a unit that stands in texts only.
    pub stated: Option<Stated>,
    /// A revision of plans is spoken of: which one, or that it is asked for.
    pub revision: Option<Option<String>>,
    /// Only the last one is wanted.
    pub latest: bool,
    pub bearing: Option<bool>,
    pub external: Option<bool>,
    pub states: Vec<(&'static str, bool)>,
    pub answered: Option<bool>,
    pub official: Option<bool>,
    pub overdue: bool,
    pub elements: bool,
    pub measure: Option<Measure>,
    pub range: Option<Range>,
    pub by: Option<By>,
    pub person: Option<(PersonField, Vec<String>)>,
    pub about: Vec<String>,
    pub priority: Option<String>,
    /// Says that a register, or a status, is meant: nothing more is asked by it.
    pub says: Vec<Key>,
    pub dated: Option<(DateField, Period)>,
    /// Names that only the documents can explain.
    pub names: Vec<Name>,
    /// What was not understood, as it stands in the question.
    pub unread: Vec<String>,
}

/// A fire class that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fire {
    pub letters: String,
    pub minutes: u32,
    pub at_least: bool,
}

/// A number with a unit that models write as a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stated {
    /// The unit in plain writing.
    pub unit: &'static str,
    pub range: Range,
}

impl std::fmt::Display for Stated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = if self.unit == "db" { "dB" } else { self.unit };
        let n = super::say::number;
        match (self.range.from, self.range.to) {
            (Some(a), Some(b)) if a == b => write!(f, "= {} {unit}", n(a)),
            (Some(a), Some(b)) => write!(f, "{}–{} {unit}", n(a), n(b)),
            (Some(a), None) => write!(f, "{} {} {unit}", if self.range.open { ">" } else { "≥" }, n(a)),
            (None, Some(b)) => write!(f, "{} {} {unit}", if self.range.open { "<" } else { "≤" }, n(b)),
            (None, None) => f.write_str(unit),
        }
    }
}

/// By what is grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Thing(Thing),
    Key(Key),
    Fire,
    Person(PersonField),
}

/// Words or a code that the list does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub words: Vec<String>,
    pub is_code: bool,
    /// The folded word before it.
    pub before: String,
}

impl Request {
    /// The form that the answer takes.
    pub(super) fn form(&self) -> Form {
        let has = |f: Form| self.forms.contains(&f);
        let measured = self.measure.is_some() && self.range.is_none();
        let of_a_measure = [Form::Max, Form::Min, Form::Mean, Form::Sum].into_iter().find(|f| has(*f));
        match of_a_measure {
            Some(form @ (Form::Max | Form::Min)) => form,
            Some(form) if self.measure.is_some() => form,
            _ if has(Form::Count) && measured => Form::Sum,
            _ if has(Form::Count) => Form::Count,
            _ => Form::List,
        }
    }

    /// Whether the question says that it counts, lists or compares.
    pub(super) fn asks(&self) -> bool {
        self.which || !self.forms.is_empty()
    }

    /// Whether a value is asked for that stands somewhere: `Welchen U-Wert hat die Wand`, `Feuerwiderstand der Tür`.
    pub(super) fn asks_for_a_value(&self) -> bool {
        let value = self.measure.is_some() && self.range.is_none();
        let rating = self.fire_word && self.fires.is_empty() && !self.any_fire && self.by.is_none();
        let current = self.revision == Some(None);
        self.forms.is_empty() && (current || self.which_other || !self.which && (value || rating))
    }

    /// The thing that is counted: the first that is no place or property of another.
    pub(super) fn thing(&self) -> Option<Thing> {
        let concrete = |t: &&Thing| {
            !matches!(t, Thing::Storey | Thing::Building | Thing::Project | Thing::Material | Thing::Type)
        };
        let thing = self.things.iter().find(concrete).or(self.things.first()).copied();
        // Italian `piani` are storeys and plans; only plans have revisions.
        match thing {
            Some(Thing::Storey) | None if self.revision.is_some() => Some(Thing::Plan),
            thing => thing,
        }
    }

    /// Whether a list of all materials or types of a thing is asked for: `Welche Typen von Fenstern`.
    pub(super) fn sorts(&self) -> Option<Thing> {
        let first = *self.things.first()?;
        let named = self.names.iter().any(|n| n.is_code);
        (matches!(first, Thing::Material | Thing::Type) && !named && self.things.len() > 1).then_some(first)
    }

    /// Further things beside the one that is counted: of elements, more than one may be counted together.
    pub(super) fn other_things(&self) -> Vec<Thing> {
        let main = self.thing();
        let place = |t: &Thing| {
            matches!(t, Thing::Storey | Thing::Building | Thing::Project | Thing::Material | Thing::Type)
        };
        self.things.iter().filter(|t| Some(**t) != main && !place(t)).copied().collect()
    }
}

/// The entity names of a thing of models.
pub(super) fn classes(thing: Thing) -> Option<&'static [&'static str]> {
    match thing {
        Thing::Element(at) => CLASSES.get(at).map(|(_, classes, _)| *classes),
        _ => None,
    }
}
