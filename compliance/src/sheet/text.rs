//! Shaping, measuring and breaking text.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Face, UnicodeBuffer};

use super::SheetError;

/// A face, for measuring and for drawing.
pub(crate) struct Typeface {
    face: Face<'static>,
    pub(crate) font: Font,
    units: f32,
}

/// A line that is ready to be drawn.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) glyphs: Vec<KrillaGlyph>,
    /// Width in ems; times the size it is points.
    width: f32,
}

impl Line {
    /// Width in points at `size` points.
    pub(crate) fn width(&self, size: f32) -> f32 {
        self.width * size
    }
}

impl Typeface {
    /// The bundled face with that number, see `typst_assets::fonts`.
    pub(crate) fn bundled(index: usize) -> Result<Self, SheetError> {
        let bytes = typst_assets::fonts().nth(index).ok_or(SheetError::Font)?;
        let face = Face::from_slice(bytes, 0).ok_or(SheetError::Font)?;
        let font = Font::new(bytes.into(), 0).ok_or(SheetError::Font)?;
        let units = font.units_per_em();
        Ok(Self { face, font, units })
    }

    /// `text` without line breaks and control characters, and with `?` for what the face does not have.
    fn printable(&self, text: &str) -> String {
        let one = |c: char| match c {
            c if c.is_whitespace() && c != '\u{a0}' => ' ',
            c if c.is_control() || self.face.glyph_index(c).is_none() => '?',
            c => c,
        };
        text.chars().map(one).collect()
    }

    /// Shapes one line.
    pub(crate) fn shape(&self, text: &str) -> Line {
        let text = self.printable(text);
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        buffer.set_direction(rustybuzz::Direction::LeftToRight);
        buffer.guess_segment_properties();
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        let (infos, positions) = (shaped.glyph_infos(), shaped.glyph_positions());
        let mut glyphs = Vec::with_capacity(infos.len());
        let mut width = 0.0;
        for (i, (info, position)) in infos.iter().zip(positions).enumerate() {
            let start = info.cluster as usize;
            let later = infos.iter().skip(i).map(|next| next.cluster as usize).find(|&c| c > start);
            let em = |v: i32| v as f32 / self.units;
            width += em(position.x_advance);
            glyphs.push(KrillaGlyph::new(
                GlyphId::new(info.glyph_id),
                em(position.x_advance),
                em(position.x_offset),
                em(position.y_offset),
                em(position.y_advance),
                start..later.unwrap_or(text.len()),
                None,
            ));
        }
        Line { text, glyphs, width }
    }

    fn fits(&self, text: &str, size: f32, width: f32) -> bool {
        self.shape(text).width(size) <= width
    }

    /// Breaks `text` into at most `max` lines of `width` points. What does not fit is cut, and `cut` is
    /// written after it; the second value is true then.
    pub(crate) fn lines(
        &self,
        text: &str,
        size: f32,
        width: f32,
        max: usize,
        cut: &str,
    ) -> (Vec<Line>, bool) {
        let mut lines = self.wrap(text, size, width, max + 1);
        let is_cut = lines.len() > max;
        if is_cut {
            lines.truncate(max);
            if let Some(last) = lines.last_mut() {
                let ending = format!(" … ({cut})");
                while !last.is_empty() && !self.fits(&format!("{last}{ending}"), size, width) {
                    last.pop();
                }
                *last = format!("{}{ending}", last.trim_end());
            }
        }
        (lines.iter().map(|line| self.shape(line)).collect(), is_cut)
    }

    /// Breaks at spaces, and inside words that are longer than a line; stops after `max` lines.
    fn wrap(&self, text: &str, size: f32, width: f32, max: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            if lines.len() >= max {
                return lines;
            }
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if self.fits(&longer, size, width) {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line = self.break_word(word, size, width, max, &mut lines);
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }

    /// Pushes full lines of a long word and returns its rest.
    fn break_word(&self, word: &str, size: f32, width: f32, max: usize, lines: &mut Vec<String>) -> String {
        let mut rest = word;
        while !self.fits(rest.get(..rest.len().min(400)).unwrap_or(rest), size, width) && lines.len() < max {
            let mut end = 0;
            for (i, c) in rest.char_indices() {
                let next = i + c.len_utf8();
                if end > 0 && !self.fits(rest.get(..next).unwrap_or(rest), size, width) {
                    break;
                }
                end = next;
            }
            let (line, after) = rest.split_at(end);
            lines.push(line.to_owned());
            rest = after;
        }
        rest.to_owned()
    }
}
