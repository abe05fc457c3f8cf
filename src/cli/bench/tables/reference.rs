//! Reference tables: the ICDAR 2013 structure XML and CSV files beside a PDF.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::score::{Cell, Grid};

/// Tables that a file is known to hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reference {
    pub(super) tables: Vec<Grid>,
    /// True where it says nothing of spans and of the pages after the first.
    pub(super) flat: bool,
}

/// The tables of an ICDAR 2013 structure file. Regions of one table follow each other by their increments.
pub(super) fn icdar(xml: &str) -> Result<Reference, String> {
    let mut reader = Reader::from_str(xml);
    let mut state = Icdar::default();
    loop {
        match reader.read_event().map_err(|e| format!("the XML is damaged: {e}"))? {
            Event::Eof => break,
            Event::Start(tag) => state.open(&tag),
            Event::Empty(tag) => {
                state.open(&tag);
                state.close(tag.name().as_ref());
            }
            Event::Text(text) if state.in_content => {
                state.cell.text.push_str(&text);
            }
            Event::GeneralRef(entity) if state.in_content => state.cell.text.push(character(&entity)),
            Event::End(tag) => state.close(tag.name().as_ref()),
            _ => {}
        }
    }
    Ok(state.out)
}

/// The character of an entity or character reference.
fn character(entity: &quick_xml::events::BytesRef<'_>) -> char {
    if let Ok(Some(c)) = entity.resolve_char_ref() {
        return c;
    }
    match entity.as_ref() {
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => '&',
    }
}

#[derive(Default)]
struct Icdar {
    out: Reference,
    cell: OpenCell,
    /// What the current region's rows and columns are shifted by.
    shift: (usize, usize),
    in_content: bool,
}

/// A cell while it is read: first and last row and column.
#[derive(Default)]
struct OpenCell {
    start: (usize, usize),
    end: (Option<usize>, Option<usize>),
    text: String,
}

impl Icdar {
    fn open(&mut self, tag: &BytesStart<'_>) {
        let facts: BTreeMap<String, String> =
            tag.attributes().flatten().map(|a| (a.key.as_ref().to_owned(), a.value.into_owned())).collect();
        let number = |key: &str| facts.get(key).and_then(|v| v.trim().parse::<i64>().ok());
        let place = |key: &str| number(key).and_then(|v| usize::try_from(v).ok());
        match tag.name().as_ref() {
            "table" => self.out.tables.push(Vec::new()),
            "region" => {
                self.shift = (place("row-increment").unwrap_or(0), place("col-increment").unwrap_or(0));
            }
            "cell" => {
                self.cell = OpenCell {
                    start: (place("start-row").unwrap_or(0), place("start-col").unwrap_or(0)),
                    end: (place("end-row"), place("end-col")),
                    text: String::new(),
                };
            }
            "content" => self.in_content = true,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "content" => self.in_content = false,
            "cell" => {
                let cell = std::mem::take(&mut self.cell);
                let (row, column) = cell.start;
                let cover = |end: Option<usize>, start: usize| end.map_or(1, |e| e.max(start) - start + 1);
                if let Some(table) = self.out.tables.last_mut() {
                    table.push(Cell {
                        row: row + self.shift.0,
                        column: column + self.shift.1,
                        rows: cover(cell.end.0, row),
                        columns: cover(cell.end.1, column),
                        text: cell.text,
                    });
                }
            }
            _ => {}
        }
    }
}

/// The one table of a CSV file, which stands on the first page.
pub(super) fn csv(text: &str) -> Reference {
    let mut table = Vec::new();
    let (mut row, mut column) = (0, 0);
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = text.trim_end().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => {
                table.push(Cell::single(row, column, std::mem::take(&mut cell)));
                column += 1;
            }
            '\n' if !quoted => {
                table.push(Cell::single(row, column, std::mem::take(&mut cell)));
                (row, column) = (row + 1, 0);
            }
            '\r' if !quoted => {}
            c => cell.push(c),
        }
    }
    table.push(Cell::single(row, column, cell));
    Reference { tables: vec![table], flat: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icdar_cells_keep_place_span_and_text() {
        let xml = r#"<?xml version="1.0"?><document><table id="1">
            <region id="1" page="3" row-increment="0" col-increment="0">
            <cell start-row="0" start-col="1" end-col="2"><content>A &amp; B</content></cell>
            <cell start-row="1" start-col="0"><content>x&#49;</content></cell></region>
            <region id="2" page="4" row-increment="2" col-increment="0">
            <cell start-row="0" start-col="0"><content>y</content></cell></region></table></document>"#;
        let found = icdar(xml).unwrap();
        let expected = vec![
            Cell { row: 0, column: 1, rows: 1, columns: 2, text: "A & B".into() },
            Cell::single(1, 0, "x1"),
            Cell::single(2, 0, "y"),
        ];
        assert_eq!(found.tables, [expected]);
        assert!(icdar("<document><table></document>").is_err());
    }

    #[test]
    fn csv_with_quotes() {
        let found = csv("a,\"b, \"\"c\"\"\"\r\n,\"d\ne\"\n");
        let texts: Vec<(usize, usize, &str)> =
            found.tables[0].iter().map(|c| (c.row, c.column, c.text.as_str())).collect();
        assert_eq!(texts, [(0, 0, "a"), (0, 1, "b, \"c\""), (1, 0, ""), (1, 1, "d\ne")]);
    }
}
