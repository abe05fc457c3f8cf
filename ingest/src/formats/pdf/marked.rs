//! Marked content: its place in the order of a tagged file, and ActualText, which says what its glyphs do
//! not.

use hayro_syntax::object::{Dict, String as PdfString};

use super::actual::replace;
use super::glyphs::Glyph;
use super::structure::PagePlaces;
use super::unicode::normalise;

/// Depth of marked content that is followed.
const MAX_DEPTH: usize = 64;

/// The marked content that is open on a page.
pub(super) struct Marked<'a> {
    places: Option<&'a PagePlaces>,
    open: Vec<Sequence>,
    /// Sequences beyond the depth that is followed.
    deeper: usize,
}

struct Sequence {
    text: Option<String>,
    /// Its own place, else that of the sequence around it.
    place: Option<u32>,
    /// How many glyphs came before it.
    from: usize,
}

impl<'a> Marked<'a> {
    /// Nothing is open yet; `places` are those of the page, if it is tagged.
    pub(super) fn new(places: Option<&'a PagePlaces>) -> Self {
        Marked { places, open: Vec::new(), deeper: 0 }
    }

    /// A sequence begins after so many glyphs.
    pub(super) fn begin(&mut self, properties: Option<&Dict<'_>>, glyphs: usize) {
        if self.open.len() >= MAX_DEPTH {
            self.deeper += 1;
            return;
        }
        // What is inside of a sequence with a text is replaced with it.
        let inside = self.open.iter().any(|s| s.text.is_some());
        let text =
            properties.filter(|_| !inside).and_then(|p| p.get::<PdfString<'_>>("ActualText".as_bytes()));
        let id = properties.and_then(|p| p.get::<i32>("MCID".as_bytes()));
        let place = id.and_then(|id| self.places?.get(&id).copied()).or_else(|| self.place());
        self.open.push(Sequence {
            text: text.map(|t| normalise(&super::info::text(&t))),
            place,
            from: glyphs,
        });
    }

    /// The place of what is drawn now.
    pub(super) fn place(&self) -> Option<u32> {
        self.open.last().and_then(|s| s.place)
    }

    /// The innermost sequence ends: its text takes the place of that of its glyphs.
    pub(super) fn end(&mut self, glyphs: &mut Vec<Glyph>) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        if let Some(Sequence { text: Some(text), from, .. }) = self.open.pop() {
            replace(glyphs, from, &text);
        }
    }
}
