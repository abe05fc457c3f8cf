//! Document information, and what the other readers of the object model share.

use std::collections::BTreeMap;

use hayro_interpret::TransformExt;
use hayro_interpret::kurbo;
use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, DateTime, Dict, Object, Rect as PdfRect, String as Text};
use hayro_syntax::page::Page;

use crate::model::Rect;

/// The document information dictionary as metadata keys.
pub(super) fn metadata(pdf: &Pdf) -> BTreeMap<String, String> {
    let info = pdf.metadata();
    let mut out = BTreeMap::new();
    let texts = [
        ("title", &info.title),
        ("author", &info.author),
        ("subject", &info.subject),
        ("keywords", &info.keywords),
        ("creator", &info.creator),
        ("producer", &info.producer),
    ];
    for (key, value) in texts {
        let text = value.as_deref().map(one_line).unwrap_or_default();
        if !text.is_empty() {
            out.insert(key.to_string(), text);
        }
    }
    for (key, value) in [("created", &info.creation_date), ("modified", &info.modification_date)] {
        if let Some(date) = value.as_ref().and_then(iso_date) {
            out.insert(key.to_string(), date);
        }
    }
    out
}

/// A text string of the file (UTF-16, UTF-8 or PDFDocEncoding) on one line.
pub(super) fn one_line(bytes: &[u8]) -> String {
    text(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text string of the file with its line breaks.
pub(super) fn text(bytes: &[u8]) -> String {
    let text = lopdf::decode_text_string(&lopdf::Object::string_literal(bytes))
        .unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned());
    let clean: String = text
        .replace("\r\n", "\n")
        .chars()
        .map(|c| if c == '\r' { '\n' } else { c })
        .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
        .collect();
    clean.trim().to_string()
}

/// A date string (`D:20260301093000+01'00'`) as ISO 8601 in the time that it names; empty where it is none.
pub(super) fn date(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let rest = text.strip_prefix("D:").unwrap_or(&text).trim();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).take(14).collect();
    let part = |from: usize, to: usize, or: u32| -> u32 {
        digits.get(from..to).and_then(|p| p.parse().ok()).unwrap_or(or)
    };
    let (year, month, day) = (part(0, 4, 0), part(4, 6, 1), part(6, 8, 1));
    if year == 0 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return String::new();
    }
    if digits.len() < 10 {
        return format!("{year:04}-{month:02}-{day:02}");
    }
    let (hour, minute, second) = (part(8, 10, 0).min(23), part(10, 12, 0).min(59), part(12, 14, 0).min(59));
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

fn iso_date(date: &DateTime) -> Option<String> {
    let (y, m, d) = (date.year, date.month, date.day);
    if y == 0 || !(1..=12).contains(&m) || !(1..=31).contains(&d) {
        return None;
    }
    Some(format!("{y:04}-{m:02}-{d:02}T{:02}:{:02}:{:02}", date.hour, date.minute, date.second))
}

/// Visits the entries of a name tree, at most `limit` of them.
pub(super) fn name_tree<'a>(root: &Dict<'a>, limit: usize, visit: &mut impl FnMut(&[u8], Object<'a>)) {
    let mut open = vec![root.clone()];
    // A tree that runs in a circle ends here as well.
    let mut left = limit;
    while let Some(node) = open.pop() {
        if left == 0 {
            return;
        }
        left -= 1;
        if let Some(names) = node.get::<Array<'_>>("Names") {
            let mut key: Option<Text<'_>> = None;
            for item in names.iter::<Object<'_>>().take(2 * left.max(1)) {
                match key.take() {
                    Some(name) => visit(name.as_bytes(), item),
                    None => key = item.into_string(),
                }
                left = left.saturating_sub(1);
            }
        }
        if let Some(kids) = node.get::<Array<'_>>("Kids") {
            open.extend(kids.iter::<Dict<'_>>().take(left));
        }
    }
}

/// A box of the file as it is shown: origin top left, cut to the page.
pub(super) fn shown(page: &Page<'_>, rect: &PdfRect) -> Rect {
    let raw = kurbo::Rect::new(rect.x0, rect.y0, rect.x1, rect.y1);
    let (width, height) = page.render_dimensions();
    let placed = page.initial_transform(true).to_kurbo().transform_rect_bbox(raw);
    if !placed.is_finite() {
        return Rect::default();
    }
    let round = |v: f64, most: f32| ((v as f32).clamp(0.0, most.max(0.0)) * 100.0).round() / 100.0;
    [round(placed.x0, width), round(placed.y0, height), round(placed.x1, width), round(placed.y1, height)]
}
