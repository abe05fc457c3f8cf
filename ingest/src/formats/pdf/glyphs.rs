//! What layout needs to know of a page, free of the library that interprets it.

/// Unicode text of a glyph: nearly always one character, which needs no allocation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GlyphText {
    One(char),
    /// Several characters, for ligatures, or none.
    Many(Box<str>),
}

impl GlyphText {
    /// True for white space, which is a plain space here.
    pub(crate) fn is_space(&self) -> bool {
        match self {
            GlyphText::One(c) => *c == ' ',
            GlyphText::Many(text) => !text.is_empty() && text.bytes().all(|b| b == b' '),
        }
    }

    /// The first character.
    pub(crate) fn first(&self) -> Option<char> {
        match self {
            GlyphText::One(c) => Some(*c),
            GlyphText::Many(text) => text.chars().next(),
        }
    }

    /// Appends the text.
    pub(crate) fn push_to(&self, out: &mut String) {
        match self {
            GlyphText::One(c) => out.push(*c),
            GlyphText::Many(text) => out.push_str(text),
        }
    }
}

impl From<String> for GlyphText {
    fn from(text: String) -> Self {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => GlyphText::One(c),
            _ => GlyphText::Many(text.into_boxed_str()),
        }
    }
}

/// A positioned glyph. Lengths are in points, origin top left of the shown page, y downwards.
#[derive(Debug, Clone)]
pub(crate) struct Glyph {
    /// Its text, a space for any white space.
    pub(crate) text: GlyphText,
    /// Baseline origin.
    pub(crate) x: f32,
    /// Baseline origin.
    pub(crate) y: f32,
    /// Writing direction in degrees, clockwise, 0 to 359.
    pub(crate) angle: u16,
    /// Distance to the next glyph along the writing direction.
    pub(crate) advance: f32,
    /// Height of the em square.
    pub(crate) size: f32,
    /// True for a heavy weight.
    pub(crate) bold: bool,
    /// True where no Unicode text could be found.
    pub(crate) unmapped: bool,
    /// Place in the reading order of a tagged file.
    pub(crate) place: Option<u32>,
}

/// A straight rule: horizontal where `y0 == y1`, vertical where `x0 == x1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rule {
    pub(crate) x0: f32,
    pub(crate) y0: f32,
    pub(crate) x1: f32,
    pub(crate) y1: f32,
}

impl Rule {
    /// True for a horizontal rule.
    pub(crate) fn is_horizontal(&self) -> bool {
        self.x1 - self.x0 >= self.y1 - self.y0
    }
}

/// Everything drawn on a page that layout looks at.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageContent {
    /// Width in points after rotation.
    pub(crate) width: f32,
    /// Height in points after rotation.
    pub(crate) height: f32,
    /// Glyphs in the order in which they are drawn, cut to the page and to clip paths.
    pub(crate) glyphs: Vec<Glyph>,
    /// Ruling lines.
    pub(crate) rules: Vec<Rule>,
    /// Area covered by images, in square points.
    pub(crate) image_area: f32,
    /// Shapes drawn that are no images: paths, which may be text turned into outlines.
    pub(crate) shapes: usize,
    /// True where the page expands beyond the limit and was not read.
    pub(crate) too_large: bool,
    /// True where glyphs were left out because the page has too many.
    pub(crate) cut_off: bool,
}

/// A source of page contents, so that layout does not depend on one PDF library.
pub(crate) trait PageGlyphs {
    /// Number of pages.
    fn page_count(&self) -> usize;
    /// The contents of a page, counted from 0; `None` beyond the last.
    fn page(&self, index: usize) -> Option<PageContent>;
}
