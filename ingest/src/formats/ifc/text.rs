//! Strings of a STEP file as text: its own character set, doubled quotes, escapes.

use std::borrow::Cow;

use encoding_rs::{Encoding, SHIFT_JIS, WINDOWS_1252};
use ifc_lite_core::decode_ifc_string;

/// Bytes beyond ASCII that are looked at to tell the character set.
const SAMPLE: usize = 20_000;

/// What strings are written in that are no UTF-8. STEP is ASCII with escapes; programs write UTF-8 or the
/// code page of their machine all the same, sometimes both in one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Charset(&'static Encoding);

impl Charset {
    /// Looks at a whole file.
    pub(super) fn of(content: &[u8]) -> Self {
        if std::str::from_utf8(content).is_ok() || !is_shift_jis(content) {
            return Charset(WINDOWS_1252);
        }
        Charset(SHIFT_JIS)
    }

    /// Bytes as characters, escapes left as they are.
    pub(super) fn decode<'a>(self, bytes: &'a [u8]) -> Cow<'a, str> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => self.0.decode_without_bom_handling(bytes).0,
        }
    }

    /// Text of a literal without its outer quotes.
    pub(super) fn literal<'a>(self, inner: &'a [u8]) -> Cow<'a, str> {
        let text = self.decode(inner);
        // Quotes first: an escape may stand for one.
        let text = if text.contains("''") { Cow::Owned(text.replace("''", "'")) } else { text };
        match text {
            Cow::Borrowed(text) => decode_ifc_string(text),
            Cow::Owned(text) => Cow::Owned(decode_ifc_string(&text).into_owned()),
        }
    }
}

/// Japanese text is made of pairs whose first byte mostly is one that Western text has for rare signs.
fn is_shift_jis(content: &[u8]) -> bool {
    let (mut pairs, mut kana, mut other) = (0_usize, 0_usize, 0_usize);
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            0x81..=0x9f | 0xe0..=0xfc => match bytes.next() {
                Some(0x40..=0x7e | 0x80..=0xfc) => {
                    pairs += 1;
                    kana += usize::from(matches!(byte, 0x81..=0x9f));
                }
                _ => other += 1,
            },
            0x80.. => other += 1,
            _ => {}
        }
        if pairs + other > SAMPLE {
            break;
        }
    }
    pairs > 0 && kana * 2 > pairs && other * 10 <= pairs
}

/// Runs of white space, line breaks among them, become one space; nothing is copied where there is none.
pub(super) fn tidy(text: Cow<'_, str>) -> String {
    let odd = |c: char| c.is_whitespace() && c != ' ';
    if text.contains(odd) || text.contains("  ") || text.starts_with(' ') || text.ends_with(' ') {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    text.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> String {
        tidy(Charset::of(bytes).literal(bytes))
    }

    #[test]
    fn escapes_of_the_standard() {
        // ISO 10303-21, 6.4.3: each line is one of its forms for 'Gr\u{fc}n', or an example of its own.
        for literal in
            ["Gr\\X2\\00FC\\X0\\n", "Gr\\X\\FCn", "Gr\\S\\|n", "Gr\\X4\\000000FC\\X0\\n", "Gr\u{fc}n"]
        {
            assert_eq!(read(literal.as_bytes()), "Gr\u{fc}n", "{literal}");
        }
        assert_eq!(read(b"\\PE\\\\S\\0"), "\u{410}", "part 5 of ISO 8859: Cyrillic");
        assert_eq!(read(b"O''Brien \\\\server\\\\a"), "O'Brien \\server\\a");
        assert_eq!(read(b"\\X2\\D83DDE00\\X0\\"), "\u{1f600}", "a pair of UTF-16 units");
    }

    #[test]
    fn bytes_of_code_pages() {
        assert_eq!(read(b"Gr\xfcn \x96 W\xe4nde 20 \x80"), "Gr\u{fc}n \u{2013} W\u{e4}nde 20 \u{20ac}");
        // "壁 スラブ" (wall, slab) by `iconv -f UTF-8 -t SHIFT_JIS`; its third sign ends in a backslash's byte.
        let japanese = b"\x95\xc7 \x83X\x83\x89\x83u \x83\x5c";
        assert_eq!(read(japanese), "\u{58c1} \u{30b9}\u{30e9}\u{30d6} \u{30bd}");
    }

    #[test]
    fn white_space_is_plain() {
        assert_eq!(read(b" Wand\n  Typ\t2 "), "Wand Typ 2");
    }
}
