//! A drawn page becomes a scan: turned, skewed, faint, noisy. The same every time.

use std::io::Write as _;

use clap::ValueEnum;
use flate2::{Compression, write::ZlibEncoder};
use ingest::GreyImage;
use lopdf::{Document, Object, Stream, dictionary};
use serde::Serialize;

/// What befalls a page on its way through the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Condition {
    /// Greyish paper, a little noise, some specks.
    Plain,
    /// Lying skew by 3 degrees.
    Skew3,
    /// Lying skew by 7 degrees the other way.
    SkewMinus7,
    /// A quarter turn to the right.
    Turn90,
    /// Upside down.
    Turn180,
    /// A quarter turn to the left.
    Turn270,
    /// A bad copy: pale letters on grey paper, with strong noise.
    Faint,
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.to_possible_value().as_ref().map_or("", |v| v.get_name()))
    }
}

/// The scan of a page that was drawn as PNG.
pub(super) fn scan(png: &[u8], condition: Condition) -> Result<GreyImage, String> {
    let page = GreyImage::from_png(png).ok_or("a drawn page is no image")?;
    let (page, black, white, noise) = match condition {
        Condition::Plain => (page, 15, 235, 15),
        Condition::Skew3 => (rotated(&page, 3.0), 15, 235, 15),
        Condition::SkewMinus7 => (rotated(&page, -7.0), 15, 235, 15),
        Condition::Turn90 => (turned(&page, 1), 15, 235, 15),
        Condition::Turn180 => (turned(&page, 2), 15, 235, 15),
        Condition::Turn270 => (turned(&page, 3), 15, 235, 15),
        Condition::Faint => (page, 120, 205, 40),
    };
    Ok(soiled(page, black, white, noise))
}

/// Pixels mapped from black and white to two greys, with noise and specks of dirt.
fn soiled(mut page: GreyImage, black: i32, white: i32, noise: u32) -> GreyImage {
    // Marsaglia's xorshift, seeded the same way every time.
    let mut state = 0x2545_f491_u32;
    for pixel in &mut page.pixels {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let grey = black + i32::from(*pixel) * (white - black) / 255;
        let grey = grey + (state % (2 * noise + 1)) as i32 - noise as i32;
        *pixel = if state.is_multiple_of(20_011) { 60 } else { grey.clamp(0, 255) as u8 };
    }
    page
}

fn turned(page: &GreyImage, quarters: u8) -> GreyImage {
    let (w, h) = (i64::from(page.width), i64::from(page.height));
    let (width, height) =
        if quarters.is_multiple_of(2) { (page.width, page.height) } else { (page.height, page.width) };
    GreyImage::from_fn(width, height, |x, y| {
        let (x, y) = (i64::from(x), i64::from(y));
        match quarters {
            1 => page.at(y, h - 1 - x),
            2 => page.at(w - 1 - x, h - 1 - y),
            _ => page.at(w - 1 - y, x),
        }
    })
}

/// Clockwise, on a larger sheet; the mean of four samples a pixel, as smooth as a scanner's optics.
fn rotated(page: &GreyImage, degrees: f32) -> GreyImage {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (w, h) = (page.width as f32, page.height as f32);
    let (width, height) = (w * cos + h * sin.abs(), h * cos + w * sin.abs());
    GreyImage::from_fn(width as u32, height as u32, |x, y| {
        let (dx, dy) = (x as f32 + 0.5 - width / 2.0, y as f32 + 0.5 - height / 2.0);
        let (x, y) = (w / 2.0 + dx * cos + dy * sin, h / 2.0 - dx * sin + dy * cos);
        let at = |ox: f32, oy: f32| u32::from(page.at((x + ox).floor() as i64, (y + oy).floor() as i64));
        ((at(-0.25, -0.25) + at(0.25, -0.25) + at(-0.25, 0.25) + at(0.25, 0.25)) / 4) as u8
    })
}

/// A PDF whose only page is the image.
pub(super) fn as_pdf(scan: &GreyImage, dpi: f32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (width, height) = (scan.width as f32 * 72.0 / dpi, scan.height as f32 * 72.0 / dpi);
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&scan.pixels)?;
    let mut pdf = Document::with_version("1.5");
    let image = dictionary! {
        "Type" => "XObject", "Subtype" => "Image", "ColorSpace" => "DeviceGray", "BitsPerComponent" => 8,
        "Width" => i64::from(scan.width), "Height" => i64::from(scan.height), "Filter" => "FlateDecode",
    };
    let image = pdf.add_object(Stream::new(image, packer.finish()?));
    let drawing = format!("q {width} 0 0 {height} 0 0 cm /I Do Q");
    let drawing = pdf.add_object(Stream::new(dictionary! {}, drawing.into_bytes()));
    let pages = pdf.new_object_id();
    let sheet: Vec<Object> = vec![0.into(), 0.into(), width.into(), height.into()];
    let page = pdf.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "MediaBox" => sheet, "Contents" => drawing,
        "Resources" => dictionary! { "XObject" => dictionary! { "I" => image } },
    });
    let kids: Vec<Object> = vec![page.into()];
    pdf.objects
        .insert(pages, Object::Dictionary(dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => 1 }));
    let catalog = pdf.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    pdf.trailer.set("Root", catalog);
    let mut out = Vec::new();
    pdf.save_to(&mut out)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `1 2 3 / 4 5 6`, by hand.
    fn small() -> GreyImage {
        GreyImage { width: 3, height: 2, pixels: vec![1, 2, 3, 4, 5, 6] }
    }

    #[test]
    fn quarter_turns_are_clockwise() {
        assert_eq!(turned(&small(), 1).pixels, [4, 1, 5, 2, 6, 3]);
        assert_eq!(turned(&small(), 2).pixels, [6, 5, 4, 3, 2, 1]);
        assert_eq!(turned(&small(), 3).pixels, [3, 6, 2, 5, 1, 4]);
    }

    #[test]
    fn a_page_skewed_to_the_right_falls_to_the_right() {
        // A line along the middle of 200 x 100 pixels; 3 degrees are 5 pixels in 100.
        let page = GreyImage::from_fn(200, 100, |_, y| if y == 50 { 0 } else { 255 });
        let skewed = rotated(&page, 3.0);
        let darkest = |x: u32| (0..skewed.height).min_by_key(|y| skewed.at(x.into(), (*y).into())).unwrap();
        let middle = skewed.width / 2;
        let fall = i64::from(darkest(middle + 76)) - i64::from(darkest(middle - 76));
        assert!((7..=9).contains(&fall), "{fall}");
    }

    #[test]
    fn the_image_is_the_page() {
        let pdf = as_pdf(&GreyImage::from_fn(300, 600, |_, _| 255), 300.0).unwrap();
        let png = ingest::render::page_png(&pdf, 1, 1.0, &ingest::Limits::default()).unwrap();
        let page = GreyImage::from_png(&png).unwrap();
        assert_eq!((page.width, page.height), (72, 144));
    }
}
