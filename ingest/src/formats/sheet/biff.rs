//! Old workbooks (BIFF), looked through before a library makes tables of them: it takes room for every cell between
//! the outermost two, wherever a damaged record says that they lie.

use std::io::{Cursor, Read};

use crate::error::ReadError;

/// Cells of a sheet, empty ones between them counted. The library needs some 80 bytes for each.
const MAX_AREA: u64 = 3_000_000;
/// How often the whole stream may be walked through, all sheets together.
const MAX_WALKS: usize = 100;

const BOUND_SHEET: u16 = 0x0085;
const BOF: u16 = 0x0809;
const EOF: u16 = 0x000a;
const FILE_PASS: u16 = 0x002f;
const DIMENSIONS: u16 = 0x0200;
/// Records of one cell, its row and column first (MS-XLS 2.5.13): formula, number, label, rich label, error or truth value, RK
/// number, text of the table, several RK numbers.
const CELLS: [u16; 8] = [0x0006, 0x0203, 0x0204, 0x00d6, 0x0205, 0x027e, 0x00fd, 0x00bd];

/// Refuses a workbook with a sheet whose cells lie too far apart.
///
/// # Errors
/// [`ReadError::TooLarge`] for such a sheet, [`ReadError::Damaged`] where the sectors of the file make no stream.
pub(super) fn check(bytes: &[u8]) -> Result<(), ReadError> {
    let damaged = |e: std::io::Error| ReadError::Damaged { detail: format!("its table of sectors: {e}") };
    // The library follows a chain of sectors wherever it leads, in a circle too; this one does not.
    let mut file = cfb::CompoundFile::open(Cursor::new(bytes)).map_err(damaged)?;
    let Some(name) = ["/Workbook", "/Book"].into_iter().find(|name| file.is_stream(name)) else {
        return Ok(());
    };
    let mut stream = Vec::new();
    file.open_stream(name)
        .map_err(damaged)?
        .take(bytes.len() as u64)
        .read_to_end(&mut stream)
        .map_err(damaged)?;
    let mut left = stream.len().saturating_mul(MAX_WALKS);
    for at in sheets(&stream) {
        let (area, walked) = area(stream.get(at..).unwrap_or_default());
        if area > MAX_AREA {
            let limit = format!(
                "cells of a sheet in an old workbook ({MAX_AREA}, empty ones between them counted; it has {area}; save it as XLSX)"
            );
            return Err(ReadError::beyond_fixed(limit));
        }
        left = left.saturating_sub(walked);
        if left == 0 {
            return Err(ReadError::Damaged { detail: "its sheets overlap each other".into() });
        }
    }
    Ok(())
}

/// Where the sheets begin; none where the records are encrypted.
fn sheets(stream: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    for (kind, data) in records(stream) {
        match kind {
            BOUND_SHEET => starts.extend(long(data, 0).map(|at| at as usize)),
            FILE_PASS => return Vec::new(),
            EOF => break,
            _ => {}
        }
    }
    starts
}

/// Cells between the outermost ones of a sheet, as announced or as they are, and how many bytes the sheet has.
fn area(sheet: &[u8]) -> (u64, usize) {
    let (mut announced, mut walked, mut depth) = (0, 0, 0_u32);
    let (mut rows, mut columns) = (None, None);
    for (kind, data) in records(sheet) {
        walked += 4 + data.len();
        match kind {
            BOF => depth += 1,
            EOF if depth <= 1 => break,
            EOF => depth -= 1,
            DIMENSIONS => announced = announced.max(dimensions(data)),
            kind if CELLS.contains(&kind) && depth <= 1 => {
                let (Some(row), Some(column)) = (short(data, 0), short(data, 2)) else { continue };
                widen(&mut rows, row);
                widen(&mut columns, column);
                // Of several numbers in one record, the last column stands at its end.
                if kind == 0x00bd
                    && let Some(last) = data.len().checked_sub(2).and_then(|at| short(data, at))
                {
                    widen(&mut columns, last);
                }
            }
            _ => {}
        }
    }
    (announced.max(length(rows) * length(columns)), walked)
}

type Ends = Option<(u16, u16)>;

fn widen(ends: &mut Ends, to: u16) {
    *ends = Some(ends.map_or((to, to), |(low, high)| (low.min(to), high.max(to))));
}

fn length(ends: Ends) -> u64 {
    ends.map_or(0, |(low, high)| u64::from(high - low) + 1)
}

/// Rows times columns of the record that announces them (MS-XLS 2.4.90), in its older form too.
fn dimensions(data: &[u8]) -> u64 {
    let short = |at| short(data, at).map(u32::from);
    let ends = match data.len() {
        10 => [short(0), short(2), short(4), short(6)],
        _ => [long(data, 0), long(data, 4), short(8), short(10)],
    };
    let [Some(top), Some(bottom), Some(left), Some(right)] = ends else { return 0 };
    u64::from(bottom.saturating_sub(top))
        * u64::from(right.saturating_sub(left).max(if left > 0xff { right } else { 0 }))
}

/// The records from here on, as far as they are whole: kind and data.
fn records(stream: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let mut rest = stream;
    std::iter::from_fn(move || {
        let (kind, length) = (short(rest, 0)?, short(rest, 2)?);
        let data = rest.get(4..4 + usize::from(length))?;
        rest = rest.get(4 + data.len()..)?;
        Some((kind, data))
    })
}

fn short(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(data.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn long(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::{Limits, read};

    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(data.len()).unwrap();
        [&kind.to_le_bytes()[..], &length.to_le_bytes(), data].concat()
    }

    fn number(row: u16, column: u16, value: f64) -> Vec<u8> {
        let data = [&row.to_le_bytes()[..], &column.to_le_bytes(), &[0, 0], &value.to_le_bytes()].concat();
        record(0x0203, &data)
    }

    /// A workbook of one sheet with these records.
    fn workbook(records: &[Vec<u8>]) -> Vec<u8> {
        let bof = |kind: u16| record(BOF, &[&[0, 6][..], &kind.to_le_bytes(), &[0; 12]].concat());
        let mut globals = bof(0x0005);
        let start = u32::try_from(globals.len() + 4 + 4 + 2 + 2 + 1 + 4).unwrap();
        globals.extend(record(BOUND_SHEET, &[&start.to_le_bytes()[..], &[0, 0, 1, 0, b'T']].concat()));
        globals.extend(record(EOF, &[]));
        let sheet = [bof(0x0010), records.concat(), record(EOF, &[])].concat();
        let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
        file.create_stream("/Workbook").unwrap().write_all(&[globals, sheet].concat()).unwrap();
        file.into_inner().into_inner()
    }

    #[test]
    fn cells_too_far_apart_are_refused_before_room_is_taken() {
        let near = workbook(&[number(0, 0, 1.5), number(60_000, 40, 2.5)]);
        let document = read(&near, "x.xls", &Limits::default());
        // Read as far as the limit on gaps lets it; what counts is that it is no fault of its size.
        assert!(document.is_ok(), "{document:?}");
        let small =
            read(&workbook(&[number(0, 0, 1.5), number(2, 1, 2.5)]), "x.xls", &Limits::default()).unwrap();
        assert_eq!(small.sheets[0].rows[2], ["", "2.5"]);
        let last = [&[9_u8, 0, 0, 0][..], &[0; 6], &60_000_u16.to_le_bytes()].concat();
        let announced = [&0_u32.to_le_bytes()[..], &u32::MAX.to_le_bytes(), &[0, 0, 9, 0, 0, 0]].concat();
        for far in [number(65_535, 65_535, 2.5), record(0x00bd, &last), record(DIMENSIONS, &announced)] {
            let file = workbook(&[number(0, 0, 1.5), number(999, 0, 1.5), far]);
            let error = read(&file, "x.xls", &Limits::default()).unwrap_err().to_string();
            assert!(error.contains("save it as XLSX"), "{error}");
        }
    }

    #[test]
    fn any_bytes_are_looked_through() {
        for (stream, starts) in [(&b"\x85\x00\x08"[..], 0), (&[0x85, 0, 4, 0, 9, 0, 0, 0, 0x0a, 0, 0, 0], 1)]
        {
            assert_eq!(sheets(stream).len(), starts);
        }
        assert_eq!(area(&[0; 64]).0, 0);
        assert_eq!(dimensions(&[1; 10]), 0);
    }
}
