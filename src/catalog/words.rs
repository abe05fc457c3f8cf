//! The words of a page in few bytes.
//!
//! Texts first, then each box as differences to the word before, in 1/100 pt, as variable-length
//! integers; then deflate. A page of 600 words takes about 6 kB where JSON takes 50.

use std::io::{Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use ingest::{Rect, Word};

const FORMAT: u8 = 1;
/// Hundredths of a point: finer than any screen shows.
const PER_POINT: f32 = 100.0;
/// More than any page holds; a damaged file must not fill the memory.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Debug, thiserror::Error)]
#[error("the packed words are damaged; ingest the file again")]
pub(super) struct Damaged;

pub(super) fn pack(words: &[Word]) -> Vec<u8> {
    let mut plain = vec![FORMAT];
    unsigned(&mut plain, words.len() as u64);
    for word in words {
        unsigned(&mut plain, word.text.len() as u64);
        plain.extend_from_slice(word.text.as_bytes());
    }
    let mut last = [0_i64; 6];
    for word in words {
        for (now, before) in numbers(word).into_iter().zip(&mut last) {
            signed(&mut plain, now - *before);
            *before = now;
        }
    }
    let mut out = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = out.write_all(&plain);
    out.finish().unwrap_or_default()
}

pub(super) fn unpack(packed: &[u8]) -> Result<Vec<Word>, Damaged> {
    let mut plain = Vec::new();
    DeflateDecoder::new(packed).take(MAX_BYTES).read_to_end(&mut plain).map_err(|_| Damaged)?;
    let rest = &mut plain.as_slice();
    if take(rest, 1)? != [FORMAT] {
        return Err(Damaged);
    }
    let count = read_unsigned(rest)?;
    let mut texts = Vec::new();
    for _ in 0..count {
        let length = usize::try_from(read_unsigned(rest)?).map_err(|_| Damaged)?;
        texts.push(String::from_utf8(take(rest, length)?.to_vec()).map_err(|_| Damaged)?);
    }
    let mut last = [0_i64; 6];
    let mut words = Vec::with_capacity(texts.len());
    for text in texts {
        for n in &mut last {
            *n = n.checked_add(read_signed(rest)?).ok_or(Damaged)?;
        }
        let [x0, y0, width, height, block, line] = last;
        let rect: Rect =
            [x0, y0, x0.saturating_add(width), y0.saturating_add(height)].map(|n| n as f32 / PER_POINT);
        let (block, line) = (block.try_into().map_err(|_| Damaged)?, line.try_into().map_err(|_| Damaged)?);
        words.push(Word { text, rect, block, line });
    }
    Ok(words)
}

/// Left, top, width, height, block, line: widths and heights repeat more than far edges do.
fn numbers(word: &Word) -> [i64; 6] {
    let [x0, y0, x1, y1] = word.rect.map(|n| (n * PER_POINT).round() as i64);
    [x0, y0, x1.saturating_sub(x0), y1.saturating_sub(y0), word.block.into(), word.line.into()]
        .map(|n| n.clamp(-(1 << 40), 1 << 40))
}

fn unsigned(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Zigzag: small numbers of either sign become small unsigned ones.
fn signed(out: &mut Vec<u8>, n: i64) {
    unsigned(out, ((n << 1) ^ (n >> 63)) as u64);
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], Damaged> {
    let (head, tail) = rest.split_at_checked(length).ok_or(Damaged)?;
    *rest = tail;
    Ok(head)
}

fn read_unsigned(rest: &mut &[u8]) -> Result<u64, Damaged> {
    let mut n = 0_u64;
    for shift in (0..64).step_by(7) {
        let &[byte] = take(rest, 1)? else { return Err(Damaged) };
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(n);
        }
    }
    Err(Damaged)
}

fn read_signed(rest: &mut &[u8]) -> Result<i64, Damaged> {
    let n = read_unsigned(rest)?;
    Ok((n >> 1) as i64 ^ -((n & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<Word> {
        (0..600_u32)
            .map(|n| {
                let (column, row) = (n % 12, n / 12);
                let x0 = 56.7 + column as f32 * 41.13;
                let y0 = 70.25 + row as f32 * 13.8;
                Word {
                    text: format!("Wärme{}ß{}", n * 7919 % 1000, ["", "e", "en", "ung"][n as usize % 4]),
                    rect: [x0, y0, x0 + 20.0 + (n % 17) as f32, y0 + 9.96],
                    block: row / 5,
                    line: row,
                }
            })
            .collect()
    }

    #[test]
    fn words_come_back_within_half_a_hundredth_of_a_point() {
        let words = page();
        let back = unpack(&pack(&words)).unwrap();
        assert_eq!(back.len(), words.len());
        for (a, b) in words.iter().zip(&back) {
            assert_eq!((&a.text, a.block, a.line), (&b.text, b.block, b.line));
            for (x, y) in a.rect.iter().zip(b.rect) {
                assert!((x - y).abs() <= 0.0051, "{x} became {y}");
            }
        }
    }

    #[test]
    fn a_full_page_stays_under_eight_kilobytes() {
        let size = pack(&page()).len();
        assert!(size < 8_000, "{size} bytes");
    }

    #[test]
    fn an_empty_page_and_odd_numbers_survive() {
        assert_eq!(unpack(&pack(&[])).unwrap(), []);
        let odd = Word {
            text: String::new(),
            rect: [f32::NAN, -1e30, f32::INFINITY, 3.0],
            block: 0,
            line: u32::MAX,
        };
        assert_eq!(unpack(&pack(&[odd])).unwrap()[0].line, u32::MAX);
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let good = pack(&page());
        for n in (0..good.len()).step_by(11) {
            let _ = unpack(&good[..n]);
            let mut bad = good.clone();
            bad[n] ^= 0x55;
            let _ = unpack(&bad);
        }
        assert!(unpack(&good[..good.len() / 2]).is_err());
        assert!(unpack(b"").is_err());
    }
}
