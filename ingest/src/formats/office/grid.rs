//! A table that grows cell by cell, spans spread over the cells that they cover.

/// Columns of a table; a wider one is cut.
const MAX_COLUMNS: usize = 256;
/// Cells of one document's tables, covered ones among them.
const MAX_CELLS: usize = 2_000_000;

/// Tables in tables; what lies deeper is text of the innermost.
const MAX_OPEN: usize = 32;
/// Bytes that cells over several rows say again, in all tables of a document.
const MAX_COPIED: usize = 8 << 20;

/// A finished table.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) header_rows: u32,
}

#[derive(Default)]
struct Open {
    rows: Vec<Vec<String>>,
    header_rows: u32,
    row: Vec<String>,
    header: bool,
    left_out: bool,
    /// The first row is a header, whatever it says itself.
    header_first: bool,
    cell: Cell,
}

#[derive(Default)]
struct Cell {
    text: String,
    span: usize,
    /// Goes on from the cell above.
    merged: bool,
}

/// The tables that are open, the outermost first.
#[derive(Default)]
pub(crate) struct Tables {
    open: Vec<Open>,
    cells: usize,
    copied: usize,
    /// Tables that were started beyond the depth and not ended.
    deeper: usize,
    /// Cells beyond the limit were left out.
    pub(crate) cut: bool,
}

impl Tables {
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub(crate) fn start_table(&mut self) {
        if self.open.len() >= MAX_OPEN {
            self.deeper += 1;
            return;
        }
        self.open.push(Open::default());
    }

    /// The first row of the open table is a header.
    pub(crate) fn header_first(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.header_first = true;
        }
    }

    pub(crate) fn start_row(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.row.clear();
            table.left_out = false;
            table.header = table.header_first && table.rows.is_empty();
        }
    }

    /// The open row is a header.
    pub(crate) fn mark_header(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.header = true;
        }
    }

    /// The open row was deleted.
    pub(crate) fn leave_row_out(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.left_out = true;
        }
    }

    pub(crate) fn start_cell(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.cell = Cell { span: 1, ..Cell::default() };
        }
    }

    pub(crate) fn span(&mut self, columns: u32) {
        if let Some(table) = self.open.last_mut() {
            table.cell.span = (columns as usize).clamp(1, MAX_COLUMNS);
        }
    }

    /// The open cell goes on from the one above.
    pub(crate) fn merge_up(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.cell.merged = true;
        }
    }

    /// Adds a paragraph to the open cell.
    pub(crate) fn text(&mut self, text: &str) {
        let text = text.trim();
        if let Some(table) = self.open.last_mut()
            && !text.is_empty()
        {
            if !table.cell.text.is_empty() {
                table.cell.text.push('\n');
            }
            table.cell.text.push_str(text);
        }
    }

    pub(crate) fn end_cell(&mut self) {
        let Some(table) = self.open.last_mut() else { return };
        let cell = std::mem::take(&mut table.cell);
        let column = table.row.len();
        let text = match table.rows.last().and_then(|above| above.get(column)) {
            Some(above) if cell.merged && cell.text.is_empty() => {
                self.copied += above.len();
                if self.copied > MAX_COPIED { String::new() } else { above.clone() }
            }
            _ => cell.text,
        };
        let span = cell.span.max(1).min(MAX_COLUMNS.saturating_sub(column));
        if span == 0 || self.cells + span > MAX_CELLS {
            self.cut = true;
            return;
        }
        self.cells += span;
        table.row.push(text);
        table.row.resize(column + span, String::new());
    }

    pub(crate) fn end_row(&mut self) {
        let Some(table) = self.open.last_mut() else { return };
        let row = std::mem::take(&mut table.row);
        if table.left_out || row.is_empty() {
            return;
        }
        if table.header && table.header_rows as usize == table.rows.len() {
            table.header_rows += 1;
        }
        table.rows.push(row);
    }

    /// Ends the table. One inside a cell of another becomes lines of that cell.
    pub(crate) fn end_table(&mut self) -> Option<Table> {
        if self.deeper > 0 {
            self.deeper -= 1;
            return None;
        }
        let table = self.open.pop()?;
        if !self.is_open() {
            return Some(Table { rows: table.rows, header_rows: table.header_rows });
        }
        for row in table.rows {
            let cells: Vec<String> = row.into_iter().filter(|c| !c.is_empty()).collect();
            self.text(&cells.join(" | ").replace('\n', " "));
        }
        None
    }

    /// Ends what was left open by a file that breaks off.
    pub(crate) fn end_all(&mut self) -> Option<Table> {
        while self.is_open() {
            self.end_cell();
            self.end_row();
            if let Some(table) = self.end_table() {
                return Some(table);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(tables: &mut Tables, text: &str, set: impl Fn(&mut Tables)) {
        tables.start_cell();
        set(tables);
        tables.text(text);
        tables.end_cell();
    }

    #[test]
    fn spans_and_merges() {
        let mut tables = Tables::default();
        tables.start_table();
        tables.start_row();
        tables.mark_header();
        cell(&mut tables, "Bauteil", |t| t.span(2));
        cell(&mut tables, "U", |_| {});
        tables.end_row();
        for (first, code, value) in [("Wand", "AW-01", "0.15"), ("", "AW-02", "0.21")] {
            tables.start_row();
            cell(&mut tables, first, |t| {
                if first.is_empty() {
                    t.merge_up()
                }
            });
            cell(&mut tables, code, |_| {});
            cell(&mut tables, value, |_| {});
            tables.end_row();
        }
        let table = tables.end_table().unwrap();
        assert_eq!(table.header_rows, 1);
        assert_eq!(table.rows[0], ["Bauteil", "", "U"]);
        assert_eq!(table.rows[2], ["Wand", "AW-02", "0.21"]);
    }

    #[test]
    fn a_table_in_a_cell_becomes_lines_of_it_and_a_huge_span_is_cut() {
        let mut tables = Tables::default();
        tables.start_table();
        tables.start_row();
        tables.start_cell();
        tables.start_table();
        tables.start_row();
        cell(&mut tables, "a", |_| {});
        cell(&mut tables, "b", |_| {});
        tables.end_row();
        assert_eq!(tables.end_table(), None);
        tables.end_cell();
        cell(&mut tables, "c", |t| t.span(u32::MAX));
        tables.end_row();
        let table = tables.end_table().unwrap();
        assert_eq!(table.rows[0][0], "a | b");
        assert_eq!(table.rows[0].len(), MAX_COLUMNS);
    }
}
