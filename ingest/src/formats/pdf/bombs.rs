//! Content streams that expand beyond all measure, found before hayro expands them: it has no bound of
//! its own. What hides deeper (fonts, patterns) is left to the worker's memory limit.

use std::io::Read;

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::{Array, Name, Stream};
use hayro_syntax::page::Page;

/// Most that one byte of DEFLATE data can become.
const FLATE_RATIO: u64 = 1_032;
/// Streams of one page that are looked at.
const MAX_STREAMS: usize = 2_000;

/// True where the page's contents, or a form it draws, expand beyond `limit` bytes.
pub(crate) fn is_bomb(page: &Page<'_>, limit: u64) -> bool {
    let mut streams: Vec<Stream<'_>> = Vec::new();
    if let Some(one) = page.raw().get::<Stream<'_>>("Contents".as_bytes()) {
        streams.push(one);
    } else if let Some(parts) = page.raw().get::<Array<'_>>("Contents".as_bytes()) {
        streams.extend(parts.iter::<Stream<'_>>().take(MAX_STREAMS));
    }
    let forms = &page.resources().x_objects;
    for key in forms.keys().take(MAX_STREAMS) {
        let Some(stream) = forms.get::<Stream<'_>>(key.as_ref()) else { continue };
        let kind = stream.dict().get::<Name<'_>>("Subtype".as_bytes());
        if kind.is_some_and(|k| k.as_str() == "Form") {
            streams.push(stream);
        }
    }
    let mut left = limit;
    for stream in streams {
        match expanded(&stream, left) {
            Some(size) => left -= size.min(left),
            None => return true,
        }
    }
    false
}

/// Size of the expanded stream as far as it matters; `None` beyond `limit`.
pub(super) fn expanded(stream: &Stream<'_>, limit: u64) -> Option<u64> {
    let raw = stream.raw_data();
    let layers = stream.filters().iter().take_while(|f| matches!(f, Filter::FlateDecode)).count();
    let size = raw.len() as u64;
    let bound = (0..layers).fold(size, |s, _| s.saturating_mul(FLATE_RATIO));
    if bound <= limit {
        // It cannot reach the limit: no need to expand it to know.
        return Some(size);
    }
    let mut data = raw.into_owned();
    for _ in 0..layers {
        let mut out = Vec::new();
        // A broken tail ends the data; hayro reads what comes before it as well.
        let _ = ZlibDecoder::new(data.as_slice()).take(limit.saturating_add(1)).read_to_end(&mut out);
        if out.len() as u64 > limit {
            return None;
        }
        data = out;
    }
    Some(data.len() as u64)
}
