//! [`PageGlyphs`] by hayro: its drawing device, reduced to glyphs and rules.

use std::cell::RefCell;

use hayro_interpret::font::{Glyph as PdfGlyph, GlyphRun, OutlineGlyph};
use hayro_interpret::hayro_cmap::WritingMode;
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape, Vec2};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, TransformExt, interpret_page,
};
use hayro_syntax::Pdf;
use hayro_syntax::object::Dict;

use super::glyphs::{Glyph, PageContent, PageGlyphs, Rule};
use super::marked::Marked;
use super::structure::{Places, places};
use super::unicode::FontTexts;

/// Glyphs kept per page; a page of dense text has about 6,000.
const MAX_GLYPHS: usize = 400_000;
/// Rules kept per page; beyond this a page is a drawing and has no tables worth looking for.
const MAX_RULES: usize = 20_000;
/// Filled shapes at most this thick are rules.
const RULE_THICKNESS: f64 = 2.6;
/// Where the cell of a sign in vertical writing begins, above its origin, and where a line's feet would be
/// if it were turned level, right of the origin; in em.
const TOP: f64 = 0.88;
const FOOT: f64 = 0.2;

/// A PDF opened with hayro.
pub(crate) struct HayroPages<'a> {
    pdf: &'a Pdf,
    cache: InterpreterCache<'a>,
    settings: InterpreterSettings,
    texts: RefCell<FontTexts>,
    places: Places,
    /// Bytes that the contents of a page may expand to.
    limit: u64,
}

impl<'a> HayroPages<'a> {
    pub(crate) fn new(pdf: &'a Pdf, limit: u64) -> Self {
        HayroPages {
            pdf,
            cache: InterpreterCache::new(),
            settings: InterpreterSettings::default(),
            texts: RefCell::default(),
            places: places(pdf),
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
        let mut texts = self.texts.borrow_mut();
        let mut device = Recorder {
            content: PageContent { width, height, ..PageContent::default() },
            clips: vec![bounds],
            texts: &mut texts,
            marked: Marked::new(page.raw().obj_id().and_then(|id| self.places.get(&id))),
        };
        interpret_page(page, &mut context, &mut device);
        Some(device.content)
    }
}

struct Recorder<'m> {
    content: PageContent,
    /// Bounding boxes of the clip paths in force, each within the one before; never empty.
    clips: Vec<Rect>,
    texts: &'m mut FontTexts,
    marked: Marked<'m>,
}

impl Recorder<'_> {
    fn clip(&self) -> Rect {
        self.clips.last().copied().unwrap_or(Rect::ZERO)
    }

    fn push_clip(&mut self, bounds: Rect) {
        let cut = self.clip().intersect(bounds);
        self.clips.push(cut);
    }

    fn record_glyph(&mut self, glyph: &PdfGlyph<'_>, placed: Affine, run: &RunLook) {
        let [a, b, c, d, e, f] = placed.as_coeffs();
        let (along, rise) = (a.hypot(b), c.hypot(d));
        let width = match glyph {
            PdfGlyph::Outline(g) => g.advance_width(),
            PdfGlyph::Type3(g) => g.advance_width(),
        };
        let stretch = if run.stretched { rise } else { along };
        let mut advance = f64::from(width.unwrap_or(500.0)) * stretch;
        let mut size = rise * 1000.0;
        if matches!(glyph, PdfGlyph::Type3(_)) && (advance > 1.5 * size || advance * 12.0 < size) {
            // The em of a Type 3 font is whatever its matrix says; the width is the better witness.
            size = advance * 1.8;
        }
        let (sin, cos) = b.atan2(a).sin_cos();
        let mut angle = b.atan2(a);
        let mut origin = Point::new(e, f);
        if run.vertical {
            // Signs stand upright below each other: the line runs down, its feet are at the left.
            advance = size;
            angle += std::f64::consts::FRAC_PI_2;
            origin += Vec2::new(cos * FOOT + sin * TOP, sin * FOOT - cos * TOP) * size;
        }
        if ![origin.x, origin.y, advance, size].iter().all(|v| v.is_finite()) || size < 0.4 {
            return;
        }
        let (sin, cos) = angle.sin_cos();
        let middle = origin
            + Vec2::new(cos * advance / 2.0 + sin * size * 0.3, sin * advance / 2.0 - cos * size * 0.3);
        if !self.clip().inflate(1.0, 1.0).contains(middle) {
            return;
        }
        if self.content.glyphs.len() >= MAX_GLYPHS {
            self.content.cut_off = true;
            return;
        }
        let (text, unmapped) = self.texts.text_of(glyph);
        self.content.glyphs.push(Glyph {
            text,
            x: origin.x as f32,
            y: origin.y as f32,
            angle: (angle.to_degrees().round() as i32).rem_euclid(360) as u16,
            advance: advance as f32,
            size: size as f32,
            bold: run.bold,
            unmapped,
            place: self.marked.place(),
        });
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
        let look = RunLook::of(run, props.transform);
        for glyph in run.glyphs() {
            self.record_glyph(glyph, props.transform * glyph.transform(), &look);
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

    fn begin_marked_content(&mut self, _tag: &[u8], properties: Option<&Dict<'_>>) {
        self.marked.begin(properties, self.content.glyphs.len());
    }

    fn end_marked_content(&mut self) {
        self.marked.end(&mut self.content.glyphs);
    }
}

/// What all glyphs of a run have in common.
struct RunLook {
    bold: bool,
    vertical: bool,
    /// A substitute font is stretched glyph by glyph to the declared widths; the stretch is part of the
    /// transform, but not of the advance.
    stretched: bool,
}

impl RunLook {
    fn of(run: &GlyphRun<'_, '_>, transform: Affine) -> RunLook {
        let scale = |t: Affine| {
            let [a, b, _, _, _, _] = (transform * t).as_coeffs();
            a.hypot(b)
        };
        let first = run.glyphs().first().map_or(0.0, |g| scale(g.transform()));
        let bold = matches!(run.glyphs().first().map(|g| &**g), Some(PdfGlyph::Outline(g)) if is_bold(g));
        RunLook {
            bold,
            vertical: matches!(run.writing_mode(), WritingMode::Vertical),
            stretched: run.glyphs().iter().any(|g| (scale(g.transform()) - first).abs() > 0.01 * first),
        }
    }
}

fn is_bold(glyph: &OutlineGlyph) -> bool {
    glyph.font_data().is_some_and(|f| {
        f.weight.is_some_and(|w| w >= 600)
            || f.postscript_name
                .is_some_and(|n| ["Bold", "Black", "Heavy", "Semibold"].iter().any(|b| n.contains(b)))
    })
}
