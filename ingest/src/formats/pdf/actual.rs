//! ActualText: what marked glyphs stand for, where the file says so.

use super::glyphs::Glyph;

/// Longest replacement, in characters.
const MAX_CHARS: usize = 10_000;

/// Gives the glyphs from `start` on the text that the file declares for them: their places stay, evenly
/// shared by the characters. Glyphs that say the same already, or stand on several lines, are left alone.
pub(super) fn replace(glyphs: &mut Vec<Glyph>, start: usize, text: &str) {
    let marked = glyphs.get(start..).unwrap_or_default();
    let (Some(first), Some(last)) = (marked.first().cloned(), marked.last().cloned()) else { return };
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let mut drawn = String::new();
    marked.iter().for_each(|g| g.text.push_to(&mut drawn));
    if letters(&drawn) == letters(text) {
        return;
    }
    if text.trim().is_empty() {
        // Decoration: leaders, bullets drawn twice.
        glyphs.truncate(start);
        return;
    }
    let (sin, cos) = f32::from(first.angle).to_radians().sin_cos();
    let along = |g: &Glyph| (g.x - first.x) * cos + (g.y - first.y) * sin;
    let across = |g: &Glyph| (g.y - first.y) * cos - (g.x - first.x) * sin;
    let level = marked.iter().all(|g| g.angle == first.angle && across(g).abs() < 0.5 * first.size);
    let length = along(&last) + last.advance;
    let count = text.chars().count();
    if !level || length <= 0.0 || count > MAX_CHARS {
        return;
    }
    let step = length / count as f32;
    let mut placed: Vec<(String, Glyph)> = Vec::new();
    for (index, c) in text.chars().enumerate() {
        match placed.last_mut() {
            // The letters of a word are one glyph: set too close they would pass for printed twice.
            Some((word, glyph)) if !c.is_whitespace() && !word.starts_with(char::is_whitespace) => {
                word.push(c);
                glyph.advance += step;
            }
            _ => {
                let (x, y) = (first.x + cos * step * index as f32, first.y + sin * step * index as f32);
                placed.push((c.to_string(), Glyph { x, y, advance: step, unmapped: false, ..first.clone() }));
            }
        }
    }
    glyphs.truncate(start);
    glyphs.extend(placed.into_iter().map(|(text, glyph)| Glyph { text: text.into(), ..glyph }));
}
