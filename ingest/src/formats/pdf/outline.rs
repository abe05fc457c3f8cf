//! Bookmarks, with the place that each leads to.

use std::collections::{HashMap, HashSet};

use hayro_interpret::TransformExt;
use hayro_interpret::kurbo::Point;
use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as Text};

use super::info::one_line;
use crate::model::{Bookmark, Warning};
use crate::text::{counted, label};

/// Bookmarks that are read.
const MAX_ENTRIES: usize = 20_000;
/// Ranks of bookmarks.
const MAX_DEPTH: u8 = 12;
/// Named places that are looked up.
const MAX_NAMES: usize = 100_000;

/// The outline in its order; empty where there is none. Entries that lead to no page are left out.
pub(super) fn outline(pdf: &Pdf, warnings: &mut Vec<Warning>) -> Vec<Bookmark> {
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else { return Vec::new() };
    let Some(root) = catalog.get::<Dict<'_>>("Outlines") else { return Vec::new() };
    let mut walk = Walk { places: Places::of(pdf, &catalog), seen: HashSet::new(), out: Vec::new(), lost: 0 };
    walk.level(&root, 1);
    if walk.lost > 0 {
        warnings.push(Warning {
            code: "outline".into(),
            message: counted(
                walk.lost,
                "bookmark leads to no page, to itself or lies too deep and was left out",
                "bookmarks lead to no page, to themselves or lie too deep and were left out",
            ),
            page: None,
        });
    }
    walk.out
}

struct Walk<'a> {
    places: Places<'a>,
    seen: HashSet<ObjectIdentifier>,
    out: Vec<Bookmark>,
    lost: usize,
}

impl<'a> Walk<'a> {
    /// The entries below `parent`.
    fn level(&mut self, parent: &Dict<'a>, level: u8) {
        let mut next = self.step(parent, "First");
        while let Some(entry) = next {
            if self.out.len() >= MAX_ENTRIES {
                self.lost += 1;
                return;
            }
            let title = entry.get::<Text<'_>>("Title").map(|t| label(&one_line(&t))).unwrap_or_default();
            let target = self.places.target(&entry);
            let at = self.out.len();
            if let Some((page, y)) = target.filter(|_| !title.is_empty()) {
                self.out.push(Bookmark { level, title: title.clone(), page, y });
            }
            if entry.contains_key("First") {
                if level < MAX_DEPTH { self.level(&entry, level + 1) } else { self.lost += 1 }
            }
            if target.is_none() && !title.is_empty() {
                // A title over others leads to where the first of them does.
                match self.out.get(at).map(|first| (first.page, first.y)) {
                    Some((page, y)) => self.out.insert(at, Bookmark { level, title, page, y }),
                    None => self.lost += 1,
                }
            }
            next = self.step(&entry, "Next");
        }
    }

    /// The entry behind a key, unless it was met before: outlines may run in a circle.
    fn step(&mut self, from: &Dict<'a>, key: &str) -> Option<Dict<'a>> {
        let Some(id) = from.get_ref(key).map(ObjectIdentifier::from) else {
            return from.get::<Dict<'_>>(key);
        };
        if !self.seen.insert(id) {
            self.lost += 1;
            return None;
        }
        // Asked afresh: a chain of thousands of entries would carry all those before along.
        self.places.pdf.xref().get::<Dict<'_>>(id)
    }
}

/// What a destination may say: the page by reference, and places by name.
struct Places<'a> {
    pdf: &'a Pdf,
    pages: HashMap<ObjectIdentifier, usize>,
    names: HashMap<Vec<u8>, Object<'a>>,
}

impl<'a> Places<'a> {
    fn of(pdf: &'a Pdf, catalog: &Dict<'a>) -> Self {
        let pages =
            pdf.pages().iter().enumerate().filter_map(|(i, p)| Some((p.raw().obj_id()?, i))).collect();
        let mut names = HashMap::new();
        if let Some(old) = catalog.get::<Dict<'_>>("Dests") {
            for key in old.keys().take(MAX_NAMES) {
                if let Some(place) = old.get::<Object<'_>>(key.as_ref()) {
                    names.insert(key.as_ref().to_vec(), place);
                }
            }
        }
        if let Some(tree) = catalog.get::<Dict<'_>>("Names").and_then(|n| n.get::<Dict<'_>>("Dests")) {
            super::info::name_tree(&tree, MAX_NAMES, &mut |name, place| {
                names.entry(name.to_vec()).or_insert(place);
            });
        }
        Places { pdf, pages, names }
    }

    /// Page from 1 and height from the top.
    fn target(&self, entry: &Dict<'a>) -> Option<(u32, Option<f32>)> {
        let place = entry.get::<Object<'_>>("Dest").or_else(|| {
            let action = entry.get::<Dict<'_>>("A")?;
            let kind = action.get::<Name<'_>>("S")?;
            (kind.as_str() == "GoTo").then(|| action.get::<Object<'_>>("D"))?
        })?;
        self.resolve(place, 0)
    }

    fn resolve(&self, place: Object<'a>, depth: u8) -> Option<(u32, Option<f32>)> {
        if depth > 3 {
            return None;
        }
        let named = |name: &[u8]| self.names.get(name).cloned();
        match place {
            Object::Array(array) => self.explicit(&array),
            Object::Dict(dict) => self.resolve(dict.get::<Object<'_>>("D")?, depth + 1),
            Object::String(name) => self.resolve(named(name.as_bytes())?, depth + 1),
            Object::Name(name) => self.resolve(named(name.as_ref())?, depth + 1),
            _ => None,
        }
    }

    /// `[page /XYZ left top zoom]`, `[page /FitH top]`, …
    fn explicit(&self, array: &Array<'a>) -> Option<(u32, Option<f32>)> {
        let mut items = array.raw_iter();
        let index = match items.next()? {
            MaybeRef::Ref(id) => *self.pages.get(&id.into())?,
            MaybeRef::NotRef(Object::Number(n)) => usize::try_from(n.as_i64()).ok()?,
            MaybeRef::NotRef(_) => return None,
        };
        let page = self.pdf.pages().get(index)?;
        let how = match items.next() {
            Some(MaybeRef::NotRef(Object::Name(name))) => name.as_str().to_owned(),
            _ => String::new(),
        };
        let numbers: Vec<Option<f64>> = items
            .take(4)
            .map(|item| match item {
                MaybeRef::NotRef(Object::Number(n)) => Some(n.as_f64()),
                _ => None,
            })
            .collect();
        let number = |i: usize| numbers.get(i).copied().flatten();
        let place = match how.as_str() {
            "XYZ" => number(1).map(|top| Point::new(number(0).unwrap_or(0.0), top)),
            "FitH" | "FitBH" => number(0).map(|top| Point::new(0.0, top)),
            "FitR" => number(3).map(|top| Point::new(number(0).unwrap_or(0.0), top)),
            _ => None,
        };
        let (_, height) = page.render_dimensions();
        let y = place.map(|p| (page.initial_transform(true).to_kurbo() * p).y as f32);
        let y = y.filter(|y| y.is_finite()).map(|y| y.clamp(0.0, height.max(0.0)));
        Some((u32::try_from(index + 1).ok()?, y))
    }
}
