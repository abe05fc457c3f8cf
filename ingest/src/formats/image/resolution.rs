//! How large a picture is meant to be: pixels per inch, where the file says something that can be meant.

use super::ImageFormat;

/// Densities up to this one are a screen's, or what a program writes that knows none.
const SCREEN: f32 = 100.0;
const HIGHEST: f32 = 2_400.0;
/// Sides of a sheet of paper, in inches.
const SMALLEST_SIDE: f32 = 0.5;
const LONGEST_SIDE: f32 = 200.0;
/// Longer side of A4, in inches: what a picture of unknown size is taken for.
const A4: f32 = 11.69;
const INCHES_PER_METRE: f32 = 39.370_08;

/// The density in dots per inch: the declared one, or that of a sheet of A4.
pub(super) fn plausible(declared: Option<f32>, width: u32, height: u32) -> f32 {
    let (longer, shorter) = (width.max(height) as f32, width.min(height) as f32);
    let fits = |dpi: &f32| {
        *dpi > SCREEN && *dpi <= HIGHEST && longer / dpi <= LONGEST_SIDE && shorter / dpi >= SMALLEST_SIDE
    };
    // No coarser than a screen: a small picture is a small piece of a page.
    declared.filter(fits).unwrap_or((longer / A4).max(SCREEN))
}

/// Dots per inch as the file declares them.
pub(super) fn of(bytes: &[u8], format: ImageFormat) -> Option<f32> {
    match format {
        ImageFormat::Png => {
            let dims = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().ok()?.info().pixel_dims?;
            (dims.unit == png::Unit::Meter).then_some(dims.xppu as f32 / INCHES_PER_METRE)
        }
        ImageFormat::Jpeg => jfif(bytes),
        ImageFormat::Bmp => {
            let header = u32::from_le_bytes(bytes.get(14..18)?.try_into().ok()?);
            let per_metre = i32::from_le_bytes(bytes.get(38..42)?.try_into().ok()?);
            (header >= 40 && per_metre > 0).then_some(per_metre as f32 / INCHES_PER_METRE)
        }
        ImageFormat::WebP | ImageFormat::Tiff => None,
    }
}

/// The density in the first segment of a JFIF file.
fn jfif(bytes: &[u8]) -> Option<f32> {
    let segment = bytes.get(2..16)?;
    let (head, rest) = segment.split_at_checked(9)?;
    let [_, _, unit, high, low] = rest else { return None };
    if !head.starts_with(&[0xff, 0xe0]) || head.get(4..9)? != b"JFIF\0" {
        return None;
    }
    let density = f32::from(u16::from_be_bytes([*high, *low]));
    match unit {
        1 => Some(density),
        2 => Some(density * 2.54),
        _ => None,
    }
}
