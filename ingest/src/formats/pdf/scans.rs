//! Pages that show their text as an image: drawn, read by a [`Recogniser`] and laid out as any other.

use super::glyphs::{Glyph, PageContent};
use super::layout::{LaidPage, lay_out};
use super::warning;
use crate::limits::Limits;
use crate::model::Warning;
use crate::ocr::{self, GreyImage, LOW_CONFIDENCE, OcrProblem, ReadIn, Recognised, Recogniser};

/// Share of glyphs without Unicode text from which a page cannot be trusted.
const UNMAPPED_SHARE: f32 = 0.3;
/// A page with fewer characters than this has hardly any text of its own.
const FEW: usize = 8;
/// A page that is an image may have a stamp or a page number on it.
const STAMPED: usize = 150;
/// Share of the page from which on an image is the page.
const WHOLE_PAGE: f32 = 0.5;
/// An image or so many drawn shapes may be text.
const SMALL_IMAGE: f32 = 0.02;
const SHAPES: usize = 20;

/// What of a page's own characters is of use beside those that are read on its image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    /// Everything: the page needs no reading.
    All,
    /// A few words on a page that is an image.
    Some,
    /// Nothing: no characters, or none that can be trusted.
    None,
}

fn own(content: &PageContent) -> Own {
    let visible = || content.glyphs.iter().filter(|g| !g.text.is_space());
    let (glyphs, unmapped) = (visible().count(), content.glyphs.iter().filter(|g| g.unmapped).count());
    let covered = content.image_area / (content.width * content.height).max(1.0);
    if glyphs > 20 && unmapped as f32 > UNMAPPED_SHARE * glyphs as f32 {
        Own::None
    } else if glyphs < FEW {
        let drawn = covered > SMALL_IMAGE || content.shapes > SHAPES;
        if drawn && !content.too_large { Own::Some } else { Own::All }
    } else if glyphs < STAMPED && covered > WHOLE_PAGE {
        Own::Some
    } else {
        Own::All
    }
}

/// Reads the pages of one file that need it.
pub(in crate::formats) struct Scans<'a> {
    limits: &'a Limits,
    recogniser: &'a mut dyn Recogniser,
    /// Pages that were given to the recogniser.
    asked: u32,
    /// What the pages so far were written in.
    habit: Option<ReadIn>,
    /// What the metadata say: the languages, or `none` where pages could not be read.
    pub(in crate::formats) languages: Option<String>,
}

impl<'a> Scans<'a> {
    pub(in crate::formats) fn new(limits: &'a Limits, recogniser: &'a mut dyn Recogniser) -> Self {
        Scans { limits, recogniser, asked: 0, habit: None, languages: None }
    }

    /// Lays out page `number` (from 1), its image read where its own characters do not do. `draw` gives that
    /// image with its pixels per point, or nothing where it cannot be drawn.
    pub(in crate::formats) fn lay_out(
        &mut self,
        content: PageContent,
        number: u32,
        draw: impl FnOnce() -> Option<(GreyImage, f32)>,
        warnings: &mut Vec<Warning>,
    ) -> LaidPage {
        let own = own(&content);
        if own == Own::All {
            return lay_out(content, number);
        }
        match self.recognise(draw) {
            Ok(Some((read, _))) if read.content.glyphs.is_empty() => {
                let message = format!("page {number} is an image on which no text was found");
                warnings.push(warning("no-text", message, Some(number)));
                lay_out(content, number)
            }
            Ok(Some((read, scale))) => {
                if read.confidence < LOW_CONFIDENCE {
                    let percent = read.confidence.round();
                    let message = format!(
                        "page {number} is an image and was read with a mean confidence of {percent} % only; \
                         compare what it says with the original"
                    );
                    warnings.push(warning("low-confidence", message, Some(number)));
                }
                laid(read, scale, content, own, number)
            }
            Ok(None) => lay_out(content, number),
            Err(problem) => {
                let message = format!(
                    "page {number} shows its text as an image, or without characters, and was not read: {problem}"
                );
                warnings.push(warning(problem.code(), message, Some(number)));
                lay_out(content, number)
            }
        }
    }

    /// `None` where the page cannot be drawn.
    fn recognise(
        &mut self,
        draw: impl FnOnce() -> Option<(GreyImage, f32)>,
    ) -> Result<Option<(Recognised, f32)>, OcrProblem> {
        match self.recogniser.languages() {
            Ok(languages) => self.languages = Some(languages.to_owned()),
            Err(problem) => {
                self.languages = Some("none".to_owned());
                return Err(problem);
            }
        }
        if self.asked >= self.limits.max_ocr_pages {
            return Err(OcrProblem::Enough { limit: self.limits.max_ocr_pages });
        }
        let Some((image, scale)) = draw() else { return Ok(None) };
        self.asked += 1;
        let read = ocr::recognise(&image, scale, self.recogniser, &mut self.habit)?;
        Ok(Some((read, scale)))
    }
}

/// Lays out what was read, together with the page's own characters where they lie in the same direction.
fn laid(read: Recognised, scale: f32, shown: PageContent, own: Own, number: u32) -> LaidPage {
    let Recognised { mut content, upright, confidence } = read;
    let (width, height) = (shown.width, shown.height);
    if own == Own::Some && upright.is_as_shown() {
        content.glyphs.retain(|read| !shown.glyphs.iter().any(|own| covers(own, read)));
        content.glyphs.extend(shown.glyphs);
    }
    let mut laid = lay_out(content, number);
    let page = &mut laid.page;
    page.ocr_confidence = Some((confidence * 10.0).round() / 10.0);
    (page.width_pt, page.height_pt) = (width, height);
    let tables = page.tables.iter_mut().flat_map(|t| t.row_boxes.iter_mut().chain([&mut t.rect]));
    for rect in page.words.iter_mut().map(|w| &mut w.rect).chain(tables) {
        *rect = upright.to_page(*rect, scale);
    }
    laid
}

/// True where a glyph stands in the middle of a word that was read: it is the same ink.
fn covers(own: &Glyph, read: &Glyph) -> bool {
    let (x, y) = (own.x + own.advance / 2.0, own.y - 0.3 * own.size);
    !read.text.is_space()
        && (read.x..read.x + read.advance).contains(&x)
        && (read.y - read.size..read.y + 0.3 * read.size).contains(&y)
}
