//! [`PageGlyphs`] by hayro: its drawing device, reduced to glyphs and rules.

use std::cell::RefCell;
use std::collections::HashMap;

use hayro_interpret::font::{Glyph as PdfGlyph, GlyphRun, OutlineGlyph};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, TransformExt, interpret_page,
};
use hayro_syntax::Pdf;
use skrifa::{FontRef, MetadataProvider};

use super::glyphs::{Glyph, PageContent, PageGlyphs, Rule};

/// Glyphs kept per page; a page of dense text has about 6,000.
const MAX_GLYPHS: usize = 400_000;
/// Rules kept per page; beyond this a page is a drawing and has no tables worth looking for.
const MAX_RULES: usize = 20_000;
/// Filled shapes at most this thick are rules.
const RULE_THICKNESS: f64 = 2.6;

/// Font programs' character maps turned round: glyph id to character.
type ReverseMaps = HashMap<u128, HashMap<u32, char>>;

/// A PDF opened with hayro.
pub(crate) struct HayroPages<'a> {
    pdf: &'a Pdf,
    cache: InterpreterCache<'a>,
    settings: InterpreterSettings,
    reverse: RefCell<ReverseMaps>,
    /// Bytes that the contents of a page may expand to.
    limit: u64,
}

impl<'a> HayroPages<'a> {
    pub(crate) fn new(pdf: &'a Pdf, limit: u64) -> Self {
        HayroPages {
            pdf,
            cache: InterpreterCache::new(),
            settings: InterpreterSettings::default(),
            reverse: RefCell::new(HashMap::new()),
            limit,
        }
    }
}

impl PageGlyphs for HayroPages<'_> {
    fn page_count(&self) -> usize {
        self.pdf.pages().len()
    }

    fn page(&self, index: usize) -> Option<PageContent> {
        let page = self.pdf.pages().get(index)?;
        let (width, height) = page.render_dimensions();
        if super::bombs::is_bomb(page, self.limit) {
            return Some(PageContent { width, height, too_large: true, ..PageContent::default() });
        }
        let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let transform = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(transform, bounds, &self.cache, page.xref(), self.settings.clone());
        let mut reverse = self.reverse.borrow_mut();
        let mut device = Recorder {
            content: PageContent { width, height, ..PageContent::default() },
            clips: vec![bounds],
            reverse: &mut reverse,
        };
        interpret_page(page, &mut context, &mut device);
        Some(device.content)
    }
}

struct Recorder<'m> {
    content: PageContent,
    /// Bounding boxes of the clip paths in force, each within the one before; never empty.
    clips: Vec<Rect>,
    reverse: &'m mut ReverseMaps,
}

impl Recorder<'_> {
    fn clip(&self) -> Rect {
        self.clips.last().copied().unwrap_or(Rect::ZERO)
    }

    fn push_clip(&mut self, bounds: Rect) {
        let cut = self.clip().intersect(bounds);
        self.clips.push(cut);
    }

    fn record_glyph(&mut self, glyph: &PdfGlyph<'_>, placed: Affine, unstretched: Option<f64>) {
        let [a, b, c, d, e, f] = placed.as_coeffs();
        let (run, rise) = (a.hypot(b), c.hypot(d));
        let width = match glyph {
            PdfGlyph::Outline(g) => g.advance_width(),
            PdfGlyph::Type3(g) => g.advance_width(),
        };
        let advance = f64::from(width.unwrap_or(500.0)) * unstretched.unwrap_or(run);
        let mut size = rise * 1000.0;
        if matches!(glyph, PdfGlyph::Type3(_)) && (advance > 1.5 * size || advance * 12.0 < size) {
            // The em of a Type 3 font is whatever its matrix says; the width is the better witness.
            size = advance * 1.8;
        }
        if ![e, f, advance, size].iter().all(|v| v.is_finite()) || size < 0.4 {
            return;
        }
        let angle = (b.atan2(a).to_degrees().round() as i32).rem_euclid(360) as u16;
        let (sin, cos) = b.atan2(a).sin_cos();
        let middle = Point::new(
            e + cos * advance / 2.0 + sin * size * 0.3,
            f + sin * advance / 2.0 - cos * size * 0.3,
        );
        if !self.clip().inflate(1.0, 1.0).contains(middle) {
            return;
        }
        if self.content.glyphs.len() >= MAX_GLYPHS {
            self.content.cut_off = true;
            return;
        }
        let (text, unmapped) = self.text_of(glyph);
        let bold = matches!(glyph, PdfGlyph::Outline(g) if is_bold(g));
        self.content.glyphs.push(Glyph {
            text,
            x: e as f32,
            y: f as f32,
            angle,
            advance: advance as f32,
            size: size as f32,
            bold,
            unmapped,
        });
    }

    fn text_of(&mut self, glyph: &PdfGlyph<'_>) -> (String, bool) {
        let declared = match glyph.as_unicode() {
            Some(BfString::Char(c)) => Some(c.to_string()),
            Some(BfString::String(s)) => Some(s),
            None => None,
        };
        if let Some(text) = declared.filter(|t| t.chars().any(is_usable)) {
            return (normalise(&text), false);
        }
        if let PdfGlyph::Outline(outline) = glyph
            && let Some(c) = self.character_in_font(outline)
        {
            return (normalise(&c.to_string()), false);
        }
        match char::from_u32(glyph.char_code()) {
            Some(c) if (' '..='~').contains(&c) => (c.to_string(), false),
            _ => ("\u{fffd}".to_string(), true),
        }
    }

    /// The character whose glyph this is in the embedded font's own character map.
    fn character_in_font(&mut self, glyph: &OutlineGlyph) -> Option<char> {
        let data = glyph.font_data()?;
        let map = self.reverse.entry(data.cache_key).or_insert_with(|| {
            let bytes: &[u8] = (*data.data).as_ref();
            let Ok(font) = FontRef::new(bytes) else { return HashMap::new() };
            let mut map = HashMap::new();
            for (code, id) in font.charmap().mappings() {
                if let Some(c) = char::from_u32(code).filter(|c| is_usable(*c)) {
                    map.entry(id.to_u32()).or_insert(c);
                }
            }
            map
        });
        map.get(&glyph.glyph_id().to_u32()).copied()
    }

    fn record_rule(&mut self, from: Point, to: Point) {
        let bounds = Rect::from_points(from, to);
        let clip = self.clip().inflate(1.0, 1.0);
        if !clip.contains(bounds.center()) || bounds.width().max(bounds.height()) < 4.0 {
            return;
        }
        let cut = bounds.intersect(clip);
        let (mut x0, mut y0, mut x1, mut y1) = (cut.x0, cut.y0, cut.x1, cut.y1);
        if bounds.height() <= RULE_THICKNESS && bounds.width() > bounds.height() {
            y0 = bounds.center().y;
            y1 = y0;
        } else if bounds.width() <= RULE_THICKNESS {
            x0 = bounds.center().x;
            x1 = x0;
        } else {
            return;
        }
        if self.content.rules.len() <= MAX_RULES {
            self.content.rules.push(Rule { x0: x0 as f32, y0: y0 as f32, x1: x1 as f32, y1: y1 as f32 });
        }
    }

    fn record_stroke(&mut self, path: &BezPath) {
        let (mut start, mut at) = (Point::ZERO, Point::ZERO);
        for element in path.elements() {
            match *element {
                PathEl::MoveTo(p) => (start, at) = (p, p),
                PathEl::LineTo(p) => {
                    self.record_rule(at, p);
                    at = p;
                }
                PathEl::ClosePath => {
                    self.record_rule(at, start);
                    at = start;
                }
                PathEl::QuadTo(_, p) | PathEl::CurveTo(_, _, p) => at = p,
            }
        }
    }

    fn record_fill(&mut self, path: &BezPath) {
        let mut bounds: Option<Rect> = None;
        for element in path.elements() {
            match *element {
                PathEl::MoveTo(p) => {
                    self.record_bar(bounds);
                    bounds = Some(Rect::from_points(p, p));
                }
                PathEl::LineTo(p) => bounds = bounds.map(|b| b.union_pt(p)),
                // A curved shape is no rule: make it too thick to be one.
                PathEl::QuadTo(_, p) | PathEl::CurveTo(_, _, p) => {
                    bounds = bounds.map(|b| b.union_pt(p).inflate(RULE_THICKNESS, RULE_THICKNESS));
                }
                PathEl::ClosePath => {}
            }
        }
        self.record_bar(bounds);
    }

    /// A thin filled rectangle is a rule.
    fn record_bar(&mut self, bounds: Option<Rect>) {
        if let Some(b) = bounds.filter(|b| b.width().min(b.height()) <= RULE_THICKNESS) {
            self.record_rule(Point::new(b.x0, b.y0), Point::new(b.x1, b.y1));
        }
    }
}

impl<'a> Device<'a> for Recorder<'_> {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.content.shapes += 1;
        if self.content.rules.len() > MAX_RULES {
            return;
        }
        let placed = props.transform * path.clone();
        match mode {
            DrawMode::Fill(_) => self.record_fill(&placed),
            DrawMode::Stroke(_) | DrawMode::FillAndStroke(..) => self.record_stroke(&placed),
            DrawMode::Invisible => {}
        }
    }

    fn push_clip_path(&mut self, clip_path: &ClipPath) {
        self.push_clip(clip_path.path.bounding_box());
    }

    fn push_clip_rect(&mut self, rect: &Rect) {
        self.push_clip(*rect);
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let scales: Vec<(f64, f64)> = run
            .glyphs()
            .iter()
            .map(|g| {
                let [a, b, c, d, _, _] = (props.transform * g.transform()).as_coeffs();
                (a.hypot(b), c.hypot(d))
            })
            .collect();
        // A substitute font is stretched glyph by glyph to the declared widths; the stretch is part
        // of the transform, but not of the advance.
        let first = scales.first().map_or(0.0, |s| s.0);
        let stretched = scales.iter().any(|s| (s.0 - first).abs() > 0.01 * first);
        for (glyph, (_, rise)) in run.glyphs().iter().zip(&scales) {
            self.record_glyph(glyph, props.transform * glyph.transform(), stretched.then_some(*rise));
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        let drawn = props.transform.transform_rect_bbox(Rect::new(0.0, 0.0, width, height));
        self.content.image_area += drawn.intersect(self.clip()).area().abs() as f32;
    }

    fn pop_clip(&mut self) {
        if self.clips.len() > 1 {
            self.clips.pop();
        }
    }

    fn pop_transparency_group(&mut self) {}
}

fn is_bold(glyph: &OutlineGlyph) -> bool {
    glyph.font_data().is_some_and(|f| {
        f.weight.is_some_and(|w| w >= 600)
            || f.postscript_name
                .is_some_and(|n| ["Bold", "Black", "Heavy", "Semibold"].iter().any(|b| n.contains(b)))
    })
}

/// Not a control character, a private use character or the replacement character.
fn is_usable(c: char) -> bool {
    (!c.is_control() || c.is_whitespace())
        && !matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// White space becomes a plain space, typographic ligatures their letters, a soft hyphen a hyphen.
fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{fb00}' => out.push_str("ff"),
            '\u{fb01}' => out.push_str("fi"),
            '\u{fb02}' => out.push_str("fl"),
            '\u{fb03}' => out.push_str("ffi"),
            '\u{fb04}' => out.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => out.push_str("st"),
            '\u{ad}' | '\u{2010}' | '\u{2011}' => out.push('-'),
            '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            c if c.is_whitespace() => out.push(' '),
            c if is_usable(c) => out.push(c),
            _ => {}
        }
    }
    out
}
