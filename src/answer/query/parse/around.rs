//! Words whose meaning depends on what stands beside them.

use super::Reader;
use crate::answer::query::lexicon::{Mark, Thing};
use crate::answer::query::names;
use crate::answer::query::request::{By, Name};
use crate::answer::query::words::What;
use crate::catalog::PersonField;
use crate::index::fold;

/// The place of rooms in the list of classes.
const SPACE: usize = 12;

impl Reader<'_> {
    /// `pro Geschoss`: whether the piece at a place says by what is grouped.
    pub(super) fn grouped(&mut self, at: usize) -> bool {
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
    pub(super) fn person(&mut self, at: usize, field: PersonField) -> Option<usize> {
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
    pub(super) fn about(&mut self, at: usize) -> bool {
        let thing = self.has(at, |m| matches!(m, Mark::Thing(Thing::Element(_) | Thing::Material)));
        let word = self.item(at).is_some_and(|i| i.what == What::Word);
        if thing || word {
            self.out.about.push(self.text(at));
        }
        thing || word
    }

    /// `hohe Priorität`, `priorité élevée`: the word beside it is the value.
    pub(super) fn priority(&mut self, at: usize) -> Option<usize> {
        let word = |i: usize| self.item(i).is_some_and(|i| names::priority(&i.text).is_some());
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

    /// `Revision C`, `Index b`: the letter or number behind the word, if one stands there.
    pub(super) fn revision(&mut self, at: usize) -> usize {
        let place = self.after(at);
        let short = |i: usize| {
            let text = self.text(i);
            let plain =
                text.chars().count() <= 2 && text.chars().all(char::is_alphanumeric) && !text.is_empty();
            // A small letter may be an article or a preposition.
            let letter =
                !text.starts_with(char::is_lowercase) || i + 1 == self.items.len() || !self.is_filler(i);
            (plain && letter).then(|| text.to_lowercase())
        };
        let found = [at + 1, place].into_iter().find_map(|i| short(i).map(|r| (i, r)));
        let (next, revision) = found.map_or((at + 1, None), |(i, r)| (i + 1, Some(r)));
        // `which revision` asks for it; what is named counts.
        self.out.revision = Some(revision.or(self.out.revision.take().flatten()));
        next
    }

    /// `salle de classe`: a room by its use, where its first word alone means any room.
    pub(super) fn named_room(&mut self, at: usize) -> Option<usize> {
        let room = self.has(at, |m| *m == Mark::Thing(Thing::Element(SPACE)));
        let of = ["de", "d", "di", "per"].contains(&fold(&self.text(at + 1)).as_str());
        let use_ = fold(&self.text(at + 2));
        let names =
            ["classe", "cours", "lezione", "riunione", "riunioni", "reunion"].contains(&use_.as_str());
        if !(room && of && names) {
            return None;
        }
        self.take(Mark::Thing(Thing::Element(SPACE)), at);
        let words = vec![[at, at + 1, at + 2].map(|i| self.text(i)).join(" ")];
        self.out.names.push(Name { words, is_code: false, before: String::new() });
        Some(at + 3)
    }

    pub(super) fn negated(&mut self, at: usize) -> bool {
        let mark = self.meanings(at).iter().flatten().find_map(|m| {
            Some(match m {
                Mark::State(_)
                | Mark::Answered(_)
                | Mark::Official(_)
                | Mark::Bearing(_)
                | Mark::FireWord
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
            Some(Mark::FireWord) => self.out.no_fire = true,
            _ => return false,
        }
        true
    }
}
