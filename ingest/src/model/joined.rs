use super::{Document, Span};

/// A table with its parts on all pages put together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JoinedTable {
    /// Pages that it stands on, from 1.
    pub pages: Vec<u32>,
    /// Caption, may be empty.
    pub caption: String,
    /// Cell texts. A header that a later page repeats is there once.
    pub rows: Vec<Vec<String>>,
    /// How many of the first rows are headers.
    pub header_rows: u32,
    /// Cells that cover more than one row or column.
    pub spans: Vec<Span>,
}

impl Document {
    /// The tables of all pages; one that goes on over a page break is one table.
    pub fn joined_tables(&self) -> Vec<JoinedTable> {
        let mut out: Vec<JoinedTable> = Vec::new();
        for page in &self.pages {
            for table in &page.tables {
                let open = out.last_mut().filter(|_| table.continued);
                let Some(open) = open else {
                    out.push(JoinedTable {
                        pages: vec![page.number],
                        caption: table.caption.clone(),
                        rows: table.rows.clone(),
                        header_rows: table.header_rows,
                        spans: table.spans.clone(),
                    });
                    continue;
                };
                let repeated = table.header_rows;
                let base = u32::try_from(open.rows.len()).unwrap_or(u32::MAX);
                open.rows.extend(table.rows.iter().skip(repeated as usize).cloned());
                let below = table.spans.iter().filter(|s| s.row >= repeated);
                open.spans.extend(below.map(|s| Span { row: base.saturating_add(s.row - repeated), ..*s }));
                open.pages.push(page.number);
            }
        }
        out
    }
}
