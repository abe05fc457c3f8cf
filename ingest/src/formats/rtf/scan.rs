//! Bytes: groups, words after a backslash, and characters in their code page.

use super::{MAX_DEPTH, Reader, Target};
use crate::error::ReadError;

impl Reader {
    pub(super) fn run(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let mut at = 0;
        // `{\*\word`: the word is a destination that old readers leave out.
        let mut starred = false;
        while let Some(byte) = bytes.get(at).copied() {
            at += 1;
            match byte {
                b'{' => {
                    self.decode();
                    if self.stack.len() >= MAX_DEPTH {
                        return Err(ReadError::beyond_fixed(format!("nested groups ({MAX_DEPTH})")));
                    }
                    self.stack.push(self.state.clone());
                    starred = false;
                }
                b'}' => self.close(),
                b'\\' => at = self.control(bytes, at, &mut starred),
                b'\r' | b'\n' => {}
                _ if self.skip > 0 => self.skip -= 1,
                _ if self.state.target == Target::Data => self.data.digit(byte),
                _ => self.bytes.push(byte),
            }
        }
        self.broken |= !self.stack.is_empty();
        Ok(())
    }

    /// What follows a backslash; gives where to go on.
    fn control(&mut self, bytes: &[u8], at: usize, starred: &mut bool) -> usize {
        let Some(first) = bytes.get(at).copied() else { return at };
        if !first.is_ascii_alphabetic() {
            return self.symbol(bytes, at, first, starred);
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let letters = rest.iter().take(32).take_while(|b| b.is_ascii_alphabetic()).count();
        let word = std::str::from_utf8(rest.get(..letters).unwrap_or_default()).unwrap_or_default();
        let tail = rest.get(letters..).unwrap_or_default();
        let sign = usize::from(tail.first() == Some(&b'-'));
        let digits = tail.iter().skip(sign).take(10).take_while(|b| b.is_ascii_digit()).count();
        let length = if digits > 0 { sign + digits } else { 0 };
        let number = std::str::from_utf8(tail.get(..length).unwrap_or_default()).ok();
        let number: Option<i32> = number.and_then(|n| n.parse().ok());
        let mut next = at + letters + length;
        if bytes.get(next) == Some(&b' ') {
            next += 1;
        }
        if word == "bin" {
            let length = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            let end = next.saturating_add(length).min(bytes.len());
            if self.state.target == Target::Data {
                self.data.bytes.extend_from_slice(bytes.get(next..end).unwrap_or_default());
            }
            return end;
        }
        if word == "u" {
            self.unicode(number.unwrap_or(0));
        } else if self.skip > 0 {
            self.skip -= 1;
        } else {
            self.decode();
            self.word(word, number, *starred);
        }
        *starred = false;
        next
    }

    fn symbol(&mut self, bytes: &[u8], at: usize, symbol: u8, starred: &mut bool) -> usize {
        match symbol {
            b'\'' => {
                let hex = bytes.get(at + 1..at + 3).and_then(|h| std::str::from_utf8(h).ok());
                if self.skip > 0 {
                    self.skip -= 1;
                } else if let Some(byte) = hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
                    self.bytes.push(byte);
                }
                return (at + 3).min(bytes.len());
            }
            b'*' => *starred = true,
            b'~' => self.bytes.push(b' '),
            b'_' => self.bytes.push(b'-'),
            b'\\' | b'{' | b'}' => self.bytes.push(symbol),
            b'\r' | b'\n' => self.end_paragraph(),
            _ => {}
        }
        at + 1
    }

    /// `\uN`: a UTF-16 unit, followed by characters for programs that do not know it.
    fn unicode(&mut self, number: i32) {
        self.decode();
        self.skip = self.state.fallback;
        let unit = (number & 0xffff) as u16;
        let before = self.surrogate.take();
        let units: Vec<u16> = before.into_iter().chain([unit]).collect();
        match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(c)) => self.push(c.encode_utf8(&mut [0; 4])),
            _ if (0xd800..0xdc00).contains(&unit) => self.surrogate = Some(unit),
            _ => {}
        }
    }

    /// Turns the waiting bytes into text by the code page of their font.
    pub(super) fn decode(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let encoding = self.fonts.get(&self.state.font).copied().unwrap_or(self.code_page);
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        self.push(&text);
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.state.deleted {
            return;
        }
        match self.state.target {
            Target::Body => self.paragraph.push_str(text),
            Target::Footnote | Target::Comment => self.note.push_str(text),
            Target::CommentAuthor => self.comment_author.push_str(text),
            Target::Title => self.title.push_str(text),
            Target::Author => self.author.push_str(text),
            Target::StyleSheet => self.style_name.push_str(text),
            Target::FontTable | Target::Nowhere | Target::Data => {}
        }
    }
}
