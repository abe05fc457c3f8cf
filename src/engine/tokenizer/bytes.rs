//! GPT-2's alphabet: one printable character for each byte, so that any bytes can be written as text.

/// The character for a byte: itself where it prints, else one of U+0100 and up, in the order of the bytes.
const fn table() -> [char; 256] {
    let mut table = ['\0'; 256];
    let (mut byte, mut next) = (0_u32, 0x100_u32);
    while byte < 256 {
        let prints = matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
        let code = if prints { byte } else { next };
        if !prints {
            next += 1;
        }
        table[byte as usize] = match char::from_u32(code) {
            Some(c) => c,
            None => '\0',
        };
        byte += 1;
    }
    table
}

const CHARS: [char; 256] = table();

/// The character that stands for a byte.
pub(super) fn character(byte: u8) -> char {
    CHARS[byte as usize]
}

/// Appends the bytes that the characters of `token` stand for; a character outside the alphabet stands for
/// itself.
pub(super) fn decode_byte_level(token: &str, out: &mut Vec<u8>) {
    for c in token.chars() {
        match byte(c) {
            Some(byte) => out.push(byte),
            None => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// The byte that a character stands for.
pub(super) fn byte(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ (0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff) => u8::try_from(code).ok(),
        // The 68 bytes that do not print follow each other from U+0100 on.
        code @ 0x100..=0x120 => u8::try_from(code - 0x100).ok(),
        code @ 0x121..=0x142 => u8::try_from(code - 0x121 + 0x7f).ok(),
        0x143 => Some(0xad),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_own_character_and_comes_back() {
        for value in 0..=255_u8 {
            assert_eq!(byte(CHARS[value as usize]), Some(value));
        }
        // Known from every GPT-2 vocabulary: blank, line feed.
        assert_eq!((CHARS[0x20], CHARS[0x0a], CHARS[0xad]), ('Ġ', 'Ċ', 'Ń'));
    }

    #[test]
    fn text_comes_back() {
        let encoded: String = "Wärme\n½".bytes().map(character).collect();
        assert_eq!(encoded, "WÃ¤rmeĊÂ½");
        let mut decoded = Vec::new();
        decode_byte_level(&encoded, &mut decoded);
        assert_eq!(decoded, "Wärme\n½".as_bytes());
        decoded.clear();
        decode_byte_level("€", &mut decoded);
        assert_eq!(decoded, "€".as_bytes());
    }
}
