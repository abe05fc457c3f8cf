//! From the pieces of a question to what it asks for, without looking at any document.

use super::lexicon::{CLASSES, Compare, Form, Key, Mark, Thing};
use super::period::{self, Period};
use super::words::{Item, Unit, What};
use crate::catalog::{DateField, Measure, PersonField, Range};
use crate::index::fold;

use super::storey::Level;

/// What a question asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Request {
    pub forms: Vec<Form>,
    pub things: Vec<Thing>,
    /// The question begins with a word for which ones, right before the thing.
    pub which: bool,
    pub levels: Vec<(Level, String)>,
    pub buildings: Vec<(String, String)>,
    pub fires: Vec<Fire>,
    pub any_fire: bool,
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

/// Reads the pieces. `today` gives `this week` and a month without a year their meaning.
pub(super) fn parse(items: &[Item], today: jiff::civil::Date) -> Request {
    let mut reader = Reader { items, today, out: Request::default(), date: None, period: None };
    let mut at = 0;
    while at < items.len() {
        at = reader.step(at).max(at + 1);
    }
    reader.finish()
}

struct Reader<'a> {
    items: &'a [Item],
    today: jiff::civil::Date,
    out: Request,
    date: Option<(DateField, String)>,
    period: Option<Period>,
}

impl Reader<'_> {
    fn item(&self, at: usize) -> Option<&Item> {
        self.items.get(at)
    }

    /// The meanings of the piece at a place.
    fn meanings(&self, at: usize) -> &[Vec<Mark>] {
        match self.item(at).map(|i| &i.what) {
            Some(What::Known(all)) => all,
            _ => &[],
        }
    }

    fn has(&self, at: usize, wanted: impl Fn(&Mark) -> bool) -> bool {
        self.meanings(at).iter().flatten().any(wanted)
    }

    fn is_filler(&self, at: usize) -> bool {
        self.has(at, |m| *m == Mark::Filler)
    }

    /// The next place that says something.
    fn after(&self, at: usize) -> usize {
        let skip = |i: &usize| self.is_filler(*i) && self.meanings(*i).len() == 1;
        (at + 1..self.items.len()).find(|i| !skip(i)).unwrap_or(self.items.len())
    }

    fn text(&self, at: usize) -> String {
        self.item(at).map(|i| i.text.clone()).unwrap_or_default()
    }

    /// Takes the piece at a place; gives the next one.
    fn step(&mut self, at: usize) -> usize {
        let Some(item) = self.items.get(at) else { return at + 1 };
        match &item.what {
            What::Known(_) => self.known(at),
            What::Sign(compare) => self.bound(at, *compare).unwrap_or_else(|| self.unread(at)),
            What::Number(value, unit) => self.number(at, *value, *unit),
            What::Fire(letters, minutes) => {
                self.out.fires.push(Fire { letters: letters.clone(), minutes: *minutes, at_least: false });
                at + 1
            }
            What::Level(level) => {
                self.out.levels.push((*level, item.text.clone()));
                at + 1
            }
            What::Building(key) => {
                self.out.buildings.push((key.clone(), item.text.clone()));
                at + 1
            }
            What::Day(_) | What::Year(_) => match period::at(self.items, at, self.today) {
                Some((period, next)) => self.period(period, next),
                None => self.unread(at),
            },
            What::Code | What::Word => self.name(at),
        }
    }

    fn unread(&mut self, at: usize) -> usize {
        self.out.unread.push(self.text(at));
        at + 1
    }

    fn period(&mut self, period: Period, next: usize) -> usize {
        self.period = Some(period);
        next
    }

    /// A run of unknown words, or one code.
    fn name(&mut self, at: usize) -> usize {
        let is = |i: usize, what: &What| self.item(i).is_some_and(|item| item.what == *what);
        // `von D. Probe`: the initial belongs to the name.
        let initial =
            |i: &usize| self.text(*i).chars().count() == 1 && self.text(*i).chars().all(char::is_uppercase);
        let before = (0..at).rev().find(|i| !initial(i)).map(|i| fold(&self.text(i))).unwrap_or_default();
        let is_code = is(at, &What::Code);
        let end = if is_code { at + 1 } else { (at..).find(|i| !is(*i, &What::Word)).unwrap_or(at + 1) };
        let words: Vec<String> = (at..end).map(|i| self.text(i)).collect();
        let folded = words.first().map(|w| fold(w)).unwrap_or_default();
        let record = ["rfi", "tq"].iter().any(|p| folded.strip_prefix(p).is_some_and(starts_with_number));
        if is_code && record && !self.out.things.contains(&Thing::Record) {
            self.out.things.push(Thing::Record);
        }
        self.out.names.push(Name { words, is_code, before });
        end
    }

    fn number(&mut self, at: usize, value: f64, unit: Option<Unit>) -> usize {
        let behind_record =
            at.checked_sub(1).is_some_and(|i| self.has(i, |m| *m == Mark::Thing(Thing::Record)));
        match unit {
            None if behind_record && value.fract() == 0.0 => {
                self.out.names.push(Name {
                    words: vec![format!("RFI-{value}")],
                    is_code: true,
                    before: String::new(),
                });
                at + 1
            }
            Some(_) => self.bound_at(at, Compare::Equal).unwrap_or_else(|| self.unread(at)),
            // A room or door number: `1.03`.
            None if self.text(at).contains('.') => {
                self.out.names.push(Name {
                    words: vec![self.text(at)],
                    is_code: true,
                    before: String::new(),
                });
                at + 1
            }
            None => match period::at(self.items, at, self.today) {
                Some((period, next)) => self.period(period, next),
                None => self.unread(at),
            },
        }
    }

    /// A comparing word at `at`: its number, or fire class, stands behind it.
    fn bound(&mut self, at: usize, compare: Compare) -> Option<usize> {
        let mut number = self.after(at);
        if self.has(number, |m| matches!(m, Mark::Attr(_))) {
            self.direct(number);
            number = self.after(number);
        }
        if let Some(Item { what: What::Fire(letters, minutes), .. }) = self.items.get(number) {
            let at_least = compare == Compare::AtLeast;
            let fits = at_least || compare == Compare::Equal;
            fits.then(|| {
                self.out.fires.push(Fire { letters: letters.clone(), minutes: *minutes, at_least })
            })?;
            return Some(number + 1);
        }
        self.bound_at(number, compare)
    }

    /// The bound whose number stands at `at`.
    fn bound_at(&mut self, at: usize, mut compare: Compare) -> Option<usize> {
        let number = |i: usize| match self.item(i).map(|i| &i.what) {
            Some(What::Number(value, unit)) => Some((*value, *unit)),
            _ => None,
        };
        let (value, mut unit) = number(at)?;
        let mut next = at + 1;
        let mut second = None;
        if compare == Compare::Between {
            let at = self.after(at);
            let at = if number(at).is_some() { at } else { self.after(at) };
            let (upper, of_second) = number(at)?;
            unit = unit.or(of_second);
            second = Some((upper, of_second.or(unit)));
            next = at + 1;
        } else if let Some(Mark::OrMore(more)) =
            self.meanings(next).iter().flatten().find(|m| matches!(m, Mark::OrMore(_)))
        {
            compare = if *more { Compare::AtLeast } else { Compare::AtMost };
            next += 1;
        }
        let scale = |u: Option<Unit>| u.map_or(1.0, |u| u.factor);
        self.measured(unit)?;
        let value = value * scale(unit);
        let open = matches!(compare, Compare::Above | Compare::Below);
        let (from, to) = match compare {
            Compare::Above | Compare::AtLeast => (Some(value), None),
            Compare::Below | Compare::AtMost => (None, Some(value)),
            Compare::Equal => (Some(value), Some(value)),
            Compare::Between => (Some(value), second.map(|(v, u)| v * scale(u))),
        };
        self.out.range = Some(Range { from, to, open });
        Some(next)
    }

    /// Settles what a unit measures; `None` where it does not fit what was said. A length says not yet which one.
    fn measured(&mut self, unit: Option<Unit>) -> Option<()> {
        use super::words::Dimension;
        match (unit, self.out.measure) {
            (Some(u), Some(m)) if !u.dimension.is_of(m) => None,
            (Some(u), None) => {
                self.out.measure = match u.dimension {
                    Dimension::Area => Some(Measure::Area),
                    Dimension::Volume => Some(Measure::Volume),
                    Dimension::Transmittance => Some(Measure::UValue),
                    // Which length: a word further on must say it.
                    Dimension::Length => None,
                };
                Some(())
            }
            // A bare number is one of U-values, which people never write with their unit.
            (None, Some(Measure::UValue)) => Some(()),
            (None, _) => None,
            _ => Some(()),
        }
    }

    /// Words of the list, by what stands around them.
    fn known(&mut self, at: usize) -> usize {
        let meanings = self.meanings(at).to_vec();
        let marks = || meanings.iter().flatten();
        let next = self.after(at);
        if marks().any(|m| *m == Mark::By) && self.grouped(next) {
            return next + 1;
        }
        for compare in marks().filter_map(|m| if let Mark::Compare(c) = m { Some(*c) } else { None }) {
            if let Some(next) = self.compared(at, &meanings, compare) {
                return next;
            }
        }
        let time = marks().any(|m| matches!(m, Mark::Since | Mark::Until | Mark::Span(_) | Mark::Month(_)));
        if time && let Some((period, next)) = period::at(self.items, at, self.today) {
            return self.period(period, next);
        }
        if let Some(field) = marks().find_map(|m| if let Mark::Person(p) = m { Some(*p) } else { None })
            && let Some(next) = self.person(at, field)
        {
            return next;
        }
        if marks().any(|m| *m == Mark::About) && self.out.things.contains(&Thing::Record) && self.about(next)
        {
            return next + 1;
        }
        if marks().any(|m| *m == Mark::Key(Key::Priority))
            && let Some(next) = self.priority(at)
        {
            return next;
        }
        if marks().any(|m| *m == Mark::Not) && self.negated(next) {
            return next + 1;
        }
        if self.direct(at) { at + 1 } else { self.unread(at) }
    }

    /// A comparing word with its number; the measure that it says (`higher than`) is kept only where there is one.
    fn compared(&mut self, at: usize, meanings: &[Vec<Mark>], compare: Compare) -> Option<usize> {
        let said = meanings.iter().filter(|m| m.contains(&Mark::Compare(compare)));
        let measure = said.flatten().find_map(|m| if let Mark::Attr(a) = m { Some(*a) } else { None });
        let before = self.out.measure;
        self.out.measure = measure.or(before);
        let next = self.bound(at, compare);
        if next.is_none() {
            self.out.measure = before;
        }
        next
    }

    fn grouped(&mut self, at: usize) -> bool {
        let by = self.meanings(at).iter().flatten().find_map(|m| match m {
            Mark::Key(key) => Some(By::Key(*key)),
            Mark::Thing(thing) => Some(By::Thing(*thing)),
            Mark::FireWord => Some(By::Fire),
            Mark::Person(person) => Some(By::Person(*person)),
            Mark::Month(_) => None,
            _ => None,
        });
        self.out.by = self.out.by.or(by);
        by.is_some()
    }

    /// `Ball bei B. Beispiel`: the words behind it are a name.
    fn person(&mut self, at: usize, field: PersonField) -> Option<usize> {
        let mut next = self.after(at);
        let mut words = Vec::new();
        let initial = |text: &str| text.chars().count() == 1 && text.chars().all(char::is_uppercase);
        while self.item(next).is_some_and(|i| i.what == What::Word || initial(&i.text)) {
            words.push(self.text(next));
            next += 1;
        }
        // `an` is a small word first, and only before a name more.
        if words.is_empty() && self.meanings(at).iter().any(|m| m.contains(&Mark::Filler))
            || self.out.person.is_some()
        {
            return None;
        }
        self.out.person = Some((field, words));
        Some(next.max(at + 1))
    }

    /// `zu Fenstern`: what a request is about, a word or a thing.
    fn about(&mut self, at: usize) -> bool {
        let thing = self.has(at, |m| matches!(m, Mark::Thing(Thing::Element(_) | Thing::Material)));
        let word = self.item(at).is_some_and(|i| i.what == What::Word);
        if thing || word {
            self.out.about.push(self.text(at));
        }
        thing || word
    }

    /// `hohe Priorität`, `priorité élevée`: the word beside it is the value.
    fn priority(&mut self, at: usize) -> Option<usize> {
        let word = |i: usize| self.item(i).is_some_and(|i| super::names::priority(&i.text).is_some());
        let place = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().find(|i| word(*i))?;
        let value = self.text(place);
        if place < at {
            // `hohe` was taken for a height, an unknown word for a name.
            if self.has(place, |m| matches!(m, Mark::Attr(_))) {
                self.out.measure = None;
            }
            self.out.names.retain(|n| n.words != [value.clone()]);
        }
        self.out.priority = Some(value);
        Some(at.max(place) + 1)
    }

    fn negated(&mut self, at: usize) -> bool {
        let mark = self.meanings(at).iter().flatten().find_map(|m| {
            Some(match m {
                Mark::State(_)
                | Mark::Answered(_)
                | Mark::Official(_)
                | Mark::Bearing(_)
                | Mark::External(_) => *m,
                _ => return None,
            })
        });
        match mark {
            Some(Mark::State(state)) => self.out.states.push((state, false)),
            Some(Mark::Answered(yes)) => self.out.answered = Some(!yes),
            Some(Mark::Official(yes)) => self.out.official = Some(!yes),
            Some(Mark::Bearing(yes)) => self.out.bearing = Some(!yes),
            Some(Mark::External(yes)) => self.out.external = Some(!yes),
            _ => return false,
        }
        true
    }

    /// Words that say the same wherever they stand.
    fn direct(&mut self, at: usize) -> bool {
        let meanings = self.meanings(at).to_vec();
        let plain = |m: &&Vec<Mark>| m.iter().all(says_by_itself);
        let filler = |m: &&Vec<Mark>| m.as_slice() == [Mark::Filler];
        let meaning =
            meanings.iter().find(|m| plain(m) && !filler(m)).or_else(|| meanings.iter().find(filler));
        let Some(marks) = meaning else { return false };
        for mark in marks {
            self.take(*mark, at);
        }
        true
    }

    fn take(&mut self, mark: Mark, at: usize) {
        let out = &mut self.out;
        match mark {
            Mark::Form(form) => out.forms.push(form),
            Mark::Which => self.out.which |= self.out.things.is_empty() && self.leads_to_a_thing(at),
            Mark::Thing(thing) if !out.things.contains(&thing) => out.things.push(thing),
            Mark::State(state) => out.states.push((state, true)),
            Mark::Answered(yes) => out.answered = Some(yes),
            Mark::Official(yes) => out.official = Some(yes),
            Mark::Overdue => out.overdue = true,
            Mark::Elements => out.elements = true,
            Mark::Bearing(yes) => out.bearing = Some(yes),
            Mark::External(yes) => out.external = Some(yes),
            Mark::AnyFire => out.any_fire = true,
            Mark::Attr(measure) => out.measure = Some(measure),
            Mark::Key(key) => out.says.push(key),
            Mark::Date(field) => self.date = Some((field, self.text(at))),
            _ => {}
        }
    }

    /// Whether a word for which ones stands before a thing, with nothing but conditions between.
    fn leads_to_a_thing(&self, at: usize) -> bool {
        let mut i = self.after(at);
        while let Some(item) = self.item(i) {
            let said = |m: &Mark| matches!(m, Mark::Thing(_));
            if self.has(i, said) {
                return true;
            }
            let condition = |m: &Mark| !matches!(m, Mark::Attr(_) | Mark::Key(_) | Mark::Compare(_));
            let goes_on = matches!(item.what, What::Fire(..) | What::Level(_)) || self.has(i, condition);
            if !goes_on {
                return matches!(item.what, What::Code);
            }
            i = self.after(i);
        }
        false
    }

    fn finish(mut self) -> Request {
        match (self.date.take(), self.period.take()) {
            (Some((field, _)), Some(period)) => self.out.dated = Some((field, period)),
            (None, Some(period)) => self.out.dated = Some((DateField::Created, period)),
            (Some((_, text)), None) => self.out.unread.push(text),
            (None, None) => {}
        }
        if self.out.range.is_some() && self.out.measure.is_none() {
            let number = self.items.iter().find(|i| matches!(i.what, What::Number(_, Some(_))));
            self.out.unread.extend(number.map(|n| n.text.clone()));
        }
        self.out
    }
}

/// Whether a mark needs nothing around it.
fn says_by_itself(mark: &Mark) -> bool {
    !matches!(
        mark,
        Mark::By
            | Mark::Compare(_)
            | Mark::Since
            | Mark::Until
            | Mark::Span(_)
            | Mark::Month(_)
            | Mark::Not
            | Mark::About
            | Mark::Person(_)
            | Mark::OrMore(_)
            | Mark::Key(Key::Priority | Key::Discipline | Key::Month | Key::Class | Key::Kind)
    )
}

fn starts_with_number(rest: &str) -> bool {
    rest.trim_start_matches(['-', '_', '.', '#']).starts_with(|c: char| c.is_ascii_digit())
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

    /// The thing that is counted: the first that is no place or property of another.
    pub(super) fn thing(&self) -> Option<Thing> {
        let concrete = |t: &&Thing| {
            !matches!(t, Thing::Storey | Thing::Building | Thing::Project | Thing::Material | Thing::Type)
        };
        self.things.iter().find(concrete).or(self.things.first()).copied()
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
