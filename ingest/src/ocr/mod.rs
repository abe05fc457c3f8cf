//! Text recognition: from the image of a page to words in their places.
//!
//! The recognising itself is done by a program outside of this crate, behind [`Recogniser`]. What stands
//! here makes its work easy and its result useful: the image is turned upright and straightened before,
//! and the words become glyphs of an upright page after, so that reading order and tables come from the
//! same layout as those of digital text. [`Upright::to_page`] leads back to the page as it is shown.

mod image;
mod placing;
mod rules;
mod skew;
#[cfg(test)]
mod tests;
mod tsv;

pub use image::GreyImage;
pub(crate) use image::Upright;
pub(crate) use placing::glyphs;
use serde::{Deserialize, Serialize};
use tsv::ReadWord;

use crate::formats::pdf::glyphs::PageContent;

/// Pages whose mean word confidence is lower are listed for a person to look at.
pub const LOW_CONFIDENCE: f32 = 75.0;
/// A page that is read with at least this confidence stands upright for certain: of pages upside down or
/// on their side, no more than stray letters are read, with a confidence below 50.
const SURE: f32 = 70.0;
/// Words that say as much.
const ENOUGH_WORDS: usize = 3;
/// Text is recognised best at this resolution: letters of 10 points are 30 pixels high.
pub(crate) const PIXELS_PER_POINT: f32 = 300.0 / 72.0;

/// What a program for text recognition is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OcrWish {
    /// The words with their boxes, as Tesseract's table of tab-separated values.
    Words,
    /// Which way is up, as Tesseract's answer to `--psm 0`.
    Orientation,
}

/// Why an image was not read.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum OcrProblem {
    /// There is nothing to read it with.
    #[error("{why}")]
    Missing {
        /// What is missing and what to do about it.
        why: String,
    },
    /// It took too long.
    #[error("it took more than {seconds} s; raise ingest.ocr_seconds")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// The file has more such pages than are read.
    #[error("the file has more such pages than ingest.limits.max_ocr_pages allows ({limit})")]
    Enough {
        /// The limit.
        limit: u32,
    },
    /// The program failed.
    #[error("the program for text recognition failed: {how}")]
    Failed {
        /// Exit code or signal.
        how: String,
    },
}

impl OcrProblem {
    /// Stable identifier for a warning.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            OcrProblem::Missing { .. } => "ocr-missing",
            OcrProblem::TimedOut { .. } => "ocr-timed-out",
            OcrProblem::Enough { .. } => "ocr-limit",
            OcrProblem::Failed { .. } => "ocr-failed",
        }
    }
}

/// A program that reads images.
pub trait Recogniser {
    /// Languages that it reads, as `deu+fra`, or why it reads nothing at all.
    ///
    /// # Errors
    /// [`OcrProblem::Missing`].
    fn languages(&self) -> Result<&str, OcrProblem>;

    /// Reads an image of 300 dots per inch. The answer comes from outside: it may be malformed.
    ///
    /// # Errors
    /// See [`OcrProblem`]; an image without text is no error.
    fn ask(&mut self, wish: OcrWish, image: &GreyImage) -> Result<Vec<u8>, OcrProblem>;
}

/// For readers without text recognition.
pub(crate) struct NoRecogniser;

impl Recogniser for NoRecogniser {
    fn languages(&self) -> Result<&str, OcrProblem> {
        Err(OcrProblem::Missing { why: "text recognition is not part of this reader".into() })
    }

    fn ask(&mut self, _: OcrWish, _: &GreyImage) -> Result<Vec<u8>, OcrProblem> {
        self.languages().map(|_| Vec::new())
    }
}

/// What was read on an image.
pub(crate) struct Recognised {
    /// The words as glyphs of an upright page, and its rules.
    pub(crate) content: PageContent,
    /// How the upright page lies on the image.
    pub(crate) upright: Upright,
    /// Mean confidence of the words, longer ones counting more, 0 to 100; 0 where there are none.
    pub(crate) confidence: f32,
}

/// Reads the image of a page that has `scale` pixels per point.
///
/// # Errors
/// See [`OcrProblem`].
pub(crate) fn recognise(
    image: &GreyImage,
    scale: f32,
    recogniser: &mut dyn Recogniser,
) -> Result<Recognised, OcrProblem> {
    let skew = skew::estimate(image);
    let mut best = Attempt::read(image, skew.upright(skew.quarters), recogniser)?;
    if !best.is_sure() {
        // The program fails on an image without letters: then nothing is to be turned.
        let seen = recogniser.ask(OcrWish::Orientation, &best.image).unwrap_or_default();
        // Where nothing is seen, upside down is likelier than on its side: that was looked at already.
        let more = tsv::quarters(&seen).unwrap_or(if best.is_text() { 2 } else { 0 });
        if more != 0 {
            let other = skew.upright((best.upright.quarters + more) % 4);
            let other = Attempt::read(image, other, recogniser)?;
            if other.weight() > best.weight() {
                best = other;
            }
        }
    }
    Ok(best.finish(scale))
}

/// A reading of the image, turned one way.
struct Attempt {
    upright: Upright,
    image: GreyImage,
    words: Vec<ReadWord>,
}

impl Attempt {
    fn read(
        original: &GreyImage,
        upright: Upright,
        recogniser: &mut dyn Recogniser,
    ) -> Result<Self, OcrProblem> {
        let image = upright.straighten(original);
        let answer = recogniser.ask(OcrWish::Words, &image)?;
        Ok(Attempt { upright, image, words: tsv::words(&answer) })
    }

    fn confidence(&self) -> f32 {
        let (sum, weight) = self.words.iter().fold((0.0, 0.0), |(sum, weight), word| {
            let letters = word.text.chars().count() as f32;
            (sum + word.confidence * letters, weight + letters)
        });
        if weight > 0.0 { sum / weight } else { 0.0 }
    }

    fn is_sure(&self) -> bool {
        self.words.len() >= ENOUGH_WORDS && self.confidence() >= SURE && !self.is_on_its_side()
    }

    /// True where most longer words are higher than wide.
    fn is_on_its_side(&self) -> bool {
        let long = || self.words.iter().filter(|w| w.text.chars().count() > 3);
        let high = long().filter(|w| w.rect[3] - w.rect[1] > w.rect[2] - w.rect[0]).count();
        2 * high > long().count()
    }

    fn is_text(&self) -> bool {
        self.words.len() >= 2 * ENOUGH_WORDS
    }

    /// How much was read, and how surely.
    fn weight(&self) -> f32 {
        self.words.iter().map(|w| (w.confidence / 100.0).powi(2) * w.text.chars().count() as f32).sum()
    }

    fn finish(self, scale: f32) -> Recognised {
        let confidence = self.confidence();
        let content = PageContent {
            width: self.image.width as f32 / scale,
            height: self.image.height as f32 / scale,
            glyphs: glyphs(&self.words, scale),
            rules: rules::rules(&self.image, scale),
            ..PageContent::default()
        };
        Recognised { content, upright: self.upright, confidence }
    }
}
