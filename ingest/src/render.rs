//! Pages as images.

use hayro::hayro_syntax::page::Page;
use hayro::vello_cpu::Pixmap;
use hayro::vello_cpu::color::PremulRgba8;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_interpret::InterpreterSettings;

use crate::error::ReadError;
use crate::formats::rfi::bcf;
use crate::formats::{image, pdf};
use crate::limits::{Limits, MAX_EXPANDED};
use crate::ocr::GreyImage;

/// Most pixels of one image: an A0 sheet at 110 dpi.
pub(crate) const MAX_PIXELS: f32 = 20_000_000.0;
/// As much for text recognition: an A2 sheet at 300 dpi.
pub(crate) const MAX_OCR_PIXELS: f32 = 35_000_000.0;
/// Longest side of one image, in pixels.
const MAX_SIDE: f32 = 16_000.0;

/// The picture (PNG or JPEG) that lies under a path in an archive of topics, as it is.
///
/// # Errors
/// [`ReadError::Damaged`] where there is none, [`ReadError::Unsupported`] where it is no picture,
/// [`ReadError::TooLarge`] where it is larger than a picture may be.
pub fn topic_picture(bytes: &[u8], member: &str, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    bcf::picture(bytes, member, limits)
}

/// Renders a page of a PDF or of an image file as PNG on white.
///
/// `page` counts from 1, `scale` is in pixels per point (1.0 is 72 dpi). A larger scale than the limits
/// on pixels allow is lowered until the image fits, so the caller reads the size from the image;
/// a picture gets no more pixels than it has.
///
/// # Errors
/// [`ReadError::Password`] or [`ReadError::Damaged`] as for reading, [`ReadError::TooLarge`] for a page
/// beyond the last one that is read or a scale that is no positive number.
pub fn page_png(bytes: &[u8], page: u32, scale: f32, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    if let Some(format) = image::sniff(bytes) {
        return image::page_png(bytes, format, page, scale, limits);
    }
    let pdf = pdf::open(bytes)?;
    let count = u32::try_from(pdf.pages().len()).unwrap_or(u32::MAX).min(limits.max_pages);
    let too_large = |limit: String| Err(ReadError::beyond_fixed(limit));
    if page == 0 || page > count {
        return too_large(format!("page numbers (page {page} of {count})"));
    }
    let Some(target) = pdf.pages().get(page as usize - 1) else {
        return too_large(format!("page numbers (page {page} of {count})"));
    };
    if !(scale.is_finite() && scale > 0.0) {
        return too_large(format!("the scale of a page image ({scale})"));
    }
    if pdf::bombs::is_bomb(target, limits.max_expanded_bytes) {
        let limit = format!("expanded bytes ({})", limits.max_expanded_bytes);
        return Err(ReadError::beyond(limit, MAX_EXPANDED));
    }
    drawn(target, fitting_scale(target.render_dimensions(), scale, MAX_PIXELS))
        .into_png()
        .map_err(|error| ReadError::Damaged { detail: format!("page {page} cannot be drawn: {error}") })
}

/// Renders a page in shades of grey for text recognition. Returns the image and its pixels per point,
/// which are fewer than `scale` where the image would be too large.
pub(crate) fn page_grey(page: &Page<'_>, scale: f32) -> (GreyImage, f32) {
    let scale = fitting_scale(page.render_dimensions(), scale, MAX_OCR_PIXELS);
    let pixmap = drawn(page, scale);
    // On white, so that there is no transparency left. Weights of ITU-R BT.601.
    let grey =
        |p: &PremulRgba8| ((u32::from(p.r) * 77 + u32::from(p.g) * 150 + u32::from(p.b) * 29) >> 8) as u8;
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    (GreyImage { width, height, pixels: pixmap.data().iter().map(grey).collect() }, scale)
}

fn drawn(page: &Page<'_>, scale: f32) -> Pixmap {
    let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        // Pixels of a scan that is drawn larger run into each other: steps would be read as parts of letters.
        &RenderSettings { force_image_interpolation: true, ..RenderSettings::default() },
        &settings,
    )
}

/// The scale, lowered where the image would be too large and raised where it would have no pixel.
pub(crate) fn fitting_scale((width, height): (f32, f32), scale: f32, max_pixels: f32) -> f32 {
    let (width, height) = (width.max(0.01), height.max(0.01));
    let by_side = MAX_SIDE / width.max(height);
    let by_area = (max_pixels / (width * height)).sqrt();
    scale.min(by_side).min(by_area).max(1.05 / width.min(height))
}

#[cfg(test)]
mod tests {
    use super::{MAX_PIXELS, fitting_scale};

    #[test]
    fn the_scale_is_lowered_to_fit() {
        assert_eq!(fitting_scale((595.0, 842.0), 2.0, MAX_PIXELS), 2.0);
        // 20,000,000 pixels over an area of 1,000 x 2,000 points: the root of 10.
        assert!((fitting_scale((1000.0, 2000.0), 50.0, MAX_PIXELS) - 10_f32.sqrt()).abs() < 1e-4);
        // A strip of 200 x 1 inches is bounded by its long side.
        assert!((fitting_scale((14_400.0, 72.0), 10.0, MAX_PIXELS) - 16_000.0 / 14_400.0).abs() < 1e-5);
    }
}
