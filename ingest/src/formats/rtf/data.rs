//! Pictures and objects, which RTF writes as hexadecimal digits or, after `\bin`, as they are.

use super::Reader;

/// What is gathered of one of them.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) bytes: Vec<u8>,
    /// The first digit of a byte.
    half: Option<u8>,
    is_object: bool,
    /// Usual ending of a file of the picture's form, where that is a drawing.
    end: &'static str,
}

impl Data {
    pub(super) fn object() -> Self {
        Data { is_object: true, ..Data::default() }
    }

    pub(super) fn digit(&mut self, byte: u8) {
        let Some(digit) = char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok()) else { return };
        match self.half.take() {
            None => self.half = Some(digit),
            Some(first) => self.bytes.push(first << 4 | digit),
        }
    }

    /// Words that say in which form a picture is.
    pub(super) fn word(&mut self, word: &str) {
        self.end = match word {
            "emfblip" => ".emf",
            "wmetafile" => ".wmf",
            "macpict" => ".pict",
            "pmmetafile" => ".met",
            "dibitmap" | "wbitmap" => ".dib",
            _ => return,
        };
    }
}

impl Reader {
    pub(super) fn end_data(&mut self) {
        let data = std::mem::take(&mut self.data);
        if data.bytes.is_empty() {
            return;
        }
        if data.is_object {
            self.objects += 1;
            self.inside.rtf_object(&format!("object{}", self.objects), &data.bytes);
        } else {
            self.pictures += 1;
            self.inside.picture(&format!("picture{}{}", self.pictures, data.end), Some(data.bytes));
        }
    }
}
