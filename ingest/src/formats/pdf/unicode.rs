//! A glyph's text: what the file declares, else what its font's own tables say, else its code.

use std::collections::HashMap;

use hayro_interpret::font::{Glyph, OutlineGlyph};
use hayro_interpret::hayro_cmap::BfString;
use skrifa::{FontRef, MetadataProvider};
use unicode_normalization::UnicodeNormalization;

use super::bidi::is_rtl;
use super::glyphs::GlyphText;

/// Font programs' character maps turned round, by font: glyph id to character.
#[derive(Default)]
pub(super) struct FontTexts {
    reverse: HashMap<u128, HashMap<u32, char>>,
}

impl FontTexts {
    /// The glyph's text, and whether it is a guess that says little: nothing, or a private sign.
    pub(super) fn text_of(&mut self, glyph: &Glyph<'_>) -> (GlyphText, bool) {
        let declared = match glyph.as_unicode() {
            // Nearly all glyphs of nearly all files.
            Some(BfString::Char(c)) if c.is_ascii_graphic() || c == ' ' => return (GlyphText::One(c), false),
            Some(BfString::Char(c)) => Some(c.to_string()),
            Some(BfString::String(s)) => Some(s),
            None => None,
        };
        if let Some(text) = declared.as_deref().filter(|t| t.chars().any(is_usable)) {
            return (normalise(text).into(), false);
        }
        if let Glyph::Outline(outline) = glyph
            && let Some(c) = self.character_in_font(outline)
        {
            return (normalise(&c.to_string()).into(), false);
        }
        if let Some(private) = declared.filter(|t| t.chars().any(is_private)) {
            return (private.into(), true);
        }
        match char::from_u32(glyph.char_code()) {
            Some(c) if (' '..='~').contains(&c) => (GlyphText::One(c), false),
            Some(c) if ('\u{a1}'..='\u{ff}').contains(&c) && is_simple(glyph) => {
                (normalise(&c.to_string()).into(), false)
            }
            _ => (GlyphText::One('\u{fffd}'), true),
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
}

/// A font of one-byte codes for certain: with a bitmap or Type 1 program. Codes beyond ASCII are most
/// often Latin-1 there.
fn is_simple(glyph: &Glyph<'_>) -> bool {
    match glyph {
        Glyph::Outline(outline) => outline.font_data().is_none(),
        Glyph::Type3(_) => true,
    }
}

/// Not a control character, a private use character or the replacement character.
fn is_usable(c: char) -> bool {
    (!c.is_control() || c.is_whitespace()) && c != '\u{fffd}' && !is_private(c)
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// White space becomes a plain space, typographic ligatures and presentation forms their letters, a soft
/// hyphen a hyphen. The letters of a right-to-left ligature are put as they stand, from the left.
pub(super) fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{fb00}'..='\u{fb06}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => {
                out.extend(std::iter::once(c).nfkc());
            }
            '\u{ad}' | '\u{2010}' | '\u{2011}' => out.push('-'),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            c if c.is_whitespace() => out.push(' '),
            c if is_usable(c) => out.push(c),
            _ => {}
        }
    }
    if out.chars().nth(1).is_some() && out.chars().any(is_rtl) {
        return out.chars().rev().collect();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ligatures_and_presentation_forms_become_letters() {
        assert_eq!(normalise("\u{fb03}"), "ffi");
        assert_eq!(normalise("\u{fb05}"), "st");
        assert_eq!(normalise("\u{a0}\u{200b}"), " ");
        // Lam and alef in one glyph: lam is written first and stands right.
        assert_eq!(normalise("\u{fefb}"), "\u{627}\u{644}");
        assert_eq!(normalise("\u{fe8d}"), "\u{627}");
    }
}
