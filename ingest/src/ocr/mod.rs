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
mod tongue;
mod tsv;
mod units;

pub use image::GreyImage;
pub(crate) use image::Upright;
pub(crate) use placing::glyphs;
use rules::Rules;
use serde::{Deserialize, Serialize};
pub use tongue::ReadIn;
use tsv::ReadWord;

use crate::formats::pdf::glyphs::PageContent;

/// Pages whose mean word confidence is lower are listed for a person to look at.
pub const LOW_CONFIDENCE: f32 = 75.0;
/// A page that is read with at least this confidence stands upright for certain: of pages upside down or
/// on their side, no more than stray letters are read, with a confidence below 50.
const SURE: f32 = 70.0;
/// Below this a page of short bits is no text.
const NOISE: f32 = 50.0;
/// A reading in the languages that the words are in counts more than one in others that seems as sure.
const GIVEN: f32 = 0.97;
/// Words that say as much.
const ENOUGH_WORDS: usize = 3;
/// Text is recognised best at this resolution: letters of 10 points are 30 pixels high.
pub(crate) const PIXELS_PER_POINT: f32 = 300.0 / 72.0;

/// What a program for text recognition is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OcrWish {
    /// The words with their boxes, as Tesseract's table of tab-separated values.
    Words(ReadIn),
    /// The same of a page that is ruled into cells, or a drawing: text wherever it stands, in no order.
    Scattered(ReadIn),
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

/// Times that a reader asks for one page at most: upright and turned, which way is up, in other languages.
pub const ASKS_PER_PAGE: u32 = 4;

/// Reads the image of a page that has `scale` pixels per point. `habit` is what the document's pages before it
/// were written in.
///
/// # Errors
/// See [`OcrProblem`].
pub(crate) fn recognise(
    image: &GreyImage,
    scale: f32,
    recogniser: &mut dyn Recogniser,
    habit: &mut Option<ReadIn>,
) -> Result<Recognised, OcrProblem> {
    let skew = skew::estimate(image);
    let all = recogniser.languages()?.to_owned();
    let tongue = ReadIn::first(*habit, &all);
    let mut best = Attempt::read(image, skew.upright(skew.quarters), scale, tongue, recogniser)?;
    if !best.is_sure() {
        // The program fails on an image without letters: then nothing is to be turned.
        let seen = recogniser.ask(OcrWish::Orientation, &best.image).unwrap_or_default();
        // Where nothing is seen, upside down is likelier than on its side: that was looked at already.
        let more = tsv::quarters(&seen).unwrap_or(if best.is_text() { 2 } else { 0 });
        if more != 0 {
            let other = skew.upright((best.upright.quarters + more) % 4);
            let other = Attempt::read(image, other, scale, tongue, recogniser)?;
            if other.weight() > best.weight() {
                best = other;
            }
        }
    }
    let meant = best.tongue();
    if meant.is_some() {
        *habit = meant;
    }
    // Where the words do not tell, they are what the pages before were in.
    let meant = meant.or(*habit).unwrap_or_default();
    if meant.codes(&all) != tongue.codes(&all) && !best.words.is_empty() {
        best.read_again(meant, recogniser)?;
    }
    if best.is_noise() {
        best.words.clear();
    }
    Ok(best.finish(scale))
}

/// A reading of the image, turned one way.
struct Attempt {
    upright: Upright,
    /// Upright and without rules.
    image: GreyImage,
    rules: Rules,
    words: Vec<ReadWord>,
}

impl Attempt {
    fn read(
        original: &GreyImage,
        upright: Upright,
        scale: f32,
        tongue: ReadIn,
        recogniser: &mut dyn Recogniser,
    ) -> Result<Self, OcrProblem> {
        let mut image = upright.straighten(original);
        let rules = rules::rules(&image, scale);
        rules.erase_from(&mut image);
        let mut attempt = Attempt { upright, image, rules, words: Vec::new() };
        attempt.words = attempt.ask(tongue, recogniser)?;
        Ok(attempt)
    }

    fn ask(&self, tongue: ReadIn, recogniser: &mut dyn Recogniser) -> Result<Vec<ReadWord>, OcrProblem> {
        let cells = self.rules.make_cells();
        let wish = if cells { OcrWish::Scattered(tongue) } else { OcrWish::Words(tongue) };
        Ok(tsv::words(&recogniser.ask(wish, &self.image)?))
    }

    /// Reads the same image in other languages; the better reading stays.
    fn read_again(&mut self, tongue: ReadIn, recogniser: &mut dyn Recogniser) -> Result<(), OcrProblem> {
        let before = self.weight();
        let other = self.ask(tongue, recogniser)?;
        let words = std::mem::replace(&mut self.words, other);
        if self.weight() < GIVEN * before {
            self.words = words;
        }
        Ok(())
    }

    /// What most of the words are in, if they tell.
    fn tongue(&self) -> Option<ReadIn> {
        ReadIn::of(&self.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" "))
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

    /// True for what the program makes of a photograph: short bits of letters that it does not believe itself.
    fn is_noise(&self) -> bool {
        let letters = |word: &ReadWord| word.text.chars().filter(|c| c.is_alphabetic()).count();
        let all: usize = self.words.iter().map(letters).sum();
        let in_words: usize = self.words.iter().map(letters).filter(|n| *n > 3).sum();
        self.confidence() < NOISE && 2 * in_words < all
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
            rules: self.rules.in_points(scale),
            ..PageContent::default()
        };
        Recognised { content, upright: self.upright, confidence }
    }
}
