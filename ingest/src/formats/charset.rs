//! Bytes of a text file as text.

use std::borrow::Cow;

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Decodes by byte order mark, as UTF-8 where the bytes are valid UTF-8, as UTF-16 where every other byte
/// is empty, else as Windows-1252, the code page of Western European office programs. Gives the name of
/// the encoding.
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
    let head = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count() * 3;
    let encoding = match head.len() {
        n if n >= 4 && zeros(1) > n => UTF_16LE,
        n if n >= 4 && zeros(0) > n => UTF_16BE,
        _ => WINDOWS_1252,
    };
    (encoding.decode_without_bom_handling(bytes).0, encoding.name())
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

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn the_usual_encodings() {
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("Grün".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in [&b"Gr\xfcn"[..], "Grün".as_bytes(), b"\xef\xbb\xbfGr\xc3\xbcn", &utf16] {
            assert_eq!(decode(bytes).0, "Grün");
        }
    }
}
