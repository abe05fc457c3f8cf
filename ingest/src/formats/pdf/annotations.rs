//! Comments and marks on pages: notes, free text, highlights, stamps.

use hayro_syntax::object::{Array, Dict, Name, Number, Rect as PdfRect, String as Text};
use hayro_syntax::page::Page as PdfPage;

use super::info::{date, one_line, shown, text};
use crate::model::{Annotation, Page, Rect};
use crate::text::{label, shortened};

/// Annotations read per page.
const MAX_PER_PAGE: usize = 5_000;
/// Quadrilaterals of one mark.
const MAX_QUADS: usize = 2_000;
/// Longest comment, in characters.
const MAX_CHARS: usize = 20_000;

/// The annotations of a page that say something. Links, popups (the windows of other annotations) and form
/// fields are none of them. `page` is the page as laid out, for the words under a mark.
pub(super) fn read(raw: &PdfPage<'_>, page: &Page) -> Vec<Annotation> {
    let Some(list) = raw.raw().get::<Array<'_>>("Annots") else { return Vec::new() };
    list.iter::<Dict<'_>>().take(MAX_PER_PAGE).filter_map(|dict| annotation(raw, page, &dict)).collect()
}

fn annotation(raw: &PdfPage<'_>, page: &Page, dict: &Dict<'_>) -> Option<Annotation> {
    let subtype = dict.get::<Name<'_>>("Subtype")?.as_str().to_owned();
    let silent =
        ["Link", "Popup", "Widget", "PrinterMark", "TrapNet", "Watermark", "Screen", "3D", "RichMedia"];
    if silent.contains(&subtype.as_str()) {
        return None;
    }
    let string = |key: &str| dict.get::<Text<'_>>(key);
    let mut comment = string("Contents").map(|t| text(&t)).unwrap_or_default();
    if comment.is_empty() && subtype == "Stamp" {
        // A stamp without words of its own is known by its name: Approved, Draft.
        comment = dict.get::<Name<'_>>("Name").map(|n| n.as_str().to_owned()).unwrap_or_default();
    }
    let rect = dict.get::<PdfRect>("Rect").map(|r| shown(raw, &r)).unwrap_or_default();
    let marks = matches!(subtype.as_str(), "Highlight" | "Underline" | "StrikeOut" | "Squiggly");
    let marked = if marks { words_under(page, &quads(raw, dict, rect)) } else { String::new() };
    if comment.is_empty() && marked.is_empty() {
        return None;
    }
    let when = string("M").or_else(|| string("CreationDate")).map(|t| date(&t)).unwrap_or_default();
    Some(Annotation {
        kind: kebab(&subtype),
        rect,
        text: comment.chars().take(MAX_CHARS).collect(),
        marked,
        author: string("T").map(|t| label(&one_line(&t))).unwrap_or_default(),
        date: when,
    })
}

/// `FreeText` as `free-text`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(40) {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// The boxes of a mark: one for each line of marked text.
fn quads(raw: &PdfPage<'_>, dict: &Dict<'_>, rect: Rect) -> Vec<Rect> {
    let Some(points) = dict.get::<Array<'_>>("QuadPoints") else { return vec![rect] };
    let numbers: Vec<f64> = points.iter::<Number>().take(8 * MAX_QUADS).map(|n| n.as_f64()).collect();
    let mut out: Vec<Rect> = Vec::new();
    for quad in numbers.chunks_exact(8) {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in quad.chunks_exact(2) {
            for ((value, low), high) in point.iter().zip(&mut low).zip(&mut high) {
                (*low, *high) = (low.min(*value), high.max(*value));
            }
        }
        out.push(shown(raw, &PdfRect { x0: low[0], y0: low[1], x1: high[0], y1: high[1] }));
    }
    if out.is_empty() { vec![rect] } else { out }
}

fn words_under(page: &Page, quads: &[Rect]) -> String {
    let under = |rect: &Rect| {
        let (x, y) = ((rect[0] + rect[2]) / 2.0, (rect[1] + rect[3]) / 2.0);
        quads.iter().any(|q| x > q[0] && x < q[2] && y > q[1] && y < q[3])
    };
    let words = page.words.iter().filter(|w| under(&w.rect)).map(|w| w.text.as_str());
    shortened(&words.collect::<Vec<_>>().join(" "), MAX_CHARS).into_owned()
}
