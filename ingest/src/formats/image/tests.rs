//! Pictures that another library made (Pillow 12.3 with libtiff), each white with a black square of 8 pixels at the top
//! left as it is stored.

use base64::Engine as _;

use super::*;
use crate::{GreyImage, Locator, OcrProblem, OcrWish, RecordMapping, chunk, read_with};

/// Two pages of 32 x 24 and 40 x 16 pixels, fax group 4, 200 dpi. `save(…, "TIFF", compression="group4", dpi=(200, 200))`
const FAX: &str = "\
    SUkqABYAAAAzAv//k1Bq/////ABABAwAAAEDAAEAAAAgAAAAAQEDAAEAAAAYAAAAAgEDAAEAAAABAAAAAwEDAAEAAAAEAAAABgED\
    AAEAAAABAAAAEQEEAAEAAAAIAAAAFgEDAAEAAAAYAAAAFwEEAAEAAAAOAAAAGgEFAAEAAACsAAAAGwEFAAEAAAC0AAAAHAEDAAEA\
    AAABAAAAKAEDAAEAAAACAAAA1AAAAMgAAAABAAAAyAAAAAEAAAAAAAAASUkqABQAAAAzBq//yag2f/4AIAIMAAABAwABAAAAKAAA\
    AAEBAwABAAAAEAAAAAIBAwABAAAAAQAAAAMBAwABAAAABAAAAAYBAwABAAAAAQAAABEBBAABAAAAyAAAABYBAwABAAAAEAAAABcB\
    BAABAAAADAAAABoBBQABAAAAagEAABsBBQABAAAAcgEAABwBAwABAAAAAQAAACgBAwABAAAAAgAAAAAAAADIAAAAAQAAAMgAAAAB\
    AAAAAAAAAAAA";
/// Colour, LZW, 300 dpi.
const LZW: &str = "\
    SUkqAHQAAACAACBQOCQWDQN/wmFQuGQ2HQ+IRGJQ2DxWLROMRmNRuExaPQWOSGRSGPyUASOUSmISaPyqXS+WR6XzOUTGLzScRubR\
    Wcz2fT+gUGhUOiUWjUekUmlUumU2nU+oVGpVOqVWrVesVmtVuuV2uQENAAABAwABAAAAIAAAAAEBAwABAAAAGAAAAAIBAwADAAAA\
    JgEAAAMBAwABAAAABQAAAAYBAwABAAAAAgAAABEBBAABAAAACAAAABUBAwABAAAAAwAAABYBAwABAAAAGAAAABcBBAABAAAAbAAA\
    ABoBBQABAAAAFgEAABsBBQABAAAAHgEAABwBAwABAAAAAQAAACgBAwABAAAAAgAAAAAAAAAsAQAAAQAAACwBAAABAAAACAAIAAgA";
/// Colour, JPEG in TIFF.
const JPEG_IN_TIFF: &str = "\
    SUkqAFIAAAD/2P/AABEIABgAIANSEQBHEQBCEQD/2gAMA1IARwBCAAA/APMK8wrzCvp2vp2vp2iiiiiiiiiiiiiiiiiiiiiiiiii\
    iiiiv//ZAAsAAAEDAAEAAAAgAAAAAQEDAAEAAAAYAAAAAgEDAAMAAADcAAAAAwEDAAEAAAAHAAAABgEDAAEAAAACAAAAEQEEAAEA\
    AAAIAAAAFQEDAAEAAAADAAAAFgEDAAEAAAAYAAAAFwEEAAEAAABJAAAAHAEDAAEAAAABAAAAWwEHACEBAADiAAAAAAAAAAgACAAI\
    AP/Y/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/8QA\
    HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEI\
    I0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT\
    lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9k=";
/// Grey, 150 dpi, EXIF orientation 6: to be turned clockwise.
const JPEG: &str = "\
    /9j/4AAQSkZJRgABAQEAlgCWAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDABALDA4MChAODQ4SERAT\
    GCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAYACABAREA/8QAFgABAQEAAAAA\
    AAAAAAAAAAAAAAcI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwCftAAAAD//2Q==";
/// 200 dpi; black on transparent.
const PNG: &str = "\
    iVBORw0KGgoAAAANSUhEUgAAACAAAAAYCAYAAACbU/80AAAACXBIWXMAAB7CAAAewgFu0HU+AAAAJklEQVR42u3OMREAIAwAsS/+\
    PYMDNo4lUZCpdnfTQ6vPBAQEAAAOudwBEJqtBeUAAAAASUVORK5CYII=";
/// Two colours, 200 dpi.
const BMP: &str = "\
    Qk2eAAAAAAAAAD4AAAAoAAAAIAAAABgAAAABAAEAAAAAAGAAAADCHgAAwh4AAAIAAAACAAAAAAAAAP///wD/////////////////\
    ////////////////////////////////////////////////////////////////////AP///wD///8A////AP///wD///8A////\
    AP///wD///8=";
/// Lossless.
const WEBP: &str = "\
    UklGRioAAABXRUJQVlA4TB4AAAAvH8AFAA8w//M///MfeCCTtql/07nHDET0fwLC5h8=";

/// One of each sort, with a name, for tests of damage.
pub(crate) fn all() -> Vec<(Vec<u8>, &'static str)> {
    let named = [
        (FAX, "a.tif"),
        (LZW, "b.tif"),
        (JPEG_IN_TIFF, "c.tif"),
        (JPEG, "a.jpg"),
        (PNG, "a.png"),
        (BMP, "a.bmp"),
        (WEBP, "a.webp"),
    ];
    named.into_iter().map(|(base64, name)| (bytes(base64), name)).collect()
}

fn bytes(base64: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(base64).unwrap()
}

/// Sees the same words on every image, and notes how large those are.
struct Seen(&'static str, Vec<(u32, u32)>);

impl Recogniser for Seen {
    fn languages(&self) -> Result<&str, OcrProblem> {
        Ok("deu")
    }

    fn ask(&mut self, wish: OcrWish, image: &GreyImage) -> Result<Vec<u8>, OcrProblem> {
        self.1.push((image.width, image.height));
        Ok(if wish != OcrWish::Orientation { self.0.as_bytes().to_vec() } else { Vec::new() })
    }
}

fn read_seen(bytes: &[u8], seen: &mut Seen, limits: &Limits) -> Result<Document, ReadError> {
    read_with(bytes, "IMG_0042.bin", limits, &RecordMapping::default(), seen)
}

/// Width, height and the grey of a page's corners, from the top left, clockwise, 4 pixels from the edges.
fn corners(bytes: &[u8], page: u32) -> (u32, u32, [bool; 4]) {
    let png = render::page_png(bytes, page, 100.0, &Limits::default()).unwrap();
    let image = GreyImage::from_png(&png).unwrap();
    let (w, h) = (i64::from(image.width), i64::from(image.height));
    let dark = |x, y| image.at(x, y) < 100;
    (image.width, image.height, [dark(4, 4), dark(w - 4, 4), dark(w - 4, h - 4), dark(4, h - 4)])
}

#[test]
fn pictures_of_every_format_are_upright_and_of_the_size_that_they_name() {
    const TOP_LEFT: [bool; 4] = [true, false, false, false];
    // Page, pixels, dark corners.
    let cases = [
        (FAX, 1, (32, 24), TOP_LEFT),
        (FAX, 2, (40, 16), TOP_LEFT),
        (LZW, 1, (32, 24), TOP_LEFT),
        (JPEG_IN_TIFF, 1, (32, 24), TOP_LEFT),
        (JPEG, 1, (24, 32), [false, true, false, false]),
        (PNG, 1, (32, 24), TOP_LEFT),
        (BMP, 1, (32, 24), TOP_LEFT),
        (WEBP, 1, (32, 24), TOP_LEFT),
    ];
    for (index, (file, page, (width, height), dark)) in cases.into_iter().enumerate() {
        assert_eq!(corners(&bytes(file), page), (width, height, dark), "case {index}");
    }
    let document = read_seen(&bytes(FAX), &mut Seen("", vec![]), &Limits::default()).unwrap();
    assert_eq!((document.kind, document.pages.len()), (Kind::Image, 2));
    assert_eq!((&*document.metadata["format"], &*document.title), ("TIFF", "IMG_0042"));
}

#[test]
fn densities_are_those_of_the_file_where_they_can_be_meant() {
    let of = |file, format| resolution::of(&bytes(file), format).map(f32::round);
    assert_eq!(of(PNG, ImageFormat::Png), Some(200.0));
    assert_eq!(of(JPEG, ImageFormat::Jpeg), Some(150.0));
    assert_eq!(of(BMP, ImageFormat::Bmp), Some(200.0));
    // A sheet of A4 at 200 dpi; a photograph of 12 megapixels that says 72; a picture from a screen.
    assert_eq!(resolution::plausible(Some(200.0), 1654, 2339), 200.0);
    assert_eq!(resolution::plausible(Some(72.0), 4000, 3000).round(), 342.0);
    assert_eq!(resolution::plausible(Some(96.0), 800, 600), 100.0);
    assert_eq!(resolution::plausible(Some(1e9), 1654, 2339).round(), 200.0);
}

/// A white PNG with this density.
fn sheet(width: u32, height: u32, dpi: f32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let per_metre = (dpi / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![255; width as usize * height as usize]).unwrap();
    writer.finish().unwrap();
    out
}

#[test]
fn words_of_a_picture_stand_where_they_are_seen() {
    // Asked for at 300 dpi: 300 pixels are 72 points.
    const WORDS: &str = "5\t1\t1\t1\t1\t1\t300\t600\t300\t50\t96\tWand\n5\t1\t1\t1\t1\t2\t630\t600\t150\t50\t84\tB12\n\
         5\t1\t1\t1\t1\t3\t800\t600\t150\t50\t90\tEI60\n";
    let mut seen = Seen(WORDS, vec![]);
    let document = read_seen(&sheet(800, 1200, 200.0), &mut seen, &Limits::default()).unwrap();
    assert_eq!(seen.1, [(1200, 1800)]);
    let page = &document.pages[0];
    assert_eq!((page.width_pt.round(), page.height_pt.round()), (288.0, 432.0));
    let [x0, _, x1, _] = page.words[0].rect;
    assert!((x0 - 72.0).abs() < 0.1 && (x1 - 144.0).abs() < 0.1, "{:?}", page.words);
    assert!(page.ocr_confidence.is_some() && document.warnings.is_empty());
    let chunks = chunk(&document, &crate::ChunkOptions::default());
    assert_eq!(chunks[0].kind, Kind::Image);
    assert!(matches!(&chunks[0].locator, Locator::Pdf { page: 1, boxes } if !boxes.is_empty()));
}

#[test]
fn a_picture_without_text_is_a_document_that_says_so() {
    let codes = |file: &[u8], seen: &mut Seen| -> Vec<String> {
        let document = read_seen(file, seen, &Limits::default()).unwrap();
        document.warnings.iter().map(|w| format!("{}:{}", w.code, w.page.unwrap_or(0))).collect()
    };
    assert_eq!(codes(&sheet(400, 300, 72.0), &mut Seen("", vec![])), ["no-text:1"]);
    let mut icon = Seen("5\t1\t1\t1\t1\t1\t1\t1\t9\t9\t96\tx\n", vec![]);
    assert_eq!(codes(&bytes(FAX), &mut icon), ["no-text:1", "no-text:2"]);
    assert!(icon.1.is_empty(), "an icon is not worth a look");
}

#[test]
fn photographs_of_telephones_are_named() {
    let error = crate::sniff(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "IMG_1.HEIC");
    assert_eq!(error, None);
    let error = crate::read(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "IMG_1.HEIC", &Limits::default());
    let reason = error.unwrap_err().to_string();
    assert!(reason.contains("HEIC") && reason.contains("JPEG"), "{reason}");
}

/// The file with the numbers of its header overwritten, checksums put right.
fn announcing(file: &str, side: u32) -> Vec<u8> {
    let mut file = bytes(file);
    let replace = |file: &mut Vec<u8>, at: usize, new: &[u8]| file[at..at + new.len()].copy_from_slice(new);
    match sniff(&file) {
        Some(ImageFormat::Png) => {
            replace(&mut file, 16, &side.to_be_bytes());
            replace(&mut file, 20, &side.to_be_bytes());
            let mut crc = flate2::Crc::new();
            crc.update(&file[12..29]);
            replace(&mut file, 29, &crc.sum().to_be_bytes());
        }
        Some(ImageFormat::Bmp) => {
            replace(&mut file, 18, &side.to_le_bytes());
            replace(&mut file, 22, &side.to_le_bytes());
        }
        Some(ImageFormat::Tiff) => {
            // Entries of the first directory: tag, type 4 (long) or 3 (short), count, value.
            let table = u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
            let count = usize::from(u16::from_le_bytes([file[table], file[table + 1]]));
            for entry in (0..count).map(|i| table + 2 + 12 * i) {
                if matches!(u16::from_le_bytes([file[entry], file[entry + 1]]), 256 | 257 | 278) {
                    replace(&mut file, entry + 2, &[4, 0, 1, 0, 0, 0]);
                    replace(&mut file, entry + 8, &side.to_le_bytes());
                }
            }
        }
        _ => {
            let at = file.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
            let side = side.min(65_535) as u16;
            replace(&mut file, at + 5, &side.to_be_bytes());
            replace(&mut file, at + 7, &side.to_be_bytes());
        }
    }
    file
}

#[test]
fn what_announces_more_pixels_than_may_be_is_refused_by_its_header() {
    for file in [PNG, BMP, LZW, JPEG] {
        let begun = std::time::Instant::now();
        let read = crate::read(&announcing(file, 60_000), "gross", &Limits::default());
        let Err(ReadError::TooLarge { limit, .. }) = read else { panic!("{read:?}") };
        assert!(limit.contains("60000 x 60000"), "{limit}");
        assert!(begun.elapsed().as_millis() < 200, "refused before anything is expanded");
    }
    // Of a file with several pages, the page is refused that announces them.
    let fax = crate::read(&announcing(FAX, 60_000), "gross.tif", &Limits::default()).unwrap();
    assert!(fax.warnings[0].message.contains("60000 x 60000") && fax.pages.len() == 2, "{:?}", fax.warnings);
    let few = Limits { max_image_pixels: 500, ..Limits::default() };
    assert!(matches!(crate::read(&bytes(WEBP), "w", &few), Err(ReadError::TooLarge { .. })));
}

#[test]
fn damage_costs_the_page_that_has_it() {
    let read = |bytes: &[u8]| crate::read(bytes, "scan", &Limits::default());
    for file in [PNG, JPEG_IN_TIFF, LZW, WEBP] {
        let mut file = bytes(file);
        file.truncate(file.len() * 2 / 5);
        assert!(matches!(read(&file), Err(ReadError::Damaged { .. })), "{:?}", read(&file));
    }
    // The second page of the fax says that it lies beyond the end of the file.
    let mut fax = bytes(FAX);
    let first = u32::from_le_bytes(fax[4..8].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes([fax[first], fax[first + 1]]));
    let link = first + 2 + 12 * count;
    let second = u32::from_le_bytes(fax[link..link + 4].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes([fax[second], fax[second + 1]]));
    let strips = (0..count).map(|i| second + 2 + 12 * i).find(|e| fax[*e..*e + 2] == [0x11, 1]).unwrap();
    fax[strips + 8..strips + 12].copy_from_slice(&9_999_u32.to_le_bytes());
    let document = read(&fax).unwrap();
    assert_eq!(document.pages.len(), 2);
    let codes: Vec<(&str, Option<u32>)> = document.warnings.iter().map(|w| (&*w.code, w.page)).collect();
    assert_eq!(codes, [("no-text", Some(1)), ("page-damaged", Some(2))]);
}
