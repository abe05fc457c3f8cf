//! From the pieces of a question to what it asks for, without looking at any document.

mod around;
mod bounds;

use super::lexicon::{Compare, Key, Mark, Thing};
use super::period::{self, Period};
use super::request::{Fire, Name, Request};
use super::words::{Item, Unit, What};
use crate::catalog::DateField;
use crate::index::fold;

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
        if marks().any(|m| *m == Mark::Revision) {
            return self.revision(at);
        }
        if let Some(next) = self.named_room(at) {
            return next;
        }
        if marks().any(|m| *m == Mark::Not) && self.negated(next) {
            return next + 1;
        }
        if self.direct(at) { at + 1 } else { self.unread(at) }
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
            Mark::Which => {
                let leads = self.leads_to_a_thing(at);
                self.out.which |= leads && self.out.things.is_empty();
                self.out.which_other |= !leads;
            }
            Mark::FireWord => out.fire_word = true,
            Mark::Thing(thing) if !out.things.contains(&thing) => out.things.push(thing),
            Mark::State(state) => out.states.push((state, true)),
            Mark::Answered(yes) => out.answered = Some(yes),
            Mark::Official(yes) => out.official = Some(yes),
            Mark::Overdue => out.overdue = true,
            Mark::Elements => out.elements = true,
            Mark::Bearing(yes) => out.bearing = Some(yes),
            Mark::External(yes) => out.external = Some(yes),
            Mark::AnyFire => out.any_fire = true,
            Mark::Latest => out.latest = true,
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
            if self.has(i, |m| matches!(m, Mark::Thing(_))) {
                return true;
            }
            let condition = |m: &Mark| {
                matches!(
                    m,
                    Mark::State(_)
                        | Mark::Answered(_)
                        | Mark::Official(_)
                        | Mark::Overdue
                        | Mark::Bearing(_)
                        | Mark::External(_)
                        | Mark::AnyFire
                        | Mark::Not
                        | Mark::Form(_)
                )
            };
            if !matches!(item.what, What::Fire(..) | What::Level(_)) && !self.has(i, condition) {
                return false;
            }
            i = self.after(i);
        }
        false
    }

    fn finish(mut self) -> Request {
        // What has been closed since January was closed then.
        let closed = self.out.states.contains(&("closed", true));
        if closed && self.date.is_none() && self.period.is_some() {
            self.date = Some((DateField::Closed, String::new()));
        }
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
            | Mark::Revision
            | Mark::Key(Key::Priority | Key::Discipline | Key::Month | Key::Class | Key::Kind)
    )
}

fn starts_with_number(rest: &str) -> bool {
    rest.trim_start_matches(['-', '_', '.', '#']).starts_with(|c: char| c.is_ascii_digit())
}
