//! Image files by themselves: scans and photographs, each picture a page that text recognition reads.

mod picture;
mod resolution;
#[cfg(test)]
pub(crate) mod tests;
mod tiff;

use picture::Picture;

use super::pdf::{self, glyphs::PageContent, scans::Scans};
use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, OCR_LANGUAGES, Warning};
use crate::ocr::{PIXELS_PER_POINT, Recogniser};
use crate::render;

/// A picture with fewer pixels than this, or a shorter side, holds no readable text: icons, logos.
const MIN_AREA: u64 = 8_000;
const MIN_SIDE: u32 = 24;
/// A picture is made at most so much larger for reading: what is smaller is no text.
const MAX_ENLARGEMENT: f32 = 3.0;

/// A format of pictures that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageFormat {
    Png,
    Jpeg,
    Tiff,
    Bmp,
    WebP,
}

impl ImageFormat {
    fn name(self) -> &'static str {
        match self {
            ImageFormat::Png => "PNG",
            ImageFormat::Jpeg => "JPEG",
            ImageFormat::Tiff => "TIFF",
            ImageFormat::Bmp => "BMP",
            ImageFormat::WebP => "WebP",
        }
    }

    /// The usual ending of a file's name.
    pub(crate) fn end(self) -> &'static str {
        match self {
            ImageFormat::Png => "png",
            ImageFormat::Jpeg => "jpg",
            ImageFormat::Tiff => "tif",
            ImageFormat::Bmp => "bmp",
            ImageFormat::WebP => "webp",
        }
    }
}

/// True where the header announces too few pixels for any text.
pub(crate) fn is_tiny(bytes: &[u8], format: ImageFormat) -> bool {
    picture::pixels(bytes, format).is_ok_and(|(width, height)| is_small(width, height))
}

fn is_small(width: u32, height: u32) -> bool {
    u64::from(width) * u64::from(height) < MIN_AREA || width.min(height) < MIN_SIDE
}

/// The format by the first bytes.
pub(crate) fn sniff(bytes: &[u8]) -> Option<ImageFormat> {
    let is = |at: usize, wanted: &[u8]| bytes.get(at..at + wanted.len()) == Some(wanted);
    // Length of the header that follows the file's own: its versions have few.
    let bitmap = || {
        let length = bytes.get(14..18)?;
        Some(matches!(length, [12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]))
    };
    if is(0, b"\x89PNG\r\n\x1a\n") {
        Some(ImageFormat::Png)
    } else if is(0, &[0xff, 0xd8, 0xff]) {
        Some(ImageFormat::Jpeg)
    } else if is(0, b"II*\0") || is(0, b"MM\0*") || is(0, b"II+\0\x08\0") || is(0, b"MM\0+\0\x08") {
        Some(ImageFormat::Tiff)
    } else if is(0, b"RIFF") && is(8, b"WEBP") {
        Some(ImageFormat::WebP)
    } else if is(0, b"BM") && bitmap() == Some(true) {
        Some(ImageFormat::Bmp)
    } else {
        None
    }
}

/// True for a photograph of a telephone (HEIC, HEIF, AVIF), which no reader here decodes.
pub(crate) fn is_heif(bytes: &[u8]) -> bool {
    const BRANDS: [&[u8]; 9] =
        [b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"];
    bytes.get(4..8) == Some(b"ftyp") && bytes.get(8..12).is_some_and(|brand| BRANDS.contains(&brand))
}

/// Reads an image file: every picture in it is a page.
pub(crate) fn read(
    bytes: &[u8],
    format: ImageFormat,
    name: &str,
    limits: &Limits,
    recogniser: &mut dyn Recogniser,
) -> Result<Document, ReadError> {
    let mut scans = Scans::new(limits, recogniser);
    let (mut laid, mut warnings) = (Vec::new(), Vec::new());
    let mut damage = None;
    let mut whole = 0_u32;
    let count = each(bytes, format, limits, |number, picture| {
        let (content, picture) = match picture {
            Ok(picture) => (content(&picture), Some(picture)),
            Err(error) => {
                let message = format!("page {number} cannot be read: {error}");
                warnings.push(Warning { code: "page-damaged".into(), message, page: Some(number) });
                damage = Some(error);
                (PageContent { width: 1.0, height: 1.0, ..PageContent::default() }, None)
            }
        };
        whole += u32::from(picture.is_some());
        let draw = || picture.and_then(|p| p.for_reading());
        let page = scans.lay_out(content, number, draw, &mut warnings);
        if page.page.words.is_empty() && warnings.last().is_none_or(|w| w.page != Some(number)) {
            let message = format!("page {number} is a picture too small to hold text");
            warnings.push(Warning { code: "no-text".into(), message, page: Some(number) });
        }
        laid.push(page);
    })?;
    if let (0, Some(error)) = (whole, damage) {
        return Err(error);
    }
    if u64::from(count) > laid.len() as u64 {
        let message = format!("only the first {} of {count} pages were read", laid.len());
        warnings.push(Warning { code: "page-limit".into(), message, page: None });
    }
    let title = pdf::arrange(&mut laid, &[], None, name);
    let mut document = Document::new(Kind::Image, title);
    document.metadata.insert("format".into(), format.name().into());
    document.metadata.insert("pages".into(), count.to_string());
    document.metadata.extend(scans.languages.map(|l| (OCR_LANGUAGES.to_owned(), l)));
    document.pages = laid.into_iter().map(|l| l.page).collect();
    document.warnings = warnings;
    Ok(document)
}

/// A page that is this picture and nothing else.
fn content(picture: &Picture) -> PageContent {
    let (width, height) = picture.size_pt();
    // Too small for text: as if nothing were drawn on it.
    let image_area = if picture.is_tiny() { 0.0 } else { width * height };
    PageContent { width, height, image_area, ..PageContent::default() }
}

/// Gives the pictures of a file one by one, numbered from 1, as many as may be read; how many there are.
fn each(
    bytes: &[u8],
    format: ImageFormat,
    limits: &Limits,
    mut take: impl FnMut(u32, Result<Picture, ReadError>),
) -> Result<u32, ReadError> {
    if format != ImageFormat::Tiff {
        take(1, Ok(picture::decode(bytes, format, limits)?));
        return Ok(1);
    }
    let mut file = tiff::File::open(bytes)?;
    let (mut number, mut more) = (0, true);
    while more {
        number += 1;
        if number <= limits.max_pages {
            take(number, file.picture(limits));
        }
        more = file.next();
    }
    Ok(number)
}

/// The page of an image file as PNG: see [`render::page_png`].
pub(crate) fn page_png(
    bytes: &[u8],
    format: ImageFormat,
    page: u32,
    scale: f32,
    limits: &Limits,
) -> Result<Vec<u8>, ReadError> {
    let beyond = |count: u32| ReadError::beyond_fixed(format!("page numbers (page {page} of {count})"));
    let picture = match format {
        _ if page == 0 || page > limits.max_pages => return Err(beyond(limits.max_pages)),
        ImageFormat::Tiff => {
            let mut file = tiff::File::open(bytes)?;
            for passed in 1..page {
                if !file.next() {
                    return Err(beyond(passed));
                }
            }
            file.picture(limits)?
        }
        _ if page > 1 => return Err(beyond(1)),
        _ => picture::decode(bytes, format, limits)?,
    };
    picture.to_png(scale)
}

impl Picture {
    fn is_tiny(&self) -> bool {
        let (width, height) = self.pixels();
        is_small(width, height)
    }

    /// In grey, at the resolution at which text is recognised best; and its pixels per point.
    fn for_reading(self) -> Option<(crate::GreyImage, f32)> {
        let (width, _) = self.size_pt();
        let native = self.pixels().0 as f32 / width;
        let wanted = PIXELS_PER_POINT.min(MAX_ENLARGEMENT * native);
        let scale = render::fitting_scale(self.size_pt(), wanted, render::MAX_OCR_PIXELS);
        Some((self.grey(scale), scale))
    }
}
