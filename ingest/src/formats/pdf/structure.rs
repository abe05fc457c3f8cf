//! The order in which a tagged file says that its content is read (ISO 32000-1, 14.7).

use std::collections::{HashMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Object, ObjectIdentifier};

use super::order::Entry;
use super::tables::FoundTable;
use super::words::PlacedWord;

/// Elements that are looked at; more than any document of a thousand pages has.
const MAX_ELEMENTS: usize = 400_000;

/// The place in the reading order of each marked-content id of a page.
pub(super) type PagePlaces = HashMap<i32, u32>;

/// The places of each page object.
pub(super) type Places = HashMap<ObjectIdentifier, PagePlaces>;

/// An element whose kids are still to be read, and the page that they are on unless they say otherwise.
type Open<'a> = (Object<'a>, Option<ObjectIdentifier>);

/// Reads the structure tree; empty where the file is not tagged.
pub(super) fn places(pdf: &Pdf) -> Places {
    let mut places = Places::new();
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let tree = catalog.and_then(|c| c.get::<Dict<'_>>("StructTreeRoot".as_bytes()));
    let mut open: Vec<Open<'_>> = Vec::new();
    if let Some(tree) = tree {
        push_kids(&tree, None, &mut open);
    }
    let mut seen: HashSet<ObjectIdentifier> = HashSet::new();
    let mut next = 0;
    while let Some((kid, page)) = open.pop() {
        next += 1;
        if next as usize > MAX_ELEMENTS || open.len() > MAX_ELEMENTS {
            break;
        }
        let (id, page) = match kid {
            Object::Number(id) => (i32::try_from(id.as_i64()).unwrap_or(-1), page),
            Object::Dict(element) => {
                let page = page_of(&element).or(page);
                match element.get::<i32>("MCID".as_bytes()) {
                    Some(id) => (id, page),
                    None => {
                        // A tree that loops is read once round.
                        if element.obj_id().is_none_or(|id| seen.insert(id)) {
                            push_kids(&element, page, &mut open);
                        }
                        continue;
                    }
                }
            }
            _ => continue,
        };
        if let Some(page) = page {
            places.entry(page).or_default().entry(id).or_insert(next);
        }
    }
    places
}

fn page_of(element: &Dict<'_>) -> Option<ObjectIdentifier> {
    element.get_ref("Pg".as_bytes()).map(Into::into)
}

/// Puts the kids on the stack, the first one on top.
fn push_kids<'a>(element: &Dict<'a>, page: Option<ObjectIdentifier>, open: &mut Vec<Open<'a>>) {
    if let Some(kids) = element.get::<Array<'a>>("K".as_bytes()) {
        let from = open.len();
        open.extend(kids.iter::<Object<'a>>().take(MAX_ELEMENTS).map(|kid| (kid, page)));
        if let Some(added) = open.get_mut(from..) {
            added.reverse();
        }
    } else if let Some(kid) = element.get::<Object<'a>>("K".as_bytes()) {
        open.push((kid, page));
    }
}

/// Brings a page into the order of its tags, where they cover nearly all of its words. What they leave out
/// (page headers, rules) stays behind what stood before it.
pub(super) fn in_tagged_order(entries: Vec<Entry>, tables: &[FoundTable]) -> Vec<Entry> {
    let words = |entry: &Entry| -> Vec<Option<u32>> {
        let places = |words: &[PlacedWord]| words.iter().map(|w| w.place).collect::<Vec<_>>();
        match entry {
            Entry::Line(line) => places(&line.words),
            Entry::Table(index) => {
                let rows = tables.get(*index).map(|t| t.rows.as_slice()).unwrap_or_default();
                rows.iter().flat_map(|r| &r.cells).flat_map(|c| places(c)).collect()
            }
            Entry::Break => Vec::new(),
        }
    };
    let places: Vec<Vec<Option<u32>>> = entries.iter().map(words).collect();
    let all = places.iter().flatten().count();
    let placed = places.iter().flatten().flatten().count();
    if placed * 10 < all * 9 {
        return entries;
    }
    let mut last = 0;
    let mut keyed: Vec<(u32, Entry)> = Vec::with_capacity(entries.len());
    for (entry, places) in entries.into_iter().zip(places) {
        last = places.into_iter().flatten().min().unwrap_or(last);
        keyed.push((last, entry));
    }
    keyed.sort_by_key(|(place, _)| *place);
    keyed.into_iter().map(|(_, entry)| entry).collect()
}
