//! Bytes of a text file as text.

use std::borrow::Cow;

use encoding_rs::{MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The upper half of code page 850, which office programs call "CSV (MS-DOS)".
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
    ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";
/// Letters that German, French and Italian texts have beyond ASCII.
const LETTERS: &str = "äöüÄÖÜßéèêëàâçîïôûùœÉÈÀÇÊìòóí";
/// Bytes beyond ASCII that are looked at for telling code pages apart.
const SAMPLE: usize = 2_000;

/// Decodes by byte order mark, as UTF-8 where the bytes are valid UTF-8, as UTF-16 where every other byte
/// is empty, else by the code page in which its bytes are most often letters: Windows-1252, that of Western
/// European office programs, unless code page 850 or Macintosh is clearly the better guess. Gives the name
/// of the encoding.
pub(crate) fn decode(bytes: &[u8]) -> (Cow<'_, str>, &'static str) {
    if let Some((encoding, length)) = encoding_rs::Encoding::for_bom(bytes) {
        let rest = bytes.get(length..).unwrap_or_default();
        return (encoding.decode_without_bom_handling(rest).0, encoding.name());
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\0')
    {
        return (Cow::Borrowed(text), UTF_8.name());
    }
    if let Some(encoding) = wide(bytes) {
        return (encoding.decode_without_bom_handling(bytes).0, encoding.name());
    }
    // A zero stands for nothing in a text of one byte a letter.
    if bytes.contains(&0) {
        let bytes: Vec<u8> = bytes.iter().copied().filter(|b| *b != 0).collect();
        let (text, name) = decode(&bytes);
        return (Cow::Owned(text.into_owned()), name);
    }
    let encoding = match guess(bytes) {
        Guess::Windows => WINDOWS_1252,
        Guess::Macintosh => MACINTOSH,
        Guess::Dos => return (Cow::Owned(from_cp850(bytes)), "cp850"),
    };
    (encoding.decode_without_bom_handling(bytes).0, encoding.name())
}

/// UTF-16, where a third of the first bytes are zeros in every other place.
pub(crate) fn wide(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let head = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count() * 3;
    match head.len() {
        n if n >= 4 && zeros(1) > n => Some(UTF_16LE),
        n if n >= 4 && zeros(0) > n => Some(UTF_16BE),
        _ => None,
    }
}

/// As [`decode`], after the code page that a page declares in its head.
pub(crate) fn decode_html(bytes: &[u8]) -> (Cow<'_, str>, &'static str) {
    let head = bytes.get(..bytes.len().min(2_048)).unwrap_or_default().to_ascii_lowercase();
    let declared = find(&head, b"charset=").and_then(|at| {
        let label: Vec<u8> = head
            .get(at + 8..)?
            .iter()
            .skip_while(|b| matches!(b, b'"' | b'\'' | b' '))
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
            .copied()
            .collect();
        encoding_rs::Encoding::for_label(&label)
    });
    match declared {
        Some(encoding)
            if encoding_rs::Encoding::for_bom(bytes).is_none() && std::str::from_utf8(bytes).is_err() =>
        {
            (encoding.decode_without_bom_handling(bytes).0, encoding.name())
        }
        _ => decode(bytes),
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    Windows,
    Macintosh,
    Dos,
}

/// The code page in which the bytes beyond ASCII are most often letters of our languages; another one than
/// Windows-1252 has to have twice as many.
fn guess(bytes: &[u8]) -> Guess {
    let high: Vec<u8> = bytes.iter().copied().filter(|b| *b >= 0x80).take(SAMPLE).collect();
    let letters = |text: &str| text.chars().filter(|c| LETTERS.contains(*c)).count();
    let windows = letters(&WINDOWS_1252.decode_without_bom_handling(&high).0);
    let others = [
        (letters(&from_cp850(&high)), Guess::Dos),
        (letters(&MACINTOSH.decode_without_bom_handling(&high).0), Guess::Macintosh),
    ];
    let best = others.into_iter().max_by_key(|(count, _)| *count);
    match best {
        Some((count, other)) if count > windows * 2 && count * 2 > high.len() => other,
        _ => Guess::Windows,
    }
}

fn from_cp850(bytes: &[u8]) -> String {
    let upper: Vec<char> = CP850.chars().collect();
    let one = |byte: &u8| match byte.checked_sub(0x80) {
        Some(index) => upper.get(usize::from(index)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(*byte),
    };
    bytes.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::{CP850, decode};

    #[test]
    fn code_pages_of_dos_and_macintosh() {
        assert_eq!(CP850.chars().count(), 128);
        // "Prüfung; Fällig; Höhe; Réponse" in code page 850 and in Mac OS Roman.
        let dos = b"Pr\x81fung; F\x84llig; H\x94he; R\x82ponse";
        let mac = b"Pr\x9ffung; F\x8allig; H\x9ahe; R\x8eponse";
        for (bytes, name) in [(&dos[..], "cp850"), (&mac[..], "macintosh")] {
            assert_eq!(decode(bytes), ("Prüfung; Fällig; Höhe; Réponse".into(), name));
        }
        // Signs that Windows has where the others have letters.
        let windows = b"\x84Pr\xfcfung\x93 \x96 20 \x80, R\xe9ponse";
        assert_eq!(decode(windows).1, "windows-1252");
    }

    #[test]
    fn the_usual_encodings() {
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("Grün".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in [&b"Gr\xfcn"[..], "Grün".as_bytes(), b"\xef\xbb\xbfGr\xc3\xbcn", &utf16] {
            assert_eq!(decode(bytes).0, "Grün");
        }
        // Zeros that a program left in a text take nothing else away.
        assert_eq!(decode("Gr\0ün".as_bytes()).0, "Grün");
        assert_eq!(decode(b"Gr\0\xfcn").0, "Grün");
        assert_eq!(decode(&utf16[2..]).0, "Grün");
    }
}
