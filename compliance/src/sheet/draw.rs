//! Marks on the page: tagged text, rules, squares, the QR code.

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag};

use super::SheetError;
use super::text::{Line, Typeface};

/// Colours of the sheet: red, green, blue.
pub(crate) type Colour = (u8, u8, u8);
/// Text.
pub(crate) const INK: Colour = (0x1a, 0x1d, 0x20);
/// Labels and query codes; dark enough to be read in print (contrast 6.5 to 1 on white).
pub(crate) const GREY: Colour = (0x55, 0x5d, 0x66);
/// Title and section heads.
pub(crate) const ACCENT: Colour = (0x14, 0x4b, 0x5e);
/// Hairlines.
pub(crate) const HAIR: Colour = (0xc4, 0xcc, 0xd1);
/// Something is wrong.
pub(crate) const RED: Colour = (0xb3, 0x26, 0x1e);
/// Something is missing.
pub(crate) const AMBER: Colour = (0xc7, 0x7d, 0x0a);

/// The faces in use.
pub(crate) struct Faces {
    pub(crate) regular: Typeface,
    pub(crate) semibold: Typeface,
}

impl Faces {
    pub(crate) fn load() -> Result<Self, SheetError> {
        // Libertinus Serif Regular and Semibold, by their place in `typst_assets::fonts`.
        Ok(Self { regular: Typeface::bundled(0)?, semibold: Typeface::bundled(4)? })
    }
}

/// The page while it is being drawn. Coordinates are points from the top left corner.
pub(crate) struct Pen<'a> {
    surface: Surface<'a>,
    /// Smallest text so far, in points.
    pub(crate) smallest: f32,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(surface: Surface<'a>) -> Self {
        Self { surface, smallest: f32::MAX }
    }

    pub(crate) fn finish(self) {
        self.surface.finish();
    }

    fn fill(&mut self, colour: Colour) {
        let (r, g, b) = colour;
        let paint = rgb::Color::new(r, g, b).into();
        self.surface.set_fill(Some(Fill { paint, opacity: NormalizedF32::ONE, rule: FillRule::NonZero }));
    }

    /// Sets one line with its baseline at `y`; returns the mark for the tag tree.
    pub(crate) fn line(
        &mut self,
        line: &Line,
        face: &Typeface,
        size: f32,
        colour: Colour,
        x: f32,
        y: f32,
    ) -> Node {
        self.smallest = self.smallest.min(size);
        self.fill(colour);
        let id: Identifier = self.surface.start_tagged(ContentTag::Span(SpanTag::empty()));
        let start = Point::from_xy(x, y);
        self.surface.draw_glyphs(start, &line.glyphs, face.font.clone(), &line.text, size, false);
        self.surface.end_tagged();
        id.into()
    }

    /// A line that stands on every page and is not read out.
    pub(crate) fn artifact(
        &mut self,
        line: &Line,
        face: &Typeface,
        size: f32,
        colour: Colour,
        x: f32,
        y: f32,
    ) {
        self.smallest = self.smallest.min(size);
        self.fill(colour);
        self.surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Footer)));
        let start = Point::from_xy(x, y);
        self.surface.draw_glyphs(start, &line.glyphs, face.font.clone(), &line.text, size, false);
        self.surface.end_tagged();
    }

    /// A filled rectangle that carries no meaning.
    pub(crate) fn ornament(&mut self, colour: Colour, x: f32, y: f32, width: f32, height: f32) {
        self.fill(colour);
        let artifact = ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout));
        self.surface.start_tagged(artifact);
        if let Some(path) = rectangles([(x, y, width, height)]) {
            self.surface.draw_path(&path);
        }
        self.surface.end_tagged();
    }

    /// A QR code with its quiet zone in a square of `side` points; returns the mark for the tag tree, or
    /// nothing if the text is too long for a code.
    pub(crate) fn qr(&mut self, text: &str, x: f32, y: f32, side: f32) -> Option<Node> {
        let code = qrcode::QrCode::with_error_correction_level(text, qrcode::EcLevel::M).ok()?;
        let modules = code.width();
        let unit = side / (modules + 8) as f32;
        let colours = code.to_colors();
        let dark = colours.iter().enumerate().filter(|(_, c)| **c == qrcode::Color::Dark);
        let squares = dark.map(|(i, _)| {
            let (column, row) = ((i % modules + 4) as f32, (i / modules + 4) as f32);
            (x + column * unit, y + row * unit, unit, unit)
        });
        let path = rectangles(squares)?;
        self.fill((0, 0, 0));
        let id = self.surface.start_tagged(ContentTag::Other);
        self.surface.draw_path(&path);
        self.surface.end_tagged();
        Some(id.into())
    }
}

fn rectangles(list: impl IntoIterator<Item = (f32, f32, f32, f32)>) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (x, y, width, height) in list {
        builder.push_rect(Rect::from_xywh(x, y, width, height)?);
    }
    builder.finish()
}
