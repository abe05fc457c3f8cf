//! Text recognition: images that are turned and straightened, the program's answers, their words laid out.
#![no_main]

use ingest::fuzzing::page_of;
use ingest::{Document, GreyImage, Kind, OcrProblem, OcrWish, Recogniser};
use ingest_fuzz::check;

/// Answers with what the fuzzer wrote, one answer for each question.
struct Answers<'a> {
    words: Vec<&'a [u8]>,
    orientation: &'a [u8],
}

impl Recogniser for Answers<'_> {
    fn languages(&self) -> Result<&str, OcrProblem> {
        Ok("deu")
    }

    fn ask(&mut self, wish: OcrWish, image: &GreyImage) -> Result<Vec<u8>, OcrProblem> {
        assert_eq!(image.pixels.len(), image.width as usize * image.height as usize);
        match wish {
            OcrWish::Words(_) | OcrWish::Scattered(_) => Ok(self.words.pop().unwrap_or_default().to_vec()),
            OcrWish::Orientation => Ok(self.orientation.to_vec()),
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([wide, high, scale, rows, ..], rest)) = bytes.split_first_chunk::<6>() else { return };
    let (width, height) = (u32::from(*wide) + 1, u32::from(*high) + 1);
    let scale = (f32::from(*scale) + 1.0) / 60.0;
    let (pixels, answers) = rest.split_at(usize::from(*rows).min(rest.len()));
    // A pattern of the pixels over the whole image: rules, bars and noise.
    let image = GreyImage::from_fn(width, height, |x, y| {
        let at = (y / 3 * 7 + x / 5) as usize;
        let bits = pixels.get(at % pixels.len().max(1)).copied().unwrap_or(255);
        if bits & (1 << (x % 8)) == 0 { bits / 2 } else { 255 }
    });
    let mut parts = answers.split(|b| *b == 0);
    let orientation = parts.next().unwrap_or_default();
    let mut recogniser = Answers { words: parts.take(3).collect(), orientation };
    let Some(mut page) = page_of(&image, scale, &mut recogniser) else { return };
    assert!(page.ocr_confidence.is_some_and(|c| (0.0..=100.0).contains(&c)));
    page.number = 1;
    let mut document = Document::new(Kind::Pdf, "a");
    document.pages.push(page);
    check(&document, bytes.len() + 100_000);
});
