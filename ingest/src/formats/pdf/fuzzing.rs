//! Ways into layout and text recognition for the fuzz targets, which build with the feature `fuzzing`: what
//! stands on a page comes from them, not from a file whose structure they would have to hit first.

use super::actual::replace;
use super::glyphs::{Glyph, PageContent, Rule};
use super::layout::{LaidPage, lay_out};
use super::unicode::normalise;
use super::{arrange, scans};
use crate::model::{Document, Kind, Page};
use crate::ocr::{self, GreyImage, Recogniser};

/// A glyph as the interpreter of PDF hands it over.
#[derive(Debug, Clone, Default)]
pub struct DrawnGlyph {
    /// Its text as the file declares it.
    pub text: String,
    /// Baseline origin, in points from the page's left edge.
    pub x: f32,
    /// Baseline origin, in points from the page's top edge.
    pub y: f32,
    /// Writing direction in degrees, clockwise.
    pub angle: u16,
    /// Distance to the next glyph, in points.
    pub advance: f32,
    /// Height of the em square, in points.
    pub size: f32,
    /// True for a heavy weight.
    pub bold: bool,
    /// Place in the reading order of a tagged file.
    pub place: Option<u32>,
}

/// What is drawn on a page.
#[derive(Debug, Clone, Default)]
pub struct DrawnPage {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// Glyphs in the order in which they are drawn.
    pub glyphs: Vec<DrawnGlyph>,
    /// Horizontal and vertical rules, `[x0, y0, x1, y1]` in points.
    pub rules: Vec<[f32; 4]>,
    /// Texts that the glyphs from some number on to the last stand for, as ActualText says it.
    pub actual: Vec<(usize, String)>,
}

/// Lays out pages as those of a file without bookmarks.
pub fn document_of(pages: Vec<DrawnPage>) -> Document {
    let numbered = pages.into_iter().zip(1_u32..);
    let mut laid: Vec<LaidPage> = numbered.map(|(page, number)| lay_out(content(page), number)).collect();
    let title = arrange(&mut laid, &[], None, "a.pdf");
    let mut document = Document::new(Kind::Pdf, title);
    document.pages = laid.into_iter().map(|l| l.page).collect();
    document.facts = crate::facts::of(&document);
    document
}

fn content(page: DrawnPage) -> PageContent {
    let shown = page.glyphs.into_iter().map(|g| Glyph {
        text: normalise(&g.text).into(),
        x: g.x,
        y: g.y,
        angle: g.angle % 360,
        advance: g.advance,
        size: g.size,
        bold: g.bold,
        unmapped: false,
        place: g.place,
    });
    let mut glyphs: Vec<Glyph> = shown.collect();
    for (from, text) in page.actual {
        replace(&mut glyphs, from, &normalise(&text));
    }
    let rules = page.rules.into_iter().map(|[x0, y0, x1, y1]| Rule { x0, y0, x1, y1 }).collect();
    PageContent { width: page.width, height: page.height, glyphs, rules, ..PageContent::default() }
}

/// Reads the image of a page that has `scale` pixels per point; `None` where the recogniser fails.
pub fn page_of(image: &GreyImage, scale: f32, recogniser: &mut dyn Recogniser) -> Option<Page> {
    let read = ocr::recognise(image, scale, recogniser, &mut None).ok()?;
    let shown = PageContent {
        width: image.width as f32 / scale,
        height: image.height as f32 / scale,
        ..PageContent::default()
    };
    Some(scans::laid(read, scale, shown, scans::Own::Some, 1).page)
}
