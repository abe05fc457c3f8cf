//! The few parts of PDF that made tables need.

use std::fmt::Write as _;

use lopdf::{Dictionary, Document, Object, Stream, dictionary};

/// Advance widths of Helvetica from the space to the tilde, in thousandths of an em.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Width of a text set in Helvetica, in points; bold is a little wider.
pub(super) fn width(text: &str, size: f32, bold: bool) -> f32 {
    let of = |c: char| {
        let index = (c as usize).checked_sub(32);
        f32::from(index.and_then(|i| HELVETICA.get(i)).copied().unwrap_or(556))
    };
    let sum: f32 = text.chars().map(of).sum();
    sum * size / 1000.0 * if bold { 1.06 } else { 1.0 }
}

/// Drawing commands of a page, with the origin at the bottom left.
#[derive(Default)]
pub(super) struct Canvas(String);

impl Canvas {
    /// Text from a baseline origin. Letters beyond Latin-1 are left out.
    pub(super) fn text(&mut self, x: f32, y: f32, size: f32, bold: bool, text: &str) {
        let mut hex = String::new();
        // WinAnsiEncoding equals Latin-1 for the letters used here.
        for code in text.chars().filter_map(|c| u8::try_from(u32::from(c)).ok()) {
            let _ = write!(hex, "{code:02x}");
        }
        let font = if bold { "F2" } else { "F1" };
        let _ = writeln!(self.0, "BT /{font} {size} Tf 1 0 0 1 {x:.2} {y:.2} Tm <{hex}> Tj ET");
    }

    /// A stroked rule.
    pub(super) fn rule(&mut self, x0: f32, y0: f32, x1: f32, y1: f32) {
        let _ = writeln!(self.0, "0.5 w {x0:.2} {y0:.2} m {x1:.2} {y1:.2} l S");
    }

    /// A filled box in a grey from 0 (black) to 1 (white).
    pub(super) fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, grey: f32) {
        let _ = writeln!(self.0, "{grey} g {x:.2} {y:.2} {width:.2} {height:.2} re f 0 g");
    }
}

/// A finished page.
pub(super) struct Sheet {
    pub(super) canvas: Canvas,
    /// A4 across, drawn turned by a quarter onto an upright sheet.
    pub(super) across: bool,
    /// The viewer turns the sheet, so that it is shown across.
    pub(super) shown_turned: bool,
}

/// The bytes of a file with these pages.
pub(super) fn write(sheets: Vec<Sheet>) -> Vec<u8> {
    let mut pdf = Document::with_version("1.7");
    let pages = pdf.new_object_id();
    let font = |name: &str| {
        dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => name, "Encoding" => "WinAnsiEncoding",
        }
    };
    let (plain, bold) = (pdf.add_object(font("Helvetica")), pdf.add_object(font("Helvetica-Bold")));
    let resources = pdf.add_object(dictionary! { "Font" => dictionary! { "F1" => plain, "F2" => bold } });
    let mut kids: Vec<Object> = Vec::new();
    for sheet in sheets {
        let turn = if sheet.across { "0 1 -1 0 595 0 cm\n" } else { "" };
        let content = format!("{turn}{}", sheet.canvas.0);
        let content = pdf.add_object(Stream::new(Dictionary::new(), content.into_bytes()));
        let page = dictionary! {
            "Type" => "Page", "Parent" => pages, "Contents" => content, "Resources" => resources,
            "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()],
            "Rotate" => if sheet.shown_turned { 90 } else { 0 },
        };
        kids.push(pdf.add_object(page).into());
    }
    let count = i64::try_from(kids.len()).unwrap_or(0);
    let tree = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    pdf.objects.insert(pages, Object::Dictionary(tree));
    let catalog = pdf.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    pdf.trailer.set("Root", catalog);
    let mut out = Vec::new();
    // Writing to memory cannot fail; a file that were cut off would fail to read.
    let _ = pdf.save_to(&mut out);
    out
}
