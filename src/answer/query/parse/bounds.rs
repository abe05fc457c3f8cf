//! Numbers and what they bound.

use super::Reader;
use crate::answer::query::lexicon::{Compare, Mark};
use crate::answer::query::request::{Fire, Stated};
use crate::answer::query::words::{Dimension, Item, Unit, What};
use crate::catalog::{Measure, Range};

impl Reader<'_> {
    /// A comparing word at `at`: its number, or fire class, stands behind it.
    pub(super) fn bound(&mut self, at: usize, compare: Compare) -> Option<usize> {
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
    pub(super) fn bound_at(&mut self, at: usize, mut compare: Compare) -> Option<usize> {
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
        let in_texts =
            unit.and_then(|u| if let Dimension::Stated(unit) = u.dimension { Some(unit) } else { None });
        if in_texts.is_none() {
            self.measured(unit)?;
        }
        let value = value * scale(unit);
        let open = matches!(compare, Compare::Above | Compare::Below);
        let (from, to) = match compare {
            Compare::Above | Compare::AtLeast => (Some(value), None),
            Compare::Below | Compare::AtMost => (None, Some(value)),
            Compare::Equal => (Some(value), Some(value)),
            Compare::Between => (Some(value), second.map(|(v, u)| v * scale(u))),
        };
        let range = Range { from, to, open };
        match in_texts {
            Some(unit) => self.out.stated = Some(Stated { unit, range }),
            None => self.out.range = Some(range),
        }
        Some(next)
    }

    /// Settles what a unit measures; `None` where it does not fit what was said. A length says not yet which one.
    fn measured(&mut self, unit: Option<Unit>) -> Option<()> {
        match (unit, self.out.measure) {
            (Some(u), Some(m)) if !u.dimension.is_of(m) => None,
            (Some(u), None) => {
                self.out.measure = match u.dimension {
                    Dimension::Area => Some(Measure::Area),
                    Dimension::Volume => Some(Measure::Volume),
                    Dimension::Transmittance => Some(Measure::UValue),
                    // Which length: a word further on must say it.
                    Dimension::Length | Dimension::Stated(_) => None,
                };
                Some(())
            }
            // A bare number is one of U-values, which people never write with their unit.
            (None, Some(Measure::UValue)) => Some(()),
            (None, _) => None,
            _ => Some(()),
        }
    }

    /// A comparing word with its number; the measure that it says (`higher than`) is kept only where there is one.
    pub(super) fn compared(&mut self, at: usize, meanings: &[Vec<Mark>], compare: Compare) -> Option<usize> {
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
}
