//! TIFF as scanners write it: several pages, fax (group 4), LZW, deflate and JPEG compression.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, RgbImage};
use tiff::decoder::{Decoder, DecodingResult, Limits as DecoderLimits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

use super::picture::{MAX_BYTES, Picture, beyond_bytes, check};
use crate::error::ReadError;
use crate::limits::Limits;

/// Longest table of strips or tiles: one entry for a row of a very long page.
const MAX_TABLE_BYTES: usize = 8 << 20;

/// A file of pages, at one of them.
pub(super) struct File<'a> {
    decoder: Decoder<Cursor<&'a [u8]>>,
}

impl<'a> File<'a> {
    /// Stands at the first page.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let mut bounds = DecoderLimits::default();
        bounds.decoding_buffer_size = MAX_BYTES as usize;
        bounds.intermediate_buffer_size = MAX_BYTES as usize;
        bounds.ifd_value_size = MAX_TABLE_BYTES;
        let decoder = Decoder::new(Cursor::new(bytes)).map_err(|e| damaged(&e))?;
        Ok(File { decoder: decoder.with_limits(bounds) })
    }

    /// Goes to the next page; false where there is none, or none that can be found.
    pub(super) fn next(&mut self) -> bool {
        self.decoder.more_images() && self.decoder.next_image().is_ok()
    }

    /// The page.
    pub(super) fn picture(&mut self, limits: &Limits) -> Result<Picture, ReadError> {
        let (width, height) = self.decoder.dimensions().map_err(|e| damaged(&e))?;
        let color = self.decoder.colortype().map_err(|e| damaged(&e))?;
        let bits = u64::from(color.bit_depth()) * u64::from(color.num_samples());
        let bytes = (u64::from(width) * bits).div_ceil(8).saturating_mul(u64::from(height));
        check(width, height, bytes.max(u64::from(width) * u64::from(height)), limits)?;
        let dpi = self.dpi();
        let turn: Option<u16> = self.decoder.find_tag_unsigned(Tag::Orientation).ok().flatten();
        let turn = turn.and_then(|t| Orientation::from_exif(u8::try_from(t).ok()?));
        let samples = match self.decoder.read_image().map_err(|e| damaged(&e))? {
            DecodingResult::U8(samples) => samples,
            // The upper half of each sample.
            DecodingResult::U16(samples) => samples.into_iter().map(|s| (s >> 8) as u8).collect(),
            _ => return Err(unread(format!("samples of {} bits", color.bit_depth()))),
        };
        let image = image(&samples, color, width, height)?;
        Ok(Picture::new(image, turn.unwrap_or(Orientation::NoTransforms), dpi))
    }

    fn dpi(&mut self) -> Option<f32> {
        let density = self.decoder.get_tag_f32(Tag::XResolution).ok()?;
        let unit: Option<u16> = self.decoder.find_tag_unsigned(Tag::ResolutionUnit).ok().flatten();
        match unit.unwrap_or(2) {
            2 => Some(density),
            3 => Some(density * 2.54),
            _ => None,
        }
    }
}

/// Samples of a page as an image.
fn image(samples: &[u8], color: ColorType, width: u32, height: u32) -> Result<DynamicImage, ReadError> {
    let area = width as usize * height as usize;
    // A file that keeps its colours apart gives the first of them.
    let plane = samples.len() == area && color.num_samples() > 1;
    let grey = |pixels: Vec<u8>| GrayImage::from_raw(width, height, pixels).map(DynamicImage::from);
    let rgb = |pixels: Vec<u8>| RgbImage::from_raw(width, height, pixels).map(DynamicImage::from);
    let per = |n: usize| samples.chunks_exact(n);
    let image = match color {
        _ if plane => grey(samples.to_vec()),
        ColorType::Gray(8 | 16) => grey(samples.to_vec()),
        ColorType::Gray(bits @ (1 | 2 | 4)) => grey(unpacked(samples, bits, width as usize)),
        ColorType::Multiband { bit_depth: 8 | 16, num_samples } => {
            grey(per(usize::from(num_samples)).filter_map(|s| s.first().copied()).collect())
        }
        ColorType::RGB(8 | 16) => rgb(samples.to_vec()),
        ColorType::RGBA(8 | 16) => {
            image::RgbaImage::from_raw(width, height, samples.to_vec()).map(DynamicImage::from)
        }
        ColorType::CMYK(8 | 16) => rgb(per(4).flat_map(inks).collect()),
        ColorType::YCbCr(8) => rgb(per(3).flat_map(light).collect()),
        other => return Err(unread(format!("{other:?}"))),
    };
    image.ok_or_else(|| ReadError::Damaged { detail: "TIFF: fewer pixels than its header says".into() })
}

/// Samples of 1, 2 or 4 bits as bytes; every row starts at a byte.
fn unpacked(samples: &[u8], bits: u8, width: usize) -> Vec<u8> {
    let row_bytes = (width * usize::from(bits)).div_ceil(8).max(1);
    let highest = (1_u16 << bits) - 1;
    let scale = |sample: u16| (sample * (255 / highest)) as u8;
    let mut out = Vec::with_capacity(samples.len() / row_bytes * width);
    for row in samples.chunks_exact(row_bytes) {
        let all = row.iter().flat_map(|byte| {
            (0..8 / bits).rev().map(move |place| scale(u16::from(*byte) >> (place * bits) & highest))
        });
        out.extend(all.take(width));
    }
    out
}

/// Red, green and blue of what four inks leave.
fn inks(sample: &[u8]) -> [u8; 3] {
    let at = |i: usize| u32::from(sample.get(i).copied().unwrap_or(0));
    [0, 1, 2].map(|i| ((255 - at(i)) * (255 - at(3)) / 255) as u8)
}

/// Red, green and blue of brightness and two differences (ITU-R BT.601, as JPEG has it).
fn light(sample: &[u8]) -> [u8; 3] {
    let at = |i: usize| f32::from(sample.get(i).copied().unwrap_or(0));
    let (y, blue, red) = (at(0), at(1) - 128.0, at(2) - 128.0);
    [y + 1.402 * red, y - 0.344_136 * blue - 0.714_136 * red, y + 1.772 * blue].map(|v| v.round() as u8)
}

fn unread(what: String) -> ReadError {
    ReadError::Outdated { found: format!("a TIFF image with {what}"), save_as: "PDF or PNG".into() }
}

fn damaged(error: &TiffError) -> ReadError {
    match error {
        TiffError::LimitsExceeded => beyond_bytes(),
        TiffError::UnsupportedError(what) => unread(what.to_string()),
        other => ReadError::Damaged { detail: format!("TIFF: {other}") },
    }
}
