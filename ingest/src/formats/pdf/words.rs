//! Glyphs become words, in one frame per writing direction.

use std::collections::{BTreeMap, HashMap};

use unicode_normalization::UnicodeNormalization;

use super::glyphs::{Glyph, GlyphText};

/// Gap, in em, from which two glyphs belong to different words where letters are set close.
const WORD_GAP: f32 = 0.14;
/// Gap, in em, up to which letters may be spaced out evenly.
const SPACED_OUT: f32 = 0.12;
/// Width, in em, from which a space parts words.
const MIN_SPACE: f32 = 0.02;
/// Ascent and descent of a word's box, in em.
const ASCENT: f32 = 0.8;
const DESCENT: f32 = 0.2;

/// A word in its frame, where text runs to the right and lines follow downwards.
#[derive(Debug, Clone, Default)]
pub(super) struct PlacedWord {
    pub(super) text: String,
    pub(super) x0: f32,
    pub(super) y0: f32,
    pub(super) x1: f32,
    pub(super) y1: f32,
    pub(super) base: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    /// A space glyph was drawn before it.
    pub(super) spaced: bool,
    /// Place in the reading order of a tagged file.
    pub(super) place: Option<u32>,
}

impl PlacedWord {
    /// Middle of the box.
    pub(super) fn center(&self) -> (f32, f32) {
        ((self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0)
    }

    /// Stretches the box over one more glyph.
    fn cover(&mut self, glyph: &Glyph, u: f32, v: f32) {
        self.x0 = self.x0.min(u);
        self.x1 = self.x1.max(u + glyph.advance);
        self.y0 = self.y0.min(v - ASCENT * glyph.size);
        self.y1 = self.y1.max(v + DESCENT * glyph.size);
        self.bold &= glyph.bold;
        if glyph.size > self.size {
            self.size = glyph.size;
            self.base = v;
        }
    }

    /// Takes the word at its right into itself.
    pub(super) fn absorb(&mut self, next: &PlacedWord) {
        self.text.push_str(&next.text);
        self.x0 = self.x0.min(next.x0);
        self.x1 = self.x1.max(next.x1);
        self.y0 = self.y0.min(next.y0);
        self.y1 = self.y1.max(next.y1);
        if next.size > self.size {
            self.size = next.size;
            self.base = next.base;
        }
    }
}

/// A rotated coordinate system.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    sin: f32,
    cos: f32,
}

impl Frame {
    pub(super) fn new(angle: u16) -> Self {
        let (sin, cos) = match angle {
            0 => (0.0, 1.0),
            90 => (1.0, 0.0),
            180 => (0.0, -1.0),
            270 => (-1.0, 0.0),
            other => f32::from(other).to_radians().sin_cos(),
        };
        Frame { sin, cos }
    }

    fn enter(&self, x: f32, y: f32) -> (f32, f32) {
        (x * self.cos + y * self.sin, y * self.cos - x * self.sin)
    }

    fn leave(&self, u: f32, v: f32) -> (f32, f32) {
        (u * self.cos - v * self.sin, u * self.sin + v * self.cos)
    }

    /// The box on the page around a box in this frame.
    pub(super) fn page_rect(&self, x0: f32, y0: f32, x1: f32, y1: f32) -> [f32; 4] {
        let corners = [self.leave(x0, y0), self.leave(x1, y0), self.leave(x0, y1), self.leave(x1, y1)];
        let mut rect = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        for (x, y) in corners {
            rect = [rect[0].min(x), rect[1].min(y), rect[2].max(x), rect[3].max(y)];
        }
        rect
    }
}

/// The words of each writing direction; the level one first, then by angle.
pub(super) fn words_by_direction(glyphs: &[Glyph]) -> Vec<(u16, Vec<PlacedWord>)> {
    let mut groups: BTreeMap<u16, Vec<&Glyph>> = BTreeMap::new();
    for glyph in glyphs {
        groups.entry(snap(glyph.angle)).or_default().push(glyph);
    }
    groups.into_iter().map(|(angle, glyphs)| (angle, words_of(&glyphs, Frame::new(angle)))).collect()
}

/// Angles within three degrees of a right angle are that right angle.
fn snap(angle: u16) -> u16 {
    let near = ((u32::from(angle) + 45) / 90 * 90) as u16;
    if angle.abs_diff(near) <= 3 { near % 360 } else { angle }
}

fn words_of(glyphs: &[&Glyph], frame: Frame) -> Vec<PlacedWord> {
    let mut builder = WordBuilder::default();
    let mut seen = Overprint::default();
    for glyph in glyphs {
        let (u, v) = frame.enter(glyph.x, glyph.y);
        if glyph.text.is_space() {
            // A space without width, or one drawn elsewhere, parts nothing: the gap decides.
            if glyph.advance > MIN_SPACE * glyph.size {
                builder.space();
            }
            continue;
        }
        if seen.again(glyph, u, v) {
            continue;
        }
        builder.glyph(glyph, u, v);
    }
    builder.finish()
}

/// A character and its baseline origin.
type Printed = (char, f32, f32);

/// Glyphs drawn twice, slightly apart, to look bold or to cast a shadow.
#[derive(Default)]
struct Overprint {
    cells: HashMap<(i32, i32), Vec<Printed>>,
}

impl Overprint {
    /// True where the same glyph stands in the same place already.
    fn again(&mut self, glyph: &Glyph, u: f32, v: f32) -> bool {
        const CELL: f32 = 16.0;
        let Some(first) = glyph.text.first() else { return true };
        let reach = (0.12 * glyph.size).min(4.0);
        let cell = |v: f32| (v / CELL).floor() as i32;
        // Nearly always one cell: only close to a border is there another one within reach.
        let found = (cell(u - reach)..=cell(u + reach)).any(|cu| {
            (cell(v - reach)..=cell(v + reach)).any(|cv| {
                self.cells.get(&(cu, cv)).is_some_and(|list| {
                    list.iter().any(|(c, x, y)| *c == first && (x - u).abs() < reach && (y - v).abs() < reach)
                })
            })
        });
        if !found {
            self.cells.entry((cell(u), cell(v))).or_default().push((first, u, v));
        }
        found
    }
}

#[derive(Default)]
struct WordBuilder {
    words: Vec<PlacedWord>,
    /// The word being built; its last glyph ends at `end`.
    current: Option<PlacedWord>,
    end: f32,
    /// Start and end of the last glyph, for accents drawn over it.
    last: (f32, f32),
    spaced: bool,
    /// Usual gap between the letters of the current word.
    spacing: f32,
    /// An accent drawn before its letter.
    accent: Option<(char, f32)>,
}

impl WordBuilder {
    fn space(&mut self) {
        self.close();
        self.spaced = true;
    }

    fn close(&mut self) {
        self.words.extend(self.current.take());
        self.accent = None;
        self.spacing = 0.0;
    }

    fn glyph(&mut self, glyph: &Glyph, u: f32, v: f32) {
        let mark = glyph.text.first().and_then(|c| combining(&glyph.text, c));
        let middle = u + glyph.advance * 0.5;
        if let (Some(mark), Some(word)) = (mark, self.current.as_mut())
            && middle > self.last.0
            && middle < self.last.1
            && (word.base - v).abs() < glyph.size
        {
            compose_last(&mut word.text, mark);
            return;
        }
        let joins = self.joins(glyph, u, v);
        let accented = self.accent.take().filter(|(_, from)| (u - from).abs() < 0.2 * glyph.size);
        if joins {
            let gap = (u - self.end).max(0.0);
            self.spacing = if self.spacing == 0.0 { gap } else { 0.5 * (self.spacing + gap) };
        } else if accented.is_none() {
            self.close();
        }
        let word = self.current.get_or_insert_with(|| PlacedWord {
            x0: u,
            y0: v - ASCENT * glyph.size,
            x1: u,
            y1: v,
            base: v,
            size: glyph.size,
            bold: glyph.bold,
            spaced: std::mem::take(&mut self.spaced),
            place: glyph.place,
            ..PlacedWord::default()
        });
        match accented {
            Some((accent, _)) => {
                word.text.pop();
                let mut letter = String::new();
                glyph.text.push_to(&mut letter);
                word.text.push_str(&compose(&letter, accent));
            }
            None => glyph.text.push_to(&mut word.text),
        }
        word.cover(glyph, u, v);
        self.accent = mark.map(|mark| (mark, u));
        self.end = u + glyph.advance;
        self.last = (u, self.end);
    }

    /// True where the glyph goes on with the current word.
    fn joins(&self, glyph: &Glyph, u: f32, v: f32) -> bool {
        self.current.as_ref().is_some_and(|w| {
            let size = w.size.max(glyph.size);
            let gap = u - self.end;
            let level = if w.size == glyph.size { 0.25 } else { 0.6 };
            (w.base - v).abs() < level * size
                && gap > -0.45 * size
                && gap < WORD_GAP * size + self.spacing.min(SPACED_OUT * size)
        })
    }

    fn finish(mut self) -> Vec<PlacedWord> {
        self.close();
        self.words.retain(|w| !w.text.trim().is_empty());
        self.words
    }
}

/// The combining mark for an accent that is drawn as a glyph of its own.
fn combining(text: &GlyphText, first: char) -> Option<char> {
    let mark = match first {
        '\u{a8}' => '\u{308}',
        '\u{b4}' => '\u{301}',
        '`' => '\u{300}',
        '\u{2c6}' => '\u{302}',
        '\u{2dc}' => '\u{303}',
        '\u{b8}' => '\u{327}',
        '\u{2da}' => '\u{30a}',
        c @ '\u{300}'..='\u{36f}' => c,
        _ => return None,
    };
    matches!(text, GlyphText::One(_)).then_some(mark)
}

fn compose(base: &str, mark: char) -> String {
    let mut chars = base.chars();
    let mut out: String = chars.next().into_iter().chain([mark]).nfc().collect();
    out.extend(chars);
    out
}

fn compose_last(text: &mut String, mark: char) {
    if let Some(last) = text.pop() {
        text.push_str(&compose(&last.to_string(), mark));
    }
}
