//! One picture, decoded within limits and turned upright.

use std::io::Cursor;

use image::codecs::{bmp::BmpDecoder, jpeg::JpegDecoder, png::PngDecoder, webp::WebPDecoder};
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageError, RgbImage};

use super::{ImageFormat, resolution};
use crate::error::ReadError;
use crate::limits::{Limits, MAX_EXPANDED};
use crate::ocr::GreyImage;
use crate::render;

/// Bytes of decoded pixels of one picture.
pub(super) const MAX_BYTES: u64 = 512 << 20;
/// A larger picture is made smaller before anything else is done with it.
const MANY_PIXELS: u64 = 60_000_000;

/// A picture as it is to be looked at: upright, on white, 8 bits a sample.
pub(super) struct Picture {
    image: DynamicImage,
    /// Pixels per point.
    scale: f32,
}

impl Picture {
    /// A decoded image with what its file says about it.
    pub(super) fn new(image: DynamicImage, orientation: Orientation, dpi: Option<f32>) -> Self {
        let (width, height) = (image.width().max(1), image.height().max(1));
        let dpi = resolution::plausible(dpi, width, height);
        let factor = (u64::from(width) * u64::from(height)).div_ceil(MANY_PIXELS).isqrt_up();
        let mut image = flat(if factor > 1 {
            image.thumbnail_exact((width / factor).max(1), (height / factor).max(1))
        } else {
            image
        });
        image.apply_orientation(orientation);
        Picture { image, scale: dpi / 72.0 / factor as f32 }
    }

    /// Width and height in pixels.
    pub(super) fn pixels(&self) -> (u32, u32) {
        (self.image.width(), self.image.height())
    }

    /// Width and height in points.
    pub(super) fn size_pt(&self) -> (f32, f32) {
        (self.image.width() as f32 / self.scale, self.image.height() as f32 / self.scale)
    }

    fn resized(&self, scale: f32) -> DynamicImage {
        let (width, height) = self.size_pt();
        let side = |points: f32| (points * scale).round().max(1.0) as u32;
        let (width, height) = (side(width), side(height));
        if (width, height) == self.pixels() {
            self.image.clone()
        } else if width < self.image.width() {
            self.image.thumbnail_exact(width, height)
        } else {
            self.image.resize_exact(width, height, FilterType::Triangle)
        }
    }

    /// In shades of grey, with so many pixels per point.
    pub(super) fn grey(mut self, scale: f32) -> GreyImage {
        self.image = DynamicImage::ImageLuma8(self.image.into_luma8());
        let grey = self.resized(scale).into_luma8();
        GreyImage { width: grey.width(), height: grey.height(), pixels: grey.into_raw() }
    }

    /// As PNG with at most so many pixels per point, and no more than there are.
    pub(super) fn to_png(&self, scale: f32) -> Result<Vec<u8>, ReadError> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(ReadError::beyond_fixed(format!("the scale of a page image ({scale})")));
        }
        let scale = render::fitting_scale(self.size_pt(), scale.min(self.scale), render::MAX_PIXELS);
        let mut png = Cursor::new(Vec::new());
        self.resized(scale).write_to(&mut png, image::ImageFormat::Png).map_err(|error| {
            ReadError::Damaged { detail: format!("the picture cannot be drawn: {error}") }
        })?;
        Ok(png.into_inner())
    }
}

trait SquareRoot {
    /// The smallest number whose square is not below this one.
    fn isqrt_up(self) -> u32;
}

impl SquareRoot for u64 {
    fn isqrt_up(self) -> u32 {
        let root = self.isqrt();
        u32::try_from(root + u64::from(root * root < self)).unwrap_or(u32::MAX)
    }
}

/// Eight bits a sample, without transparency.
fn flat(image: DynamicImage) -> DynamicImage {
    use DynamicImage::{ImageLuma8, ImageLuma16, ImageLumaA8, ImageLumaA16, ImageRgb8};
    match image {
        ImageLuma8(_) | ImageRgb8(_) => image,
        ImageLuma16(_) => ImageLuma8(image.into_luma8()),
        ImageLumaA8(_) | ImageLumaA16(_) => {
            let image = image.into_luma_alpha8();
            let on_white = image.pixels().map(|p| over_white(p.0[0], p.0[1])).collect();
            GrayImage::from_raw(image.width(), image.height(), on_white).unwrap_or_default().into()
        }
        _ if image.color().has_alpha() => {
            let image = image.into_rgba8();
            let on_white =
                image.pixels().flat_map(|p| [0, 1, 2].map(|i: usize| over_white(p.0[i], p.0[3]))).collect();
            RgbImage::from_raw(image.width(), image.height(), on_white).unwrap_or_default().into()
        }
        _ => ImageRgb8(image.into_rgb8()),
    }
}

fn over_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u32::from(value), u32::from(alpha));
    ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

/// Decodes a file with one picture.
pub(super) fn decode(bytes: &[u8], format: ImageFormat, limits: &Limits) -> Result<Picture, ReadError> {
    let input = Cursor::new(bytes);
    let named = |error| damaged(format, &error);
    match format {
        ImageFormat::Png => taken(PngDecoder::new(input).map_err(named)?, bytes, format, limits),
        ImageFormat::Jpeg => taken(JpegDecoder::new(input).map_err(named)?, bytes, format, limits),
        ImageFormat::Bmp => taken(BmpDecoder::new(input).map_err(named)?, bytes, format, limits),
        ImageFormat::WebP => taken(WebPDecoder::new(input).map_err(named)?, bytes, format, limits),
        ImageFormat::Tiff => Err(ReadError::Damaged { detail: "a TIFF file is read by pages".into() }),
    }
}

/// Width and height in pixels, as the header says. Of a TIFF file, which has a header for every page, nothing is said.
pub(super) fn pixels(bytes: &[u8], format: ImageFormat) -> Result<(u32, u32), ReadError> {
    let input = Cursor::new(bytes);
    let named = |error| damaged(format, &error);
    Ok(match format {
        ImageFormat::Png => PngDecoder::new(input).map_err(named)?.dimensions(),
        ImageFormat::Jpeg => JpegDecoder::new(input).map_err(named)?.dimensions(),
        ImageFormat::Bmp => BmpDecoder::new(input).map_err(named)?.dimensions(),
        ImageFormat::WebP => WebPDecoder::new(input).map_err(named)?.dimensions(),
        ImageFormat::Tiff => {
            return Err(ReadError::Damaged { detail: "a TIFF file is read by pages".into() });
        }
    })
}

fn taken(
    mut decoder: impl ImageDecoder,
    bytes: &[u8],
    format: ImageFormat,
    limits: &Limits,
) -> Result<Picture, ReadError> {
    let (width, height) = decoder.dimensions();
    check(width, height, decoder.total_bytes(), limits)?;
    let mut bounds = image::Limits::no_limits();
    bounds.max_alloc = Some(MAX_BYTES);
    let named = |error| damaged(format, &error);
    decoder.set_limits(bounds).map_err(named)?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let image = DynamicImage::from_decoder(decoder).map_err(named)?;
    Ok(Picture::new(image, orientation, resolution::of(bytes, format)))
}

/// Refuses a picture by what its header announces, before memory is taken for it.
pub(super) fn check(width: u32, height: u32, bytes: u64, limits: &Limits) -> Result<(), ReadError> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.max_image_pixels {
        let limit = format!("pixels of a picture ({}; it has {width} x {height})", limits.max_image_pixels);
        return Err(ReadError::beyond(limit, "ingest.limits.max_image_pixels"));
    }
    if bytes > MAX_BYTES {
        return Err(beyond_bytes());
    }
    if bytes > limits.max_expanded_bytes {
        let limit = format!("bytes of a decoded picture ({})", limits.max_expanded_bytes);
        return Err(ReadError::beyond(limit, MAX_EXPANDED));
    }
    Ok(())
}

/// A decoded picture that takes more memory than any may.
pub(super) fn beyond_bytes() -> ReadError {
    ReadError::beyond_fixed(format!("bytes of a decoded picture ({MAX_BYTES})"))
}

fn damaged(format: ImageFormat, error: &ImageError) -> ReadError {
    match error {
        ImageError::Limits(_) => beyond_bytes(),
        error => ReadError::Damaged { detail: format!("{}: {error}", format.name()) },
    }
}
